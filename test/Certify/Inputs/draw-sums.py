#!/usr/bin/env python3
"""Draws pairs of sums of elements, and judges the certifier's verdicts.

A sum goes over one to four numbers, and its place is a sum of multiples, quotients
and remainders of these. The other of a pair has the numbers in another order, split
in two, other ranges or factors, or another place altogether. Each verdict is compared
with how often both functions add which element. A line for each that is wrong; exits
with 1 if there is one.
"""

import collections
import itertools
import random
import re
from dataclasses import dataclass

import drawn_pairs

LETTERS = "ijkl"


@dataclass(frozen=True)
class Sum:
    """Over numbers below `sizes`, of the elements at `place`, an affine map's text."""

    sizes: tuple
    place: str

    def count(self):
        """How often it adds the element at each place."""
        code = self.place.replace("floordiv", "//").replace("mod", "%")
        code = compile(code, "place", "eval")
        return collections.Counter(
            eval(code, {}, dict(zip(LETTERS, point)))
            for point in itertools.product(*map(range, self.sizes)))

    def write(self, name, size, element_type):
        letters = LETTERS[:len(self.sizes)]
        args, shape = ", ".join(letters), "x".join(map(str, self.sizes))
        one, add = ("1.0", "addf") if element_type == "f32" else ("1", "addi")
        indices = "".join(f"    %{letter} = linalg.index {number} : index\n"
                          for number, letter in enumerate(letters))
        iterators = ", ".join(['"reduction"'] * len(letters))
        return f"""\
func.func @{name}(%a: tensor<{size}x{element_type}>, %init: tensor<{element_type}>) -> tensor<{element_type}> {{
  %ones = arith.constant dense<{one}> : tensor<{shape}x{element_type}>
  %r = linalg.generic {{indexing_maps = [affine_map<({args}) -> ({args})>, affine_map<({args}) -> ()>], iterator_types = [{iterators}]}}
      ins(%ones : tensor<{shape}x{element_type}>) outs(%init : tensor<{element_type}>) {{
  ^bb0(%one: {element_type}, %so_far: {element_type}):
{indices}    %p = affine.apply affine_map<({args}) -> ({self.place})>({", ".join("%" + letter for letter in letters)})
    %x = tensor.extract %a[%p] : tensor<{size}x{element_type}>
    %more = arith.{add} %so_far, %x : {element_type}
    linalg.yield %more : {element_type}
  }} -> tensor<{element_type}>
  return %r : tensor<{element_type}>
}}
"""


def draw_part(letter, letters):
    factor = random.randint(1, 9)
    return random.choice([
        lambda: f"{letter} * {factor}",
        lambda: f"{letter} * {factor}",
        lambda: f"({letter} floordiv {random.randint(2, 4)}) * {factor}",
        lambda: f"({letter} mod {random.randint(2, 4)}) * {factor}",
        lambda: (f"(({letter} * {random.randint(1, 5)} + {random.choice(letters)}) "
                 f"floordiv {random.randint(2, 5)}) * {factor}"),
    ])()


def draw(count):
    letters = LETTERS[:count]
    return Sum(tuple(random.randint(2, 6) for _ in letters),
               " + ".join(draw_part(letter, letters) for letter in letters))


def reorder(before):
    """The same, its numbers in another order."""
    order = random.sample(range(len(before.sizes)), len(before.sizes))
    letters = {LETTERS[old]: LETTERS[new] for new, old in enumerate(order)}
    place = re.sub(r"\b[ijkl]\b", lambda match: letters[match[0]], before.place)
    return Sum(tuple(before.sizes[old] for old in order), place)


def split(before):
    """The same, the last number split in two, of which there may be too many."""
    if len(before.sizes) == len(LETTERS):
        return before
    last, new = LETTERS[len(before.sizes) - 1], LETTERS[len(before.sizes)]
    place = re.sub(rf"\b{last}\b", f"({last} * 2 + {new})", before.place)
    return Sum(before.sizes[:-1] + ((before.sizes[-1] + 1) // 2, 2), place)


def resize(before):
    sizes = list(before.sizes)
    number = random.randrange(len(sizes))
    sizes[number] = max(1, sizes[number] + random.choice([-1, 1]))
    return Sum(tuple(sizes), before.place)


def refactor(before):
    """Another factor in the place of one."""
    factors = list(re.finditer(r"(?<=\* )\d+", before.place))
    one = random.choice(factors)
    other = max(1, int(one[0]) + random.choice([-1, 1]))
    return Sum(before.sizes, before.place[:one.start()] + str(other) + before.place[one.end():])


def change(before):
    how = random.choice([reorder, reorder, split, resize, refactor,
                         lambda before: draw(len(before.sizes))])
    return how(before)


def main():
    options = drawn_pairs.parse_options(__doc__)
    pairs, texts = {}, {}
    for number in range(options.count):
        name = f"f{number}"
        before = draw(random.randint(1, 3))
        pairs[name] = (before, change(before))
        size = max(max(one.count()) for one in pairs[name]) + 1
        element_type = random.choice(["f32", "i32"])
        texts[name] = [one.write(name, size, element_type) for one in pairs[name]]

    def find_fault(name, verdict):
        before, after = pairs[name]
        if before.count() != after.count():
            return "the sums differ" if verdict == "certified" else None
        return "the sums are equal" if verdict == "different" else None

    drawn_pairs.judge(options, texts, find_fault)


if __name__ == "__main__":
    main()
