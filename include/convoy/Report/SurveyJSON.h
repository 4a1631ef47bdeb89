//===- SurveyJSON.h - Where a result's errors are, as JSON ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The form in which histograms and heat maps of reports take their data.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_REPORT_SURVEYJSON_H
#define CONVOY_REPORT_SURVEYJSON_H

#include "convoy/Runtime/ErrorSurvey.h"

#include "mlir/Support/LLVM.h"
#include "llvm/Support/JSON.h"

#include <optional>

namespace mlir::convoy {

/// `{"zero", "infinite", "bins": [{"from", "to", "count"}, …]}`. Bins that are
/// empty are left out.
llvm::json::Object toJSON(const ::convoy::ErrorHistogram &histogram);
/// What toJSON wrote, or nothing.
std::optional<::convoy::ErrorHistogram>
readHistogram(const llvm::json::Object &object);

/// `{"case", "zero", "infinite", "bins": [{"from", "to", "count"}, …],
/// "axes": [{"name", "size", "bins"}, …], "views": [{"rows", "columns",
/// "ratios": […]}, …]}`: the histogram of all results, and the map of the one
/// that is called `worstCase`. Ratios stand row by row, as numbers, "inf", or
/// null where nothing was compared.
llvm::json::Object toSurveyJSON(const ::convoy::ErrorHistogram &histogram,
                                StringRef worstCase,
                                const ::convoy::ErrorMap &map);

} // namespace mlir::convoy

#endif // CONVOY_REPORT_SURVEYJSON_H
