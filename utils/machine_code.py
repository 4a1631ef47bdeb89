"""Loops of assembly, and what llvm-mca says of them."""

import re
import subprocess
import sys

# How long llvm-mca may take for one loop; else its cycles are not known.
MCA_SECONDS = 20


def read_problems(path):
    """The problems of a file, without comments."""
    lines = (line.split("#")[0].strip() for line in path.read_text().splitlines())
    return [line for line in lines if line]


def innermost_loops(lines, branch):
    """The lines of each loop that has none inside: up to a branch back, whose
    label is the first group of the pattern `branch`."""
    places = {line[:-1]: at for at, line in enumerate(lines) if line.endswith(":")}
    loops = []
    for end, line in enumerate(lines):
        match = re.match(branch, line)
        if match and places.get(match[1], len(lines)) <= end:
            loops.append((places[match[1]], end + 1))
    return [
        lines[start:end]
        for start, end in loops
        if not any(start <= a and b <= end and (a, b) != (start, end) for a, b in loops)
    ]


def cycles_of(llvm, triple, cpu, lines, rounds=20):
    """Cycles of `lines` in a loop of so many rounds, by llvm-mca of the folder `llvm`,
    or None."""
    try:
        result = subprocess.run(
            [llvm / "llvm-mca", f"--mtriple={triple}", f"--mcpu={cpu}", f"--iterations={rounds}",
             "--instruction-info=false", "--resource-pressure=false"],
            input="\n".join(lines), capture_output=True, text=True, timeout=MCA_SECONDS,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        print(f"{cpu}: llvm-mca took more than {MCA_SECONDS} s", file=sys.stderr)
        return None
    total = re.search(r"Total Cycles:\s+(\d+)", result.stdout)
    return int(total[1]) / rounds if total and result.returncode == 0 else None
