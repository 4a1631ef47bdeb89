"""Operands of convolutions as convoy-bench hands them to other libraries."""


class Refusal(Exception):
    """What the library cannot do, as a sentence."""


def order_of(layout, letters):
    """Where each of `letters` stands in `layout`."""
    return [layout.index(letter) for letter in letters]


def split_groups(array, layout, letter, groups):
    """The array with groups as a dimension of their own, and its layout."""
    if "g" in layout:
        return array, layout
    place = layout.index(letter)
    shape = array.shape
    split = (groups, shape[place] // groups)
    array = array.reshape(shape[:place] + split + shape[place + 1 :])
    return array, layout.replace(letter, "g" + letter)


def settle_sizes(problem, sizes, taps):
    """The sizes of the output's spatial dimensions. Padding that is negative only
    because a stride leaves a rest over becomes 0 in `problem`."""

    def outputs(high):
        windows = (problem["strides"], problem["dilations"], problem["pad_low"], high)
        return [
            (i + lo + hi - d * (k - 1) - 1) // s + 1
            for i, k, s, d, lo, hi in zip(sizes, taps, *windows)
        ]

    result = outputs(problem["pad_high"])
    raised = [max(0, pad) for pad in problem["pad_high"]]
    if min(problem["pad_low"]) < 0 or outputs(raised) != result:
        raise Refusal("negative padding is not timed")
    problem["pad_high"] = raised
    return result
