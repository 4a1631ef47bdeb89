#!/usr/bin/env python3
"""Uses an installed package of scripts/wheel as its users do; see check-wheel."""

import importlib.metadata
import os
import subprocess
import sys

import convoy
import numpy as np

PROBLEM = "mb1_ic4ih9iw7oc6kh3kw2"
# Which threads share: that above has nothing for them.
SHARED_PROBLEM = "mb1_ic32ih28oc32kh3"

#: The libraries that systems of any distribution have, as manylinux lists them,
#: and those of Python itself.
SYSTEM_LIBRARIES = (
    "ld-linux", "libbz2.", "libc.", "libdl.", "libexpat.", "libffi.", "libgcc_s.",
    "liblzma.", "libm.", "libpthread.", "librt.", "libstdc++.", "libutil.", "libz.",
)  # fmt: skip


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


def expect(is_right: bool, what: str, got: object = "") -> None:
    if not is_right:
        sys.exit(f"try-wheel.py: expected {what}, but got {got}")
    print(f"ok: {what}")


def expect_output(text: str, *command: str) -> None:
    """A command that succeeds says `text`."""
    done = run(*command)
    output = done.stdout + done.stderr
    expect(done.returncode == 0 and text in output, f"'{text}' of {' '.join(command)}", output)


def expect_line(text: str, *command: str, code: int = 1) -> None:
    """A command that fails says one line, which has `text`."""
    done = run(*command)
    is_line = done.stderr.count("\n") == 1 and text in done.stderr and not done.stdout
    expect(done.returncode == code and is_line, f"'{text}' of {' '.join(command)}", done)


def try_package() -> None:
    kernel = convoy.compile(PROBLEM)
    x, w = kernel.generate("int", seed=1)
    y = kernel(x, w)
    expect(bool((y == convoy.reference(PROBLEM, x, w)).all()), "the reference's numbers")
    expect(kernel.check(seed=2).passed, "a check that passes")
    verdict = kernel.certificate.verdict
    expect(verdict == "certified", "a certificate", verdict)
    kernel.save("conv.o", header="conv.h")
    for threads in (1, 2):
        shared = convoy.compile(SHARED_PROBLEM, threads=threads)
        shared.save(f"conv{threads}.so", manifest=f"conv{threads}.json", name="conv")
    x, w = shared.generate("int", seed=3)
    np.savez("expected.npz", x=x, w=w, y=convoy.reference(SHARED_PROBLEM, x, w))
    simulated = convoy.compile(PROBLEM, target="rocm-sim")
    expect(simulated.check("int").verdict == "exact", "the same of a simulated GPU")


def try_loading(threads: int) -> None:
    """Nothing is compiled in this process."""
    data = np.load("expected.npz")
    library = convoy.load(f"conv{threads}.so", f"conv{threads}.json")
    result = library("conv", data["x"], data["w"])
    expect(bool((result == data["y"]).all()), f"a loaded kernel with threads={threads}")


def try_programs() -> None:
    scripts = importlib.metadata.distribution("convoy").entry_points.select(group="console_scripts")
    for script in scripts:
        # These read models with packages that are extras.
        if not script.name.endswith("-onnx"):
            expect_output("LLVM 22", script.name, "--version")
            expect_output("--help", script.name, "--help")
    expect_output("1 passed, 0 failed", "convoy-run", PROBLEM, "--check", "--certify")
    expect_output("1 passed, 0 failed", "convoy-run", PROBLEM, "--check", "--threads=2")
    expect_output("void *", "convoy-compile", PROBLEM, "--emit=so", "-o", "tool.so", "--header", "-")
    expect_output("gfx", "convoy-compile", PROBLEM, "--target=rocm", "-o", "a.hsaco", "--manifest", "-")
    vulkan = ("--target=vulkan", "--profile=generic", "-o", "a.spv", "--manifest", "-")
    expect_output('"target": "vulkan"', "convoy-compile", PROBLEM, *vulkan)
    expect_output("0 findings", "convoy-fuzz", "--cases=5", "--targets=cpu,rocm-sim")
    expect_output("geometric mean", "convoy-bench", PROBLEM, "--peers=none")
    with open("same.mlir", "w", encoding="utf-8") as file:
        file.write("func.func @same(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }")
    expect_output("llvm.func @same", "convoy-opt", "same.mlir", "--convoy-to-llvm-pipeline")
    expect_output("certified: @same", "convoy-certify", "same.mlir", "same.mlir")


def try_errors() -> None:
    expect_line("--no-such", "convoy-run", "--no-such")
    expect_line("cannot load libvulkan.so.1", "convoy-run", PROBLEM, "--target=vulkan", code=3)
    expect_line("cannot load libamdhip64.so", "convoy-run", PROBLEM, "--target=rocm", code=3)
    expect_line("expected the packages onnx and onnxruntime", "convoy-import-onnx", "x.onnx")
    expect_line("expected the packages onnx and onnxruntime", "convoy-diff-onnx", "x.onnx")
    expect_line("expected the packages onnx and onnxruntime", "convoy-run-onnx", "x.onnx")
    error = None
    try:
        convoy.compile(PROBLEM, target="vulkan")
    except convoy.DeviceError as raised:
        error = str(raised)
    expect(error == "there is no Vulkan: cannot load libvulkan.so.1", "an exception", error)


def try_libraries() -> None:
    """What this process has loaded is the wheel's, Python's or every system's."""
    prefix = os.path.realpath(sys.prefix)
    with open("/proc/self/maps", encoding="utf-8") as file:
        paths = {line.split()[-1] for line in file if ".so" in line}
    foreign = sorted(
        path
        for path in paths
        if not path.startswith((prefix, "/usr/lib/python3"))
        and not os.path.basename(path).startswith(SYSTEM_LIBRARIES)
    )
    expect(not foreign, "no library from elsewhere", foreign)


def main() -> None:
    if len(sys.argv) > 1:
        try_loading(int(sys.argv[1]))
        return
    try_package()
    for threads in ("1", "2"):
        subprocess.run([sys.executable, __file__, threads], check=True)
    try_programs()
    try_errors()
    try_libraries()


if __name__ == "__main__":
    main()
