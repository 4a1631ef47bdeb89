//===- DeclareSubgroups.cpp - Kernels that ask for subgroups ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/GPUKernels/Passes.h"

#include "mlir/Dialect/SPIRV/IR/SPIRVDialect.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_DECLARESUBGROUPSPASS
#include "convoy/Transforms/GPUKernels/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using spirv::BuiltIn;
using spirv::Capability;

static bool isOfSubgroup(spirv::GlobalVariableOp variable) {
  std::optional<StringRef> builtIn = variable.getBuiltIn();
  return builtIn &&
         (*builtIn == stringifyBuiltIn(BuiltIn::SubgroupId) ||
          *builtIn == stringifyBuiltIn(BuiltIn::SubgroupLocalInvocationId));
}

static bool hasBF16Matrices(spirv::ModuleOp module) {
  return module
      .walk([](spirv::KHRCooperativeMatrixLoadOp load) {
        auto type = cast<spirv::CooperativeMatrixType>(load.getType());
        return type.getElementType().isBF16() ? WalkResult::interrupt()
                                              : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Adds a constant from which a program learns the size of subgroups that it
/// has to ask for.
static void declareSize(spirv::ModuleOp module, VulkanProfileAttr profile) {
  constexpr StringLiteral name = "subgroup_size";
  if (!profile || module.lookupSymbol(name))
    return;
  auto builder = OpBuilder::atBlockBegin(module.getBody());
  spirv::SpecConstantOp::create(
      builder, module.getLoc(), builder.getStringAttr(name),
      builder.getI32IntegerAttr(profile.getLimits().subgroup));
}

static void declare(spirv::ModuleOp module) {
  std::optional<spirv::VerCapExtAttr> triple = module.getVceTriple();
  if (!triple ||
      llvm::none_of(module.getOps<spirv::GlobalVariableOp>(), isOfSubgroup))
    return;
  declareSize(module, VulkanProfileAttr::lookup(module));
  llvm::SetVector<Capability> capabilities(llvm::from_range,
                                           triple->getCapabilities());
  capabilities.insert(Capability::GroupNonUniform);
  if (hasBF16Matrices(module))
    capabilities.insert(Capability::BFloat16CooperativeMatrixKHR);
  module.setVceTripleAttr(spirv::VerCapExtAttr::get(
      triple->getVersion(), capabilities.getArrayRef(),
      llvm::to_vector(triple->getExtensions()), module.getContext()));
}

namespace {
struct DeclareSubgroupsPass final
    : mlir::convoy::impl::DeclareSubgroupsPassBase<DeclareSubgroupsPass> {
  using Base::Base;

  void runOnOperation() override { getOperation()->walk(declare); }
};
} // namespace
