"""`python -m convoy.onnx` is convoy-import-onnx."""

import sys

from convoy.onnx._tool import main

sys.exit(main())
