//===- PassRun.h - Passes that have run -------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_PASSRUN_H
#define CONVOY_LIB_CERTIFY_PASSRUN_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::convoy::certify {

/// What a pass is called that has others in it.
inline constexpr StringRef NestedPipeline = "a nested pipeline";

/// A pass that has run on an op.
struct PassRun {
  Pass *pass;
  Operation *op;

  /// Nested pipelines count as passes too: they are what a change to a part of
  /// a function belongs to.
  bool isNestedPipeline() const {
    return pass->getArgument().empty() &&
           pass->getName().ends_with("OpToOpPassAdaptor");
  }
  /// What users call the pass; passes need not have a flag.
  std::string getName() const {
    if (isNestedPipeline())
      return NestedPipeline.str();
    return (pass->getArgument().empty() ? pass->getName() : pass->getArgument())
        .str();
  }
  /// The pass alone, for a module that holds one function.
  std::string getPipeline() const {
    std::string text;
    llvm::raw_string_ostream os(text);
    pass->printAsTextualPipeline(os);
    for (Operation *inner = op; !isa<ModuleOp>(inner);
         inner = inner->getParentOp())
      text = (inner->getName().getStringRef() + "(" + text + ")").str();
    return ModuleOp::getOperationName().str() + "(" + text + ")";
  }
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_PASSRUN_H
