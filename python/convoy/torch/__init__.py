"""Modules of PyTorch: convolutions are compiled, forward and backward, with what
follows them; PyTorch runs the rest.

    >>> import convoy.torch
    >>> model = torch.compile(model, backend="convoy")
    >>> loss(model(x)).backward()
    >>> print(*convoy.torch.plans())

Needs the package torch (`pip install 'convoy[torch]'`). docs/Torch.md describes all
of it.
"""

from convoy._checks import refuse_missing
from convoy._diff_report import Diff, DiffRow, DiffSide

try:
    from convoy.torch._backend import backend, plans, record_checks, reset
    from convoy.torch._diff import diff
    from convoy.torch._kernel import Kernel, KernelReport
    from convoy.torch._plan import Plan
    from convoy.torch._register import register

    register()
except ModuleNotFoundError as error:
    __getattr__ = refuse_missing("the package torch", "torch", error.name)


__all__ = [
    "Diff",
    "DiffRow",
    "DiffSide",
    "Kernel",
    "KernelReport",
    "Plan",
    "backend",
    "diff",
    "plans",
    "record_checks",
    "reset",
]
