"""Convoy compiles convolutions to kernels, runs them on arrays, and checks them.

    >>> import convoy
    >>> kernel = convoy.compile("mb1_ic8ih7iw5oc6kh3kw2")
    >>> x, w = kernel.generate()
    >>> y = kernel(x, w)
    >>> kernel.check().verdict
    'explained'

Whatever goes wrong is a `convoy.Error` of one line: what, where, what was
expected, what was found. docs/Python.md describes all of it.
"""

from convoy._arrays import Argument
from convoy._bench import Bench, BenchCandidate, BenchPeer, BenchRow, bench
from convoy._diff import diff
from convoy._diff_report import Diff, DiffRow, DiffSide
from convoy._function import Function
from convoy._kernel import Kernel, compile, generate, reference
from convoy._library import Library, LoadedKernel, load
from convoy._module import Certificate, Module, certify
from convoy._native import DeviceError, Error, get_version
from convoy._operation import Operation, Value
from convoy._report import Report

__all__ = [
    "Argument",
    "Bench",
    "BenchCandidate",
    "BenchPeer",
    "BenchRow",
    "Certificate",
    "DeviceError",
    "Diff",
    "DiffRow",
    "DiffSide",
    "Error",
    "Function",
    "Kernel",
    "Library",
    "LoadedKernel",
    "Module",
    "Operation",
    "Report",
    "Value",
    "bench",
    "certify",
    "compile",
    "diff",
    "generate",
    "load",
    "reference",
]

#: As the tools' --version says it, with the commit.
__version__ = get_version()

Error.__module__ = DeviceError.__module__ = __name__
