"""Models that are compiled: kernels, with ONNX Runtime between them."""

import concurrent.futures
import dataclasses
import math
import os
import threading
from collections.abc import Mapping
from typing import Any

import numpy as np

from convoy._arrays import Array
from convoy._checks import show
from convoy._function import Function
from convoy._module import Module
from convoy._native import Error
from convoy._report import Report
from convoy.onnx import _runtime, _save
from convoy.onnx._emit import LAST, Operand
from convoy.onnx._graph import Graph
from convoy.onnx._network import is_packed
from convoy.onnx._plan import Kernel, Plan
from convoy.onnx._runtime import Value, as_stored, prepare_inputs, take_output


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


def _get_difference(found: Array, expected: Array) -> float:
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


def _get_most_difference(kernel: Kernel, expected: Array) -> float:
    """The largest difference from what ONNX Runtime has that does not tell of nodes
    which mean something else: half of the digits, and what it takes to round to
    another integer on the way."""
    if expected.dtype.kind != "f":
        # The integers on the way are found in units of the result's.
        return 1 + math.ceil(sum(kernel.steps[:-1]) / kernel.steps[-1]) if kernel.steps else 0
    largest = float(np.abs(expected[np.isfinite(expected)]).max(initial=0))
    moved = sum(kernel.steps) / largest if largest else 0.0
    return float(np.sqrt(np.finfo(expected.dtype).eps)) + moved


class _Call:
    """A kernel that is compiled, with its constants as it reads them, and memory for
    its result."""

    def __init__(self, kernel: Kernel, function: Function, dtype: np.dtype[Any]) -> None:
        self.kernel = kernel
        #: The result, as it lies.
        self.result = _to_order(np.empty(kernel.shape, dtype), kernel.result.order)
        self._function = function
        self._constants = [
            self._prepare_constant(argument.name, operand)
            for argument, operand in zip(function.arguments, kernel.operands[:-1])
        ]
        # Where a value is read, its name.
        self._addresses = [
            operand.value if constant is None else constant.ctypes.data
            for operand, constant in zip(kernel.operands, self._constants)
        ]

    def _prepare_constant(self, argument: str, operand: Operand) -> Array | None:
        if operand.constant is None:
            return None
        if argument in self._function.packed:
            return self._function.pack(argument, as_stored(operand.constant))
        return np.require(operand.constant, requirements=["C", "A"])

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

    def check(self, values: Mapping[str, Value]) -> KernelReport:
        """Checks the kernel on values that lie as ONNX has them."""
        kernel = self.kernel
        read = {
            operand.value: _to_order(values[operand.value], operand.order)
            for operand in kernel.operands[:-1]
            if operand.constant is None
        }
        operands = tuple(
            as_stored(
                read[operand.value].reshape(operand.shape)
                if operand.constant is None
                else operand.constant
            )
            for operand in kernel.operands[:-1]
        )
        expected = _to_order(values[kernel.result.value], kernel.result.order)
        result = np.empty_like(self.result)
        self._launch(read, result)
        return KernelReport(
            kernel.name,
            self._function.check(*operands),
            self._compare(operands, expected),
            _get_difference(result, expected),
            _get_most_difference(kernel, expected),
            expected.dtype.kind != "f",
        )

    def _compare(self, operands: tuple[Array, ...], expected: Array) -> Report | None:
        """The same for what ONNX Runtime has as the result."""
        if self.kernel.folded:
            return None
        result = as_stored(expected.reshape(self.kernel.result.shape))
        return self._function.compare(operands, (result,))


class Session:
    """A model that is compiled for a target: see `convoy.onnx.compile`.

    Threads may share one; their runs take turns.
    """

    def __init__(
        self,
        graph: Graph,
        plan: Plan,
        name: str,
        target: str,
        cpu: str,
        threads: int,
        jobs: int,
    ) -> None:
        self._graph = graph
        self._name = name
        self._target = target
        self._cpu = cpu
        self._threads = threads
        #: What is compiled, and what is left.
        self.plan = plan
        functions = self._compile(jobs)
        #: How many functions were compiled: kernels that compute the same are one.
        self.functions = len(set(map(id, functions.values())))
        self._steps: list[_Call | _runtime.Runner] = [
            _Call(step, functions[step.name], graph.types[step.result.value].dtype)
            if isinstance(step, Kernel)
            else _runtime.Runner(self.plan.make_model(step), threads)
            for step in self.plan.steps
        ]
        self._results = {kernel.result.value for kernel in self.plan.kernels}
        self._whole: _runtime.Runner | None = None
        self._lock = threading.Lock()

    @property
    def target(self) -> str:
        """What kernels were compiled for."""
        return self._target

    def _is_packed(self, kernel: Kernel) -> bool:
        return self._target == "cpu" and is_packed(kernel)

    def _compile(self, jobs: int) -> dict[str, Function]:
        """The functions of all kernels by name."""
        firsts: dict[tuple[str, bool], Kernel] = {}
        for kernel in self.plan.kernels:
            firsts.setdefault((kernel.code, self._is_packed(kernel)), kernel)
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            made = dict(zip(firsts, pool.map(self._compile_kernel, firsts.values())))
        return {
            kernel.name: made[kernel.code, self._is_packed(kernel)] for kernel in self.plan.kernels
        }

    def _compile_kernel(self, kernel: Kernel) -> Function:
        try:
            return Module.parse(kernel.text, name=kernel.name).compile(
                target=self._target,
                cpu=self._cpu,
                threads=self._threads,
                filter="packed" if self._is_packed(kernel) else "plain",
            )
        except Error as error:
            raise type(error)(f"{kernel.name}: {error}") from None

    def _prepare(self, inputs: Mapping[str, object]) -> dict[str, Value]:
        return prepare_inputs(inputs, _runtime.describe_inputs(self._graph))

    def run(self, inputs: Mapping[str, object]) -> dict[str, Value]:
        """Runs the model on arrays by the names of its inputs; returns its outputs
        by their names, as new arrays.

        Raises `convoy.Error` for inputs that are missing, or do not fit.
        """
        values = self._prepare(inputs)
        with self._lock:
            self._run_steps(values)
            return {name: self._take(name, values) for name in self._graph.outputs}

    def _run_steps(self, values: dict[str, Value]) -> None:
        for step in self._steps:
            if isinstance(step, _Call):
                step.run(values)
            else:
                values.update(step.run(values))

    def _take(self, name: str, values: Mapping[str, Value]) -> Value:
        """An output, which is the caller's alone."""
        constant = self._graph.get_constant(name)
        if constant is not None:
            return constant.copy()
        return take_output(values[name], name in self._results or name in self._graph.inputs)

    def save(
        self,
        output: str | os.PathLike[str],
        *,
        header: str | os.PathLike[str] = "",
        manifest: str | os.PathLike[str] = "",
    ) -> None:
        """Writes the kernels for other programs, compiled for the CPU and the threads
        of this session: see `convoy.onnx.Model.save`.

        Raises `convoy.Error` where the session is for another target.
        """
        if self._target != "cpu":
            raise Error(f"expected a session for cpu to save, but got one for '{self._target}'")
        paths = _save.check_paths(output, header, manifest)
        _save.save(self._graph, self.plan, self._name, paths, self._cpu, "", self._threads)

    def run_reference(self, inputs: Mapping[str, object]) -> dict[str, Value]:
        """The outputs as ONNX Runtime alone computes them."""
        found = self._run_whole(self._prepare(inputs))
        return {name: self._take(name, found) for name in self._graph.outputs}

    def _run_whole(self, values: dict[str, Value]) -> dict[str, Value]:
        """All that kernels read and write, and the outputs, by ONNX Runtime alone."""
        constants = {name: self._graph.get_constant(name) for name in self._graph.outputs}
        with self._lock:
            self._whole = self._whole or self._start_whole()
            return {**constants, **values, **self._whole.run(values)}

    def _start_whole(self) -> _runtime.Runner:
        graph = self._graph
        wanted = dict.fromkeys(graph.outputs)
        for kernel in self.plan.kernels:
            wanted |= dict.fromkeys(one.value for one in kernel.operands if one.value)
        made = [name for name in wanted if name in graph.producers]
        reference = _runtime.make_reference(graph, graph.inputs, made)
        return _runtime.Runner(reference, self._threads, is_plain=True)

    def check(
        self, inputs: Mapping[str, object], kernels: tuple[str, ...] | None = None
    ) -> list[KernelReport]:
        """Checks kernels, all or those that are named, one by one on what ONNX Runtime
        feeds their nodes in a run of the model on `inputs`.

        Each element of a kernel's result is compared with its error bound, and so is
        what ONNX Runtime has in its place, unless nodes are in the kernel's filter.
        Both are compared with each other, too: docs/Onnx.md says how.
        """
        names = [kernel.name for kernel in self.plan.kernels]
        if not isinstance(kernels, (list, tuple, type(None))):
            raise Error(f"expected a tuple of names for 'kernels', but got {show(kernels)}")
        for name in kernels or ():
            if name not in names:
                raise Error(f"expected one of the kernels {', '.join(names)}, but got '{name}'")
        values = self._run_whole(self._prepare(inputs))
        return [
            step.check(values)
            for step in self._steps
            if isinstance(step, _Call) and (kernels is None or step.kernel.name in kernels)
        ]
