//===- VerifyTensors.h - Checks of IR while it is on tensors ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_DRIVER_VERIFYTENSORS_H
#define CONVOY_LIB_DRIVER_VERIFYTENSORS_H

#include "mlir/Pass/PassInstrumentation.h"

namespace mlir {
class PassManager;
}

namespace mlir::convoy {

/// Verifies what each pass leaves until buffers take the place of tensors. IR
/// is small up to there, so that this costs little; and a pattern that folds
/// invalid IR may make valid IR of it that means something else.
class TensorVerifier final : public PassInstrumentation {
public:
  void runBeforePass(Pass *pass, Operation *op) override;
  void runAfterPass(Pass *pass, Operation *op) override;

  bool foundNothing() const { return !foundInvalid; }

private:
  bool isOnTensors = true;
  bool foundInvalid = false;
};

/// Adds one to `pm`, which owns it.
const TensorVerifier &addTensorVerifier(PassManager &pm);

} // namespace mlir::convoy

#endif // CONVOY_LIB_DRIVER_VERIFYTENSORS_H
