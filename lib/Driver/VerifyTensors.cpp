//===- VerifyTensors.cpp - Checks of IR while it is on tensors --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyTensors.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::convoy;

void TensorVerifier::runBeforePass(Pass *pass, Operation *op) {
  if (pass->getArgument() == "one-shot-bufferize")
    isOnTensors = false;
}

/// Why `op` is invalid, or nothing.
static std::optional<std::string> findInvalid(Operation *op) {
  std::string reason;
  ScopedDiagnosticHandler handler(op->getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    if (reason.empty())
                                      reason = diagnostic.str();
                                    return success();
                                  });
  if (succeeded(verify(op)))
    return std::nullopt;
  return reason;
}

void TensorVerifier::runAfterPass(Pass *pass, Operation *op) {
  // What runs passes on nested operations is a pass without a name.
  if (!isOnTensors || foundInvalid || pass->getArgument().empty())
    return;
  if (std::optional<std::string> reason = findInvalid(op)) {
    foundInvalid = true;
    op->emitError() << "expected valid IR behind " << pass->getArgument()
                    << ", but: " << *reason;
  }
}

const TensorVerifier &mlir::convoy::addTensorVerifier(PassManager &pm) {
  auto verifier = std::make_unique<TensorVerifier>();
  const TensorVerifier &added = *verifier;
  pm.addInstrumentation(std::move(verifier));
  return added;
}
