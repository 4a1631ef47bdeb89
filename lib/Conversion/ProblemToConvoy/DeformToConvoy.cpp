//===- DeformToConvoy.cpp - Deformable convolutions as functions -*- C++ -*-==//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Conversion/ProblemToConvoy.h"

#include "FactorType.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/KernelABI/KernelInterface.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::DeformDirection;
using ::convoy::DeformProblem;
using ::convoy::Direction;
using ::convoy::Operand;

/// Of the plain convolution whose function has most of what that of a
/// deformable one has: but for the filter, where offsets or a mask are what is
/// derived by.
static Direction getPlainDirection(DeformDirection direction) {
  switch (direction) {
  case DeformDirection::Forward:
    return Direction::Forward;
  case DeformDirection::Input:
    return Direction::BackwardData;
  case DeformDirection::Filter:
  case DeformDirection::Offset:
  case DeformDirection::Mask:
    return Direction::BackwardFilter;
  }
  llvm_unreachable("unknown direction");
}

namespace {
/// Deforms the function of a plain convolution.
class DeformBuilder {
public:
  DeformBuilder(OpBuilder &builder, Location loc, const DeformProblem &problem)
      : builder(builder), loc(loc), problem(problem) {}

  func::FuncOp build(StringRef name);

private:
  DictionaryAttr describe(StringRef argument, StringRef layout) {
    return builder.getDictionaryAttr(
        {builder.getNamedAttr(kNameAttrName, builder.getStringAttr(argument)),
         builder.getNamedAttr(kLayoutAttrName, builder.getStringAttr(layout))});
  }
  RankedTensorType getTapType(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape,
                                 getFactorType(builder, problem.offsetType));
  }
  /// An argument that stands behind those that were inserted before.
  Value insertArgument(StringRef name, StringRef layout, Type type);
  /// The filter, which the function has not, as `plain` has its gradient.
  Value insertFilter(ConvolutionOpInterface plain);
  /// The gradient of the offset or the mask.
  void returnTapGradient(ConvolutionOpInterface plain, Value filter,
                         Value offset, Value mask);
  /// What takes the place of `plain`.
  Value deform(ConvolutionOpInterface plain, Value offset, Value mask);

  OpBuilder &builder;
  Location loc;
  const DeformProblem &problem;
  func::FuncOp function;
  unsigned nextArgument = 2;
};
} // namespace

Value DeformBuilder::insertArgument(StringRef name, StringRef layout,
                                    Type type) {
  [[maybe_unused]] LogicalResult added =
      function.insertArgument(nextArgument, type, describe(name, layout), loc);
  assert(succeeded(added) && "arguments of functions can be added");
  return function.getArgument(nextArgument++);
}

Value DeformBuilder::deform(ConvolutionOpInterface plain, Value offset,
                            Value mask) {
  StringAttr layout = builder.getStringAttr(problem.offsetLayout.letters());
  auto create = [&]<typename OpTy>() -> Value {
    return OpTy::create(builder, loc, plain.getInit().getType(),
                        plain->getOperand(0), plain->getOperand(1), offset,
                        plain.getInit(), mask, plain.getLayout(), layout,
                        plain.getWindow());
  };
  switch (plain.getDirection()) {
  case Direction::Forward:
    return create.operator()<DeformConvOp>();
  case Direction::BackwardData:
    return create.operator()<DeformConvBackwardInputOp>();
  case Direction::BackwardFilter:
    return DeformConvBackwardFilterOp::create(
        builder, loc, plain.getInit().getType(),
        plain.getOperandFor(Operand::Output),
        plain.getOperandFor(Operand::Input), offset, plain.getInit(), mask,
        plain.getLayout(), layout, plain.getWindow());
  }
  llvm_unreachable("unknown direction");
}

func::FuncOp DeformBuilder::build(StringRef name) {
  ::convoy::Problem plainProblem = problem.conv;
  plainProblem.direction = getPlainDirection(problem.direction);
  function = buildProblem(builder, loc, plainProblem, name);
  auto plain = *function.front().getOps<ConvolutionOpInterface>().begin();
  bool isOfTaps = problem.direction == DeformDirection::Offset ||
                  problem.direction == DeformDirection::Mask;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(plain);
  Value filter = isOfTaps ? insertFilter(plain) : Value();
  const std::string &layout = problem.offsetLayout.letters();
  Value offset =
      insertArgument("offset", layout, getTapType(problem.offsetShape()));
  Value mask;
  // The mask's gradient does not depend on it.
  if (problem.hasMask && problem.direction != DeformDirection::Mask)
    mask = insertArgument("mask", layout, getTapType(problem.maskShape()));
  if (isOfTaps) {
    returnTapGradient(plain, filter, offset, mask);
    return function;
  }
  plain->getResult(0).replaceAllUsesWith(deform(plain, offset, mask));
  plain->erase();
  return function;
}

func::FuncOp mlir::convoy::buildDeformProblem(OpBuilder &builder, Location loc,
                                              const DeformProblem &problem,
                                              StringRef name) {
  return DeformBuilder(builder, loc, problem).build(name);
}

//===----------------------------------------------------------------------===//
// Gradients of offset and mask
//===----------------------------------------------------------------------===//

Value DeformBuilder::insertFilter(ConvolutionOpInterface plain) {
  Value result = function.front().getTerminator()->getOperand(0);
  Value filter =
      insertArgument("filter", problem.conv.layouts[Operand::Filter].letters(),
                     result.getType());
  // The gradient's groups are put together where the filter's are told apart.
  if (auto join = result.getDefiningOp<tensor::CollapseShapeOp>())
    return tensor::ExpandShapeOp::create(builder, loc,
                                         plain.getInit().getType(), filter,
                                         join.getReassociationIndices());
  return filter;
}

void DeformBuilder::returnTapGradient(ConvolutionOpInterface plain,
                                      Value filter, Value offset, Value mask) {
  bool isOfMask = problem.direction == DeformDirection::Mask;
  RankedTensorType type =
      getTapType(isOfMask ? problem.maskShape() : problem.offsetShape());
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(type.getElementType()));
  Value init = linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
  Value output = plain.getOperandFor(Operand::Output),
        input = plain.getOperandFor(Operand::Input);
  StringAttr layout = builder.getStringAttr(problem.offsetLayout.letters());
  Value gradient =
      isOfMask ? DeformConvBackwardMaskOp::create(
                     builder, loc, type, output, input, filter, offset, init,
                     plain.getLayout(), layout, plain.getWindow())
                     .getResult()
               : DeformConvBackwardOffsetOp::create(
                     builder, loc, type, output, input, filter, offset, init,
                     mask, plain.getLayout(), layout, plain.getWindow())
                     .getResult();
  Operation *end = function.front().getTerminator();
  end->setOperand(0, gradient);
  function.setType(
      builder.getFunctionType(function.getArgumentTypes(), gradient.getType()));
  function.setResultAttrs(
      0, describe(isOfMask ? "mask_gradient" : "offset_gradient", layout));
  // What is left of the filter's gradient, from its end on.
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(function.front())))
    if (&op != end && isOpTriviallyDead(&op))
      op.erase();
}
