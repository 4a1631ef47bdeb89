//===- DeformReaders.cpp - Elements of deformed convolutions ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Evaluator/Window.h"
#include "OpReaders.h"
#include "SampledImage.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

namespace {
/// Reads the element `at` of the result of `op`.
class DeformReader {
public:
  DeformReader(SymbolicEvaluator &evaluator, DeformConvOp op,
               ArrayRef<LinearExpr> at)
      : evaluator(evaluator), op(op), layout(op.getLayout()), at(at),
        terms(op.getContext(), SampleMode::Linear, SamplePadding::Zeros,
              /*alignCorners=*/false) {}

  FailureOr<Pieces> read(const System &context);

private:
  int64_t getSize(TypedValue<RankedTensorType> tensor, StringRef letters,
                  char letter) {
    return tensor.getType().getDimSize(letters.find(letter));
  }
  LinearExpr getOutputIndex(char letter) {
    return at[layout.getOutput().find(letter)];
  }
  /// The index of all dimensions of input and filter but the image's: taps
  /// along `h` and `w`.
  LinearExpr getIndex(char letter) {
    return isSummed(letter) ? LinearExpr::var(unknowns.lookup(letter))
                            : getOutputIndex(letter);
  }
  static bool isSummed(char letter) {
    return StringRef("chw").contains(letter);
  }
  /// Makes the unknowns of a term: channel, tap and group of offsets.
  Family makeUnknowns();
  /// Number `index` of `perTap` that `tensor`, offset or mask, has for the tap.
  FailureOr<Pieces> readForTap(TypedValue<RankedTensorType> tensor,
                               int64_t perTap, int64_t index,
                               const System &context);
  /// The position along spatial dimension `dim` of the offset that is `value`.
  PositionTerms getPosition(unsigned dim, const ExprRef &value);
  /// The sample that stands in a term, of offsets and the mask in `values`.
  FailureOr<Pieces> readSample(ArrayRef<ExprRef> values, const System &context);
  /// The terms that are there where `all` has points.
  FailureOr<Families> readTerms(const Family &all, const System &context);

  SymbolicEvaluator &evaluator;
  DeformConvOp op;
  ConvLayoutAttr layout;
  ArrayRef<LinearExpr> at;
  SampleTerms terms;
  DenseMap<char, Var> unknowns;
  LinearExpr offsetGroup;
};
} // namespace

Family DeformReader::makeUnknowns() {
  Family all;
  all.origin = op;
  auto makeUnknown = [&] {
    all.instance.push_back(evaluator.getSolver().makeVar());
    return all.instance.back();
  };
  StringRef filter = layout.getFilter();
  for (char letter : StringRef("chw")) {
    unknowns[letter] = makeUnknown();
    all.domain.addRange(0, getIndex(letter),
                        getSize(op.getFilter(), filter, letter));
  }
  int64_t taps = getSize(op.getFilter(), filter, 'h') *
                 getSize(op.getFilter(), filter, 'w');
  int64_t channels = getSize(op.getFilter(), filter, 'c');
  int64_t offsets = getSize(op.getOffset(), op.getOffsetLayout(), 'c');
  LinearExpr channel = getIndex('c');
  int64_t numChannels = channels;
  if (filter.contains('g')) {
    channel += getOutputIndex('g') * DynamicAPInt(channels);
    numChannels *= getSize(op.getFilter(), filter, 'g');
  }
  int64_t offsetGroups = offsets / (2 * taps);
  if (offsetGroups == 1)
    return all;
  // Channels in their order are divided equally among these groups.
  int64_t inGroup = numChannels / offsetGroups;
  offsetGroup = LinearExpr::var(makeUnknown());
  all.domain.addRange(0, channel - offsetGroup * DynamicAPInt(inGroup),
                      inGroup);
  return all;
}

FailureOr<Pieces> DeformReader::readForTap(TypedValue<RankedTensorType> tensor,
                                           int64_t perTap, int64_t index,
                                           const System &context) {
  int64_t rows = getSize(op.getFilter(), layout.getFilter(), 'h');
  int64_t columns = getSize(op.getFilter(), layout.getFilter(), 'w');
  LinearExpr tap = (offsetGroup * DynamicAPInt(rows) + getIndex('h')) *
                       DynamicAPInt(columns) +
                   getIndex('w');
  SmallVector<LinearExpr> indices;
  for (char letter : op.getOffsetLayout())
    indices.push_back(letter == 'c'
                          ? tap * DynamicAPInt(perTap) + LinearExpr(index)
                          : getOutputIndex(letter));
  return evaluator.readAt(tensor, indices, context);
}

PositionTerms DeformReader::getPosition(unsigned dim, const ExprRef &value) {
  char letter = "hw"[dim];
  int64_t taps = getSize(op.getFilter(), layout.getFilter(), letter);
  Window window(op.getWindow(), dim);
  LinearExpr start =
      window.getDilatedInput(getOutputIndex(letter), getIndex(letter), taps);
  Type i32 = IntegerType::get(op.getContext(), 32);
  return terms.getOffsetPosition(value, makeNumber(start, i32));
}

FailureOr<Pieces> DeformReader::readSample(ArrayRef<ExprRef> values,
                                           const System &context) {
  SampledImage image{evaluator, op, op.getInput(), layout.getInput(), "hw"};
  FailureOr<SmallVector<int64_t>> sizes = image.getSizes();
  if (failed(sizes))
    return failure();
  PositionTerms positions[] = {getPosition(0, values[0]),
                               getPosition(1, values[1])};
  ExprRef mask = op.getMask() ? terms.widen(values[2]) : nullptr;
  return image.readSample(
      terms, terms.getElements(positions, *sizes, mask),
      [&](char letter) { return getIndex(letter); },
      op.getInput().getType().getElementType(), context);
}

FailureOr<Families> DeformReader::readTerms(const Family &all,
                                            const System &context) {
  System inTerms = context & all.domain;
  FailureOr<Cases<SmallVector<ExprRef>>> cases = Cases<SmallVector<ExprRef>>(1);
  auto addNext = [&](function_ref<FailureOr<Pieces>(const System &)> read) {
    if (succeeded(cases))
      cases = readNext(*cases, inTerms, read);
  };
  for (int64_t dim : {0, 1})
    addNext([&](const System &inCase) {
      return readForTap(op.getOffset(), 2, dim, inCase);
    });
  if (op.getMask())
    addNext([&](const System &inCase) {
      return readForTap(op.getMask(), 1, 0, inCase);
    });
  if (failed(cases))
    return failure();
  Cases<SmallVector<ExprRef>> factors;
  for (const Values &values : *cases) {
    Values place = values;
    place.value.clear();
    FailureOr<Cases<SmallVector<ExprRef>>> samples =
        readNext({place}, inTerms, [&](const System &inCase) {
          return readSample(values.value, inCase);
        });
    if (failed(samples))
      return failure();
    llvm::append_range(factors, *samples);
  }
  SmallVector<LinearExpr> indices;
  for (char letter : layout.getFilter())
    indices.push_back(getIndex(letter));
  cases = readNext(factors, inTerms, [&](const System &inCase) {
    return evaluator.readAt(op.getFilter(), indices, inCase);
  });
  if (failed(cases))
    return failure();
  Families families;
  for (const Values &values : *cases) {
    Family family = all;
    llvm::append_range(family.instance, values.locals);
    family.domain.append(values.domain);
    family.term = terms.multiply(values.value[0], values.value[1]);
    families.push_back(renameInstance(evaluator.getSolver(), family));
  }
  return families;
}

FailureOr<Pieces> DeformReader::read(const System &context) {
  Family all = makeUnknowns();
  FailureOr<Families> products = readTerms(all, context);
  if (failed(products))
    return failure();
  FailureOr<Pieces> pieces = evaluator.readAt(op.getInit(), at, context);
  if (failed(pieces))
    return failure();
  for (Piece &piece : *pieces) {
    Type type = piece.value->type;
    Families families = {{{}, {}, terms.widen(piece.value), op}};
    llvm::append_range(families, *products);
    piece.value = makeSum(families.front().term->type, families);
    if (piece.value->type != type)
      piece.value =
          makeApply("arith.truncf", DictionaryAttr::get(op.getContext()), type,
                    piece.value, op);
  }
  return pieces;
}

FailureOr<Pieces> certify::readElement(SymbolicEvaluator &evaluator,
                                       DeformConvOp op, ArrayRef<LinearExpr> at,
                                       const System &context) {
  return DeformReader(evaluator, op, at).read(context);
}
