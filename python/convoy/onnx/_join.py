"""Concatenations that are computed with what they put together, so that it is written
where it goes."""

import dataclasses
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from convoy.onnx._emit import Operand, Text
from convoy.onnx._kernel import Kernel, Part, Step


def _is_concatenation(kernel: Kernel) -> bool:
    """Whether a kernel puts values together, and does nothing else to them."""
    return kernel.ops[0] == "Concat" and set(kernel.ops[1:]) <= {"Dropout"}


def _may_join(kernel: Kernel, readers: Mapping[str, int]) -> bool:
    """Whether a kernel can be part of the only one that reads its result: convolutions
    of floats with known filters, and pools that take the largest element. Filters are
    packed, or no filter of a function is."""
    has_integers = bool(kernel.steps) or "DequantizeLinear" in kernel.ops
    if has_integers or readers[kernel.result.value] != 1:
        return False
    if kernel.ops[0] in ("Conv", "ConvTranspose"):
        return kernel.packs
    return kernel.ops[0] in ("MaxPool", "GlobalMaxPool")


def _rename(text: str, number: int) -> str:
    """The names of values with a number behind them."""
    return re.sub(r"%(\w+)", rf"%\1_{number}", text)


def _put(whole: Kernel, parts: Mapping[str, Kernel]) -> Kernel:
    """One kernel of `whole`, a concatenation, and of the kernels that make some of the
    values that it reads, by these."""
    operands: list[Operand] = []
    types: list[str] = []
    lines: list[str] = []
    kept: list[tuple[Operand, str]] = []
    text = "\n".join(whole.written.lines)
    for number, (operand, type) in enumerate(zip(whole.operands[:-1], whole.written.types)):
        part = parts.get(operand.value)
        if part is None:
            kept.append((operand, type))
            continue
        made = part.written
        operands += [
            dataclasses.replace(one, name=f"{one.name}_{number}") for one in made.operands[:-1]
        ]
        types += made.types[:-1]
        lines += [_rename(line, number) for line in made.lines]
        text = re.sub(rf"%{operand.name}\b", _rename(made.result, number), text)
    operands += [*(operand for operand, _ in kept), whole.result]
    types += [*(type for _, type in kept), whole.written.types[-1]]
    every = [*parts.values(), whole]
    return dataclasses.replace(
        whole,
        nodes=tuple(node for kernel in every for node in kernel.nodes),
        ops=tuple(op for kernel in every for op in kernel.ops),
        ends=tuple(op for kernel in parts.values() for op in kernel.ends),
        folded=tuple(node for kernel in every for node in kernel.folded),
        packs=any(kernel.packs for kernel in parts.values()),
        # Of the whole, what is copied.
        work=sum(kernel.work for kernel in parts.values())
        + sum(16 * math.prod(operand.shape) for operand, _ in kept),
        written=Text(
            tuple(operands), tuple(types), (*lines, *text.split("\n")), whole.written.result
        ),
    )


def _count_readers(steps: Iterable[Step], outputs: Sequence[str]) -> Counter[str]:
    """How often each value is read, by the caller, too."""
    readers = Counter(outputs)
    for step in steps:
        if isinstance(step, Part):
            readers.update(step.inputs)
        else:
            readers.update(one.value for one in step.operands[:-1])
    return readers


def join_concatenations(steps: Sequence[Step], outputs: Sequence[str]) -> list[Step]:
    """Steps with each concatenation in one kernel with those that make what it alone
    reads, where it stands: what lies between does not read that."""
    readers = _count_readers(steps, outputs)
    made = {step.result.value: step for step in steps if isinstance(step, Kernel)}
    joined: dict[str, Kernel] = {}
    gone: set[str] = set()
    for step in steps:
        if not isinstance(step, Kernel) or not _is_concatenation(step):
            continue
        parts = {
            operand.value: made[operand.value]
            for operand in step.operands[:-1]
            if operand.value in made
            and _may_join(made[operand.value], readers)
            and made[operand.value].result.shape == operand.shape
        }
        if parts:
            joined[step.name] = _put(step, parts)
            gone.update(part.name for part in parts.values())
    return [
        joined.get(step.name, step) if isinstance(step, Kernel) else step
        for step in steps
        if not isinstance(step, Kernel) or step.name not in gone
    ]
