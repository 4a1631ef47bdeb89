"""Several convolutions, reductions and transposes between them, slices and
pads."""

import itertools

from epilogues import OPS, relu
from functions import SPATIAL, Conv, Function, tensor, zero


def start(function, conv):
    return function.splat(conv.output_sizes, conv.accumulator,
                          zero(conv.accumulator))


def chain(layout, count, between):
    """`count` convolutions, each of the last one's result."""
    function = Function(f"chain_{layout}_{count}_{between}")
    channels, sizes = [5, 4, 6, 3], None
    value, positions = None, dict(SPATIAL)
    for number in range(count):
        taps = {"h": 3 - number % 2, "w": 2}
        sizes = {"n": 2, "c": channels[number], "f": channels[number + 1]}
        after = {x: positions[x] - taps[x] + 1 for x in "hw"}
        shape = lambda letters, where: [
            where[x] if x in "hw" else sizes[x] for x in letters]
        input_type = tensor(shape(layout, positions), "f32")
        filter_layout = "hwcf" if layout == "nhwc" else "fchw"
        filter_type = tensor(shape(filter_layout, taps), "f32")
        output = shape(layout.replace("c", "f"), after)
        value = value or function.argument(input_type)
        filter_ = function.argument(filter_type)
        init = function.splat(output, "f32", "0.0")
        type_ = tensor(output, "f32")
        value = function.value(
            f"linalg.{OPS[layout]} ins({value}, {filter_} : {input_type}, "
            f"{filter_type}) outs({init} : {type_}) -> {type_}")
        if between == "relu":
            value = relu(function, output, "f32", "max", value)
        positions = after
    return function.text(value, type_)


def transposed(first, permutation):
    """A convolution in one layout, a transpose, and one in the other."""
    function = Function(f"transposed_{first.op}_" + "".join(map(str, permutation)))
    value = first.write(function, start(function, first))
    sizes = [first.output_sizes[dim] for dim in permutation]
    empty, type_ = function.empty(sizes, "f32"), tensor(sizes, "f32")
    value = function.value(
        f"linalg.transpose ins({value} : {first.result_type}) "
        f"outs({empty} : {type_}) permutation = {list(permutation)}")
    return function.text(value, type_)


def reduced(layout, op, dims, keeps_relu):
    """A reduction over some dimensions of a convolution's result."""
    conv = Conv(OPS[layout], "f32")
    function = Function(f"reduced_{layout}_{op}_{''.join(map(str, dims))}")
    value = conv.write(function, start(function, conv))
    if keeps_relu:
        value = relu(function, conv.output_sizes, "f32", "clamp", value)
    sizes = [size for dim, size in enumerate(conv.output_sizes)
             if dim not in dims]
    first = {"addf": "0.0", "mulf": "1.0", "maximumf": "0xFF800000"}[op]
    init = function.splat(sizes, "f32", first)
    type_ = tensor(sizes, "f32")
    value = function.value(
        f"linalg.reduce {{ arith.{op} }} ins({value} : {conv.result_type}) "
        f"outs({init} : {type_}) dimensions = {list(dims)}")
    return function.text(value, type_)


def padded(layout, low, high, element="f32", value="0"):
    """A pad before a convolution, with zeros or with another number."""
    conv = Conv(OPS[layout], element)
    words = [layout, element, *map(str, low), *map(str, high), value]
    function = Function("padded_" + "_".join(words).replace(".", ""))
    inner = [size - (low + high if letter in "hw" else 0) for size, letter, low,
             high in zip(conv.input_sizes, layout, *(
                 [pads["hw".index(x)] if x in "hw" else 0 for x in layout]
                 for pads in (low, high)))]
    source = function.argument(tensor(inner, element))
    pads = [[pads["hw".index(x)] if x in "hw" else 0 for x in layout]
            for pads in (low, high)]
    text = f"{value}.0" if element.startswith("f") else value
    number = function.value(f"arith.constant {text} : {element}")
    type_ = tensor(conv.input_sizes, element)
    input_ = function.value(
        f"tensor.pad {source} low{pads[0]} high{pads[1]} {{\n"
        f"  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):\n"
        f"    tensor.yield {number} : {element}\n"
        f"  }} : {tensor(inner, element)} to {type_}")
    value = conv.write(function, start(function, conv), input_)
    return function.text(value, conv.result_type)


def sliced_result(layout, strides):
    """A slice of a convolution's result, with gaps or without."""
    conv = Conv(OPS[layout], "f32")
    function = Function(f"slice_{layout}_{'_'.join(map(str, strides))}")
    value = conv.write(function, start(function, conv))
    offsets = [0, 1, 1, 0]
    sizes = [(size - offset - 1) // stride + 1 for size, offset, stride in
             zip(conv.output_sizes, offsets, strides)]
    type_ = tensor(sizes, "f32")
    value = function.value(
        f"tensor.extract_slice {value}{offsets} {sizes} {list(strides)} : "
        f"{conv.result_type} to {type_}")
    return function.text(value, type_)


def sliced_input(layout, offset):
    """A convolution of a part of a larger input."""
    conv = Conv(OPS[layout], "f32")
    function = Function(f"slice_of_input_{layout}_{offset}")
    offsets = [offset if letter in "hw" else 0 for letter in layout]
    whole = [size + 2 * at for size, at in zip(conv.input_sizes, offsets)]
    source = function.argument(tensor(whole, "f32"))
    input_ = function.value(
        f"tensor.extract_slice {source}{offsets} {conv.input_sizes} "
        f"[1, 1, 1, 1] : {tensor(whole, 'f32')} to "
        f"{tensor(conv.input_sizes, 'f32')}")
    value = conv.write(function, start(function, conv), input_)
    return function.text(value, conv.result_type)


def inserted(layout, dim):
    """A result in a larger tensor, and two results side by side."""
    conv = Conv(OPS[layout], "f32")
    function = Function(f"insert_{layout}_{dim}")
    value = conv.write(function, start(function, conv))
    sizes = list(conv.output_sizes)
    sizes[dim] += 3
    target = function.argument(tensor(sizes, "f32"))
    offsets = [2 if at == dim else 0 for at in range(4)]
    type_ = tensor(sizes, "f32")
    value = function.value(
        f"tensor.insert_slice {value} into {target}{offsets} "
        f"{conv.output_sizes} [1, 1, 1, 1] : {conv.result_type} into {type_}")
    return function.text(value, type_)


def concatenated(layout, dim):
    conv = Conv(OPS[layout], "f32")
    function = Function(f"concat_{layout}_{dim}")
    first = conv.write(function, start(function, conv))
    other = function.argument(conv.result_type)
    sizes = list(conv.output_sizes)
    sizes[dim] *= 2
    type_ = tensor(sizes, "f32")
    value = function.value(f"tensor.concat dim({dim}) {first}, {other} : "
                           f"({conv.result_type}, {conv.result_type}) -> "
                           f"{type_}")
    return function.text(value, type_)


def pooled(op, element="f32"):
    """Pooling of a convolution's result."""
    conv = Conv("conv_2d_nhwc_hwcf", element)
    function = Function(f"{op}_{element}")
    value = conv.write(function, start(function, conv))
    n, h, w, f = conv.output_sizes
    sizes = [n, h - 2, w - 1, f]
    type_, window = tensor(sizes, element), function.empty([3, 2], element)
    first = "0xFF800000" if "max" in op else "0x7F800000" if "min" in op else "0.0"
    init = function.splat(sizes, element, first)
    value = function.value(
        f"linalg.{op} {{dilations = dense<1> : tensor<2xi64>, strides = "
        f"dense<1> : tensor<2xi64>}} ins({value}, {window} : "
        f"{conv.result_type}, {tensor([3, 2], element)}) outs({init} : {type_})"
        f" -> {type_}")
    return function.text(value, type_)


def matrix_product(element="f32"):
    """A convolution whose result becomes a matrix, times another one."""
    conv = Conv("conv_2d_nhwc_hwcf", element)
    function = Function(f"matmul_{element}")
    value = conv.write(function, start(function, conv))
    n, h, w, f = conv.output_sizes
    rows = tensor([n * h * w, f], element)
    value = function.value(
        f"tensor.collapse_shape {value} [[0, 1, 2], [3]] : {conv.result_type} "
        f"into {rows}")
    other = function.argument(tensor([f, 3], element))
    init = function.splat([n * h * w, 3], element, "0.0")
    type_ = tensor([n * h * w, 3], element)
    value = function.value(
        f"linalg.matmul ins({value}, {other} : {rows}, {tensor([f, 3], element)}"
        f") outs({init} : {type_}) -> {type_}")
    return function.text(value, type_)


def functions():
    layouts = ("nhwc", "nchw")
    for layout, count, between in itertools.product(layouts, (2, 3),
                                                    ("plain", "relu")):
        yield chain(layout, count, between)
    for permutation in ((0, 3, 1, 2), (2, 1, 0, 3), (3, 2, 1, 0)):
        yield transposed(Conv("conv_2d_nhwc_hwcf", "f32"), permutation)
        yield transposed(Conv("conv_2d_nchw_fchw", "f32"), permutation)
    for layout, op, dims in itertools.product(
            layouts, ("addf", "maximumf", "mulf"), ((1, 2), (0,), (3,), (1,))):
        yield reduced(layout, op, dims, op == "mulf")
    for layout, low, high in itertools.product(
            layouts, ((1, 1), (0, 2), (2, 0)), ((1, 1), (2, 1))):
        yield padded(layout, low, high)
    for layout in layouts:
        yield padded(layout, (1, 0), (0, 1), "i8")
        yield padded(layout, (1, 0), (0, 1), "f32", "2")
        yield padded(layout, (1, 1), (1, 0), "i8", "3")
    for layout, strides in itertools.product(
            layouts, ((1, 1, 1, 1), (1, 2, 1, 1), (1, 1, 2, 2))):
        yield sliced_result(layout, strides)
    for layout, offset in itertools.product(layouts, (1, 2)):
        yield sliced_input(layout, offset)
    for layout, dim in itertools.product(layouts, (0, 1, 2, 3)):
        yield inserted(layout, dim)
        yield concatenated(layout, dim)
    for op in ("pooling_nhwc_sum", "pooling_nhwc_max", "pooling_nhwc_min"):
        yield pooled(op)
    yield matrix_product()
