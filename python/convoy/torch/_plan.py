"""What is compiled of graphs, and what is left to PyTorch."""

import collections
import dataclasses

from convoy.torch._kernel import Kernel


def _count(number: int, name: str) -> str:
    return f"{number} {name}" if number == 1 else f"{number} {name}s"


@dataclasses.dataclass(frozen=True)
class Plan:
    """What became of a graph."""

    #: What it computes: "forward", "backward" or "inference", which has no gradients.
    graph: str
    kernels: tuple[Kernel, ...]
    #: Convolutions that are left, by the name of their node, with the reason.
    left: dict[str, str]
    #: How often each op of ATen is left, convolutions among them.
    rest: collections.Counter[str]

    def __str__(self) -> str:
        lines = [f"{self.graph}: {_count(len(self.kernels), 'kernel')}, {_count(self.rest.total(), 'node')} left"]
        lines += [f"  {kernel}" for kernel in self.kernels]
        lines += [f"  left: {node}, since {reason}" for node, reason in self.left.items()]
        counts = [name if count == 1 else f"{count} {name}" for name, count in self.rest.items()]
        return "\n".join([*lines, f"  rest: {', '.join(counts) or 'nothing'}"])
