//===- Interpreter.cpp - Functions, blocks and loops ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Interpreter/Interpreter.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::convoy;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

LogicalResult Interpreter::illegal(Operation *op, const Twine &message) {
  fault = {Fault::Kind::Illegal, message.str(), op};
  return failure();
}

LogicalResult Interpreter::unknown(Operation *op, const Twine &message) {
  fault = {Fault::Kind::Unknown,
           (op->getName().getStringRef() + ": " + message).str(), op};
  return failure();
}

LogicalResult Interpreter::setTensor(OpResult result, Tensor tensor) {
  auto type = cast<RankedTensorType>(result.getType());
  for (auto [stated, size] : llvm::zip_equal(type.getShape(), tensor.shape))
    if (!ShapedType::isDynamic(stated) && stated != size)
      return illegal(result.getOwner(), "a size of " + Twine(size) +
                                            " where the type says " +
                                            Twine(stated));
  set(result, std::move(tensor));
  return success();
}

Scalar Interpreter::getScalar(Value value) const {
  const Datum &datum = values.at(value);
  // A tensor of rank 0 stands for its number.
  if (const auto *tensor = std::get_if<Tensor>(&datum))
    return tensor->elements->front();
  return std::get<Scalar>(datum);
}

int64_t Interpreter::getNumber(OpFoldResult value) const {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant;
  return getNumber(cast<Value>(value));
}

Index Interpreter::getNumbers(ArrayRef<OpFoldResult> numbers) const {
  Index result;
  for (OpFoldResult number : numbers)
    result.push_back(getNumber(number));
  return result;
}

const Tensor &Interpreter::getTensor(Value value) const {
  return std::get<Tensor>(values.at(value));
}

Scalar Interpreter::getZero(Type type) {
  return *algebra.getConstant(Builder(type.getContext()).getZeroAttr(type));
}

//===----------------------------------------------------------------------===//
// Functions and blocks
//===----------------------------------------------------------------------===//

LogicalResult Interpreter::setArguments(func::FuncOp function,
                                        ArrayRef<Index> shapes) {
  for (auto [argument, shape] :
       llvm::zip_equal(function.getArguments(), shapes)) {
    unsigned number = argument.getArgNumber();
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type) {
      if (!argument.getType().isIntOrFloat())
        return unknown(function, "an argument that is no number or tensor");
      set(argument, algebra.getElement(number, 0, argument.getType()));
      continue;
    }
    if (failed(verifyCompatibleShape(type.getShape(), shape)) ||
        ShapedType::isDynamicShape(shape))
      return unknown(function, "an argument without a static size");
    Tensor tensor = makeTensor(shape);
    for (int64_t i = 0; i < tensor.size(); ++i)
      (*tensor.elements)[i] =
          algebra.getElement(number, i, type.getElementType());
    set(argument, std::move(tensor));
  }
  return success();
}

FailureOr<std::vector<Tensor>> Interpreter::run(func::FuncOp function,
                                                ArrayRef<Index> shapes) {
  if (!llvm::hasSingleElement(function.getBody()))
    return unknown(function, "a function that is not one block");
  if (failed(setArguments(function, shapes)) ||
      failed(runBlock(function.getBody().front())))
    return failure();
  std::vector<Tensor> results;
  for (Value result : function.getBody().front().getTerminator()->getOperands())
    results.push_back(isa<RankedTensorType>(result.getType())
                          ? getTensor(result)
                          : makeTensor({}, getScalar(result)));
  return results;
}

FailureOr<std::vector<Tensor>> Interpreter::run(func::FuncOp function) {
  SmallVector<Index> shapes;
  for (Type type : function.getArgumentTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    shapes.push_back(tensor ? Index(tensor.getShape()) : Index());
  }
  return run(function, shapes);
}

/// How deep functions may call each other.
static constexpr int kMaxDepth = 100;

LogicalResult Interpreter::runCall(func::CallOp op) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr());
  if (!callee || !llvm::hasSingleElement(callee.getBody()))
    return unknown(op, "a function that is not known");
  if (depth == kMaxDepth)
    return unknown(op, "calls that are too deep");
  ++depth;
  Block &body = callee.getBody().front();
  for (auto [argument, operand] :
       llvm::zip_equal(body.getArguments(), op.getOperands()))
    set(argument, Datum(values.at(operand)));
  if (failed(runBlock(body)))
    return failure();
  for (auto [result, value] :
       llvm::zip_equal(op.getResults(), body.getTerminator()->getOperands()))
    set(result, Datum(values.at(value)));
  --depth;
  return success();
}

LogicalResult Interpreter::runBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(runOp(&op)))
      return failure();
  return success();
}

LogicalResult Interpreter::runOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case(
          [&](arith::ConstantOp op) { return runConstant(op, op.getValue()); })
      .Case([&](affine::AffineApplyOp op) {
        return runAffine(op, op.getAffineMap(), 1);
      })
      .Case(
          [&](affine::AffineMinOp op) { return runAffine(op, op.getMap(), 1); })
      .Case([&](affine::AffineMaxOp op) {
        return runAffine(op, op.getMap(), -1);
      })
      .Case([&](func::CallOp op) { return runCall(op); })
      .Case([&](scf::ForOp op) { return runFor(op); })
      .Case([&](scf::ForallOp op) { return runForall(op); })
      .Case([&](scf::IfOp op) { return runIf(op); })
      .Case([&](linalg::IndexOp op) {
        set(op, Scalar(linalgLoops[op.getDim()]));
        return success();
      })
      .Case([&](linalg::SoftmaxOp op) { return runSoftmax(op); })
      .Case([&](linalg::LinalgOp op) { return runLinalg(op); })
      .Case([&](ConvolutionOpInterface op) { return runConvolution(op); })
      .Case([&](Im2colOp op) { return runIm2col(op); })
      .Case([&](Col2imOp op) { return runCol2im(op); })
      .Case([&](PadOp op) { return runPad(op); })
      .Case([&](PadBackwardOp op) { return runPadBackward(op); })
      .Case([&](GridSampleOp op) { return runGridSample(op); })
      .Case([&](GridSampleBackwardInputOp op) {
        return runGridSampleBackwardInput(op);
      })
      .Case([&](GridSampleBackwardGridOp op) {
        return runGridSampleBackwardGrid(op);
      })
      .Case([&](DeformOpInterface op) { return runDeformed(op); })
      .Case([&](ScatterAddOp op) { return runScatterAdd(op); })
      .Case([&](TraceOp op) {
        return setTensor(op->getResult(0), getTensor(op.getValue()));
      })
      .Default([&](Operation *op) {
        if (isa_and_nonnull<tensor::TensorDialect>(op->getDialect()))
          return runTensorOp(op);
        if (isa_and_nonnull<tosa::TosaDialect>(op->getDialect()))
          return runTosa(op);
        if (isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
                op->getDialect()))
          return runScalar(op);
        return unknown(op, "an op that is not known");
      });
}

LogicalResult Interpreter::runConstant(Operation *op, Attribute value) {
  auto read = [&](Attribute attribute, Scalar &scalar) -> LogicalResult {
    auto typed = cast<TypedAttr>(attribute);
    if (isConcrete(typed.getType())) {
      const APInt &number = cast<IntegerAttr>(typed).getValue();
      scalar = typed.getType().isIndex() ? number.getSExtValue()
                                         : int64_t(number.getZExtValue());
      return success();
    }
    FailureOr<Scalar> known = algebra.getConstant(typed);
    if (failed(known))
      return unknown(op, "a constant that is not known");
    scalar = *known;
    return success();
  };
  auto elements = dyn_cast<DenseElementsAttr>(value);
  if (!elements) {
    Scalar scalar;
    if (!isa<IntegerAttr, FloatAttr>(value))
      return unknown(op, "a constant that is not known");
    if (failed(read(value, scalar)))
      return failure();
    set(op->getResult(0), scalar);
    return success();
  }
  Tensor tensor = makeTensor(elements.getType().getShape());
  if (elements.isSplat() && tensor.size() > 0) {
    Scalar scalar;
    if (failed(read(elements.getSplatValue<Attribute>(), scalar)))
      return failure();
    llvm::fill(*tensor.elements, scalar);
    return setTensor(op->getResult(0), std::move(tensor));
  }
  for (auto [element, attribute] :
       llvm::zip_equal(*tensor.elements, elements.getValues<Attribute>()))
    if (failed(read(attribute, element)))
      return failure();
  return setTensor(op->getResult(0), std::move(tensor));
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

LogicalResult Interpreter::runFor(scf::ForOp op) {
  int64_t step = getNumber(op.getStep());
  if (step < 1)
    return illegal(op, "a step of " + Twine(step));
  SmallVector<Datum> carried;
  for (Value init : op.getInitArgs())
    carried.push_back(values.at(init));
  int64_t end = getNumber(op.getUpperBound());
  for (int64_t i = getNumber(op.getLowerBound()); i < end; i += step) {
    set(op.getInductionVar(), Scalar(i));
    for (auto [argument, datum] :
         llvm::zip_equal(op.getRegionIterArgs(), carried))
      set(argument, Datum(datum));
    if (failed(runBlock(*op.getBody())))
      return failure();
    for (auto [datum, next] : llvm::zip_equal(carried, op.getYieldedValues()))
      datum = values.at(next);
  }
  for (auto [result, datum] : llvm::zip_equal(op.getResults(), carried))
    set(result, datum);
  return success();
}

LogicalResult
Interpreter::runForallBody(scf::ForallOp op, ArrayRef<Tensor> before,
                           std::vector<Tensor> &after,
                           std::vector<std::vector<bool>> &written) {
  // Iterations do not see what others write.
  for (auto [argument, tensor] :
       llvm::zip_equal(op.getRegionIterArgs(), before))
    set(argument, Datum(tensor));
  if (failed(runBlock(*op.getBody())))
    return failure();
  for (Operation &yielding : op.getTerminator().getYieldingOps()) {
    auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(yielding);
    if (!insert)
      return unknown(&yielding, "an op that is not known");
    unsigned number = cast<BlockArgument>(insert.getDest()).getArgNumber() -
                      unsigned(op.getRank());
    if (failed(insertSlice(insert, insert.getDroppedDims(),
                           getTensor(insert.getSource()), after[number],
                           &written[number])))
      return failure();
  }
  return success();
}

LogicalResult Interpreter::runForall(scf::ForallOp op) {
  std::vector<Tensor> before, after;
  std::vector<std::vector<bool>> written;
  for (Value output : op.getOutputs()) {
    before.push_back(getTensor(output));
    after.push_back(copy(before.back()));
    written.emplace_back(before.back().size());
  }
  Index lower = getNumbers(op.getMixedLowerBound());
  Index upper = getNumbers(op.getMixedUpperBound());
  Index steps = getNumbers(op.getMixedStep());
  Index counts;
  for (auto [from, to, step] : llvm::zip_equal(lower, upper, steps)) {
    if (step < 1)
      return illegal(op, "a step of " + Twine(step));
    counts.push_back(to > from ? (to - from + step - 1) / step : 0);
  }
  LogicalResult ran = forEachIndex(counts, [&](ArrayRef<int64_t> iteration) {
    for (auto [dim, value] : llvm::enumerate(op.getInductionVars()))
      set(value, Scalar(lower[dim] + iteration[dim] * steps[dim]));
    return runForallBody(op, before, after, written);
  });
  if (failed(ran))
    return failure();
  for (auto [result, tensor] : llvm::zip_equal(op.getResults(), after))
    set(result, tensor);
  return success();
}

LogicalResult Interpreter::runIf(scf::IfOp op) {
  Scalar condition = getScalar(op.getCondition());
  if (condition.error > 0)
    return unknown(op, "a branch that rounding decides");
  Region &chosen = condition.number ? op.getThenRegion() : op.getElseRegion();
  if (chosen.empty())
    return success();
  if (failed(runBlock(chosen.front())))
    return failure();
  for (auto [result, value] : llvm::zip_equal(
           op.getResults(), chosen.front().getTerminator()->getOperands()))
    set(result, Datum(values.at(value)));
  return success();
}
