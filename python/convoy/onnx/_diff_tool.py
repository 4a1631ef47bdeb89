"""The program convoy-diff-onnx."""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from typing import Any

import convoy.onnx
from convoy._checks import get_reason
from convoy._diff_report import Diff
from convoy._native import Error
from convoy.onnx._tool import (
    WRONG_NUMBERS,
    Parser,
    fail,
    parse_shapes,
    read_inputs,
    split_names,
)
from convoy.onnx._values import ALL, show_values, write_values

_PROGRAM = "convoy-diff-onnx"


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
    parser.add_data()
    parser.add_trace()
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


def _write_traces(found: Diff, options: argparse.Namespace) -> None:
    for side, values in zip("ab", found.traces):
        if options.trace_dir:
            write_values(values, os.path.join(options.trace_dir, side))


def _show_traces(found: Diff) -> None:
    for side, label, values in zip("ab", found.sides, found.traces):
        if values:
            print("\n".join([f"{side}: {label}", *show_values(values)]))


def _compare(options: argparse.Namespace, words: Sequence[str]) -> bool:
    """Does what the command line asks for; returns whether all kernels are right."""
    a, b = _parse_targets(options.targets)
    inputs = read_inputs(options.input)
    found = convoy.onnx.diff(
        options.model,
        a,
        b,
        shapes=parse_shapes(options.shape, inputs),
        inputs=inputs,
        seed=options.seed,
        threads=options.threads,
        trace=split_names(options.trace or ([ALL] if options.trace_dir else [])),
    )
    _write_traces(found, options)
    if options.json:
        _write_json(found.to_json(), options.json)
    if options.json != "-":
        print(found)
        _show_traces(found)
    if options.report:
        found.save_html(options.report, command=[_PROGRAM, *words])
    return found.passed


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the program; returns what it exits with."""
    words = sys.argv[1:] if arguments is None else arguments
    options = _make_parser().parse_args(words)
    try:
        return 0 if _compare(options, words) else WRONG_NUMBERS
    except Error as error:
        return fail(_PROGRAM, error)
