"""IR: passes and proofs."""

import re

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
