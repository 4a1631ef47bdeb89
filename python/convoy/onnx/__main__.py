"""`python -m convoy.onnx` is convoy-import-onnx, and with `diff` as its first word
convoy-diff-onnx."""

import sys

from convoy.onnx import _diff_tool, _tool

is_diff = sys.argv[1:2] == ["diff"]
sys.exit(_diff_tool.main(sys.argv[2:]) if is_diff else _tool.main())
