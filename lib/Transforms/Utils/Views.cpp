//===- Views.cpp - Buffers that are parts of buffers ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/Views.h"

#include "mlir/Interfaces/ViewLikeInterface.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

SmallVector<Value> mlir::convoy::getViews(Value buffer) {
  // Code that is never reached may use its own result.
  SetVector<Value> views;
  while (views.insert(buffer))
    if (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
      buffer = view.getViewSource();
  return llvm::to_vector(llvm::reverse(views));
}
