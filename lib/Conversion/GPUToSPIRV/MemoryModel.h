//===- MemoryModel.h - Memory between work-items ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CONVERSION_GPUTOSPIRV_MEMORYMODEL_H
#define CONVOY_LIB_CONVERSION_GPUTOSPIRV_MEMORYMODEL_H

#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"

namespace mlir::convoy {

/// Declares Vulkan's memory model in `module` if it has cooperative matrices,
/// which ask for it. There what work-items hand each other, in the memory of
/// their workgroup or in a buffer, is accessed as not private, and barriers
/// make it visible.
void declareMemoryModel(spirv::ModuleOp module);

} // namespace mlir::convoy

#endif // CONVOY_LIB_CONVERSION_GPUTOSPIRV_MEMORYMODEL_H
