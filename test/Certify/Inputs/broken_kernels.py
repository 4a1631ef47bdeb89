"""Kernels that are broken in one place, and what convoy-certify says of them.

Scripts that use it are called with BEFORE AFTER OUT: what is computed, the
kernel that computes it, and the file that each broken kernel is written to.
"""

import re
import subprocess
import sys


class Kernel:
    """The kernel of AFTER. Each change is made to it alone, and the verdict on
    what that leaves is printed behind its name."""

    def __init__(self, *options):
        """`options` are those of convoy-certify."""
        self.options = options
        self.before, after, self.out = sys.argv[1:]
        with open(after) as file:
            self.text = file.read()
        self.lines = self.text.split("\n")

    def find(self, pattern):
        """The numbers of the lines that `pattern` is found in."""
        return [number for number, line in enumerate(self.lines) if re.search(pattern, line)]

    def certify(self, name, text):
        assert text != self.text, name
        with open(self.out, "w") as file:
            file.write(text)
        run = subprocess.run(
            ["convoy-certify", *self.options, self.before, self.out],
            capture_output=True,
            text=True,
        )
        assert not run.stderr, run.stderr
        print(f"{name}: {run.stdout.splitlines()[0]}")

    def certify_lines(self, name, lines):
        self.certify(name, "\n".join(lines))

    def change(self, name, number, old, new):
        """Puts `new` in the place of the first match of `old` in a line."""
        changed = list(self.lines)
        changed[number] = re.sub(old, new, changed[number], count=1)
        self.certify_lines(name, changed)

    def replace(self, name, *pairs):
        """Puts the second of each of `pairs` in the place of the first, which
        the text has once."""
        text = self.text
        for old, new in pairs:
            assert text.count(old) == 1, (name, old)
            text = text.replace(old, new)
        self.certify(name, text)
