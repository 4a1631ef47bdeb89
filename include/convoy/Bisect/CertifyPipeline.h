//===- CertifyPipeline.h - Proves what any pipeline does --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_BISECT_CERTIFYPIPELINE_H
#define CONVOY_BISECT_CERTIFYPIPELINE_H

#include "convoy/Certify/CertifyEach.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::convoy {

/// What a pipeline did, pass by pass.
struct CertifiedPipeline {
  std::vector<CertifiedStep> steps;
  /// The worst of all steps: undecided also where a pass left vectors, memory
  /// or kernels.
  Certificate::Verdict verdict = Certificate::Verdict::Certified;
  double seconds = 0; ///< spent on all proofs
  /// Why the pipeline ended early, in one sentence that names the pass; empty
  /// where all passes ran, or a difference stopped them.
  std::string failure;

  /// The first step that changed the meaning, or null.
  const CertifiedStep *findDifference() const;
};

/// Runs `pipeline`, text from `builtin.module` on, on `module` and compares
/// after each pass; `options.onStep` is not used. Returns nothing, with one
/// sentence in `error`, where the text is no pipeline.
std::optional<CertifiedPipeline>
certifyPipeline(ModuleOp module, StringRef pipeline,
                const CertifyEachOptions &options, std::string &error);

/// The smallest function that was found within `seconds`, in a module of its
/// own, whose meaning the pass of `step`, a difference, changes when it runs
/// there alone, with what it leaves, as `step` has them. Nothing where it
/// changes none there, as a pass may that looks at other ops of its module.
std::optional<CertifiedStep> shrinkDifference(MLIRContext *context,
                                              const CertifiedStep &step,
                                              double seconds);

} // namespace mlir::convoy

#endif // CONVOY_BISECT_CERTIFYPIPELINE_H
