//===- InterpretScalars.cpp - Numbers, and elements one by one --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Interpreter/Interpreter.h"

#include "ScalarRanges.h"

#include "llvm/ADT/TypeSwitch.h"

#include <limits>

using namespace mlir;
using namespace mlir::convoy;

//===----------------------------------------------------------------------===//
// Indices and conditions
//===----------------------------------------------------------------------===//

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

/// What an op computes of two indices or conditions that are certain; null for
/// ops that are not known.
static std::function<int64_t(int64_t, int64_t)>
getIndexFunction(Operation *op) {
  using Function = std::function<int64_t(int64_t, int64_t)>;
  using Number = int64_t;
  return llvm::TypeSwitch<Operation *, Function>(op)
      .Case([](arith::AddIOp) { return std::plus<>(); })
      .Case([](arith::SubIOp) { return std::minus<>(); })
      .Case([](arith::MulIOp) { return std::multiplies<>(); })
      .Case([](arith::AndIOp) { return std::bit_and<>(); })
      .Case([](arith::OrIOp) { return std::bit_or<>(); })
      .Case([](arith::XOrIOp) { return std::bit_xor<>(); })
      .Case([](arith::MinSIOp) {
        return [](Number a, Number b) { return std::min(a, b); };
      })
      .Case([](arith::MaxSIOp) {
        return [](Number a, Number b) { return std::max(a, b); };
      })
      .Case([](arith::FloorDivSIOp) { return divideDown; })
      .Case([](arith::CeilDivSIOp) {
        return [](Number a, Number b) { return -divideDown(-a, b); };
      })
      .Case([](arith::MinUIOp) {
        return [](Number a, Number b) {
          return Number(std::min(uint64_t(a), uint64_t(b)));
        };
      })
      .Case([](arith::MaxUIOp) {
        return [](Number a, Number b) {
          return Number(std::max(uint64_t(a), uint64_t(b)));
        };
      })
      .Case([](arith::DivUIOp) {
        return [](Number a, Number b) {
          return Number(uint64_t(a) / uint64_t(b));
        };
      })
      .Case([](arith::RemUIOp) {
        return [](Number a, Number b) {
          return Number(uint64_t(a) % uint64_t(b));
        };
      })
      .Case([](arith::DivSIOp) { return std::divides<>(); })
      .Case([](arith::RemSIOp) { return std::modulus<>(); })
      .Case([](arith::CmpIOp op) {
        return [predicate = op.getPredicate()](Number a, Number b) {
          return compare(predicate, a, b);
        };
      })
      .Default(nullptr);
}

static bool isDivision(Operation *op) {
  return isa<arith::FloorDivSIOp, arith::CeilDivSIOp, arith::DivSIOp,
             arith::RemSIOp, arith::DivUIOp, arith::RemUIOp>(op);
}

/// The same, for all scalars: what depends on what rounding decides is so, too,
/// unless one condition settles it.
static Algebra::Function resolveIndexOp(Operation *op) {
  auto function = getIndexFunction(op);
  if (!function)
    return nullptr;
  bool isCondition = op->getResult(0).getType().isInteger(1);
  std::optional<int64_t> settled;
  if (isa<arith::AndIOp>(op) && isCondition)
    settled = 0;
  if (isa<arith::OrIOp>(op) && isCondition)
    settled = 1;
  bool isDivided = isDivision(op);
  return [=](ArrayRef<Scalar> operands) -> Scalar {
    const Scalar &a = operands[0], &b = operands[1];
    if (isDivided && b.number == 0)
      return {0, std::numeric_limits<double>::infinity()};
    Scalar result = function(a.number, b.number);
    if (isCondition)
      result.number &= 1;
    bool isSettled = settled && ((a.error == 0 && a.number == *settled) ||
                                 (b.error == 0 && b.number == *settled));
    if (!isSettled && (a.error > 0 || b.error > 0))
      result.error = std::numeric_limits<double>::infinity();
    return result;
  };
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

FailureOr<Algebra::Function> Interpreter::resolve(Operation *op, StringRef name,
                                                  Type type,
                                                  ArrayRef<Type> types) {
  FailureOr<Algebra::Function> function =
      algebra.resolve(name, DictionaryAttr::get(op->getContext()), type, types);
  if (failed(function))
    return unknown(op, "a scalar op that is not known: " + name);
  return function;
}

/// One of two values, as a condition says.
static Algebra::Function resolveSelect(Algebra::Function either) {
  return [either](ArrayRef<Scalar> operands) -> Scalar {
    const Scalar &condition = operands[0];
    if (condition.error > 0 && either)
      return either(operands);
    return condition.number ? operands[1] : operands[2];
  };
}

FailureOr<Algebra::Function> Interpreter::resolve(Operation *op,
                                                  FloatType wide) {
  if (auto it = functions.find(op); it != functions.end() && !wide)
    return it->second;
  auto getType = [&](Value value) -> Type {
    Type type = getElementTypeOrSelf(value.getType());
    auto narrow = dyn_cast<FloatType>(type);
    return wide && narrow && narrow.getWidth() < wide.getWidth() ? wide : type;
  };
  if (op->getNumResults() != 1 || op->getNumRegions() != 0)
    return unknown(op, "a scalar op that is not known");
  Type type = getType(op->getResult(0));
  SmallVector<Type> types = llvm::map_to_vector(op->getOperands(), getType);
  Algebra::Function function;
  bool isOnIndices =
      !types.empty() && llvm::all_of(types, isConcrete) && isConcrete(type);
  if (isOnIndices && types.size() == 2)
    function = resolveIndexOp(op);
  auto known = function ? FailureOr<Algebra::Function>(function)
                        : algebra.resolve(op->getName().getStringRef(),
                                          op->getAttrDictionary(), type, types);
  if (isa<arith::SelectOp>(op))
    known = resolveSelect(succeeded(known) ? *known : nullptr);
  if (failed(known))
    return unknown(op, "a scalar op that is not known");
  known = limitToRange(*known, op);
  if (!wide)
    functions[op] = *known;
  return known;
}

LogicalResult Interpreter::runScalar(Operation *op) {
  if (isa<ShapedType>(op->getResult(0).getType()))
    return runElementwise(op);
  FailureOr<Algebra::Function> function = resolve(op);
  if (failed(function))
    return failure();
  if (isDivision(op) && isConcrete(op->getResult(0).getType()) &&
      getNumber(op->getOperand(1)) == 0)
    return illegal(op, "a division by 0");
  SmallVector<Scalar> operands;
  for (Value operand : op->getOperands())
    operands.push_back(getScalar(operand));
  set(op->getResult(0), (*function)(operands));
  return success();
}

LogicalResult Interpreter::runElementwise(Operation *op) {
  if (!isa<RankedTensorType>(op->getResult(0).getType()))
    return unknown(op, "an op that is not known");
  FailureOr<Algebra::Function> function = resolve(op);
  if (failed(function))
    return failure();
  // The condition of a select may be one for all elements.
  std::optional<Index> shape;
  for (Value operand : op->getOperands()) {
    if (!isa<RankedTensorType>(operand.getType()))
      continue;
    if (shape && *shape != getTensor(operand).shape)
      return illegal(op, "operands whose sizes do not agree");
    shape = getTensor(operand).shape;
  }
  Tensor result = makeTensor(*shape);
  SmallVector<Scalar> operands(op->getNumOperands());
  for (int64_t i = 0; i < result.size(); ++i) {
    for (auto [element, operand] : llvm::zip_equal(operands, op->getOperands()))
      element = isa<RankedTensorType>(operand.getType())
                    ? (*getTensor(operand).elements)[i]
                    : getScalar(operand);
    (*result.elements)[i] = (*function)(operands);
  }
  return setTensor(op->getResult(0), std::move(result));
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
  set(op->getResult(0), Scalar(*least * sign));
  return success();
}
