//===- TestObject.h - Objects on random integers ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_TESTOBJECT_H
#define CONVOY_DRIVER_TESTOBJECT_H

#include "convoy/Driver/IdentityTest.h"
#include "convoy/Support/ExitCode.h"
#include "convoy/Target/EmitInterface.h"

#include "mlir/IR/MLIRContext.h"

#include <string>
#include <utility>
#include <vector>

namespace mlir::convoy {

/// What runs on random integers say of an object file.
struct ObjectTest {
  /// The kernels that passed, with what they passed.
  std::vector<std::pair<std::string, IdentityTest>> kernels;
  /// `Ok`, `WrongNumbers`, or `Undecided` where they say nothing.
  ::convoy::ExitCode code = ::convoy::ExitCode::Ok;
  std::string reason; ///< one sentence where the code is not `Ok`
};

/// Runs the `kernels` of `object`, which were compiled of `problems`, in a copy
/// of this process, which must have one thread.
ObjectTest testObject(MLIRContext *context, StringRef object,
                      ArrayRef<KernelInterface> kernels,
                      const KernelProblems &problems);

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_TESTOBJECT_H
