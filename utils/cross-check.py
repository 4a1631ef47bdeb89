#!/usr/bin/env python3
"""Compares ops around convolutions with PyTorch's, on random problems.

usage: cross-check.py [--count=N] [--seed=N] [--first=N] [--op=NAME[,NAME]] [--jobs=N]
                      [--check-options]

scripts/cross-check says what is compared, and runs this where PyTorch is. The
problems are those of cross_check_problems.py. Each is compared twice: on numbers for
which all is exact, where our result must be the exact one and PyTorch's the same, and
on numbers from a normal distribution, where each element of ours must lie within its
error bound around what the op means exactly. PyTorch's elements that do not are no
fault of ours: it may round positions, or sum, in another way. They are counted, with
how far off the worst is in units of the bound.

With --check-options nothing is compared.

Exit codes: 0 where all our results are right, 2 where one is not, 1 where something
else failed.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import multiprocessing
import os
import sys
import time

OPS = (
    "conv_transpose",
    "deform_conv",
    "deform_gradient",
    "fold",
    "grid_sample",
    "grid_gradient",
    "padding",
    "unfold",
)
# Problems that a process takes at once.
CHUNK = 20
# Faults that are printed of each op.
MOST_PRINTED = 5


@dataclasses.dataclass
class Found:
    """What the comparisons of some problems found, by kinds of problems."""

    problems: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    #: PyTorch's results that leave the bounds, and the largest error/bound of one.
    deviations: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    worst: dict[str, float] = dataclasses.field(default_factory=dict)
    faults: list[str] = dataclasses.field(default_factory=list)

    def add(self, other):
        self.problems += other.problems
        self.deviations += other.deviations
        for kind, ratio in other.worst.items():
            self.worst[kind] = max(ratio, self.worst.get(kind, 0.0))
        self.faults += other.faults


def compare(problem, function, is_exact, generator, found):
    """Adds what one comparison found to `found`; returns what is wrong, or nothing."""
    import cross_check_numbers as numbers
    import numpy as np

    fill = numbers.fill_exactly if is_exact else numbers.fill_normally
    arrays = [fill(kind, shape, generator) for kind, shape in problem.fills]
    operands = tuple(one.store(array) for one, array in zip(problem.operands, arrays))
    ours = function(*operands)
    theirs = problem.result.store(problem.reference(*arrays))
    report = function.compare(operands, (ours,))
    if is_exact and report.verdict != "exact" or not report.passed:
        return f"ours is wrong: {report}"
    if is_exact and not np.array_equal(ours, theirs):
        return f"PyTorch's differs: {function.compare(operands, (theirs,))}"
    peer = function.compare(operands, (theirs,))
    if not peer.passed:
        found.deviations[problem.kind] += 1
        found.worst[problem.kind] = max(peer.worst_ratio, found.worst.get(problem.kind, 0.0))
    return ""


def run_chunk(op, seed, numbers):
    """Compares the problems `numbers` of an op."""
    import convoy
    import cross_check_problems as problems
    import numpy as np
    import torch

    torch.set_num_threads(1)
    found = Found()
    for number in numbers:
        problem = problems.draw_problem(op, seed, number)
        found.problems[problem.kind] += 1
        try:
            function = convoy.Module.parse(problem.text).compile()
            generator = np.random.default_rng((seed, number))
            faults = [
                compare(problem, function, is_exact, generator, found)
                for is_exact in (True, False)
            ]
        except convoy.Error as error:
            faults = [f"refused: {error}"]
        if fault := "; ".join(filter(None, faults)):
            found.faults.append(f"{op}, problem {number}: {fault}\n{problem.text}")
    return found


def run_op(op, options, pool):
    """Compares all problems of an op, and prints what was found."""
    started = time.monotonic()
    whole, done = range(options.first, options.first + options.count), 0
    chunks = [whole[start : start + CHUNK] for start in range(0, len(whole), CHUNK)]
    found = Found()
    for chunk, one in zip(chunks, pool.map(run_chunk, [op] * len(chunks), [options.seed] * len(chunks), chunks)):
        for fault in one.faults[: max(0, MOST_PRINTED - len(found.faults))]:
            print(fault, flush=True)
        found.add(one)
        done += len(chunk)
        if sys.stderr.isatty():
            print(f"\r{op}: {done} of {len(whole)}", end="\r", file=sys.stderr, flush=True)
    for kind, count in sorted(found.problems.items()):
        text = f"{kind}: {count} problems"
        if deviations := found.deviations[kind]:
            text += f", PyTorch's out of bounds on {deviations}, worst error/bound {found.worst[kind]:.3g}"
        print(text)
    seconds = time.monotonic() - started
    print(f"{op}: {done} problems, {len(found.faults)} faults, {seconds:.0f} s", flush=True)
    return found


def parse():
    parser = argparse.ArgumentParser(prog="cross-check", usage=argparse.SUPPRESS, add_help=False)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--op", default=",".join(OPS))
    parser.add_argument("--check-options", action="store_true")
    parser.error = fail
    options = parser.parse_args()
    options.op = options.op.split(",")
    for name, least in (("count", 1), ("seed", 0), ("first", 0), ("jobs", 1)):
        if getattr(options, name) < least:
            fail(f"expected --{name} of at least {least}, but got {getattr(options, name)}")
    for op in options.op:
        if op not in OPS:
            fail(f"expected one of the ops {', '.join(OPS)}, but got '{op}'")
    return options


def fail(message):
    print(f"cross-check: {message}", file=sys.stderr)
    sys.exit(1)


def main():
    options = parse()
    if options.check_options:
        return 0
    total = Found()
    # PyTorch's threads do not survive a fork.
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(options.jobs, mp_context=context) as pool:
        for op in options.op:
            total.add(run_op(op, options, pool))
    print(
        f"{total.problems.total()} problems of {len(options.op)} ops, seed {options.seed}: "
        f"{len(total.faults)} faults; PyTorch's out of bounds on {total.deviations.total()}"
    )
    return 2 if total.faults else 0


if __name__ == "__main__":
    sys.exit(main())
