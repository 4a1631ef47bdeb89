//===- DeclareFloatControls.cpp - Rounding and special values ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/Floats/Passes.h"

#include "mlir/Dialect/SPIRV/IR/SPIRVDialect.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/IR/Builders.h"

#include <set>

namespace mlir::convoy {
#define GEN_PASS_DEF_DECLAREFLOATCONTROLSPASS
#include "convoy/Transforms/Floats/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::VulkanLimits;

namespace {
/// What a device offers for floats of one width.
struct WidthControls {
  unsigned width;
  bool VulkanLimits::*nearest, VulkanLimits::*special;
};

struct DeclareFloatControlsPass final
    : mlir::convoy::impl::DeclareFloatControlsPassBase<
          DeclareFloatControlsPass> {
  using Base::Base;

  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](spirv::ModuleOp module) {
      return succeeded(declareAll(module)) ? WalkResult::advance()
                                           : WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  static LogicalResult declareAll(spirv::ModuleOp module) {
    auto profile = VulkanProfileAttr::lookup(module);
    if (!profile)
      return module.emitError()
             << "expected " << VulkanProfileAttr::getModuleAttrName()
             << " on the module";
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    for (auto entry : module.getOps<spirv::EntryPointOp>())
      declare(builder, entry, profile.getLimits());
    return success();
  }

  static void declare(OpBuilder &builder, spirv::EntryPointOp entry,
                      const VulkanLimits &limits) {
    auto function = SymbolTable::lookupNearestSymbolFrom<spirv::FuncOp>(
        entry, entry.getFnAttr());
    std::set<unsigned> widths = getFloatWidths(function);
    for (auto [width, nearest, special] :
         {WidthControls{16, &VulkanLimits::nearest16, &VulkanLimits::special16},
          WidthControls{32, &VulkanLimits::nearest32, &VulkanLimits::special32},
          WidthControls{64, &VulkanLimits::nearest64,
                        &VulkanLimits::special64}}) {
      auto add = [&](spirv::ExecutionMode mode) {
        spirv::ExecutionModeOp::create(builder, entry.getLoc(), function, mode,
                                       {int32_t(width)});
      };
      if (!widths.count(width))
        continue;
      if (limits.*nearest)
        add(spirv::ExecutionMode::RoundingModeRTE);
      if (limits.*special)
        add(spirv::ExecutionMode::SignedZeroInfNanPreserve);
    }
  }

  /// The widths of the floats that `function` computes.
  static std::set<unsigned> getFloatWidths(spirv::FuncOp function) {
    std::set<unsigned> widths;
    function.walk([&](Operation *op) {
      for (Type type : op->getResultTypes())
        if (auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type)))
          widths.insert(element.getWidth());
    });
    return widths;
  }
};
} // namespace
