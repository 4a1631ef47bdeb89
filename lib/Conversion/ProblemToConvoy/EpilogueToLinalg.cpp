//===- EpilogueToLinalg.cpp - What becomes of a problem's sums --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An epilogue is one linalg.generic on the sums. It computes in f32, or in f64
// where the problem is one of f64, and rounds once.
//
//===----------------------------------------------------------------------===//

#include "EpilogueToLinalg.h"

#include "PostOpToArith.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::DataType;
using ::convoy::ElementType;
using ::convoy::Epilogue;
using ::convoy::KernelOperand;
using ::convoy::Layout;
using ::convoy::Operand;
using ::convoy::PostOp;
using ::convoy::Problem;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type mlir::convoy::getSumType(Builder &builder, const Problem &problem) {
  if (problem.epilogue.isEmpty())
    return getElementType(builder, problem.resultType());
  switch (problem.type) {
  case ElementType::F64:
    return builder.getF64Type();
  case ElementType::I8:
    return builder.getI32Type();
  default:
    return builder.getF32Type();
  }
}

RankedTensorType mlir::convoy::getOperandType(Builder &builder,
                                              const Problem &problem,
                                              const KernelOperand &operand) {
  Operand result = problem.resultOperand();
  std::vector<int64_t> sizes = problem.shape.shape(result, operand.layout);
  for (auto [size, letter] : llvm::zip_equal(sizes, operand.layout.letters()))
    if (problem.isDynamic(result, letter))
      size = ShapedType::kDynamic;
  return RankedTensorType::get(sizes, getElementType(builder, operand.type));
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

SmallVector<ReassociationIndices>
mlir::convoy::getGroupDims(const Layout &flat, const Layout &split) {
  SmallVector<ReassociationIndices> dims;
  int64_t next = 0;
  for (char letter : flat.letters()) {
    ReassociationIndices &dim = dims.emplace_back();
    if (split.letters()[next] != letter)
      dim.push_back(next++);
    dim.push_back(next++);
  }
  return dims;
}

Value mlir::convoy::splitGroups(OpBuilder &builder, Location loc,
                                const Problem &problem, Value tensor,
                                Operand operand, Layout &layout) {
  if (!problem.usesGroups() || layout.hasGroups() ||
      !layout.contains(Layout::groupedLetter(operand)))
    return tensor;
  Layout split = layout.withGroups(operand);
  std::vector<int64_t> sizes = problem.shape.shape(operand, split);
  SmallVector<ReassociationIndices> dims = getGroupDims(layout, split);
  for (auto [size, letter] : llvm::zip_equal(sizes, split.letters()))
    if (problem.isDynamic(operand, letter))
      size = ShapedType::kDynamic;
  layout = split;
  auto type =
      RankedTensorType::get(sizes, getElementTypeOrSelf(tensor.getType()));
  return tensor::ExpandShapeOp::create(builder, loc, type, tensor, dims);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

namespace {
/// Computes one element of the result.
class ElementBuilder {
public:
  /// `operands` has an element of each operand of the epilogue, in order.
  ElementBuilder(OpBuilder &builder, Location loc, const Problem &problem,
                 ValueRange operands)
      : builder(builder), problem(problem), epilogue(problem.epilogue),
        scalars(builder, loc,
                problem.type == ElementType::F64
                    ? FloatType(builder.getF64Type())
                    : FloatType(builder.getF32Type())) {
    for (auto [value, operand] :
         llvm::zip_equal(operands, problem.epilogueOperands()))
      rest.push_back(scalars.widen(value, operand.type));
  }

  Value build(Value sum);

private:
  /// The next operand.
  Value take() { return rest[next++]; }
  Value scale(Value sum);
  Value store(Value value);

  OpBuilder &builder;
  const Problem &problem;
  const Epilogue &epilogue;
  ScalarBuilder scalars;
  SmallVector<Value> rest;
  size_t next = 0;
};
} // namespace

/// The scaled sum with its bias.
Value ElementBuilder::scale(Value sum) {
  Value value =
      problem.type == ElementType::I8 ? scalars.widen(sum, DataType::S32) : sum;
  Value bias = problem.addsBiasToScaledSums() ? take() : Value();
  Value factor;
  auto multiply = [&](Value other) {
    factor = factor ? scalars.mul(factor, other) : other;
  };
  for (const ::convoy::Scale &one :
       {epilogue.inputScale, epilogue.filterScale}) {
    if (one.isPerChannel)
      multiply(take());
    else if (!one.isOne())
      multiply(scalars.constant(one.value));
  }
  if (factor)
    value = scalars.mul(value, factor);
  return bias ? scalars.add(value, bias) : value;
}

Value ElementBuilder::store(Value value) {
  DataType type = problem.resultType();
  if (isInteger(type))
    return scalars.toInteger(value, type);
  return scalars.round(value, getElementType(builder, type));
}

Value ElementBuilder::build(Value sum) {
  Value value = scale(sum);
  // The scales and zero points of the result come before the operands of
  // post-ops, and are used behind them.
  Value divisor;
  if (epilogue.resultScale.isPerChannel)
    divisor = take();
  else if (!epilogue.resultScale.isOne())
    divisor = scalars.constant(epilogue.resultScale.value);
  Value zeroPoint;
  if (epilogue.resultZeroPoint.isPerChannel)
    zeroPoint = take();
  else if (!epilogue.resultZeroPoint.isZero())
    zeroPoint = scalars.constant(epilogue.resultZeroPoint.value);
  for (const PostOp &postOp : epilogue.postOps)
    value =
        scalars.apply(postOp, value, postOp.hasOperand() ? take() : Value());
  if (divisor)
    value = scalars.div(value, divisor);
  if (zeroPoint)
    value = scalars.add(value, zeroPoint);
  return store(value);
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

Value mlir::convoy::buildEpilogue(OpBuilder &builder, Location loc,
                                  const Problem &problem, Value sums,
                                  const Layout &layout, ValueRange operands,
                                  Value empty) {
  MLIRContext *context = builder.getContext();
  AffineMap identity = builder.getMultiDimIdentityMap(layout.rank());
  SmallVector<Value> inputs = {sums};
  SmallVector<AffineMap> maps = {identity};
  for (auto [value, operand] :
       llvm::zip_equal(operands, problem.epilogueOperands())) {
    Layout dims = operand.layout;
    inputs.push_back(splitGroups(builder, loc, problem, value,
                                 problem.resultOperand(), dims));
    SmallVector<AffineExpr> places;
    for (char letter : dims.letters())
      places.push_back(builder.getAffineDimExpr(layout.position(letter)));
    maps.push_back(AffineMap::get(layout.rank(), 0, places, context));
  }
  maps.push_back(identity);
  SmallVector<utils::IteratorType> iterators(layout.rank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, empty.getType(), inputs, empty, maps, iterators,
             [&](OpBuilder &b, Location loc, ValueRange args) {
               ElementBuilder element(b, loc, problem,
                                      args.drop_front().drop_back());
               linalg::YieldOp::create(b, loc, element.build(args.front()));
             })
      .getResult(0);
}
