#!/usr/bin/env python3
"""Times torchvision's networks by PyTorch alone and by backends of torch.compile, in
turns: inference, and a step of training.

Prints the shortest time of each in milliseconds, and how many times as fast as without
a backend (eager) that is. Needs torchvision and, for inductor, a C++ compiler.
"""

import argparse
import copy
import time

import torch
import torchvision

import convoy.torch  # noqa: F401, which makes the backend known


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("networks", nargs="*", default=["resnet18", "mobilenet_v2"])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--size", type=int, default=224)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--backends", default="convoy,inductor")
    parser.add_argument("--channels-last", action="store_true")
    return parser.parse_args()


def compile(model, backend):
    return model if backend == "eager" else torch.compile(model, backend=backend)


def make_runs(base, images, backend):
    """What is timed, after a first run: by name."""
    evaluated = compile(copy.deepcopy(base).eval(), backend)
    model = copy.deepcopy(base)
    trained = compile(model, backend)

    def infer():
        with torch.no_grad():
            evaluated(images)

    def train():
        model.zero_grad()
        trained(images).square().mean().backward()

    runs = {"inference": infer, "training": train}
    for run in runs.values():
        run()
    return runs


def time_in_turns(runs, seconds):
    """The shortest time of each function, with at least five turns."""
    best = dict.fromkeys(runs, float("inf"))
    end = time.perf_counter() + seconds
    turns = 0
    while turns < 5 or time.perf_counter() < end:
        turns += 1
        for name, run in runs.items():
            start = time.perf_counter()
            run()
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def main():
    options = parse()
    torch.set_num_threads(options.threads)
    format = torch.channels_last if options.channels_last else torch.contiguous_format
    backends = ["eager", *options.backends.split(",")]
    for network in options.networks:
        torch.manual_seed(0)
        base = getattr(torchvision.models, network)(weights=None).to(memory_format=format)
        images = torch.randn(options.batch, 3, options.size, options.size).to(memory_format=format)
        runs = {backend: make_runs(base, images, backend) for backend in backends}
        for kind in ("inference", "training"):
            best = time_in_turns({name: run[kind] for name, run in runs.items()}, options.seconds)
            times = [
                f"{name} {1e3 * one:.1f} ms, {best['eager'] / one:.2f}" for name, one in best.items()
            ]
            print(f"{network} {kind}: {'; '.join(times)}", flush=True)


if __name__ == "__main__":
    main()
