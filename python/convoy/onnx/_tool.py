"""The program convoy-import-onnx."""

import argparse
import sys
from collections.abc import Sequence

from convoy._native import Error
from convoy.onnx._load import parse_shapes
from convoy.onnx._model import load

_PROGRAM = "convoy-import-onnx"


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:  # type: ignore[override]
        """One line, as all tools have."""
        self.exit(1, f"{_PROGRAM}: {message}\n")


def _make_parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog=_PROGRAM,
        description="Writes the convolutions of a model of ONNX, with what follows them, as "
        "functions of MLIR for convoy-run and convoy-compile, and prints what becomes of each "
        "node (docs/Onnx.md).",
    )
    parser.add_argument("model", metavar="MODEL.onnx")
    parser.add_argument("-o", dest="folder", metavar="DIR", help="where files go; else none are written")
    parser.add_argument(
        "--shape",
        action="append",
        default=[],
        metavar="NAME=1x3x640x640",
        help="sizes of an input that the model leaves free; may be given several times",
    )
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the program; returns what it exits with."""
    options = _make_parser().parse_args(arguments)
    try:
        model = load(options.model, shapes=parse_shapes(options.shape))
        if options.folder is not None:
            model.export(options.folder)
    except Error as error:
        print(f"{_PROGRAM}: {error}", file=sys.stderr)
        return 1
    print(model.plan)
    return 0
