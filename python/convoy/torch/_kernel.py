"""Kernels that are called on tensors."""

import concurrent.futures
import contextlib
import dataclasses
import functools
import threading
from collections.abc import Sequence
from typing import Any

import torch

from convoy._arrays import Argument, Array
from convoy._function import Function
from convoy._module import Module
from convoy._native import Error
from convoy._report import Report
from convoy.torch._convolution import FILTER
from convoy.torch._memory import Order, get_strides, is_dense
from convoy.torch._placement import Placement


@dataclasses.dataclass(frozen=True)
class Settings:
    """What kernels are compiled for: see `convoy.torch.backend`."""

    cpu: str
    threads: int
    target: str = "cpu"
    algorithm: str = "direct"


@dataclasses.dataclass(frozen=True)
class Kernel:
    """Nodes that are one function."""

    #: What PyTorch calls the node that convolves, and what kernels compute for it and
    #: for the nodes behind it.
    name: str
    ops: tuple[str, ...]
    #: A module of MLIR with the function.
    text: str
    function: Function = dataclasses.field(repr=False, compare=False)

    def check(self, data: str = "normal", seed: int = 0, batch: int = 1) -> Report:
        """Runs the kernel on generated data, and compares each element of the result
        with its error bound, as `convoy.Function.check` does. `batch` is the size of
        batches where the kernel takes any."""
        sizes = [batch for one in self.function.arguments[:-1] for size in one.shape if size == -1]
        return self.function.check(data=data, seed=seed, sizes=sizes)

    def __str__(self) -> str:
        return f"{self.name}: {' + '.join(self.ops)}"


@dataclasses.dataclass(frozen=True)
class KernelReport:
    """What a check found of one call of a kernel."""

    kernel: Kernel
    report: Report

    @property
    def passed(self) -> bool:
        """Whether every element of the result is right."""
        return self.report.passed

    def __str__(self) -> str:
        return f"{self.kernel.name}: {self.report.verdict}, error/bound {self.report.worst_ratio:.4f}"


#: A convolution of three taps.
_SMALL = """\
func.func @small(%input: tensor<1x3x1xf32>, %filter: tensor<1x3x1xf32>) -> tensor<1x1x1xf32> {
  %output = arith.constant dense<0.0> : tensor<1x1x1xf32>
  %result = convoy.conv ins(%input, %filter : tensor<1x3x1xf32>, tensor<1x3x1xf32>)
      outs(%output : tensor<1x1x1xf32>) layout(nwc x fwc -> nwf)
  return %result : tensor<1x1x1xf32>
}
"""

#: What a function computes, for what, and whether it takes filters packed.
_Key = tuple[str, Settings, bool]


def _compile(module: Module, settings: Settings, packed: bool = False) -> Function:
    return module.compile(
        target=settings.target,
        cpu=settings.cpu,
        threads=settings.threads,
        filter="packed" if packed else "plain",
        algorithm=settings.algorithm,
    )


@functools.cache
def check_settings(settings: Settings) -> None:
    """Raises `convoy.Error` where no kernel can be compiled for these: tries it with a
    small one, which any algorithm computes."""
    try:
        _compile(Module.parse(_SMALL), settings)
    except Error as error:
        raise type(error)(" ".join(str(error).split())) from None


class Cache:
    """Functions by what they compute, each compiled once; the threads that ask for one
    that is being compiled wait for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._functions: dict[_Key, concurrent.futures.Future[Function]] = {}
        #: How often it was cleared.
        self.age = 0

    def get(self, code: str, name: str, settings: Settings, packed: bool) -> Function:
        """The function with this `code`, whose filter is an argument that is `packed`, or
        is not; errors call it `name`. Raises `convoy.Error` where it cannot be
        compiled."""
        key = (code, settings, packed)
        with self._lock:
            known = self._functions.get(key)
            future = known or self._functions.setdefault(key, concurrent.futures.Future())
        if known is None:
            self._compile(key, name, future)
        return future.result()

    def _compile(
        self, key: _Key, name: str, future: concurrent.futures.Future[Function]
    ) -> None:
        code, settings, packed = key
        try:
            module = Module.parse(f"func.func @kernel{code}", name=name)
            if settings.algorithm.startswith("winograd"):
                # What it cannot compute, sums of products do.
                with contextlib.suppress(Error):
                    future.set_result(_compile(module, settings, packed))
                    return
                settings = dataclasses.replace(settings, algorithm="direct")
            future.set_result(_compile(module, settings, packed))
        except BaseException as error:
            if not isinstance(error, Error):  # as Ctrl-C
                with self._lock:
                    self._functions.pop(key, None)
            future.set_exception(error)

    def clear(self) -> None:
        """Forgets all functions."""
        with self._lock:
            self._functions.clear()
            self.age += 1

    def __len__(self) -> int:
        return len(self._functions)


class Recorders:
    """Lists that reports of calls go to."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lists: list[list[KernelReport]] = []

    def __bool__(self) -> bool:
        return bool(self._lists)

    def start(self) -> list[KernelReport]:
        """A list that reports are added to from now on."""
        reports: list[KernelReport] = []
        with self._lock:
            self._lists.append(reports)
        return reports

    def stop(self, reports: list[KernelReport]) -> None:
        """Adds no more reports to a list that `start` made."""
        with self._lock:
            self._lists = [one for one in self._lists if one is not reports]

    def add(self, report: KernelReport) -> None:
        """Adds a report to all lists."""
        with self._lock:
            for reports in self._lists:
                reports.append(report)


RECORDERS = Recorders()


@dataclasses.dataclass(frozen=True)
class Operand:
    """A tensor that a kernel reads or writes: its sizes, of which that of the batch is
    None where calls give it, and the order in which they lie."""

    shape: tuple[int | None, ...]
    order: Order

    @property
    def is_dynamic(self) -> bool:
        """Whether calls give a size."""
        return None in self.shape

    def get_shape(self, batch: int) -> tuple[int, ...]:
        """The sizes where the batch has this one."""
        return tuple(batch if size is None else size for size in self.shape)

    def prepare(self, tensor: Any, dtype: Any) -> Any:
        """A tensor as the kernel reads it: itself, or a copy that lies so."""
        shape = tuple(tensor.shape)
        if tensor.dtype != dtype or shape != self.get_shape(shape[0] if shape else 0):
            raise Error(
                f"expected a tensor of {dtype} and {self.shape}, but got one of "
                f"{tensor.dtype} and {shape}"
            )
        strides = tensor.stride()
        if not is_dense(shape, strides, self.order):
            return self.make(shape[0] if shape else 0, dtype).copy_(tensor)
        return tensor.resolve_neg() if tensor.is_neg() else tensor

    def make(self, batch: int, dtype: Any) -> Any:
        """A new tensor, not filled."""
        shape = self.get_shape(batch)
        return torch.empty_strided(shape, get_strides(shape, self.order), dtype=dtype)

    def as_array(self, tensor: Any, argument: Argument) -> Array:
        """A prepared tensor as the argument of a function."""
        lying = tensor.detach().permute(self.order)
        if tensor.dtype == torch.bfloat16:
            lying = lying.view(torch.int16)
        array: Array = lying.numpy().view(argument.dtype)
        batch = tensor.shape[0] if self.is_dynamic else 0
        return array.reshape([batch if size == -1 else size for size in argument.shape])


#: Functions that were compiled, for all graphs.
FUNCTIONS = Cache()


@dataclasses.dataclass(frozen=True)
class _Packed:
    """A filter, and what it was packed to."""

    #: Holds the memory: while it does, no other tensor has the address.
    tensor: Any
    version: int
    array: Array
    age: int

    def is_of(self, tensor: Any) -> bool:
        """Whether `tensor` is this filter, and was not changed since."""
        own = self.tensor
        return (
            self.version == _get_version(tensor)
            and own.data_ptr() == tensor.data_ptr()
            and own.stride() == tensor.stride()
            and own.is_neg() == tensor.is_neg()
            and self.age == FUNCTIONS.age
        )


def _get_version(tensor: Any) -> int:
    """How often a tensor was changed, or -1 where PyTorch does not count that."""
    return -1 if tensor.is_inference() else tensor._version


class Call:
    """A kernel in a graph, which takes it as a function of tensors: those that it reads,
    and then those that its placement asks for."""

    def __init__(
        self,
        kernel: Kernel,
        operands: tuple[Operand, ...],
        result: Operand,
        dtype: Any,
        placement: Placement,
    ) -> None:
        names = [argument.name for argument in kernel.function.arguments]
        #: The operand that the function takes packed, if there is one.
        self._filter = names.index(FILTER) if kernel.function.packed else -1
        self._packed: _Packed | None = None
        self._kernel = kernel
        self._function = kernel.function
        self._operands = operands
        self._result = result
        self._dtype = dtype
        self._placement = placement
        # What the code that PyTorch makes of a graph calls this.
        self.__name__ = self.__qualname__ = f"convoy_{kernel.name}"

    def __call__(self, *tensors: Any) -> Any:
        read = [one.prepare(tensor, self._dtype) for one, tensor in zip(self._operands, tensors)]
        sizes = [
            tensor.shape[0] for one, tensor in zip(self._operands, read) if one.is_dynamic
        ]
        result, written = self._make(sizes[0] if sizes else 0, tensors[len(read) :])
        if self._result.is_dynamic:
            sizes.append(sizes[0])
        addresses = [tensor.data_ptr() for tensor in (*read, written)]
        if self._filter >= 0:
            packed = self._pack(tensors[self._filter])
            addresses[self._filter] = packed.ctypes.data
        self._function.run_at(addresses, sizes)
        if RECORDERS:
            RECORDERS.add(KernelReport(self._kernel, self._check(read, written)))
        return result if result is written else result.copy_(written)

    def _make(self, batch: int, tensors: Sequence[Any]) -> tuple[Any, Any]:
        """A result that lies as PyTorch's does for the placement's `tensors`, and what the
        kernel writes: the same, unless it was compiled for another order."""
        shape, strides = self._result.get_shape(batch), self._placement.find(tensors)
        result = torch.empty_strided(shape, strides, dtype=self._dtype)
        if is_dense(shape, strides, self._result.order):
            return result, result
        return result, self._result.make(batch, self._dtype)

    def _pack(self, filter: Any) -> Array:
        """The filter as the function reads it, packed anew only if it is another one than
        in the call before, or was changed."""
        known = self._packed
        if known is not None and known.is_of(filter):
            return known.array
        # Asked for before it is read: a change meanwhile is one since.
        version, age = _get_version(filter), FUNCTIONS.age
        operand, argument = self._operands[self._filter], self._function.unpacked[self._filter]
        read = operand.prepare(filter, self._dtype)
        array = self._function.pack(FILTER, operand.as_array(read, argument))
        if version >= 0:
            self._packed = _Packed(filter.detach(), version, array, age)
        return array

    def compare(self, tensors: Sequence[Any], result: Any) -> Report:
        """Compares a result of `tensors`, of whoever computed it, with what the function
        means."""
        read = [one.prepare(tensor, self._dtype) for one, tensor in zip(self._operands, tensors)]
        return self._check(read, self._result.prepare(result, self._dtype))

    def _check(self, read: list[Any], result: Any) -> Report:
        """Compares what a call has made with what the function means."""
        arrays = [
            operand.as_array(tensor, argument)
            for operand, tensor, argument in zip(
                (*self._operands, self._result), (*read, result), self._function.unpacked
            )
        ]
        return self._function.compare(tuple(arrays[:-1]), (arrays[-1],))
