//===- convoy-test-report.cpp - Writes any page ---------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a document from standard input and writes a page with a section of each
// kind: what no tool's run has, such as ten thousand cases, is tested with it.
//
//   convoy-test-report PAGE.html < DOCUMENT.json
//
//===----------------------------------------------------------------------===//

#include "convoy/Report/ReportPage.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::convoy;
using Format = ReportField::Format;

static int fail(const Twine &sentence) {
  llvm::errs() << "convoy-test-report: " << sentence << "\n";
  return 1;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return fail("expected the name of a page");
  auto buffer = llvm::MemoryBuffer::getSTDIN();
  if (!buffer)
    return fail(buffer.getError().message());
  llvm::Expected<llvm::json::Value> value =
      llvm::json::parse((*buffer)->getBuffer());
  if (!value)
    return fail(llvm::toString(value.takeError()));
  llvm::json::Object *document = value->getAsObject();
  if (!document)
    return fail("expected an object");
  std::vector<std::string> command(argv, argv + argc);
  ReportPage page("convoy-test-report", command, std::move(*document));
  page.addSummary("Summary", "summary", "target", {{"passed", "passed"}});
  page.addHistogram("Histogram", "summary");
  page.addHeatMap("Heat map", "summary");
  page.addBars("Layers", "layers", {"name", "layer"},
               {{"introduced", "introduced"}, {"inherited", "inherited"}});
  page.addRoofline("Roofline", "speeds", {"name", "problem"});
  page.addTable("Cases", "cases",
                {{"case", "case", Format::Text},
                 {"status", "status", Format::Status},
                 {"worst_ratio", "error/bound"},
                 {"fraction", "part", Format::Percent}});
  std::string error;
  return page.write(argv[1], error) ? 0 : fail(error);
}
