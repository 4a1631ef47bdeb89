"""Networks on two sides, step by step."""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import onnx

    import convoy.onnx


def diff(
    model: "str | os.PathLike[str] | onnx.ModelProto",
    a: "str | convoy.onnx.Session" = "cpu",
    b: "str | convoy.onnx.Session" = "vulkan",
    *,
    shapes: Mapping[str, Sequence[int]] | None = None,
    inputs: Mapping[str, object] | None = None,
    seed: int = 0,
    threads: int = 1,
) -> "convoy.onnx.Diff":
    """Runs a network of ONNX on two sides, kernel by kernel, and says where they part:
    which kernel is wrong, and which only got numbers that differ already. Print it.

    - `a`, `b`: targets as for `convoy.compile`, also with a CPU, as in "cpu:haswell";
      "onnxruntime" for one of them; or sessions of the model that are there.
    - `shapes`: as for `convoy.onnx.load`.
    - `inputs`: arrays by the names of the inputs; else numbers from a normal
      distribution that follow from `seed`, and of integers 0 and 1.
    - `threads`: as for `convoy.onnx.compile`.

    Raises `convoy.Error` for what cannot be read, compiled or run; wrong numbers are
    no error but what is found. Needs the packages onnx and onnxruntime.
    """
    import convoy.onnx

    return convoy.onnx.diff(model, a, b, shapes=shapes, inputs=inputs, seed=seed, threads=threads)
