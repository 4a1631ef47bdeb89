//===- FunctionCopies.h - Functions that are compared later -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_FUNCTIONCOPIES_H
#define CONVOY_LIB_CERTIFY_FUNCTIONCOPIES_H

#include "convoy/Certify/Comparison/Certificate.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::convoy::certify {

/// A module that holds a copy of `function` alone, with what it calls in it and
/// what packs its arguments.
OwningOpRef<ModuleOp> copyFunction(FunctionOpInterface function);

/// Whether a copy of `function` may have other ops than `function` has.
bool hasOtherOpsInCopy(FunctionOpInterface function);

FunctionOpInterface getOnlyFunction(ModuleOp module);

/// A copy of a module of one function without memory, if `certificate` says so,
/// and of `type` if it has buffers in the place of its tensors.
struct Values {
  OwningOpRef<ModuleOp> module;
  Certificate certificate;

  static Values read(ModuleOp module, FunctionType type = {});

  bool areKnown() const {
    return module && certificate.verdict == Certificate::Verdict::Certified;
  }
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_FUNCTIONCOPIES_H
