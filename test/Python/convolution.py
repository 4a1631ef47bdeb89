"""Convolutions of NumPy's, straight from their definition, to compare with.

Nothing of Convoy is used. One dimension with input i, tap k and output o has the
terms with i = s*o + d*k - p; a convolution has one for each element of input and
filter that meet, and each direction sums over what its result lacks.
"""

import dataclasses
import itertools

import numpy as np


@dataclasses.dataclass(frozen=True)
class Dim:
    """One spatial dimension; dilation 1 is none."""

    input: int
    filter: int
    stride: int = 1
    dilation: int = 1
    pad: int = 0

    @property
    def output(self):
        return (self.input + 2 * self.pad - self.dilation * (self.filter - 1) - 1) // self.stride + 1

    def terms(self, tap):
        """The outputs that have this tap, and the inputs that it meets there."""
        outputs = np.arange(self.output)
        inputs = self.stride * outputs + self.dilation * tap - self.pad
        inside = (inputs >= 0) & (inputs < self.input)
        return inputs[inside], outputs[inside]


@dataclasses.dataclass(frozen=True)
class Conv:
    """A convolution; channels are per group, layouts have a `g` or not."""

    n: int
    g: int
    c: int
    f: int
    dims: tuple
    layouts: tuple = ()

    @property
    def letters(self):
        return "dhw"[3 - len(self.dims) :]

    def text(self):
        """The problem in benchdnn's words."""
        words = [f"g{self.g}mb{self.n}_ic{self.g * self.c}"]
        fields = {
            "i": lambda dim: dim.input,
            "o": lambda dim: dim.output,
            "k": lambda dim: dim.filter,
            "s": lambda dim: dim.stride,
            "d": lambda dim: dim.dilation - 1,
            "p": lambda dim: dim.pad,
        }
        for name, get in fields.items():
            if name == "o":
                words.append(f"_oc{self.g * self.f}")
            words += [f"{name}{x}{get(dim)}" for x, dim in zip(self.letters, self.dims)]
        return "".join(words)

    def sizes(self, operand):
        """The sizes of an operand by letters; `c` and `f` are per group."""
        spatial = [getattr(dim, operand) for dim in self.dims]
        letters = {"input": "ngc", "filter": "gfc", "output": "ngf"}[operand]
        sizes = {x: getattr(self, x) for x in letters}
        return sizes | dict(zip(self.letters, spatial))

    def _order(self, operand, layout):
        """The letters of `layout` with `g`, and where it is joined to the next."""
        if "g" in layout:
            return layout
        return layout.replace({"input": "c", "filter": "f", "output": "f"}[operand], "g*")

    def from_layout(self, array, operand, layout):
        """`array`, which lies in `layout`, with the letters of `sizes` in order."""
        sizes = self.sizes(operand)
        channel = {"input": "c", "filter": "f", "output": "f"}[operand]
        letters = self._order(operand, layout).replace("*", channel)
        array = np.asarray(array).reshape([sizes[x] for x in letters])
        return array.transpose([letters.index(x) for x in sizes])

    def to_layout(self, array, operand, layout):
        """The inverse of `from_layout`."""
        sizes = self.sizes(operand)
        channel = {"input": "c", "filter": "f", "output": "f"}[operand]
        letters = self._order(operand, layout).replace("*", channel)
        flat = array.transpose([list(sizes).index(x) for x in letters])
        shape = []
        for x in layout:
            joins = x == channel and "g" not in layout
            shape.append(self.g * sizes[x] if joins else sizes[x])
        return np.ascontiguousarray(flat).reshape(shape)

    def compute(self, direction, first, second, layouts, dtype):
        """The result of `direction`, without a bias, in its layout."""
        layout = dict(zip(("input", "filter", "output"), layouts))
        roles = {
            "FWD_D": ("input", "filter", "output"),
            "BWD_D": ("output", "filter", "input"),
            "BWD_W": ("input", "output", "filter"),
        }[direction]
        values = {
            role: self.from_layout(array, role, layout[role]).astype(dtype)
            for role, array in zip(roles, (first, second))
        }
        result = np.zeros(list(self.sizes(roles[2]).values()), dtype)
        self._add_terms(direction, values | {roles[2]: result})
        return self.to_layout(result, roles[2], layout[roles[2]])

    def _add_terms(self, direction, values):
        for taps in itertools.product(*(range(dim.filter) for dim in self.dims)):
            pairs = [dim.terms(tap) for dim, tap in zip(self.dims, taps)]
            x = (..., *np.ix_(*(inputs for inputs, _ in pairs)))
            y = (..., *np.ix_(*(outputs for _, outputs in pairs)))
            w = (..., *taps)
            if direction == "FWD_D":
                values["output"][y] += np.einsum(
                    "ngc...,gfc->ngf...", values["input"][x], values["filter"][w]
                )
            elif direction == "BWD_D":
                values["input"][x] += np.einsum(
                    "ngf...,gfc->ngc...", values["output"][y], values["filter"][w]
                )
            else:
                n, g, c, f = self.n, self.g, self.c, self.f
                values["filter"][w] += np.einsum(
                    "ngcs,ngfs->gfc",
                    values["input"][x].reshape(n, g, c, -1),
                    values["output"][y].reshape(n, g, f, -1),
                )
