"""Verdicts of the certifier on drawn pairs of functions, and what is wrong of them."""

import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile


def parse_options(description):
    """The options of a program that draws pairs; seeds `random`."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--count", type=int, default=300, help="pairs to draw")
    parser.add_argument("--seed", type=int, default=0, help="of what is drawn")
    parser.add_argument("--certify", default="convoy-certify", help="the certifier")
    options = parser.parse_args()
    random.seed(options.seed)
    return options


def judge(options, texts, find_fault):
    """Prints what of the verdicts is wrong, and how many there are of each.

    `texts` has both functions' text for each name, and `find_fault(name, verdict)`
    says what is wrong with the verdict, or nothing. Exits with 1 if anything is.
    """
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder, name) for name in ("before.mlir", "after.mlir")]
        for side, file in enumerate(files):
            file.write_text("".join(pair[side] for pair in texts.values()))
        output = subprocess.run([options.certify, *files], capture_output=True, text=True)
    if output.returncode not in (0, 2, 4):
        sys.exit(f"{pathlib.Path(sys.argv[0]).stem}: {output.stderr}")
    counts, wrong = {}, 0
    for verdict, name in re.findall(r"^(\w+): @(\w+):", output.stdout, re.M):
        counts[verdict] = counts.get(verdict, 0) + 1
        fault = find_fault(name, verdict)
        if fault:
            wrong += 1
            print(f"wrong: {verdict}, but {fault}\n{texts[name][0]}{texts[name][1]}")
    print(", ".join(f"{counts.get(verdict, 0)} {verdict}"
                    for verdict in ("certified", "different", "undecided")) + f", {wrong} wrong")
    sys.exit(wrong > 0 or sum(counts.values()) != len(texts))
