"""A model's graph: nodes in order, what is known of values, and constants."""

import dataclasses
import functools
import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper

from convoy._arrays import Array
from convoy._checks import get_line
from convoy._native import Error

#: Opsets of ONNX that are read.
MIN_OPSET = 7
MAX_OPSET = max(
    version for domain, version in onnx.helper.OP_SET_ID_VERSION_MAP if domain == "ai.onnx"
)

#: From this version of the format on, initializers need not be inputs as well.
MIN_IR_VERSION = 4

#: As ONNX calls its own domain of ops.
DOMAINS = ("", "ai.onnx")

# What the package onnx raises where a tensor cannot be read.
_UNREADABLE = (KeyError, OSError, TypeError, ValueError, onnx.checker.ValidationError)

# Of these, two runs give two results.
_RANDOM = {
    "Bernoulli",
    "Dropout",
    "Multinomial",
    "RandomNormal",
    "RandomNormalLike",
    "RandomUniform",
    "RandomUniformLike",
}


@dataclasses.dataclass(frozen=True)
class Type:
    """What is known of a value: elements, and a shape where all of it is."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...] | None


@dataclasses.dataclass(frozen=True)
class Quantization:
    """How integers stand for numbers of f32: as (integer - zero) * scale."""

    dtype: np.dtype[Any]
    #: One for all, or one for each index of a value along `axis`.
    scale: Array
    zero: Array
    axis: int

    @property
    def is_whole(self) -> bool:
        """Whether there is one scale for all."""
        return self.scale.size == 1

    @property
    def limits(self) -> tuple[int, int]:
        """The least and the largest integer of the type."""
        limits = np.iinfo(self.dtype)
        return int(limits.min), int(limits.max)


@dataclasses.dataclass(frozen=True)
class Dequantized:
    """What the DequantizeLinear `number` makes, of the integers `value`."""

    number: int
    value: str
    quantization: Quantization


def get_title(node: onnx.NodeProto) -> str:
    """What a node is called: it may have no name, but has a result."""
    return node.name or next((name for name in node.output if name), node.op_type)


def get_attributes(node: onnx.NodeProto) -> dict[str, Any]:
    """The attributes of a node by name; texts are `str`."""
    found = {}
    for attribute in node.attribute:
        value = onnx.helper.get_attribute_value(attribute)
        found[attribute.name] = value.decode() if isinstance(value, bytes) else value
    return found


def _get_graphs(node: onnx.NodeProto) -> Iterator[onnx.GraphProto]:
    for attribute in node.attribute:
        if attribute.HasField("g"):
            yield attribute.g
        yield from attribute.graphs


def get_inputs(node: onnx.NodeProto) -> list[str]:
    """The values that a node reads, those that graphs inside it capture included."""
    names = [name for name in node.input if name]
    for graph in _get_graphs(node):
        own = {value.name for value in graph.input}
        own |= {tensor.name for tensor in graph.initializer}
        for inner in graph.node:
            names += [name for name in get_inputs(inner) if name not in own]
            own |= set(inner.output)
        names += [value.name for value in graph.output if value.name not in own]
    return names


def is_foldable(node: onnx.NodeProto) -> bool:
    """Whether a node of constants is a constant."""
    return (
        node.domain in DOMAINS
        and node.op_type not in _RANDOM
        and not node.op_type.startswith(("Sequence", "Optional"))
        and not any(True for _ in _get_graphs(node))
    )


def _read_type(info: onnx.ValueInfoProto) -> Type | None:
    tensor = info.type.tensor_type
    if tensor.elem_type not in onnx.helper.get_all_tensor_dtypes():
        return None
    dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
    sizes = [size.dim_value if size.HasField("dim_value") else -1 for size in tensor.shape.dim]
    is_known = tensor.HasField("shape") and all(size >= 0 for size in sizes)
    return Type(dtype, tuple(sizes) if is_known else None)


def count_bytes(tensor: onnx.TensorProto) -> int:
    """The bytes of a tensor's elements: protobuf counts none above 2 GiB."""
    dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type)
    return int(math.prod(tensor.dims) * dtype.itemsize)


def check_names(graph: onnx.GraphProto) -> None:
    """Raises `convoy.Error` where a name in a damaged file is no text, which protobuf
    does not look at."""
    owners: list[Any] = [graph, *graph.node, *graph.input, *graph.output, *graph.initializer]
    try:
        names = [owner.name for owner in owners]
        for node in graph.node:
            names += [node.op_type, node.domain, *node.input, *node.output]
            names += [attribute.name for attribute in node.attribute]
            for inner in _get_graphs(node):
                check_names(inner)
        for value in (*graph.input, *graph.output):
            names += [size.dim_param for size in value.type.tensor_type.shape.dim]
        is_text = all(isinstance(name, str) for name in names)
    except UnicodeDecodeError:
        is_text = False
    if not is_text:
        raise Error("expected a model of ONNX, but it has names that are no text")
    for name in names:
        if name and name.splitlines() != [name]:
            raise Error(f"expected names of one line, but got {name!r}")


def sort_nodes(graph: onnx.GraphProto) -> None:
    """Puts the nodes of `graph` into an order in which they can run.

    Raises `convoy.Error` where there is none, since nodes wait for each other, and
    where nothing makes a value that a node or the graph has.
    """
    known = {value.name for value in graph.input}
    known |= {tensor.name for tensor in graph.initializer}
    known |= {tensor.values.name for tensor in graph.sparse_initializer}
    made = {name for node in graph.node for name in node.output}
    order, waiting = [], list(graph.node)
    while waiting:
        left = []
        for node in waiting:
            if all(name in known for name in get_inputs(node)):
                order.append(node)
                known.update(node.output)
            else:
                left.append(node)
        if len(left) == len(waiting):
            _raise_unordered(left, known, made)
        waiting = left
    for output in graph.output:
        if output.name not in known:
            raise Error(f"expected a value for the output '{output.name}'")
    copies = [onnx.NodeProto.FromString(node.SerializeToString()) for node in order]
    del graph.node[:]
    graph.node.extend(copies)


def _raise_unordered(nodes: list[onnx.NodeProto], known: set[str], made: set[str]) -> None:
    for node in nodes:
        for name in get_inputs(node):
            if name not in known | made:
                raise Error(f"expected a value for '{name}', which {get_title(node)!r} reads")
    names = ", ".join(repr(get_title(node)) for node in nodes[:3])
    raise Error(f"expected a graph without cycles, but {names} wait for each other")


class Graph:
    """A model whose nodes are in order, with what was inferred of its values."""

    def __init__(self, model: onnx.ModelProto, types: Iterable[onnx.ValueInfoProto]) -> None:
        self.model = model
        self.nodes = list(model.graph.node)
        #: What ONNX says of values, and the same as NumPy has it.
        self.infos = {info.name: info for info in types if info.type.WhichOneof("value")}
        self.types = {
            name: found for name, info in self.infos.items() if (found := _read_type(info))
        }
        self.opset = next(one.version for one in model.opset_import if one.domain in DOMAINS)
        self._tensors: dict[str, onnx.TensorProto] = {
            tensor.name: tensor for tensor in model.graph.initializer
        }
        for name, tensor in self._tensors.items():
            dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type)
            self.types[name] = Type(dtype, tuple(tensor.dims))
        self.inputs = [
            value.name for value in model.graph.input if value.name not in self._tensors
        ]
        self.outputs = [value.name for value in model.graph.output]
        self.producers = {
            name: number for number, node in enumerate(self.nodes) for name in node.output if name
        }
        self.readers: dict[str, list[int]] = {}
        for number, node in enumerate(self.nodes):
            for name in dict.fromkeys(get_inputs(node)):
                self.readers.setdefault(name, []).append(number)

    @functools.cached_property
    def dequantized(self) -> dict[str, Dequantized]:
        """By name, the values that are integers as numbers, in a way that is known."""
        found = {}
        for number, node in enumerate(self.nodes):
            if node.domain not in DOMAINS or node.op_type != "DequantizeLinear":
                continue
            if quantization := self.read_quantization(node):
                found[node.output[0]] = Dequantized(number, node.input[0], quantization)
        return found

    def read_quantization(self, node: onnx.NodeProto) -> Quantization | None:
        """How a QuantizeLinear or a DequantizeLinear computes, where it is between f32
        and integers of 8 or 32 bits, and its scales and zero points are known."""
        attributes = get_attributes(node)
        types = [self.types.get(name) for name in (node.input[0], node.output[0])]
        scale = self.get_constant(node.input[1])
        if types[0] is None or types[1] is None or types[0].shape is None or scale is None:
            return None
        numbers, integers = types[0].dtype, types[1].dtype
        if node.op_type == "DequantizeLinear":
            numbers, integers = integers, numbers
        zero: Array | None = np.zeros(scale.shape, integers)
        if len(node.input) > 2 and node.input[2]:
            zero = self.get_constant(node.input[2])
        if numbers != np.float32 or integers.name not in ("int8", "uint8", "int32"):
            return None
        if scale.dtype != np.float32 or zero is None or zero.size != scale.size:
            return None
        if attributes.get("precision", 0) not in (0, onnx.TensorProto.FLOAT):
            return None
        if not np.isfinite(scale).all() or scale.min(initial=np.inf) <= 0:
            return None
        rank = len(types[0].shape)
        axis = attributes.get("axis", 1)
        axis += rank if axis < 0 else 0
        is_fit = scale.ndim == 1 and axis < rank and scale.size == types[0].shape[axis]
        if attributes.get("block_size", 0) or scale.size != 1 and not is_fit:
            return None
        return Quantization(integers, scale.reshape(-1), zero.reshape(-1).astype(np.int64), axis)

    def add_info(self, info: onnx.ValueInfoProto) -> None:
        """Takes note of what else was found out of a value."""
        self.infos[info.name] = info
        self.__dict__.pop("dequantized", None)  # which depends on it
        if found := _read_type(info):
            self.types[info.name] = found

    def is_constant(self, name: str) -> bool:
        """Whether a value is an initializer."""
        return name in self._tensors

    def get_tensor(self, name: str) -> onnx.TensorProto:
        """The initializer `name`."""
        return self._tensors[name]

    def get_constant(self, name: str) -> Array | None:
        """The elements of an initializer; nothing for other values. Raises
        `convoy.Error` where it has not as many as its shape says."""
        if name not in self._tensors:
            return None
        try:
            array: Array = numpy_helper.to_array(self._tensors[name])
        except _UNREADABLE as error:
            raise Error(f"cannot read the tensor '{name}': {get_line(error)}") from None
        return array

    def get_value(self, name: str) -> "str | Array":
        """What is read for a value: the elements of an initializer, or its name."""
        constant = self.get_constant(name)
        return name if constant is None else constant

    def is_plain(self, name: str) -> bool:
        """Whether a value is known to have elements of a type that NumPy has itself."""
        return name in self.types and self.types[name].dtype.kind in "biuf"

    def get_shape(self, name: str) -> tuple[int, ...] | None:
        """The shape of a value, where all of it is known."""
        found = self.types.get(name)
        return found.shape if found else None
