"""Runs the blocks in Python of documents in Markdown, each document's in turn.

usage: run-blocks.py DOCUMENT...

A comment `# value` behind an expression statement says what the expression is.
"""

import ast
import pathlib
import re
import sys

EXPECTED = re.compile(r"  # (\S.*)$")


def run(block, names):
    """Runs the statements of `block`; raises where a value is another one."""
    lines = block.splitlines()
    for statement in ast.parse(block).body:
        code = ast.unparse(statement)
        comment = EXPECTED.search(lines[statement.end_lineno - 1])
        if not isinstance(statement, ast.Expr) or not comment:
            exec(code, names)
            continue
        value = repr(eval(code, names))
        if value != comment.group(1):
            sys.exit(f"expected {comment.group(1)} for {code}, but got {value}")


def main(documents):
    for document in map(pathlib.Path, documents):
        names = {}
        blocks = re.findall(r"```python\n(.*?)```", document.read_text(), re.DOTALL)
        for block in blocks:
            run(block, names)
        plural = "" if len(blocks) == 1 else "s"
        print(f"{document.name}: {len(blocks)} block{plural} ran")


if __name__ == "__main__":
    main(sys.argv[1:])
