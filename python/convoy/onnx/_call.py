"""Kernels of a model that are compiled: what they compute, and whether it is right."""

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from convoy._arrays import Array
from convoy._function import Function, Meaning
from convoy._native import Error
from convoy._report import Report
from convoy.onnx._emit import LAST, Operand
from convoy.onnx._kernel import Kernel
from convoy.onnx._runtime import Value, as_stored


@dataclasses.dataclass(frozen=True)
class KernelReport:
    """What a check found of one kernel: its numbers, and those of ONNX Runtime for
    the same operands, both beside what the kernel's IR means.

    `runtime` is None for kernels with nodes in the filter: there the IR has a filter
    that was rounded after that, and means another number than the nodes do.
    """

    kernel: str
    convoy: Report
    runtime: Report | None
    #: The largest difference between the two, in units of ONNX Runtime's largest
    #: element, and from where on half of the type's digits are wrong. Of integers
    #: the difference itself, and how far roundings may move these.
    difference: float
    most_difference: float
    is_integer: bool = False

    @property
    def agrees(self) -> bool:
        """Whether the IR means what the nodes do, as far as ONNX Runtime tells: its
        numbers are within the IR's bounds, or as close as they have to be."""
        is_right = self.runtime is not None and self.runtime.passed
        return is_right or self.difference <= self.most_difference

    @property
    def passed(self) -> bool:
        """Whether the kernel's numbers are right, and its IR means what the nodes do."""
        return self.convoy.passed and self.agrees

    def __str__(self) -> str:
        text = f"{self.kernel}: {self.convoy.verdict}, error/bound {self.convoy.worst_ratio:.4f}"
        if self.runtime is not None:
            ratio = f"{self.runtime.verdict}, {self.runtime.worst_ratio:.4f}"
            text += f" (ONNX Runtime: {ratio})"
        if not self.agrees:
            unit = "" if self.is_integer else " of the largest element"
            text += f", but differs from the nodes: {self.difference:.3g}{unit}"
        return text


def _to_order(value: Array, order: str) -> Array:
    """A value that lies as ONNX has it, brought into `order`, dense."""
    return np.ascontiguousarray(np.moveaxis(value, 1, -1) if order == LAST else value)


def from_order(value: Array, order: str) -> Array:
    """A value that lies in `order` as ONNX has it, dense."""
    return np.ascontiguousarray(np.moveaxis(value, -1, 1) if order == LAST else value)


def get_difference(found: Array, expected: Array) -> float:
    """The largest difference, in units of the largest element that is expected, where
    that is finite."""
    is_finite = np.isfinite(expected)
    wanted = expected[is_finite].astype(np.float64)
    with np.errstate(invalid="ignore"):
        errors = np.abs(found[is_finite].astype(np.float64) - wanted)
    worst = float(np.nan_to_num(errors, nan=np.inf, posinf=np.inf).max(initial=0))
    if expected.dtype.kind != "f":
        return worst
    return worst / float(np.abs(wanted).max()) if worst and wanted.any() else worst


def get_most_difference(kernel: Kernel | None, expected: Array) -> float:
    """The largest difference from what ONNX Runtime has that does not tell of nodes
    which mean something else: half of the digits, and what it takes to round to
    another integer on the way, where they are a kernel. Its Sigmoid has digits of 1
    alone, however small the result is."""
    steps = kernel.steps if kernel else ()
    if expected.dtype.kind != "f":
        # The integers on the way are found in units of the result's.
        return 1 + math.ceil(sum(steps[:-1]) / steps[-1]) if steps else 0
    largest = float(np.abs(expected[np.isfinite(expected)]).max(initial=0))
    moved = sum(steps) / largest if largest else 0.0
    digits = float(np.sqrt(np.finfo(expected.dtype).eps))
    if kernel and "Sigmoid" in kernel.ends and 0 < largest < 1:
        digits /= largest
    return digits + moved


class Call:
    """A kernel that is compiled, with its constants as it reads them, and memory for
    its result."""

    def __init__(self, kernel: Kernel, function: Function, result: Array) -> None:
        self.kernel = kernel
        #: The result, as it lies.
        self.result = result
        # Its IR says what is right.
        self._source = function
        self._use(function)

    def _use(self, function: Function) -> None:
        """Lets `function` compute the kernel."""
        self._function = function
        self._constants = [
            self._prepare_constant(argument.name, operand)
            for argument, operand in zip(function.arguments, self.kernel.operands[:-1])
        ]
        # Where a value is read, its name.
        self._addresses = [
            operand.value if constant is None else constant.ctypes.data
            for operand, constant in zip(self.kernel.operands, self._constants)
        ]

    def _prepare_constant(self, argument: str, operand: Operand) -> Array | None:
        if operand.constant is None:
            return None
        if argument in self._function.packed:
            return self._function.pack(argument, as_stored(operand.constant))
        return np.require(operand.constant, requirements=["C", "A"])

    @property
    def is_replaced(self) -> bool:
        """Whether another function computes the kernel than its own."""
        return self._function is not self._source

    def replace(self, function: Function) -> None:
        """Lets another function compute the kernel, which means what it did.

        Raises `convoy.Error` for one with other arguments.
        """
        found, expected = function.signature, self._source.signature
        if found != expected:
            raise Error(
                f"expected a function of {_describe(expected)} for '{self.kernel.name}', "
                f"but got {_describe(found)}"
            )
        self._use(function)

    def _launch(self, values: Mapping[str, Value], result: Array) -> None:
        """Computes the result of values that lie as the kernel reads them."""
        addresses = [
            one if isinstance(one, int) else values[one].__array_interface__["data"][0]
            for one in self._addresses
        ]
        addresses.append(result.ctypes.data)
        self._function.run_at(addresses)

    def run(self, values: dict[str, Value]) -> None:
        """Computes the result, and adds it to `values`."""
        self._launch(values, self.result)
        values[self.kernel.result.value] = self.result

    def _read(self, values: Mapping[str, Value]) -> tuple[Array, ...]:
        """The function's operands, of values that lie as ONNX has them."""
        return tuple(
            as_stored(
                _to_order(values[operand.value], operand.order).reshape(operand.shape)
                if operand.constant is None
                else operand.constant
            )
            for operand in self.kernel.operands[:-1]
        )

    def compute(self, values: Mapping[str, Value]) -> Array:
        """The result of values that lie as ONNX has them, as it does."""
        read = {
            operand.value: _to_order(values[operand.value], operand.order)
            for operand in self.kernel.operands[:-1]
            if operand.constant is None
        }
        result = np.empty_like(self.result)
        self._launch(read, result)
        return from_order(result, self.kernel.result.order)

    def interpret(self, values: Mapping[str, Value]) -> Meaning:
        """What the kernel means for values that lie as ONNX has them."""
        is_unsigned = self.result.dtype.kind == "u"
        return self._source.interpret(self._read(values), unsigned_bytes=is_unsigned)

    def check_result(
        self, values: Mapping[str, Value], meaning: Meaning | None = None
    ) -> tuple[Report, Array]:
        """The same, with each element compared with what the kernel means."""
        report, (result,) = self._function.check_results(
            self._read(values), meaning or self.interpret(values)
        )
        lying = result.view(self.result.dtype).reshape(self.result.shape)
        return report, from_order(lying, self.kernel.result.order)

    def compare(self, meaning: Meaning, result: Array) -> Report | None:
        """What the kernel means beside the result that ONNX Runtime has, where no
        node is in the filter."""
        if self.kernel.folded:
            return None
        kernel = self.kernel
        lying = as_stored(_to_order(result, kernel.result.order)).reshape(kernel.result.shape)
        return meaning.compare((lying,))

    def check(self, values: Mapping[str, Value]) -> KernelReport:
        """Checks the kernel on values that lie as ONNX has them."""
        kernel = self.kernel
        expected = values[kernel.result.value]
        meaning = self.interpret(values)
        report, result = self.check_result(values, meaning)
        return KernelReport(
            kernel.name,
            report,
            self.compare(meaning, expected),
            get_difference(result, expected),
            get_most_difference(kernel, expected),
            expected.dtype.kind != "f",
        )


def _describe(arguments: tuple[tuple[str, tuple[int, ...]], ...]) -> str:
    """`float32 (1, 3, 8, 6), float32 (4, 3, 3, 3)`"""
    return ", ".join(f"{name} {shape}" for name, shape in arguments)
