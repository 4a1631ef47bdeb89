"""Models that are compiled to objects and libraries, and run from these."""

import ctypes
import functools
import json
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys

import numpy as np
import pytest
from graphs import draw_inputs, draw_integers, draw_normal, make_model
from onnx import helper

import convoy
import convoy.onnx

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from manifests import mutate_manifest

PAD = {"pads": [1, 1, 1, 1]}


def make_network():
    """Two chains: one with a residual, layers that are equal, and groups; and one
    behind a pool, which reads what the first has for the pool, too."""
    nodes = [
        helper.make_node("Conv", ["x", "w0", "b"], ["a"], "stem/conv", **PAD),
        helper.make_node("Relu", ["a"], ["r"], "stem/relu"),
        helper.make_node("Conv", ["r", "w1"], ["c"], "one", **PAD),
        helper.make_node("Conv", ["c", "w2"], ["d"], "two", **PAD),
        helper.make_node("Add", ["d", "r"], ["e"], "sum"),
        helper.make_node("Conv", ["e", "w3"], ["f"], "depthwise", group=20, **PAD),
        helper.make_node("LpPool", ["f"], ["g"], "pool", kernel_shape=[9, 7], p=1),
        helper.make_node("Conv", ["g", "w4"], ["h"], 'last "conv" \u00e4*/'),
        helper.make_node("Conv", ["f", "w5"], ["i"], "one_pack_filter"),
        helper.make_node("Add", ["i", "h"], ["y"], "scale"),
    ]
    shapes = {
        "w0": (20, 3, 3, 3),
        "w1": (20, 20, 3, 3),
        "w2": (20, 20, 3, 3),
        "w3": (20, 1, 3, 3),
        "w4": (17, 20, 1, 1),
        "w5": (17, 20, 1, 1),
    }
    constants = {name: draw_integers(shape, 3, most=1) for name, shape in shapes.items()}
    constants["b"] = draw_integers((20,), 4)
    return make_model(nodes, {"x": (2, 3, 9, 7)}, constants, ["y", "c"])


@pytest.fixture(scope="module")
def network():
    return convoy.onnx.load(make_network())


@pytest.fixture(scope="module")
def files(network, tmp_path_factory):
    folder = tmp_path_factory.mktemp("network")
    network.save(folder / "net.so", header=folder / "net.h", manifest=folder / "net.json")
    return folder


def check_equal(model, folder, draw=draw_integers, **options):
    """What runs from files gives the bits of the session. Returns the manifest."""
    files = folder / "model.so", folder / "model.json"
    session = model.compile(**options)
    session.save(files[0], manifest=files[1])
    loaded = convoy.onnx.load_compiled(*files)
    inputs = draw_inputs(model, draw)
    found, expected = loaded.run(inputs), session.run(inputs)
    assert found.keys() == expected.keys()
    for name in expected:
        np.testing.assert_array_equal(found[name], expected[name])
        assert found[name].dtype == expected[name].dtype
    return json.loads(files[1].read_text())


def test_bits(network, tmp_path):
    check_equal(network, tmp_path, draw_normal)


def test_results_are_right(network, files):
    loaded = convoy.onnx.load_compiled(files / "net.so", files / "net.json")
    assert (loaded.inputs, loaded.outputs) == (network.inputs, network.outputs)
    inputs = draw_inputs(network)
    expected = network.compile().run_reference(inputs)
    for name, value in loaded.run(inputs).items():
        np.testing.assert_array_equal(value, expected[name])


def test_results_are_the_callers(files):
    loaded = convoy.onnx.load_compiled(files / "net.so", files / "net.json", threads=2)
    inputs = {"x": draw_integers((2, 3, 9, 7))}
    first = loaded.run(inputs)
    kept = first["c"].copy()
    loaded.run({"x": inputs["x"] + 1})
    np.testing.assert_array_equal(first["c"], kept)


@pytest.mark.parametrize("dtype", (np.float16, np.float64))
def test_types(dtype, tmp_path):
    nodes = [
        helper.make_node("Conv", ["x", "w", "b"], ["a"], "first"),
        helper.make_node("ConvTranspose", ["a", "v"], ["y"], "second", strides=[2]),
    ]
    constants = {
        "w": draw_integers((18, 3, 2), 1, 1, dtype),
        "b": draw_integers((18,), 2, 1, dtype),
        "v": draw_integers((18, 5, 3), 3, 1, dtype),
    }
    model = make_model(nodes, {"x": (dtype, (1, 3, 9))}, constants, ["y"])
    model.graph.output[0].type.tensor_type.elem_type = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    draw = functools.partial(draw_integers, dtype=dtype)
    manifest = check_equal(convoy.onnx.load(model), tmp_path, draw)
    assert len(manifest["chains"]) == 1


def test_threads(network, tmp_path):
    check_equal(network, tmp_path, threads=2)


@pytest.mark.parametrize("cpu", ("x86-64", "sapphirerapids"))
def test_other_cpus(network, cpu, tmp_path):
    """Filters are packed here, for CPUs that have other vectors."""
    files = tmp_path / "net.so", tmp_path / "net.json"
    network.save(files[0], manifest=files[1], cpu=cpu)
    assert json.loads(files[1].read_text())["chip"] == cpu
    if cpu == "x86-64":
        inputs = draw_inputs(network)
        expected = network.compile().run_reference(inputs)
        np.testing.assert_array_equal(convoy.onnx.load_compiled(*files).run(inputs)["y"], expected["y"])


def test_other_machines(network, tmp_path):
    files = tmp_path / "net.o", tmp_path / "net.json"
    network.save(files[0], manifest=files[1], cpu="cortex-a72", triple="aarch64-linux-gnu")
    manifest = json.loads(files[1].read_text())
    assert manifest["triple"] == "aarch64-unknown-linux-gnu"
    # ELF says the machine in bytes 18 and 19: 183 is ARM's with 64 bits.
    assert files[0].read_bytes()[18:20] == bytes([183, 0])


def test_filters_that_a_kernel_makes(tmp_path):
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"], "first"),
        helper.make_node("Conv", ["z", "a"], ["y"], "second"),
    ]
    inputs = {"x": (4, 3, 3, 3), "z": (1, 5, 8, 7)}
    model = make_model(nodes, inputs, {"w": draw_integers((5, 3, 1, 2), 1, most=1)}, ["y"])
    manifest = check_equal(convoy.onnx.load(model), tmp_path)
    packed = {kernel["entry"]: "packer" in kernel["arguments"][1] for kernel in manifest["kernels"]}
    assert packed["first"] and not packed["second"]


def test_operands_of_other_ranks(tmp_path):
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"], "conv"),
        helper.make_node("Add", ["a", "one"], ["b"]),
        helper.make_node("Add", ["b", "channels"], ["y"]),
    ]
    inputs = {"x": (1, 3, 5, 4), "one": (1,), "channels": (6, 1, 1)}
    model = make_model(nodes, inputs, {"w": draw_integers((6, 3, 2, 2), 1)}, ["y"])
    check_equal(convoy.onnx.load(model), tmp_path)


def test_outputs_that_are_inputs_or_constants(tmp_path):
    nodes = [helper.make_node("Conv", ["x", "w"], ["y"], "conv")]
    model = make_model(nodes, {"x": (1, 3, 5, 4)}, {"w": draw_integers((6, 3, 2, 2), 1)}, ["y", "x", "w"])
    check_equal(convoy.onnx.load(model), tmp_path)


@pytest.mark.parametrize("seed", range(3))
def test_random_graphs(seed, tmp_path):
    """Convolutions of earlier values, with residuals, and some that lie outside."""
    numbers = np.random.default_rng(seed)
    values, nodes, constants = ["x"], [], {}
    for number in range(12):
        first, second = numbers.choice(values, 2)
        filter, made = f"w{number}", f"v{number}"
        constants[filter] = draw_integers((4, 4, 1, 1), number, most=1)
        nodes.append(helper.make_node("Conv", [first, filter], [f"c{number}"]))
        op = numbers.choice(["Add", "Max", "LpPool"], p=[0.4, 0.4, 0.2])
        reads = [f"c{number}"] if op == "LpPool" else [f"c{number}", second]
        attributes = {"kernel_shape": [1, 1], "p": 1} if op == "LpPool" else {}
        nodes.append(helper.make_node(op, reads, [made], **attributes))
        values.append(made)
    model = make_model(nodes, {"x": (1, 4, 3, 5)}, constants, values[-2:])
    check_lifetimes(check_equal(convoy.onnx.load(model), tmp_path))


def get_places(manifest, chain):
    """The places in a chain's workspace: offset, bytes, first and last step."""
    sizes = {"f64": 8, "f32": 4, "f16": 2}
    for value in chain["values"]:
        count = int(np.prod(value["shape"])) * sizes[value["type"]]
        yield value["offset"], count, value["first_step"], value["last_step"]
    for number, step in enumerate(chain["steps"]):
        yield step["workspace"]["offset"], step["workspace"]["bytes"], number, number


def check_lifetimes(manifest):
    """Values that are alive at once lie apart."""
    kernels = {kernel["entry"]: kernel for kernel in manifest["kernels"]}
    for chain in manifest["chains"]:
        places = list(get_places(manifest, chain))
        total = kernels[chain["entry"]]["workspace"]["bytes"]
        alive = [
            sum(count for _, count, first, last in places if first <= number <= last)
            for number in range(len(chain["steps"]))
        ]
        assert total >= max(alive)
        for offset, count, _, _ in places:
            assert offset % 64 == 0 and offset + count <= total
        for number, (offset, count, first, last) in enumerate(places):
            for other, size, begin, end in places[:number]:
                is_apart = offset + count <= other or other + size <= offset
                assert is_apart or last < begin or end < first


def test_manifest(network, files):
    manifest = json.loads((files / "net.json").read_text())
    assert [chain["entry"] for chain in manifest["chains"]] == ["net_chain0", "net_chain1"]
    first, second = manifest["chains"]
    # Equal layers are one kernel; names that others need are not given.
    assert [step["kernel"] for step in first["steps"]] == ["stem_conv", "one", "two", "depthwise"]
    assert [step["kernel"] for step in second["steps"]] == ["last__conv______", "one_pack_filter_2"]
    assert [value["name"] for value in first["values"]] == ["r", "e"]
    nodes = [node for chain in manifest["chains"] for step in chain["steps"] for node in step["nodes"]]
    parts = [step for step in manifest["model"]["steps"] if "file" in step]
    nodes += [node for part in parts for node in part["nodes"]]
    assert sorted(nodes) == sorted(node.name for node in make_network().graph.node)
    steps = [(step["inputs"], step["outputs"]) for step in manifest["model"]["steps"]]
    assert steps == [(["x"], ["c", "f"]), (["f"], ["g"]), (["g", "f"], ["y"])]
    check_lifetimes(manifest)


def test_equal_kernels_are_there_once(tmp_path):
    constants = {f"w{number}": draw_integers((5, 5, 1, 1), number // 2) for number in range(4)}
    nodes = [
        helper.make_node("Conv", [f"v{number}", f"w{number}"], [f"v{number + 1}"], f"layer{number}")
        for number in range(4)
    ]
    model = convoy.onnx.load(make_model(nodes, {"v0": (1, 5, 4, 3)}, constants, ["v4"]))
    manifest = check_equal(model, tmp_path)
    (chain,) = manifest["chains"]
    # The first reads, and the last writes, what lies as ONNX has it.
    assert [step["kernel"] for step in chain["steps"]] == ["layer0", "layer1", "layer1", "layer3"]
    constants = [step["operands"][1] for step in chain["steps"]]
    assert constants[0] == constants[1] != constants[2] == constants[3]
    check_lifetimes(manifest)


def test_bytes_are_the_same_each_time(network, files, tmp_path):
    network.save(tmp_path / "net.so", manifest=tmp_path / "net.json")
    for name in ("net.so", "net.json"):
        assert (tmp_path / name).read_bytes() == (files / name).read_bytes()


def test_mutated_manifests(files, tmp_path):
    shutil.copytree(files, tmp_path, dirs_exist_ok=True)
    manifest = json.loads((files / "net.json").read_text())
    refused = 0
    for seed in range(300):
        # Most of a manifest is of kernels, and those have mutants of their own.
        mutant = dict(manifest)
        name = "model" if seed % 2 else "kernels"
        mutant[name] = mutate_manifest({name: manifest[name]}, random.Random(seed)).get(name)
        (tmp_path / "net.json").write_text(json.dumps(mutant))
        try:
            convoy.onnx.load_compiled(tmp_path / "net.so", tmp_path / "net.json")
        except convoy.Error as error:
            assert "\n" not in str(error)
            refused += 1
    assert 50 < refused < 300


def test_header(files):
    text = (files / "net.h").read_text()
    assert 'Calls stem_conv: "stem/conv", "stem/relu"' in text
    assert '// Nodes: "last \\22conv\\22 \\C3\\A4*/"' in text
    assert " *   x: f32[2][3][9][7], layout nchw, read\n" in text
    assert " *   f: f32[2][20][9][7], layout nchw, written\n" in text
    assert f"enum {{ net_chain0_x_elements = {2 * 3 * 9 * 7} }};" in text
    assert re.search(
        r"^int net_chain1\(const float \*CONVOY_RESTRICT g, const float \*CONVOY_RESTRICT f, "
        r"float \*CONVOY_RESTRICT y, void \*CONVOY_RESTRICT workspace\);$",
        text,
        re.MULTILINE,
    )


def test_chains_are_kernels(files):
    """`convoy.load` has them, and they return the codes of kernels."""
    library = convoy.load(files / "net.so", files / "net.json")
    c, f = library("net_chain0", draw_integers((2, 3, 9, 7)))
    assert (c.shape, f.shape) == ((2, 20, 9, 7), (2, 20, 9, 7))
    chain = ctypes.CDLL(str(files / "net.so")).net_chain0
    workspace = np.empty(1 << 20, np.uint8)
    aligned = workspace.ctypes.data + -workspace.ctypes.data % 64
    arrays = [ctypes.c_void_p(array.ctypes.data) for array in (draw_integers((2, 3, 9, 7)), c, f)]
    assert chain(*arrays, ctypes.c_void_p(aligned)) == 0
    assert chain(None, *arrays[1:], ctypes.c_void_p(aligned)) == 1
    assert chain(*arrays, ctypes.c_void_p(aligned + 32)) == 2


PROGRAM = """
#include "net.h"
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  static float x[net_chain0_x_elements], c[net_chain0_c_elements], f[net_chain0_f_elements];
  if (fread(x, sizeof x, 1, stdin) != 1)
    return 10;
  int code = net_chain0(x, c, f, aligned_alloc(64, net_chain0_workspace_bytes));
  return code || fwrite(c, sizeof c, 1, stdout) != 1;
}
"""


def test_programs_on_another_machine(network, tmp_path):
    """An emulator runs them, where there is one."""
    network.save(
        tmp_path / "net.o", header=tmp_path / "net.h", cpu="cortex-a72", triple="aarch64-linux-gnu"
    )
    (tmp_path / "main.c").write_text(PROGRAM)
    emulator = shutil.which("qemu-aarch64")
    if not emulator or not pathlib.Path("/usr/aarch64-linux-gnu/include/stdio.h").exists():
        return
    command = ["clang-22", "--target=aarch64-linux-gnu", "-fuse-ld=lld", "-static", "-std=c11"]
    command += ["-Wall", "-Werror", "main.c", "net.o", "-o", "main"]
    subprocess.run(command, cwd=tmp_path, check=True)
    inputs = draw_inputs(network, draw_integers)
    given = inputs["x"].tobytes()
    done = subprocess.run([emulator, "main"], cwd=tmp_path, input=given, capture_output=True, check=True)
    assert done.stdout == network.compile().run(inputs)["c"].tobytes()


@pytest.mark.parametrize("end", ("o", "a", "so"))
def test_programs_in_c_get_the_bits_of_the_session(network, end, tmp_path):
    session = network.compile()
    session.save(tmp_path / f"net.{end}", header=tmp_path / "net.h")
    (tmp_path / "main.c").write_text(PROGRAM)
    command = ["clang-22", "-std=c11", "-Wall", "-Werror", "main.c", f"./net.{end}", "-o", "main"]
    subprocess.run(command, cwd=tmp_path, check=True)
    inputs = draw_inputs(network, draw_normal)
    given = inputs["x"].tobytes()
    done = subprocess.run(["./main"], cwd=tmp_path, input=given, capture_output=True, check=True)
    assert done.stdout == session.run(inputs)["c"].tobytes()


@pytest.mark.parametrize(
    "options, sentence",
    (
        ({"output": "net.ll"}, "expected a name that ends in .o, .a or .so, but got 'net.ll'"),
        ({"output": 5}, "expected a path for 'output', but got int"),
        ({"header": "net.so"}, "expected different files for output, header and manifest, but got 'net.so' twice"),
        ({"manifest": "none/net.json"}, "cannot write 'none/net"),
        ({"cpu": "z80"}, "expected "),
        ({"triple": "aarch64-linux-gnu", "cpu": "haswell"}, "expected a CPU of aarch64"),
        ({"triple": "riscv64-linux-gnu", "cpu": "generic"}, "expected a triple of x86_64 or aarch64"),
        ({"threads": 0}, "expected a number from 1 to "),
    ),
)
def test_errors_of_saving(network, options, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(convoy.Error) as error:
        network.save(**({"output": "net.so"} | options))
    assert str(error.value).startswith(sentence) and "\n" not in str(error.value)
    assert not list(tmp_path.iterdir())


def test_models_that_cannot_be_saved(network, tmp_path):
    model = make_model([helper.make_node("Relu", ["x"], ["y"])], {"x": (2, 3)}, {}, ["y"])
    with pytest.raises(convoy.Error, match="expected a convolution or samples to compile, but the model has none"):
        convoy.onnx.load(model).save(tmp_path / "net.so")
    session = network.compile(target="rocm-sim")
    with pytest.raises(convoy.Error, match="expected a session for cpu to save, but got one for 'rocm-sim'"):
        session.save(tmp_path / "net.so")


def change(path, text, other):
    path.write_text(path.read_text().replace(text, other))


@pytest.mark.parametrize(
    "break_files, sentence",
    (
        (lambda folder: (folder / "net.json").unlink(), "cannot read '"),
        (lambda folder: (folder / "net.part0.onnx").unlink(), "cannot read '"),
        (lambda folder: (folder / "net.part0.onnx").write_bytes(b""), "expected '"),
        (lambda folder: (folder / "net.so").write_bytes(b""), ""),
        (lambda folder: change(folder / "net.json", '"outputs"', '"others"'), "expected a manifest of a model that was saved"),
        (lambda folder: change(folder / "net.json", '"model"', '"other"'), "expected the manifest of a model, but '"),
        (lambda folder: change(folder / "net.json", '"chain": "net_chain1"', '"chain": "none"'), "expected one of "),
    ),
)
def test_errors_of_loading(files, break_files, sentence, tmp_path):
    for file in files.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    break_files(tmp_path)
    with pytest.raises(convoy.Error) as error:
        convoy.onnx.load_compiled(tmp_path / "net.so", tmp_path / "net.json")
    assert str(error.value).startswith(sentence) and "\n" not in str(error.value)


def test_errors_of_runs(files):
    loaded = convoy.onnx.load_compiled(files / "net.so", files / "net.json")
    with pytest.raises(convoy.Error, match="expected the inputs x, but got none"):
        loaded.run({})
    with pytest.raises(convoy.Error, match="expected float32 for 'x', but got float64"):
        loaded.run({"x": np.zeros((2, 3, 9, 7))})


def test_ctrl_c_leaves_no_files(tmp_path):
    """Whenever it comes, also while LLVM optimizes."""
    nodes = [helper.make_node("Conv", ["x", f"w{size}"], [f"y{size}"]) for size in range(1, 7)]
    constants = {f"w{size}": draw_integers((40 + size, 20, size, size)) for size in range(1, 7)}
    outputs = [f"y{size}" for size in range(1, 7)]
    model = convoy.onnx.load(make_model(nodes, {"x": (1, 20, 19, 17)}, constants, outputs))
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        for number in range(8):
            folder = tmp_path / str(number)
            folder.mkdir()
            signal.setitimer(signal.ITIMER_REAL, 0.02 + 0.07 * number)
            try:
                model.save(folder / "net.so", header=folder / "net.h", manifest=folder / "net.json")
            except KeyboardInterrupt:
                assert not list(folder.iterdir())
            else:
                assert len(list(folder.iterdir())) == 3
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.signal(signal.SIGALRM, before)
