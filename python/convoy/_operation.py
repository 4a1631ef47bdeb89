"""What is in a module of IR: ops, their values and attributes."""

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from convoy import _native


@dataclasses.dataclass(frozen=True)
class Value:
    """An operand or a result of an op, or an argument of a block.

    `name` is what the printed module calls it, as in `%0`. `shape` has -1 for sizes
    that are dynamic, and is None for what has no shape, as a number; `element` is the
    type of elements, or empty.
    """

    name: str
    type: str
    shape: tuple[int, ...] | None
    element: str

    def __str__(self) -> str:
        return f"{self.name}: {self.type}"


@dataclasses.dataclass(frozen=True)
class Operation:
    """An op as it was when `convoy.Module.walk` came to it: it does not change with
    the module.

    `attributes` are values of Python by name: a bool for i1 and for what is only there
    or not, an int, a float, a text (types and symbols, too), a list, a dictionary, or
    an array of NumPy of int64 or float64 for the elements of a tensor. What is none of
    these, as a layout, is the text that MLIR has for it.
    """

    name: str
    operands: tuple[Value, ...]
    results: tuple[Value, ...]
    #: Of all its blocks: what a function, or the body of an op, is given.
    arguments: tuple[Value, ...]
    attributes: dict[str, Any]
    #: The op's place, as in `gradient.mlir:2:9`, or empty.
    location: str
    #: The op that it is inside of; None for what the module has itself.
    parent: "Operation | None" = dataclasses.field(repr=False)

    @property
    def depth(self) -> int:
        """How many ops it is inside of, the module not among them."""
        return 0 if self.parent is None else self.parent.depth + 1

    def __str__(self) -> str:
        text = f"{self.name}({', '.join(value.name for value in self.operands)})"
        types = ", ".join(map(str, self.results))
        return f"{text} -> {types}" if types else text


def _make_values(infos: list[_native.ValueInfo]) -> tuple[Value, ...]:
    return tuple(
        Value(one.name, one.type, None if one.shape is None else tuple(one.shape), one.element)
        for one in infos
    )


def _make_attribute(value: Any) -> Any:
    """An attribute, in which tuples are shapes and elements of tensors."""
    if isinstance(value, list):
        return [_make_attribute(one) for one in value]
    if isinstance(value, dict):
        return {name: _make_attribute(one) for name, one in value.items()}
    if isinstance(value, tuple):
        shape, elements = value
        array = np.array(elements)
        # One element may stand for all.
        is_whole = array.size == np.prod(shape, dtype=np.int64)
        return array.reshape(shape) if is_whole else np.broadcast_to(array, shape)
    return value


def make_operations(infos: list[_native.OperationInfo]) -> Iterator[Operation]:
    """Ops as a walk finds them, each before those inside of it."""
    made: list[Operation] = []
    for info in infos:
        made.append(
            Operation(
                info.name,
                _make_values(info.operands),
                _make_values(info.results),
                _make_values(info.arguments),
                _make_attribute(info.attributes),
                info.location,
                made[info.parent] if info.parent >= 0 else None,
            )
        )
        yield made[-1]
