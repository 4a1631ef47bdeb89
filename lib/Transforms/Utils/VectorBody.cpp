//===- VectorBody.cpp - Elementwise ops on vectors -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/VectorBody.h"
#include "convoy/Transforms/Utils/FastMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::convoy;

/// a*b + c in one rounding where `add` adds a product of the same row and the
/// type has it on every machine that has vectors of it; else nothing. In f16
/// LLVM makes one op of both where the machine has it.
static Value fuseMultiplyAdd(RewriterBase &rewriter, arith::AddFOp add) {
  Type element = getElementTypeOrSelf(add.getType());
  if (!element.isF32() && !element.isF64() && !element.isF16())
    return {};
  for (auto [factor, other] : {std::pair{add.getLhs(), add.getRhs()},
                               std::pair{add.getRhs(), add.getLhs()}}) {
    auto product = factor.getDefiningOp<arith::MulFOp>();
    if (!product || !product->hasOneUse())
      continue;
    if (!element.isF16())
      return vector::FMAOp::create(rewriter, add.getLoc(), product.getLhs(),
                                   product.getRhs(), other);
    allowContraction(cast<arith::ArithFastMathInterface>(*product));
    allowContraction(cast<arith::ArithFastMathInterface>(*add));
    return {};
  }
  return {};
}

Value mlir::convoy::computeOnVectors(RewriterBase &rewriter,
                                     linalg::LinalgOp op, ValueRange operands,
                                     int64_t lanes) {
  Block *body = op.getBlock();
  IRMapping mapping;
  mapping.map(body->getArguments(), operands);
  auto toVector = [&](Value value) -> Value {
    Value mapped = mapping.lookupOrDefault(value);
    if (auto type = dyn_cast<VectorType>(mapped.getType()))
      return type.getNumElements() == lanes
                 ? mapped
                 : vector::ExtractStridedSliceOp::create(
                       rewriter, op.getLoc(), mapped, ArrayRef<int64_t>{0},
                       ArrayRef<int64_t>{lanes}, ArrayRef<int64_t>{1});
    Value splat = vector::BroadcastOp::create(
        rewriter, op.getLoc(), VectorType::get({lanes}, mapped.getType()),
        mapped);
    mapping.map(value, splat);
    return splat;
  };
  for (Operation &scalar : body->without_terminator()) {
    if (scalar.hasTrait<OpTrait::ConstantLike>()) {
      rewriter.clone(scalar, mapping);
      continue;
    }
    // What is computed of one longer vector is the same for all parts of it.
    SmallVector<Value> inputs;
    Value only = scalar.getNumOperands() == 1
                     ? mapping.lookupOrDefault(scalar.getOperand(0))
                     : Value();
    if (only && isa<VectorType>(only.getType()))
      inputs.push_back(only);
    else
      inputs = llvm::map_to_vector(scalar.getOperands(), toVector);
    int64_t own = cast<VectorType>(inputs[0].getType()).getNumElements();
    SmallVector<Type> types =
        llvm::map_to_vector(scalar.getResultTypes(), [&](Type type) -> Type {
          return VectorType::get({own}, type);
        });
    Operation *wide =
        rewriter.create(op.getLoc(), scalar.getName().getIdentifier(), inputs,
                        types, scalar.getAttrs());
    Value result = wide->getResult(0);
    if (auto add = dyn_cast<arith::AddFOp>(wide))
      if (Value fused = fuseMultiplyAdd(rewriter, add))
        result = fused;
    mapping.map(scalar.getResult(0), result);
  }
  return toVector(body->getTerminator()->getOperand(0));
}
