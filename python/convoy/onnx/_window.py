"""Where filters go: attributes of Conv and ConvTranspose as windows of Convoy."""

from typing import Any

from convoy._window import Window


#: What `auto_pad` may be.
PADS = ("NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID")


def _get_steps(attributes: dict[str, Any], name: str, rank: int) -> tuple[int, ...]:
    return tuple(attributes.get(name) or (1,) * rank)


def _get_pads(attributes: dict[str, Any], rank: int) -> list[tuple[int, int]]:
    pads = attributes.get("pads") or [0] * 2 * rank
    return list(zip(pads[:rank], pads[rank:]))


def _divide(total: int, attributes: dict[str, Any]) -> tuple[int, int]:
    """Pads with `total`: the odd element stands where auto_pad says."""
    total = max(total, 0)
    low = total // 2 if attributes.get("auto_pad") == "SAME_UPPER" else total - total // 2
    return low, total - low


def _is_same(attributes: dict[str, Any]) -> bool:
    return attributes.get("auto_pad") in ("SAME_UPPER", "SAME_LOWER")


def make_window(
    attributes: dict[str, Any], inputs: tuple[int, ...], taps: tuple[int, ...]
) -> tuple[Window, tuple[int, ...]]:
    """The window of a Conv over `inputs` with `taps`, and its output's sizes."""
    rank = len(taps)
    strides = _get_steps(attributes, "strides", rank)
    dilations = _get_steps(attributes, "dilations", rank)
    reach = [(size - 1) * step + 1 for size, step in zip(taps, dilations)]
    pads = _get_pads(attributes, rank)
    if attributes.get("auto_pad") == "VALID":
        pads = [(0, 0)] * rank
    if _is_same(attributes):
        outputs = [-(-size // step) for size, step in zip(inputs, strides)]
        pads = [
            _divide((out - 1) * step + one - size, attributes)
            for out, step, one, size in zip(outputs, strides, reach, inputs)
        ]
    outputs = [
        (size + low + high - one) // step + 1
        for size, (low, high), one, step in zip(inputs, pads, reach, strides)
    ]
    return Window(strides, dilations, tuple(pads)), tuple(outputs)


def make_transposed_window(
    attributes: dict[str, Any], inputs: tuple[int, ...], taps: tuple[int, ...]
) -> tuple[Window, tuple[int, ...]]:
    """The window of the convolution whose gradient a ConvTranspose of `inputs` is,
    and the sizes of its result."""
    rank = len(taps)
    strides = _get_steps(attributes, "strides", rank)
    dilations = _get_steps(attributes, "dilations", rank)
    extra = attributes.get("output_padding") or [0] * rank
    bare = [
        (size - 1) * step + (tap - 1) * dilation + 1
        for size, step, tap, dilation in zip(inputs, strides, taps, dilations)
    ]
    full = [size + more for size, more in zip(bare, extra)]
    pads = _get_pads(attributes, rank)
    if attributes.get("auto_pad") == "VALID":
        pads = [(0, 0)] * rank
    results = [size - low - high for size, (low, high) in zip(full, pads)]
    if _is_same(attributes) and not attributes.get("output_shape"):
        # Where the taps do not reach as far, the result is smaller.
        wanted = [size * step for size, step in zip(inputs, strides)]
        results = [min(size, one) for size, one in zip(full, wanted)]
        pads = [_divide(size - one, attributes) for size, one in zip(full, results)]
    if attributes.get("output_shape"):
        results = list(attributes["output_shape"])[-rank:]
        pads = [_divide(size - one, attributes) for size, one in zip(full, results)]
    ends = tuple(
        (low, size - one - low) for (low, _), size, one in zip(pads, bare, results)
    )
    return Window(strides, dilations, ends), tuple(results)
