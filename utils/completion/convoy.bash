# Completes command lines of Convoy's tools in bash:
#
#   source utils/completion/convoy.bash
#
# Which options there are and what they take is read from the tool's own --help.
# In `--emit=<mlir|llvm>` both words are values. Words of capitals alone, as in
# `--header=<FILE>`, and LLVM's names of types, as in `--strength=<uint>`, stand
# for something else.

# Prints the options of the program $1, one a line: the name and, behind a blank,
# the values, as in `--emit mlir|llvm`. Passes count, their options do not.
_convoy_options() {
  local line name values
  local option='^(  |      )(--?[[:alnum:]][[:alnum:]._-]*)(.*)'
  local value='^ +=([^ ]+)' type='^(\[?=| )<([^>]*)>'
  while IFS= read -r line; do
    if [[ $line =~ $value ]]; then
      values+="|${BASH_REMATCH[1]}"
    elif [[ $line =~ ^\ +- ]]; then
      [[ -z $name ]] || printf '%s %s\n' "$name" "$values"
      name='' values=''
      if [[ $line =~ $option ]]; then
        name=${BASH_REMATCH[2]}
        [[ ${BASH_REMATCH[3]} =~ $type ]] && values=${BASH_REMATCH[2]}
      fi
    fi
  done < <("$1" --help 2>/dev/null)
  [[ -z $name ]] || printf '%s %s\n' "$name" "$values"
}

# Prints the words among the values $1, which `|` parts.
_convoy_words() {
  local word
  local -a words
  IFS='|' read -ra words <<<"${1%'[,...]'}"
  for word in "${words[@]}"; do
    case $word in
    *...* | @* | value | string | int | uint | long | ulong | number | filename) ;;
    - | *[a-z0-9_]*) printf '%s\n' "$word" ;;
    esac
  done
}

# Puts those of the lines on standard input that begin with $1 into COMPREPLY,
# each with $2 before it. Bash replaces what follows the last character of
# COMP_WORDBREAKS, and an @ itself.
_convoy_reply() {
  local line typed=$2$1
  local kept=${typed%"${typed##*[$COMP_WORDBREAKS]}"}
  while IFS= read -r line; do
    line=$2$line
    [[ $line == "$typed"* ]] && COMPREPLY+=("${line#"${kept%@}"}")
  done
}

# Completes the path $1, which stands alone or behind `--option=`, here $2: only
# folders and what matches the pattern $3.
_convoy_paths() {
  compopt -o filenames 2>/dev/null
  _convoy_reply "$1" "$2" < <(compgen -f -X "!$3" -- "$1"; compgen -d -- "$1")
}

# Completes the path $1 in `@PATH`, where $2 stands before it. Bash takes that for
# no path, so that ends and quotes are up to this function.
_convoy_list() {
  local path
  compopt -o nospace 2>/dev/null
  _convoy_reply "$1" "$2@" < <(
    compgen -f -- "$1" | while IFS= read -r path; do
      [[ -d $path ]] && printf '%q/\n' "$path" || printf '%q \n' "$path"
    done
  )
}

# Completes the value $1 of an option that takes $2; $3 stands before it.
_convoy_value() {
  local value=$1 before=$3
  if [[ $value == @* ]]; then
    _convoy_list "${value#@}" "$before"
  elif [[ $2 == *DIR* ]]; then
    _convoy_paths "$value" "$before" ''
  elif [[ $2 == *FILE* || $2 == filename ]]; then
    _convoy_paths "$value" "$before" '*'
  else
    # Of a list, the last word.
    [[ $2 == *,...* && $value == *,* ]] && before+=${value%,*},
    _convoy_reply "${value##*,}" "$before" < <(_convoy_words "$2")
    [[ $2 == *,...* ]] && compopt -o nospace 2>/dev/null
  fi
}

# Prints how options, which stand on standard input as _convoy_options prints
# them, are written: up to their values, or with those that are a part of them.
_convoy_spell() {
  local name values word
  while read -r name values; do
    if [[ -z $values ]]; then
      printf '%s \n' "$name"
    elif [[ $name == --* ]]; then
      printf '%s=\n' "$name"
    else
      word=$(_convoy_words "$values")
      printf -- "$name%s \n" $word
    fi
  done
}

_convoy_complete() {
  local LC_ALL=C
  local line=${COMP_LINE:0:COMP_POINT}
  local current=${line##*[[:space:]]}
  local before=${line%"$current"}
  before=${before%"${before##*[![:space:]]}"}
  local previous=${before##*[[:space:]]} options name values
  options=$(_convoy_options "${1/#\~/$HOME}")
  COMPREPLY=()
  while read -r name values; do
    [[ $values ]] || continue
    if [[ $previous == "$name" ]]; then
      _convoy_value "$current" "$values" ''
      return
    elif [[ $current == "$name="* ]]; then
      _convoy_value "${current#*=}" "$values" "$name="
      return
    fi
  done <<<"$options"
  case $current in
  -*)
    compopt -o nospace 2>/dev/null
    _convoy_reply "$current" '' < <(_convoy_spell <<<"$options")
    ;;
  @*) _convoy_list "${current#@}" '' ;;
  *) _convoy_paths "$current" '' '*.mlir' ;;
  esac
}

complete -F _convoy_complete convoy-bench convoy-certify convoy-compile \
  convoy-lsp-server convoy-opt convoy-run
