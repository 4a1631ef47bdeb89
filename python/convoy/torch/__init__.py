"""Modules of PyTorch: convolutions are compiled, forward and backward, with what
follows them; PyTorch runs the rest.

    >>> import convoy.torch
    >>> model = torch.compile(model, backend="convoy")
    >>> loss(model(x)).backward()
    >>> print(*convoy.torch.plans())

Needs the package torch (`pip install 'convoy[torch]'`). docs/Torch.md describes all
of it.
"""

from convoy._native import Error

try:
    from convoy.torch._backend import backend, plans, record_checks, reset
    from convoy.torch._kernel import Kernel, KernelReport
    from convoy.torch._plan import Plan
    from convoy.torch._register import register

    register()
except ModuleNotFoundError as error:
    _missing = error.name

    def __getattr__(name: str) -> object:
        """Says what is missing to who uses any of it."""
        if name.startswith("__"):
            raise AttributeError(name) from None
        raise Error(
            f"expected the package torch, but there is no {_missing} "
            "(pip install 'convoy[torch]')"
        )


__all__ = ["Kernel", "KernelReport", "Plan", "backend", "plans", "record_checks", "reset"]
