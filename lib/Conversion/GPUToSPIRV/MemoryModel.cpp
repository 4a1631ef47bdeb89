//===- MemoryModel.cpp - Memory between work-items --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryModel.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using spirv::MemoryAccess;
using spirv::MemorySemantics;

static bool hasCooperativeMatrices(spirv::ModuleOp module) {
  return module
      .walk([](spirv::KHRCooperativeMatrixMulAddOp) {
        return WalkResult::interrupt();
      })
      .wasInterrupted();
}

/// Whether work-items of `function` hand each other elements of buffers.
static bool sharesBuffers(spirv::FuncOp function) {
  return function
      .walk([](spirv::ControlBarrierOp barrier) {
        return bitEnumContainsAny(barrier.getMemorySemantics(),
                                  MemorySemantics::UniformMemory)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Lets accesses of `function` to what its work-items share say so.
static void declareShared(spirv::FuncOp function) {
  bool areBuffersShared = sharesBuffers(function);
  auto isShared = [&](Value pointer) {
    auto storage =
        cast<spirv::PointerType>(pointer.getType()).getStorageClass();
    return storage == spirv::StorageClass::Workgroup ||
           (areBuffersShared && storage == spirv::StorageClass::StorageBuffer);
  };
  function.walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<spirv::LoadOp, spirv::StoreOp>([&](auto access) {
          if (isShared(access.getPtr()))
            access.setMemoryAccess(MemoryAccess::NonPrivatePointer);
        })
        .Case<spirv::KHRCooperativeMatrixLoadOp,
              spirv::KHRCooperativeMatrixStoreOp>([&](auto access) {
          if (isShared(access.getPointer()))
            access.setMemoryOperand(MemoryAccess::NonPrivatePointer);
        })
        .Case<spirv::ControlBarrierOp>([](spirv::ControlBarrierOp barrier) {
          barrier.setMemorySemantics(barrier.getMemorySemantics() |
                                     MemorySemantics::MakeAvailable |
                                     MemorySemantics::MakeVisible);
        });
  });
}

void mlir::convoy::declareMemoryModel(spirv::ModuleOp module) {
  if (!hasCooperativeMatrices(module))
    return;
  module.setMemoryModel(spirv::MemoryModel::Vulkan);
  for (auto function : module.getOps<spirv::FuncOp>())
    declareShared(function);
}
