"""Kernels that were written before, called without compiling."""

import concurrent.futures
import json
import os
import random
import re
import subprocess
import sys

import numpy as np
import pytest
from manifests import mutate_manifest

import convoy

PROBLEM = "mb2_ic3ih9iw7oc5kh3kw2"

TWO_RESULTS = """
func.func @both(%x: tensor<1x6x3xf32>, %w: tensor<2x3x4xf32>) -> (tensor<1x5x4xf32>, tensor<1x5x4xf32>) {
  %zero = arith.constant dense<0.0> : tensor<1x5x4xf32>
  %y = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<1x6x3xf32>, tensor<2x3x4xf32>)
      outs(%zero : tensor<1x5x4xf32>) -> tensor<1x5x4xf32>
  %relu = arith.maximumf %y, %zero : tensor<1x5x4xf32>
  return %y, %relu : tensor<1x5x4xf32>, tensor<1x5x4xf32>
}
"""

NUMBER = """
func.func @shift(%x: tensor<5xf32>, %s: f32) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %all = linalg.fill ins(%s : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  %y = arith.addf %x, %all : tensor<5xf32>
  return %y : tensor<5xf32>
}
"""

DYNAMIC = """
func.func @any(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = arith.addf %x, %x : tensor<?xf32>
  return %y : tensor<?xf32>
}
"""


@pytest.fixture(scope="module")
def kernel():
    return convoy.compile(PROBLEM)


@pytest.fixture(scope="module")
def files(kernel, tmp_path_factory):
    folder = tmp_path_factory.mktemp("library")
    kernel.save(folder / "conv.so", manifest=folder / "conv.json", name="layer")
    return folder / "conv.so", folder / "conv.json"


def compile_files(folder, *words):
    """What convoy-compile makes of its arguments."""
    files = folder / "kernels.so", folder / "kernels.json"
    subprocess.run(["convoy-compile", *words, "-o", files[0], "--manifest", files[1]], check=True)
    return files


def compile_text(folder, text):
    (folder / "input.mlir").write_text(text)
    return compile_files(folder, folder / "input.mlir")


def test_calls(kernel, files):
    library = convoy.load(*files)
    assert library.kernels == ("layer",)
    assert library["layer"].arguments == kernel.arguments
    x, w = kernel.generate("normal")
    y = kernel(x, w)
    np.testing.assert_array_equal(library("layer", x, w), y)
    out = np.empty_like(y)
    assert library["layer"](x, w, out=out) is out
    np.testing.assert_array_equal(out, y)


@pytest.mark.parametrize("is_kept", (True, False))
def test_files_that_are_written_again(tmp_path, is_kept):
    """The loader would take the file for the one that it has loaded."""
    kept = []
    for problem in (PROBLEM, PROBLEM.replace("kh3", "kh2"), PROBLEM.replace("oc5", "oc64")):
        kernel = convoy.compile(problem)
        kernel.save(tmp_path / "conv.so", manifest=tmp_path / "conv.json")
        library = convoy.load(tmp_path / "conv.so", tmp_path / "conv.json")
        operands = kernel.generate()
        np.testing.assert_array_equal(library("conv", *operands), kernel(*operands))
        if is_kept:
            kept.append((library, operands, kernel(*operands)))
    for library, operands, expected in kept:
        np.testing.assert_array_equal(library("conv", *operands), expected)


def test_threads(kernel, files):
    layer = convoy.load(*files)["layer"]
    x, w = kernel.generate()
    y = kernel(x, w)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for number, result in enumerate(pool.map(lambda n: layer(x * n, w), range(100))):
            np.testing.assert_array_equal(result, y * number)


def test_openmp_is_found(tmp_path):
    """Where the loader looks there may be none, or one that is broken."""
    files = compile_files(tmp_path, PROBLEM, "--threads=2")
    (tmp_path / "libomp.so.5").touch()
    program = f"import convoy; print(convoy.load('{files[0]}', '{files[1]}').kernels)"
    environment = {**os.environ, "LD_LIBRARY_PATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("('conv',)\n", "")


def test_operands_are_checked(kernel, files):
    layer = convoy.load(*files)["layer"]
    x, w = kernel.generate()
    with pytest.raises(convoy.Error, match="^expected 2 operands \\(input, filter\\), but got 1$"):
        layer(x)
    with pytest.raises(convoy.Error, match="^expected float32 for 'filter', but got float64$"):
        layer(x, w.astype(np.float64))
    memory = np.zeros(1000, np.float32)
    out = memory[: 2 * 7 * 6 * 5].reshape(2, 7, 6, 5)
    with pytest.raises(convoy.Error, match="^expected memory of its own for 'out'"):
        layer(memory[: x.size].reshape(x.shape), w, out=out)
    with pytest.raises(convoy.Error, match="^expected one of layer, but got 'conv'$"):
        convoy.load(*files)("conv", x, w)


def test_unsigned_bytes(tmp_path):
    flags = ("--signs=u8:s8", "--zero-points=100:-3", "--type=i8")
    library = convoy.load(*compile_files(tmp_path, *flags, PROBLEM))
    x, w = convoy.generate(" ".join((*flags, PROBLEM)))
    assert (x.dtype, w.dtype) == (np.uint8, np.int8)
    expected = convoy.reference(" ".join((*flags, PROBLEM)), x, w)
    np.testing.assert_array_equal(library("conv", x, w), expected)


def test_packed_filters(kernel, tmp_path):
    library = convoy.load(*compile_files(tmp_path, PROBLEM, "--filter=packed"))
    x, w = kernel.generate("int")
    packed = library("conv_pack_filter", w)
    np.testing.assert_array_equal(library("conv", x, packed), kernel(x, w))


def test_several_results(tmp_path):
    both = convoy.load(*compile_text(tmp_path, TWO_RESULTS))["both"]
    x, w = convoy.generate("mb1_ic3iw6oc4kw2")
    sums = convoy.reference("mb1_ic3iw6oc4kw2", x, w)
    y, relu = both(x, w)
    np.testing.assert_array_equal(y, sums)
    np.testing.assert_array_equal(relu, np.maximum(sums, 0))
    out = np.empty_like(y), np.empty_like(relu)
    assert both(x, w, out=out)[0] is out[0]
    np.testing.assert_array_equal(out[1], relu)
    with pytest.raises(convoy.Error, match="^expected 2 arrays for 'out', but got 1$"):
        both(x, w, out=y)
    with pytest.raises(convoy.Error, match="^expected memory of its own for 'out'"):
        both(x, w, out=(y, y))


@pytest.mark.parametrize(
    "text, sentence",
    (
        (NUMBER, "expected arrays as operands of 'shift', but 'arg1' is a number"),
        (DYNAMIC, "expected kernels of static sizes, but 'any' has sizes that a call gives"),
    ),
    ids=("number", "dynamic"),
)
def test_kernels_that_are_refused(tmp_path, text, sentence):
    with pytest.raises(convoy.Error, match=re.escape(sentence)):
        convoy.load(*compile_text(tmp_path, text))


def edit(manifest, **changes):
    """The text of a manifest with other fields; None takes one out."""
    fields = json.loads(manifest.read_text()) | changes
    return json.dumps({name: value for name, value in fields.items() if value is not None})


MANIFESTS = {
    "no JSON": (lambda _: "oops", "cannot read '"),
    "other JSON": (lambda _: "[1]", "expected a manifest that convoy-compile wrote, but got '"),
    "another file's": (lambda m: edit(m, sha256="0" * 64), "cannot load the module: '"),
    "another ABI": (lambda m: edit(m, abi=9), "expected kernels of ABI 1, but '"),
    "another target": (lambda m: edit(m, target="vulkan"), "expected kernels for cpu, but '"),
    "no target": (lambda m: edit(m, target=None), "expected a manifest that convoy-compile wrote"),
    "kernels that lack fields": (
        lambda m: edit(m, kernels=[{"entry": "layer"}]),
        "expected a manifest that convoy-compile wrote, but '",
    ),
    "kernels that are none": (
        lambda m: edit(m, kernels=7),
        "expected a manifest that convoy-compile wrote, but '",
    ),
    "kernels of other names": (
        lambda m: m.read_text().replace('"layer"', '"other"'),
        "the module has no kernel 'other'",
    ),
}


@pytest.mark.parametrize("name", MANIFESTS)
def test_wrong_manifests(files, tmp_path, name):
    make, sentence = MANIFESTS[name]
    manifest = tmp_path / "wrong.json"
    manifest.write_text(make(files[1]))
    with pytest.raises(convoy.Error, match="^" + re.escape(sentence)) as caught:
        convoy.load(files[0], manifest)
    assert "\n" not in str(caught.value)


FIELDS = {
    "digest": ("sha256", 7, "has 7 for 'sha256'"),
    "triple": ("triple", None, "has None for 'triple'"),
    "features": ("features", ["avx", 2], "has 2 for 'features'"),
    "name": ("entry", ["layer"], "has ['layer'] for 'entry'"),
    "problem": ("problem", 0.5, "has 0.5 for 'problem'"),
    "bytes": ("bytes", -1, "has -1 for 'bytes'"),
    "shape": ("shape", [2, True], "has True for 'shape'"),
    "object": ("workspace", "none", "has 'none' for 'workspace'"),
    "argument": ("arguments", [7], "has 7 where an object with 'name' stands"),
}


def put(value, field, other):
    """Changes all fields of that name in a manifest."""
    for name, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if name == field:
            value[name] = other
        elif isinstance(inner, (dict, list)):
            put(inner, field, other)
    return value


@pytest.mark.parametrize("name", FIELDS)
def test_wrong_fields(files, tmp_path, name):
    field, value, sentence = FIELDS[name]
    manifest = tmp_path / "wrong.json"
    manifest.write_text(json.dumps(put(json.loads(files[1].read_text()), field, value)))
    expected = f"expected a manifest that convoy-compile wrote, but '{manifest}' {sentence}"
    with pytest.raises(convoy.Error, match="^" + re.escape(expected) + "$"):
        convoy.load(files[0], manifest)


@pytest.mark.parametrize(
    "words, machine",
    [
        (["--triple=aarch64-linux-gnu", "--cpu=cortex-a72"], "aarch64-unknown-linux-gnu$"),
        # No CPU of today has all that bdver4 had.
        (["--triple=x86_64-linux-gnu", "--cpu=bdver4"], "(a CPU with|x86_64)"),
    ],
)
def test_other_machines(tmp_path, words, machine):
    """Such a kernel would end the program by an illegal instruction."""
    files = compile_files(tmp_path, PROBLEM, *words)
    sentence = f"expected kernels for this machine, but '{files[0]}' has some for "
    with pytest.raises(convoy.Error, match="^" + re.escape(sentence) + machine):
        convoy.load(*files)


def test_wrong_type(files, tmp_path):
    description = put(json.loads(files[1].read_text()), "type", "f33")
    # Its types would count.
    del description["kernels"][0]["problem"]
    (tmp_path / "wrong.json").write_text(json.dumps(description))
    with pytest.raises(convoy.Error, match="wrong.json' has 'f33' for 'type'$"):
        convoy.load(files[0], tmp_path / "wrong.json")


def test_mutated_manifests(files, tmp_path):
    random_numbers = random.Random(0)
    manifest = json.loads(files[1].read_text())
    refused = 0
    for _ in range(500):
        path = tmp_path / "mutant.json"
        path.write_text(json.dumps(mutate_manifest(manifest, random_numbers)))
        try:
            convoy.load(files[0], path)
        except convoy.Error as error:
            assert "\n" not in str(error)
            refused += 1
    assert 100 < refused < 500


def test_missing_files(files):
    with pytest.raises(convoy.Error, match="^cannot read 'none.json': No such file or directory$"):
        convoy.load(files[0], "none.json")
    with pytest.raises(convoy.Error, match="'none.so'"):
        convoy.load("none.so", files[1])
