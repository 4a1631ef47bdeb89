"""Functions as people write them, as text: what the tests here share.

Sizes are odd and all different, so that no dimension can stand in for another.
"""

SIZES = {"n": 2, "g": 3, "c": 5, "f": 4, "m": 2}
SPATIAL = {"d": 5, "h": 7, "w": 9}
TAPS = {"d": 2, "h": 3, "w": 2}
ACCUMULATOR = {"i8": "i32", "i16": "i32"}


def tensor(sizes, element):
    """The type of a tensor; a size of None is dynamic."""
    parts = ["?" if size is None else str(size) for size in sizes]
    return f"tensor<{'x'.join([*parts, element])}>"


def is_float(element):
    return not element.startswith("i")


def zero(element):
    return "0.0" if is_float(element) else "0"


class Function:
    """A function that is written line by line."""

    def __init__(self, name):
        self.name = name
        self.arguments = []
        self.lines = []
        self.values = 0

    def argument(self, type_):
        self.arguments.append(type_)
        return f"%arg{len(self.arguments) - 1}"

    def line(self, text):
        self.lines.append(f"  {text}")

    def value(self, text):
        """A new value that is `text`."""
        self.values += 1
        self.line(f"%v{self.values} = {text}")
        return f"%v{self.values}"

    def empty(self, sizes, element):
        dynamic = ""
        if None in sizes:
            zero_ = self.value("arith.constant 0 : index")
            type_ = self.arguments[0]
            dynamic = self.value(f"tensor.dim %arg0, {zero_} : {type_}")
        return self.value(f"tensor.empty({dynamic}) : {tensor(sizes, element)}")

    def splat(self, sizes, element, number):
        """A tensor whose elements are all `number`."""
        if None not in sizes:
            return self.value(
                f"arith.constant dense<{number}> : {tensor(sizes, element)}")
        scalar = self.value(f"arith.constant {number} : {element}")
        return self.fill(scalar, sizes, element)

    def fill(self, scalar, sizes, element):
        empty, type_ = self.empty(sizes, element), tensor(sizes, element)
        return self.value(f"linalg.fill ins({scalar} : {element}) "
                          f"outs({empty} : {type_}) -> {type_}")

    def generic(self, inputs, output, body, sizes, element, iterators=None):
        """A linalg.generic. Each of `inputs` is a value, its type and its map's
        results; `output` is an init and its map's results; `body` is lines on
        %a, %b, … and %o, of which the last is yielded."""
        loops = [f"d{i}" for i in range(len(iterators or sizes))]
        names = "abcdefgh"
        maps = [results for *_, results in inputs] + [output[1]]
        texts = ", ".join(f"affine_map<({', '.join(loops)}) -> ({results})>"
                          for results in maps)
        kinds = iterators or ["parallel"] * len(sizes)
        kinds = ", ".join(f'"{kind}"' for kind in kinds)
        arguments = [f"%{names[i]}: {element_of(type_)}"
                     for i, (_, type_, _) in enumerate(inputs)]
        arguments.append(f"%o: {element}")
        ins = ""
        if inputs:
            ins = (f"ins({', '.join(v for v, *_ in inputs)} : "
                   f"{', '.join(t for _, t, _ in inputs)}) ")
        type_ = tensor(sizes, element)
        return self.value(
            f"linalg.generic {{indexing_maps = [{texts}], iterator_types = "
            f"[{kinds}]}} {ins}outs({output[0]} : {type_}) {{\n"
            f"  ^bb0({', '.join(arguments)}):\n    " + "\n    ".join(body) +
            f"\n  }} -> {type_}")

    def text(self, result, type_):
        arguments = ", ".join(
            f"%arg{i}: {t}" for i, t in enumerate(self.arguments))
        return "\n".join([
            f"func.func @{self.name}({arguments}) -> {type_} {{", *self.lines,
            f"  return {result} : {type_}", "}"
        ])


def element_of(type_):
    return type_[len("tensor<"):-1].split("x")[-1] if "<" in type_ else type_


def loops_of(sizes):
    return ", ".join(f"d{i}" for i in range(len(sizes)))


class Conv:
    """A named convolution of linalg, taken apart by its name."""

    def __init__(self, op, element, accumulator=None, stride=1, dilation=1,
                 sizes=None, batch=2):
        words = op.removesuffix("_q").split("_")
        self.op, self.element = op, element
        self.accumulator = accumulator or ACCUMULATOR.get(element, element)
        self.is_quantized = op.endswith("_q")
        self.input, self.filter = (words[-2:] if len(words) > 2 and
                                   words[-1].isalpha() else ("", ""))
        self.sizes = {**SIZES, "n": batch, **(sizes or {})}
        rank = int(next(word for word in words if word[0].isdigit())[0])
        self.spatial = "dhw"[3 - rank:]
        if not self.input:
            self.input = self.filter = self.spatial
        self.output = self.get_output("depthwise" in op)
        self.strides = [stride + (i == 0 and stride > 1)
                        for i in range(rank)]
        self.dilations = [dilation + (i == 1 and dilation > 1)
                          for i in range(rank)]

    def get_output(self, is_depthwise):
        if self.input == self.spatial:
            return self.spatial
        if is_depthwise:
            return self.input + ("m" if "m" in self.filter else "")
        return self.input.replace("c", "f")

    def get(self, layout, spatial):
        return [spatial[letter] if letter in "dhw" else self.sizes[letter]
                for letter in layout]

    @property
    def input_sizes(self):
        return self.get(self.input, SPATIAL)

    @property
    def filter_sizes(self):
        return self.get(self.filter, TAPS)

    @property
    def output_sizes(self):
        window = zip(self.spatial, self.strides, self.dilations)
        positions = {
            letter: (SPATIAL[letter] - dilation * (TAPS[letter] - 1) - 1) //
            stride + 1 for letter, stride, dilation in window
        }
        return self.get(self.output, positions)

    @property
    def result_type(self):
        return tensor(self.output_sizes, self.accumulator)

    def attributes(self):
        if not set("ncg") & set(self.input):
            return ""
        rank = len(self.spatial)
        return (f"{{dilations = dense<{self.dilations}> : tensor<{rank}xi64>, "
                f"strides = dense<{self.strides}> : tensor<{rank}xi64>}} ")

    def write(self, function, init, input_=None, filter_=None):
        """The op on `init`, of arguments where none are given."""
        types = [tensor(self.input_sizes, self.element),
                 tensor(self.filter_sizes, self.element)]
        values = [input_ or function.argument(types[0]),
                  filter_ or function.argument(types[1])]
        if self.is_quantized:
            values += [function.argument("i32"), function.argument("i32")]
            types += ["i32", "i32"]
        return function.value(
            f"linalg.{self.op} {self.attributes()}ins({', '.join(values)} : "
            f"{', '.join(types)}) outs({init} : {self.result_type}) -> "
            f"{self.result_type}")
