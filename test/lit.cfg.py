"""Configures the lit suite of IR tests, tool tests and integration tests.

Substitutions beyond lit's own and the tools found on PATH:
  %mlir-opt          the stock mlir-opt of the LLVM that Convoy is built with
  %llvm_lib_dir      that LLVM's library folder
  %llvm_include_dir  that LLVM's headers and .td files
  %convoy_tools_dir  the build's program folder
  %convoy_lib_dir    the build's library folder, where the plugin is
  %convoy_src        the source tree
  %convoy_obj        the build tree
  %inputs            test/Inputs
  %hip_stand_in      the library that stands in for HIP's: see test/hip/StandIn.h
  %host_cc           the C compiler that built Convoy
  %host_cxx          the C++ compiler that built Convoy
  %compiler_launcher what CMake starts compilers with, such as ccache
  %install_libdir    the library folder in a place where Convoy is installed
  %python            Python, with numpy and onnx where scripts/setup ran
  %matrix_spirv_val  a spirv-val that knows cooperative matrices and bf16, PyPI's
  %python_dir        the folder that holds the build's Python package

Features: gcc, clang and clang-format (on PATH), aarch64 (an emulator runs C
programs for ARM), amx (this CPU has it, and the system lets programs use it), onnx (%python has numpy and onnx), onnxruntime (and that, too),
torch (%python has it), matrix-spirv-val (%matrix_spirv_val is there), reports (the build can write them), python-module (the
build has the Python package), and asan or ubsan where the build has them. A folder that needs a tool or a device gates itself in its lit.local.cfg.
"""

import os
import shutil
import subprocess

import lit.formats
from lit.llvm import llvm_config
from lit.llvm.subst import ToolSubst

config.name = "Convoy"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".td", ".c"]
config.excludes = ["Inputs", "hip", "unit", "lib", "pages", "sanitizers", "vulkan"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.convoy_obj_root, "test")

# Vulkan devices are used with validation layers in every test, and leave the
# user's cache alone.
config.environment["CONVOY_VULKAN_VALIDATE"] = "1"
config.environment["CONVOY_VULKAN_CACHE"] = "0"
# lavapipe's compiler takes most of their time, a third of it to optimize.
config.environment["GALLIVM_PERF"] = "nopt"
config.environment.update(config.sanitizer_environment)
llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)
llvm_config.with_environment("PATH", config.convoy_tools_dir, append_path=True)

config.substitutions += [
    ("%llvm_lib_dir", config.llvm_lib_dir),
    ("%llvm_include_dir", config.llvm_include_dir),
    ("%convoy_tools_dir", config.convoy_tools_dir),
    ("%convoy_lib_dir", config.convoy_lib_dir),
    ("%convoy_src", config.convoy_src_root),
    ("%convoy_obj", config.convoy_obj_root),
    ("%inputs", os.path.join(config.test_source_root, "Inputs")),
    ("%hip_stand_in", os.path.join(config.convoy_obj_root, "test/hip/libamdhip64.so")),
    # The longer name first: each is replaced wherever it stands.
    ("%host_cxx", config.host_cxx),
    ("%host_cc", config.host_cc),
    ("%compiler_launcher", config.compiler_launcher),
    ("%install_libdir", config.install_libdir),
    ("%python_dir", os.path.join(config.convoy_obj_root, "python")),
    ("%python", config.python_executable),
]

llvm_config.use_default_substitutions()
llvm_config.add_tool_substitutions(
    [ToolSubst("%mlir-opt", "mlir-opt", unresolved="fatal")],
    [config.llvm_tools_dir],
)
llvm_config.add_tool_substitutions(
    config.convoy_tools
    + ["mlir-runner", "split-file", "llvm-nm", "llvm-objdump", "llvm-readelf"],
    [config.convoy_tools_dir, config.llvm_tools_dir],
)

# A test that hangs fails by name; lit needs psutil for that. Under sanitizers
# tests take several times as long.
if lit_config.maxIndividualTestTimeIsSupported[0]:
    lit_config.maxIndividualTestTime = 5400 if config.llvm_use_sanitizer else 900

for feature, program in [
    ("gcc", "gcc"),
    ("clang", "clang"),
    ("clang-format", "clang-format-22"),
]:
    if shutil.which(program, path=config.environment["PATH"]):
        config.available_features.add(feature)

has_cross_libc = os.path.exists("/usr/aarch64-linux-gnu/include/stdio.h")
if has_cross_libc and shutil.which("qemu-aarch64"):
    config.available_features.add("aarch64")

if os.path.exists("/proc/cpuinfo"):
    with open("/proc/cpuinfo", encoding="utf-8") as cpuinfo:
        words = cpuinfo.read().split()
    if "amx_bf16" in words and "amx_int8" in words:
        config.available_features.add("amx")

if config.has_reports:
    config.available_features.add("reports")

if config.has_python_module:
    config.available_features.add("python-module")

# The system's may be too old for them.
matrix_spirv_val = os.path.join(os.path.dirname(config.python_executable), "spirv-val")
if os.path.exists(matrix_spirv_val):
    config.available_features.add("matrix-spirv-val")
    config.substitutions.append(("%matrix_spirv_val", matrix_spirv_val))

has_onnx = subprocess.run(
    [config.python_executable, "-c", "import numpy, onnx"], capture_output=True
)
if has_onnx.returncode == 0:
    config.available_features.add("onnx")

has_onnxruntime = subprocess.run(
    [config.python_executable, "-c", "import onnx, onnxruntime"], capture_output=True
)
if has_onnxruntime.returncode == 0:
    config.available_features.add("onnxruntime")

# To import it takes seconds.
has_torch = subprocess.run(
    [
        config.python_executable,
        "-c",
        "import importlib.util, sys; sys.exit(not importlib.util.find_spec('torch'))",
    ]
)
if has_torch.returncode == 0:
    config.available_features.add("torch")
