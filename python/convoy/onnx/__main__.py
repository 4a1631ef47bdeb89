"""`python -m convoy.onnx` is convoy-import-onnx, and with `diff` as its first word
convoy-diff-onnx."""

import sys

from convoy.onnx._diff_tool import main as diff
from convoy.onnx._tool import main

sys.exit(diff(sys.argv[2:]) if sys.argv[1:2] == ["diff"] else main())
