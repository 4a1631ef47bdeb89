//===- AttachRocmChip.cpp - AMD's GPUs that kernels are for -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"
#include "convoy/Support/RocmChip.h"
#include "convoy/Transforms/Targets/Passes.h"
#include "convoy/Transforms/Targets/Targets.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_ATTACHROCMCHIPPASS
#include "convoy/Transforms/Targets/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

/// Vectors of 16 bytes that tiles are made of: with 128 registers a work-item,
/// every chip runs several waves at a time on each of its SIMD units.
static constexpr int64_t kRegisters = 32;

LogicalResult mlir::convoy::attachRocmChip(Operation *module, StringRef name) {
  const ::convoy::RocmChip *chip = ::convoy::getRocmChip(name);
  if (!chip)
    return module->emitError()
           << "expected a chip, " << StringRef(::convoy::getRocmChipNames())
           << ", but got " << name;
  MLIRContext *context = module->getContext();
  TargetAttr standard = TargetAttr::getDefault(context);
  Builder builder(context);
  SmallVector<StringRef> matrix(chip->matrixInstructions.begin(),
                                chip->matrixInstructions.end());
  module->setAttr(kRocmChipAttrName, StringAttr::get(context, name));
  module->setAttr(
      TargetAttr::getModuleAttrName(),
      TargetAttr::get(context, /*vectorBytes=*/16, kRegisters,
                      standard.getL1Bytes(), standard.getL2Bytes(),
                      standard.getCore(), /*dot=*/{}, /*tile=*/{}, chip->wave,
                      chip->workgroupBytes, chip->workgroupItems,
                      builder.getStrArrayAttr(matrix),
                      /*slowSharedMemory=*/false, chip->computeUnits));
  return success();
}

const ::convoy::RocmChip *mlir::convoy::findRocmChip(Operation *op) {
  for (Operation *holder = op; holder; holder = holder->getParentOp()) {
    if (auto name = holder->getAttrOfType<StringAttr>(kRocmChipAttrName))
      return ::convoy::getRocmChip(name.getValue());
  }
  op->emitError() << "expected " << kRocmChipAttrName << " on the module";
  return nullptr;
}

namespace {
struct AttachRocmChipPass final
    : mlir::convoy::impl::AttachRocmChipPassBase<AttachRocmChipPass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(attachRocmChip(getOperation(), chip.getValue())))
      signalPassFailure();
  }
};
} // namespace
