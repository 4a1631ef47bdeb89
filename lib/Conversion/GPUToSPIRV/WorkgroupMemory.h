//===- WorkgroupMemory.h - What kernels of a module share -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Drivers may give a workgroup the memory of all variables of a module,
// whichever of its kernels runs. So kernels have their variables in common.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CONVERSION_GPUTOSPIRV_WORKGROUPMEMORY_H
#define CONVOY_LIB_CONVERSION_GPUTOSPIRV_WORKGROUPMEMORY_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"

namespace mlir::convoy {

/// Where the variables that kernels can share as they are would take more than
/// `limit` bytes together, gives each kernel one allocation of workgroup memory
/// for each type of elements; and where that is too much still, and there are
/// no matrices, one of a type in which all elements are whole numbers.
void packWorkgroupMemory(gpu::GPUModuleOp module, int64_t limit);

/// Makes variables of the workgroup that have elements of one type, and are of
/// different kernels, one variable, as large as the largest.
void shareWorkgroupVariables(spirv::ModuleOp module);

/// Reports an error where all variables of the workgroup together are larger
/// than `profile` offers.
LogicalResult checkWorkgroupVariables(spirv::ModuleOp module,
                                      VulkanProfileAttr profile);

} // namespace mlir::convoy

#endif // CONVOY_LIB_CONVERSION_GPUTOSPIRV_WORKGROUPMEMORY_H
