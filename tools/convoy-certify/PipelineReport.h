//===- PipelineReport.h - What passes did, as text and JSON -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_CERTIFY_PIPELINEREPORT_H
#define CONVOY_TOOLS_CONVOY_CERTIFY_PIPELINEREPORT_H

#include "convoy/Bisect/CertifyPipeline.h"
#include "convoy/Driver/CertifyModules.h"

#include "llvm/Support/JSON.h"

namespace mlir::convoy {

/// Prints a line for each step, in columns, then a sentence for each that is
/// not certified, and a count.
void printPipeline(const CertifiedPipeline &result, raw_ostream &os);

/// Prints the function of a difference, what the pass makes of it, and what
/// proves it again.
void printDifference(const CertifiedStep &step, raw_ostream &os);

/// The same for programs; `smallest` may be null.
llvm::json::Object toJSON(const CertifiedPipeline &result,
                          const CertifiedStep *smallest);
llvm::json::Object toJSON(const FunctionCertificate &function);

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_CERTIFY_PIPELINEREPORT_H
