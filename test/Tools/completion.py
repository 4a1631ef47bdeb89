"""Completes command lines in an interactive bash.

usage: completion.py SCRIPT < LINES

Loads the completions of SCRIPT, types each line of standard input followed by a
tab, and prints what the command line is then, with a bar at its end. Where a line
ends in `*`, bash puts in all completions that there are.
"""

import os
import pty
import re
import sys

SETUP = [
    "bind 'set bell-style none'",
    "bind 'set enable-bracketed-paste off'",
    "bind 'set completion-query-items 0'",
    "bind '\"\\C-o\": insert-completions'",
    "bind -x '\"\\C-p\": printf \"\\n<%s>\\n\" \"$READLINE_LINE\"'",
]


def type_line(terminal, line):
    """What bash makes of `line` and a tab."""
    key = b"\t"
    if line.endswith("*"):
        line, key = line[:-1], b"\x0f"
    # Control-P prints the line, control-A and control-K empty it.
    os.write(terminal, line.encode() + key + b"\x10" + b"\x01\x0b")
    written = b""
    while not (found := re.search(rb"\n<(.*)>\r?\n", written)):
        written += os.read(terminal, 4096)
    return found.group(1).decode()


def main():
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(LC_ALL="C.UTF-8", TERM="dumb", PS1="", INPUTRC="/dev/null", HISTFILE="/dev/null", COLUMNS="10000")
        os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
    for command in [f"source '{sys.argv[1]}'", *SETUP]:
        os.write(terminal, command.encode() + b"\n")
    for line in sys.stdin.read().splitlines():
        print(f"{type_line(terminal, line)}|")


main()
