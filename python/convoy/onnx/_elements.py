"""Ops that compute each element of an activation by itself, in one linalg.generic."""

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
import onnx

from convoy._arrays import Array
from convoy._body import Body, Read, round_to, write_generic
from convoy.onnx import _elementwise
from convoy.onnx._anchor import ELEMENTS
from convoy.onnx._graph import Quantization

if TYPE_CHECKING:
    from convoy.onnx._emit import Emitter

_DTYPES = {element: np.dtype(name) for name, element in ELEMENTS.items()}


class Elements:
    """The elements of one activation, which nodes compute one after the other."""

    def __init__(
        self, emitter: "Emitter", shape: tuple[int, ...], channel: str, order: str, name: str
    ) -> None:
        self._emitter = emitter
        # In ONNX's order.
        self._whole = shape
        self._channel = channel
        #: What operands are called, with their number.
        self._name = name
        self.letters = emitter.get_letters(order, channel)
        self.sizes = emitter.get_sizes(shape, channel)
        self.shape = tuple(self.sizes[x] for x in self.letters)
        self.reads: list[Read] = []
        self.body = Body(emitter.anchor.element)
        #: The values that are known, by name, in the body.
        self.names: dict[str, str] = {}

    @property
    def channel_letters(self) -> str:
        """The dimensions of what is one for each channel."""
        return "".join(x for x in self.letters if x in ("g", self._channel))

    @property
    def channel_sizes(self) -> tuple[int, ...]:
        """The sizes of these."""
        return tuple(self.sizes[x] for x in self.channel_letters)

    def compute(self, nodes: Iterable[onnx.NodeProto]) -> None:
        """Adds what nodes compute to the body."""
        graph = self._emitter.graph
        for node in nodes:
            operands = _elementwise.get_operands(node, graph) or []
            values = [self._read_value(value) for value in operands]
            values += self._read_constants(node)
            self.names[node.output[0]] = _elementwise.write(self.body, node, graph, values)

    def _read_constants(self, node: onnx.NodeProto) -> list[str]:
        """What a node computes with besides its operands, in the body."""
        graph = self._emitter.graph
        if node.op_type == "BatchNormalization":
            changes = _elementwise.get_normalization(node, graph) or ()
            dtype = _DTYPES[self.body.element]
            return [self.read_channels(round_to(one, dtype)) for one in changes]
        if node.op_type == "QuantizeLinear":
            quantization = _elementwise.get_quantization(node, graph)
            assert quantization is not None
            return [self.read_channels(quantization.scale), self._read_zero(quantization)]
        return []

    def _read_zero(self, quantization: Quantization) -> str:
        """A zero point as a number in the body; empty where all are zero."""
        zero = quantization.zero
        if not zero.any():
            return ""
        if (zero == zero[0]).all():
            return self.body.constant(float(zero[0]))
        return self.read_channels(zero.astype(np.float32))

    def _read_value(self, value: str) -> str:
        """An element of `value` in the body, which is an operand where it must be."""
        if value in self.names:
            return self.names[value]
        graph = self._emitter.graph
        if known := self._emitter.group.dequantized.get(value):
            number = self.body.to_number(self._read_value(known.value), known.quantization.dtype)
            zero = self._read_zero(known.quantization)
            if zero:
                number = self.body.op("arith.subf", number, zero)
            scale = self.read_channels(known.quantization.scale)
            self.names[value] = self.body.op("arith.mulf", number, scale)
            return self.names[value]
        constant = graph.get_constant(value)
        if constant is not None and constant.size == 1:
            return self.body.constant(float(constant.reshape(())))
        letters = self._get_kept_letters(value)
        self.names[value] = self.read_operand(value if constant is None else constant, letters)
        return self.names[value]

    def read_operand(self, value: str | Array, letters: str) -> str:
        """An element of an operand in the body."""
        sizes = tuple(self.sizes[x] for x in letters)
        name = f"{self._name}{len(self.reads)}"
        return self.read(self._emitter.add_operand(name, value, sizes, letters))

    def read(self, operand: Read) -> str:
        """An element of what is read next, in the body."""
        self.reads.append(operand)
        return f"%a{len(self.reads) - 1}"

    def read_channels(self, value: str | Array) -> str:
        """An element of what is one for each channel, or one for all."""
        graph = self._emitter.graph
        shape = graph.get_shape(value) if isinstance(value, str) else value.shape
        is_one = math.prod(shape or ()) == 1
        return self.read_operand(value, "" if is_one else self.channel_letters)

    def _get_kept_letters(self, value: str) -> str:
        """The dimensions in which a value is not broadcast, in the order in which they
        lie."""
        shape = self._emitter.graph.get_shape(value) or ()
        shape = (1,) * (len(self._whole) - len(shape)) + shape
        kept: set[str] = set()
        for axis, letter in enumerate(f"n{self._channel}{self._emitter.anchor.letters}"):
            if shape[axis] != 1:
                kept.update(("g", letter) if axis == 1 else (letter,))
        letters = self._emitter.get_letters(self._emitter.get_order(value), self._channel)
        return "".join(x for x in letters if x in kept)

    def emit(self, name: str, value: str, empty: str, type: str, element: str) -> list[str]:
        """The op, with the element `value` of the body as its result `name`."""
        lines = [*self.body.lines, f"linalg.yield {value} : {element}"]
        return write_generic(name, self.reads, self.letters, lines, f"{empty} : {type}", element)
