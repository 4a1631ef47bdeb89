"""Models as they are read, planned, and then compiled or written to files."""

import functools
import os

import onnx

from convoy._arrays import Array
from convoy._checks import check_flag, check_number, check_path, check_seed, check_text
from convoy._native import MAX_THREADS, adds_products_of_bytes
from convoy.onnx import _export, _runtime, _save
from convoy.onnx._graph import Graph
from convoy.onnx._load import Shapes, read_graph
from convoy.onnx._plan import Plan
from convoy.onnx._session import Session


class Model:
    """A model of ONNX whose sizes are known: see `convoy.onnx.load`."""

    def __init__(self, graph: Graph, name: str, joins: bool) -> None:
        #: For the package alone.
        self.graph = graph
        self._name = name
        self._joins = joins

    @property
    def inputs(self) -> dict[str, tuple[int, ...] | None]:
        """The shapes of the inputs by name; None for what is no tensor."""
        return {name: self.graph.get_shape(name) for name in self.graph.inputs}

    @property
    def outputs(self) -> tuple[str, ...]:
        """The names of the outputs."""
        return tuple(self.graph.outputs)

    def generate(self, seed: int = 0) -> dict[str, Array]:
        """Numbers for the inputs: of floats from a normal distribution that follows from
        the seed, of integers 0 and 1, which can be indices.

        Raises `convoy.Error` for a model with inputs that are no tensors of numbers."""
        return _runtime.draw_inputs(self.graph, check_seed(seed))

    @functools.cached_property
    def plan(self) -> Plan:
        """Which nodes become kernels, and which are left. Print it."""
        return Plan(self.graph, joins=self._joins)

    @functools.cached_property
    def _float_plan(self) -> Plan:
        """The same for CPUs that multiply floats faster than bytes."""
        return Plan(self.graph, floats=True, joins=self._joins)

    def _get_cpu_plan(self, cpu: str, triple: str = "") -> Plan:
        return self.plan if adds_products_of_bytes(cpu, triple) else self._float_plan

    def compile(
        self,
        *,
        target: str = "cpu",
        cpu: str = "host",
        threads: int = 1,
        algorithm: str = "direct",
    ) -> Session:
        """Compiles the kernels, several at once: see `convoy.onnx.compile`."""
        return Session(
            self.graph,
            self._get_cpu_plan(check_text(cpu, "cpu")) if target == "cpu" else self.plan,
            self._name,
            check_text(target, "target"),
            check_text(cpu, "cpu"),
            check_number(threads, "threads", 1, MAX_THREADS),
            check_text(algorithm, "algorithm"),
            jobs=os.cpu_count() or 1,
        )

    def export(self, folder: str | os.PathLike[str]) -> None:
        """Writes what convoy-import-onnx does: each kernel as `NAME.mlir`, its
        constants as `NAME.filter.npy` and so on, what is left as `partN.onnx`, and
        `plan.json`. Raises `convoy.Error` where a file cannot be written."""
        _export.export(self.graph, self.plan, self._name, check_path(folder, "folder"))

    def save(
        self,
        output: str | os.PathLike[str],
        *,
        header: str | os.PathLike[str] = "",
        manifest: str | os.PathLike[str] = "",
        cpu: str = "host",
        triple: str = "",
        threads: int = 1,
        algorithm: str = "direct",
    ) -> None:
        """Writes all kernels for other programs, as one object (.o), archive (.a) or
        shared object (.so), with their constants, and with a function for each run of
        kernels that nothing else of the model lies between.

        - `header`: for C.
        - `manifest`: JSON that says what each function computes. `load_compiled` reads
          it, with the files beside it that have what is left to ONNX Runtime.
        - `cpu`, `threads`: as for `convoy.compile`.
        - `algorithm`: as for `convoy.onnx.compile`.
        - `triple`: the architecture and system to compile for, as in LLVM's -mtriple
          (`aarch64-linux-gnu`), with one of its CPUs; empty for this machine.

        Raises `convoy.Error` where there is no kernel, and where a file cannot be
        written; then none is. docs/Onnx.md describes what is in the files.
        """
        _save.save(
            self.graph,
            self._get_cpu_plan(check_text(cpu, "cpu"), check_text(triple, "triple")),
            self._name,
            _save.check_paths(output, header, manifest),
            check_text(cpu, "cpu"),
            check_text(triple, "triple"),
            check_number(threads, "threads", 1, MAX_THREADS),
            check_text(algorithm, "algorithm"),
        )


def load(
    model: str | os.PathLike[str] | onnx.ModelProto,
    *,
    shapes: Shapes | None = None,
    joins: bool = True,
) -> Model:
    """Reads a model of any opset from 7, from a file or as the onnx package has it,
    checks it, infers all shapes, and computes what depends on constants alone.

    - `shapes`: for inputs with sizes that the model leaves free, all of their sizes,
      as in `{"x": (1, 3, 640, 640)}`. Sizes that have one name are the same.
    - `joins`: convolutions with known filters and max pools that a Concat puts
      together, and nothing else reads, are one kernel with it, which writes all where
      it goes. False for values of their own, which `Session.trace` can take.

    Raises `convoy.Error` for what is no model or lacks a file of tensors, for an
    opset that is not known, for a graph with a cycle, and for sizes that are free.
    """
    graph = read_graph(model, {} if shapes is None else shapes)
    name = "" if isinstance(model, onnx.ModelProto) else os.path.basename(model)
    return Model(graph, name, check_flag(joins, "joins"))


def compile(
    model: str | os.PathLike[str] | onnx.ModelProto,
    *,
    shapes: Shapes | None = None,
    target: str = "cpu",
    cpu: str = "host",
    threads: int = 1,
    algorithm: str = "direct",
) -> Session:
    """Reads a model as `load` does, and compiles its convolutions and samples,
    each with what follows it. Kernels that compute the same are compiled once.

    - `target`, `cpu`: as for `convoy.compile`. On the CPU filters are packed, once.
    - `threads`: that a kernel runs in, and ONNX Runtime.
    - `algorithm`: "direct", or "auto", which lets Winograd's algorithm compute the
      convolutions of which it is estimated to be faster, with larger errors
      (docs/Onnx.md), on the CPU.

    Raises `convoy.Error` for what cannot be read or compiled.
    """
    return load(model, shapes=shapes).compile(
        target=target, cpu=cpu, threads=threads, algorithm=algorithm
    )
