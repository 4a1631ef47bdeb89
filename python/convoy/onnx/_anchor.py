"""What kernels begin with: a node that others can be computed with."""

import dataclasses
import math
from collections.abc import Collection

import onnx

from convoy._window import SPATIAL
from convoy.onnx._integers import Integers

#: Types of elements that kernels are made for.
ELEMENTS = {"float16": "f16", "float32": "f32", "float64": "f64"}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Anchor:
    """A node whose result is an activation, and which begins a kernel."""

    node: onnx.NodeProto
    #: Of the numbers that follow it.
    element: str
    #: In ONNX's order: batch, channels, spatial.
    input_shape: tuple[int, ...]
    result_shape: tuple[int, ...]
    groups: int = 1
    #: Numbers of nodes behind `node` that it is computed with in any case.
    rest: tuple[int, ...] = ()

    @property
    def output(self) -> str:
        """The value that `node`, with the `rest`, makes."""
        return str(self.node.output[0])

    @property
    def images(self) -> Collection[str]:
        """The values in which it may find channels last, if they have as many dimensions
        as the result."""
        return () if self.node.input[0] in self.node.input[1:] else self.node.input[:1]

    @property
    def integers(self) -> Integers | None:
        """What it is besides where it computes integers."""
        return None

    @property
    def letters(self) -> str:
        """Its spatial dimensions."""
        return SPATIAL[len(self.result_shape) - 2]

    @property
    def work(self) -> int:
        """What it takes, in about as many multiply-adds: an element of the result takes
        the time of 16 to be read and written."""
        return 16 * math.prod(self.result_shape)

    @property
    def channels(self) -> int:
        """Channels of the result, all groups together."""
        return self.result_shape[1]


class Refusal(Exception):
    """Why a node that could begin a kernel is left to ONNX Runtime."""


#: The reason of nodes that make no sense.
UNFIT = "its operands and attributes do not fit each other"
