"""Convoy's programs, as console scripts of the package `convoy`.

They are beside this file and know nothing of Python; it is a package of its own
so that they start without loading `convoy`.
"""

import os
import sys


def main() -> int:
    """Becomes the program that this one is called after."""
    name = os.path.basename(sys.argv[0])
    program = os.path.join(os.path.dirname(__file__), "bin", name)
    try:
        os.execv(program, [program, *sys.argv[1:]])
    except OSError as error:
        print(f"{name}: cannot run '{program}': {error.strerror}", file=sys.stderr)
    return 1
