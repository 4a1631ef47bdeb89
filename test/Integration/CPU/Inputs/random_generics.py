"""Writes random convolutions as linalg.generic: seed and number are arguments.

Loops, dimensions and operands come in random order; batch, group and channel
dimensions may be absent or, where that is still a convolution, several; windows
have strides, dilations, reversed taps and crops, and may lack position or taps.
"""

import random
import sys


class Generic:
    def __init__(self, source):
        self.source = source
        self.loops = []  # name, size
        self.input, self.filter, self.output = [], [], []  # index, size
        # A second batch or channel dimension takes a place as window, of three.
        batches, channels = source.choice([(0, 1), (1, 0), (1, 1), (1, 1), (1, 2), (2, 1)])
        self.add_windows()
        for count, operands in [
            (source.randint(0, 1), [self.input, self.filter, self.output]),  # g
            (batches, [self.input, self.output]),
            (source.randint(0, 1), [self.filter, self.output]),  # f
            (channels, [self.input, self.filter]),
        ]:
            for _ in range(count):
                self.add_loop(operands)
        for items in [self.loops, self.input, self.filter, self.output]:
            source.shuffle(items)

    def add_loop(self, operands):
        name, size = f"l{len(self.loops)}", self.source.randint(2, 4)
        self.loops.append((name, size))
        for operand in operands:
            operand.append((name, size))
        return name, size

    def add_windows(self):
        """One whole window, and perhaps one that lacks its position or taps."""
        self.add_window(True, True)
        if self.source.random() < 0.5:
            self.add_window(*self.source.choice([(True, True), (True, False), (False, True)]))

    def add_window(self, has_position, has_taps):
        # A lone loop without a factor would be a dimension of its own.
        low, high = self.source.choice([0, 0, 1]), self.source.choice([0, 0, 1])
        terms, size = [], low + high + 1
        if has_position:
            name, count = self.add_loop([self.output])
            stride = self.source.randint(1 if has_taps else 2, 3)
            terms.append(f"{name} * {stride}")
            size += stride * (count - 1)
        if has_taps:
            name, count = self.add_loop([self.filter])
            dilation = self.source.randint(1 if has_position else 2, 2)
            size += dilation * (count - 1)
            if self.source.random() < 0.5:
                dilation, low = -dilation, low + dilation * (count - 1)
            terms.append(f"{name} * {dilation}")
        self.source.shuffle(terms)
        self.input.append((" + ".join(terms) + f" + {low}", size))

    def write(self, name):
        summed = {l for l, _ in self.loops} - {i for i, _ in self.output}
        names = ", ".join(l for l, _ in self.loops)
        kinds = ", ".join(f'"{"reduction" if l in summed else "parallel"}"' for l, _ in self.loops)
        operands = [("x", self.input), ("w", self.filter)]
        self.source.shuffle(operands)
        maps = ", ".join(
            f"affine_map<({names}) -> ({', '.join(i for i, _ in indices)})>"
            for _, indices in [*operands, ("", self.output)]
        )
        types = [f"tensor<{''.join(f'{s}x' for _, s in indices)}i32>" for _, indices in operands]
        result = f"tensor<{''.join(f'{s}x' for _, s in self.output)}i32>"
        factors = self.source.sample(["%x", "%w"], 2)
        summands = self.source.sample(["%acc", "%product"], 2)
        return f"""func.func @{name}(%a: {types[0]}, %b: {types[1]}, %init: {result}) -> {result} {{
  %r = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}}
      ins(%a, %b : {types[0]}, {types[1]}) outs(%init : {result}) {{
  ^bb0(%{operands[0][0]}: i32, %{operands[1][0]}: i32, %acc: i32):
    %product = arith.muli {', '.join(factors)} : i32
    %sum = arith.addi {', '.join(summands)} : i32
    linalg.yield %sum : i32
  }} -> {result}
  return %r : {result}
}}
"""


def main():
    seed, number = map(int, sys.argv[1:])
    source = random.Random(seed)
    for index in range(number):
        print(Generic(source).write(f"generic{index}"))


if __name__ == "__main__":
    main()
