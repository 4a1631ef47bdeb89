//===- AttachTarget.cpp - The machine that tiles are made for ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/Targets/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_ATTACHTARGETPASS
#include "convoy/Transforms/Targets/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

namespace {
struct AttachTargetPass final
    : mlir::convoy::impl::AttachTargetPassBase<AttachTargetPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    TargetAttr known = TargetAttr::lookup(module);
    auto getGivenOr = [](int64_t given, int64_t known) {
      return given == 0 ? known : given;
    };
    CoreTraits core = {
        getGivenOr(lineBytes, known.getCore().lineBytes),
        getGivenOr(pageBytes, known.getCore().pageBytes),
        getGivenOr(criticalStride, known.getCore().criticalStride),
        getGivenOr(tlbEntries, known.getCore().tlbEntries),
        getGivenOr(lastLevelBytes, known.getCore().lastLevelBytes),
        getGivenOr(prefetchStreams, known.getCore().prefetchStreams),
        getGivenOr(vectorUnits, known.getCore().vectorUnits),
        getGivenOr(fmaLatency, known.getCore().fmaLatency),
        getGivenOr(maskedBytes, known.getCore().maskedBytes),
        getGivenOr(indexedBytes, known.getCore().indexedBytes)};
    auto target = TargetAttr::getChecked(
        [&] { return module.emitError(); }, &getContext(),
        getGivenOr(vectorBytes, known.getVectorBytes()),
        getGivenOr(registers, known.getRegisters()),
        getGivenOr(l1Bytes, known.getL1Bytes()),
        getGivenOr(l2Bytes, known.getL2Bytes()), core, getDot(known),
        tile.empty() ? known.getTile() : ArrayRef<int64_t>(tile),
        subgroup.getValue(), workgroupBytes.getValue(),
        workgroupItems.getValue(),
        /*matrix=*/ArrayAttr(), slowSharedMemory.getValue(),
        computeUnits.getValue());
    if (!target)
      return signalPassFailure();
    module->setAttr(TargetAttr::getModuleAttrName(), target);
    if (explain)
      emitTarget(target);
  }

  /// The instructions that options name; else those of `known`.
  ArrayAttr getDot(TargetAttr known) {
    if (dot.empty())
      return known.getDot();
    if (ArrayRef<std::string>(dot) == ArrayRef<std::string>{"none"})
      return {};
    return Builder(&getContext())
        .getStrArrayAttr(llvm::to_vector_of<StringRef>(dot));
  }

  /// Says what tiles are made for, and which of it is this machine's.
  void emitTarget(TargetAttr target) {
    InFlightDiagnostic remark = getOperation().emitRemark()
                                << "tiles are made for " << target;
    if (!asked.empty())
      remark << "; this machine says "
             << llvm::join(ArrayRef<std::string>(asked), ", ");
  }
};
} // namespace
