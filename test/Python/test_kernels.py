"""What is compiled, what is said of it, and what is refused."""

import concurrent.futures
import ctypes
import json
import re

import numpy as np
import pytest

import convoy

PROBLEM = "mb2_ic3ih9iw7oc5kh3kw2"


@pytest.fixture(scope="module")
def kernel():
    return convoy.compile(PROBLEM)


def test_description(kernel):
    assert kernel.problem == (
        "--dir=FWD_D --type=f32 --input-layout=nhwc --filter-layout=hwcf "
        "--output-layout=nhwf mb2_ic3ih9iw7_oc5oh7ow6_kh3kw2_ph0pw0"
    )
    assert kernel.target == "cpu"
    assert repr(kernel) == f"<convoy.Kernel cpu: {kernel.problem}>"
    assert kernel.code_bytes > 0
    assert kernel.workspace_bytes >= 0
    assert "<td>nhwc</td><td>(2, 9, 7, 3)</td>" in kernel._repr_html_()


def test_flags_are_defaults():
    layouts = "nchw,fchw,nfhw"
    kernel = convoy.compile(PROBLEM, layouts=layouts, direction="BWD_W", type="f64")
    assert kernel.problem.startswith(
        "--dir=BWD_W --type=f64 --input-layout=nchw --filter-layout=fchw --output-layout=nfhw "
    )
    kernel = convoy.compile("--dir=BWD_D " + PROBLEM, direction="BWD_W")
    assert kernel.problem.startswith("--dir=BWD_D ")


def test_tile():
    kernel = convoy.compile("mb1_ic8ih9oc24kh3ph1", cpu="x86-64", tile="2x1")
    assert "tile = [2, 1]" in kernel.explain()
    assert "rows: 2 of" in kernel.explain()
    assert kernel.check("int").verdict == "exact"
    with pytest.raises(convoy.Error, match="has no tile of 1024 rows and 4 vectors"):
        convoy.compile("mb260_ic1iw260oc260ow260kw1", tile="1024x4")
    with pytest.raises(convoy.Error, match="expected 1 to 1024 rows and 1 to 4 vectors, .* got '2'"):
        convoy.compile(PROBLEM, tile="2")
    with pytest.raises(convoy.Error, match="^'tile' is not for target=rocm-sim$"):
        convoy.compile(PROBLEM, target="rocm-sim", tile="2x1")


@pytest.mark.parametrize("precision", ("low", "normal", "high"))
def test_precision(precision):
    kernel = convoy.compile(PROBLEM, type="f16", precision=precision)
    assert kernel.check("int").passed


def test_models_are_no_problems():
    with pytest.raises(convoy.Error, match="^expected a problem, but got 'm.onnx': convoy.onnx.compile takes"):
        convoy.compile("m.onnx")


@pytest.mark.parametrize("direction", ("FWD_B", "BWD_D"))
def test_algorithm(direction):
    problem = "mb1_ic16ih12oc24kh3ph1"
    kernel = convoy.compile(problem, direction=direction, algorithm="winograd:4", threads=2)
    assert "Winograd's algorithm computes tiles of 4x4 results" in kernel.explain()
    assert kernel.check("normal").passed and kernel.check("int").passed
    other = convoy.compile(problem, direction=direction, algorithm="auto")
    assert other.check().passed
    ranged = convoy.compile(problem, algorithm="winograd:2", epilogue="relu", ranges={"input": (-8, 8)})
    assert "tiles of 2x2 results" in ranged.explain() and ranged.check().passed
    with pytest.raises(convoy.Error, match="^expected direct, winograd, .* or auto for '--algorithm', but got 'fft'$"):
        convoy.compile(problem, algorithm="fft")
    with pytest.raises(convoy.Error, match="can compute: its stride along 'h' is 2, not 1"):
        convoy.compile("mb1_ic16ih12oc24kh3sh2", algorithm="winograd")


RANGES = {"input": (-8, 8, 0.125), "filter": (-6, 6, 0.125)}


def test_ranges():
    """Sums are in f16 where ranges prove that it holds them, and checks know."""
    kernel = convoy.compile(PROBLEM, type="f16", precision="low", ranges=RANGES)
    assert any("sums in 'f16' with policy low" in line for line in kernel.explain().splitlines())
    for data in ("normal", "int", "edge"):
        assert kernel.check(data=data).passed
    other = convoy.compile(PROBLEM, type="f16", precision="low")
    assert not any("sums in 'f16'" in line for line in other.explain().splitlines())


def test_ranges_of_blocks_and_others():
    wide = {"input": (-50, 50, 0.125), "filter": (-35.5, 35.5, 0.125)}
    blocks = convoy.compile("mb1_ic4ih6iw7_oc5oh4ow5_kh3kw3_ph0pw0", type="f16", precision="low", ranges=wide)
    assert any("blocks" in line for line in blocks.explain().splitlines())
    assert blocks.check(data="normal").passed
    padded = convoy.compile(
        "--padding-mode=reflect mb1_ic4ih6iw7_oc5oh6ow7_kh3kw3_ph1pw1", type="f16", precision="low", ranges=RANGES
    )
    assert any("sums in 'f16'" in line for line in padded.explain().splitlines())
    assert padded.check(data="normal").passed


def test_calibrate(tmp_path):
    problem = "mb1_ic4ih6iw7_oc5oh4ow5_kh3kw3_ph0pw0"
    values = {"input": np.full((1, 6, 7, 4), 4.0), "filter": np.full((3, 3, 4, 5), 0.5)}
    for name, array in values.items():
        np.save(tmp_path / f"{name}.npy", array)
    files = {"input": tmp_path / "input.npy", "filter": [str(tmp_path / "filter.npy")]}
    kernel = convoy.compile(problem, type="f16", precision="low", calibrate=files)
    assert any("sums in 'f16'" in line for line in kernel.explain().splitlines())
    assert kernel.check().passed


@pytest.mark.parametrize(
    ("arguments", "message"),
    (
        ({"ranges": {"weight": (0, 1)}}, "a problem with an argument weight, but it has 0 .input., 1 .filter."),
        ({"ranges": {"input": (1, 0)}}, "the least number before the largest for 'ranges', but got 'input=1.0:0.0'"),
        ({"ranges": {"input": (0, float("nan"))}}, "finite numbers, .* for 'ranges', but got 'input=0.0:nan'"),
        ({"ranges": {"input": "x"}}, "expected numbers for 'ranges' of 'input', but got 'x'"),
        ({"ranges": {"input": (0, 1e6)}}, "expected a range of f16 for argument 0 of 'conv'"),
        ({"calibrate": {"input": 3}}, "expected a path for 'calibrate', but got int"),
        ({"calibrate": {"input": ""}}, "expected an argument and a file for 'calibrate', but got 'input='"),
        ({"calibrate": {"input": "none.npy"}}, "none.npy"),
    ),
)
def test_wrong_ranges(arguments, message):
    with pytest.raises(convoy.Error, match=message):
        convoy.compile(PROBLEM, type="f16", **arguments)


def test_no_such_precision():
    with pytest.raises(convoy.Error, match="expected low, normal or high .* got 'exact'"):
        convoy.compile(PROBLEM, precision="exact")


def test_checks(kernel):
    exact = kernel.check("int", seed=5)
    assert (exact.verdict, exact.passed, exact.worst_ratio) == ("exact", True, 0)
    assert exact.exact == exact.elements == 2 * 7 * 6 * 5
    drawn = kernel.check()
    assert drawn.verdict in ("exact", "explained")
    assert 0 < drawn.worst_ratio < 1
    assert abs(drawn.worst_value - drawn.worst_expected) <= drawn.worst_bound
    assert re.fullmatch(r"n=\d h=\d w=\d f=\d", drawn.worst_place)
    assert len(drawn.worst_index) == 4
    assert str(drawn).startswith(f"{drawn.verdict}; error/bound ")
    assert f"<td>{drawn.verdict}</td>" in drawn._repr_html_()
    assert drawn.faults == ()


def test_data_follows_from_the_seed(kernel):
    x, w = convoy.generate(kernel, data="normal", seed=7)
    again = kernel.generate(data="normal", seed=7)
    np.testing.assert_array_equal(x, again[0])
    np.testing.assert_array_equal(w, again[1])
    assert not np.array_equal(x, kernel.generate(data="normal", seed=8)[0])
    # In other layouts it is the same problem.
    (other, _) = convoy.generate(PROBLEM, layouts="cnwh,hwcf,nhwf", data="normal", seed=7)
    np.testing.assert_array_equal(other.transpose(1, 3, 2, 0), x)


def test_certificate(kernel):
    assert kernel.certificate.verdict == "certified"
    assert kernel.certificate
    assert kernel.certificate is kernel.certificate
    assert re.fullmatch(
        r"equal for all finite values from the problem to tiles \(\d+ changes\)",
        str(kernel.certificate),
    )
    assert "<b>certified</b>" in kernel.certificate._repr_html_()


@pytest.mark.parametrize("target", ("vulkan", "rocm-sim"))
def test_kernels_of_gpus(target):
    kernel = convoy.compile("mb1_ic3ih8oc4kh3sh2ph1", target=target, direction="BWD_D")
    assert kernel.certificate
    assert kernel.check("int").verdict == "exact"
    assert kernel.check("normal").verdict == "explained"


def test_kernels_of_vulkan_are_saved(tmp_path):
    kernel = convoy.compile(PROBLEM, target="vulkan")
    kernel.save(tmp_path / "conv.spv", manifest=tmp_path / "conv.json")
    assert (tmp_path / "conv.spv").read_bytes()[:4] == bytes.fromhex("03022307")
    assert json.loads((tmp_path / "conv.json").read_text())["target"] == "vulkan"


def test_explains(kernel):
    assert "remark: tiles are made for #convoy.target<" in kernel.explain()
    assert "remark: tile: " in kernel.explain()


def test_saved_kernels_are_called_by_other_programs(kernel, tmp_path):
    files = [tmp_path / name for name in ("conv.so", "conv.h", "conv.json")]
    kernel.save(files[0], header=files[1], manifest=files[2], name="layer", certify=True)
    manifest = json.loads(files[2].read_text())
    assert manifest["certificate"]["verdict"] == "certified"
    assert "int layer(const float *CONVOY_RESTRICT input" in files[1].read_text()
    x, w = kernel.generate()
    y = np.empty(kernel.arguments[-1].shape, np.float32)
    workspace = np.empty(kernel.workspace_bytes + 64, np.uint8)
    aligned = workspace.ctypes.data + -workspace.ctypes.data % 64
    function = ctypes.CDLL(str(files[0])).layer
    pointers = [ctypes.c_void_p(a) for a in (x.ctypes.data, w.ctypes.data, y.ctypes.data, aligned)]
    assert function(*pointers) == 0
    np.testing.assert_array_equal(y, kernel(x, w))


def test_kernels_are_saved_with_deep_certificates(kernel, tmp_path):
    files = [tmp_path / name for name in ("conv.o", "conv.h", "conv.json")]
    kernel.save(files[0], header=files[1], manifest=files[2], certify="deep")
    [test] = json.loads(files[2].read_text())["certificate"]["identity_tests"]
    assert test["missed_log2"] <= -64
    runs = f"//   conv: {test['runs']} runs on random integers, which miss a wrong sum"
    assert runs in files[1].read_text()


def test_saves_what_the_name_says(kernel, tmp_path):
    kernel.save(tmp_path / "conv.o")
    assert (tmp_path / "conv.o").read_bytes().startswith(b"\x7fELF")
    kernel.save(tmp_path / "kernel", emit="asm")
    assert ".globl\tconv" in (tmp_path / "kernel").read_text()
    kernel.save(tmp_path / "conv.mlir")
    assert "convoy.conv ins" in (tmp_path / "conv.mlir").read_text()


SAVES = [
    ({"output": "conv.txt"}, "expected a name that ends in .mlir, .ll, .s, .o, .a or .so"),
    ({"output": "conv.o", "emit": "exe"}, "expected mlir, llvm, asm, obj, archive or so"),
    ({"output": "conv.o", "header": "conv.o"}, "expected different files for output"),
    ({"output": "conv.o", "name": "2d"}, "expected a name for C and C++ for '--name'"),
    ({"output": "conv.o", "name": "free"}, "expected another '--name', since C's libraries"),
    ({"output": "-"}, "expected the name of a file, but got '-'"),
    ({"output": "conv.o", "certify": "down"}, "expected True, False or 'deep' for 'certify', but got 'down'"),
    ({"output": "conv.s", "certify": "deep"}, "a deep certificate runs kernels, and is for objects"),
    ({"output": "conv.o", "emit": 5}, "expected a text for 'emit', but got 5"),
    ({"output": "none/conv.o"}, "cannot write 'none/conv.o'"),
]


@pytest.mark.parametrize("files, sentence", SAVES)
def test_saves_are_refused(kernel, files, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(convoy.Error, match="^" + re.escape(sentence)):
        kernel.save(**files)
    assert not list(tmp_path.iterdir())


def test_simulated_kernels_are_not_saved(tmp_path):
    kernel = convoy.compile("mb1_ic2ih4oc3kh2", target="rocm-sim")
    with pytest.raises(convoy.Error, match="^expected a kernel for cpu, vulkan or rocm to save"):
        kernel.save(tmp_path / "conv.o")


REFUSED = [
    ({"problem": "conv.onnx"}, "but got 'conv.onnx'"),
    ({"problem": ""}, "expected a problem such as 'mb1_ic64ih56_oc64oh56_kh3ph1'"),
    ({"problem": 5}, "expected a text for 'problem', but got 5"),
    ({"problem": PROBLEM + "sh0"}, "expected a 64-bit number of at least 1 for 'sh', but got '0'"),
    ({"direction": "forward"}, "'forward'"),
    ({"direction": "all"}, "expected one problem, but 'mb2_ic3ih9iw7oc5kh3kw2' is 3"),
    ({"problem": "--dynamic=n mb2_ic3ih9iw7oc5kh3kw2"}, "expected known sizes, but got '--dynamic=n'"),
    ({"type": "f8"}, "expected f64, f32, f16, bf16 or i8"),
    ({"layouts": "nhwc"}, "expected layouts of input, filter and output"),
    ({"layouts": "nhwc,hwcf,nhwx"}, "'nhwx'"),
    ({"layouts": 5}, "expected a text for 'layouts', but got 5"),
    ({"target": None}, "expected a text for 'target', but got None"),
    ({"target": "tpu"}, "expected cpu, qemu, vulkan, rocm, rocm-sim or vulkan-sim for '--target', but got 'tpu'"),
    ({"cpu": "z80"}, "or host, but got z80"),
    ({"threads": 0}, "expected a number from 1 to 1024 for 'threads', but got 0"),
    ({"threads": 2**70}, "expected a number from 1 to 1024 for 'threads'"),
]


@pytest.mark.parametrize("arguments, sentence", REFUSED)
def test_refused_problems(arguments, sentence):
    with pytest.raises(convoy.Error, match=re.escape(sentence)) as caught:
        convoy.compile(**({"problem": PROBLEM} | arguments))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("target", ("cpu:1", "rocm-sim:gfx1", "vulkan:999"))
def test_missing_devices(target):
    with pytest.raises(convoy.DeviceError):
        convoy.compile(PROBLEM, target=target)


def test_refused_data(kernel):
    with pytest.raises(convoy.Error, match="^expected int, uniform, normal, range, cancel"):
        kernel.check("zeros")
    with pytest.raises(convoy.Error, match="^expected a number from 0 to .* for 'seed', but got -1$"):
        kernel.generate(seed=-1)


def test_checks_that_need_more_memory_than_there_is():
    with pytest.raises(convoy.Error, match="memory"):
        convoy.compile("mb9999_ic9999iw9999oc9999kw1").check()


def test_reference_takes_problems():
    x, w = convoy.generate(PROBLEM, type="i8")
    result = convoy.reference(PROBLEM, x, w, type="i8")
    assert (result.dtype, result.shape) == (np.int32, (2, 7, 6, 5))
    with pytest.raises(convoy.Error, match="^expected 2 operands"):
        convoy.reference(PROBLEM, x)
    with pytest.raises(convoy.Error, match="^expected no flags of problems beside a kernel"):
        convoy.reference(convoy.compile(PROBLEM), x, w, type="i8")


# ---------------------------------------------------------------------------
# For other machines
# ---------------------------------------------------------------------------

TRIPLE = {"triple": "aarch64-linux-gnu", "cpu": "cortex-a72"}


def test_kernels_for_other_machines(tmp_path):
    kernel = convoy.compile(PROBLEM, **TRIPLE)
    assert kernel.triple == "aarch64-unknown-linux-gnu"
    assert kernel.target == "cpu"
    files = [tmp_path / name for name in ("conv.o", "conv.h", "conv.json")]
    kernel.save(files[0], header=files[1], manifest=files[2], certify=True)
    # EM_AARCH64, in ELF's header.
    assert int.from_bytes(files[0].read_bytes()[18:20], "little") == 183
    manifest = json.loads(files[2].read_text())
    assert (manifest["triple"], manifest["chip"]) == (kernel.triple, "cortex-a72")
    kernel.save(tmp_path / "conv.s")
    assert "fmla\tv" in (tmp_path / "conv.s").read_text()
    assert kernel.code_bytes > 0
    assert kernel.certificate.verdict == "certified"
    assert "vector_bytes = 16" in kernel.explain()


def test_kernels_for_other_machines_are_not_called():
    kernel = convoy.compile(PROBLEM, **TRIPLE)
    sentence = "^expected a kernel for this machine to run, but got one for aarch64-unknown-linux-gnu$"
    with pytest.raises(convoy.Error, match=sentence):
        kernel(*kernel.generate())
    with pytest.raises(convoy.Error, match=sentence):
        kernel.check()


def test_kernels_for_other_cpus(tmp_path):
    """No CPU of today has all that bdver4 had: files are made for it, and nothing is run."""
    kernel = convoy.compile(PROBLEM, triple="x86_64-linux-gnu", cpu="bdver4")
    kernel.save(tmp_path / "conv.o")
    with pytest.raises(convoy.Error, match="^expected a kernel for this machine to run, but got one for (a CPU with|x86_64)"):
        kernel(*kernel.generate())


def test_kernels_for_this_machine_by_its_triple():
    own = convoy.compile(PROBLEM)
    architecture, *_, system = own.triple.split("-", 2)
    kernel = convoy.compile(PROBLEM, triple=f"{architecture}-{system.removeprefix('unknown-')}")
    assert kernel.check("int").verdict == "exact"
    assert convoy.compile(PROBLEM, target="vulkan").triple == ""


def test_other_systems(tmp_path):
    """The same architecture on another system is another machine."""
    kernel = convoy.compile(PROBLEM, triple="x86_64-pc-windows-msvc", cpu="haswell")
    kernel.save(tmp_path / "conv.obj", emit="obj")
    # IMAGE_FILE_MACHINE_AMD64, in COFF's header.
    assert (tmp_path / "conv.obj").read_bytes()[:2] == b"\x64\x86"
    with pytest.raises(convoy.Error, match="^expected a kernel for this machine to run"):
        kernel.check()
    with pytest.raises(convoy.Error, match="^expected a triple of ELF for a shared object"):
        kernel.save(tmp_path / "conv.so")


TRIPLES = [
    ({"triple": "nonsense"}, "expected a triple of x86_64 or aarch64, such as aarch64-linux-gnu"),
    ({"triple": "riscv64-linux-gnu", "cpu": "sifive-u74"}, "expected a triple of x86_64 or aarch64"),
    ({"triple": "aarch64-linux-gnu"}, "expected a CPU of aarch64, such as generic"),
    ({"triple": "aarch64-linux-gnu", "cpu": "haswell"}, "expected a CPU of aarch64"),
    ({**TRIPLE, "target": "vulkan"}, "'triple' is not for target=vulkan"),
    ({"triple": 5}, "expected a text for 'triple', but got 5"),
]


@pytest.mark.parametrize("options, sentence", TRIPLES)
def test_triples_are_refused(options, sentence):
    with pytest.raises(convoy.Error, match="^" + re.escape(sentence)):
        convoy.compile(PROBLEM, **options)


def test_code_that_is_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("CONVOY_OBJECT_CACHE", str(tmp_path))
    problem = "mb1_ic3ih8oc4kh3"
    kernels = [convoy.compile(problem) for _ in range(2)]
    assert len(list(tmp_path.glob("llvmcache-*"))) == 1
    x, w = kernels[0].generate("int")
    np.testing.assert_array_equal(kernels[0](x, w), kernels[1](x, w))
    assert kernels[0].code_bytes == kernels[1].code_bytes
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        made = pool.map(lambda _: convoy.compile(f"mb2_{problem[4:]}"), range(8))
        assert all(kernel.check("int").verdict == "exact" for kernel in made)
    assert len(list(tmp_path.glob("llvmcache-*"))) == 2
