"""Networks on two sides, step by step."""

import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from convoy._checks import show
from convoy._diff_report import Diff
from convoy._native import Error

if TYPE_CHECKING:
    import onnx
    import torch

    import convoy.onnx


def _is_module(model: object) -> bool:
    """Whether a model is PyTorch's, which is imported where there is one."""
    torch: Any = sys.modules.get("torch")
    return torch is not None and isinstance(model, torch.nn.Module)


def diff(
    model: "str | os.PathLike[str] | onnx.ModelProto | torch.nn.Module",
    a: "str | convoy.onnx.Session" = "cpu",
    b: "str | convoy.onnx.Session" = "vulkan",
    *,
    shapes: Mapping[str, Sequence[int]] | None = None,
    inputs: Mapping[str, object] | None = None,
    seed: int = 0,
    threads: int = 1,
) -> Diff:
    """Runs a network of ONNX, or a module of PyTorch, on two sides, kernel by kernel,
    and says where they part: which kernel is wrong, and which only got numbers that
    differ already. Print it.

    - `a`, `b`: targets as for `convoy.compile`, also with a CPU, as in "cpu:haswell".
      One may be "onnxruntime" for a network, and "torch" for a module; or sessions of
      the network that are there.
    - `shapes`: as for `convoy.onnx.load`, those of `inputs` where not given; of a module,
      all inputs that are drawn.
    - `inputs`: arrays by the names of the inputs; else numbers from a normal
      distribution that follow from `seed`, and of integers 0 and 1. Inputs of a module
      are called as arguments of its `forward`.
    - `threads`: as for `convoy.onnx.compile`.

    Raises `convoy.Error` for what cannot be read, compiled or run; wrong numbers are
    no error but what is found. Needs the packages onnx and onnxruntime, or torch.
    """
    if _is_module(model):
        import convoy.torch

        for name, side in (("a", a), ("b", b)):
            if not isinstance(side, str):
                raise Error(f"expected a target or torch for '{name}', but got {show(side)}")
        return convoy.torch.diff(
            model, str(a), str(b), shapes=shapes, inputs=inputs, seed=seed, threads=threads
        )
    import convoy.onnx

    if "torch" in (a, b):
        raise Error(f"expected a torch.nn.Module for the side 'torch', but got {show(model)}")
    return convoy.onnx.diff(model, a, b, shapes=shapes, inputs=inputs, seed=seed, threads=threads)
