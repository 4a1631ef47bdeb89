"""Values in the middle of a model."""

import difflib
from collections.abc import Iterable, Mapping

from convoy._checks import check_text, show
from convoy._native import Error
from convoy.onnx import _runtime
from convoy.onnx._graph import Graph, get_title
from convoy.onnx._kernel import Kernel, Part
from convoy.onnx._plan import Plan
from convoy.onnx._runtime import Runner, Value
from convoy.onnx._values import ALL


class Trace:
    """Values that are asked for by the names of values, nodes or kernels. Nothing of what
    is compiled, or of what ONNX Runtime runs, is another one for it."""

    def __init__(self, graph: Graph, plan: Plan, names: object, threads: int) -> None:
        if not isinstance(names, (list, tuple)):
            raise Error(f"expected a list of names for 'trace', but got {show(names)}")
        self._graph = graph
        self._plan = plan
        self._kernels = {kernel.name: kernel for kernel in plan.kernels}
        self._nodes: dict[str, list[str]] = {}
        for node in graph.nodes:
            self._nodes.setdefault(get_title(node), [name for name in node.output if name])
        found = [self._resolve(check_text(name, "trace")) for name in names]
        #: The values, as the model calls them.
        self.names = tuple(dict.fromkeys(value for values in found for value in values))
        self._runners = self._start_runners(threads)

    def _resolve(self, name: str) -> Iterable[str]:
        """The values that a name stands for."""
        if name == ALL:
            return [
                value
                for step in self._plan.steps
                for value in ([step.result.value] if isinstance(step, Kernel) else step.outputs)
            ]
        if name in self._kernels:
            return [self._kernels[name].result.value]
        is_value = name in self._graph.producers or name in self._graph.inputs
        values = [name] if is_value else self._nodes.get(name)
        if values is None:
            known = [*self._graph.producers, *self._graph.inputs, *self._nodes, *self._kernels]
            nearest = difflib.get_close_matches(name, known, 1, 0)
            hint = f", to which '{nearest[0]}' is nearest" if nearest else ""
            raise Error(f"expected a value, a node or a kernel of the model, but got '{name}'{hint}")
        for value in values:
            self._check(value, name)
        return values

    def _check(self, value: str, name: str) -> None:
        """Raises `convoy.Error` where no step writes a value."""
        number = self._graph.producers.get(value)
        if number is None or any(number in part.numbers for part in self._plan.parts):
            return
        title = get_title(self._graph.nodes[number])
        for kernel in self._plan.kernels:
            if value == kernel.result.value:
                return
            if title in kernel.nodes:
                raise Error(
                    f"expected a value that is written, but '{name}' is inside of the kernel "
                    f"'{kernel.name}', which writes '{kernel.result.value}'"
                )

    def _start_runners(self, threads: int) -> list[tuple[Part, Runner]]:
        """What computes the values inside of parts once more."""
        runners = []
        for part in self._plan.parts:
            made = {name for number in part.numbers for name in self._graph.nodes[number].output}
            wanted = [name for name in self.names if name in made and name not in part.outputs]
            if wanted:
                model = _runtime.make_part(self._graph, part.numbers, part.inputs, wanted)
                runners.append((part, Runner(model, threads, is_plain=True)))
        return runners

    @property
    def read(self) -> set[str]:
        """The values of steps that `find` needs."""
        inside = {name for _, runner in self._runners for name in runner.outputs}
        inputs = {name for part, _ in self._runners for name in part.inputs}
        return inputs | (set(self.names) - inside)

    def find(self, values: Mapping[str, Value]) -> dict[str, Value]:
        """The values, of those of steps, which lie as ONNX has them."""
        known = {name: values[name] for name in self.read}
        for _, runner in self._runners:
            known |= runner.run(known)
        return {name: known[name] for name in self.names}
