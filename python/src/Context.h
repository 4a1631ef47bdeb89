//===- Context.h - Where IR of Python lives ---------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_PYTHON_SRC_CONTEXT_H
#define CONVOY_PYTHON_SRC_CONTEXT_H

#include "mlir/IR/MLIRContext.h"

#include <memory>

namespace convoy::python {

/// A context that starts no threads. Where the work at hand is interrupted, the
/// passes that are left do nothing.
std::unique_ptr<mlir::MLIRContext> makeContext();

} // namespace convoy::python

#endif // CONVOY_PYTHON_SRC_CONTEXT_H
