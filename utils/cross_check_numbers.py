"""What fills the operands of the problems that cross-check.py compares."""

import dataclasses

import numpy as np


@dataclasses.dataclass(frozen=True)
class Grid:
    """Fills a grid with the coordinates of positions that are `parts` of an element,
    within and around an image of `sizes`. The sizes are such that coordinates, positions
    and weights are exact in f32. Without ties positions are never halfway between two
    elements: between reflections PyTorch rounds these after it reflected them, and reads
    another one of the two than ONNX's reference and Convoy (docs/Sampling.md)."""

    sizes: tuple[int, ...]
    has_corners: bool
    parts: int
    has_ties: bool

    def fill(self, shape, generator):
        # The first coordinate is that of the last dimension.
        columns = [self._fill_one(size, shape[:-1], generator) for size in reversed(self.sizes)]
        return np.stack(columns, -1).astype(np.float32)

    def _fill_one(self, size, shape, generator):
        places = np.arange(-3 * self.parts, (size + 2) * self.parts + 1)
        if not self.has_ties:
            places = places[2 * (places % self.parts) != self.parts]
        position = generator.choice(places, shape) / self.parts
        if self.has_corners:
            return 2 * position / (size - 1) - 1
        return (2 * position + 1) / size - 1


def fill_exactly(kind, shape, generator):
    """Integers and binary fractions, of which all sums and products are exact."""
    if kind == "zero":
        return np.zeros(shape, np.float32)
    if kind == "offset":
        return (generator.integers(-9, 10, shape) / 4).astype(np.float32)
    if kind == "mask":
        return (generator.integers(0, 3, shape) / 2).astype(np.float32)
    if isinstance(kind, Grid):
        return kind.fill(shape, generator)
    return generator.integers(-3, 4, shape).astype(np.float32)


def fill_normally(kind, shape, generator):
    """Numbers from a normal distribution."""
    values = generator.standard_normal(shape)
    if kind == "zero":
        values *= 0
    if kind == "offset":
        values *= 2
    if kind == "mask":
        values = abs(values)
    if isinstance(kind, Grid):
        values *= 0.5
    return values.astype(np.float32)
