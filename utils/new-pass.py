#!/usr/bin/env python3
"""Adds a pass to lib/Transforms: its record, source, build line and test.

usage: new-pass.py ROOM STEM SUMMARY [ROOT]

ROOM is a folder of lib/Transforms, as in Buffers; STEM is the pass's name without
`Pass`, verb first, as in FoldUnitDims; SUMMARY is one line, verb first, without a
full stop. All other names follow from these.
"""

import pathlib
import re
import sys

HEAD = "//===- {name} - {summary} {fill}-*- C++ -*-===//"
SOURCE = """{head}
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/{room}/Passes.h"

namespace mlir::convoy {{
#define GEN_PASS_DEF_{macro}PASS
#include "convoy/Transforms/{room}/Passes.h.inc"
}} // namespace mlir::convoy

using namespace mlir;

namespace {{
struct {stem}Pass final : mlir::convoy::impl::{stem}PassBase<{stem}Pass> {{
  using Base::Base;

  void runOnOperation() override {{ markAllAnalysesPreserved(); }}
}};
}} // namespace
"""
RECORD = """def {stem}Pass : Pass<"convoy-{flag}"> {{
  let summary = "{summary}";
  let description = [{{
    - Needs: any IR.
    - Leaves: it as it is.
  }}];
}}

"""
TEST = """// RUN: convoy-opt %s --convoy-{flag} | FileCheck %s

// CHECK-LABEL: func.func @leaves_others
// CHECK-SAME: (%[[INPUT:.*]]: tensor<2x3xf32>)
func.func @leaves_others(%input: tensor<2x3xf32>) -> tensor<2x3xf32> {{
  // CHECK-NEXT: return %[[INPUT]]
  return %input : tensor<2x3xf32>
}}
"""


def kebab(name):
    name = re.sub(r"([a-z0-9])([A-Z])", r"\1-\2", name)
    return re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1-\2", name).lower()


def header_line(name, summary):
    line = HEAD.format(name=name, summary=summary, fill="")
    if len(line) > 80:
        sys.exit(f"error: the summary is {len(line) - 80} characters too long")
    return HEAD.format(name=name, summary=summary, fill="-" * (80 - len(line)))


def add_to_build(path, source):
    """Puts the source among the sources of the library, in their order."""
    lines = path.read_text().splitlines(keepends=True)
    places = [i for i, line in enumerate(lines) if line.endswith(".cpp\n")]
    after = [i for i in places if lines[i].strip() < source]
    lines.insert(after[-1] + 1 if after else places[0], f"  {source}\n")
    path.write_text("".join(lines))


def main(room, stem, summary, root):
    records = root / "include/convoy/Transforms" / room / "Passes.td"
    if not records.exists():
        rooms = sorted(path.parent.name for path in records.parent.parent.glob("*/Passes.td"))
        sys.exit(f"error: expected one of {', '.join(rooms)}, but got '{room}'")
    if not re.fullmatch(r"(?:[A-Z][A-Za-z0-9]*)", stem) or stem.endswith("Pass"):
        sys.exit(f"error: expected a name like FoldUnitDims, but got '{stem}'")
    if not re.fullmatch(r"[A-Z][^\"\n]*[^.\"\n]", summary):
        sys.exit(f"error: expected one line without a full stop, but got '{summary}'")
    source = root / "lib/Transforms" / room / f"{stem}.cpp"
    test = root / "test/Transforms" / room / f"{kebab(stem)}.mlir"
    for path in (source, test):
        if path.exists():
            sys.exit(f"error: {path} exists already")

    names = {"room": room, "stem": stem, "flag": kebab(stem), "macro": stem.upper()}
    head = header_line(source.name, summary)
    test.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(SOURCE.format(head=head, **names))
    test.write_text(TEST.format(**names))
    add_to_build(root / "lib/Transforms" / room / "CMakeLists.txt", source.name)
    text = records.read_text()
    end = text.rindex("#endif")
    record = RECORD.format(summary=summary, **names)
    records.write_text(text[:end] + record + text[end:])
    print(f"write the pass in {source}, its test in {test}, what it does in {records};")
    print("then: ninja -C build update-docs check-convoy")


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5) or sys.argv[1].startswith("-"):
        sys.exit(__doc__.strip())
    here = pathlib.Path(__file__).resolve().parent.parent
    main(*sys.argv[1:4], pathlib.Path(sys.argv[4]) if sys.argv[4:] else here)
