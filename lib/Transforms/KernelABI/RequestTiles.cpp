//===- RequestTiles.cpp - Ask for permission to use AMX ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/KernelABI/Passes.h"

#include "convoy/Support/TileRegisters.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_REQUESTTILESPASS
#include "convoy/Transforms/KernelABI/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

/// The function that asks, and what makes programs call it before all others.
static constexpr StringLiteral kName = "convoy_request_tiles";
static constexpr int32_t kPriority = 65535; ///< that of any constructor

bool mlir::convoy::usesTiles(ModuleOp module) {
  return module
      .walk([](LLVM::CallIntrinsicOp call) {
        return call.getIntrin() == "llvm.x86.ldtilecfg"
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
struct RequestTilesPass final
    : mlir::convoy::impl::RequestTilesPassBase<RequestTilesPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!usesTiles(module) || module.lookupSymbol(kName))
      return;
    Location loc = module.getLoc();
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    auto function = LLVM::LLVMFuncOp::create(
        builder, loc, kName,
        LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(&getContext()), {}),
        LLVM::Linkage::Internal);
    createRequest(loc, builder, function);
    builder.setInsertionPointAfter(function);
    LLVM::GlobalCtorsOp::create(
        builder, loc,
        builder.getArrayAttr(FlatSymbolRefAttr::get(function.getNameAttr())),
        builder.getI32ArrayAttr(kPriority),
        builder.getArrayAttr(LLVM::ZeroAttr::get(&getContext())));
  }

private:
  /// Asks for tiles. Nothing waits for the answer: a processor without tiles
  /// does not get here.
  static void createRequest(Location loc, OpBuilder &builder,
                            LLVM::LLVMFuncOp function) {
    builder.setInsertionPointToStart(function.addEntryBlock(builder));
    SmallVector<Value> operands;
    for (int64_t number : {::convoy::kArchPrctl, ::convoy::kRequestPermission,
                           ::convoy::kTileData})
      operands.push_back(LLVM::ConstantOp::create(
          builder, loc, builder.getI64IntegerAttr(number)));
    LLVM::InlineAsmOp::create(
        builder, loc, builder.getI64Type(), operands, "syscall",
        "={rax},{rax},{rdi},{rsi},~{rcx},~{r11},~{memory}",
        /*has_side_effects=*/true, /*is_align_stack=*/false,
        LLVM::TailCallKind::None, /*asm_dialect=*/nullptr,
        /*operand_attrs=*/nullptr);
    LLVM::ReturnOp::create(builder, loc, ValueRange());
  }
};
} // namespace
