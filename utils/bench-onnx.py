#!/usr/bin/env python3
"""Times networks of ONNX by convoy.onnx and by ONNX Runtime, in turns.

Prints a row of a table for each model: the shortest time of both in milliseconds, how
many times as fast as ONNX Runtime ours is, and where our time goes: to kernels, to the
parts that are left to ONNX Runtime, and to what is between them. Inputs are from a
normal distribution.
"""

import argparse
import pathlib
import time

import numpy as np
import onnxruntime

import convoy.onnx
from convoy.onnx._plan import Kernel


# Runs of one side before it is the other's turn. Threads of both wait for a fifth of a
# second for more to do, each on a core that the other side's then lack.
BLOCK, REST = 5, 0.4


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "models", nargs="+", metavar="MODEL[,INPUT=SIZES]", help="as in net.onnx,x=1x3x48x192"
    )
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--algorithm", default="direct", help="as for convoy.onnx.compile")
    parser.add_argument("--turns", type=int, default=30)
    return parser.parse_args()


def read_model(text):
    """A file, and the shapes that are given for its inputs."""
    path, *given = text.split(",")
    pairs = [one.partition("=") for one in given]
    return path, {name: tuple(map(int, sizes.split("x"))) for name, _, sizes in pairs}


def start_runtime(path, threads):
    """The whole model in ONNX Runtime, with all of its optimizations."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return lambda inputs: session.run(None, inputs)


def take_time(run, *arguments):
    started = time.perf_counter()
    run(*arguments)
    return time.perf_counter() - started


def split_time(session, inputs, turns):
    """The seconds that kernels take in a run, and those of parts for ONNX Runtime: the
    sum of the shortest time of each."""
    shortest = {}

    def wrap(number, run):
        def timed(values):
            started = time.perf_counter()
            result = run(values)
            seconds = time.perf_counter() - started
            shortest[number] = min(seconds, shortest.get(number, seconds))
            return result

        return timed

    for number, step in enumerate(session.steps):
        step.run = wrap(number, step.run)
    for _ in range(turns):
        session.run(inputs)
    sums = [0.0, 0.0]
    for number, step in enumerate(session.plan.steps):
        sums[not isinstance(step, Kernel)] += shortest[number]
    return sums


def measure(text, options):
    path, shapes = read_model(text)
    model = convoy.onnx.load(path, shapes=shapes)
    session = model.compile(threads=options.threads, algorithm=options.algorithm)
    generator = np.random.default_rng(0)
    inputs = {
        name: generator.standard_normal(shape).astype(np.float32)
        for name, shape in model.inputs.items()
    }
    runs = {"ours": session.run, "runtime": start_runtime(path, options.threads)}
    for run in runs.values():
        run(inputs)
    best = dict.fromkeys(runs, float("inf"))
    for _ in range(-(-options.turns // BLOCK)):
        for name, run in runs.items():
            time.sleep(REST if options.threads > 1 else 0)
            times = [take_time(run, inputs) for _ in range(BLOCK)]
            best[name] = min(best[name], *times)
    kernels, parts = split_time(session, inputs, options.turns)
    ours, runtime = best["ours"], best["runtime"]
    cells = [ours, runtime, runtime / ours / 1e3, kernels, parts, max(ours - kernels - parts, 0)]
    numbers = " | ".join(f"{1e3 * one:.2f}" for one in cells)
    print(f"| {pathlib.Path(path).stem} | {options.threads} | {numbers} |", flush=True)


def main():
    options = parse()
    print("| network | threads | ours, ms | ONNX Runtime, ms | times as fast | kernels | left to it | between |")
    print("|---|---|---|---|---|---|---|---|")
    for text in options.models:
        measure(text, options)


if __name__ == "__main__":
    main()
