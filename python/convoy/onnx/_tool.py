"""The program convoy-import-onnx."""

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

import convoy.onnx
from convoy._arrays import Array
from convoy._checks import LIBRARY_ENDS, get_reason
from convoy._native import DeviceError, Error

_PROGRAM = "convoy-import-onnx"

#: What all tools end with.
BAD_INPUT, WRONG_NUMBERS, NO_DEVICE = 1, 2, 3


class Parser(argparse.ArgumentParser):
    """Reads the command line of a tool for models."""

    def __init__(self, **words: Any) -> None:
        super().__init__(**words)
        which = convoy.__version__
        self.add_argument("--version", action="version", version=which, help="which Convoy it is")

    def error(self, message: str) -> None:  # type: ignore[override]
        """One line, as all tools have."""
        self.exit(1, f"{self.prog}: {message}\n")

    def add_model(self) -> None:
        """Adds what says which model is read."""
        self.add_argument("model", metavar="MODEL.onnx")
        self.add_argument(
            "--shape",
            action="append",
            default=[],
            metavar="NAME=1x3x640x640",
            help="sizes of an input that the model leaves free, once for each",
        )


    def add_data(self) -> None:
        """Adds what says on which numbers it runs, and in how many threads."""
        self.add_argument(
            "--input",
            action="append",
            default=[],
            metavar="NAME=FILE.npy",
            help="an input's numbers, which also say its sizes, for each of the inputs; else "
            "they are drawn",
        )
        self.add_argument(
            "--seed", metavar="N", type=int, default=0, help="of inputs that are drawn (0)"
        )
        self.add_argument(
            "--threads", metavar="N", type=int, default=1, help="that a kernel runs in (1)"
        )

    def add_algorithm(self) -> None:
        """Adds what says by which algorithm convolutions are computed."""
        self.add_argument(
            "--algorithm",
            metavar="direct|auto",
            help="auto lets Winograd's algorithm compute convolutions of which it is estimated "
            "to be faster, with larger errors (direct)",
        )

    def add_trace(self) -> None:
        """Adds what says which values are traced."""
        self.add_argument(
            "--trace",
            action="append",
            default=[],
            metavar="NAME,...",
            help="print what the values of these nodes, values or kernels are like; all: "
            "those that steps hand to others",
        )
        self.add_argument("--trace-dir", metavar="DIR", help="write them as files of NumPy")


def split_names(words: Iterable[str]) -> list[str]:
    """Names as the tool is told them, with commas between."""
    return [name for word in words for name in word.split(",")]


def fail(program: str, error: Error) -> int:
    """Says what is wrong; returns what the program exits with."""
    print(f"{program}: {error}", file=sys.stderr)
    return NO_DEVICE if isinstance(error, DeviceError) else BAD_INPUT


def _make_parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog=_PROGRAM,
        description="Writes the convolutions and samples of a model of ONNX, with what follows "
        "them, as functions of MLIR for convoy-run and convoy-compile, or compiled for other "
        "programs, and prints what becomes of each node (docs/Onnx.md).",
    )
    parser.add_model()
    parser.add_argument(
        "-o",
        dest="output",
        metavar="DIR|FILE.{o,a,so}",
        help="where files go, or the object or library with all kernels; else none are written",
    )
    parser.add_argument("--header", metavar="FILE", help="a header for C, with an object or library")
    parser.add_argument(
        "--manifest",
        metavar="FILE",
        help="a description for convoy.onnx.load_compiled, with an object or library; what is "
        "left to ONNX Runtime is put beside it",
    )
    parser.add_argument("--cpu", metavar="NAME", help="as in LLVM's -mcpu, or host (the default)")
    parser.add_argument(
        "--triple",
        metavar="TRIPLE",
        help="architecture and system as in LLVM's -mtriple, with a --cpu of it (this machine's), "
        "with an object or library",
    )
    parser.add_argument(
        "--threads", metavar="N", type=int, help="that a kernel runs in (1), with an object or library"
    )
    parser.add_algorithm()
    return parser


def parse_shapes(
    words: Iterable[str], inputs: Mapping[str, Array] | None = None
) -> dict[str, tuple[int, ...]]:
    """Shapes as the tool is told them, as in `x=1x3x640x640`, and those of `inputs`."""
    shapes: dict[str, tuple[int, ...]] = {}
    for word in words:
        name, _, text = word.rpartition("=")
        sizes = text.split("x")
        if not name or not all(size.isdecimal() for size in sizes):
            raise Error(f"expected a shape as in x=1x3x640x640 for '--shape', but got '{word}'")
        if name in shapes:
            raise Error(f"expected one shape for '{name}' for '--shape', but got two")
        shapes[name] = tuple(int(size) for size in sizes)
    return {name: array.shape for name, array in (inputs or {}).items()} | shapes


def read_inputs(words: Iterable[str]) -> dict[str, Array] | None:
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


def _write(model: "convoy.onnx.Model", options: argparse.Namespace) -> None:
    """Writes what the command line asks for."""
    output: str | None = options.output
    names = ("header", "manifest", "cpu", "triple", "threads", "algorithm")
    given = {name: value for name in names if (value := getattr(options, name)) is not None}
    if output is not None and output.endswith(LIBRARY_ENDS):
        model.save(output, **given)
        return
    for name in given:
        found = "none" if output is None else f"'{output}'"
        raise Error(f"expected a name that ends in .o, .a or .so for '-o' with '--{name}', but got {found}")
    if output is not None:
        model.export(output)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the program; returns what it exits with."""
    options = _make_parser().parse_args(arguments)
    try:
        model = convoy.onnx.load(options.model, shapes=parse_shapes(options.shape))
        _write(model, options)
    except Error as error:
        print(f"{_PROGRAM}: {error}", file=sys.stderr)
        return 1
    print(model.plan)
    return 0
