#!/usr/bin/env python3
"""Times networks of ONNX by convoy.onnx and by ONNX Runtime, in turns.

Prints a row of a table for each model: the shortest time of both in milliseconds, how
many times as fast as ONNX Runtime ours is, and where our time goes: to kernels, to the
parts that are left to ONNX Runtime, and to what is between them; then the same three
numbers of the convolutions alone, the sums of the shortest times of each, which for
ONNX Runtime are those of its profile. Inputs are from a normal distribution.
"""

import argparse
import json
import pathlib
import tempfile
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


#: What ONNX Runtime calls convolutions, with what it fuses with them.
CONVOLUTIONS = {"Conv", "ConvTranspose", "FusedConv", "ConvInteger", "QLinearConv"}


def time_convolutions(path, threads, inputs, turns):
    """The sum of the shortest times of ONNX Runtime's convolutions, in seconds."""
    with tempfile.TemporaryDirectory() as folder:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        options.enable_profiling = True
        options.profile_file_prefix = f"{folder}/profile"
        session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        for _ in range(turns):
            session.run(None, inputs)
        events = json.loads(pathlib.Path(session.end_profiling()).read_text())
    shortest = {}
    for event in events:
        operator = event.get("args", {}).get("op_name")
        if operator in CONVOLUTIONS and event["name"].endswith("_kernel_time"):
            node = event["name"]
            shortest[node] = min(event["dur"], shortest.get(node, event["dur"]))
    return 1e-6 * sum(shortest.values())


def take_time(run, *arguments):
    started = time.perf_counter()
    run(*arguments)
    return time.perf_counter() - started


def split_time(session, inputs, turns):
    """The seconds that kernels take in a run, those of parts for ONNX Runtime, and those
    of kernels with a convolution: the sums of the shortest time of each."""
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
    sums = [0.0, 0.0, 0.0]
    for number, step in enumerate(session.plan.steps):
        sums[not isinstance(step, Kernel)] += shortest[number]
        if isinstance(step, Kernel) and CONVOLUTIONS.intersection(step.ops):
            sums[2] += shortest[number]
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
    kernels, parts, convolutions = split_time(session, inputs, options.turns)
    theirs = time_convolutions(path, options.threads, inputs, options.turns)
    ours, runtime = best["ours"], best["runtime"]
    cells = [ours, runtime, runtime / ours / 1e3, kernels, parts, max(ours - kernels - parts, 0)]
    cells += [convolutions, theirs, theirs / convolutions / 1e3]
    numbers = " | ".join(f"{1e3 * one:.2f}" for one in cells)
    print(f"| {pathlib.Path(path).stem} | {options.threads} | {numbers} |", flush=True)


def main():
    options = parse()
    names = ["network", "threads", "ours, ms", "ONNX Runtime, ms", "times as fast", "kernels"]
    names += ["left to it", "between", "convolutions", "ONNX Runtime's", "times as fast"]
    print(f"| {' | '.join(names)} |\n{'|---' * len(names)}|")
    for text in options.models:
        measure(text, options)


if __name__ == "__main__":
    main()
