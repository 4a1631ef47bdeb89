"""The program convoy-run-onnx."""

import argparse
from collections.abc import Sequence

import convoy.onnx
from convoy._checks import split_target
from convoy._native import Error
from convoy.onnx._tool import Parser, fail, parse_shapes, read_inputs, split_names
from convoy.onnx._values import show_values, write_values

_PROGRAM = "convoy-run-onnx"


def _make_parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog=_PROGRAM,
        description="Compiles a model of ONNX, runs it, and says what its outputs are like, or "
        "values in its middle (docs/Onnx.md). Exit codes: 0 fine, 1 bad input, 3 no such device.",
    )
    parser.add_model()
    parser.add_argument(
        "--target",
        default="cpu",
        metavar="NAME",
        help="what it is compiled for, as in cpu (the default), cpu:haswell or vulkan",
    )
    parser.add_algorithm()
    parser.add_data()
    parser.add_trace()
    return parser


def _run(options: argparse.Namespace) -> None:
    """Does what the command line asks for."""
    given = read_inputs(options.input)
    model = convoy.onnx.load(options.model, shapes=parse_shapes(options.shape, given))
    target, cpu = split_target(options.target)
    session = model.compile(
        target=target,
        cpu=cpu,
        threads=options.threads,
        algorithm=options.algorithm or "direct",
    )
    inputs = model.generate(options.seed) if given is None else given
    names = split_names(options.trace)
    values = session.trace(inputs, names) if names else session.run(inputs)
    if options.trace_dir:
        write_values(values, options.trace_dir)
    print("\n".join([f"ran  {options.target} {options.model}", *show_values(values)]))


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the program; returns what it exits with."""
    options = _make_parser().parse_args(arguments)
    try:
        _run(options)
    except Error as error:
        return fail(_PROGRAM, error)
    return 0
