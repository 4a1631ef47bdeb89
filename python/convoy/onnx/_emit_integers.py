"""Writes convolutions of integers as functions of MLIR."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from convoy._arrays import Array
from convoy._body import Read, write_generic
from convoy._window import Window
from convoy.onnx._emit import ConvolutionEmitter
from convoy.onnx._fuse import ConvolutionGroup
from convoy.onnx._graph import Graph
from convoy.onnx._integers import Integers, subtract_zeros

_I32 = np.dtype(np.int32)


def _extend(value: str, dtype: np.dtype[Any], name: str, element: str) -> str:
    """The op that makes `name` of the byte `value`."""
    op = "arith.extui" if dtype.kind == "u" else "arith.extsi"
    return f"{name} = {op} {value} : i8 to {element}"


class IntegerEmitter(ConvolutionEmitter):
    """Writes the function of one group that convolves integers.

    Where the filter is known its zero points are subtracted from it, once, and that
    of the input is a summand for each channel, with padding that holds it: sums of
    (x - zx) * w are sums of x * w, less zx times the sum of w. Elsewhere the
    convolution subtracts both from each element.
    """

    def __init__(
        self, graph: Graph, group: ConvolutionGroup, orders: Mapping[str, str]
    ) -> None:
        super().__init__(graph, group, orders)
        assert group.convolution.integers
        self._integers: Integers = group.convolution.integers
        self._sums = self._get_type(self._elements.shape, self._sums_element)
        self._filter_zero = self._integers.filter_zero
        self._input_zero = ""
        if not isinstance(group.filter, str) and not isinstance(self._filter_zero, str):
            axis = 1 if group.convolution.is_transposed else 0
            self._filter = subtract_zeros(group.filter, self._filter_zero, axis)
            self._filter_zero = np.zeros(1, np.int64)

    @property
    def _sums_element(self) -> str:
        return "i32"

    @property
    def _is_input_zero(self) -> bool:
        """Whether the input's zero point is known to be zero."""
        return self._integers.input_zero == 0

    @property
    def _is_split(self) -> bool:
        """Whether the input's zero point is a summand for each channel: not for a
        gradient, whose sums have another part of the filter at each place."""
        is_read = isinstance(self._filter, str) or isinstance(self._filter_zero, str)
        return not is_read and not self.convolution.is_transposed

    def _get_input_byte(self) -> str:
        """The input's zero point as it is stored."""
        if self._input_zero:
            return self._input_zero
        zero = self._integers.input_zero
        self._input_zero = "%input_byte"
        if isinstance(zero, str):
            operand = self.add_operand("input_zero", zero, ())
            self._lines.append(f"%input_byte = tensor.extract {operand.name}[] : tensor<i8>")
        else:
            byte = (zero + 128) % 256 - 128
            self._lines.append(f"%input_byte = arith.constant {byte} : i8")
        return self._input_zero

    @property
    def _input_type(self) -> np.dtype[Any]:
        return self.graph.types[self.convolution.sources.input].dtype

    def _extend_input_zero(self) -> str:
        byte = self._get_input_byte()
        self._lines.append(_extend(byte, self._input_type, "%zero_of_input", "i32"))
        return "%zero_of_input"

    def _emit_init(self) -> str:
        bias, zero = self._bias, self._integers.input_zero
        if not self._is_split or self._is_input_zero:
            return self._emit_start(bias, None)
        assert not isinstance(self._filter, str)
        axes = tuple(range(1, self._filter.ndim))
        changes = -self._filter.astype(np.int64).sum(axis=axes)
        if not isinstance(zero, str):
            changes *= zero
            if not isinstance(bias, str):
                start = changes if bias is None else bias + changes
                return self._emit_start(start.astype(np.int32), None)  # which wraps around
        return self._emit_start(bias, changes.astype(np.int32))

    def _emit_start(self, bias: str | Array | None, changes: Array | None) -> str:
        """Adds a bias, plus changes: times the input's zero point, where that is not
        known before."""
        letters, sizes = self._elements.channel_letters, self._elements.channel_sizes
        reads = []
        if bias is not None:
            reads.append(self.add_operand("bias", bias, sizes, letters))
        if changes is None:
            return self._emit_broadcast(reads[0]) if reads else self._emit_zeros("0", "i32")
        change = f"%a{len(reads)}"
        reads.append(self.add_operand("changes", changes, sizes, letters))
        lines = []
        if isinstance(self._integers.input_zero, str):
            lines.append(f"%product = arith.muli {change}, {self._extend_input_zero()} : i32")
            change = "%product"
        if bias is not None:
            lines.append(f"%start = arith.addi %a0, {change} : i32")
            change = "%start"
        return self._emit_broadcast(self._emit_elements("starts", reads, sizes, lines, change))

    def _emit_elements(
        self, name: str, reads: list[Read], shape: tuple[int, ...], lines: list[str], result: str
    ) -> Read:
        """Adds what `lines` compute of each element of the first operand, and of what
        the others have in its place."""
        letters, (_, _, element) = reads[0].letters, lines[-1].rpartition(" ")
        type = self._get_type(shape, element)
        body = [*lines, f"linalg.yield {result} : {element}"]
        self._lines.append(f"%{name}_empty = tensor.empty() : {type}")
        self._lines += write_generic(
            f"%{name}", reads, letters, body, f"%{name}_empty : {type}", element
        )
        return Read(f"%{name}", type, element, letters)

    def _emit_input(self, input: Read, sizes: dict[str, int]) -> tuple[Read, Window]:
        window = self.convolution.window
        added = [(max(low, 0), max(high, 0)) for low, high in window.pads]
        is_padded = any(map(sum, added))
        if not self._is_split or self._is_input_zero or not is_padded:
            return input, window
        ends = dict(zip(self.convolution.letters, added))
        read = self._emit_pad(input, sizes, ends, "", self._get_input_byte())
        cut = tuple((min(low, 0), min(high, 0)) for low, high in window.pads)
        return read, Window(window.strides, window.dilations, cut)

    def _emit_numerics(self) -> tuple[str, str]:
        sources, input = self.convolution.sources, self._input_type
        if isinstance(self._filter, str):
            taps = self.graph.types[sources.filter].dtype
        else:
            taps = self._filter.dtype
        zeros = ""
        if not self._is_split:
            zeros = self._emit_zero_points(taps)
        both = {"input": input, "filter": taps}
        words = [f"{name} = unsigned" for name, dtype in both.items() if dtype.kind == "u"]
        return f" numerics({', '.join(words)})" if words else "", zeros

    def _emit_zero_points(self, taps: np.dtype[Any]) -> str:
        """The op's words for the zero points that it subtracts itself: of the filter
        one, or one for each channel."""
        zero = self._filter_zero
        if isinstance(zero, str):
            is_one = math.prod(self.graph.get_shape(zero) or ()) == 1
        else:
            is_one = zero.size == 1
            if self._is_input_zero and not zero.any():
                return ""
        if not is_one:
            self.packs = False
            zeros = self._extend_filter_zeros(taps)
            words = f"{self._extend_input_zero()}, {zeros.name} : i32, {zeros.type}"
            return f" zero_points({words})"
        if isinstance(zero, str):
            operand = self.add_operand("filter_zero", zero, ())
            self._lines.append(f"%filter_byte = tensor.extract {operand.name}[] : tensor<i8>")
            self._lines.append(_extend("%filter_byte", taps, "%zero_of_filter", "i32"))
        else:
            self._lines.append(f"%zero_of_filter = arith.constant {int(zero[0])} : i32")
        words = f"{self._extend_input_zero()}, %zero_of_filter : i32, i32"
        return f" zero_points({words})"

    def _extend_filter_zeros(self, taps: np.dtype[Any]) -> Read:
        """The filter's zero points, one for each channel."""
        shape = (math.prod(self._elements.channel_sizes),)
        zeros = self.add_operand("filter_zero", self._filter_zero, shape, "f")
        lines = [_extend("%a0", taps, "%wide_zero", "i32")]
        return self._emit_elements("filter_zeros", [zeros], shape, lines, "%wide_zero")

    def _start_sum(self) -> str:
        """A sum in the body, as the convolution has it."""
        return "%a0"

    def _start_number(self) -> str:
        """The same as a number."""
        return self._elements.body.to_number("%a0", _I32)

    def _start_body(self) -> str:
        integers, body = self._integers, self._elements.body
        if not integers.factors:
            return self._start_sum()
        number = self._start_number()
        scale, *others = [self._elements.read_channels(one) for one in integers.factors]
        for other in others:
            scale = body.op("arith.mulf", scale, other)
        if integers.divisor is not None:
            scale = body.op("arith.divf", scale, self._elements.read_channels(integers.divisor))
        number = body.op("arith.mulf", number, scale)
        if integers.summand is not None:
            number = body.op("arith.addf", number, self._elements.read_channels(integers.summand))
        if integers.output_zero is None:
            return number
        dtype = self.graph.types[self.group.start].dtype
        zero = ""
        if isinstance(integers.output_zero, str):
            zero = body.to_number(self._elements.read_channels(integers.output_zero), dtype)
        elif integers.output_zero:
            zero = body.constant(integers.output_zero)
        return body.round_to_integer(number, zero, dtype)


class FloatEmitter(IntegerEmitter):
    """Writes the same with sums of f32, which are exact: integers up to 2**24 are
    numbers of f32. Kernels for CPUs multiply these faster than integers."""

    def __init__(
        self, graph: Graph, group: ConvolutionGroup, orders: Mapping[str, str]
    ) -> None:
        super().__init__(graph, group, orders)
        assert not isinstance(self._filter, str)
        self._filter = self._filter.astype(np.float32)

    @property
    def _sums_element(self) -> str:
        return "f32"

    def _emit_init(self) -> str:
        bias = self._bias
        if bias is None:
            return self._emit_zeros("0.0", "f32")
        assert not isinstance(bias, str)
        return self._emit_start(bias.astype(np.float32), None)

    def _emit_input(self, input: Read, sizes: dict[str, int]) -> tuple[Read, Window]:
        op = f"arith.{'u' if self._input_type.kind == 'u' else 's'}itofp"
        lines, number = [f"%number = {op} %a0 : i8 to f32"], "%number"
        if not self._is_input_zero:
            byte = self._get_input_byte()
            self._lines.append(f"%zero_of_input = {op} {byte} : i8 to f32")
            lines.append("%change = arith.subf %number, %zero_of_input : f32")
            number = "%change"
        shape = tuple(sizes[x] for x in input.letters)
        return self._emit_elements("numbers", [input], shape, lines, number), self.convolution.window

    def _emit_numerics(self) -> tuple[str, str]:
        return "", ""

    def _start_sum(self) -> str:
        return self._elements.body.to_integer("%a0", _I32)

    def _start_number(self) -> str:
        return "%a0"
