//===- CertifyModules.h - Proofs of all functions of two files --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_CERTIFYMODULES_H
#define CONVOY_DRIVER_CERTIFYMODULES_H

#include "convoy/Certify/Comparison/Certificate.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace mlir::convoy {

/// Which functions of two modules are compared, and for how long.
struct CertifyModulesOptions {
  /// What messages call the modules.
  std::string beforeName, afterName;
  /// The path of the only function to compare; empty: all.
  std::string function;
  /// Whether functions that one module alone has are passed over; else they are
  /// undecided, unless they are private: nobody can call these but functions
  /// that are compared.
  bool matchingOnly = false;
  double seconds = 10; ///< for a function, after which it is undecided
};

/// What was found of one function.
struct FunctionCertificate {
  std::string path; ///< as in `module::kernel`
  Certificate certificate;
  double seconds = 0;
};

/// Compares functions that have a body and the same path in `before` and
/// `after`, and calls `report` for each. Calls are inlined into the functions.
/// Where there is nothing to compare, returns one sentence.
std::optional<std::string>
certifyModules(ModuleOp before, ModuleOp after,
               const CertifyModulesOptions &options,
               function_ref<void(const FunctionCertificate &)> report);

/// The verdict with its reason, as in "different: @f: element [0]: …", and on a
/// second line where a difference is.
std::string toString(const FunctionCertificate &certificate);

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_CERTIFYMODULES_H
