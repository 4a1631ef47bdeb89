//===- ReportPage.h - What a tool found, as one page ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `--report=FILE.html` writes: a page that needs nothing but itself. It
// holds the document that `--json` writes, and sections that say which parts of
// it are shown, and how. docs/Reports.md describes the page.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_REPORT_REPORTPAGE_H
#define CONVOY_REPORT_REPORTPAGE_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>

namespace mlir::convoy {

/// One sentence where this build of Convoy cannot write reports; else nothing.
std::optional<std::string> checkReportSupport();

/// The words of a command line as a shell reads them.
std::string quoteCommand(ArrayRef<std::string> words);

/// Something that a table or a chart shows of an object of the document. The
/// path goes through objects, as in "worst.place".
struct ReportField {
  enum class Format {
    Text,
    Number,
    Percent, ///< of a fraction
    Status,  ///< a word that "failed", "wrong" and the like set off
  };

  std::string path, title;
  Format format = Format::Number;
};

/// One page. Sections are shown in the order in which they are added; one whose
/// part of the document is missing or empty is left out.
class ReportPage {
public:
  /// `command` is the command line that made `document`.
  ReportPage(StringRef tool, ArrayRef<std::string> command,
             llvm::json::Object document);

  /// A row for each entry of the object `path`, whose key is in the first
  /// column.
  void addSummary(StringRef title, StringRef path, StringRef keyTitle,
                  ArrayRef<ReportField> fields);

  /// A table of the array `path`, which can be sorted, searched and turned over
  /// page by page. Each row opens to all that the document has of it. A member
  /// "reproduce" is the command that runs it again.
  void addTable(StringRef title, StringRef path, ArrayRef<ReportField> fields);

  /// The distribution of error/bound over elements: for each entry of the
  /// object `path` a member "errors" as toSurveyJSON makes it.
  void addHistogram(StringRef title, StringRef path);

  /// Where errors are: for each entry of the object `path` a member "errors".
  void addHeatMap(StringRef title, StringRef path);

  /// A group of bars for each element of the array `path`, with one bar for
  /// each of `series`: error by layer, introduced and inherited.
  void addBars(StringRef title, StringRef path, const ReportField &name,
               ArrayRef<ReportField> series);

  /// Speed over operations per byte: a point for each element of the array
  /// `path`, below the roof that "peak_gflops" and "bandwidth_gbs" make.
  void addRoofline(StringRef title, StringRef path, const ReportField &name);

  /// The page. Needs checkReportSupport() to find nothing.
  std::string toHTML() const;

  /// Writes the page to `file`; on failure returns false and puts one sentence
  /// into `error`.
  bool write(const std::string &file, std::string &error) const;

private:
  llvm::json::Object &addSection(StringRef kind, StringRef title,
                                 StringRef path);

  llvm::json::Object page;
  llvm::json::Array sections;
};

} // namespace mlir::convoy

#endif // CONVOY_REPORT_REPORTPAGE_H
