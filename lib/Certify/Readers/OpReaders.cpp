//===- OpReaders.cpp - Elements of what ops make ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpReaders.h"
#include "IntrinsicReaders.h"
#include "ScalarReaders.h"
#include "TosaConv.h"
#include "VectorReaders.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

/// The element `at` of a tensor that `op` makes, which holds `elements`.
static FailureOr<Pieces> readConstant(SymbolicEvaluator &evaluator,
                                      Operation *op, ElementsAttr elements,
                                      ArrayRef<LinearExpr> at) {
  if (!elements)
    return evaluator.undecided(op, "a constant that is no tensor");
  auto dense = dyn_cast<DenseElementsAttr>(elements);
  if (dense && dense.isSplat())
    return Pieces{{{}, {}, makeConstant(dense.getSplatValue<TypedAttr>())}};
  return Pieces{{{}, {}, makeRead(elements, at)}};
}

/// Of an op whose class is not asked for: known by its name or its traits.
static FailureOr<Pieces> readOther(SymbolicEvaluator &evaluator, Operation *op,
                                   ArrayRef<LinearExpr> at,
                                   const System &context) {
  if (op->getName().getStringRef() == "iree_linalg_ext.im2col")
    return readIreeIm2col(evaluator, op, at, context);
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op))
    return readIntrinsic(evaluator, call, at, context);
  if (op->getName().getDialectNamespace() == "vector")
    return readVectorOp(evaluator, op, at, context);
  if (op->getName().getDialectNamespace() == "tosa")
    return readTosaElementwise(evaluator, op, at, context);
  if (isElementwise(op))
    return readElementwise(evaluator, op, at, context);
  return evaluator.undecided(
      op, describeUnread(op, "an op whose meaning is not known"));
}

FailureOr<Pieces> certify::readResult(SymbolicEvaluator &evaluator,
                                      OpResult result, ArrayRef<LinearExpr> at,
                                      const System &context) {
  using OpSwitch = llvm::TypeSwitch<Operation *, FailureOr<Pieces>>;
  bool isScalar = !isa<ShapedType>(result.getType());
  if (isScalar &&
      !isa<scf::ForOp, scf::IfOp, vector::ExtractOp, vector::ReductionOp>(
          result.getOwner()))
    return readScalar(evaluator, result, Body(), context);
  return OpSwitch(result.getOwner())
      .Case([&](tensor::EmptyOp op) {
        Type type = op.getType().getElementType();
        return Pieces{{{}, {}, makeUndefined(type)}};
      })
      .Case([&](ub::PoisonOp op) {
        Type type = getElementTypeOrSelf(op.getType());
        return Pieces{{{}, {}, makeUndefined(type)}};
      })
      .Case([&](arith::ConstantOp op) {
        auto elements = dyn_cast<ElementsAttr>(op.getValue());
        return readConstant(evaluator, op, elements, at);
      })
      .Case([&](tosa::ConstOp op) {
        return readConstant(evaluator, op, op.getValues(), at);
      })
      .Case([&](tensor::SplatOp op) {
        return readScalar(evaluator, op.getInput(), Body(), context);
      })
      .Case([&](tensor::FromElementsOp op) {
        return readFromElements(evaluator, op.getType(), op.getElements(), at,
                                context);
      })
      .Case([&](tensor::CastOp op) {
        return evaluator.readAt(op.getSource(), at, context);
      })
      .Case([&](tosa::IdentityOp op) {
        return evaluator.readAt(op.getInput1(), at, context);
      })
      .Case([&](TraceOp op) {
        return evaluator.readAt(op.getValue(), at, context);
      })
      .Case<bufferization::ToTensorOp, bufferization::AllocTensorOp,
            tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::InsertOp,
            tensor::PadOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
            ConvolutionOpInterface, Im2colOp, Col2imOp, PadOp, PadBackwardOp,
            GridSampleOp, DeformConvOp, tosa::ClampOp, tosa::ReshapeOp,
            tosa::TransposeOp>(
          [&](auto op) { return readElement(evaluator, op, at, context); })
      .Case<tosa::Conv2DOp, tosa::Conv3DOp, tosa::DepthwiseConv2DOp,
            tosa::TransposeConv2DOp>([&](auto op) {
        return readElement(evaluator, TosaConv(op), at, context);
      })
      .Case<linalg::LinalgOp, scf::ForOp, scf::ForallOp, scf::IfOp>(
          [&](auto op) {
            return readElement(evaluator, op, result.getResultNumber(), at,
                               context);
          })
      .Default(
          [&](Operation *op) { return readOther(evaluator, op, at, context); });
}
