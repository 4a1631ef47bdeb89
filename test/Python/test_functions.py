"""Functions of IR: compiled, called, checked."""

import concurrent.futures
import pathlib
import re

import numpy as np
import pytest

import convoy

LAYER_OF_BYTES = """
func.func @layer(%x: tensor<2x9x7x7xi8>, %w: tensor<3x2x7x13xi8>) -> tensor<2x7x6x13xi32> {
  %zero = arith.constant dense<0> : tensor<2x7x6x13xi32>
  %r = convoy.conv ins(%x, %w : tensor<2x9x7x7xi8>, tensor<3x2x7x13xi8>)
      outs(%zero : tensor<2x7x6x13xi32>) layout(nhwc x hwcf -> nhwf)
  return %r : tensor<2x7x6x13xi32>
}
"""

LAYER = """
func.func @layer(%x: tensor<2x7x9x5xf32>, %w: tensor<3x2x5x4xf32>, %b: tensor<4xf32>) -> tensor<2x5x8x4xf32> {
  %e = tensor.empty() : tensor<2x5x8x4xf32>
  %bias = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<2x5x8x4xf32>) dimensions = [0, 1, 2]
  %y = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<2x7x9x5xf32>, tensor<3x2x5x4xf32>)
      outs(%bias : tensor<2x5x8x4xf32>) -> tensor<2x5x8x4xf32>
  %zeros = arith.constant dense<0.0> : tensor<2x5x8x4xf32>
  %relu = arith.maximumf %y, %zeros : tensor<2x5x8x4xf32>
  return %relu : tensor<2x5x8x4xf32>
}
"""

TWO_CONVOLUTIONS = """
func.func @net(%x: tensor<?x13x14x16xf32>, %w: tensor<3x3x16x24xf32>, %v: tensor<3x3x24x8xf32>,
               %b: tensor<?x11x12x24xf32>, %c: tensor<?x9x10x8xf32>) -> tensor<?x9x10x8xf32> {
  %y = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<?x13x14x16xf32>, tensor<3x3x16x24xf32>)
      outs(%b : tensor<?x11x12x24xf32>) -> tensor<?x11x12x24xf32>
  %r = math.tanh %y : tensor<?x11x12x24xf32>
  %z = linalg.conv_2d_nhwc_hwcf ins(%r, %v : tensor<?x11x12x24xf32>, tensor<3x3x24x8xf32>)
      outs(%c : tensor<?x9x10x8xf32>) -> tensor<?x9x10x8xf32>
  return %z : tensor<?x9x10x8xf32>
}
"""

TWO = """
func.func @both(%x: tensor<5xf32>, %y: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
  %sum = arith.addf %x, %y : tensor<5xf32>
  %difference = arith.subf %x, %y : tensor<5xf32>
  return %sum, %difference : tensor<5xf32>, tensor<5xf32>
}
func.func @shift(%x: tensor<5xf32>, %s: f32) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %all = linalg.fill ins(%s : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  %y = func.call @helper(%x, %all) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  return %y : tensor<5xf32>
}
func.func private @helper(%x: tensor<5xf32>, %y: tensor<5xf32>) -> tensor<5xf32> {
  %sum = arith.addf %x, %y : tensor<5xf32>
  return %sum : tensor<5xf32>
}
"""

DYNAMIC = """
func.func @any(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = arith.addf %x, %x : tensor<?xf32>
  return %y : tensor<?xf32>
}
"""

JOINED = """
func.func @any(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = tensor.concat dim(0) %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
"""

CONTRADICTING = """
func.func @two(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %size = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%size) : tensor<?xf32>
  %sum = linalg.add ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %sum : tensor<?xf32>
}
"""

TARGETS = ("cpu", "rocm-sim", "vulkan")
INPUTS = pathlib.Path(__file__).parent.parent / "Inputs"


@pytest.fixture(scope="module")
def layer():
    return convoy.Module.parse(LAYER).compile()


def compute(x, w, b):
    """What the layer gives."""
    line = "mb2_ic5ih7iw9oc4kh3kw2"
    return np.maximum(convoy.reference(line, x, w) + b, 0)


def test_arguments(layer):
    assert (layer.name, layer.target) == ("layer", "cpu")
    assert [(one.name, one.layout, one.shape) for one in layer.arguments] == [
        ("input", "nhwc", (2, 7, 9, 5)),
        ("filter", "hwcf", (3, 2, 5, 4)),
        ("arg2", "", (4,)),
        ("result0", "", (2, 5, 8, 4)),
    ]
    assert layer.code_bytes > 0 and layer.workspace_bytes >= 0 and layer.packed == ()
    assert "tile" in layer.explain()
    assert repr(layer) == "<convoy.Function cpu: layer>"


@pytest.mark.parametrize("target", TARGETS)
def test_calls(target):
    layer = convoy.Module.parse(LAYER).compile(target=target)
    operands = layer.generate("int", seed=3)
    expected = compute(*operands)
    np.testing.assert_array_equal(layer(*operands), expected)
    out = np.empty((2, 5, 8, 4), np.float32)
    assert layer(*operands, out=out) is out
    np.testing.assert_array_equal(out, expected)
    assert layer.check(data="int").verdict == "exact"
    report = layer.check(seed=5)
    assert report.passed and (report.problem, report.target) == ("layer", target)


def test_many_threads(layer):
    x, w, b = layer.generate()
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for number, result in enumerate(pool.map(lambda n: layer(x * n, w, b), range(50))):
            np.testing.assert_array_equal(result, compute(x * number, w, b))


def test_threads_of_a_kernel():
    operands = convoy.Module.parse(LAYER).compile(threads=2).generate()
    result = convoy.Module.parse(LAYER).compile(threads=2)(*operands)
    np.testing.assert_array_equal(result, compute(*operands))


def test_packed_filters(layer):
    packed = convoy.Module.parse(LAYER).compile(filter="packed")
    (name,) = packed.packed
    x, w, b = packed.generate("int")
    np.testing.assert_array_equal(packed(x, packed.pack(name, w), b), layer(x, w, b))
    assert packed.check(x, w, b).verdict == packed.check(data="int").verdict == "exact"
    with pytest.raises(convoy.Error, match=rf"^expected one of the packed arguments \({name}\), but got 'input'$"):
        packed.pack("input", x)
    with pytest.raises(convoy.Error, match="^expected float32 for 'filter', but got float64$"):
        packed.pack(name, w.astype(np.float64))
    with pytest.raises(convoy.Error, match=r"^expected one of the packed arguments \(none\)"):
        layer.pack("filter", w)


def test_packed_bytes():
    text = LAYER_OF_BYTES
    packed = convoy.Module.parse(text).compile(filter="packed")
    (name,) = packed.packed
    x, w = packed.generate("int")
    # On x86 as words of two channels, elsewhere as bytes.
    words = packed.pack(name, w)
    assert words.dtype in (np.int8, np.int32)
    np.testing.assert_array_equal(packed(x, words), convoy.Module.parse(text).compile()(x, w))


@pytest.mark.parametrize("target", TARGETS)
def test_several_results(target):
    both = convoy.Module.parse(TWO).compile("both", target=target)
    x, y = both.generate("normal")
    first, second = both(x, y)
    np.testing.assert_array_equal(first, x + y)
    np.testing.assert_array_equal(second, x - y)
    assert both.check(x, y).elements == 10
    with pytest.raises(convoy.Error, match="^expected 2 arrays for 'out', but got 1$"):
        both(x, y, out=first)


@pytest.mark.parametrize("target", TARGETS)
def test_numbers_and_calls(target):
    shift = convoy.Module.parse(TWO).compile("shift", target=target)
    x = np.arange(5, dtype=np.float32)
    np.testing.assert_array_equal(shift(x, np.array(3, np.float32)), x + 3)
    assert shift.check().passed


def test_results_of_others(layer):
    operands = layer.generate("normal")
    right = compute(*operands).astype(np.float32)
    assert layer.compare(operands, (right,)).passed
    wrong = right.copy()
    wrong[1, 2, 3, 0] += 1
    report = layer.compare(operands, (wrong,))
    assert (report.verdict, report.wrong, report.worst_index) == ("wrong", 1, (1, 2, 3, 0))


@pytest.mark.parametrize("target", TARGETS)
def test_divisions_by_zero(target):
    """They are undefined, but Python goes on, and other elements are right."""
    text = """func.func @divide(%x: tensor<3xi32>, %y: tensor<3xi32>) -> tensor<3xi32> {
      %z = arith.divsi %x, %y : tensor<3xi32>
      return %z : tensor<3xi32>
    }"""
    divide = convoy.Module.parse(text).compile("divide", target=target)
    x = np.array([7, -(2**31), -7], np.int32)
    assert divide(x, np.array([0, -1, 2], np.int32))[2] == -3


@pytest.mark.parametrize("target", TARGETS)
def test_dynamic_sizes(target):
    plain = convoy.Module.read(INPUTS / "any_batch.mlir").compile(target=target)
    x, w, y = plain.arguments
    assert (x.shape, w.shape, y.shape) == ((-1, 9, 7, 5), (3, 2, 5, 6), (-1, 7, 6, 6))
    for batch in (1, 5, 3):
        x, w = plain.generate("int", seed=batch, sizes=(batch,))
        assert x.shape == (batch, 9, 7, 5)
        expected = convoy.reference(f"mb{batch}_ic5ih9iw7oc6kh3kw2", x, w)
        np.testing.assert_array_equal(plain(x, w), expected)
        out = np.empty((batch, 7, 6, 6), np.float32)
        assert plain(x, w, out=out) is out
        assert plain.check(x, w).verdict == plain.check(data="int", sizes=[batch]).verdict == "exact"
        assert plain.compare((x, w), (out,)).passed
        assert plain.compare((x, w), (out + 1,)).verdict == "wrong"


def test_packed_filters_of_any_batch():
    packed = convoy.Module.read(INPUTS / "any_batch.mlir").compile(filter="packed")
    (name,) = packed.packed
    for batch in (1, 4):
        x, w = packed.generate("int", sizes=[batch])
        expected = convoy.reference(f"mb{batch}_ic5ih9iw7oc6kh3kw2", x, w)
        np.testing.assert_array_equal(packed(x, packed.pack(name, w)), expected)
        assert packed.check(x, w).verdict == "exact"


def test_workspaces_grow():
    text = (INPUTS / "any_batch.mlir").read_text()
    text = text.replace("?x7x6x6", "?x9x8x6").replace("nhwf)", "nhwf) window(pad = [[1, 1], [1, 1]])")
    padded = convoy.Module.parse(text).compile()
    assert padded.workspace_bytes is None
    for batch in (1, 50, 2):
        assert padded.check(data="int", sizes=[batch]).verdict == "exact"
    x, w = padded.generate(sizes=[2])
    addresses = [array.ctypes.data for array in (x, w, padded(x, w))]
    with pytest.raises(convoy.Error, match="^cannot call 'plain': its dynamic sizes contradict each other$"):
        padded.run_at(addresses, [2, 1])


def test_many_threads_of_dynamic_sizes():
    plain = convoy.Module.read(INPUTS / "any_batch.mlir").compile()
    x, w = plain.generate("int", sizes=[20])
    whole = plain(x, w)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for number, result in enumerate(pool.map(lambda n: plain(x[: n % 20], w), range(100))):
            np.testing.assert_array_equal(result, whole[: number % 20])


def test_dynamic_sizes_are_checked():
    two = convoy.Module.parse(CONTRADICTING).compile()
    assert two(np.zeros(3, np.float32), np.zeros(3, np.float32)).shape == (3,)
    three, four = np.zeros(3, np.float32), np.zeros(4, np.float32)
    with pytest.raises(convoy.Error, match="^cannot call 'two': .* to be 3, but found 4$"):
        two(three, four)
    addresses = [array.ctypes.data for array in (three, four, four)]
    with pytest.raises(convoy.Error, match="^kernel 'two' refused its arguments with code 3$"):
        two.run_at(addresses, [3, 4, 3])
    with pytest.raises(convoy.Error, match="^expected 2 dynamic sizes, but got 1$"):
        two.generate(sizes=[3])
    with pytest.raises(convoy.Error, match="^expected 2 dynamic sizes, but got 3$"):
        two.check(sizes=[3, 3, 3])
    with pytest.raises(convoy.Error, match="^expected a number from 0 to 2147483647 for 'sizes', but got -3$"):
        two.generate(sizes=[3, -3])
    np.testing.assert_array_equal(convoy.Module.parse(DYNAMIC).compile()(three + 1), three + 2)
    with pytest.raises(convoy.Error, match="^cannot call 'any': the sizes of result 0 do not follow from those of the arguments$"):
        convoy.Module.parse(JOINED).compile()(three)
    with pytest.raises(convoy.Error, match="^expected 1 dimensions for 'arg0', but got 2$"):
        two(np.zeros((3, 1), np.float32), np.zeros(3, np.float32))


def test_operands_are_checked(layer):
    x, w, b = layer.generate()
    with pytest.raises(convoy.Error, match="^expected 3 operands \\(input, filter, arg2\\), but got 1$"):
        layer(x)
    with pytest.raises(convoy.Error, match="^expected float32 for 'filter', but got float64$"):
        layer(x, w.astype(np.float64), b)
    with pytest.raises(convoy.Error, match="^expected 3 operands"):
        layer.check(x)


def test_special_data_is_for_problems(layer):
    for use in (lambda data: layer.check(data=data), layer.generate):
        with pytest.raises(convoy.Error, match="special data is for problems, not for functions"):
            use("special")


def test_warnings():
    text = """
    func.func @rounded(%x: tensor<1x6x3xf32>, %w: tensor<2x3x4xf32>, %y: tensor<1x5x4xf32>) -> tensor<1x5x4xf32> {
      %0 = linalg.generic {
          indexing_maps = [affine_map<(n, o, f, k, c) -> (n, o + k, c)>, affine_map<(n, o, f, k, c) -> (k, c, f)>,
                           affine_map<(n, o, f, k, c) -> (n, o, f)>],
          iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
          ins(%x, %w : tensor<1x6x3xf32>, tensor<2x3x4xf32>) outs(%y : tensor<1x5x4xf32>) {
      ^bb0(%a: f32, %b: f32, %sum: f32):
        %narrow = arith.truncf %a : f32 to f16
        %wide = arith.extf %narrow : f16 to f32
        %product = arith.mulf %wide, %b : f32
        %more = arith.addf %sum, %product : f32
        linalg.yield %more : f32
      } -> tensor<1x5x4xf32>
      return %0 : tensor<1x5x4xf32>
    }
    """
    with pytest.warns(UserWarning, match="was not raised") as caught:
        convoy.Module.parse(text).compile()
    assert [one.filename for one in caught] == [__file__]


@pytest.mark.parametrize(
    "text, options, sentence",
    (
        (TWO, {}, "<string>: expected one public function or the name of one, but got both, shift"),
        (TWO, {"function": "helper"}, "<string>: expected a public function 'helper', but got both, shift"),
        ("", {}, "<string>: expected one public function or the name of one, but got none"),
        (DYNAMIC.replace("f32", "f80"), {}, "cannot compile: <string>:2:1: 'func.func' op expected argument 0 to be of f64, f32, "),
        (LAYER, {"target": "none"}, "expected cpu, qemu, vulkan, rocm, rocm-sim or vulkan-sim"),
        (LAYER, {"cpu": "none"}, "expected a CPU"),
        (LAYER, {"threads": 0}, "expected a number from 1 to "),
        (LAYER, {"filter": "other"}, "expected plain or packed for 'filter', but got 'other'"),
        (LAYER, {"filter": "packed", "target": "rocm-sim"}, "expected filters that are not packed for 'rocm-sim'"),
        (LAYER, {"function": 5}, "expected a text for 'function', but got 5"),
        (LAYER.replace("linalg.broadcast", "tensor.empty"), {}, "<string>:"),
    ),
)
def test_errors(text, options, sentence):
    with pytest.raises(convoy.Error, match="^" + re.escape(sentence)) as caught:
        convoy.Module.parse(text).compile(**options)
    assert "\n" not in str(caught.value)


def test_errors_name_the_file(tmp_path):
    path = tmp_path / "two.mlir"
    path.write_text(TWO)
    sentence = "^" + re.escape(f"{path}: expected one public function or the name of one, but got both, shift")
    with pytest.raises(convoy.Error, match=sentence):
        convoy.Module.read(path).compile()


NARROW = """
func.func @narrow(%x: tensor<5xf32> {convoy.range = array<f64: -8.0, 8.0>}, %y: tensor<5xf32>) -> tensor<5xf32> {
  %sum = arith.addf %x, %y : tensor<5xf32>
  return %sum : tensor<5xf32>
}
"""


def test_operands_outside_of_declared_ranges():
    narrow = convoy.Module.parse(NARROW).compile()
    right, large = np.full(5, 8, np.float32), np.full(5, 100, np.float32)
    assert narrow.check(right, large).verdict == "exact"
    assert narrow.compare((right, large), (right + large,)).verdict == "exact"
    sentence = "^cannot check 'narrow': expected numbers in the convoy.range of argument 0, but got 100"
    with pytest.raises(convoy.Error, match=sentence):
        narrow.check(large, right)
    with pytest.raises(convoy.Error, match=sentence):
        narrow.compare((large, right), (right + large,))


def test_results_of_checks():
    layer = convoy.Module.parse(LAYER).compile()
    operands = layer.generate("normal", seed=3)
    report, (result,) = layer.check_results(operands)
    assert report.passed
    np.testing.assert_array_equal(result, layer(*operands))
    two = convoy.Module.parse(TWO).compile("both")
    report, results = two.check_results(two.generate("int"))
    assert report.verdict == "exact" and len(results) == 2


def test_other_functions_that_say_what_is_right():
    layer = convoy.Module.parse(LAYER).compile()
    broken = convoy.Module.parse(LAYER.replace("maximumf", "minimumf")).compile(target="vulkan")
    operands = layer.generate("normal", seed=3)
    meaning = layer.interpret(operands)
    assert broken.check(*operands).passed
    report, (result,) = broken.check_results(operands, meaning)
    assert report.verdict == "wrong" and report.target == "vulkan" and result.max() == 0
    right = layer.check_results(operands, meaning)
    assert right[0].passed
    # Once for all results, whatever becomes of the operands.
    operands[0].fill(0)
    assert meaning.compare(right[1]).passed
    assert meaning.compare((result,)).verdict == "wrong"
    other = convoy.Module.parse(TWO).compile("both")
    with pytest.raises(convoy.Error, match="^expected 'both' to have the arguments of 'layer'$"):
        layer.check_results(operands, other.interpret(other.generate()))


@pytest.mark.parametrize("target", ("cpu", "rocm-sim"))
@pytest.mark.parametrize("algorithm", ("direct", "auto"))
def test_algorithms_have_their_bounds(target, algorithm):
    """Of dynamic batches, too, and where one convolution reads what another made."""
    function = convoy.Module.parse(TWO_CONVOLUTIONS).compile(target=target, algorithm=algorithm)
    shapes = ((2, 13, 14, 16), (3, 3, 16, 24), (3, 3, 24, 8), (2, 11, 12, 24), (2, 9, 10, 8))
    operands = [np.random.default_rng(n).standard_normal(s).astype(np.float32) for n, s in enumerate(shapes)]
    report = function.check(*operands)
    assert report.passed and report.worst_ratio < 0.1
    wrong = function(*operands)
    wrong[1, 8, 9, 7] += 1
    assert not function.interpret(operands).compare((wrong,)).passed


def test_algorithms_that_there_are_not():
    module = convoy.Module.parse(LAYER)
    with pytest.raises(convoy.Error, match="^expected direct, .* for '--algorithm', but got 'fast'$"):
        module.compile(algorithm="fast")
    with pytest.raises(convoy.Error, match="its filter has 2 taps along 'w', not 3"):
        module.compile(algorithm="winograd")
