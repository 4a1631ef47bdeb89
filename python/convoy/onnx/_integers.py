"""Convolutions of integers: ConvInteger, QLinearConv, and those of dequantized values."""

import dataclasses
from collections.abc import Iterator, Sequence

import numpy as np
import onnx

from convoy._arrays import Array
from convoy.onnx._graph import DOMAINS, Graph, get_attributes

#: Types of the integers that are multiplied.
BYTES = ("int8", "uint8")

# A bias counts in units of the sums as far as rounded products of scales tell.
_SCALE_ERROR = 1e-6


@dataclasses.dataclass(frozen=True)
class Integers:
    """What a convolution of integers is besides its window: sums of products
    (input - input_zero) * (filter - filter_zero) in i32, and what becomes of them.

    Where a number is not known, it is the name of a value of the graph.
    """

    input_zero: int | str
    #: One for all, or one for each channel of the result, as are the others.
    filter_zero: Array | str
    #: In f32: a sum is multiplied with the product of these, divided by the divisor.
    factors: tuple[Array | str, ...] = ()
    divisor: Array | str | None = None
    #: What is added then.
    summand: Array | None = None
    #: Of the integers that the result is rounded to, where it is.
    output_zero: int | str | None = None


@dataclasses.dataclass(frozen=True)
class Sources:
    """The values that a convolution reads; of integers, where it is one of these."""

    input: str
    filter: str
    bias: str = ""
    integers: Integers | None = None


def _get_input(node: onnx.NodeProto, position: int) -> str:
    return node.input[position] if len(node.input) > position else ""


def _read_number(name: str, graph: Graph) -> int | str:
    """A zero point, which is 0 where a node has none."""
    constant = graph.get_constant(name)
    if constant is None or constant.size != 1:
        return name or 0
    return int(constant.reshape(()))


def _read_numbers(name: str, graph: Graph) -> Array | str:
    """Zero points or scales, in their type."""
    constant = graph.get_constant(name)
    if constant is None:
        return name or np.zeros(1, np.int64)
    return constant.reshape(-1)


def read_integer_sources(node: onnx.NodeProto, graph: Graph) -> Sources:
    """What a ConvInteger or a QLinearConv reads."""
    if node.op_type == "ConvInteger":
        zero = _read_number(_get_input(node, 2), graph)
        zeros = _read_numbers(_get_input(node, 3), graph)
        return Sources(node.input[0], node.input[1], integers=Integers(zero, zeros))
    scales = [_read_numbers(node.input[number], graph) for number in (1, 4, 6)]
    known = [one.astype(np.float32) for one in scales if not isinstance(one, str)]
    factors: tuple[Array | str, ...] = tuple(scales[:2])
    divisor: Array | str | None = scales[2]
    if len(known) == 3:
        with np.errstate(all="ignore"):  # as ONNX Runtime rounds it
            factors, divisor = (known[0] * known[1] / known[2],), None
    integers = Integers(
        _read_number(node.input[2], graph),
        _read_numbers(node.input[5], graph),
        factors,
        divisor,
        output_zero=_read_number(node.input[7], graph),
    )
    return Sources(node.input[0], node.input[3], _get_input(node, 8), integers)


def subtract_zeros(filter: Array, zeros: Array, axis: int) -> Array:
    """`filter`, whose result's channels lie along `axis`, less its zero points; in
    as few bits as hold that."""
    shape = [1] * filter.ndim
    shape[axis] = -1
    changed = filter.astype(np.int16) - zeros.astype(np.int16).reshape(shape)
    for dtype in (np.int8, np.uint8):
        limits = np.iinfo(dtype)
        if limits.min <= changed.min() and changed.max() <= limits.max:
            return changed.astype(dtype)
    return changed


def get_largest_sum(
    filter: Array, zeros: Array, is_transposed: bool, ends: Sequence[int], bias: Array | None
) -> int:
    """What no sum of products can be larger than, nor any part of it, of inputs from
    one of `ends` to the other, less their zero point, and a filter less its own."""
    axis = 1 if is_transposed else 0
    taps = subtract_zeros(filter, zeros, axis)
    others = tuple(n for n in range(filter.ndim) if n != axis)
    above = np.maximum(taps, 0).sum(axis=others, dtype=np.int64)
    below = above - taps.sum(axis=others, dtype=np.int64)
    high, low = max(*ends, 0), -min(*ends, 0)
    most = int(np.maximum(above * high + below * low, above * low + below * high).max(initial=0))
    start = 0 if bias is None else int(np.abs(bias.astype(np.int64)).max(initial=0))
    return most + start


def _read_bias(name: str, factor: Array, graph: Graph) -> tuple[str, Array | None] | None:
    """A bias of integers that count in units of the sums, or else what is added to
    numbers; nothing where neither is known."""
    if not name:
        return "", None
    constant, found = graph.get_constant(name), graph.dequantized.get(name)
    if found is None:
        return None if constant is None else ("", constant)
    integers, quantization = graph.get_constant(found.value), found.quantization
    if integers is None:
        return None
    if integers.dtype == np.int32 and not quantization.zero.any():
        if np.allclose(quantization.scale, factor, rtol=_SCALE_ERROR, atol=0):
            return found.value, None
    return "", (integers - quantization.zero).astype(np.float32) * quantization.scale


def match_dequantized(node: onnx.NodeProto, graph: Graph) -> Sources | None:
    """What a Conv or a ConvTranspose reads of which both factors are dequantized
    bytes and the filter is a constant, where sums of integers are its result in
    other units. Nothing for others, which are convolutions of floats."""
    if node.domain not in DOMAINS or node.op_type not in ("Conv", "ConvTranspose"):
        return None
    input, filter = (graph.dequantized.get(name) for name in node.input[:2])
    if input is None or filter is None or graph.is_constant(input.value):
        return None
    taps, scales = graph.get_constant(filter.value), filter.quantization
    if taps is None or not input.quantization.is_whole:
        return None
    if any(one.quantization.dtype.name not in BYTES for one in (input, filter)):
        return None
    axis = 1 if node.op_type == "ConvTranspose" else 0
    # Along that axis a transposed one has the channels of one group.
    has_groups = axis == 1 and get_attributes(node).get("group", 1) != 1
    if not scales.is_whole and (scales.axis != axis or has_groups):
        return None
    factor = input.quantization.scale * scales.scale
    bias = _read_bias(_get_input(node, 2), factor, graph)
    if bias is None:
        return None
    zero, start = int(input.quantization.zero[0]), graph.get_constant(bias[0])
    ends = [limit - zero for limit in input.quantization.limits]
    if get_largest_sum(taps, scales.zero, axis == 1, ends, start) >= 2**31:
        return None
    integers = Integers(zero, scales.zero, (factor,), summand=bias[1])
    return Sources(input.value, filter.value, bias[0], integers)


def find_read_integers(graph: Graph) -> Iterator[int]:
    """The numbers of the DequantizeLinear of constants that convolutions of integers
    read as integers."""
    for node in graph.nodes:
        if match_dequantized(node, graph):
            for name in node.input[1:]:
                if name in graph.dequantized:
                    yield graph.dequantized[name].number
