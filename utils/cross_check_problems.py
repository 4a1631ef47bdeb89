"""Random problems of the ops that PyTorch has as well, for cross-check.py.

A problem is an op as IR, with its dimensions in any order in memory, and the same op as
PyTorch has it. It follows from the op, a seed and a number alone.
"""

import dataclasses
import random

import numpy as np
import torch
import torch.nn.functional as F
import torchvision

from cross_check_numbers import Grid


@dataclasses.dataclass
class Tensor:
    """An operand or a result: its dimensions by letters, as PyTorch orders them, groups
    apart, and the order in which they lie in memory."""

    name: str
    letters: str
    shape: tuple[int, ...]
    order: str

    @property
    def type(self):
        sizes = dict(zip(self.letters, self.shape))
        return f"tensor<{''.join(f'{sizes[one]}x' for one in self.order)}f32>"

    def store(self, array):
        """An array of PyTorch's as it lies in memory."""
        array = np.asarray(array).reshape(self.shape)
        return np.ascontiguousarray(array.transpose([self.letters.index(one) for one in self.order]))

    def load(self, array):
        return array.transpose([self.order.index(one) for one in self.letters])


@dataclasses.dataclass
class Problem:
    """An op as IR, and as PyTorch has it: a function of arrays of `operands` in their
    order, as PyTorch has these."""

    kind: str
    text: str
    operands: list[Tensor]
    result: Tensor
    reference: object
    #: What fills each operand, and its shape as PyTorch has it.
    fills: list[tuple[object, tuple[int, ...]]]


class Drawer:
    """Draws the numbers of one problem."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def number(self, least, most):
        return self.random.randint(least, most)

    def numbers(self, count, least, most):
        return [self.number(least, most) for _ in range(count)]

    def tensor(self, name, letters, shape):
        """A tensor whose dimensions lie in PyTorch's order, or in any other."""
        order = self.random.choice([letters, "".join(self.random.sample(letters, len(letters)))])
        return Tensor(name, letters, tuple(shape), order)

    def window(self, rank, most_taps=3):
        """Taps, strides, dilations and paddings, and inputs that have a window."""
        taps = self.numbers(rank, 1, most_taps)
        strides, dilations = self.numbers(rank, 1, 3), self.numbers(rank, 1, 2)
        pads = [self.number(0, tap // 2) for tap in taps]
        reach = [(tap - 1) * step + 1 for tap, step in zip(taps, dilations)]
        inputs = [max(one - 2 * pad, 1) + self.number(0, 7) for one, pad in zip(reach, pads)]
        outputs = [
            (size + 2 * pad - one) // step + 1
            for size, pad, one, step in zip(inputs, pads, reach, strides)
        ]
        return taps, strides, dilations, pads, inputs, outputs


def format_window(strides, dilations, pads):
    lists = {"stride": strides, "dilation": dilations, "pad": [[pad, pad] for pad in pads]}
    return f"window({', '.join(f'{name} = {values}' for name, values in lists.items())})"


def write(operands, result, op):
    """A function of one op."""
    arguments = ", ".join(f"%{one.name}: {one.type}" for one in operands)
    return f"func.func @f({arguments}) -> {result.type} {{\n  %r = {op}\n  return %r : {result.type}\n}}\n"


def as_torch(function):
    """`function` of tensors as one of arrays."""

    def run(*arrays):
        with torch.no_grad():
            return function(*map(torch.from_numpy, arrays)).numpy()

    return run


def make_reference(compute, names, read, made, defaults):
    """`compute`, a function of the tensors `names`, or its gradient by one of them, as a
    function of the arrays `read`: `made` is "y", the result, or one of `names`. What is
    not read is what `defaults` says: a tensor, nothing, or the shape of zeros."""

    def fill(default):
        return torch.zeros(default) if isinstance(default, tuple) else default

    def run(*arrays):
        given = dict(zip(read, map(torch.from_numpy, arrays)))
        values = {one: given[one] if one in given else fill(defaults[one]) for one in names}
        if made == "y":
            with torch.no_grad():
                return compute(**values).numpy()
        values[made].requires_grad_()
        compute(**values).backward(given["y"])
        return values[made].grad.numpy()

    return run


# ---------------------------------------------------------------------------
# Convolutions
# ---------------------------------------------------------------------------


def draw_groups(draw):
    groups = draw.random.choice([1, 1, 2, 3])
    return groups, draw.number(1, 5), draw.number(1, 5)


def draw_transposed(draw):
    rank = draw.number(1, 3)
    dims = "dhw"[3 - rank :]
    taps, strides, dilations, pads, inputs, _ = draw.window(rank)
    pads = [min(pad, tap - 1) for pad, tap in zip(pads, taps)]
    extra = [draw.number(0, max(step, dilation) - 1) for step, dilation in zip(strides, dilations)]
    inputs = [min(size, 5) + 1 for size in inputs]
    results = [
        (size - 1) * step - 2 * pad + dilation * (tap - 1) + more + 1
        for size, step, pad, dilation, tap, more in zip(inputs, strides, pads, dilations, taps, extra)
    ]
    groups, channels, features = draw_groups(draw)
    batch = draw.number(1, 3)
    x = draw.tensor("x", f"ngc{dims}", (batch, groups, channels, *inputs))
    w = draw.tensor("w", f"gcf{dims}", (groups, channels, features, *taps))
    y = draw.tensor("init", f"ngf{dims}", (batch, groups, features, *results))
    op = (
        f"convoy.conv_transpose ins(%x, %w : {x.type}, {w.type}) outs(%init : {y.type}) "
        f"layout({x.order} x {w.order} -> {y.order}) "
        f"{format_window(strides, dilations, pads)} output_pad({extra})"
    )
    convolve = (F.conv_transpose1d, F.conv_transpose2d, F.conv_transpose3d)[rank - 1]

    def compute(x, w, init):
        return convolve(x, w, None, strides, pads, extra, groups, dilations) + init

    fills = [
        ("plain", (batch, groups * channels, *inputs)),
        ("plain", (groups * channels, features, *taps)),
        ("zero", (batch, groups * features, *results)),
    ]
    return Problem("conv_transpose", write([x, w, y], y, op), [x, w, y], y, as_torch(compute), fills)


#: What ops of deformable convolutions read, besides a mask, and what they make.
DEFORMED = {
    "deform_conv": "xwdy",
    "deform_conv_backward_input": "ywdx",
    "deform_conv_backward_filter": "yxdw",
    "deform_conv_backward_mask": "yxwdm",
    "deform_conv_backward_offset": "yxwdd",
}


def draw_deformed(draw):
    """A deformable convolution."""
    return draw_deformed_op(draw, "deform_conv")


def draw_deformed_gradient(draw):
    """One of the gradients of a deformable convolution."""
    return draw_deformed_op(draw, draw.random.choice(list(DEFORMED)[1:]))


def draw_deformed_op(draw, name):
    taps, strides, dilations, pads, inputs, outputs = draw.window(2)
    groups, channels, features = draw_groups(draw)
    batch, total = draw.number(1, 3), groups * channels
    offset_groups = draw.random.choice([one for one in range(1, total + 1) if total % one == 0])
    count = offset_groups * taps[0] * taps[1]
    tensors = {
        "x": draw.tensor("x", "ngchw", (batch, groups, channels, *inputs)),
        "w": draw.tensor("w", "gfchw", (groups, features, channels, *taps)),
        "d": draw.tensor("d", "nchw", (batch, 2 * count, *outputs)),
        "m": draw.tensor("m", "nchw", (batch, count, *outputs)),
        "y": draw.tensor("y", "ngfhw", (batch, groups, features, *outputs)),
    }
    tensors["m"].order = tensors["d"].order
    shapes = {
        "x": (batch, total, *inputs),
        "w": (groups * features, channels, *taps),
        "d": tensors["d"].shape,
        "m": tensors["m"].shape,
        "y": (batch, groups * features, *outputs),
    }
    *read, made = DEFORMED[name]
    has_mask = name != "deform_conv_backward_mask" and draw.random.random() < 0.5
    if has_mask:
        read.append("m")
    result = dataclasses.replace(tensors[made], name="init")
    text = write_deformed(name, tensors, has_mask, result, format_window(strides, dilations, pads))

    def compute(x, w, d, m):
        return torchvision.ops.deform_conv2d(x, d, w, None, strides, pads, dilations, m)

    # The mask's gradient is that at a mask of which it does not depend.
    given = None if made != "m" and not has_mask else torch.ones(shapes["m"])
    make = make_reference(compute, "xwdm", read, made, {**shapes, "m": given})

    def add(*arrays):
        return make(*arrays[:-1]) + arrays[-1]

    kinds = {"d": "offset", "m": "mask"}
    fills = [(kinds.get(one, "plain"), shapes[one]) for one in read]
    fills.append(("zero", shapes[made]))
    operands = [*(tensors[one] for one in read), result]
    return Problem(name, text, operands, result, add, fills)


def write_deformed(name, tensors, has_mask, result, window):
    """The function of a deformable convolution, or of one of its gradients."""
    *read, _ = DEFORMED[name]
    names = ", ".join(f"%{one}" for one in read)
    types = ", ".join(tensors[one].type for one in read)
    x, w, d, m, y = (tensors[one] for one in "xwdmy")
    mask = f"mask(%m : {m.type}) " if has_mask else ""
    op = (
        f"convoy.{name} ins({names} : {types}) {mask}outs(%init : {result.type}) "
        f"layout({x.order} x {w.order} -> {y.order}) offset_layout({d.order}) {window}"
    )
    operands = [tensors[one] for one in read] + ([m] if has_mask else []) + [result]
    return write(operands, result, op)


# ---------------------------------------------------------------------------
# im2col and col2im
# ---------------------------------------------------------------------------


def draw_unfolded(draw):
    """The image and the rows of a window, in PyTorch's order: channels and taps before
    positions."""
    taps, strides, dilations, pads, inputs, outputs = draw.window(2)
    batch, channels = draw.number(1, 3), draw.number(1, 6)
    image = draw.tensor("x", "nchw", (batch, channels, *inputs))
    # Taps are y and x here.
    positions = "".join(draw.random.sample("nhw", 3))
    window = "".join(draw.random.sample("cyx", 3))
    before = draw.number(0, 3)
    parts = [positions[:before], window, positions[before:]]
    rows = Tensor("x", "ncyxhw", (batch, channels, *taps, *outputs), "".join(parts))
    letters = "|".join(part for part in parts if part).replace("y", "h").replace("x", "w")
    words = f"layout({image.order}, {letters}) {format_window(strides, dilations, pads)}"
    columns = (batch, channels * taps[0] * taps[1], outputs[0] * outputs[1])
    return image, rows, words, columns, (taps, dilations, pads, strides)


def draw_im2col(draw):
    image, rows, words, _, window = draw_unfolded(draw)
    op = f"convoy.im2col %x {words} : {image.type} -> {rows.type}"

    def compute(x):
        return F.unfold(x, *window)

    return Problem("unfold", write([image], rows, op), [image], rows, as_torch(compute), [("plain", image.shape)])


def draw_col2im(draw):
    image, rows, words, columns, window = draw_unfolded(draw)
    op = f"convoy.col2im %x {words} : {rows.type} -> {image.type}"

    def compute(x):
        return F.fold(x, image.shape[2:], *window)

    return Problem("fold", write([rows], image, op), [rows], image, as_torch(compute), [("plain", columns)])


# ---------------------------------------------------------------------------
# Samples
# ---------------------------------------------------------------------------


#: What ops of samples read, and what they make.
SAMPLES = {
    "grid_sample": "xgy",
    "grid_sample_backward_input": "ygx",
    "grid_sample_backward_grid": "yxgg",
}


def draw_samples(draw):
    """Samples of an image."""
    return draw_samples_op(draw, "grid_sample")


def draw_samples_gradient(draw):
    """The gradient of samples by the image or by the grid."""
    return draw_samples_op(draw, draw.random.choice(list(SAMPLES)[1:]))


def draw_samples_op(draw, name):
    rank = draw.number(2, 3)
    dims = "dhw"[3 - rank :]
    mode = draw.random.choice(["linear", "nearest", "cubic"] if rank == 2 else ["linear", "nearest"])
    padding = draw.random.choice(["zeros", "border", "reflection"])
    has_corners = draw.random.random() < 0.5
    batch, channels = draw.number(1, 3), draw.number(1, 6)
    sizes = [draw.random.choice([2, 3, 5, 9] if has_corners else [2, 4, 8]) for _ in dims]
    samples = draw.numbers(rank, 1, 6)
    tensors = {
        "x": draw.tensor("x", f"nc{dims}", (batch, channels, *sizes)),
        "g": draw.tensor("g", f"n{dims}c", (batch, *samples, rank)),
        "y": draw.tensor("y", f"nc{dims}", (batch, channels, *samples)),
    }
    *read, made = SAMPLES[name]
    names = ", ".join(f"%{one}" for one in read)
    types = ", ".join(tensors[one].type for one in read)
    x, g, y = tensors.values()
    # The gradient of a grid has its type, which is not written twice.
    result = "" if name.endswith("grid") else f" -> {tensors[made].type}"
    op = (
        f"convoy.{name} {names} layout({x.order} x {g.order} -> {y.order}) mode({mode}) "
        f"padding({padding}){' align_corners' if has_corners else ''} : {types}{result}"
    )
    torch_mode = {"linear": "bilinear", "cubic": "bicubic"}.get(mode, mode)

    def compute(x, g):
        return F.grid_sample(x, g, torch_mode, padding, has_corners)

    shapes = {one: tensor.shape for one, tensor in tensors.items()}
    has_ties = mode != "nearest" or padding != "reflection"
    # The weights of cubic have three times the digits of a position.
    grid = Grid(tuple(sizes), has_corners, 4 if mode == "cubic" else 8, has_ties)
    operands = [tensors[one] for one in read]
    return Problem(
        f"{name} {mode} {padding}",
        write(operands, tensors[made], op),
        operands,
        tensors[made],
        make_reference(compute, "xg", read, made, shapes),
        [(grid if one == "g" else "plain", shapes[one]) for one in read],
    )


# ---------------------------------------------------------------------------
# Convolutions that are padded with their own input
# ---------------------------------------------------------------------------

#: What is convolved in each direction, and what comes out.
DIRECTIONS = {"conv": "xwy", "conv_backward_data": "ywx", "conv_backward_filter": "xyw"}


def draw_padded(draw):
    """A convolution of an input that is padded before, or one of its gradients."""
    rank = draw.number(1, 3)
    dims, mode = "dhw"[3 - rank :], draw.random.choice(["reflect", "replicate", "circular"])
    taps, strides, dilations = (draw.numbers(rank, 1, most) for most in (3, 3, 2))
    reach = [(tap - 1) * step + 1 for tap, step in zip(taps, dilations)]
    sizes = draw.numbers(rank, 1, 6)
    # PyTorch takes no more.
    most = {"reflect": -1, "replicate": 3, "circular": 0}[mode]
    pads = [tuple(draw.numbers(2, 0, size + most)) for size in sizes]
    sizes = [max(size, one - sum(pair)) for size, one, pair in zip(sizes, reach, pads)]
    padded = [size + sum(pair) for size, pair in zip(sizes, pads)]
    outputs = [(size - one) // step + 1 for size, one, step in zip(padded, reach, strides)]
    groups, channels, features = draw_groups(draw)
    batch = draw.number(1, 3)
    tensors = {
        "x": draw.tensor("x", f"ngc{dims}", (batch, groups, channels, *sizes)),
        "w": draw.tensor("w", f"gfc{dims}", (groups, features, channels, *taps)),
        "y": draw.tensor("y", f"ngf{dims}", (batch, groups, features, *outputs)),
    }
    shapes = {
        "x": (batch, groups * channels, *sizes),
        "w": (groups * features, channels, *taps),
        "y": (batch, groups * features, *outputs),
    }
    direction = draw.random.choice(list(DIRECTIONS))
    window = format_window(strides, dilations, [0] * rank)
    text = write_padded(direction, tensors, dict(zip(dims, pads)), mode, window)
    flat = [pad for pair in reversed(pads) for pad in pair]
    convolve = (F.conv1d, F.conv2d, F.conv3d)[rank - 1]

    def compute(x, w):
        return convolve(F.pad(x, flat, mode), w, None, strides, 0, dilations, groups)

    *read, made = DIRECTIONS[direction]
    return Problem(
        f"padding {mode}",
        text,
        [tensors[one] for one in read],
        tensors[made],
        make_reference(compute, "xw", read, made, shapes),
        [("plain", shapes[one]) for one in read],
    )


def write_padded(direction, tensors, pads, mode, window):
    """The function of a convolution whose input is padded, in one direction."""
    x = tensors["x"]
    ends = [pads.get(letter, (0, 0)) for letter in x.order]
    low, high = ([pair[end] for pair in ends] for end in (0, 1))
    shape = [size + sum(pads.get(one, (0, 0))) for one, size in zip(x.letters, x.shape)]
    padded = Tensor("padded", x.letters, tuple(shape), x.order)
    words = f"mode({mode}) low{low} high{high}"
    *read, made = DIRECTIONS[direction]
    result = tensors[made]
    wide = {**tensors, "x": padded}
    layouts = f"{x.order} x {wide['w'].order} -> {wide['y'].order}"
    names = ", ".join(f"%{wide[one].name}" for one in read)
    types = ", ".join(wide[one].type for one in read)
    lines = [
        "%zero = arith.constant 0.0 : f32",
        f"%empty = tensor.empty() : {wide[made].type}",
        f"%init = linalg.fill ins(%zero : f32) outs(%empty : {wide[made].type}) -> {wide[made].type}",
        f"%sums = convoy.{direction} ins({names} : {types}) outs(%init : {wide[made].type}) "
        f"layout({layouts}) {window}",
    ]
    if made == "x":
        lines.append(f"%r = convoy.pad_backward %sums {words} : {padded.type} -> {x.type}")
    else:
        lines.insert(0, f"%padded = convoy.pad %x {words} : {x.type} -> {padded.type}")
    arguments = ", ".join(f"%{one}: {tensors[one].type}" for one in read)
    body = "".join(f"  {line}\n" for line in lines)
    value = "%r" if made == "x" else "%sums"
    return (
        f"func.func @f({arguments}) -> {result.type} {{\n{body}"
        f"  return {value} : {result.type}\n}}\n"
    )


#: By the names of ops, in the order in which they are compared.
DRAWERS = {
    "conv_transpose": draw_transposed,
    "deform_conv": draw_deformed,
    "deform_gradient": draw_deformed_gradient,
    "fold": draw_col2im,
    "grid_sample": draw_samples,
    "grid_gradient": draw_samples_gradient,
    "padding": draw_padded,
    "unfold": draw_im2col,
}


def draw_problem(op, seed, number):
    """The problem `number` of an op."""
    return DRAWERS[op](Drawer(f"{op} {seed} {number}"))
