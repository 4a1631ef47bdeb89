//===- JSONOutput.h - What was measured, as JSON ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_BENCH_JSONOUTPUT_H
#define CONVOY_TOOLS_CONVOY_BENCH_JSONOUTPUT_H

#include "CommandLine.h"
#include "Results.h"

#include "llvm/Support/JSON.h"

#include <vector>

namespace mlir::convoy {

/// All results as JSON: Google Benchmark's form, with our cases and geometric
/// means beside it.
llvm::json::Object makeDocument(const std::vector<::convoy::CaseResult> &cases,
                                const Options &options);

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_BENCH_JSONOUTPUT_H
