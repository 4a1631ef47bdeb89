"""Runs the commands that documents in Markdown show, and compares what they print.

usage: run-commands.py SOURCES BUILD DOCUMENT...

A command is a line `$ COMMAND` of a fenced block without a language; those of a
document run in order, by bash, in one folder, in which `build/bin` holds the
tools of BUILD and `test` the tests of SOURCES. `$ cat FILE` of a file that is
not there writes it: what follows is what it holds.

The lines behind a command, up to the next one, are what it prints, on standard
output or error, in this order; other lines may stand between. `…` stands for
anything, and numbers with a point, and those before a unit of time, size or
speed, for any such number. A command without lines has to exit with 0.

A block behind a comment `<!-- not run: REASON -->` is passed over.
"""

import pathlib
import re
import subprocess
import sys

BLOCK = re.compile(
    r"(?:<!-- not run: (?P<reason>[^>]+) -->\n)?"
    r"^```(?P<language>\w*)\n(?P<text>.*?)^```$",
    re.M | re.S,
)
MEASURED = re.compile(
    r"-?\d+\.\d+(e[+-]?\d+)?|\b\d+(?=(?: |_)(?:ulp|ms|s|KiB|GF/s)\b)|\b(?:inf|nan)\b"
)
SECONDS = 300


def pattern(line):
    """The regular expression of what a line of a document stands for."""
    parts = []
    for piece in re.split("(…)", " ".join(line.split())):
        if piece == "…":
            parts.append("(?s:.*?)")
            continue
        begin = 0
        for number in MEASURED.finditer(piece):
            parts.append(re.escape(piece[begin : number.start()]))
            parts.append(r"(?:-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|inf|nan)")
            begin = number.end()
        parts.append(re.escape(piece[begin:]))
    return re.compile("".join(parts).replace(r"\ ", r"\ *"))


def compare(command, expected, printed):
    """Exits unless each expected line is in what was printed, in order."""
    text = "\n".join(" ".join(line.split()) for line in printed.splitlines())
    begin = 0
    for line in expected:
        if line.strip() in ("", "…"):
            continue
        found = pattern(line).search(text, begin)
        if not found:
            sys.exit(f"$ {command}\nlacks, in this place: {line}\nprinted:\n{printed}")
        begin = found.end()


def run(command, expected, folder):
    words = command.split()
    if len(words) == 2 and words[0] == "cat" and not (folder / words[1]).exists():
        (folder / words[1]).write_text("\n".join(expected) + "\n")
        return
    result = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
    )
    if not expected and result.returncode != 0:
        sys.exit(f"$ {command}\nexits with {result.returncode}:\n{result.stdout}")
    compare(command, expected, result.stdout)


def read_commands(block):
    """Yields each command of a block with the lines that follow it."""
    command, lines = None, []
    for line in block.splitlines():
        if line.startswith("$ "):
            if command:
                yield command, lines
            command, lines = line[2:], []
        elif command and command.endswith("\\"):
            command = command[:-1] + line.strip()
        elif command:
            lines.append(line)
    if command:
        yield command, lines


def prepare(sources, build, document):
    """A new folder for the commands of a document, below the working one."""
    folder = pathlib.Path.cwd() / document.stem
    (folder / "build").mkdir(parents=True)
    (folder / "build/bin").symlink_to(build / "bin")
    (folder / "test").symlink_to(sources / "test")
    return folder


def main(sources, build, *documents):
    for document in map(pathlib.Path, documents):
        folder = prepare(pathlib.Path(sources), pathlib.Path(build), document)
        count, passed_over = 0, 0
        for block in BLOCK.finditer(document.read_text()):
            if block["language"]:
                continue
            commands = list(read_commands(block["text"]))
            if block["reason"]:
                passed_over += len(commands)
                continue
            for command, expected in commands:
                run(command, expected, folder)
                count += 1
        print(f"{document.name}: {count} commands ran, {passed_over} passed over")


if __name__ == "__main__":
    main(*sys.argv[1:])
