"""ONNX Runtime: computes constants, and what is left of a model between kernels."""

import copy
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import onnx
import onnxruntime  # type: ignore[import-untyped]
from onnx import numpy_helper

from convoy import _arrays
from convoy._arrays import Argument, Array
from convoy._checks import get_line
from convoy._native import Error
from convoy.onnx._graph import (
    MIN_IR_VERSION,
    Graph,
    count_bytes,
    get_attributes,
    get_inputs,
)

#: What its values are: arrays, or lists of these.
Value = Any

# What protobuf can copy.
_MAX_BYTES = 2**31 - 1

_TYPES = {
    f"tensor({name})": number
    for name, number in {
        "bool": onnx.TensorProto.BOOL,
        "double": onnx.TensorProto.DOUBLE,
        "float": onnx.TensorProto.FLOAT,
        "float16": onnx.TensorProto.FLOAT16,
        "int8": onnx.TensorProto.INT8,
        "int16": onnx.TensorProto.INT16,
        "int32": onnx.TensorProto.INT32,
        "int64": onnx.TensorProto.INT64,
        "string": onnx.TensorProto.STRING,
        "uint8": onnx.TensorProto.UINT8,
        "uint16": onnx.TensorProto.UINT16,
        "uint32": onnx.TensorProto.UINT32,
        "uint64": onnx.TensorProto.UINT64,
    }.items()
}


def describe_inputs(graph: Graph) -> dict[str, Argument | None]:
    """The inputs of a model by name; None for what is no tensor of known sizes."""
    described: dict[str, Argument | None] = dict.fromkeys(graph.inputs)
    for name in graph.inputs:
        known = graph.types.get(name)
        if known is not None and known.shape is not None:
            described[name] = Argument(name, known.dtype, "", known.shape)
    return described


def draw_inputs(graph: Graph, seed: int) -> dict[str, Array]:
    """Numbers for the inputs of a model: those of integers can be indices."""
    generator = np.random.default_rng(seed)
    inputs = {}
    for name, argument in describe_inputs(graph).items():
        if argument is None or argument.dtype.kind not in "biuf":
            raise Error(f"expected 'inputs', since '{name}' is no tensor of numbers")
        if argument.dtype.kind == "f":
            drawn: Array = generator.standard_normal(argument.shape)
        else:
            drawn = generator.integers(0, 2, argument.shape)
        inputs[name] = drawn.astype(argument.dtype)
    return inputs


def prepare_inputs(
    inputs: Mapping[str, object], arguments: Mapping[str, Argument | None]
) -> dict[str, Value]:
    """The inputs of a model, which are described as `describe_inputs` does, checked."""
    if not isinstance(inputs, Mapping):
        raise Error(f"expected a dict of arrays, but got {type(inputs).__name__}")
    if set(inputs) != set(arguments):
        found = ", ".join(map(str, inputs)) or "none"
        raise Error(f"expected the inputs {', '.join(arguments)}, but got {found}")
    values: dict[str, Value] = {}
    for name, value in inputs.items():
        argument = arguments[name]
        if isinstance(value, np.generic):
            value = np.asarray(value)  # one number
        values[name] = value if argument is None else _arrays.prepare_input(value, argument)
    return values


def as_stored(value: Array) -> Array:
    """`value` as functions take it, which do not tell unsigned bytes apart."""
    return value.view(np.int8) if value.dtype == np.uint8 else value


def take_output(value: Value, is_shared: bool) -> Value:
    """An output of a model that is its caller's alone."""
    return copy.deepcopy(value) if is_shared else value


def _make_options(threads: int, *, is_plain: bool = False, pools: bool = False) -> Any:
    """`is_plain`: nodes are computed one by one, and none is changed. `pools`: there
    may be a MaxPool between DequantizeLinear and QuantizeLinear, which ONNX Runtime
    would make one of bytes, ten times as slow."""
    options = onnxruntime.SessionOptions()
    if is_plain:
        level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.graph_optimization_level = level
    if pools:
        options.add_session_config_entry("session.disable_quant_qdq", "1")
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # A thread that waits for the next part would take the core of a kernel's.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 4
    return options


def _start(model: onnx.ModelProto, options: Any) -> Any:
    try:
        text = model.SerializeToString()
        return onnxruntime.InferenceSession(text, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # of many kinds, which have no base of their own
        raise Error(f"ONNX Runtime refuses what is left to it: {get_line(error)}") from None


def _run(session: Any, names: list[str] | None, values: Mapping[str, Value]) -> list[Value]:
    try:
        results: list[Value] = session.run(names, dict(values))
    except Exception as error:
        raise Error(f"ONNX Runtime fails: {get_line(error)}") from None
    return results


def make_part(
    graph: Graph, numbers: Iterable[int], inputs: Iterable[str], outputs: Iterable[str]
) -> onnx.ModelProto:
    """A model of some nodes of `graph`, which are numbered in order."""
    given = graph.model
    version = max(given.ir_version, MIN_IR_VERSION)
    part = onnx.ModelProto(ir_version=version, opset_import=given.opset_import)
    part.graph.name = "part"
    nodes = [graph.nodes[number] for number in numbers]
    part.graph.node.extend(nodes)
    part.graph.input.extend(graph.infos[name] for name in inputs)
    part.graph.output.extend(onnx.ValueInfoProto(name=name) for name in outputs)
    read = dict.fromkeys(name for node in nodes for name in get_inputs(node))
    for name in read:
        if graph.is_constant(name):
            tensor = graph.get_tensor(name)
            if count_bytes(tensor) > _MAX_BYTES:
                raise Error(
                    f"expected a tensor below 2 GiB for '{name}', which is left to ONNX "
                    f"Runtime, but got {tuple(tensor.dims)}"
                )
            part.graph.initializer.append(tensor)
    part.graph.sparse_initializer.extend(
        tensor for tensor in given.graph.sparse_initializer if tensor.values.name in read
    )
    return part


def make_constants(graph: Graph, names: Iterable[str]) -> onnx.ModelProto:
    """A model without inputs, whose outputs are initializers of `graph`."""
    given = graph.model
    version = max(given.ir_version, MIN_IR_VERSION)
    model = onnx.ModelProto(ir_version=version, opset_import=given.opset_import)
    model.graph.name = "constants"
    for name in names:
        tensor = model.graph.initializer.add()
        tensor.CopyFrom(graph.get_tensor(name))
        tensor.name = f"{name}.constant"
        model.graph.node.append(onnx.helper.make_node("Identity", [tensor.name], [name]))
        model.graph.output.append(onnx.ValueInfoProto(name=name))
    return model


# The operands of convolutions of integers with their zero points, by position.
_FACTORS = {"ConvInteger": ((0, 2), (1, 3)), "QLinearConv": ((0, 2), (3, 5))}


def find_nodes(graph: Graph, inputs: Iterable[str], output: str) -> list[int]:
    """The nodes, in order, that make `output` of `inputs` and constants."""
    known, found, left = set(inputs), set(), [output]
    while left:
        name = left.pop()
        number = graph.producers.get(name)
        if name not in known and number is not None and number not in found:
            found.add(number)
            left += get_inputs(graph.nodes[number])
    return sorted(found)


def make_reference(
    graph: Graph,
    inputs: Iterable[str],
    outputs: Iterable[str],
    numbers: Iterable[int] | None = None,
) -> onnx.ModelProto:
    """The model, or the nodes `numbers` of it, with all bytes unsigned that convolutions multiply where only some
    are: such products ONNX Runtime adds in 16 bits that saturate, unless it has a
    better instruction than AVX2's, or it takes an input's sign for a number."""
    chosen = range(len(graph.nodes)) if numbers is None else numbers
    whole = make_part(graph, chosen, inputs, outputs)
    given = [onnx.NodeProto.FromString(node.SerializeToString()) for node in whole.graph.node]
    nodes: list[onnx.NodeProto] = []
    for number, node in enumerate(given):
        factors = _FACTORS.get(node.op_type, ())
        types = [graph.types.get(node.input[position]) for position, _ in factors]
        names = [one.dtype.name for one in types if one]
        if sorted(names) == ["int8", "uint8"]:
            nodes += _make_unsigned(node, factors[names.index("int8")], f"convoy.{number}")
        nodes.append(node)
    del whole.graph.node[:]
    whole.graph.node.extend(nodes)
    return whole


def _make_unsigned(
    node: onnx.NodeProto, positions: tuple[int, int], prefix: str
) -> list[onnx.NodeProto]:
    """Nodes that add 128 to an operand and its zero point, which `node` then reads."""
    shift = numpy_helper.from_array(np.array(128, np.int32))
    zero = numpy_helper.from_array(np.array(0, np.int8))
    made = [onnx.helper.make_node("Constant", [], [f"{prefix}.shift"], value=shift)]
    if len(node.input) <= positions[1]:
        node.input.extend([""] * (positions[1] + 1 - len(node.input)))
    if not node.input[positions[1]]:
        node.input[positions[1]] = f"{prefix}.zero"
        made.append(onnx.helper.make_node("Constant", [], [f"{prefix}.zero"], value=zero))
    for position in positions:
        names = [f"{prefix}.{position}.{step}" for step in ("wide", "shifted", "unsigned")]
        made += [
            onnx.helper.make_node(
                "Cast", [node.input[position]], names[:1], to=onnx.TensorProto.INT32
            ),
            onnx.helper.make_node("Add", [names[0], f"{prefix}.shift"], names[1:2]),
            onnx.helper.make_node("Cast", names[1:2], names[2:], to=onnx.TensorProto.UINT8),
        ]
        node.input[position] = names[2]
    return made


def compute_constants(graph: Graph, numbers: list[int], wanted: list[str]) -> dict[str, Array]:
    """The values `wanted` of nodes that depend on constants, and on shapes."""
    shapes = [number for number in numbers if graph.nodes[number].op_type == "Shape"]
    part = make_part(graph, [n for n in numbers if n not in shapes], [], wanted)
    for number in shapes:
        node = graph.nodes[number]
        attributes = get_attributes(node)
        shape = graph.get_shape(node.input[0]) or ()
        sizes = shape[attributes.get("start", 0) : attributes.get("end")]
        part.graph.initializer.append(
            numpy_helper.from_array(np.array(sizes, np.int64), node.output[0])
        )
    if not wanted:
        return {}
    session = _start(part, _make_options(threads=0))
    return dict(zip(wanted, _run(session, wanted, {})))


def _ask(graph: Graph, names: list[str]) -> list[Any]:
    """What ONNX Runtime knows of values of `graph`."""
    options = _make_options(threads=1, is_plain=True)
    part = make_part(graph, range(len(graph.nodes)), graph.inputs, names)
    found: list[Any] = _start(part, options).get_outputs()
    return found


def _add_type(graph: Graph, found: Any) -> None:
    shape = [size if isinstance(size, int) else None for size in found.shape]
    graph.add_info(onnx.helper.make_tensor_value_info(found.name, _TYPES[found.type], shape))


def ask_types(graph: Graph, names: list[str]) -> None:
    """Lets ONNX Runtime say what values are of which ONNX knows no type."""
    unknown = [name for name in names if name not in graph.infos]
    for found in _ask(graph, unknown) if unknown else ():
        if found.type not in _TYPES:
            raise Error(f"expected a tensor for '{found.name}', but got {found.type}")
        _add_type(graph, found)


def ask_shapes(graph: Graph) -> None:
    """Lets ONNX Runtime say what it knows behind ops of which ONNX infers nothing:
    those that are none of ONNX's, and some that are, such as GroupNormalization. What
    it refuses is said where it has to run."""
    unknown = [name for name in graph.producers if graph.get_shape(name) is None]
    if not unknown:
        return
    try:
        answers = _ask(graph, unknown)
    except Error:
        return
    for found in answers:
        # A shape that is not known either looks like that of one number.
        if found.type in _TYPES and found.shape:
            _add_type(graph, found)


class Runner:
    """A model that ONNX Runtime runs."""

    def __init__(self, model: onnx.ModelProto, threads: int, *, is_plain: bool = False) -> None:
        self.inputs = [value.name for value in model.graph.input]
        self.outputs = [value.name for value in model.graph.output]
        self._session = None
        if self.outputs:  # it refuses models without one
            pools = any(node.op_type == "MaxPool" for node in model.graph.node)
            options = _make_options(threads, is_plain=is_plain, pools=pools)
            self._session = _start(model, options)

    def run(self, values: Mapping[str, Value]) -> dict[str, Value]:
        """The outputs by their names; of `values`, those that are inputs are read."""
        if self._session is None:
            return {}
        given = {name: values[name] for name in self.inputs}
        return dict(zip(self.outputs, _run(self._session, self.outputs, given)))
