//===- StoreFloatsAsBits.cpp - 16-bit floats as integers --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Floats/Passes.h"
#include "convoy/Transforms/KernelABI/KernelInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_STOREFLOATSASBITSPASS
#include "convoy/Transforms/Floats/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

namespace {
struct StoreFloatsAsBitsPass final
    : mlir::convoy::impl::StoreFloatsAsBitsPassBase<StoreFloatsAsBitsPass> {
  using Base::Base;

  void runOnOperation() override {
    AttrTypeReplacer replacer;
    auto bits = IntegerType::get(&getContext(), 16);
    replacer.addReplacement(
        [this, bits](FloatType type) -> std::optional<Type> {
          if (isReplaced(type))
            return bits;
          return std::nullopt;
        });
    replacer.addReplacement(
        [this, bits](FloatAttr value) -> std::optional<Attribute> {
          if (isReplaced(value.getType()))
            return IntegerAttr::get(bits, value.getValue().bitcastToAPInt());
          return std::nullopt;
        });
    replacer.addReplacement(
        [this, bits](DenseFPElementsAttr values) -> std::optional<Attribute> {
          if (isReplaced(values.getElementType()))
            return values.bitcast(bits);
          return std::nullopt;
        });
    SmallPtrSet<Operation *, 16> kept = castForIntrinsics(replacer);
    getOperation()->walk([&](Operation *op) {
      if (kept.contains(op))
        return;
      // What a caller must know of the arguments stays as it is.
      Attribute arguments = op->getAttr(kArgumentsAttrName);
      replacer.replaceElementsIn(op, /*replaceAttrs=*/true,
                                 /*replaceLocs=*/false, /*replaceTypes=*/true);
      if (arguments)
        op->setAttr(kArgumentsAttrName, arguments);
      eraseIfIdentity(op);
    });
  }

private:
  /// Lets LLVM's intrinsics, which want floats, be given casts of bits, and
  /// casts of what they return be used as bits. Returns the ops that have to
  /// stay what they are for that.
  SmallPtrSet<Operation *, 16> castForIntrinsics(AttrTypeReplacer &replacer) {
    SmallPtrSet<Operation *, 16> kept;
    OpBuilder builder(&getContext());
    getOperation()->walk([&](LLVM::CallIntrinsicOp call) {
      kept.insert(call);
      // The type of both sides changes but for the one next to the call.
      auto cast = [&](Value value) {
        Type type = value.getType();
        Value bits = LLVM::BitcastOp::create(builder, call.getLoc(),
                                             replacer.replace(type), value);
        return LLVM::BitcastOp::create(builder, call.getLoc(), type, bits);
      };
      auto isStored = [&](Value value) {
        return replacer.replace(value.getType()) != value.getType();
      };
      builder.setInsertionPoint(call);
      for (OpOperand &operand : call->getOpOperands())
        if (isStored(operand.get())) {
          operand.set(cast(operand.get()));
          kept.insert(operand.get().getDefiningOp());
        }
      builder.setInsertionPointAfter(call);
      for (Value result : call->getResults())
        if (isStored(result)) {
          LLVM::BitcastOp value = cast(result);
          result.replaceAllUsesExcept(value, value.getArg().getDefiningOp());
        }
    });
    return kept;
  }

  /// Erases a cast of bits to a float or back, which SPIR-V does not take.
  static void eraseIfIdentity(Operation *op) {
    auto cast = dyn_cast<arith::BitcastOp>(op);
    if (!cast || cast.getIn().getType() != cast.getType())
      return;
    cast.replaceAllUsesWith(cast.getIn());
    cast.erase();
  }

  bool isReplaced(Type type) const {
    return type.isBF16() || (!keepF16 && type.isF16());
  }
};
} // namespace
