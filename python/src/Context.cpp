//===- Context.cpp - Where IR of Python lives -------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Context.h"

#include "convoy/Driver/Compile.h"
#include "convoy/InitAll.h"
#include "convoy/Support/Interruption.h"

#include "mlir/IR/Action.h"
#include "mlir/Pass/Pass.h"

using namespace convoy;
using namespace convoy::python;

std::unique_ptr<mlir::MLIRContext> python::makeContext() {
  auto context = std::make_unique<mlir::MLIRContext>(
      mlir::convoy::makeRegistry(), mlir::MLIRContext::Threading::DISABLED);
  context->registerActionHandler([](llvm::function_ref<void()> execute,
                                    const mlir::tracing::Action &action) {
    if (!llvm::isa<mlir::PassExecutionAction>(action) || !isInterrupted())
      execute();
  });
  return context;
}
