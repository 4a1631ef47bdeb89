//===- IndexWidth.cpp - Bits of the indices of kernels ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/GPUKernels/IndexWidth.h"

#include "KernelCheck.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/KernelABI/KernelInterface.h"

using namespace mlir;
using namespace mlir::convoy;

bool mlir::convoy::needsWideIndex(Operation *module) {
  WalkResult result = module->walk([&](gpu::GPUFuncOp function) {
    for (Type type : function.getArgumentTypes()) {
      auto buffer = dyn_cast<MemRefType>(type);
      if (!buffer)
        continue;
      std::optional<int64_t> bits =
          getStoredBits(getElementTypeOrSelf(buffer.getElementType()));
      int64_t bytes = getBufferBytes(buffer).value_or(0);
      if (bits && bytes / (*bits / 8) > kMaxNarrowElements)
        return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return result.wasInterrupted();
}

MemRefType mlir::convoy::getLargestType(MemRefType buffer) {
  if (buffer.hasStaticShape())
    return buffer;
  assert(buffer.getRank() == 1 && "buffers of kernels are flat");
  return MemRefType::get({kMaxNarrowElements}, buffer.getElementType(),
                         buffer.getLayout(), buffer.getMemorySpace());
}
