"""Runs the cells of a notebook in order, as Jupyter would, but without it.

usage: run-notebook.py NOTEBOOK

Prints what cells print, and of the last expression in each what a notebook shows: its
page, where it has one.
"""

import ast
import json
import pathlib
import sys


def show(value):
    """Prints a value as a notebook shows it."""
    if value is not None:
        print(value._repr_html_() if hasattr(value, "_repr_html_") else repr(value))


def run(source, names):
    """Runs a cell."""
    block = ast.parse(source)
    last = block.body.pop() if block.body and isinstance(block.body[-1], ast.Expr) else None
    exec(compile(block, "cell", "exec"), names)
    if last is not None:
        show(eval(compile(ast.Expression(last.value), "cell", "eval"), names))


def main(path):
    notebook = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    names = {"__name__": "__main__"}
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        if cell["outputs"] or cell["execution_count"] is not None:
            sys.exit(f"expected a notebook without results, but '{cell['id']}' has some")
        print(f"{cell['id']}:")
        run("".join(cell["source"]), names)


if __name__ == "__main__":
    main(*sys.argv[1:])
