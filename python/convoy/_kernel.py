"""Kernels: problems that are compiled, called and checked."""

import functools
import html
import os
import warnings
from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from convoy import _arrays, _native
from convoy._arrays import Argument, Array
from convoy._checks import check_number, check_path, check_seed, check_text, show
from convoy._module import Certificate
from convoy._native import Error
from convoy._report import Report, make_report

Path = str | os.PathLike[str]

_LAYOUT_FLAGS = ("--input-layout", "--filter-layout", "--output-layout")


def _make_flags(layouts: str | None, direction: str | None, type: str | None) -> list[str]:
    """The defaults of problems as flags of the tools."""
    flags = []
    if direction is not None:
        flags.append(f"--dir={check_text(direction, 'direction')}")
    if type is not None:
        flags.append(f"--type={check_text(type, 'type')}")
    if layouts is not None:
        words = check_text(layouts, "layouts").split(",")
        if len(words) != len(_LAYOUT_FLAGS):
            raise Error(
                "expected layouts of input, filter and output, as in 'nhwc,hwcf,nhwf', "
                f"for 'layouts', but got '{layouts}'"
            )
        flags += [f"{flag}={word}" for flag, word in zip(_LAYOUT_FLAGS, words)]
    return flags


def _get_arguments(problem: _native.Problem) -> list[Argument]:
    return _arrays.describe_arguments(problem.arguments)


def _generate(problem: _native.Problem, data: str, seed: int) -> tuple[Array, ...]:
    arrays = [_arrays.make_array(argument) for argument in _get_arguments(problem)]
    problem.generate(check_text(data, "data"), check_seed(seed), _arrays.get_addresses(arrays))
    return tuple(arrays[:-1])


class Kernel:
    """A problem that is compiled for a target: see `convoy.compile`.

    Threads may call one kernel at once; on the CPU the calls run at once, each
    with a workspace of its own, on other targets one after the other.
    """

    def __init__(
        self,
        problem: _native.Problem,
        target: str,
        cpu: str,
        threads: int,
        tile: str | None,
        precision: str,
        algorithm: str,
        triple: str,
        ranges: list[str],
        calibrations: list[str],
    ) -> None:
        self._problem = problem
        self._arguments = _get_arguments(problem)
        self._native = _native.Kernel(
            problem,
            target,
            cpu,
            threads,
            tile,
            precision,
            algorithm,
            triple,
            ranges,
            calibrations,
        )
        for line in self._native.warnings:
            warnings.warn(line, stacklevel=3)

    @property
    def problem(self) -> str:
        """The problem as a line that parses back, with all flags."""
        return str(self._problem)

    @property
    def target(self) -> str:
        """What it was compiled for, as `convoy.compile` was told."""
        return self._native.target

    @property
    def triple(self) -> str:
        """The architecture and system that a kernel for the CPU is for, as LLVM writes
        them; empty for other targets."""
        return self._native.triple

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """The operands in the order of a call, then the result."""
        return tuple(self._arguments)

    @property
    def workspace_bytes(self) -> int:
        """Bytes of scratch memory that a call uses, which it brings itself."""
        return self._native.workspace_bytes

    @property
    def code_bytes(self) -> int:
        """Bytes of machine code; for another machine those of the object."""
        return self._native.code_bytes

    @functools.cached_property
    def certificate(self) -> Certificate:
        """The proof that every change from the problem down to tiles keeps its meaning.

        Made when it is first asked for, by running the passes again.
        """
        found = self._native.certify()
        return Certificate(found.verdict, found.text)

    def __call__(self, *operands: object, out: object = None) -> Array:
        """Runs the kernel on arrays of NumPy, or of whatever has `__dlpack__`.

        `operands` are those of `arguments`, in order: input and filter (and bias)
        of FWD_D (FWD_B), output gradient and filter of BWD_D, input and output
        gradient of BWD_W, image and grid of samples. Each has the argument's type and shape. On the CPU
        they are read in place where they are dense and aligned to their elements,
        else copied; other targets work on copies.

        The result is a new array, or `out`, which is dense, aligned, writable and
        no operand's memory.

        Raises `convoy.Error` for operands that do not fit, and for a kernel that is
        for another machine.
        """
        inputs = _arrays.prepare_inputs(operands, self._arguments[:-1])
        result = self._arguments[-1]
        if out is None:
            output = _arrays.make_array(result)
        else:
            output = _arrays.prepare_output(out, result, inputs)
        self._native.launch(_arrays.get_addresses([*inputs, output]))
        return output

    def generate(self, data: str = "int", seed: int = 0) -> tuple[Array, ...]:
        """Operands for a call: see `convoy.generate`."""
        return _generate(self._problem, data, seed)

    def check(self, data: str = "normal", seed: int = 0) -> Report:
        """Runs the kernel on generated data, and compares each element of the
        result with its error bound; with `data="int"`, bit for bit.

        Raises `convoy.Error` where the data cannot show anything, or where memory
        is short; wrong numbers are a verdict, no error.
        """
        found = self._native.check(check_text(data, "data"), check_seed(seed))
        return make_report(found, self.problem, self.target)

    def explain(self) -> str:
        """What tiles were made for, and how the convolution was tiled: the lines
        of the tools' --explain."""
        return "\n".join(self._native.remarks)

    def save(
        self,
        output: str | os.PathLike[str],
        *,
        header: str | os.PathLike[str] = "",
        manifest: str | os.PathLike[str] = "",
        emit: str | None = None,
        name: str | None = None,
        certify: bool | Literal["deep"] = False,
    ) -> None:
        """Writes the kernel for other programs, as convoy-compile does.

        The end of the name `output` says what is written, or else `emit`: an
        object (.o), archive (.a) or shared object (.so) for the CPU, SPIR-V
        (.spv), a code object (.hsaco), assembly (.s), LLVM's IR (.ll). `header`
        is for C, `manifest` is JSON. `name` is that of the function. With
        `certify` nothing is written unless all is proved; with `certify="deep"`
        the machine code, which is for this CPU, also runs on random integers until
        a wrong sum of products is missed with a probability of at most 2⁻⁶⁴.
        docs/Kernels.md says how such kernels are called.

        Raises `convoy.Error` where a file cannot be written, and where what
        `certify` asks for is not found.
        """
        if certify is not True and certify is not False and certify != "deep":
            raise Error(f"expected True, False or 'deep' for 'certify', but got {show(certify)}")
        self._native.save(
            os.fspath(output),
            os.fspath(header),
            os.fspath(manifest),
            None if emit is None else check_text(emit, "emit"),
            None if name is None else check_text(name, "name"),
            certify is not False,
            certify == "deep",
        )

    def __repr__(self) -> str:
        return f"<convoy.Kernel {self.target}: {self.problem}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{argument.name}</td><td>{argument.dtype}</td>"
            f"<td>{argument.layout}</td><td>{argument.shape}</td></tr>"
            for argument in self._arguments
        )
        return f"<p><code>{html.escape(self.problem)}</code> for {html.escape(self.target)}</p><table>{rows}</table>"


def compile(
    problem: str,
    *,
    target: str = "cpu",
    cpu: str = "host",
    layouts: str | None = None,
    direction: str | None = None,
    type: str | None = None,
    threads: int = 1,
    tile: str | None = None,
    precision: str = "normal",
    algorithm: str = "direct",
    triple: str = "",
    epilogue: str | None = None,
    ranges: Mapping[str, Sequence[float]] | None = None,
    calibrate: Mapping[str, Path | Sequence[Path]] | None = None,
) -> Kernel:
    """Compiles a convolution or samples, and loads it onto the device of its target.

    - `problem`: a line of benchdnn's or MIOpenDriver's words, or of samples
      (docs/Problems.md), as in "mb1_ic64ih56oc64oh56kh3ph1" or "--grid-sample
      mb1_ic3ih9iw7_oh5ow4". Flags in it count more than those below.
    - `target`: cpu, vulkan, rocm, rocm-sim or vulkan-sim, or one device of these,
      as in "vulkan:1" or "rocm-sim:gfx1100".
    - `cpu`: as in LLVM's -mcpu, or "host". Calling a kernel for another is up to the host.
    - `layouts`: of input, filter and output ("nhwc,hwcf,nhwf"); samples' line has them.
    - `direction`: FWD_D, FWD_B (with a bias), BWD_D or BWD_W, as the flag --dir.
    - `type`: f64, f32, f16, bf16 or i8 (whose result is of int32). Arrays of bf16
      need the package ml_dtypes.
    - `threads`: that a call runs in, on the CPU; several need LLVM's OpenMP library.
    - `tile`: rows and vectors of register tiles on the CPU, as in "6x4", or of
      whole loops that are shorter; those estimated to be fastest where not given.
    - `precision`: low, normal or high, as the flag --precision.
    - `algorithm`: direct, winograd (with larger errors) or auto, as the flag --algorithm.
    - `triple`: the architecture and system to compile for, as in LLVM's -mtriple, with
      a `cpu` of it, as in "aarch64-linux-gnu" and "cortex-a72". A kernel for another
      machine can be saved, explained and certified, not called.
    - `epilogue`: what becomes of results before they are stored, as in "bias+relu":
      "bias", the direction FWD_B, and post-ops as the flag --attr-post-ops has them.
    - `ranges`, `calibrate`: what numbers arguments hold, as in {"input": (-8, 8, 0.125)}
      and, of recorded ones, {"input": "x.npy"}; as the flags --range and --calibrate.

    Raises `convoy.Error` for what cannot be compiled, and `convoy.DeviceError`
    where there is no such device.
    """
    if epilogue is not None:
        problem, direction = _add_epilogue(epilogue, problem, direction)
    return Kernel(
        _parse(problem, layouts, direction, type),
        check_text(target, "target"),
        check_text(cpu, "cpu"),
        check_number(threads, "threads", 1, _native.MAX_THREADS),
        None if tile is None else check_text(tile, "tile"),
        check_text(precision, "precision"),
        check_text(algorithm, "algorithm"),
        check_text(triple, "triple"),
        _get_ranges(ranges or {}),
        _get_calibrations(calibrate or {}),
    )


def _get_ranges(ranges: Mapping[str, Sequence[float]]) -> list[str]:
    """The values of flags --range."""
    values = []
    for name, numbers in ranges.items():
        try:
            text = ":".join(repr(float(number)) for number in numbers)
        except (TypeError, ValueError):
            raise Error(
                f"expected numbers for 'ranges' of {name!r}, but got {show(numbers)}"
            ) from None
        values.append(f"{check_text(name, 'ranges')}={text}")
    return values


def _get_calibrations(files: Mapping[str, Path | Sequence[Path]]) -> list[str]:
    """The values of flags --calibrate."""
    values = []
    for name, given in files.items():
        paths: Sequence[object] = given if isinstance(given, (list, tuple)) else [given]
        for path in paths:
            values.append(f"{check_text(name, 'calibrate')}={check_path(path, 'calibrate')}")
    return values


def _add_epilogue(
    epilogue: str, problem: str, direction: str | None
) -> tuple[str, str | None]:
    """A problem with the flags of an epilogue, and the direction that it has."""
    first, _, rest = check_text(epilogue, "epilogue").partition("+")
    if first != "bias":
        rest = epilogue
    elif direction not in (None, "FWD_B"):
        raise Error(f"expected the direction FWD_B for an epilogue with a bias, but got '{direction}'")
    else:
        direction = "FWD_B"
    words = f"--attr-post-ops={rest} " if rest or first != "bias" else ""
    return words + check_text(problem, "problem"), direction


def _parse(
    problem: object, layouts: str | None, direction: str | None, type: str | None
) -> _native.Problem:
    text = check_text(problem, "problem")
    if text.endswith(".onnx"):
        raise Error(f"expected a problem, but got '{text}': convoy.onnx.compile takes models of ONNX")
    return _native.Problem(text, _make_flags(layouts, direction, type))


def _get_problem(
    problem: str | Kernel, layouts: str | None, direction: str | None, type: str | None
) -> _native.Problem:
    """That of a kernel, which has its flags already, or what a text says."""
    if not isinstance(problem, Kernel):
        return _parse(problem, layouts, direction, type)
    if (layouts, direction, type) != (None, None, None):
        raise Error("expected no flags of problems beside a kernel, but got some")
    return problem._problem


def generate(
    problem: str | Kernel,
    *,
    data: str = "int",
    seed: int = 0,
    layouts: str | None = None,
    direction: str | None = None,
    type: str | None = None,
) -> tuple[Array, ...]:
    """The operands of a problem or a kernel, filled with generated data.

    `data` is int (small integers whose sums are exact in any order), uniform,
    normal, range, cancel, edge or special (docs/Numerics.md). A value follows from the
    seed and the logical index: every layout and target sees the same problem.
    """
    return _generate(_get_problem(problem, layouts, direction, type), data, seed)


def reference(
    problem: str | Kernel,
    *operands: object,
    layouts: str | None = None,
    direction: str | None = None,
    type: str | None = None,
) -> Array:
    """What a problem or a kernel should give for `operands`, by plain loops that
    share nothing with compiled code: exact to float64, or int32 for integers,
    modulo 2^32. In the result's layout; see `Kernel.__call__` for the operands.
    """
    parsed = _get_problem(problem, layouts, direction, type)
    arguments = _get_arguments(parsed)
    inputs = _arrays.prepare_inputs(operands, arguments[:-1])
    is_integer = np.issubdtype(arguments[-1].dtype, np.integer)
    output = _arrays.make_array(arguments[-1], np.dtype(np.int32 if is_integer else np.float64))
    parsed.reference(_arrays.get_addresses([*inputs, output]))
    return output
