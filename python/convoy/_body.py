"""Ops of linalg that compute each element by itself, as text."""

import dataclasses
import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from convoy._arrays import Array

_DTYPES: dict[str, np.dtype[Any]] = {
    "f16": np.dtype("f2"),
    "f32": np.dtype("f4"),
    "f64": np.dtype("f8"),
}


def round_to(values: Array, dtype: np.dtype[Any]) -> Array:
    """`values` in a type of fewer digits, infinite where they are too large for it."""
    with np.errstate(over="ignore", under="ignore"):
        rounded: Array = values.astype(dtype)
    return rounded


def format_number(value: float, element: str) -> str:
    """`value` as MLIR reads it for a type of floats, rounded to that; infinite where
    it is too large."""
    number = round_to(np.array(value, np.float64), _DTYPES[element])
    rounded = float(number)
    if not math.isfinite(rounded):
        return f"0x{number.astype(number.dtype.newbyteorder('>')).tobytes().hex().upper()}"
    mantissa, _, exponent = repr(rounded).partition("e")
    if "." not in mantissa:
        mantissa += ".0"
    return f"{mantissa}e{exponent}" if exponent else mantissa


class Body:
    """Ops on numbers of one type, in the region of a linalg.generic."""

    def __init__(self, element: str) -> None:
        self.element = element
        self.lines: list[str] = []
        self._constants: dict[str, str] = {}

    def _add(self, text: str) -> str:
        name = f"%v{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        return name

    def constant(self, value: float) -> str:
        """A number, rounded to the type."""
        text = format_number(value, self.element)
        if text not in self._constants:
            self._constants[text] = self._add(f"arith.constant {text} : {self.element}")
        return self._constants[text]

    def op(self, name: str, *operands: str) -> str:
        """The result of an op of numbers of the type, as in `arith.addf`."""
        return self._add(f"{name} {', '.join(operands)} : {self.element}")

    def select(self, value: str, positive: str, negative: str) -> str:
        """`positive` where `value` is not below zero, else `negative`."""
        return self.where("oge", value, self.constant(0), positive, negative)

    def where(self, predicate: str, left: str, right: str, value: str, other: str) -> str:
        """`value` where `predicate`, as arith.cmpf has it, holds for two numbers, else
        `other`."""
        test = self._add(f"arith.cmpf {predicate}, {left}, {right} : {self.element}")
        return self._add(f"arith.select {test}, {value}, {other} : {self.element}")

    def convert(self, value: str, source: str, result: str) -> str:
        """A number of the type `source` in the type `result`."""
        if source == result:
            return value
        op = "arith.extf" if source in ("f16", "bf16") else "arith.truncf"
        return self._add(f"{op} {value} : {source} to {result}")

    def to_number(self, value: str, integers: np.dtype[Any]) -> str:
        """An integer of NumPy's type `integers` as a number."""
        op = "arith.uitofp" if integers.kind == "u" else "arith.sitofp"
        source = f"i{8 * integers.itemsize}"
        return self._add(f"{op} {value} : {source} to {self.element}")

    def round_to_integer(self, value: str, zero: str, integers: np.dtype[Any]) -> str:
        """`value`, rounded to nearest, ties to even, plus `zero` where that is given,
        saturated; of NaN the least integer."""
        value = self.op("math.roundeven", value)
        if zero:
            value = self.op("arith.addf", value, zero)
        limits = np.iinfo(integers)
        value = self.op("arith.maxnumf", value, self.constant(limits.min))
        value = self.op("arith.minnumf", value, self.constant(limits.max))
        return self.to_integer(value, integers)

    def to_integer(self, value: str, integers: np.dtype[Any]) -> str:
        """A number that is an integer of NumPy's type `integers` as one."""
        op = "arith.fptoui" if integers.kind == "u" else "arith.fptosi"
        return self._add(f"{op} {value} : {self.element} to i{8 * integers.itemsize}")

    def clamp(self, value: str, low: float, high: float) -> str:
        """`value` between two numbers, of which one may be infinite."""
        if low != -math.inf:
            value = self.op("arith.maximumf", value, self.constant(low))
        if high != math.inf:
            value = self.op("arith.minimumf", value, self.constant(high))
        return value

    def sigmoid(self, value: str) -> str:
        """1 / (1 + exp(-value))"""
        power = self.op("math.exp", self.op("arith.negf", value))
        one = self.constant(1)
        return self.op("arith.divf", one, self.op("arith.addf", one, power))

    def softplus(self, value: str) -> str:
        """log(1 + exp(value)), which does not overflow."""
        power = self.op("math.exp", self.op("arith.negf", self.op("math.absf", value)))
        rest = self.op("math.log1p", power)
        return self.op("arith.addf", self.clamp(value, 0, math.inf), rest)

    def hard_sigmoid(self, value: str, alpha: float, beta: float) -> str:
        """alpha value + beta, from 0 to 1."""
        scaled = self.op("arith.mulf", value, self.constant(alpha))
        return self.clamp(self.op("arith.addf", scaled, self.constant(beta)), 0, 1)

    def hard_swish(self, value: str) -> str:
        """value (value + 3) / 6, with the factor from 0 to 1."""
        return self.op("arith.mulf", value, self.hard_sigmoid(value, 1 / 6, 0.5))

    def elu(self, value: str, alpha: float) -> str:
        """alpha (exp(value) - 1) below zero."""
        power = self.op("arith.subf", self.op("math.exp", value), self.constant(1))
        return self.select(value, value, self.op("arith.mulf", power, self.constant(alpha)))

    def gelu(self, value: str) -> str:
        """value times the probability that a normal number is below it."""
        scaled = self.op("arith.mulf", value, self.constant(math.sqrt(0.5)))
        part = self.op("arith.addf", self.op("math.erf", scaled), self.constant(1))
        half = self.op("arith.mulf", value, self.constant(0.5))
        return self.op("arith.mulf", half, part)

    def leaky_relu(self, value: str, alpha: float) -> str:
        """alpha value below zero."""
        return self.select(value, value, self.op("arith.mulf", value, self.constant(alpha)))

    def mish(self, value: str) -> str:
        """value tanh(log(1 + exp(value)))"""
        return self.op("arith.mulf", value, self.op("math.tanh", self.softplus(value)))


@dataclasses.dataclass(frozen=True)
class Read:
    """An operand of such an op: its name and type, and the letters of its dimensions."""

    name: str
    type: str
    element: str
    letters: str


def write_generic(
    name: str,
    reads: Sequence[Read],
    letters: str,
    body: Iterable[str],
    result: str,
    element: str,
) -> list[str]:
    """The lines of a linalg.generic: `letters` are the result's dimensions, `result`
    is what it is written to, with its type."""
    dims = {x: f"d{number}" for number, x in enumerate(letters)}
    maps = [
        f"affine_map<({', '.join(dims.values())}) -> ({', '.join(dims[x] for x in one)})>"
        for one in [*(read.letters for read in reads), letters]
    ]
    loops = ", ".join(['"parallel"'] * len(dims))
    arguments = ", ".join(f"%a{number}: {read.element}" for number, read in enumerate(reads))
    operands = ", ".join(read.name for read in reads)
    types = ", ".join(read.type for read in reads)
    return [
        f"{name} = linalg.generic {{indexing_maps = [{', '.join(maps)}], "
        f"iterator_types = [{loops}]}}",
        f"    ins({operands} : {types}) outs({result}) {{",
        f"^bb0({arguments}, %out: {element}):",
        *(f"  {line}" for line in body),
        f"}} -> {result.partition(' : ')[2]}",
    ]
