"""IR: passes and proofs."""

import re

import numpy as np
import pytest

import convoy

GRADIENT = """\
func.func @gradient(%dy: tensor<1x2x2xf32>, %filter: tensor<2x2x2xf32>, %init: tensor<1x3x2xf32>) -> tensor<1x3x2xf32> {
  %dx = convoy.conv_backward_data ins(%dy, %filter : tensor<1x2x2xf32>, tensor<2x2x2xf32>)
      outs(%init : tensor<1x3x2xf32>) layout(nwc x cwf -> nwf)
  return %dx : tensor<1x3x2xf32>
}
"""


def lower(module):
    return module.run("convoy-decompose-backward,convoy-conv-to-im2col")


def test_passes_rewrite():
    module = convoy.Module.parse(GRADIENT)
    assert lower(module) is module
    assert "convoy.im2col" in str(module)
    assert "convoy.conv_backward_data" not in str(module)


def test_whole_pipelines():
    module = convoy.Module.parse(GRADIENT)
    module.run("builtin.module(func.func(convoy-decompose-backward))")
    assert "convoy.conv ins" in str(module)
    module.run("convoy-to-llvm-pipeline{cpu=haswell}")
    assert "llvm.func @gradient" in str(module)


def test_files(tmp_path):
    path = tmp_path / "gradient.mlir"
    path.write_text(GRADIENT)
    assert str(convoy.Module.read(path)) == str(convoy.Module.parse(GRADIENT))
    with pytest.raises(convoy.Error, match="^cannot read 'none.mlir': No such file or directory$"):
        convoy.Module.read("none.mlir")
    with pytest.raises(convoy.Error, match="^expected a path for 'path', but got NoneType$"):
        convoy.Module.read(None)


def test_wrong_ir():
    with pytest.raises(convoy.Error, match="^<string>:1:1: "):
        convoy.Module.parse("fnc.func")
    with pytest.raises(convoy.Error, match="^expected a text for 'text', but got 5$"):
        convoy.Module.parse(5)
    with pytest.raises(convoy.Error, match="^expected a text for 'after', but got None$"):
        convoy.certify(GRADIENT, None)
    wrong = GRADIENT.replace("nwc x cwf", "nwc x cwx")
    with pytest.raises(convoy.Error, match="^gradient.mlir:3:.*'cwx'"):
        convoy.Module.parse(wrong, name="gradient.mlir")


PIPELINES = [
    ("convoy-decompose", "convoy-decompose"),
    ("convoy-conv-to-im2col{tile=3}", "tile"),
    ("builtin.module(", "expected pass pipeline"),
    ("func.func(canonicalize", "unbalanced parentheses"),
]


@pytest.mark.parametrize("pipeline, word", PIPELINES)
def test_wrong_pipelines(pipeline, word):
    module = convoy.Module.parse(GRADIENT)
    with pytest.raises(convoy.Error, match=re.escape(word)) as caught:
        module.run(pipeline)
    assert "\n" not in str(caught.value)


def test_failing_passes_leave_the_module():
    module = convoy.Module.parse(GRADIENT)
    before = str(module)
    with pytest.raises(convoy.Error, match="^<string>:2:9: expected convoy.rocm_chip"):
        module.run("convoy-decompose-backward,convoy-to-rocdl-pipeline")
    assert str(module) == before


def test_remarks_go_to_standard_error(capsys):
    module = convoy.Module.parse(GRADIENT)
    module.run("convoy-to-llvm-pipeline{cpu=haswell explain=true}")
    assert "remark: " in capsys.readouterr().err


def test_certified():
    before = convoy.Module.parse(GRADIENT)
    after = lower(convoy.Module.parse(GRADIENT))
    certificate = convoy.certify(before, after)
    assert certificate and certificate.verdict == "certified"
    assert str(certificate).startswith("certified: @gradient: equal for all finite values (")
    assert list(certificate.functions) == ["gradient"]
    assert convoy.certify(GRADIENT, str(after))


def test_different():
    lowered = str(lower(convoy.Module.parse(GRADIENT)))
    edited = lowered.replace("(d2, d3, d4)", "(d4, d3, d2)")
    assert edited != lowered
    after = convoy.Module.parse(edited, name="edited.mlir")
    certificate = convoy.certify(GRADIENT, after)
    assert not certificate
    assert certificate.verdict == "different"
    assert "the second function lacks argument0[" in str(certificate)
    assert re.fullmatch(r"edited\.mlir:\d+:\d+", certificate.location)
    assert "<b>different</b>" in certificate._repr_html_()


def test_undecided():
    other = GRADIENT.replace("@gradient", "@other")
    certificate = convoy.certify(GRADIENT, GRADIENT + other)
    assert certificate.verdict == "undecided"
    assert certificate.functions["gradient"].verdict == "certified"
    assert certificate.functions["other"].text.endswith("a function that only after has")
    assert convoy.certify(GRADIENT, GRADIENT + other, matching_only=True)
    assert convoy.certify(GRADIENT, GRADIENT + other, function="gradient")


def test_nothing_to_compare():
    with pytest.raises(convoy.Error, match="^expected a function 'f' in before$"):
        convoy.certify(GRADIENT, GRADIENT, function="f")
    with pytest.raises(convoy.Error, match="^after:1:1: "):
        convoy.certify(GRADIENT, "oops")


ATTRIBUTES = """\
func.func private @outside(index)
func.func @attributes(%x: tensor<?x3xf32>, %n: index) -> tensor<?x3xf32> {
  %c = arith.constant {flag, yes = true, small = -3 : i8, big = 255 : ui8, wide = 170141183460469231731687303715884105727 : i128, half = 0.5 : f32,
    text = "a\\22b", type = tensor<2xi8>, symbol = @outside, list = [1, "b"], numbers = array<i64: 1, 2>, floats = array<f32: 0.5>, bits = array<i1: true, false>,
    dict = {inner = 1 : i64}, map = affine_map<(d0) -> (d0)>} 7 : index
  %d = arith.constant dense<[[1, 2, 3], [4, 5, -6]]> : tensor<2x3xi8>
  %e = arith.constant dense<1.5> : tensor<2x3xbf16>
  %f = arith.constant dense<[true, false]> : tensor<2xi1>
  %g = arith.constant dense<> : tensor<0x2xf32>
  %r:2 = scf.for %i = %n to %c step %c iter_args(%a = %x, %b = %x) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
    scf.yield %b, %a : tensor<?x3xf32>, tensor<?x3xf32>
  }
  return %r#1 : tensor<?x3xf32>
}
"""


def test_walks():
    module = convoy.Module.parse(GRADIENT, name="gradient.mlir")
    function, op, end = module.walk()
    assert [one.name for one in (function, op, end)] == ["func.func", "convoy.conv_backward_data", "func.return"]
    assert function.attributes["sym_name"] == "gradient" and function.parent is None
    assert [value.name for value in function.arguments] == ["%arg0", "%arg1", "%arg2"]
    assert op.parent is function and (function.depth, op.depth) == (0, 1)
    assert op.operands == function.arguments and end.operands == op.results
    (result,) = op.results
    assert (result.name, result.type) == ("%0", "tensor<1x3x2xf32>")
    assert (result.shape, result.element) == ((1, 3, 2), "f32")
    assert f"{result.name} = convoy.conv_backward_data" in str(module)
    assert op.location == "gradient.mlir:2:9"
    assert str(op) == "convoy.conv_backward_data(%arg0, %arg1, %arg2) -> %0: tensor<1x3x2xf32>"
    assert str(end) == "func.return(%0)"


def test_walks_of_what_passes_made():
    module = convoy.Module.parse(GRADIENT)
    before = list(module.walk("convoy"))
    assert [op.name for op in before] == ["convoy.conv_backward_data"]
    lower(module)
    assert "convoy.im2col" in [op.name for op in module.walk()]
    assert len([*module.walk("convoy.im2col")]) == 1
    assert not [*module.walk("conv")]
    assert before[0].results[0].shape == (1, 3, 2)
    with pytest.raises(convoy.Error, match="^expected a text for 'name', but got 5$"):
        module.walk(5)


def test_attributes():
    module = convoy.Module.parse(ATTRIBUTES)
    outside, function, *ops = module.walk()
    assert outside.attributes["sym_visibility"] == "private"
    constant = ops[0].attributes
    assert constant.pop("value") == 7 and type(constant["flag"]) is bool
    assert constant == {
        "flag": True,
        "yes": True,
        "small": -3,
        "big": 255,
        "wide": 2**127 - 1,
        "half": 0.5,
        "text": 'a"b',
        "type": "tensor<2xi8>",
        "symbol": "@outside",
        "list": [1, "b"],
        "numbers": [1, 2],
        "floats": [0.5],
        "bits": [True, False],
        "dict": {"inner": 1},
        "map": "affine_map<(d0) -> (d0)>",
    }
    dense, splat, bits, empty = (op.attributes["value"] for op in ops[1:5])
    assert dense.dtype == np.int64 and dense.tolist() == [[1, 2, 3], [4, 5, -6]]
    assert splat.dtype == np.float64 and splat.shape == (2, 3) and (splat == 1.5).all()
    assert bits.tolist() == [1, 0]
    assert empty.shape == (0, 2)


def test_values():
    _, function, *_, loop, inner, end = convoy.Module.parse(ATTRIBUTES).walk()
    x, n = function.arguments
    assert x.shape == (-1, 3) and (n.type, n.shape, n.element) == ("index", None, "")
    assert loop.name == "scf.for" and inner.parent is loop and inner.depth == 2
    assert [value.name for value in loop.results] == ["%0#0", "%0#1"]
    assert inner.operands == loop.arguments[:0:-1] and end.operands == loop.results[1:]
