"""Biases in five forms, ReLUs in four, and what else stands around a
convolution."""

import itertools

from functions import Conv, Function, is_float, loops_of, tensor, zero

OPS = {"nhwc": "conv_2d_nhwc_hwcf", "nchw": "conv_2d_nchw_fchw"}
BIASES = ("broadcast", "init", "arith", "generic", "map")
RELUS = ("max", "maximumf", "select", "clamp")


def channel(conv):
    return conv.output.index("f")


def bias_type(conv):
    return tensor([conv.sizes["f"]], conv.accumulator)


def broadcast(function, conv, bias):
    sizes, type_ = conv.output_sizes, conv.result_type
    empty = function.empty(sizes, conv.accumulator)
    dims = [dim for dim in range(len(sizes)) if dim != channel(conv)]
    return function.value(
        f"linalg.broadcast ins({bias} : {bias_type(conv)}) "
        f"outs({empty} : {type_}) dimensions = {dims}")


def add(conv):
    return "addf" if is_float(conv.accumulator) else "addi"


def start(function, conv, form, bias):
    """What the sums start at, for a bias of this form."""
    if form == "broadcast":
        return broadcast(function, conv, bias)
    sizes, element = conv.output_sizes, conv.accumulator
    if form == "init":
        empty = function.empty(sizes, element)
        return function.generic([(bias, bias_type(conv), f"d{channel(conv)}")],
                                (empty, loops_of(sizes)),
                                [f"linalg.yield %a : {element}"], sizes,
                                element)
    return function.splat(sizes, element, zero(element))


def finish(function, conv, form, bias, result):
    """The bias added to a result, for the forms that do."""
    sizes, element, type_ = (conv.output_sizes, conv.accumulator,
                             conv.result_type)
    if form in ("broadcast", "init"):
        return result
    if form == "arith":
        wide = broadcast(function, conv, bias)
        return function.value(f"arith.{add(conv)} {result}, {wide} : {type_}")
    empty = function.empty(sizes, element)
    if form == "map":
        wide = broadcast(function, conv, bias)
        return function.value(f"linalg.map {{ arith.{add(conv)} }} "
                              f"ins({result}, {wide} : {type_}, {type_}) "
                              f"outs({empty} : {type_})")
    body = [f"%s = arith.{add(conv)} %a, %b : {element}",
            f"linalg.yield %s : {element}"]
    loops = loops_of(sizes)
    return function.generic(
        [(result, type_, loops),
         (bias, bias_type(conv), f"d{channel(conv)}")], (empty, loops), body,
        sizes, element)


def relu(function, sizes, element, form, value):
    type_, loops = tensor(sizes, element), loops_of(sizes)
    maximum = "maximumf" if is_float(element) else "maxsi"
    minimum = "minimumf" if is_float(element) else "minsi"
    if form == "max":
        zeros = function.splat(sizes, element, zero(element))
        empty = function.empty(sizes, element)
        return function.value(f"linalg.max ins({value}, {zeros} : {type_}, "
                              f"{type_}) outs({empty} : {type_}) -> {type_}")
    if form == "maximumf":
        zeros = function.splat(sizes, element, zero(element))
        return function.value(f"arith.{maximum} {value}, {zeros} : {type_}")
    if form == "select":
        compare = ("cmpf ogt" if is_float(element) else "cmpi sgt")
        body = [f"%z = arith.constant {zero(element)} : {element}",
                f"%p = arith.{compare}, %a, %z : {element}",
                f"%r = arith.select %p, %a, %z : {element}"]
    else:
        most = "6.0" if is_float(element) else "6"
        body = [f"%z = arith.constant {zero(element)} : {element}",
                f"%m = arith.constant {most} : {element}",
                f"%q = arith.{maximum} %a, %z : {element}",
                f"%r = arith.{minimum} %q, %m : {element}"]
    empty = function.empty(sizes, element)
    return function.generic([(value, type_, loops)], (empty, loops),
                            body + [f"linalg.yield %r : {element}"], sizes,
                            element)


def with_bias_and_relu(layout, element, accumulator, bias_form, relu_form,
                       batch=2):
    conv = Conv(OPS[layout], element, accumulator, batch=batch)
    words = [layout, element, bias_form, relu_form or "plain"]
    function = Function("_".join(words) + ("_dynamic" if not batch else ""))
    input_ = function.argument(tensor(conv.input_sizes, element))
    filter_ = function.argument(tensor(conv.filter_sizes, element))
    bias = function.argument(bias_type(conv))
    init = start(function, conv, bias_form, bias)
    result = conv.write(function, init, input_, filter_)
    result = finish(function, conv, bias_form, bias, result)
    if relu_form:
        result = relu(function, conv.output_sizes, conv.accumulator, relu_form,
                      result)
    return function.text(result, conv.result_type)


def residual(layout, element, side, before):
    """Another tensor added before or behind a ReLU, on either side."""
    conv = Conv(OPS[layout], element)
    function = Function(
        f"residual_{layout}_{element}_{side}_{'before' if before else 'behind'}")
    type_ = conv.result_type
    input_ = function.argument(tensor(conv.input_sizes, element))
    filter_ = function.argument(tensor(conv.filter_sizes, element))
    other = function.argument(type_)
    sizes, accumulator = conv.output_sizes, conv.accumulator
    init = function.splat(sizes, accumulator, zero(accumulator))
    result = conv.write(function, init, input_, filter_)
    if not before:
        result = relu(function, sizes, accumulator, "maximumf", result)
    pair = (result, other) if side == "right" else (other, result)
    result = function.value(f"arith.{add(conv)} {pair[0]}, {pair[1]} : {type_}")
    if before:
        result = relu(function, sizes, accumulator, "select", result)
    return function.text(result, type_)


def unary(layout, op, element="f32"):
    """A function of the math dialect, on the whole tensor or as a named op."""
    conv = Conv(OPS[layout], element)
    function = Function(f"{op.replace('.', '_')}_{layout}_{element}")
    type_, sizes = conv.result_type, conv.output_sizes
    init = function.splat(sizes, conv.accumulator, zero(conv.accumulator))
    result = conv.write(function, init)
    if op.startswith("linalg."):
        empty = function.empty(sizes, conv.accumulator)
        result = function.value(
            f"{op} ins({result} : {type_}) outs({empty} : {type_}) -> {type_}")
    else:
        result = function.value(f"{op} {result} : {type_}")
    return function.text(result, type_)


def followed_by(name, layout, element, op, get_operand):
    """Sums combined with the operand that `get_operand` gives, by a generic."""
    conv = Conv(OPS[layout], element)
    function = Function(f"{name}_{layout}")
    sizes, sums = conv.output_sizes, conv.accumulator
    type_, loops = conv.result_type, loops_of(sizes)
    init = function.splat(sizes, sums, zero(sums))
    result = conv.write(function, init)
    operand = get_operand(function)
    empty = function.empty(sizes, sums)
    body = [f"%r = arith.{op} %a, {operand} : {sums}",
            f"linalg.yield %r : {sums}"]
    result = function.generic([(result, type_, loops)], (empty, loops), body,
                              sizes, sums)
    return function.text(result, type_)


def scaled(layout, op):
    """Sums multiplied by a number that the function takes."""
    return followed_by(f"{op}_by_argument", layout, "f32", op,
                       lambda function: function.argument("f32"))


def divided(layout, op):
    """Integer sums divided by a constant."""
    return followed_by(op, layout, "i8", op, lambda function: function.value(
        "arith.constant 7 : i32"))


def functions():
    for layout, bias, form in itertools.product(OPS, BIASES, RELUS):
        yield with_bias_and_relu(layout, "f32", None, bias, form)
    for bias, element in itertools.product(BIASES, ("f16", "bf16", "i8")):
        accumulator = None if element == "i8" else "f32"
        yield with_bias_and_relu("nhwc", element, accumulator, bias, None)
        yield with_bias_and_relu("nchw", element, accumulator, bias, "clamp")
    for layout, element in itertools.product(OPS, ("f32", "i8")):
        for side, before in itertools.product(("left", "right"), (True, False)):
            yield residual(layout, element, side, before)
    for op in ("linalg.exp", "linalg.negf", "linalg.abs", "linalg.tanh",
               "math.sqrt", "math.erf", "math.floor", "linalg.square"):
        yield unary("nhwc" if len(op) % 2 else "nchw", op)
    for layout, op in itertools.product(OPS, ("mulf", "addf", "divf")):
        yield scaled(layout, op)
    for layout, op in itertools.product(OPS, ("divsi", "remsi", "shrsi")):
        yield divided(layout, op)


def dynamic_functions():
    """The same with a batch that is known when the function runs."""
    for layout, bias, form in itertools.product(OPS, ("arith", "generic"),
                                                ("max", "select", "clamp")):
        yield with_bias_and_relu(layout, "f32", None, bias, form, None)
