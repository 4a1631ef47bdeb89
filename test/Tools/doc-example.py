"""Writes the files of the example in docs/Kernels.md.

The blocks after the heading `Example` are, by their languages, smooth.mlir,
main.c and what the program prints.

usage: doc-example.py KERNELS.md FOLDER
"""

import pathlib
import re
import sys

NAMES = {"mlir": "smooth.mlir", "c": "main.c", "text": "expected"}


def main(document, folder):
    example = pathlib.Path(document).read_text().split("\n## Example\n")[1]
    for language, text in re.findall(r"```(\w+)\n(.*?)```", example, re.DOTALL):
        if language in NAMES:
            pathlib.Path(folder, NAMES[language]).write_text(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
