"""Ops of ONNX that compute each element by itself, as bodies of linalg.generic."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import onnx

from convoy._arrays import Array
from convoy._body import Body, round_to
from convoy.onnx._anchor import ELEMENTS
from convoy.onnx._graph import DOMAINS, Graph, Quantization, get_attributes

# Numbers below this one, the least normal one of f32, may become zero in any type.
_NEGLIGIBLE = 2.0**-126


def fits_type(values: Array, dtype: np.dtype[Any]) -> bool:
    """Whether numbers of float64 keep their digits in `dtype`: all are finite there,
    and none comes so close to zero that it loses some."""
    sizes = np.abs(values)
    is_large = sizes >= _NEGLIGIBLE
    limits = np.finfo(dtype)
    is_normal = np.abs(round_to(values, dtype)) >= limits.smallest_normal
    return bool(np.isfinite(round_to(values, dtype)).all() and is_normal[is_large].all())


def fits_shape(shape: tuple[int, ...], result: tuple[int, ...]) -> bool:
    """Whether an operand broadcasts to the result, and to no more."""
    if len(shape) > len(result):
        return False
    sizes = zip(reversed(shape), reversed(result))
    return all(size in (1, whole) for size, whole in sizes)


#: Writes an op: its attributes, and its operands as names in the body.
Write = Callable[[Body, dict[str, Any], list[str]], str]


def _write_named(name: str) -> Write:
    """An op that MLIR has; of more than two operands from the left."""

    def write(body: Body, _: dict[str, Any], operands: list[str]) -> str:
        if len(operands) == 1 and name.startswith("arith.") and name != "arith.negf":
            return operands[0]  # the sum, or the largest, of one
        if len(operands) == 1:
            return body.op(name, *operands)
        result = operands[0]
        for operand in operands[1:]:
            result = body.op(name, result, operand)
        return result

    return write


def _write_hard_sigmoid(body: Body, attributes: dict[str, Any], operands: list[str]) -> str:
    alpha, beta = attributes.get("alpha", 0.2), attributes.get("beta", 0.5)
    return body.hard_sigmoid(operands[0], alpha, beta)


def _write_prelu(body: Body, _: dict[str, Any], operands: list[str]) -> str:
    return body.select(operands[0], operands[0], body.op("arith.mulf", *operands))


def _write_swish(body: Body, attributes: dict[str, Any], operands: list[str]) -> str:
    alpha = attributes.get("alpha", 1.0)
    scaled = operands[0]
    if alpha != 1:
        scaled = body.op("arith.mulf", scaled, body.constant(alpha))
    return body.op("arith.mulf", operands[0], body.sigmoid(scaled))


_WRITE: dict[str, Write] = {
    "Abs": _write_named("math.absf"),
    "Add": _write_named("arith.addf"),
    "Div": _write_named("arith.divf"),
    "Dropout": lambda body, attributes, operands: operands[0],
    "Elu": lambda body, attributes, operands: body.elu(operands[0], attributes.get("alpha", 1.0)),
    "Erf": _write_named("math.erf"),
    "Exp": _write_named("math.exp"),
    "Gelu": lambda body, attributes, operands: body.gelu(operands[0]),
    "HardSigmoid": _write_hard_sigmoid,
    "HardSwish": lambda body, attributes, operands: body.hard_swish(operands[0]),
    "Identity": lambda body, attributes, operands: operands[0],
    "LeakyRelu": lambda body, attributes, operands: body.leaky_relu(
        operands[0], attributes.get("alpha", 0.01)
    ),
    "Max": _write_named("arith.maximumf"),
    "Min": _write_named("arith.minimumf"),
    "Mish": lambda body, attributes, operands: body.mish(operands[0]),
    "Mul": _write_named("arith.mulf"),
    "Neg": _write_named("arith.negf"),
    "PRelu": _write_prelu,
    "Relu": lambda body, attributes, operands: body.clamp(operands[0], 0, math.inf),
    "Sigmoid": lambda body, attributes, operands: body.sigmoid(operands[0]),
    "Softplus": lambda body, attributes, operands: body.softplus(operands[0]),
    "Sqrt": _write_named("math.sqrt"),
    "Sub": _write_named("arith.subf"),
    "Sum": _write_named("arith.addf"),
    "Swish": _write_swish,
    "Tanh": _write_named("math.tanh"),
}


def get_limits(node: onnx.NodeProto, graph: Graph) -> tuple[float, float] | None:
    """Between what a Clip clamps, where that is known, and a number: attributes before
    opset 11, then operands."""
    attributes = get_attributes(node)
    limits = []
    for position, (name, without) in enumerate((("min", -math.inf), ("max", math.inf)), start=1):
        if len(node.input) <= position or not node.input[position]:
            limits.append(float(attributes.get(name, without)))
            continue
        constant = graph.get_constant(node.input[position])
        if constant is None or constant.size != 1:
            return None
        limits.append(float(constant.reshape(())))
    return None if any(map(math.isnan, limits)) else (limits[0], limits[1])


def get_normalization(node: onnx.NodeProto, graph: Graph) -> tuple[Array, Array] | None:
    """The factors and summands of a BatchNormalization in float64, one for each
    channel, where they are known, and its type has them."""
    constants = [graph.get_constant(name) for name in node.input[1:5]]
    shape, dtype = graph.get_shape(node.input[0]), _get_dtype(node, graph)
    if shape is None or len(shape) < 2 or dtype is None or len(constants) != 4:
        return None
    if any(constant is None or constant.shape != shape[1:2] for constant in constants):
        return None
    scale, shift, mean, variance = (np.asarray(one, np.float64) for one in constants)
    epsilon = get_attributes(node).get("epsilon", 1e-5)
    with np.errstate(all="ignore"):
        factors: Array = scale / np.sqrt(variance + epsilon)
        summands: Array = shift - mean * factors
    if not fits_type(factors, dtype) or not np.isfinite(round_to(summands, dtype)).all():
        return None
    return factors, summands


def _get_dtype(node: onnx.NodeProto, graph: Graph) -> np.dtype[Any] | None:
    """The type that `node` computes in, where it is one of floats."""
    known = graph.types.get(node.input[0])
    return known.dtype if known and known.dtype.name in ELEMENTS else None


def _has_numbers(node: onnx.NodeProto, graph: Graph) -> bool:
    """Whether the type that `node` computes in has its attributes."""
    dtype = _get_dtype(node, graph)
    numbers = [one for one in get_attributes(node).values() if isinstance(one, float)]
    return dtype is not None and fits_type(np.array(numbers, np.float64), dtype)


def _is_inference(node: onnx.NodeProto, graph: Graph) -> bool:
    # The mask of a Dropout, or a BatchNormalization's statistics.
    if any(name in graph.outputs or graph.readers.get(name) for name in node.output[1:] if name):
        return False
    if get_attributes(node).get("training_mode", 0):
        return False
    # Before there was that attribute, outputs say so.
    if node.op_type == "BatchNormalization" and graph.opset < 14 and any(node.output[1:]):
        return False
    # Of Dropout: ratio, training_mode.
    if node.op_type == "Dropout" and len(node.input) > 2 and node.input[2]:
        mode = graph.get_constant(node.input[2])
        return mode is not None and not mode.any()
    return True


def get_quantization(node: onnx.NodeProto, graph: Graph) -> Quantization | None:
    """How a QuantizeLinear rounds, where that is known, and one scale is for all, or
    one for each channel."""
    found = graph.read_quantization(node)
    if found is None or found.dtype.itemsize != 1:
        return None
    return found if found.is_whole or found.axis == 1 else None


def _is_sum_to_number(node: onnx.NodeProto, graph: Graph) -> bool:
    """Whether a Cast makes f32 of i32."""
    known = graph.types.get(node.input[0])
    is_sum = known is not None and known.dtype == np.int32
    return is_sum and get_attributes(node).get("to") == onnx.TensorProto.FLOAT


def get_operands(node: onnx.NodeProto, graph: Graph) -> list[str] | None:
    """The values that `node` computes each element of its result of; nothing for
    ops that do something else, or with numbers that are not known."""
    if node.domain not in DOMAINS:
        return None
    if node.op_type == "QuantizeLinear":
        return [node.input[0]] if get_quantization(node, graph) else None
    if node.op_type == "Cast":
        return [node.input[0]] if _is_sum_to_number(node, graph) else None
    if _get_dtype(node, graph) is None:
        return None
    attributes = get_attributes(node)
    if node.op_type == "Clip":
        return [node.input[0]] if get_limits(node, graph) else None
    if node.op_type in ("BatchNormalization", "Dropout"):
        if not _is_inference(node, graph):
            return None
        if node.op_type == "BatchNormalization" and not get_normalization(node, graph):
            return None
        return [node.input[0]]
    if node.op_type not in _WRITE or attributes.get("approximate", "none") != "none":
        return None
    if not _has_numbers(node, graph):
        return None
    return list(node.input)


def write(body: Body, node: onnx.NodeProto, graph: Graph, operands: Sequence[str]) -> str:
    """Adds `node`, for which `get_operands` names some, to a body. Those of a
    BatchNormalization are followed by its factor and its summand, those of a
    QuantizeLinear by its scale and its zero point."""
    if node.op_type == "Clip":
        limits = get_limits(node, graph)
        assert limits is not None
        return body.clamp(operands[0], *limits)
    if node.op_type == "Cast":
        return body.to_number(operands[0], np.dtype(np.int32))
    if node.op_type == "QuantizeLinear":
        quantization = get_quantization(node, graph)
        assert quantization is not None
        value, scale, zero = operands
        return body.round_to_integer(
            body.op("arith.divf", value, scale), zero, quantization.dtype
        )
    if node.op_type == "BatchNormalization":
        value, factor, summand = operands
        return body.op("arith.addf", body.op("arith.mulf", value, factor), summand)
    return _WRITE[node.op_type](body, get_attributes(node), list(operands))
