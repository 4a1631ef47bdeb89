#!/usr/bin/env python3
"""Writes the page of reports as C++, with all that it needs inside.

usage: embed-page.py PAGE.html OUTPUT.cpp

In PAGE.html, `{{NAME}}` stands for the file NAME beside it, `{{charts}}` for the
libraries Vega, Vega-Lite and Vega-Embed, which the package vl-convert-python
has, and `{{data}}` for what a tool puts there.
"""

import pathlib
import re
import sys

import vl_convert

SOURCE = """\
// Made by lib/Report/embed-page.py.

#include "ReportAssets.h"

static constexpr char kHead[] = {head};

static constexpr char kTail[] = {tail};

const mlir::convoy::ReportAssets *mlir::convoy::getReportAssets() {{
  // Compilers are slow to count what is as long as this.
  static constexpr ReportAssets assets = {{
      {{kHead, sizeof(kHead) - 1}}, {{kTail, sizeof(kTail) - 1}}}};
  return &assets;
}}
"""

DELIMITER = "convoy"
# Compilers must take 65,536 characters in a literal, and need not take more.
CHUNK = 16000


def charts():
    bundle = vl_convert.javascript_bundle()
    for end in ("</script", "<!--"):
        if end in bundle.lower():
            sys.exit(f"embed-page.py: the charts' library has {end}, which would end its script")
    # Its variables are not the page's.
    return f"(() => {{\n{bundle}\n}})();"


def literal(text):
    """A raw string literal; adjacent ones are one."""
    assert f"){DELIMITER}\"" not in text
    chunks = [text[i : i + CHUNK] for i in range(0, len(text), CHUNK)]
    return "\n".join(f'R"{DELIMITER}({chunk}){DELIMITER}"' for chunk in chunks)


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__.strip())
    page, output = map(pathlib.Path, arguments)

    def expand(match):
        name = match.group(1)
        if name == "data":
            return match.group()
        return charts() if name == "charts" else (page.parent / name).read_text()

    text = re.sub(r"\{\{([\w.-]+)\}\}", expand, page.read_text())
    head, tail = text.split("{{data}}")
    output.write_text(SOURCE.format(head=literal(head), tail=literal(tail)))


if __name__ == "__main__":
    main(sys.argv[1:])
