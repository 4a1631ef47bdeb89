//===- Interpreter.cpp - Control flow and scalars ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::test;

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

int64_t Interpreter::getNumber(Value value) const {
  return std::get<int64_t>(values.at(value));
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

/// Whether numbers of `type` are what they are, not the algebra's.
static bool isConcrete(Type type) {
  return type.isIndex() || type.isInteger(1);
}

//===----------------------------------------------------------------------===//
// Functions and blocks
//===----------------------------------------------------------------------===//

FailureOr<std::vector<Tensor>> Interpreter::run(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    unsigned number = argument.getArgNumber();
    if (!type && !isConcrete(argument.getType())) {
      set(argument, algebra.getElement(number, 0, argument.getType()));
      continue;
    }
    if (!type || !type.hasStaticShape())
      return unknown(function, "an argument without a static size");
    Tensor tensor = makeTensor(type.getShape());
    for (int64_t i = 0; i < tensor.size(); ++i)
      (*tensor.elements)[i] =
          algebra.getElement(number, i, type.getElementType());
    set(argument, std::move(tensor));
  }
  if (failed(runBlock(function.getBody().front())))
    return failure();
  std::vector<Tensor> results;
  for (Value result : function.getBody().front().getTerminator()->getOperands())
    results.push_back(getTensor(result));
  return results;
}

LogicalResult Interpreter::runBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(runOp(&op)))
      return failure();
  return success();
}

LogicalResult Interpreter::runOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](arith::ConstantOp op) { return runConstant(op); })
      .Case([&](affine::AffineApplyOp op) {
        return runAffine(op, op.getAffineMap(), 1);
      })
      .Case(
          [&](affine::AffineMinOp op) { return runAffine(op, op.getMap(), 1); })
      .Case([&](affine::AffineMaxOp op) {
        return runAffine(op, op.getMap(), -1);
      })
      .Case([&](scf::ForOp op) { return runFor(op); })
      .Case([&](scf::ForallOp op) { return runForall(op); })
      .Case([&](scf::IfOp op) { return runIf(op); })
      .Case([&](linalg::IndexOp op) {
        set(op, linalgLoops[op.getDim()]);
        return success();
      })
      .Case([&](linalg::LinalgOp op) { return runLinalg(op); })
      .Case([&](ConvolutionOpInterface op) { return runConvolution(op); })
      .Case([&](Im2colOp op) { return runIm2col(op); })
      .Default([&](Operation *op) {
        if (isa_and_nonnull<tensor::TensorDialect>(op->getDialect()))
          return runTensorOp(op);
        if (isa_and_nonnull<arith::ArithDialect>(op->getDialect()))
          return runScalar(op);
        return unknown(op, "an op that is not known");
      });
}

LogicalResult Interpreter::runConstant(arith::ConstantOp op) {
  if (isConcrete(op.getType())) {
    set(op, cast<IntegerAttr>(op.getValue()).getInt());
    return success();
  }
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!elements) {
    FailureOr<Scalar> scalar = algebra.getConstant(op.getValue());
    if (failed(scalar))
      return unknown(op, "a constant that is not known");
    set(op, *scalar);
    return success();
  }
  Tensor tensor = makeTensor(elements.getType().getShape());
  for (auto [element, value] :
       llvm::zip_equal(*tensor.elements, elements.getValues<Attribute>())) {
    FailureOr<Scalar> scalar = algebra.getConstant(cast<TypedAttr>(value));
    if (failed(scalar))
      return unknown(op, "a constant that is not known");
    element = *scalar;
  }
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
    set(op.getInductionVar(), i);
    for (auto [argument, datum] :
         llvm::zip_equal(op.getRegionIterArgs(), carried))
      set(argument, datum);
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
    set(argument, tensor);
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
      set(value, lower[dim] + iteration[dim] * steps[dim]);
    return runForallBody(op, before, after, written);
  });
  if (failed(ran))
    return failure();
  for (auto [result, tensor] : llvm::zip_equal(op.getResults(), after))
    set(result, tensor);
  return success();
}

LogicalResult Interpreter::runIf(scf::IfOp op) {
  Region &chosen =
      getNumber(op.getCondition()) ? op.getThenRegion() : op.getElseRegion();
  if (chosen.empty())
    return success();
  if (failed(runBlock(chosen.front())))
    return failure();
  for (auto [result, value] : llvm::zip_equal(
           op.getResults(), chosen.front().getTerminator()->getOperands()))
    set(result, values.at(value));
  return success();
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

FailureOr<Scalar> Interpreter::apply(Operation *op, StringRef name, Type type,
                                     ArrayRef<Scalar> operands,
                                     ArrayRef<Type> types) {
  auto none = DictionaryAttr::get(op->getContext());
  FailureOr<Scalar> scalar = algebra.apply(name, none, type, operands, types);
  if (failed(scalar))
    return unknown(op, "a scalar op that is not known: " + name);
  return *scalar;
}

LogicalResult Interpreter::runScalar(Operation *op) {
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    set(select,
        values.at(getNumber(select.getCondition()) ? select.getTrueValue()
                                                   : select.getFalseValue()));
    return success();
  }
  if (llvm::any_of(op->getOperandTypes(), isConcrete))
    return runIndexOp(op);
  if (op->getNumResults() != 1 || isConcrete(op->getResult(0).getType()) ||
      isa<ShapedType>(op->getResult(0).getType()))
    return unknown(op, "a scalar op that is not known");
  SmallVector<Scalar> operands;
  for (Value operand : op->getOperands())
    operands.push_back(getNumber(operand));
  FailureOr<Scalar> scalar =
      algebra.apply(op->getName().getStringRef(), op->getAttrDictionary(),
                    op->getResult(0).getType(), operands,
                    llvm::to_vector(op->getOperandTypes()));
  if (failed(scalar))
    return unknown(op, "a scalar op that is not known");
  set(op->getResult(0), *scalar);
  return success();
}

static int64_t divideDown(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static int64_t compare(arith::CmpIPredicate predicate, int64_t a, int64_t b) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return a == b;
  case arith::CmpIPredicate::ne:
    return a != b;
  case arith::CmpIPredicate::slt:
    return a < b;
  case arith::CmpIPredicate::sle:
    return a <= b;
  case arith::CmpIPredicate::sgt:
    return a > b;
  case arith::CmpIPredicate::sge:
    return a >= b;
  case arith::CmpIPredicate::ult:
    return uint64_t(a) < uint64_t(b);
  case arith::CmpIPredicate::ule:
    return uint64_t(a) <= uint64_t(b);
  case arith::CmpIPredicate::ugt:
    return uint64_t(a) > uint64_t(b);
  case arith::CmpIPredicate::uge:
    return uint64_t(a) >= uint64_t(b);
  }
  llvm_unreachable("unknown predicate");
}

LogicalResult Interpreter::runIndexOp(Operation *op) {
  if (op->getNumOperands() != 2 || op->getNumResults() != 1)
    return unknown(op, "an op on indices that is not known");
  int64_t a = getNumber(op->getOperand(0)), b = getNumber(op->getOperand(1));
  if (isa<arith::FloorDivSIOp, arith::CeilDivSIOp>(op) && b == 0)
    return illegal(op, "a division by 0");
  std::optional<int64_t> value =
      llvm::TypeSwitch<Operation *, std::optional<int64_t>>(op)
          .Case([&](arith::AddIOp) { return a + b; })
          .Case([&](arith::SubIOp) { return a - b; })
          .Case([&](arith::MulIOp) { return a * b; })
          .Case([&](arith::FloorDivSIOp) { return divideDown(a, b); })
          .Case([&](arith::CeilDivSIOp) { return -divideDown(-a, b); })
          .Case([&](arith::MinSIOp) { return std::min(a, b); })
          .Case([&](arith::MaxSIOp) { return std::max(a, b); })
          .Case([&](arith::AndIOp) { return a & b; })
          .Case([&](arith::OrIOp) { return a | b; })
          .Case([&](arith::XOrIOp) { return a ^ b; })
          .Case([&](arith::CmpIOp op) {
            return compare(op.getPredicate(), a, b);
          })
          .Default(std::nullopt);
  if (!value)
    return unknown(op, "an op on indices that is not known");
  set(op->getResult(0), *value);
  return success();
}

//===----------------------------------------------------------------------===//
// Affine expressions
//===----------------------------------------------------------------------===//

FailureOr<int64_t> Interpreter::evaluate(AffineExpr expr,
                                         ArrayRef<int64_t> dims,
                                         ArrayRef<int64_t> symbols,
                                         Operation *op) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  FailureOr<int64_t> a = evaluate(binary.getLHS(), dims, symbols, op);
  FailureOr<int64_t> b = evaluate(binary.getRHS(), dims, symbols, op);
  if (failed(a) || failed(b))
    return failure();
  if (expr.getKind() == AffineExprKind::Add)
    return *a + *b;
  if (expr.getKind() == AffineExprKind::Mul)
    return *a * *b;
  if (*b < 1)
    return illegal(op, "a division by " + Twine(*b));
  if (expr.getKind() == AffineExprKind::CeilDiv)
    return -divideDown(-*a, *b);
  int64_t quotient = divideDown(*a, *b);
  return expr.getKind() == AffineExprKind::FloorDiv ? quotient
                                                    : *a - *b * quotient;
}

LogicalResult Interpreter::runAffine(Operation *op, AffineMap map, int sign) {
  Index operands;
  for (Value operand : op->getOperands())
    operands.push_back(getNumber(operand));
  std::optional<int64_t> least;
  for (AffineExpr result : map.getResults()) {
    FailureOr<int64_t> value =
        evaluate(result, ArrayRef(operands).take_front(map.getNumDims()),
                 ArrayRef(operands).drop_front(map.getNumDims()), op);
    if (failed(value))
      return failure();
    least = least ? std::min(*least, *value * sign) : *value * sign;
  }
  set(op->getResult(0), *least * sign);
  return success();
}
