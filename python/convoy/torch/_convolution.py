"""Which nodes of a graph convolve, and what they convolve."""

import dataclasses
import operator
from collections.abc import Sequence
from typing import Any

import torch
from torch.fx import Node

from convoy._window import SPATIAL, Window
from convoy.torch._memory import Order, get_order

_aten = torch.ops.aten

#: Types of elements that kernels are made for.
ELEMENTS = {
    torch.float16: "f16",
    torch.bfloat16: "bf16",
    torch.float32: "f32",
    torch.float64: "f64",
}

#: The tensors of a convolution.
INPUT, FILTER, OUTPUT = "input", "filter", "output"

#: What kernels compute: a convolution, and its gradients.
OPS = {OUTPUT: "conv", INPUT: "conv_backward_data", FILTER: "conv_backward_filter"}


class Refusal(Exception):
    """Why a node that convolves is left to PyTorch."""


@dataclasses.dataclass(frozen=True)
class Form:
    """How a tensor lies; the size of a batch is None where calls give it."""

    shape: tuple[int | None, ...]
    order: Order


@dataclasses.dataclass(frozen=True)
class Convolution:
    """One tensor of a convolution, which is computed of the two others.

    That is its output, or a gradient; a transposed convolution is the gradient of the
    input of another, whose output it reads. Roles are those in that other one.
    """

    #: The role of the result, and of what it is made of, in order.
    result: str
    operands: tuple[tuple[str, Node], ...]
    bias: Node | None
    groups: int
    window: Window
    dtype: torch.dtype
    #: By role.
    forms: dict[str, Form]

    @property
    def element(self) -> str:
        """The type of elements, as MLIR has it."""
        return ELEMENTS[self.dtype]

    @property
    def spatial(self) -> str:
        """The letters of spatial dimensions."""
        return SPATIAL[len(self.window.strides)]

    def get_words(self, role: str) -> list[str]:
        """The letters of each dimension of a tensor, as PyTorch has them."""
        groups = "g" if self.groups > 1 else ""
        if role == FILTER:
            return [f"{groups}f", "c", *self.spatial]
        return ["n", f"{groups}{'c' if role == INPUT else 'f'}", *self.spatial]

    def get_sizes(self, role: str) -> dict[str, int | None]:
        """The sizes of a tensor by letters."""
        sizes: dict[str, int | None] = {"g": self.groups} if self.groups > 1 else {}
        for word, size in zip(self.get_words(role), self.forms[role].shape):
            is_split = len(word) > 1 and size is not None
            sizes[word[-1]] = size // self.groups if is_split and size is not None else size
        return sizes


@dataclasses.dataclass(frozen=True)
class _Attributes:
    """The attributes that both ops of PyTorch have, with a value for each dimension."""

    stride: tuple[int, ...]
    padding: tuple[int, ...]
    dilation: tuple[int, ...]
    is_transposed: bool
    groups: int

    @classmethod
    def read(cls, values: Sequence[Any], rank: int) -> "_Attributes":
        """Those of `stride, padding, dilation, transposed, output_padding, groups`."""
        stride, padding, dilation, is_transposed, _, groups = values
        each = [tuple(one) * rank if len(one) == 1 else tuple(one) for one in (stride, padding, dilation)]
        return cls(each[0], each[1], each[2], is_transposed, groups)

    def make_window(self, inputs: Sequence[Any], taps: Sequence[Any], outputs: Sequence[Any]) -> Window:
        """The window of the convolution from `inputs` to `outputs`: padding at the far
        end is what these sizes leave for it."""
        pads = tuple(
            (pad, (out - 1) * step + (tap - 1) * dilation + 1 - size - pad)
            for size, tap, out, step, pad, dilation in zip(
                inputs, taps, outputs, self.stride, self.padding, self.dilation
            )
        )
        return Window(self.stride, self.dilation, pads)


def _check_tensors(tensors: list[Any]) -> torch.dtype:
    """The type of elements of all `tensors`. Raises `Refusal` for what no kernel takes."""
    for tensor in tensors:
        if tensor.device.type != "cpu":
            raise Refusal(f"its tensors are on {tensor.device.type}")
        if tensor.layout != torch.strided:
            raise Refusal(f"its tensors are {str(tensor.layout).removeprefix('torch.')}")
    dtypes = {tensor.dtype for tensor in tensors}
    if len(dtypes) != 1 or not dtypes <= ELEMENTS.keys():
        names = sorted(str(dtype).removeprefix("torch.") for dtype in dtypes)
        raise Refusal(f"its elements are {' and '.join(names)}")
    dtype: torch.dtype = dtypes.pop()
    return dtype


def _make_form(role: str, tensor: Any) -> Form:
    shape = tuple(size if isinstance(size, int) else None for size in tensor.shape)
    unknown = [axis for axis, size in enumerate(shape) if size is None]
    if unknown and (role == FILTER or unknown != [0]):
        raise Refusal(f"size {unknown[-1]} of its {role} is not known before it runs")
    if 0 in shape:
        raise Refusal("it has no elements")
    return Form(shape, get_order(tensor))


def _make(
    result: str,
    nodes: dict[str, Node],
    values: dict[str, Any],
    attributes: _Attributes,
    bias: Node | None = None,
) -> Convolution:
    """What computes the tensor with the role `result`. `values` are the tensors of all
    roles, `nodes` those that are read."""
    dtype = _check_tensors([*values.values(), *([] if bias is None else [bias.meta["val"]])])
    rank = len(attributes.stride)
    if rank not in SPATIAL:
        raise Refusal(f"it has {rank} spatial dimensions")
    forms = {role: _make_form(role, tensor) for role, tensor in values.items()}
    window = attributes.make_window(*(forms[role].shape[2:] for role in (INPUT, FILTER, OUTPUT)))
    operands = tuple((role, nodes[role]) for role in (INPUT, OUTPUT, FILTER) if role != result)
    return Convolution(result, operands, bias, attributes.groups, window, dtype, forms)


def match_forward(node: Node) -> Convolution:
    """What `aten.convolution` computes. Raises `Refusal` where it is left."""
    x, filter, bias, *values = node.args
    attributes = _Attributes.read(values, len(x.meta["val"].shape) - 2)
    read, made = (OUTPUT, INPUT) if attributes.is_transposed else (INPUT, OUTPUT)
    nodes = {read: x, FILTER: filter}
    tensors = {read: x.meta["val"], FILTER: filter.meta["val"], made: node.meta["val"]}
    return _make(made, nodes, tensors, attributes, bias)


def get_items(node: Node) -> dict[int, Node]:
    """What is read of the results of a node, by their numbers."""
    return {user.args[1]: user for user in node.users if user.target is operator.getitem}


def match_backward(node: Node) -> dict[Node, Convolution]:
    """What `aten.convolution_backward` computes, but for the gradient of the bias: by
    the node that is each result. Raises `Refusal` where it is left."""
    gradient, x, filter, _, *values = node.args
    attributes = _Attributes.read(values[:-1], len(x.meta["val"].shape) - 2)
    read, made = (OUTPUT, INPUT) if attributes.is_transposed else (INPUT, OUTPUT)
    nodes = {made: gradient, read: x, FILTER: filter}
    tensors = {role: one.meta["val"] for role, one in nodes.items()}
    found = {}
    for number, role in ((0, read), (1, FILTER)):
        item = get_items(node).get(number)
        if item is not None:
            own = tensors | {role: item.meta["val"]}
            found[item] = _make(role, nodes, own, attributes)
    return found
