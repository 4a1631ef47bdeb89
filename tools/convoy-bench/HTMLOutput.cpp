//===- HTMLOutput.cpp - What was measured, as a page ----------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HTMLOutput.h"

#include "convoy/Report/ReportPage.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::PeerTitle;
using Format = ReportField::Format;

bool mlir::convoy::writePage(llvm::json::Object document,
                             const Options &options,
                             const std::vector<PeerTitle> &peers,
                             std::string &error) {
  ReportField peak = {"peak_fraction", "of peak", Format::Percent};
  SmallVector<ReportField> means = {{"cases", "cases"}, peak};
  SmallVector<ReportField> columns = {{"problem", "problem", Format::Text},
                                      {"threads", "threads"},
                                      {"gflops", "GF/s"},
                                      peak,
                                      {"gbs", "GB/s"}};
  for (const PeerTitle &peer : peers) {
    ReportField ratio = {"ratio." + peer.name, "ratio to " + peer.title};
    means.push_back(ratio);
    columns.push_back(ratio);
  }
  columns.append({{"intensity", "operations/byte"},
                  {"compile_ms", "compile ms"},
                  {"error", "error", Format::Text}});
  ReportPage page("convoy-bench", options.commandLine, std::move(document));
  page.addSummary("Geometric means", "geomean", "cases of", means);
  page.addRoofline("Roofline", "cases", {"problem", "problem"});
  page.addTable("Cases", "cases", columns);
  return page.write(options.report, error);
}
