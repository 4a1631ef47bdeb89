"""TOSA's convolutions and what networks put between them."""

import itertools

from functions import Function, tensor

N, H, W, C, F = 2, 7, 9, 5, 4


class Graph(Function):
    """A function on tensors of TOSA: values are pairs with their types."""

    def input(self, sizes, element="f32"):
        return self.argument(tensor(sizes, element)), sizes, element

    def op(self, name, operands, sizes, element, attributes=""):
        types = ", ".join(
            type_ if isinstance(type_, str) else tensor(type_, rest[0])
            for _, type_, *rest in operands)
        values = ", ".join(value for value, *_ in operands)
        result = self.value(f"tosa.{name} {values} {attributes} : ({types}) -> "
                            f"{tensor(sizes, element)}")
        return result, sizes, element

    def const(self, sizes, element, number):
        type_ = tensor(sizes, element)
        value = self.value(f'"tosa.const"() <{{values = dense<{number}> : '
                           f"{type_}}}> : () -> {type_}")
        return value, sizes, element

    def shape(self, sizes):
        value = self.value(f"tosa.const_shape {{values = dense<{list(sizes)}> : "
                           f"tensor<{len(sizes)}xindex>}} : () -> "
                           f"!tosa.shape<{len(sizes)}>")
        return value, f"!tosa.shape<{len(sizes)}>"

    def finish(self, result):
        value, sizes, element = result
        return self.text(value, tensor(sizes, element))


def out(size, taps, before, after, stride, dilation):
    """Positions of a window; the pad behind grows until TOSA accepts it."""
    return (size - 1 + before + after - (taps - 1) * dilation) // stride + 1


def fit(size, taps, before, after, stride, dilation):
    rest = (size - 1 + before + after - (taps - 1) * dilation) % stride
    return after + (stride - rest if rest else 0)


def conv(graph, x, kind="conv2d", pad=(0, 0, 0, 0), stride=(1, 1),
         dilation=(1, 1), bias=None, zero_points=(0, 0), features=F,
         taps=(3, 2)):
    """A convolution of `x` with a filter and a bias that are arguments."""
    _, (n, h, w, c), element = x
    accumulator = "i32" if element == "i8" else "f32"
    result = "i32" if element == "i8" else element
    depthwise = kind == "depthwise_conv2d"
    filter_sizes = ([*taps, c, 2] if depthwise else [features, *taps, c])
    filter_ = graph.input(filter_sizes, element)
    channels = 2 * c if depthwise else features
    bias_ = (graph.input([channels], result) if bias is None else
             graph.const([1], result, bias))
    zeros = [graph.const([1], element, f"{number}.0"
                         if element != "i8" else number)
             for number in zero_points]
    if kind == "transpose_conv2d":
        top, bottom, left, right = pad
        sizes = [n, (h - 1) * stride[0] + top + bottom + taps[0],
                 (w - 1) * stride[1] + left + right + taps[1], channels]
        attributes = (f"{{out_pad = array<i64: {top}, {bottom}, {left}, "
                      f"{right}>, stride = array<i64: {stride[0]}, {stride[1]}>,"
                      f" acc_type = {accumulator}}}")
    else:
        top, bottom, left, right = pad
        bottom = fit(h, taps[0], top, bottom, stride[0], dilation[0])
        right = fit(w, taps[1], left, right, stride[1], dilation[1])
        sizes = [n, out(h, taps[0], top, bottom, stride[0], dilation[0]),
                 out(w, taps[1], left, right, stride[1], dilation[1]), channels]
        attributes = (
            f"{{pad = array<i64: {top}, {bottom}, {left}, {right}>, stride = "
            f"array<i64: {stride[0]}, {stride[1]}>, dilation = array<i64: "
            f"{dilation[0]}, {dilation[1]}>, acc_type = {accumulator}}}")
    return graph.op(kind, [x, filter_, bias_, *zeros], sizes, result, attributes)


def single(kind, element, batch, **options):
    words = [kind, element, f"n{batch}"]
    for key, value in options.items():
        words.append(key + "_".join(map(str, value)) if isinstance(value, tuple)
                     else f"{key}{value}")
    graph = Graph("_".join(words).replace("-", "m").replace(".", "_"))
    x = graph.input([batch, H, W, C], element)
    return graph.finish(conv(graph, x, kind, **options))


def conv3d(element, batch, stride):
    graph = Graph(f"conv3d_{element}_n{batch}_stride{stride}")
    d, h, w = 5, 7, 9
    taps = (2, 3, 2)
    x = graph.input([batch, d, h, w, C], element)
    accumulator = "i32" if element == "i8" else "f32"
    result = "i32" if element == "i8" else element
    filter_ = graph.input([F, *taps, C], element)
    bias = graph.input([F], result)
    zeros = [graph.const([1], element, "0.0" if element != "i8" else "-3")
             for _ in range(2)]
    pads, sizes = [], []
    for size, tap in zip((d, h, w), taps):
        after = fit(size, tap, 1, 0, stride, 1)
        pads += [1, after]
        sizes.append(out(size, tap, 1, after, stride, 1))
    attributes = (f"{{pad = array<i64: {', '.join(map(str, pads))}>, stride = "
                  f"array<i64: {stride}, {stride}, {stride}>, dilation = "
                  f"array<i64: 1, 1, 1>, acc_type = {accumulator}}}")
    return graph.finish(graph.op("conv3d", [x, filter_, bias, *zeros],
                                 [batch, *sizes, F], result, attributes))


def clamp(graph, x, low="0.0", high="6.0"):
    element = x[2]
    return graph.op("clamp", [x], x[1], element,
                    f"{{min_val = {low} : {element}, "
                    f"max_val = {high} : {element}}}")


def followed_by(name, *steps):
    """A convolution, then `steps`, each of which takes and gives a value."""
    graph = Graph(f"conv2d_{name}")
    x = conv(graph, graph.input([N, H, W, C]), pad=(1, 1, 0, 1))
    for step in steps:
        x = step(graph, x)
    return graph.finish(x)


def unary(name):
    return lambda graph, x: graph.op(name, [x], x[1], x[2])


def binary(name, sizes=None):
    def step(graph, x):
        other = graph.input(sizes or x[1], x[2])
        operands = [x, other]
        if name == "mul":
            operands.append(graph.const([1], "i8", 0))
        return graph.op(name, operands, x[1], x[2])
    return step


def reduce(name, axis):
    def step(graph, x):
        sizes = [1 if dim == axis else size for dim, size in enumerate(x[1])]
        return graph.op(name, [x], sizes, x[2], f"{{axis = {axis} : i32}}")
    return step


def reshape(graph, x):
    n, h, w, c = x[1]
    sizes = [n * h, w * c]
    return graph.op("reshape", [x, graph.shape(sizes)], sizes, x[2])


def transpose(perms):
    def step(graph, x):
        sizes = [x[1][dim] for dim in perms]
        return graph.op("transpose", [x], sizes, x[2],
                        f"{{perms = array<i32: {', '.join(map(str, perms))}>}}")
    return step


def pad(graph, x):
    amounts = [0, 0, 1, 2, 0, 1, 0, 0]
    sizes = [size + amounts[2 * dim] + amounts[2 * dim + 1]
             for dim, size in enumerate(x[1])]
    number = graph.const([1], x[2], "0.0")
    return graph.op("pad", [x, graph.shape(amounts), number], sizes, x[2])


def slice_(graph, x):
    starts, sizes = [0, 1, 2, 0], [x[1][0], 3, 4, x[1][3] - 1]
    return graph.op("slice", [x, graph.shape(starts), graph.shape(sizes)],
                    sizes, x[2])


def concat(axis):
    def step(graph, x):
        sizes = [2 * size if dim == axis else size
                 for dim, size in enumerate(x[1])]
        other = graph.input(x[1], x[2])
        return graph.op("concat", [x, other], sizes, x[2],
                        f"{{axis = {axis} : i32}}")
    return step


def max_pool(graph, x):
    n, h, w, c = x[1]
    return graph.op("max_pool2d", [x], [n, h - 1, w - 2, c], x[2],
                    "{kernel = array<i64: 2, 3>, stride = array<i64: 1, 1>, "
                    "pad = array<i64: 0, 0, 0, 0>}")


def average_pool(graph, x):
    n, h, w, c = x[1]
    zeros = [graph.const([1], x[2], "0.0") for _ in range(2)]
    return graph.op("avg_pool2d", [x, *zeros], [n, h - 1, w - 2, c], x[2],
                    "{kernel = array<i64: 2, 3>, stride = array<i64: 1, 1>, "
                    "pad = array<i64: 0, 0, 0, 0>, acc_type = f32}")


def again(**options):
    return lambda graph, x: conv(graph, x, features=3, taps=(2, 2), **options)


def select(graph, x):
    zeros = graph.const([1, 1, 1, 1], x[2], "0.0")
    is_positive = graph.op("greater", [x, zeros], x[1], "i1")
    return graph.op("select", [is_positive, x, zeros], x[1], x[2])


def rescale(zero_point):
    def step(graph, x):
        multiplier = graph.const([1], "i32", 1431655765)
        shift = graph.const([1], "i8", 38)
        zeros = [graph.const([1], "i32", 0), graph.const([1], "i8", zero_point)]
        return graph.op(
            "rescale", [x, multiplier, shift, *zeros], x[1], "i8",
            "{scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false,"
            " input_unsigned = false, output_unsigned = false}")
    return step


def quantized(name, *steps):
    graph = Graph(f"quantized_{name}")
    x = conv(graph, graph.input([N, H, W, C], "i8"), pad=(1, 1, 0, 1),
             zero_points=(-5, 0))
    for step in steps:
        x = step(graph, x)
    return graph.finish(x)


def functions():
    for element, batch, pad_, stride in itertools.product(
            ("f32", "i8"), (1, 2), ((0, 0, 0, 0), (1, 2, 0, 1)),
            ((1, 1), (2, 3))):
        yield single("conv2d", element, batch, pad=pad_, stride=stride)
        yield single("depthwise_conv2d", element, batch, pad=pad_, stride=stride)
        yield single("transpose_conv2d", element, batch, pad=pad_, stride=stride)
    for kind in ("conv2d", "depthwise_conv2d"):
        yield single(kind, "f32", 2, dilation=(2, 3), pad=(2, 2, 3, 3))
        yield single(kind, "f16", 2, pad=(1, 1, 1, 1))
        yield single(kind, "i8", 2, zero_points=(7, 0), pad=(1, 1, 1, 1))
        yield single(kind, "f32", 2, bias="1.5")
    for element, batch, stride in itertools.product(("f32", "i8"), (1, 2),
                                                    (1, 2)):
        yield conv3d(element, batch, stride)
    for name in ("sigmoid", "tanh", "exp", "abs", "floor", "ceil"):
        yield followed_by(name, unary(name))
    for name in ("add", "sub", "mul", "maximum", "minimum"):
        yield followed_by(name, binary(name))
        yield followed_by(f"{name}_channel", binary(name, [1, 1, 1, F]))
    yield followed_by("clamp", clamp)
    yield followed_by("select", select)
    for name, axis in itertools.product(
            ("reduce_sum", "reduce_max", "reduce_min"), (1, 3)):
        yield followed_by(f"{name}_{axis}", reduce(name, axis))
    for name, step in (("reshape", reshape), ("pad", pad), ("slice", slice_),
                       ("max_pool", max_pool), ("average_pool", average_pool),
                       ("concat_1", concat(1)), ("concat_3", concat(3)),
                       ("transpose_0312", transpose((0, 3, 1, 2))),
                       ("transpose_3210", transpose((3, 2, 1, 0)))):
        yield followed_by(name, step)
        yield followed_by(f"clamp_{name}", clamp, step)
    yield followed_by("twice", clamp, again())
    yield followed_by("thrice", clamp, again(pad=(1, 0, 1, 0)), clamp, again())
    yield followed_by("pad_twice", pad, again())
    yield followed_by("residual", clamp, binary("add"), clamp, again())
    yield followed_by("pool_twice", max_pool, clamp, again(stride=(1, 1)))
    yield quantized("rescale", rescale(3))
    yield quantized("rescale_twice", rescale(-4), again(zero_points=(-4, 0)))
    yield quantized("clamped", rescale(0),
                    lambda graph, x: clamp(graph, x, "0", "99"))
