"""The program convoy-diff-onnx."""

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

import convoy.onnx
from convoy._arrays import Array
from convoy._checks import get_reason
from convoy._native import DeviceError, Error
from convoy.onnx._tool import Parser, parse_shapes

_PROGRAM = "convoy-diff-onnx"

# What all tools end with.
_BAD_INPUT, _WRONG_NUMBERS, _NO_DEVICE = 1, 2, 3


def _make_parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog=_PROGRAM,
        description="Runs a model of ONNX on two targets, kernel by kernel, and says where "
        "they part (docs/Onnx.md). Exit codes: 0 fine, 1 bad input, 2 a kernel outside its "
        "bound, 3 no such device.",
    )
    parser.add_model()
    parser.add_argument(
        "--targets",
        default="cpu,vulkan",
        metavar="A,B",
        help="the two sides, as in cpu,vulkan (the default), cpu:haswell,cpu or cpu,onnxruntime",
    )
    parser.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="NAME=FILE.npy",
        help="an input's numbers, for each of the inputs; else they are drawn",
    )
    parser.add_argument(
        "--seed", metavar="N", type=int, default=0, help="of inputs that are drawn (0)"
    )
    parser.add_argument(
        "--threads", metavar="N", type=int, default=1, help="that a kernel runs in (1)"
    )
    parser.add_argument(
        "--json",
        metavar="FILE|-",
        help="write the comparison as JSON; with - nothing else is printed",
    )
    parser.add_argument(
        "--report", metavar="FILE.html", help="write the comparison as a page for a browser"
    )
    return parser


def _parse_targets(text: str) -> tuple[str, str]:
    words = text.split(",")
    if len(words) != 2 or not all(words):
        raise Error(f"expected two targets for '--targets', but got '{text}'")
    return words[0], words[1]


def _read_inputs(words: Iterable[str]) -> dict[str, Array] | None:
    """The arrays of inputs as the tool is told them, as in `x=x.npy`; nothing where it
    is told none."""
    inputs: dict[str, Array] = {}
    for word in words:
        name, _, path = word.rpartition("=")
        if not name or not path:
            raise Error(f"expected an input as in x=x.npy for '--input', but got '{word}'")
        try:
            inputs[name] = np.load(path, allow_pickle=False)
        except (OSError, ValueError, EOFError) as error:
            raise Error(f"cannot read '{path}': {get_reason(error)}") from None
    return inputs or None


def _write_json(document: dict[str, Any], path: str) -> None:
    text = json.dumps(document, indent=2) + "\n"
    if path == "-":
        sys.stdout.write(text)
        return
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise Error(f"cannot write '{path}': {get_reason(error)}") from None


def _compare(options: argparse.Namespace, words: Sequence[str]) -> bool:
    """Does what the command line asks for; returns whether all kernels are right."""
    a, b = _parse_targets(options.targets)
    found = convoy.onnx.diff(
        options.model,
        a,
        b,
        shapes=parse_shapes(options.shape),
        inputs=_read_inputs(options.input),
        seed=options.seed,
        threads=options.threads,
    )
    if options.json:
        _write_json(found.to_json(), options.json)
    if options.json != "-":
        print(found)
    if options.report:
        found.save_html(options.report, command=[_PROGRAM, *words])
    return found.passed


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the program; returns what it exits with."""
    words = sys.argv[1:] if arguments is None else arguments
    options = _make_parser().parse_args(words)
    try:
        return 0 if _compare(options, words) else _WRONG_NUMBERS
    except Error as error:
        print(f"{_PROGRAM}: {error}", file=sys.stderr)
        return _NO_DEVICE if isinstance(error, DeviceError) else _BAD_INPUT
