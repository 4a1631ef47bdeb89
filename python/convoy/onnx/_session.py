"""Models that are compiled: kernels, with ONNX Runtime between them."""

import concurrent.futures
import os
import threading
from collections.abc import Collection, Mapping, Sequence

from convoy._checks import show
from convoy._function import Function
from convoy._module import Module
from convoy._native import Error, set_wait_of_threads
from convoy.onnx import _runtime, _save
from convoy.onnx._call import Call, KernelReport, from_order
from convoy.onnx._graph import Graph
from convoy.onnx._kernel import Kernel
from convoy.onnx._memory import make_results
from convoy.onnx._network import is_packed
from convoy.onnx._plan import Plan
from convoy.onnx._runtime import Value, prepare_inputs, take_output
from convoy.onnx._trace import Trace

#: The work of kernels that several threads share: they take longer to start than one
#: thread works for less.
_LEAST_SHARED = 1 << 20

#: How long these wait for the next kernel, in milliseconds, where ONNX Runtime's threads
#: need the cores in between: long enough for what kernels and small parts take.
_WAIT = 1


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
        algorithm: str,
        jobs: int,
    ) -> None:
        self._graph = graph
        self._name = name
        self._target = target
        self._cpu = cpu
        self._threads = threads
        self._algorithm = algorithm
        #: What is compiled, and what is left.
        self.plan = plan
        # First: what there is no room for is not compiled.
        results = make_results(plan, graph)
        functions = self._compile(jobs)
        #: How many functions were compiled: kernels that compute the same are one.
        self.functions = len(set(map(id, functions.values())))
        #: What computes each of the plan's steps, for the package alone.
        self.steps: list[Call | _runtime.Runner] = [
            Call(step, functions[step.name], results[step.name])
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

    @property
    def algorithm(self) -> str:
        """How convolutions are computed, as `convoy.onnx.compile` was told."""
        return self._algorithm

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
        return self._compile_module(Module.parse(kernel.text, name=kernel.name), kernel)

    def _compile_module(self, module: Module, kernel: Kernel) -> Function:
        """The function of a module, which computes a kernel."""
        try:
            return module.compile(
                target=self._target,
                cpu=self._cpu,
                threads=self._threads if kernel.work >= _LEAST_SHARED else 1,
                filter="packed" if self._is_packed(kernel) else "plain",
                algorithm=self._algorithm,
            )
        except Error as error:
            raise type(error)(f"{kernel.name}: {error}") from None

    def replace(self, kernel: str, module: Module) -> None:
        """Lets the only public function of a module compute a kernel in its place: the
        kernel's own text that passes rewrote, or that was edited. It takes and returns
        what the kernel does. Checks still compare with what the kernel means.

        Raises `convoy.Error` for a kernel that the plan does not have, and for a
        function that cannot be compiled, or has other arguments.
        """
        calls = {step.kernel.name: step for step in self.steps if isinstance(step, Call)}
        if kernel not in calls:
            raise Error(f"expected one of the kernels {', '.join(calls)}, but got {kernel!r}")
        if not isinstance(module, Module):
            raise Error(f"expected a convoy.Module for '{kernel}', but got {show(module)}")
        function = self._compile_module(module, calls[kernel].kernel)
        with self._lock:
            calls[kernel].replace(function)

    @property
    def replaced(self) -> tuple[str, ...]:
        """The kernels that another function computes than their own."""
        calls = [step for step in self.steps if isinstance(step, Call)]
        return tuple(call.kernel.name for call in calls if call.is_replaced)

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

    def trace(self, inputs: Mapping[str, object], names: Sequence[str]) -> dict[str, Value]:
        """Runs the model as `run` does, and returns values in its middle by their names,
        as ONNX has them.

        - `names`: of values; of nodes, for all that they make; of kernels, for their
          results; or "all" for what each step hands to others.

        What lies inside of a kernel is nowhere; inside of what is left, ONNX Runtime
        computes it once more. Raises `convoy.Error` for names that the model does not
        have, and of what is inside of a kernel.
        """
        trace = Trace(self._graph, self.plan, names, self._threads)
        values = self._prepare(inputs)
        orders = {kernel.result.value: kernel.result.order for kernel in self.plan.kernels}
        with self._lock:
            self._run_steps(values, trace.read)
            lying = {
                name: from_order(values[name], orders[name]) if name in orders else values[name]
                for name in trace.read
            }
            return {name: take_output(value, True) for name, value in trace.find(lying).items()}

    def _run_steps(self, values: dict[str, Value], kept: Collection[str] = ()) -> None:
        """Adds what steps make to `values`. Of what kernels make others take the place
        later on, but of `kept`."""
        if self._threads > 1 and self.plan.parts and "KMP_BLOCKTIME" not in os.environ:
            set_wait_of_threads(_WAIT)
        for step in self.steps:
            if not isinstance(step, Call):
                values.update(step.run(values))
                continue
            step.run(values)
            name = step.kernel.result.value
            if name in kept:
                values[name] = values[name].copy()

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
        """Writes the kernels for other programs, compiled for the CPU, the threads and
        by the algorithm of this session: see `convoy.onnx.Model.save`.

        Raises `convoy.Error` where the session is for another target, or has a kernel
        that was replaced.
        """
        if self._target != "cpu":
            raise Error(f"expected a session for cpu to save, but got one for '{self._target}'")
        if self.replaced:
            name = self.replaced[0]
            raise Error(f"expected a session with its own kernels to save, but '{name}' is replaced")
        paths = _save.check_paths(output, header, manifest)
        _save.save(self._graph, self.plan, self._name, paths, self._cpu, "", self._threads, self._algorithm)

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
            for step in self.steps
            if isinstance(step, Call) and (kernels is None or step.kernel.name in kernels)
        ]
