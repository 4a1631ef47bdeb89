"""Prints the functions of a theme, of which there are COUNT.

usage: write-functions.py THEME COUNT
"""

import importlib
import sys

theme, count = sys.argv[1], int(sys.argv[2])
name, _, generator = theme.partition(".")
texts = list(getattr(importlib.import_module(name), generator or "functions")())
if len(texts) != count:
    sys.exit(f"expected {count} functions of {theme}, but got {len(texts)}")
print("\n\n".join(texts))
