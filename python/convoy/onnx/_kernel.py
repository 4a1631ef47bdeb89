"""The steps of a plan: kernels that are compiled, and parts that are left."""

import collections
import dataclasses

from convoy.onnx._emit import Operand, Text, get_lying_shape


@dataclasses.dataclass(frozen=True)
class Kernel:
    """Nodes that are one function."""

    #: What the function is called: the first node's name, for C; of several that a
    #: Concat puts together, the Concat's.
    name: str
    #: The ONNX nodes, first the one that begins it, and their ops.
    nodes: tuple[str, ...]
    ops: tuple[str, ...]
    #: The ops that make what is written: one, or one of each part of a Concat.
    ends: tuple[str, ...]
    #: Of the nodes, those that are in the filter and the bias.
    folded: tuple[str, ...]
    #: The scales of the integers that each QuantizeLinear of the nodes rounds to.
    steps: tuple[float, ...]
    written: Text
    #: Whether filters can be packed beforehand.
    packs: bool
    #: The result's, in ONNX's order.
    shape: tuple[int, ...]
    #: What it takes, in about as many multiply-adds.
    work: int

    @property
    def code(self) -> str:
        """The function without its name: equal where two compute the same."""
        return self.written.code

    @property
    def text(self) -> str:
        """A module of MLIR with the function."""
        comment = " ".join(" ".join(self.nodes).split())
        return f"// {comment}\nfunc.func @{self.name}{self.code}"

    @property
    def operands(self) -> tuple[Operand, ...]:
        """What it reads, and the result."""
        return self.written.operands

    @property
    def filters(self) -> tuple[str, ...]:
        """The names of its filters."""
        return tuple(one.name for one in self.operands if one.name.startswith("filter"))

    @property
    def result(self) -> Operand:
        """The value that it computes."""
        return self.operands[-1]

    @property
    def lying_shape(self) -> tuple[int, ...]:
        """The result's shape as it lies, its channels all together."""
        return get_lying_shape(self.shape, self.result.order)

    def __str__(self) -> str:
        parts = [op for op in self.ops if op == "Pad"]
        parts += [
            f"{op} (folded)" if node in self.folded else op
            for node, op in zip(self.nodes, self.ops)
            if op not in ("DequantizeLinear", "Pad")
        ]
        if count := self.ops.count("DequantizeLinear"):
            parts.append(f"{count} DequantizeLinear" if count > 1 else "DequantizeLinear")
        return f"{self.name}: {' + '.join(parts)}"


@dataclasses.dataclass(frozen=True)
class Part:
    """Nodes that ONNX Runtime runs at once, as a model."""

    nodes: tuple[str, ...]
    ops: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    #: The nodes by their numbers in the graph.
    numbers: tuple[int, ...]

    def __str__(self) -> str:
        counts = collections.Counter(self.ops)
        ops = ", ".join(op if count == 1 else f"{count} {op}" for op, count in counts.items())
        return f"left: {ops}"


Step = Kernel | Part
