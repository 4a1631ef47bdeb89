//===- ConvoyMeaning.cpp - The meaning of the dialect's ops -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stated here from the dialect's reference alone: nothing of the passes or of
// ConvShape is used.
//
//===----------------------------------------------------------------------===//

#include "Denoter.h"

#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

/// Entry `dim` of a list of a window, or what an empty list stands for.
template <typename T>
static T getEntry(ArrayRef<T> list, unsigned dim, T standard) {
  return list.empty() ? standard : list[dim];
}

namespace {
/// The equation of one spatial dimension, e*i = s*o + d*k' - pl with
/// k' = reverse ? K-1-k : k.
struct Window {
  int64_t stride, dilation, padLow, inputDilation;
  bool reverse;

  Window(WindowAttr attr, unsigned dim)
      : stride(getEntry(attr.getStride(), dim, int64_t(1))),
        dilation(getEntry(attr.getDilation(), dim, int64_t(1))),
        padLow(getEntry(attr.getPadLow(), dim, int64_t(0))),
        inputDilation(getEntry(attr.getInputDilation(), dim, int64_t(1))),
        reverse(getEntry(attr.getReverse(), dim, false)) {}

  /// e*i for output position o and tap k of `taps`.
  LinearExpr getDilatedInput(const LinearExpr &output, const LinearExpr &tap,
                             const LinearExpr &taps) const {
    LinearExpr at = reverse ? taps - 1 - tap : tap;
    return output * DynamicAPInt(stride) + at * DynamicAPInt(dilation) -
           LinearExpr(padLow);
  }
};

/// The tensors of the forward convolution, as numbers.
enum Player : unsigned { Input, Filter, Output };

/// The letters of all three tensors as one name space: positions in the input
/// and in the output stay apart from the taps.
struct IndexNames {
  std::array<StringRef, 3> layouts;
  DenseMap<char, LinearExpr> indices;

  static bool isSpatial(char letter) {
    return StringRef("dhw").contains(letter);
  }
  static char getName(char letter, unsigned player) {
    if (!isSpatial(letter) || player == Filter)
      return letter;
    return player == Input ? llvm::toUpper(letter)
                           : '1' + StringRef("dhw").find(letter);
  }
  /// Where an element of `player` lies.
  SmallVector<LinearExpr> getIndices(unsigned player) const {
    return llvm::map_to_vector(layouts[player], [&](char letter) {
      return indices.lookup(getName(letter, player));
    });
  }
};
} // namespace

/// `read` as the accumulator takes it: widened, less its zero point.
static ExprRef takeOperand(ExprRef read, Type accumulator, bool isUnsigned,
                           const ExprRef &zeroPoint, Operation *op) {
  auto none = DictionaryAttr::get(op->getContext());
  if (read->type != accumulator) {
    StringRef widening = isa<FloatType>(accumulator) ? "arith.extf"
                         : isUnsigned                ? "arith.extui"
                                                     : "arith.extsi";
    read = makeApply(widening, none, accumulator, read, op);
  }
  if (!zeroPoint)
    return read;
  return makeApply("arith.subi", none, accumulator, {read, zeroPoint}, op);
}

/// The type that `op` forms its sum in.
static Type getSumType(ConvolutionOpInterface op) {
  if (Type type = op.getNumerics().getAccumulator())
    return type;
  return getElementTypeOrSelf(op.getInit().getType());
}

FailureOr<Pieces> Denoter::readConvolution(ConvolutionOpInterface op,
                                           ArrayRef<LinearExpr> at,
                                           const System &context) {
  ConvLayoutAttr layout = op.getLayout();
  IndexNames names;
  names.layouts = {layout.getInput(), layout.getFilter(), layout.getOutput()};
  std::array<Value, 3> tensors = {op->getOperand(0), op->getOperand(1),
                                  op.getInit()};
  unsigned result = Output;
  if (isa<ConvBackwardDataOp>(op)) {
    tensors = {op.getInit(), op->getOperand(1), op->getOperand(0)};
    result = Input;
  } else if (isa<ConvBackwardFilterOp>(op)) {
    tensors = {op->getOperand(0), op.getInit(), op->getOperand(1)};
    result = Filter;
  }
  // The result's indices are given; a term has the others.
  for (auto [dim, letter] : llvm::enumerate(names.layouts[result]))
    names.indices[IndexNames::getName(letter, result)] = at[dim];
  Family terms;
  terms.origin = op;
  DenseMap<char, LinearExpr> taps;
  for (unsigned player : {Input, Filter, Output})
    for (auto [dim, letter] : llvm::enumerate(names.layouts[player])) {
      FailureOr<LinearExpr> size = getSize(tensors[player], dim);
      if (failed(size))
        return failure();
      if (player == Filter)
        taps[letter] = *size;
      char name = IndexNames::getName(letter, player);
      if (names.indices.contains(name))
        continue;
      terms.instance.push_back(solver.makeVar());
      LinearExpr index = LinearExpr::var(terms.instance.back());
      names.indices[name] = index;
      terms.domain.addRange(0, index, *size);
    }
  unsigned spatialDim = 0;
  for (char letter : StringRef("dhw")) {
    if (!names.layouts[Filter].contains(letter))
      continue;
    Window window(op.getWindow(), spatialDim++);
    LinearExpr input = names.indices[IndexNames::getName(letter, Input)];
    LinearExpr output = names.indices[IndexNames::getName(letter, Output)];
    terms.domain.addEqual(
        input * DynamicAPInt(window.inputDilation),
        window.getDilatedInput(output, names.indices[letter], taps[letter]));
  }
  std::array<SmallVector<LinearExpr>, 3> places = {names.getIndices(Input),
                                                   names.getIndices(Filter),
                                                   names.getIndices(Output)};
  unsigned first = result == Input ? Output : Input;
  unsigned second = result == Filter ? Output : Filter;
  return addProducts(op, {places[first], places[second]}, terms, at, context);
}

FailureOr<Pieces> Denoter::addProducts(
    ConvolutionOpInterface op, std::array<ArrayRef<LinearExpr>, 2> places,
    const Family &all, ArrayRef<LinearExpr> at, const System &context) {
  Type accumulator = getSumType(op);
  auto none = DictionaryAttr::get(op->getContext());
  NumericsAttr numerics = op.getNumerics();
  std::array<bool, 2> isUnsigned = {numerics.getInputUnsigned(),
                                    numerics.getFilterUnsigned()};
  System inTerms = context & all.domain;
  std::array<Pieces, 2> factors;
  for (unsigned number : {0, 1}) {
    ExprRef zeroPoint;
    if (!op.getZeroPoints().empty()) {
      FailureOr<Pieces> value =
          getScalar(op.getZeroPoints()[number], Body(), context);
      if (failed(value))
        return failure();
      zeroPoint = value->front().value;
    }
    FailureOr<Pieces> elements =
        readAt(op->getOperand(number), places[number], inTerms);
    if (failed(elements))
      return failure();
    for (Piece &element : *elements)
      element.value = takeOperand(element.value, accumulator,
                                  isUnsigned[number], zeroPoint, op);
    factors[number] = std::move(*elements);
  }
  FailureOr<Pieces> pieces = readAt(op.getInit(), at, context);
  if (failed(pieces))
    return failure();
  for (Piece &piece : *pieces) {
    Type type = piece.value->type;
    Families families = {
        {{}, {}, takeOperand(piece.value, accumulator, false, {}, op), op}};
    for (const Piece &a : factors[0])
      for (const Piece &b : factors[1]) {
        Family terms = all;
        llvm::append_range(terms.instance, a.locals);
        llvm::append_range(terms.instance, b.locals);
        terms.domain.append(a.domain);
        terms.domain.append(b.domain);
        terms.term =
            makeApply(isa<FloatType>(accumulator) ? "arith.mulf" : "arith.muli",
                      none, accumulator, {a.value, b.value}, op);
        families.push_back(renameInstance(solver, terms));
      }
    piece.value = makeSum(accumulator, families);
    if (type != accumulator)
      piece.value = makeApply("arith.truncf", none, type, piece.value, op);
  }
  return pieces;
}

FailureOr<Pieces> Denoter::readIm2col(Im2colOp op, ArrayRef<LinearExpr> at,
                                      const System &context) {
  Im2colLayoutAttr layout = op.getLayout();
  StringRef positions = layout.getPositions(), window = layout.getWindow();
  DenseMap<char, LinearExpr> positionOf, placeOf;
  for (auto [dim, letter] : llvm::enumerate(positions))
    positionOf[letter] = at[dim];
  DenseMap<char, LinearExpr> taps;
  for (auto [dim, letter] : llvm::enumerate(window)) {
    placeOf[letter] = at[positions.size() + dim];
    FailureOr<LinearExpr> size =
        getSize(op.getResult(), positions.size() + dim);
    if (failed(size))
      return failure();
    taps[letter] = *size;
  }
  SmallVector<LinearExpr> indices;
  for (char letter : layout.getInput()) {
    if (!IndexNames::isSpatial(letter)) {
      indices.push_back(positionOf.contains(letter) ? positionOf[letter]
                                                    : placeOf[letter]);
      continue;
    }
    // Windows list spatial dimensions in the order d, h, w.
    unsigned spatialDim = llvm::count_if(StringRef("dhw"), [&](char other) {
      return other < letter && layout.getInput().contains(other);
    });
    indices.push_back(Window(op.getWindow(), spatialDim)
                          .getDilatedInput(positionOf[letter], placeOf[letter],
                                           taps[letter]));
  }
  FailureOr<System> inBounds = getBounds(op.getInput(), indices);
  if (failed(inBounds))
    return failure();
  System there = context & *inBounds;
  FailureOr<Pieces> pieces = readAt(op.getInput(), indices, there);
  FailureOr<Pieces> pads = getPad(op, context);
  if (failed(pieces) || failed(pads))
    return failure();
  Pieces result = restrict(prune(*pieces, there), Part{{}, *inBounds});
  std::optional<Parts> outside = solver.subtract(context, {}, *inBounds);
  for (const Part &part : *outside)
    llvm::append_range(result, restrict(*pads, part));
  return result;
}

FailureOr<Pieces> Denoter::getPad(Im2colOp op, const System &context) {
  if (Value value = op.getPadValue())
    return getScalar(value, Body(), context);
  Type type = getElementTypeOrSelf(op.getResult().getType());
  return Pieces{
      {{}, {}, makeConstant(Builder(type.getContext()).getZeroAttr(type))}};
}
