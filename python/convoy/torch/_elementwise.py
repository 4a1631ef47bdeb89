"""Ops of ATen that compute each element by itself, as bodies of linalg.generic."""

import math
from collections.abc import Callable
from typing import Any, TypeAlias

import torch

from convoy._body import Body

_aten = torch.ops.aten

#: An operand: a name in the body, or a number.
Value: TypeAlias = str | float

#: Writes an op: the body, then what the op of ATen takes. Raises `Unsupported`.
Write: TypeAlias = Callable[..., str]


class Unsupported(Exception):
    """An op has a variant that no kernel computes."""


def _name(body: Body, value: Value) -> str:
    """An operand in the body."""
    return value if isinstance(value, str) else body.constant(value)


def _write_named(name: str) -> Write:
    """An op that MLIR has."""

    def write(body: Body, *operands: Value) -> str:
        return body.op(name, *(_name(body, one) for one in operands))

    return write


def _write_sum(name: str) -> Write:
    """A sum or a difference, whose second operand may have a factor."""

    def write(body: Body, left: Value, right: Value, alpha: float = 1) -> str:
        second = _name(body, right)
        if alpha != 1:
            second = body.op("arith.mulf", second, body.constant(alpha))
        return body.op(name, _name(body, left), second)

    return write


def _write_reversed_difference(body: Body, left: str, right: Value, alpha: float = 1) -> str:
    return _write_sum("arith.subf")(body, right, left, alpha)


def _write_clamp(
    body: Body, value: str, low: float | None = None, high: float | None = None
) -> str:
    least = -math.inf if low is None else low
    most = math.inf if high is None else high
    return body.clamp(value, least, most)


def _write_hardtanh(body: Body, value: str, low: float = -1, high: float = 1) -> str:
    return body.clamp(value, low, high)


def _write_elu(
    body: Body, value: str, alpha: float = 1, scale: float = 1, input_scale: float = 1
) -> str:
    if scale != 1 or input_scale != 1:
        raise Unsupported
    return body.elu(value, alpha)


def _write_gelu(body: Body, value: str, *, approximate: str = "none") -> str:
    if approximate != "none":
        raise Unsupported
    return body.gelu(value)


def _write_softplus(body: Body, value: str, beta: float = 1, threshold: float = 20) -> str:
    if beta != 1:
        raise Unsupported
    return body.where("ogt", value, body.constant(threshold), value, body.softplus(value))


def _write_relu_gradient(body: Body, gradient: str, value: str, threshold: float) -> str:
    """The gradient where the value is above the threshold, or NaN."""
    limit = body.constant(threshold)
    return body.where("ole", value, limit, body.constant(0), gradient)


def _write_hardtanh_gradient(
    body: Body, gradient: str, value: str, low: float, high: float
) -> str:
    below = body.where("ole", value, body.constant(low), body.constant(0), gradient)
    return body.where("oge", value, body.constant(high), body.constant(0), below)


def _write_leaky_relu_gradient(
    body: Body, gradient: str, value: str, slope: float, is_result: bool
) -> str:
    scaled = body.op("arith.mulf", gradient, body.constant(slope))
    return body.where("ogt", value, body.constant(0), gradient, scaled)


def _write_sigmoid_gradient(body: Body, gradient: str, result: str) -> str:
    rest = body.op("arith.subf", body.constant(1), result)
    return body.op("arith.mulf", gradient, body.op("arith.mulf", rest, result))


def _write_tanh_gradient(body: Body, gradient: str, result: str) -> str:
    rest = body.op("arith.subf", body.constant(1), body.op("arith.mulf", result, result))
    return body.op("arith.mulf", gradient, rest)


def _write_silu(body: Body, value: str) -> str:
    return body.op("arith.mulf", value, body.sigmoid(value))


def _write_silu_gradient(body: Body, gradient: str, value: str) -> str:
    part = body.sigmoid(value)
    rest = body.op("arith.mulf", value, body.op("arith.subf", body.constant(1), part))
    slope = body.op("arith.mulf", part, body.op("arith.addf", body.constant(1), rest))
    return body.op("arith.mulf", gradient, slope)


#: How each op is written.
WRITE: dict[Any, Write] = {
    _aten.abs.default: _write_named("math.absf"),
    _aten.add.Scalar: _write_sum("arith.addf"),
    _aten.add.Tensor: _write_sum("arith.addf"),
    _aten.clamp.default: _write_clamp,
    _aten.clamp_max.default: lambda body, value, high: _write_clamp(body, value, None, high),
    _aten.clamp_min.default: _write_clamp,
    _aten.div.Scalar: _write_named("arith.divf"),
    _aten.div.Tensor: _write_named("arith.divf"),
    _aten.elu.default: _write_elu,
    _aten.erf.default: _write_named("math.erf"),
    _aten.exp.default: _write_named("math.exp"),
    _aten.gelu.default: _write_gelu,
    _aten.hardsigmoid.default: lambda body, value: body.hard_sigmoid(value, 1 / 6, 0.5),
    _aten.hardswish.default: Body.hard_swish,
    _aten.hardtanh.default: _write_hardtanh,
    _aten.hardtanh_backward.default: _write_hardtanh_gradient,
    _aten.leaky_relu.default: lambda body, value, slope=0.01: body.leaky_relu(value, slope),
    _aten.leaky_relu_backward.default: _write_leaky_relu_gradient,
    _aten.maximum.default: _write_named("arith.maximumf"),
    _aten.minimum.default: _write_named("arith.minimumf"),
    _aten.mish.default: Body.mish,
    _aten.mul.Scalar: _write_named("arith.mulf"),
    _aten.mul.Tensor: _write_named("arith.mulf"),
    _aten.neg.default: _write_named("arith.negf"),
    _aten.relu.default: lambda body, value: body.clamp(value, 0, math.inf),
    _aten.rsub.Scalar: _write_reversed_difference,
    _aten.sigmoid.default: Body.sigmoid,
    _aten.sigmoid_backward.default: _write_sigmoid_gradient,
    _aten.silu.default: _write_silu,
    _aten.silu_backward.default: _write_silu_gradient,
    _aten.softplus.default: _write_softplus,
    _aten.sqrt.default: _write_named("math.sqrt"),
    _aten.sub.Scalar: _write_sum("arith.subf"),
    _aten.sub.Tensor: _write_sum("arith.subf"),
    _aten.tanh.default: _write_named("math.tanh"),
    _aten.tanh_backward.default: _write_tanh_gradient,
    _aten.threshold_backward.default: _write_relu_gradient,
}
