"""IR: modules that passes rewrite, and proofs that two of them mean the same."""

import dataclasses
import html
import os
import sys
from collections.abc import Iterator

from convoy import _native
from convoy._checks import check_number, check_path, check_text, get_reason
from convoy._function import Function
from convoy._native import Error
from convoy._operation import Operation, make_operations

# From the best to the worst.
_VERDICTS = ("certified", "undecided", "different")


@dataclasses.dataclass(frozen=True)
class Certificate:
    """What a proof came to.

    `verdict` is certified (equal for all finite values), different (`text` has a
    counterexample) or undecided (`text` says what is not understood).
    `functions` are those of a comparison of modules, each with a certificate.
    `location` is the place of the op that it is about, as in `after:7:10`, or
    empty.
    """

    verdict: str
    text: str
    location: str = ""
    functions: "dict[str, Certificate]" = dataclasses.field(default_factory=dict)

    def __bool__(self) -> bool:
        return self.verdict == "certified"

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f"<p><b>{self.verdict}</b></p><pre>{html.escape(self.text)}</pre>"


class Module:
    """A module of MLIR, in any dialect that Convoy's tools read.

    >>> m = convoy.Module.parse(text)
    >>> m.run("convoy-decompose-backward,convoy-conv-to-im2col")
    >>> print(m)
    """

    def __init__(self, native: _native.IRModule, name: str) -> None:
        self._native = native
        self._name = name

    @classmethod
    def parse(cls, text: str, *, name: str = "<string>") -> "Module":
        """Reads IR. Raises `convoy.Error`, which calls the text `name`, where it
        is wrong, as in `<string>:3:8: …`."""
        native = _native.IRModule(check_text(text, "text"), check_text(name, "name"))
        return cls(native, name)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> "Module":
        """Reads the IR in a file."""
        name = check_path(path, "path")
        try:
            with open(name, encoding="utf-8") as file:
                text = file.read()
        except (OSError, UnicodeError) as error:
            raise Error(f"cannot read '{name}': {get_reason(error)}") from None
        return cls.parse(text, name=name)

    def run(self, pipeline: str) -> "Module":
        """Runs passes: their names with commas between, as convoy-opt's flags
        without dashes, options in braces ("convoy-tile-contraction{tile-rows=4}"),
        or a whole pipeline ("builtin.module(func.func(canonicalize))").

        Remarks of the passes go to standard error. Returns the module. Where a
        pass fails, raises `convoy.Error`, and the module stays as it was.
        """
        for line in self._native.run(check_text(pipeline, "pipeline")):
            print(line, file=sys.stderr)
        return self

    def walk(self, name: str | None = None) -> Iterator[Operation]:
        """All ops of the module, as they are now, each before those inside of it; with
        a `name` those that are called so ("convoy.conv"), or in a dialect ("linalg").

        >>> [op.attributes["sym_name"] for op in module.walk("func.func")]
        """
        wanted = None if name is None else check_text(name, "name")
        found = make_operations(self._native.list())
        return (op for op in found if wanted in (None, op.name, op.name.partition(".")[0]))

    def compile(
        self,
        function: str = "",
        *,
        target: str = "cpu",
        cpu: str = "host",
        threads: int = 1,
        filter: str = "plain",
        algorithm: str = "direct",
    ) -> Function:
        """Compiles a function of tensors, and loads it onto the device of its
        target. Convolutions may have any ops of linalg, TOSA, arith,
        math and tensor around them.

        - `function`: its name, which may be left out where only one is public.
        - `target`, `cpu`, `threads`: as for `convoy.compile`.
        - `filter`: "plain", or "packed": on the CPU, each filter then has to be an
          argument, and is one that `Function.pack` makes.
        - `algorithm`: as for `convoy.compile`; "auto" leaves the convolutions that
          only sums of products can compute.

        Raises `convoy.Error` for what cannot be compiled, and `convoy.DeviceError`
        where there is no such device.
        """
        if filter not in ("plain", "packed"):
            raise Error(f"expected plain or packed for 'filter', but got {filter!r}")
        native = _native.Function(
            self._native.print(True),
            self._name,
            check_text(function, "function"),
            check_text(target, "target"),
            check_text(cpu, "cpu"),
            check_number(threads, "threads", 1, _native.MAX_THREADS),
            filter == "packed",
            check_text(algorithm, "algorithm"),
        )
        return Function(native, target)

    def __str__(self) -> str:
        return self._native.print(False)


def _get_text(module: Module | str, name: str) -> str:
    return module._native.print(True) if isinstance(module, Module) else check_text(module, name)


def certify(
    before: Module | str,
    after: Module | str,
    *,
    function: str = "",
    matching_only: bool = False,
    time_limit: float = 10,
) -> Certificate:
    """Proves that the functions of two modules, or of two texts of IR, compute the
    same for all finite values, or says where they differ, as convoy-certify does.

    - `function`: compares this one alone.
    - `matching_only`: passes over functions that only one module has, which are
      else undecided.
    - `time_limit`: seconds for a function, after which it is undecided.

    The verdict is the worst of all functions'. docs/Certificates.md says what is
    proved. Raises `convoy.Error` for IR that cannot be read, and where there is
    nothing to compare.
    """
    found = _native.certify(
        _get_text(before, "before"),
        _get_text(after, "after"),
        check_text(function, "function"),
        matching_only,
        time_limit,
    )
    functions = {
        one.function: Certificate(one.verdict, one.text, one.location) for one in found
    }
    worst = max(
        functions.values(),
        key=lambda one: _VERDICTS.index(one.verdict),
        default=Certificate("certified", ""),
    )
    text = "\n".join(one.text for one in functions.values())
    return Certificate(worst.verdict, text, worst.location, functions)
