"""Reads models: checks them, fills in sizes, infers shapes, folds constants."""

import operator
import os
from collections.abc import Mapping, Sequence
from typing import Any

import onnx
import onnx.inliner
from google.protobuf.message import DecodeError, EncodeError  # type: ignore[import-untyped]
from onnx import numpy_helper

from convoy._arrays import Array
from convoy._checks import check_path, get_line, get_reason, show
from convoy._native import Error
from convoy.onnx import _runtime
from convoy.onnx._graph import (
    DOMAINS,
    MAX_OPSET,
    MIN_IR_VERSION,
    MIN_OPSET,
    Graph,
    check_names,
    count_bytes,
    get_inputs,
    is_foldable,
    sort_nodes,
)
from convoy.onnx._integers import find_read_integers

#: Sizes that are free in a model, by the names of its inputs.
Shapes = Mapping[str, Sequence[int]]

# Tensors of more bytes say nothing of shapes, and are kept from inference.
_MAX_SHAPE_BYTES = 4096


def read_model(path: str) -> onnx.ModelProto:
    """The model in a file, with the tensors that it keeps in others.

    Raises `convoy.Error` where a file is missing, or is none.
    """
    try:
        model = onnx.load(path, format="protobuf")
    except DecodeError:
        raise Error(f"expected a model of ONNX, but '{path}' is none, or was cut short") from None
    except (OSError, ValueError, onnx.checker.ValidationError) as error:
        raise Error(f"cannot read '{path}': {get_reason(error)}") from None
    if not model.HasField("graph") or not model.opset_import:
        raise Error(f"expected a model of ONNX, but '{path}' is none, or was cut short")
    return model


def order_model(model: onnx.ModelProto) -> None:
    """Sorts the nodes of a model. Raises `convoy.Error` where they cannot run in any
    order, and for an opset that is not known."""
    check_names(model.graph)
    versions = [one.version for one in model.opset_import if one.domain in DOMAINS]
    if not versions or not MIN_OPSET <= versions[0] <= MAX_OPSET:
        found = versions[0] if versions else "none"
        raise Error(f"expected an opset from {MIN_OPSET} to {MAX_OPSET}, but got {found}")
    sort_nodes(model.graph)


def check_model(model: onnx.ModelProto) -> None:
    """Raises `convoy.Error` for what ONNX's checker finds. Outputs may lack shapes,
    as they do where runtimes accept that."""
    for value in (*model.graph.input, *model.graph.output):
        # Of outputs it may be left to inference.
        if value.type.HasField("tensor_type") and value.type.tensor_type.elem_type:
            _check_type(value.name, value.type.tensor_type.elem_type)
    for tensor in model.graph.initializer:
        _check_type(tensor.name, tensor.data_type)
        if any(size < 0 for size in tensor.dims):
            raise Error(f"expected sizes for '{tensor.name}', but got {tuple(tensor.dims)}")
    checked = without_large_tensors(model)
    del checked.graph.output[:]
    _hide_deprecated(checked)
    try:
        onnx.checker.check_model(checked)
    except onnx.checker.ValidationError as error:
        raise Error(f"expected a model that is right, but {get_line(error)}") from None


def _hide_deprecated(model: onnx.ModelProto) -> None:
    """Gives nodes whose op is one of the opset, but deprecated in it, another domain:
    the checker refuses them, which ONNX Runtime runs."""
    version = next(one.version for one in model.opset_import if one.domain in DOMAINS)
    for node in model.graph.node:
        if node.domain in DOMAINS and onnx.defs.has(node.op_type, version):
            if onnx.defs.get_schema(node.op_type, version).deprecated:
                node.domain = "deprecated"
    model.opset_import.add(domain="deprecated", version=1)


def _check_type(name: str, number: int) -> None:
    if number not in onnx.helper.get_all_tensor_dtypes():
        raise Error(f"expected a type of ONNX for '{name}', but got {number}")


def without_large_tensors(model: onnx.ModelProto) -> onnx.ModelProto:
    """A copy in which initializers that say nothing of shapes are inputs: models
    above 2 GiB are none for protobuf."""
    version = max(model.ir_version, MIN_IR_VERSION)
    small = onnx.ModelProto(ir_version=version, opset_import=model.opset_import)
    small.functions.extend(model.functions)
    graph, given = small.graph, model.graph
    graph.name = given.name or "graph"
    graph.node.extend(given.node)
    constants = {tensor.name for tensor in given.initializer}
    graph.input.extend(value for value in given.input if value.name not in constants)
    others = constants | {value.name for value in given.input}
    graph.output.extend(value for value in given.output if value.name not in others)
    graph.value_info.extend(given.value_info)
    graph.sparse_initializer.extend(given.sparse_initializer)
    for tensor in given.initializer:
        if count_bytes(tensor) <= _MAX_SHAPE_BYTES:
            graph.initializer.append(tensor)
        else:
            graph.input.append(
                onnx.helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims)
            )
    return small


def read_shapes(shapes: object) -> dict[str, tuple[int, ...]]:
    """`shapes` as users pass them, sizes as `int`.

    Raises `convoy.Error` where they are something else.
    """
    if not isinstance(shapes, Mapping):
        raise Error(f"expected a dict of shapes for 'shapes', but got {type(shapes).__name__}")
    return {name: _read_shape(name, shape) for name, shape in shapes.items()}


def _read_shape(name: object, shape: Any) -> tuple[int, ...]:
    try:
        sizes = tuple(map(operator.index, shape))
    except TypeError:
        raise Error(f"expected sizes for '{name}', but got {show(shape)}") from None
    if all(size >= 0 for size in sizes):
        return sizes
    raise Error(f"expected sizes of at least 0 for '{name}', but got {sizes}")


def _describe(value: onnx.ValueInfoProto) -> str:
    """`(?, 3, height, width)`"""
    sizes = [
        str(size.dim_value) if size.dim_value > 0 else size.dim_param or "?"
        for size in value.type.tensor_type.shape.dim
    ]
    return f"({', '.join(sizes)})"


def _fill_shape(value: onnx.ValueInfoProto, shape: Sequence[int]) -> dict[str, int]:
    """Gives an input its shape; returns the sizes that have names."""
    tensor = value.type.tensor_type
    text = tuple(shape)
    if tensor.HasField("shape"):
        free = [size.dim_value <= 0 for size in tensor.shape.dim]
        given = [size.dim_value for size in tensor.shape.dim]
        if len(given) != len(text) or any(
            not is_free and one != size for is_free, one, size in zip(free, given, text)
        ):
            raise Error(
                f"expected a shape that fits {_describe(value)} for '{value.name}', but got {text}"
            )
    names = {}
    for size, known in zip(text, tensor.shape.dim):
        if known.dim_param:
            names[known.dim_param] = size
    del tensor.shape.dim[:]
    for size in text:
        tensor.shape.dim.add().dim_value = size
    return names


def fill_shapes(model: onnx.ModelProto, shapes: Shapes) -> None:
    """Gives the inputs of `model` their shapes. A size that has a name is the same
    in all of them.

    Raises `convoy.Error` where a size is still free, or a shape does not fit.
    """
    constants = {tensor.name for tensor in model.graph.initializer}
    inputs = {value.name: value for value in model.graph.input if value.name not in constants}
    named: dict[str, int] = {}
    for name, shape in shapes.items():
        if name not in inputs:
            raise Error(f"expected one of the inputs {', '.join(inputs)}, but got '{name}'")
        named |= _fill_shape(inputs[name], shape)
    for name, value in inputs.items():
        if not value.type.HasField("tensor_type"):
            continue
        is_free = False
        for size in value.type.tensor_type.shape.dim:
            if size.dim_param in named:
                size.dim_value = named[size.dim_param]
            else:
                is_free |= size.dim_value <= 0 and name not in shapes
        if is_free or not value.type.tensor_type.HasField("shape"):
            raise Error(
                f"expected sizes for the input '{name}' of shape {_describe(value)}, "
                f"as in shapes={{'{name}': (1, 3, 224, 224)}} or --shape {name}=1x3x224x224"
            )
    _forget_shapes(model.graph)


def _forget_shapes(graph: onnx.GraphProto) -> None:
    """What exporters say of sizes that were free may not be so."""
    del graph.value_info[:]
    for value in graph.output:
        if value.type.HasField("tensor_type"):
            value.type.tensor_type.ClearField("shape")


def infer_types(model: onnx.ModelProto) -> list[onnx.ValueInfoProto]:
    """What ONNX infers of the values of a model. An output's type is the model's own
    where ONNX infers none; raises `convoy.Error` where it is another one."""
    asked = without_large_tensors(model)
    for value in asked.graph.output:
        value.ClearField("type")
    try:
        found = onnx.shape_inference.infer_shapes(asked, data_prop=True)
    except onnx.shape_inference.InferenceError as error:
        raise Error(f"cannot infer shapes: {get_line(error)}") from None
    declared = {value.name: value for value in model.graph.output}
    for value in found.graph.output:
        _merge_type(value, declared[value.name])
    return [*found.graph.input, *found.graph.value_info, *found.graph.output]


def _merge_type(value: onnx.ValueInfoProto, declared: onnx.ValueInfoProto) -> None:
    """Completes what was inferred of an output by what the model says of it."""
    if value.type.WhichOneof("value") is None:
        value.type.CopyFrom(declared.type)
    inferred, given = (one.type.tensor_type.elem_type for one in (value, declared))
    if inferred and given and inferred != given:
        names = [onnx.TensorProto.DataType.Name(one) for one in (inferred, given)]
        raise Error(f"expected {names[0]} for the output '{value.name}', but got {names[1]}")


def _fold_shape(node: onnx.NodeProto, graph: Graph) -> bool:
    """Whether a node is the shape of what has one."""
    return node.op_type == "Shape" and graph.get_shape(node.input[0]) is not None


def _replace_nodes(model: onnx.ModelProto, values: Mapping[str, Array], gone: set[int]) -> None:
    """Makes initializers of `values`, and takes out the nodes `gone`."""
    for name, value in values.items():
        model.graph.initializer.append(numpy_helper.from_array(value, name))
    for number in sorted(gone, reverse=True):
        del model.graph.node[number]


def _fold_constants(model: onnx.ModelProto, graph: Graph) -> bool:
    """Computes what depends on constants alone, once; returns whether there was
    any of it."""
    known: set[str] = set()
    folded: list[int] = []
    kept = set(find_read_integers(graph))
    for number, node in enumerate(graph.nodes):
        inputs = get_inputs(node)
        is_constant = all(name in known or graph.is_constant(name) for name in inputs)
        if not is_foldable(node) or not all(map(graph.is_plain, filter(None, node.output))):
            continue
        # Who reads the integers is known where they are there.
        is_early = node.op_type == "DequantizeLinear" and not known.isdisjoint(inputs)
        if number in kept or is_early:
            continue
        if is_constant or _fold_shape(node, graph):
            folded.append(number)
            known.update(name for name in node.output if name)
    if not folded:
        return False
    gone = set(folded)
    wanted = [
        name
        for name in known
        if name in graph.outputs or any(one not in gone for one in graph.readers.get(name, []))
    ]
    _replace_nodes(model, _runtime.compute_constants(graph, folded, wanted), gone)
    return True


def _drop_unread(model: onnx.ModelProto) -> None:
    """Takes out the nodes, which are in order, that no output needs."""
    wanted = {value.name for value in model.graph.output}
    gone = set()
    for number, node in reversed(list(enumerate(model.graph.node))):
        if wanted.isdisjoint(node.output):
            gone.add(number)
        else:
            wanted.update(get_inputs(node))
    _replace_nodes(model, {}, gone)


def load_graph(model: onnx.ModelProto, shapes: Shapes) -> Graph:
    """The graph of what the outputs of a model need, in order, with all that can be
    known of it."""
    if model.functions:
        model = onnx.inliner.inline_local_functions(model)
    fill_shapes(model, shapes)
    check_model(model)
    while True:
        _drop_unread(model)
        graph = Graph(model, infer_types(model))
        if not _fold_constants(model, graph):
            _runtime.ask_shapes(graph)
            return graph


def read_graph(model: "str | os.PathLike[str] | onnx.ModelProto", shapes: Shapes) -> Graph:
    """The graph of a file, or of a model, which stays as it is."""
    known = read_shapes(shapes)
    if isinstance(model, onnx.ModelProto):
        copy = onnx.ModelProto()
        try:
            copy.CopyFrom(model)
        except EncodeError:
            raise Error("expected a model below 2 GiB, or the name of its file") from None
    else:
        copy = read_model(check_path(model, "model"))
    order_model(copy)
    return load_graph(copy, known)
