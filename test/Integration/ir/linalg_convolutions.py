"""Every named convolution of linalg, by types, strides and dilations."""

from functions import Conv, Function, tensor, zero

NAMED = """
conv_1d conv_2d conv_3d
conv_1d_nwc_wcf conv_1d_ncw_fcw
conv_2d_nhwc_hwcf conv_2d_nhwc_fhwc conv_2d_nchw_fchw
conv_2d_nhwgc_gfhwc conv_2d_ngchw_fgchw conv_2d_ngchw_gfchw
conv_3d_ndhwc_dhwcf conv_3d_ncdhw_fcdhw
depthwise_conv_1d_nwc_wc depthwise_conv_1d_ncw_cw depthwise_conv_1d_nwc_wcm
depthwise_conv_2d_nhwc_hwc depthwise_conv_2d_nchw_chw
depthwise_conv_2d_nhwc_hwcm
depthwise_conv_3d_ndhwc_dhwc depthwise_conv_3d_ncdhw_cdhw
depthwise_conv_3d_ndhwc_dhwcm
""".split()
QUANTIZED = """
conv_2d_nhwc_hwcf_q conv_2d_nhwc_fhwc_q conv_2d_nchw_fchw_q
conv_2d_nhwgc_gfhwc_q conv_2d_ngchw_gfchw_q conv_3d_ndhwc_dhwcf_q
depthwise_conv_2d_nhwc_hwc_q depthwise_conv_2d_nhwc_hwcm_q
""".split()
UNSIGNED = "conv_2d_nhwc_hwcf conv_2d_nchw_fchw".split()


def plain(op, element, accumulator=None, start="zero", **window):
    """One convolution whose sums start at zero, or at an argument."""
    words = [op, element, accumulator or "", start]
    words += [f"{key}{value}" for key, value in window.items()]
    function = Function("_".join(filter(None, words)))
    conv = Conv(op, element, accumulator, **window)
    input_, filter_ = None, None
    if start == "argument":
        input_ = function.argument(tensor_of(conv, "input"))
        filter_ = function.argument(tensor_of(conv, "filter"))
        init = function.argument(conv.result_type)
    else:
        scalar = function.value(
            f"arith.constant {zero(conv.accumulator)} : {conv.accumulator}")
        init = function.fill(scalar, conv.output_sizes, conv.accumulator)
    result = conv.write(function, init, input_, filter_)
    return function.text(result, conv.result_type)


def tensor_of(conv, operand):
    return tensor(getattr(conv, f"{operand}_sizes"), conv.element)


def unsigned(op, signed_filter):
    """Bytes without a sign, as a generic op: named ones extend by the sign."""
    conv = Conv(op, "i8")
    name = f"u8x{'s8' if signed_filter else 'u8'}_{op}"
    function = Function(name)
    input_ = function.argument(tensor_of(conv, "input"))
    filter_ = function.argument(tensor_of(conv, "filter"))
    init = function.splat(conv.output_sizes, "i32", 0)
    loops = {letter: i for i, letter in enumerate(conv.output + "cyx")}

    taps = {"h": f"d{loops['y']}", "w": f"d{loops['x']}"}

    def place(layout, is_filter):
        places = []
        for letter in layout:
            if letter not in taps:
                places.append(f"d{loops[letter]}")
            elif is_filter:
                places.append(taps[letter])
            else:
                places.append(f"d{loops[letter]} + {taps[letter]}")
        return ", ".join(places)

    kinds = ["parallel"] * 4 + ["reduction"] * 3
    extend = "arith.extsi" if signed_filter else "arith.extui"
    body = [
        "%x = arith.extui %a : i8 to i32", f"%w = {extend} %b : i8 to i32",
        "%p = arith.muli %x, %w : i32", "%s = arith.addi %o, %p : i32",
        "linalg.yield %s : i32"
    ]
    output = ", ".join(f"d{loops[letter]}" for letter in conv.output)
    result = function.generic(
        [(input_, tensor_of(conv, "input"), place(conv.input, False)),
         (filter_, tensor_of(conv, "filter"), place(conv.filter, True))],
        (init, output), body, conv.output_sizes, "i32", kinds)
    return function.text(result, conv.result_type)


def functions():
    for op in NAMED:
        yield plain(op, "f32")
        yield plain(op, "f32", start="argument")
        if op.count("_") > 1:
            yield plain(op, "f32", stride=2)
            yield plain(op, "f32", stride=2, dilation=2)
        yield plain(op, "f16", "f32")
        yield plain(op, "bf16", "f32")
        yield plain(op, "f16")
        yield plain(op, "i8")
    for op in NAMED[::4]:
        yield plain(op, "i16")
    for op in NAMED[::3]:
        yield plain(op, "f64")
        yield plain(op, "bf16")
        yield plain(op, "i8", "i32", start="argument")
    for op in QUANTIZED:
        yield plain(op, "i8")
        yield plain(op, "i8", stride=2)
    for op in UNSIGNED:
        yield unsigned(op, True)
        yield unsigned(op, False)
