#!/usr/bin/env python3
"""Lists what object files leave to a shared library, as a script for its linker.

That takes what is listed from archives, and shows it to those who link the
library; all else is hidden. Among it is what each object defines for itself but
has to be the same everywhere, as the identity of a type. They have a version: else
they would take the place of those of another LLVM, which a driver may bring along.
"""

import subprocess
import sys

#: What nm calls undefined symbols, and those that may be defined more than once.
SHARED_KINDS = "UuVvWw"


def list_symbols(nm: str, objects: list[str]) -> list[str]:
    command = [nm, "--extern-only", "--format=posix", *objects]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    lines = [line.split() for line in output.splitlines()]
    return sorted({line[0] for line in lines if len(line) > 1 and line[1] in SHARED_KINDS})


def main() -> int:
    if len(sys.argv) < 4:
        print("usage: list-exports.py NM OUTPUT OBJECT...", file=sys.stderr)
        return 1
    nm, output, *objects = sys.argv[1:]
    names = [f'"{name}"' for name in list_symbols(nm, objects)]
    with open(output, "w", encoding="utf-8") as file:
        file.write(f"EXTERN({' '.join(names)})\n")
        file.write(f"VERSION {{ Convoy {{ global: {'; '.join(names)}; local: *; }}; }}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
