"""Functions of IR that are compiled, called and checked."""

import functools
import warnings
from collections.abc import Sequence

from convoy import _arrays, _native
from convoy._arrays import Argument, Array
from convoy._checks import check_seed, check_text
from convoy._native import Error
from convoy._report import Report, make_report


class Function:
    """A function of IR that is compiled for a target: see `convoy.Module.compile`.

    Threads may call it at once, as a `convoy.Kernel`.
    """

    def __init__(self, native: _native.Function, target: str) -> None:
        self._native = native
        self._target = target
        kernel = native.kernels[0]
        arguments = _arrays.describe_arguments(kernel.arguments)
        written = [argument.written for argument in kernel.arguments]
        self._inputs = [one for one, is_written in zip(arguments, written) if not is_written]
        self._outputs = [one for one, is_written in zip(arguments, written) if is_written]
        self._is_dynamic = any(_arrays.is_dynamic(one) for one in arguments)
        self._known_outputs: dict[tuple[int, ...], list[Argument]] = {}
        unpacked = _arrays.describe_arguments(native.arguments)
        self._unpacked = unpacked[: len(self._inputs)]
        for line in native.warnings:
            warnings.warn(line, stacklevel=3)

    @property
    def name(self) -> str:
        """What the IR calls it."""
        return self._native.name

    @property
    def target(self) -> str:
        """What it was compiled for, as `convoy.Module.compile` was told."""
        return self._target

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """The operands in the order of a call, then the results; in their shapes, -1
        stands for sizes that a call gives."""
        return (*self._inputs, *self._outputs)

    @property
    def unpacked(self) -> tuple[Argument, ...]:
        """The same as `arguments`, with filters as they are before `pack` makes what is
        read."""
        return (*self._unpacked, *self._outputs)

    @property
    def signature(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """Type and shape of each of `unpacked`, which functions in each other's place
        have in common."""
        return tuple((one.dtype.name, one.shape) for one in self.unpacked)

    @property
    def workspace_bytes(self) -> int | None:
        """Bytes of scratch memory that a call uses, which it brings itself; None
        where they depend on the sizes of the call."""
        return self._native.kernels[0].workspace_bytes

    @property
    def code_bytes(self) -> int:
        """Bytes of machine code."""
        return self._native.code_bytes

    @functools.cached_property
    def _packers(self) -> dict[str, int]:
        """By the name of a packed argument: the number of the kernel that makes it."""
        kernels = self._native.kernels
        numbers = {kernel.name: number for number, kernel in enumerate(kernels)}
        return {
            argument.name: numbers[packer]
            for argument, packer in zip(kernels[0].arguments, kernels[0].packers)
            if packer
        }

    def __call__(self, *operands: object, out: object = None) -> Array | tuple[Array, ...]:
        """Runs the function on arrays, as `convoy.Kernel.__call__` does. Several
        results are a tuple, and `out` is one as well."""
        inputs = _arrays.prepare_inputs(operands, self._inputs)
        results = self._find_outputs(self._get_sizes(inputs))
        outputs = _arrays.prepare_outputs(out, results, inputs)
        arrays = [*inputs, *outputs]
        sizes = _arrays.get_sizes(arrays, [*self._inputs, *self._outputs])
        self._native.launch(0, _arrays.get_addresses(arrays), sizes)
        return outputs[0] if len(outputs) == 1 else tuple(outputs)

    def _get_sizes(self, inputs: list[Array]) -> list[int]:
        """The dynamic sizes that operands have."""
        return _arrays.get_sizes(inputs, self._unpacked) if self._is_dynamic else []

    def _find_outputs(self, sizes: list[int]) -> list[Argument]:
        """The results where the operands have these dynamic sizes."""
        if not any(map(_arrays.is_dynamic, self._outputs)):
            return self._outputs
        key = tuple(sizes)
        if key not in self._known_outputs:
            found = self._native.find_result_sizes(sizes)
            self._known_outputs[key] = _arrays.fill_sizes(self._outputs, found)
        return self._known_outputs[key]

    def _prepare(
        self, operands: tuple[object, ...]
    ) -> tuple[list[Array], list[Argument], list[int]]:
        """Operands, not packed, as arrays, the results for them, and the dynamic sizes
        of both."""
        inputs = _arrays.prepare_inputs(operands, self._unpacked)
        outputs = self._find_outputs(self._get_sizes(inputs))
        arguments = [*self._unpacked, *self._outputs]
        return inputs, outputs, _arrays.get_sizes([*inputs, *outputs], arguments)

    def run_at(self, addresses: list[int], sizes: Sequence[int] = ()) -> None:
        """Runs the function on what lies at `addresses`, for callers who have checked
        that each array, those of the results behind the others, is dense, aligned and
        of the argument's type and shape, where `sizes` are the dynamic ones of all
        arguments in order."""
        self._native.launch(0, addresses, sizes)

    @property
    def packed(self) -> tuple[str, ...]:
        """The names of the arguments that `pack` makes."""
        return tuple(self._packers)

    def pack(self, name: str, value: object) -> Array:
        """The argument `name`, one of `packed`, made of the filter `value`, whose
        shape is the one in the IR. A filter is packed once, for all calls.

        Raises `convoy.Error` where there is no such argument, or `value` does not
        fit.
        """
        if name not in self._packers:
            known = ", ".join(self._packers) or "none"
            raise Error(f"expected one of the packed arguments ({known}), but got {name!r}")
        number = self._packers[name]
        given, made = _arrays.describe_arguments(self._native.kernels[number].arguments)
        array = _arrays.prepare_input(value, given)
        result = _arrays.make_array(made)
        self._native.launch(number, _arrays.get_addresses([array, result]), [])
        return result

    def generate(
        self, data: str = "int", seed: int = 0, sizes: Sequence[int] = ()
    ) -> tuple[Array, ...]:
        """Operands, not packed, that follow from `data` (int, uniform, normal, range,
        cancel or edge, see docs/Numerics.md) and the seed. `sizes` are those that
        are -1 in `arguments`, operand by operand."""
        filled = _arrays.fill_sizes(self._unpacked, sizes)
        arrays = [_arrays.make_array(argument) for argument in filled]
        self._native.generate(
            check_text(data, "data"), check_seed(seed), _arrays.get_addresses(arrays), sizes
        )
        return tuple(arrays)

    def check(
        self,
        *operands: object,
        data: str = "normal",
        seed: int = 0,
        sizes: Sequence[int] = (),
    ) -> Report:
        """Runs the function on `operands`, not packed, or on generated data where
        there are none, and compares each element of its results with what an
        interpreter says that the IR means, within a bound of its own. `sizes` are
        those of generated data, as for `generate`.

        Raises `convoy.Error` where the IR cannot be interpreted; wrong numbers are
        a verdict, no error.
        """
        return self.check_results(operands or self.generate(data, seed, sizes))[0]

    def check_results(
        self, operands: tuple[object, ...], meaning: "Meaning | None" = None
    ) -> tuple[Report, tuple[Array, ...]]:
        """Does so for `operands`, and returns the results as well. Where there is a
        `meaning`, that of a function with the same arguments for these operands, it
        says what is right.

        Raises `convoy.Error` where that has others.
        """
        if meaning and meaning.function.signature != self.signature:
            raise Error(
                f"expected '{meaning.function.name}' to have the arguments of '{self.name}'"
            )
        inputs, outputs, sizes = self._prepare(operands)
        results = [_arrays.make_array(one) for one in outputs]
        found = self._native.check(
            _arrays.get_addresses(inputs), sizes, (meaning or self.interpret(operands))._native
        )
        found.copy_results(_arrays.get_addresses(results))
        return make_report(found, self.name, self.target), tuple(results)

    def interpret(
        self, operands: tuple[object, ...], *, unsigned_bytes: bool = False
    ) -> "Meaning":
        """What the IR means for `operands`, not packed, which are copied. Its types do
        not say whether bytes of results are unsigned, which counts where one may be
        off by one."""
        return Meaning(self, operands, unsigned_bytes)

    def compare(self, operands: tuple[object, ...], results: tuple[object, ...]) -> Report:
        """Compares `results`, of whoever computed them for `operands`, with what the
        IR means, as `check` does. Nothing is run."""
        return self.interpret(operands).compare(results)

    def explain(self) -> str:
        """What tiles were made for, and how convolutions were tiled: the lines of
        the tools' --explain."""
        return "\n".join(self._native.remarks)

    def __repr__(self) -> str:
        return f"<convoy.Function {self.target}: {self.name}>"


class Meaning:
    """What a function's IR means for operands, as an interpreter says: computed once,
    however many results are compared with it."""

    def __init__(
        self, function: Function, operands: tuple[object, ...], unsigned_bytes: bool
    ) -> None:
        self.function = function
        inputs, self._outputs, sizes = function._prepare(operands)
        addresses = _arrays.get_addresses(inputs)
        self._native = _native.Meaning(function._native, addresses, sizes, unsigned_bytes)

    def compare(self, results: tuple[object, ...]) -> Report:
        """Compares `results`, of whoever computed them: each element has a bound of
        its own. Nothing is run."""
        outputs = _arrays.prepare_inputs(results, self._outputs)
        found = self._native.compare(_arrays.get_addresses(outputs))
        return make_report(found, self.function.name, self.function.target)
