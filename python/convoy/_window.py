"""Where filters go: windows of convolutions."""

import dataclasses

#: Letters of spatial dimensions, up to three of them.
SPATIAL = {1: "w", 2: "hw", 3: "dhw"}


@dataclasses.dataclass(frozen=True)
class Window:
    """Of the forward convolution: a value for each spatial dimension."""

    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    pads: tuple[tuple[int, int], ...]

    def __str__(self) -> str:
        """As the ops of Convoy have it, or nothing where all is usual."""
        rank = len(self.strides)
        parts = []
        if self.strides != (1,) * rank:
            parts.append(f"stride = {list(self.strides)}")
        if self.dilations != (1,) * rank:
            parts.append(f"dilation = {list(self.dilations)}")
        if any(low or high for low, high in self.pads):
            parts.append(f"pad = {[list(pair) for pair in self.pads]}")
        return f" window({', '.join(parts)})" if parts else ""
