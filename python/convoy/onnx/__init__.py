"""Networks of ONNX: convolutions and samples are compiled, with what follows them;
ONNX Runtime runs the rest.

    >>> import convoy.onnx
    >>> session = convoy.onnx.compile("model.onnx", shapes={"x": (1, 3, 640, 640)})
    >>> y = session.run({"x": image})
    >>> print(session.plan)

Needs the packages onnx and onnxruntime (`pip install 'convoy[onnx]'`). docs/Onnx.md
describes all of it.
"""

from convoy._checks import refuse_missing
from convoy._diff_report import Diff, DiffRow, DiffSide

try:
    from convoy.onnx._call import KernelReport
    from convoy.onnx._compiled import CompiledModel, load_compiled
    from convoy.onnx._diff import diff
    from convoy.onnx._graph import MAX_OPSET, MIN_OPSET
    from convoy.onnx._kernel import Kernel, Part
    from convoy.onnx._model import Model, compile, load
    from convoy.onnx._plan import Plan
    from convoy.onnx._session import Session

    #: Versions of ONNX's ops that models may have.
    OPSETS = range(MIN_OPSET, MAX_OPSET + 1)
except ModuleNotFoundError as error:
    __getattr__ = refuse_missing("the packages onnx and onnxruntime", "onnx", error.name)


__all__ = [
    "CompiledModel",
    "Diff",
    "DiffRow",
    "DiffSide",
    "Kernel",
    "KernelReport",
    "Model",
    "OPSETS",
    "Part",
    "Plan",
    "Session",
    "compile",
    "diff",
    "load",
    "load_compiled",
]
