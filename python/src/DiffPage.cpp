//===- DiffPage.cpp - Where two sides of a network part ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DiffPage.h"

#include "Error.h"

#include "convoy/Report/ReportPage.h"

#include "llvm/Support/Error.h"

using namespace convoy;
using namespace mlir::convoy;
using Format = ReportField::Format;

void python::writeDiffPage(const std::vector<std::string> &command,
                           const std::string &document,
                           const std::string &path) {
  if (std::optional<std::string> reason = checkReportSupport())
    throwError(*reason);
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(document);
  if (!parsed)
    throwError(llvm::toString(parsed.takeError()));
  ReportPage page("convoy-diff-onnx", command, *parsed->getAsObject());
  page.addSummary(
      "Summary", "summary", "side",
      {{"kernels", "kernels"},
       {"exact", "exact"},
       {"explained", "explained"},
       {"suspicious", "suspicious"},
       {"wrong", "wrong"},
       {"first_wrong", "first kernel outside its bound", Format::Text}});
  page.addBars("Error by step", "steps", {"name", "step", Format::Text},
               {{"introduced", "introduced"}, {"inherited", "inherited"}});
  page.addTable("Steps", "steps",
                {{"name", "step", Format::Text},
                 {"ops", "ops", Format::Text},
                 {"introduced", "introduced"},
                 {"inherited", "inherited"},
                 {"total", "total"},
                 {"largest", "largest"},
                 {"sides.0.verdict", "a", Format::Status},
                 {"sides.1.verdict", "b", Format::Status},
                 {"sides.0.ratio", "a error/bound"},
                 {"sides.1.ratio", "b error/bound"}});
  std::string error;
  if (!page.write(path, error))
    throwError(error);
}
