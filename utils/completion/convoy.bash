# Completes command lines of Convoy's tools in bash:
#
#   source utils/completion/convoy.bash
#
# Which options there are and what they take is read from the tool's own --help.
# In `--emit=<mlir|llvm>` both words are values. Words of capitals alone, as in
# `--header=<FILE>`, and LLVM's names of types, as in `--strength=<uint>`, stand
# for something else.

# Prints the options of the program $1, one a line: the name and, behind a blank,
# the values, as in `--emit mlir|llvm`, or `--dir= FWD_D|BWD_D` where they stand in
# the same word only; those that need no value stand alone, too. Passes count,
# their options do not.
_convoy_options() {
  local line name='' values='' joined=''
  local option='^(  |      )(--?[[:alnum:]][[:alnum:]._-]*)(.*)'
  local value='^ +=([^ ]+)' type='^(\[?=| )<([^>]*)>'
  while IFS= read -r line; do
    if [[ $line == 'Flags of problems:' ]]; then
      joined='='
    elif [[ $line =~ $value ]]; then
      values+="|${BASH_REMATCH[1]}"
    elif [[ $line =~ ^\ +- ]]; then
      [[ -z $name ]] || printf '%s %s\n' "$name" "$values"
      name='' values=''
      if [[ $line =~ $option ]]; then
        name=${BASH_REMATCH[2]}
        if [[ ${BASH_REMATCH[3]} =~ $type ]]; then
          values=${BASH_REMATCH[2]}
          if [[ ${BASH_REMATCH[1]} == '[=' ]]; then
            printf '%s\n' "$name"
            name+='='
          else
            name+=$joined
          fi
        fi
      fi
    fi
  done < <("$1" --help 2>/dev/null)
  [[ -z $name ]] || printf '%s %s\n' "$name" "$values"
}

# Prints the words among the values $1, which `|` parts, each between $2 and $3.
_convoy_words() {
  local word
  local -a words
  IFS='|' read -ra words <<<"${1%'[,...]'}"
  for word in "${words[@]}"; do
    case $word in
    *...* | @* | value | string | int | uint | long | ulong | number | filename) ;;
    - | *[[:lower:][:digit:]_]*) printf '%s%s%s\n' "$2" "$word" "$3" ;;
    esac
  done
}

# Prints what begins with the path $1: folders with a slash behind them, and files
# that match the pattern $2 with a blank. $3 stands before each.
_convoy_files() (
  set +o noglob
  shopt -u failglob
  shopt -s nullglob
  for path in "$1"*; do
    if [[ $path == *[[:cntrl:]]* ]]; then
      continue # A line for each path could not hold this one.
    elif [[ -d $path ]]; then
      printf '%s%s/\n' "$3" "$path"
    elif [[ $path == $2 ]]; then
      printf '%s%s \n' "$3" "$path"
    fi
  done
)

# Reads the command line $1 as the shell does. Sets `current` to its last word and
# `previous` to the one before it, both without quotes, `quote` to the quote that is
# open at the end, and `expands` where the shell puts something else into `current`.
_convoy_read() {
  local line=$1 character next i start=0
  previous='' current='' quote='' expands=''
  for ((i = 0; i < ${#line}; ++i)); do
    character=${line:i:1} next=${line:i+1:1}
    if [[ $character == "$quote" ]]; then
      quote=''
    elif [[ $quote == "'" ]]; then
      current+=$character
    elif [[ $character == \\ ]]; then
      [[ $quote && $next == [!\$\`\"\\] ]] && current+=\\
      current+=$next
      ((++i))
    elif [[ -z $quote && $character == [\"\'] ]]; then
      quote=$character
    elif [[ -z $quote && $character == [[:space:]\<\>\|\&\;\(\)] ]]; then
      ((i > start)) && previous=$current
      current='' expands='' start=$((i + 1))
    else
      [[ $character == [\$\`] || ($character == '~' && $i == "$start") ]] &&
        expands=yes
      current+=$character
    fi
  done
}

# Sets REPLY to $1 as it is written inside `quote`.
_convoy_quote() {
  local character escaped=$' \t!"#$&\'()*;<>?[\\]^`{|}~' escape=\\ i
  case $quote in
  \") escaped='$`"\' ;;
  \') escaped=\' escape="'\\'" ;;
  esac
  REPLY=''
  for ((i = 0; i < ${#1}; ++i)); do
    character=${1:i:1}
    [[ $escaped == *"$character"* ]] && REPLY+=$escape
    REPLY+=$character
  done
}

# Puts those of the words on standard input, one a line, that begin with `current`
# into COMPREPLY. A blank ends those that nothing can follow.
_convoy_reply() {
  local line REPLY
  while IFS= read -r line; do
    [[ $line == "$current"* ]] || continue
    [[ $line == *' ' ]] || compopt -o nospace 2>/dev/null
    line=${line% }
    _convoy_quote "${line#"$kept"}"
    COMPREPLY+=("$REPLY")
  done
}

# Completes the path $1, which stands alone or behind `--option=`, here $2: only
# folders and what matches the pattern $3. Bash ends and quotes paths, where it
# replaces the whole of them.
_convoy_paths() {
  local path
  if [[ $kept != "$2" ]]; then
    _convoy_reply < <(_convoy_files "$1" "$3" "$2")
    return
  fi
  compopt -o filenames 2>/dev/null
  while IFS= read -r path; do
    COMPREPLY+=("${path%[ /]}")
  done < <(_convoy_files "$1" "$3" '')
}

# Completes the value $1 of an option that takes $2; $3 stands before it.
_convoy_value() {
  local value=$1 before=$3 after=' '
  if [[ $value == @* ]]; then
    _convoy_reply < <(_convoy_files "${value#@}" '*' "$before@")
  elif [[ $2 == *DIR* ]]; then
    _convoy_paths "$value" "$before" ''
  elif [[ $2 == *FILE* || $2 == filename ]]; then
    _convoy_paths "$value" "$before" '*'
  else
    if [[ $2 == *,...* ]]; then
      after=''
      # Of a list, the last word.
      [[ $value == *,* ]] && before+=${value%,*},
    fi
    _convoy_reply < <(_convoy_words "$2" "$before" "$after")
  fi
}

# Prints how options, which stand on standard input as _convoy_options prints
# them, are written: up to their values, or with those that are a part of them.
_convoy_spell() {
  local name values words
  while read -r name values; do
    if [[ -z $values ]]; then
      printf '%s \n' "$name"
    elif [[ $name == --* ]]; then
      printf '%s=\n' "${name%=}"
    else
      words=$(_convoy_words "$values" "$name" ' ')
      printf '%s\n' "${words:-$name }"
    fi
  done
}

# Readline replaces $2, what follows the last break or open quote of the line as it
# is typed. `kept` is what the word before the cursor has in front of that.
_convoy_complete() {
  local line=${COMP_LINE:0:COMP_POINT}
  local previous current quote expands kept program options name values
  _convoy_read "$1"
  program=${current/#\~/$HOME}
  _convoy_read "${line%"$2"}"
  kept=$current
  _convoy_read "$line"
  COMPREPLY=()
  if [[ $expands ]]; then
    compopt -o default 2>/dev/null
    return
  fi
  options=$(_convoy_options "$program")
  while read -r name values; do
    [[ $values ]] || continue
    if [[ $previous == "$name" && $name != *= ]]; then
      _convoy_value "$current" "$values" ''
      return
    elif [[ $current == "${name%=}="* ]]; then
      _convoy_value "${current#*=}" "$values" "${name%=}="
      return
    fi
  done <<<"$options"
  case $current in
  -*) _convoy_reply < <(_convoy_spell <<<"$options") ;;
  @*) _convoy_value "$current" '' '' ;;
  *) _convoy_paths "$current" '' '*.mlir' ;;
  esac
}

complete -F _convoy_complete convoy-bench convoy-bisect convoy-certify \
  convoy-compile convoy-diff convoy-fit-costs convoy-fuzz convoy-lsp-server \
  convoy-opt convoy-run
