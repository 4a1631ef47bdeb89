//===- DeclareBufferAccesses.cpp - Buffers that are only read ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/GPUKernels/Passes.h"

#include "mlir/Dialect/SPIRV/IR/SPIRVDialect.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_DECLAREBUFFERACCESSESPASS
#include "convoy/Transforms/GPUKernels/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// What is done with a buffer.
struct Accesses {
  bool stores = false;
  bool others = false; ///< neither loads nor stores

  /// Adds what is done with `pointer`, the buffer's or that of a part.
  void add(Value pointer) {
    for (Operation *user : pointer.getUsers()) {
      if (auto part = dyn_cast<spirv::AccessChainOp>(user))
        add(part.getResult());
      else if (auto store = dyn_cast<spirv::StoreOp>(user);
               store && store.getPtr() == pointer)
        stores = true;
      else if (!isa<spirv::LoadOp>(user))
        others = true;
    }
  }
};

struct DeclareBufferAccessesPass final
    : mlir::convoy::impl::DeclareBufferAccessesPassBase<
          DeclareBufferAccessesPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([](spirv::ModuleOp module) { declareAll(module); });
  }

private:
  static void declareAll(spirv::ModuleOp module) {
    llvm::StringMap<Accesses> accesses;
    module.walk([&](spirv::AddressOfOp address) {
      accesses[address.getVariable()].add(address.getPointer());
    });
    auto set = [](spirv::GlobalVariableOp variable,
                  spirv::Decoration decoration) {
      variable->setAttr(
          llvm::convertToSnakeFromCamelCase(stringifyDecoration(decoration)),
          UnitAttr::get(variable.getContext()));
    };
    for (auto variable : module.getOps<spirv::GlobalVariableOp>()) {
      const Accesses &found = accesses[variable.getSymName()];
      if (variable.storageClass() != spirv::StorageClass::StorageBuffer ||
          found.others)
        continue;
      if (!found.stores)
        set(variable, spirv::Decoration::NonWritable);
      set(variable, spirv::Decoration::Restrict);
    }
  }
};
} // namespace
