"""Runs a program whose standard error is a terminal.

usage: terminal.py PROGRAM [ARGUMENT...]

Prints `shown: TEXT` for each text that the terminal had in a line, then
`left: TEXT` for each line that is there at the end, and ends as the program does.
The program's standard output is that of this one.
"""

import os
import pty
import subprocess
import sys


def run(command):
    """What `command` writes to the terminal, and its exit code."""
    controller, terminal = pty.openpty()
    process = subprocess.Popen(command, stderr=terminal)
    os.close(terminal)
    written = b""
    while True:
        try:
            part = os.read(controller, 4096)
        except OSError:  # the program has closed the terminal
            break
        if not part:
            break
        written += part
    return written.decode(), process.wait()


def draw(written):
    """The lines of a terminal that has nothing but the two movements of a typewriter."""
    lines, column = [""], 0
    for character in written:
        if character == "\r":
            column = 0
        elif character == "\n":
            lines.append("")
        else:
            lines[-1] = lines[-1][:column].ljust(column) + character + lines[-1][column + 1 :]
            column += 1
    return [line.rstrip() for line in lines]


written, code = run(sys.argv[1:])
for text in written.replace("\n", "\r").split("\r"):
    if text.strip():
        print("shown:", text)
for line in draw(written):
    if line:
        print("left:", line)
sys.exit(code)
