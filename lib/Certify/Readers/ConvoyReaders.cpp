//===- ConvoyReaders.cpp - Elements of what the dialect's ops make *- C++
//-*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stated here from the dialect's reference alone: nothing of the passes or of
// ConvShape is used.
//
//===----------------------------------------------------------------------===//

#include "../Evaluator/Window.h"
#include "OpReaders.h"
#include "ScalarReaders.h"

#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

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

/// f32 for floats that are narrower.
static Type raise(Type type) {
  bool isRaised = isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32;
  return isRaised ? Float32Type::get(type.getContext()) : type;
}

/// The type that `op` forms its sum in: declared, and raised by the policy.
static Type getSumType(ConvolutionOpInterface op) {
  NumericsAttr numerics = op.getNumerics();
  Type type = numerics.getAccumulator();
  if (!type)
    type = getElementTypeOrSelf(op.getInit().getType());
  return numerics.getPolicy() == Policy::Low ? type : raise(type);
}

namespace {
/// The letters of all three tensors as one name space: positions in the input
/// and in the output stay apart from the taps.
struct IndexNames {
  explicit IndexNames(std::array<StringRef, 3> layouts) : layouts(layouts) {}

  static char getName(char letter, unsigned role) {
    if (!ConvRoles::isSpatial(letter) || role == ConvRoles::Filter)
      return letter;
    return role == ConvRoles::Input ? llvm::toUpper(letter)
                                    : char('1' + StringRef("dhw").find(letter));
  }
  LinearExpr find(char letter, unsigned role) const {
    return indices.lookup(getName(letter, role));
  }
  /// Where an element of `role` lies.
  SmallVector<LinearExpr> getIndices(unsigned role) const {
    return llvm::map_to_vector(layouts[role],
                               [&](char letter) { return find(letter, role); });
  }

  std::array<StringRef, 3> layouts;
  DenseMap<char, LinearExpr> indices;
};
} // namespace

/// The zero point of operand `number` for the element at `place`; nothing where
/// `op` has none. Those of channels are in the order of their groups.
static FailureOr<Pieces> readZeroPoint(SymbolicEvaluator &evaluator,
                                       ConvolutionOpInterface op,
                                       unsigned number,
                                       ArrayRef<LinearExpr> place,
                                       const System &context) {
  if (op.getZeroPoints().empty())
    return Pieces{{{}, {}, ExprRef()}};
  Value zeroPoint = op.getZeroPoints()[number];
  if (!isa<RankedTensorType>(zeroPoint.getType()))
    return readScalar(evaluator, zeroPoint, Body(), context);
  ConvRoles roles(op);
  StringRef letters = roles.layouts[ConvRoles::Filter];
  size_t dim = letters.find(roles.result == ConvRoles::Output ? 'f' : 'c');
  LinearExpr channel = place[dim];
  if (size_t group = letters.find('g'); group != StringRef::npos) {
    auto filter = cast<RankedTensorType>(op->getOperand(1).getType());
    int64_t channels = filter.getDimSize(dim);
    if (ShapedType::isDynamic(channels))
      return evaluator.getObstacle().undecided(
          op, "zero points of groups whose channels are not counted");
    channel = channel + place[group] * DynamicAPInt(channels);
  }
  return evaluator.readAt(zeroPoint, channel, context);
}

/// The element of operand `number` at `place`, less its zero point.
static FailureOr<Pieces> readFactor(SymbolicEvaluator &evaluator,
                                    ConvolutionOpInterface op, unsigned number,
                                    ArrayRef<LinearExpr> place,
                                    const System &context) {
  FailureOr<Pieces> zeroPoints =
      readZeroPoint(evaluator, op, number, place, context);
  if (failed(zeroPoints))
    return failure();
  FailureOr<Pieces> elements =
      evaluator.readAt(op->getOperand(number), place, context);
  if (failed(elements))
    return failure();
  NumericsAttr numerics = op.getNumerics();
  bool isUnsigned =
      number == 0 ? numerics.getInputUnsigned() : numerics.getFilterUnsigned();
  Pieces factors;
  for (const Piece &element : *elements)
    for (const Piece &zeroPoint : *zeroPoints) {
      Piece factor = element;
      addConditions(factor, zeroPoint);
      factor.value = takeOperand(element.value, getSumType(op), isUnsigned,
                                 zeroPoint.value, op);
      factors.push_back(std::move(factor));
    }
  return factors;
}

/// The element `at` of the init and, for each point of `all`, the product of
/// the elements of both operands at `places`.
static FailureOr<Pieces>
addProducts(SymbolicEvaluator &evaluator, ConvolutionOpInterface op,
            std::array<SmallVector<LinearExpr>, 2> places, const Family &all,
            ArrayRef<LinearExpr> at, const System &context) {
  Type accumulator = getSumType(op);
  auto none = DictionaryAttr::get(op->getContext());
  System inTerms = context & all.domain;
  std::array<Pieces, 2> factors;
  for (unsigned number : {0, 1}) {
    FailureOr<Pieces> elements =
        readFactor(evaluator, op, number, places[number], inTerms);
    if (failed(elements))
      return failure();
    factors[number] = std::move(*elements);
  }
  FailureOr<Pieces> pieces = evaluator.readAt(op.getInit(), at, context);
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
        families.push_back(renameInstance(evaluator.getSolver(), terms));
      }
    piece.value = makeSum(accumulator, families);
    if (type != accumulator)
      piece.value = makeApply("arith.truncf", none, type, piece.value, op);
  }
  return pieces;
}

FailureOr<Pieces> certify::readElement(SymbolicEvaluator &evaluator,
                                       ConvolutionOpInterface op,
                                       ArrayRef<LinearExpr> at,
                                       const System &context) {
  ConvRoles roles(op);
  IndexNames names(roles.layouts);
  // The result's indices are given; a term has the others.
  for (auto [dim, letter] : llvm::enumerate(roles.layouts[roles.result]))
    names.indices[IndexNames::getName(letter, roles.result)] = at[dim];
  Family terms;
  terms.origin = op;
  DenseMap<char, LinearExpr> taps;
  for (unsigned role : {ConvRoles::Input, ConvRoles::Filter, ConvRoles::Output})
    for (auto [dim, letter] : llvm::enumerate(roles.layouts[role])) {
      FailureOr<Size> size =
          evaluator.getSizes().getSize(roles.tensors[role], dim);
      if (failed(size))
        return failure();
      if (role == ConvRoles::Filter && ConvRoles::isSpatial(letter)) {
        FailureOr<LinearExpr> number =
            evaluator.getSizes().getSingleSize(roles.tensors[role], dim);
        if (failed(number))
          return failure();
        taps[letter] = *number;
      }
      char name = IndexNames::getName(letter, role);
      if (names.indices.contains(name))
        continue;
      terms.instance.push_back(evaluator.getSolver().makeVar());
      LinearExpr index = LinearExpr::var(terms.instance.back());
      names.indices[name] = index;
      terms.domain.addRange(0, index, *size);
    }
  unsigned spatialDim = 0;
  for (char letter : StringRef("dhw")) {
    if (!taps.contains(letter))
      continue;
    Window window(op.getWindow(), spatialDim++);
    LinearExpr input = names.find(letter, ConvRoles::Input);
    LinearExpr output = names.find(letter, ConvRoles::Output);
    terms.domain.addEqual(
        input * DynamicAPInt(window.inputDilation),
        window.getDilatedInput(output, names.indices[letter], taps[letter]));
  }
  unsigned first =
      roles.result == ConvRoles::Input ? ConvRoles::Output : ConvRoles::Input;
  unsigned second =
      roles.result == ConvRoles::Filter ? ConvRoles::Output : ConvRoles::Filter;
  return addProducts(evaluator, op,
                     {names.getIndices(first), names.getIndices(second)}, terms,
                     at, context);
}

/// What an element of the result is outside the input.
static FailureOr<Pieces> readPad(SymbolicEvaluator &evaluator, Im2colOp op,
                                 const System &context) {
  if (Value value = op.getPadValue())
    return readScalar(evaluator, value, Body(), context);
  Type type = getElementTypeOrSelf(op.getResult().getType());
  return Pieces{
      {{}, {}, makeConstant(Builder(type.getContext()).getZeroAttr(type))}};
}

FailureOr<Pieces> certify::readElement(SymbolicEvaluator &evaluator,
                                       Im2colOp op, ArrayRef<LinearExpr> at,
                                       const System &context) {
  Im2colLayoutAttr layout = op.getLayout();
  SmallVector<LinearExpr> indices;
  for (char letter : layout.getInput()) {
    if (!ConvRoles::isSpatial(letter)) {
      indices.push_back(at[layout.getSharedDim(letter)]);
      continue;
    }
    int64_t tap = layout.getWindowDim(letter);
    // Windows list spatial dimensions in the order d, h, w.
    unsigned spatialDim = llvm::count_if(StringRef("dhw"), [&](char other) {
      return other < letter && layout.getInput().contains(other);
    });
    Window window(op.getWindow(), spatialDim);
    // How many taps there are, which may have several cases at a border, only
    // matters where they run from the last one.
    FailureOr<LinearExpr> taps = LinearExpr(0);
    if (window.reverse)
      taps = evaluator.getSizes().getSingleSize(op.getResult(), tap);
    if (failed(taps))
      return failure();
    indices.push_back(window.getDilatedInput(at[layout.getPositionDim(letter)],
                                             at[tap], *taps));
  }
  FailureOr<System> inBounds =
      evaluator.getSizes().getBounds(op.getInput(), indices);
  if (failed(inBounds))
    return failure();
  Solver &solver = evaluator.getSolver();
  System there = context & *inBounds;
  FailureOr<Pieces> pieces = evaluator.readAt(op.getInput(), indices, there);
  FailureOr<Pieces> pads = readPad(evaluator, op, context);
  if (failed(pieces) || failed(pads))
    return failure();
  Pieces result = restrict(prune(solver, *pieces, there), Part{{}, *inBounds});
  std::optional<Parts> outside = solver.subtract(context, {}, *inBounds);
  for (const Part &part : *outside)
    llvm::append_range(result, restrict(*pads, part));
  return result;
}

/// The place in the rows of each term that element `at` of a col2im has, which
/// `terms` range over.
static FailureOr<SmallVector<LinearExpr>>
getTermPlace(SymbolicEvaluator &evaluator, Col2imOp op, ArrayRef<LinearExpr> at,
             Family &terms) {
  Im2colLayoutAttr layout = op.getLayout();
  StringRef image = layout.getInput();
  SmallVector<LinearExpr> place;
  DenseMap<char, LinearExpr> positions, taps, tapCounts;
  for (auto [dim, letter] : llvm::enumerate(layout.getRowsLetters())) {
    if (!ConvRoles::isSpatial(letter)) {
      place.push_back(at[image.find(letter)]);
      continue;
    }
    FailureOr<LinearExpr> size =
        evaluator.getSizes().getSingleSize(op.getInput(), dim);
    if (failed(size))
      return failure();
    terms.instance.push_back(evaluator.getSolver().makeVar());
    place.push_back(LinearExpr::var(terms.instance.back()));
    terms.domain.addRange(0, place.back(), Size{*size});
    bool isTap = layout.isWindow(dim);
    (isTap ? taps : positions)[letter] = place.back();
    if (isTap)
      tapCounts[letter] = *size;
  }
  unsigned spatialDim = 0;
  for (char letter : StringRef("dhw"))
    if (taps.contains(letter))
      terms.domain.addEqual(at[image.find(letter)],
                            Window(op.getWindow(), spatialDim++)
                                .getDilatedInput(positions[letter],
                                                 taps[letter],
                                                 tapCounts[letter]));
  return place;
}

/// The sum of the elements of `input`, of an op that rounds it to `type`, at
/// the places that each of `all` has with its family.
static FailureOr<ExprRef>
addElements(SymbolicEvaluator &evaluator, TypedValue<RankedTensorType> input,
            ArrayRef<std::pair<Family, SmallVector<LinearExpr>>> all, Type type,
            const System &context, Operation *op) {
  Type sumType = raise(input.getType().getElementType());
  Builder builder(op->getContext());
  Families families = {
      {{}, {}, makeConstant(builder.getZeroAttr(sumType)), op}};
  for (const auto &[family, place] : all) {
    FailureOr<Pieces> elements =
        evaluator.readAt(input, place, context & family.domain);
    if (failed(elements))
      return failure();
    for (const Piece &element : *elements) {
      Family terms = family;
      llvm::append_range(terms.instance, element.locals);
      terms.domain.append(element.domain);
      terms.term = takeOperand(element.value, sumType, false, {}, op);
      families.push_back(renameInstance(evaluator.getSolver(), terms));
    }
  }
  ExprRef sum = makeSum(sumType, families);
  if (type != sumType)
    sum = makeApply("arith.truncf", DictionaryAttr::get(op->getContext()), type,
                    sum, op);
  return sum;
}

FailureOr<Pieces> certify::readElement(SymbolicEvaluator &evaluator,
                                       Col2imOp op, ArrayRef<LinearExpr> at,
                                       const System &context) {
  Family all;
  all.origin = op;
  FailureOr<SmallVector<LinearExpr>> place =
      getTermPlace(evaluator, op, at, all);
  if (failed(place))
    return failure();
  FailureOr<ExprRef> sum =
      addElements(evaluator, op.getInput(), {{all, *place}},
                  op.getType().getElementType(), context, op);
  if (failed(sum))
    return failure();
  return Pieces{{{}, {}, *sum}};
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

namespace {
/// Places along a padded dimension, from `begin` to before `end`, and the
/// element `factor * place + offset` that lies there.
struct PaddedPiece {
  int64_t begin, end, factor, offset;

  LinearExpr getElement(const LinearExpr &place) const {
    return place * DynamicAPInt(factor) + LinearExpr(offset);
  }
};
} // namespace

/// The pieces of a dimension of `size` elements, which cover it with its
/// padding.
static SmallVector<PaddedPiece> getPieces(PaddingMode mode, int64_t size,
                                          int64_t low, int64_t high) {
  int64_t end = low + size + high;
  if (mode == PaddingMode::Replicate || size == 1)
    return {{0, low, 0, 0},
            {low, low + size, 1, -low},
            {low + size, end, 0, size - 1}};
  bool isReflected = mode == PaddingMode::Reflect;
  // Copies follow each other; reflections share an element.
  int64_t period = isReflected ? size - 1 : size;
  SmallVector<PaddedPiece> pieces = {{low, low + size, 1, -low}};
  auto add = [&](int64_t begin, int64_t end, int64_t number) {
    int64_t start = low + number * period;
    if (isReflected && number % 2 != 0)
      pieces.push_back({begin, end, -1, start + period});
    else
      pieces.push_back({begin, end, 1, -start});
  };
  for (int64_t at = low, number = -1; at > 0; at -= period, --number)
    add(std::max<int64_t>(at - period, 0), at, number);
  for (int64_t at = low + size, number = 1; at < end; at += period, ++number)
    add(at, std::min(at + period, end), number);
  return pieces;
}

/// The pieces of each dimension of `op`, which pads a tensor of `shape`; none
/// of one that is not padded.
template <typename OpTy>
static SmallVector<SmallVector<PaddedPiece>>
getAllPieces(OpTy op, ArrayRef<int64_t> shape) {
  SmallVector<SmallVector<PaddedPiece>> all;
  for (auto [size, low, high] :
       llvm::zip_equal(shape, op.getLow(), op.getHigh())) {
    bool isPadded = low != 0 || high != 0;
    all.push_back(isPadded ? getPieces(op.getMode(), size, low, high)
                           : SmallVector<PaddedPiece>());
  }
  return all;
}

FailureOr<Pieces> certify::readElement(SymbolicEvaluator &evaluator, PadOp op,
                                       ArrayRef<LinearExpr> at,
                                       const System &context) {
  Solver &solver = evaluator.getSolver();
  IndicesCases cases = {{{}, {}, {}}};
  auto all = getAllPieces(op, op.getInput().getType().getShape());
  for (const auto &[place, pieces] : llvm::zip_equal(at, all)) {
    if (pieces.empty()) {
      for (auto &one : cases)
        one.value.push_back(place);
      continue;
    }
    IndicesCases longer;
    for (const auto &one : cases)
      for (const PaddedPiece &piece : pieces) {
        auto next = one;
        next.domain.addRange(piece.begin, place, LinearExpr(piece.end));
        next.value.push_back(piece.getElement(place));
        if (!solver.isEmpty(context & next.domain))
          longer.push_back(std::move(next));
      }
    cases = std::move(longer);
  }
  return readCases(solver, cases, context,
                   [&](ArrayRef<LinearExpr> indices, const System &inCase) {
                     return evaluator.readAt(op.getInput(), indices, inCase);
                   });
}

FailureOr<Pieces> certify::readElement(SymbolicEvaluator &evaluator,
                                       PadBackwardOp op,
                                       ArrayRef<LinearExpr> at,
                                       const System &context) {
  Solver &solver = evaluator.getSolver();
  Family start;
  start.origin = op;
  SmallVector<std::pair<Family, SmallVector<LinearExpr>>> terms = {{start, {}}};
  auto all = getAllPieces(op, op.getType().getShape());
  for (const auto &[element, pieces] : llvm::zip_equal(at, all)) {
    if (pieces.empty()) {
      for (auto &[family, place] : terms)
        place.push_back(element);
      continue;
    }
    SmallVector<std::pair<Family, SmallVector<LinearExpr>>> more;
    for (const auto &one : terms)
      for (const PaddedPiece &piece : pieces) {
        auto [family, place] = one;
        family.instance.push_back(solver.makeVar());
        place.push_back(LinearExpr::var(family.instance.back()));
        family.domain.addRange(piece.begin, place.back(),
                               LinearExpr(piece.end));
        family.domain.addEqual(element, piece.getElement(place.back()));
        if (!solver.isEmpty(context & family.domain))
          more.emplace_back(std::move(family), std::move(place));
      }
    terms = std::move(more);
  }
  FailureOr<ExprRef> sum =
      addElements(evaluator, op.getInput(), terms,
                  op.getType().getElementType(), context, op);
  if (failed(sum))
    return failure();
  return Pieces{{{}, {}, *sum}};
}
