"""`python -m convoy.onnx` is convoy-import-onnx, and with `diff` or `run` as its first word
convoy-diff-onnx or convoy-run-onnx."""

import sys

from convoy.onnx._diff_tool import main as diff
from convoy.onnx._run_tool import main as run
from convoy.onnx._tool import main

_TOOLS = {"diff": diff, "run": run}
tool = _TOOLS.get(sys.argv[1]) if sys.argv[1:] else None
sys.exit(tool(sys.argv[2:]) if tool else main())
