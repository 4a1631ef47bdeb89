//===- ReportAssets.h - What all reports have in common ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The page around a report's data, which embed-page.py puts together: markup,
// styles, scripts and the charts' library.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_REPORT_REPORTASSETS_H
#define CONVOY_LIB_REPORT_REPORTASSETS_H

#include <string_view>

namespace mlir::convoy {

struct ReportAssets {
  /// What stands before the data, and behind it.
  std::string_view head, tail;
};

/// Null in a build without the charts' library.
const ReportAssets *getReportAssets();

} // namespace mlir::convoy

#endif // CONVOY_LIB_REPORT_REPORTASSETS_H
