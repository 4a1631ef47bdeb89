//===- HTMLOutput.h - What was measured, as a page --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_BENCH_HTMLOUTPUT_H
#define CONVOY_TOOLS_CONVOY_BENCH_HTMLOUTPUT_H

#include "CommandLine.h"
#include "Results.h"

#include "llvm/Support/JSON.h"

namespace mlir::convoy {

/// Writes `document`, which makeDocument made, as the page of `--report`. On
/// failure returns false and puts one sentence into `error`.
bool writePage(llvm::json::Object document, const Options &options,
               const std::vector<::convoy::PeerTitle> &peers,
               std::string &error);

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_BENCH_HTMLOUTPUT_H
