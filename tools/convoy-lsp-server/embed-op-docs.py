#!/usr/bin/env python3
"""Writes what ops mean as C++, from the page that mlir-tblgen makes of them.

usage: embed-op-docs.py PAGE.md OUTPUT.cpp

Of each op it takes the summary and the description, in Markdown.
"""

import pathlib
import re
import sys

SOURCE = """\
// Made by tools/convoy-lsp-server/embed-op-docs.py.

#include "OpDocs.h"

static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> kOpDocs[] = {{
{entries}}};

llvm::StringRef mlir::convoy::getOpDoc(llvm::StringRef name) {{
  for (const auto &[op, doc] : kOpDocs)
    if (op == name)
      return doc;
  return {{}};
}}
"""

OP = re.compile(
    r"^### `(convoy\.\w+)`[^\n]*\n(.*?)(?=^(?:Traits|Interfaces|Effects|####))", re.S | re.M
)
SYNTAX = re.compile(r"^Syntax:\n\n```\n.*?^```\n", re.S | re.M)


def read_docs(page):
    """Names of ops and what they mean."""
    page = "\n".join(line.rstrip() for line in page.splitlines())
    for name, section in OP.findall(page):
        yield name, re.sub(r"\n{3,}", "\n\n", SYNTAX.sub("", section)).strip()


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__.strip())
    page, output = map(pathlib.Path, arguments)
    docs = list(read_docs(page.read_text()))
    if not docs:
        sys.exit(f"embed-op-docs.py: expected ops in {page}, but found none")
    entries = "".join(f'    {{"{name}", R"convoy({doc})convoy"}},\n' for name, doc in docs)
    output.write_text(SOURCE.format(entries=entries))


if __name__ == "__main__":
    main(sys.argv[1:])
