//===- TosaReaders.cpp - Elements of what TOSA's ops make -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stated here from TOSA's specification alone: nothing of the passes that raise
// or lower its ops is used.
//
//===----------------------------------------------------------------------===//

#include "OpReaders.h"
#include "TosaConv.h"

#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

namespace {
/// The terms of one element of a convolution's result: where they read.
struct TosaTerms {
  Family all;
  SmallVector<LinearExpr> input, weight;
};
} // namespace

/// `element` of a tensor with the zero point `zero`, as a sum takes it.
static ExprRef takeOperand(const TosaConv &conv, ExprRef element,
                           const ExprRef &zero) {
  auto none = DictionaryAttr::get(conv.op->getContext());
  auto widen = [&](const ExprRef &expr) {
    if (expr->type == conv.accumulator)
      return expr;
    return makeApply(isa<FloatType>(conv.accumulator) ? "arith.extf"
                                                      : "arith.extsi",
                     none, conv.accumulator, expr, conv.op);
  };
  element = widen(element);
  // Zero points of floats are zero.
  if (isa<FloatType>(conv.accumulator))
    return element;
  return makeApply("arith.subi", none, conv.accumulator, {element, widen(zero)},
                   conv.op);
}

/// Where the terms of the element `at` of the result read.
static FailureOr<TosaTerms> getTerms(SymbolicEvaluator &evaluator,
                                     const TosaConv &conv,
                                     ArrayRef<LinearExpr> at) {
  TosaTerms terms;
  terms.all.origin = conv.op;
  auto addUnknown = [&](Value tensor, int64_t dim) -> FailureOr<LinearExpr> {
    FailureOr<Size> size = evaluator.getSizes().getSize(tensor, dim);
    if (failed(size))
      return failure();
    terms.all.instance.push_back(evaluator.getSolver().makeVar());
    LinearExpr index = LinearExpr::var(terms.all.instance.back());
    terms.all.domain.addRange(0, index, *size);
    return index;
  };
  int64_t rank = int64_t(at.size()) - 2;
  int64_t firstTap = conv.isDepthwise ? 0 : 1;
  SmallVector<LinearExpr> taps;
  terms.input.push_back(at.front());
  for (int64_t dim = 0; dim < rank; ++dim) {
    FailureOr<LinearExpr> tap = addUnknown(conv.weight, firstTap + dim);
    FailureOr<LinearExpr> place = addUnknown(conv.input, 1 + dim);
    if (failed(tap) || failed(place))
      return failure();
    taps.push_back(*tap);
    terms.input.push_back(*place);
    DynamicAPInt stride(conv.stride[dim]);
    LinearExpr pad(conv.pad[2 * dim]);
    if (conv.isTransposed)
      terms.all.domain.addEqual(at[1 + dim], *place * stride + pad + *tap);
    else
      terms.all.domain.addEqual(*place,
                                at[1 + dim] * stride - pad +
                                    *tap * DynamicAPInt(conv.dilation[dim]));
  }
  FailureOr<LinearExpr> channel = addUnknown(conv.input, 1 + rank);
  if (failed(channel))
    return failure();
  terms.input.push_back(*channel);
  if (!conv.isDepthwise) {
    terms.weight.push_back(at.back());
    llvm::append_range(terms.weight, taps);
    terms.weight.push_back(*channel);
    return terms;
  }
  // Of each input channel there are some output channels, one after the other.
  FailureOr<LinearExpr> number = addUnknown(conv.weight, rank + 1);
  FailureOr<LinearExpr> multiplier =
      evaluator.getSizes().getSingleSize(conv.weight, rank + 1);
  if (failed(number) || failed(multiplier))
    return failure();
  if (!multiplier->isConstant()) {
    (void)evaluator.undecided(conv.op, "a dynamic number of channels");
    return failure();
  }
  terms.all.domain.addEqual(at.back(),
                            *channel * multiplier->getConstant() + *number);
  llvm::append_range(terms.weight, taps);
  terms.weight.push_back(*channel);
  terms.weight.push_back(*number);
  return terms;
}

FailureOr<Pieces> certify::readElement(SymbolicEvaluator &evaluator,
                                       const TosaConv &conv,
                                       ArrayRef<LinearExpr> at,
                                       const System &context) {
  Solver &solver = evaluator.getSolver();
  FailureOr<TosaTerms> terms = getTerms(evaluator, conv, at);
  if (failed(terms))
    return failure();
  System inTerms = context & terms->all.domain;
  FailureOr<Pieces> inputs =
      evaluator.readAt(conv.input, terms->input, inTerms);
  FailureOr<Pieces> weights =
      evaluator.readAt(conv.weight, terms->weight, inTerms);
  FailureOr<Pieces> inputZero =
      evaluator.readAt(conv.inputZp, LinearExpr(0), context);
  FailureOr<Pieces> weightZero =
      evaluator.readAt(conv.weightZp, LinearExpr(0), context);
  FailureOr<LinearExpr> numBiases =
      evaluator.getSizes().getSingleSize(conv.bias, 0);
  if (failed(inputs) || failed(weights) || failed(inputZero) ||
      failed(weightZero) || failed(numBiases))
    return failure();
  bool isOne = *numBiases == LinearExpr(1);
  FailureOr<Pieces> biases =
      evaluator.readAt(conv.bias, isOne ? LinearExpr(0) : at.back(), context);
  if (failed(biases))
    return failure();
  auto none = DictionaryAttr::get(conv.op->getContext());
  bool isFloat = isa<FloatType>(conv.accumulator);
  Type type = getElementTypeOrSelf(conv.op->getResult(0).getType());
  for (Piece &piece : *biases) {
    ExprRef bias = piece.value;
    if (bias->type != conv.accumulator)
      bias = makeApply(isFloat ? "arith.extf" : "arith.extsi", none,
                       conv.accumulator, bias, conv.op);
    Families families = {{{}, {}, bias, conv.op}};
    for (const Piece &a : *inputs)
      for (const Piece &b : *weights) {
        Family family = terms->all;
        llvm::append_range(family.instance, a.locals);
        llvm::append_range(family.instance, b.locals);
        family.domain.append(a.domain);
        family.domain.append(b.domain);
        family.term = makeApply(
            isFloat ? "arith.mulf" : "arith.muli", none, conv.accumulator,
            {takeOperand(conv, a.value, inputZero->front().value),
             takeOperand(conv, b.value, weightZero->front().value)},
            conv.op);
        families.push_back(renameInstance(solver, family));
      }
    piece.value = makeSum(conv.accumulator, families);
    if (type != conv.accumulator)
      piece.value = makeApply("arith.truncf", none, type, piece.value, conv.op);
  }
  return biases;
}

//===----------------------------------------------------------------------===//
// Elements one by one
//===----------------------------------------------------------------------===//

/// The op on numbers that `op` applies to each element; empty where it is
/// another op, or none that has a name.
static StringRef getScalarName(Operation *op) {
  bool isFloat =
      isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType()));
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case([&](tosa::AddOp) { return isFloat ? "arith.addf" : "arith.addi"; })
      .Case([&](tosa::SubOp) { return isFloat ? "arith.subf" : "arith.subi"; })
      .Case([&](tosa::MulOp) { return isFloat ? "arith.mulf" : ""; })
      .Case([&](tosa::MaximumOp) {
        return isFloat ? "arith.maximumf" : "arith.maxsi";
      })
      .Case([&](tosa::MinimumOp) {
        return isFloat ? "arith.minimumf" : "arith.minsi";
      })
      .Case([&](tosa::AbsOp) { return isFloat ? "math.absf" : ""; })
      .Case([](tosa::CeilOp) { return "math.ceil"; })
      .Case([](tosa::FloorOp) { return "math.floor"; })
      .Case([](tosa::ErfOp) { return "math.erf"; })
      .Case([](tosa::ExpOp) { return "math.exp"; })
      .Case([](tosa::LogOp) { return "math.log"; })
      .Case([](tosa::RsqrtOp) { return "math.rsqrt"; })
      .Case([](tosa::TanhOp) { return "math.tanh"; })
      .Default(StringRef());
}

/// Where an operand is read for the element `at` of a result: dimensions of
/// size 1 are the same for all.
static SmallVector<LinearExpr> broadcast(Value operand,
                                         ArrayRef<LinearExpr> at) {
  SmallVector<LinearExpr> indices(at);
  for (auto [index, size] : llvm::zip_equal(
           indices, cast<RankedTensorType>(operand.getType()).getShape()))
    if (size == 1)
      index = LinearExpr(0);
  return indices;
}

FailureOr<Pieces> certify::readTosaElementwise(SymbolicEvaluator &evaluator,
                                               Operation *op,
                                               ArrayRef<LinearExpr> at,
                                               const System &context) {
  StringRef name = getScalarName(op);
  if (name.empty())
    return evaluator.undecided(op, "an op whose meaning is not known");
  // Factors that are shifted are integers, which have no name here.
  ValueRange operands = op->getOperands();
  if (isa<tosa::MulOp>(op))
    operands = operands.drop_back();
  auto none = DictionaryAttr::get(op->getContext());
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  return combine(
      operands,
      [&](Value operand) {
        return evaluator.readAt(operand, broadcast(operand, at), context);
      },
      [&](ArrayRef<ExprRef> values) {
        return makeApply(name, none, type, values, op);
      });
}

FailureOr<Pieces> certify::readElement(SymbolicEvaluator &evaluator,
                                       tosa::ClampOp op,
                                       ArrayRef<LinearExpr> at,
                                       const System &context) {
  auto least = dyn_cast<FloatAttr>(op.getMinVal());
  auto most = dyn_cast<FloatAttr>(op.getMaxVal());
  if (!least || !most)
    return evaluator.undecided(op, "limits that are no floats");
  auto none = DictionaryAttr::get(op.getContext());
  Type type = getElementTypeOrSelf(op.getType());
  return combine(
      op.getInput(),
      [&](Value operand) { return evaluator.readAt(operand, at, context); },
      [&](ArrayRef<ExprRef> values) {
        ExprRef bounded = makeApply("arith.minimumf", none, type,
                                    {values.front(), makeConstant(most)}, op);
        return makeApply("arith.maximumf", none, type,
                         {bounded, makeConstant(least)}, op);
      });
}

//===----------------------------------------------------------------------===//
// Other places
//===----------------------------------------------------------------------===//

FailureOr<Pieces> certify::readElement(SymbolicEvaluator &evaluator,
                                       tosa::ReshapeOp op,
                                       ArrayRef<LinearExpr> at,
                                       const System &context) {
  auto from = cast<RankedTensorType>(op.getInput1().getType());
  auto to = cast<RankedTensorType>(op.getType());
  if (!from.hasStaticShape() || !to.hasStaticShape())
    return evaluator.undecided(op, "a reshape by a dynamic size");
  LinearExpr number(0), other(0);
  for (auto [index, size] : llvm::zip_equal(at, to.getShape()))
    number = number * DynamicAPInt(size) + index;
  Part digits;
  SmallVector<LinearExpr> indices;
  for (int64_t size : from.getShape()) {
    LinearExpr digit(0);
    if (size != 1) {
      digits.locals.push_back(evaluator.getSolver().makeVar());
      digit = LinearExpr::var(digits.locals.back());
      digits.domain.addRange(0, digit, LinearExpr(size));
    }
    other = other * DynamicAPInt(size) + digit;
    indices.push_back(digit);
  }
  digits.domain.addEqual(number, other);
  FailureOr<Pieces> pieces =
      evaluator.readAt(op.getInput1(), indices, context & digits.domain);
  if (failed(pieces))
    return failure();
  return restrict(std::move(*pieces), digits);
}

FailureOr<Pieces> certify::readElement(SymbolicEvaluator &evaluator,
                                       tosa::TransposeOp op,
                                       ArrayRef<LinearExpr> at,
                                       const System &context) {
  SmallVector<LinearExpr> indices(at.size());
  for (auto [dim, from] : llvm::enumerate(op.getPerms()))
    indices[from] = at[dim];
  return evaluator.readAt(op.getInput1(), indices, context);
}
