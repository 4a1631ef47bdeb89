//===- SampleReaders.cpp - Elements of samples ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gathers.h"
#include "OpReaders.h"
#include "SampleTerms.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

namespace {
/// Values that are read together, and the case that they are read in.
using Values = Case<SmallVector<ExprRef>>;

/// Reads the sample `at` of `op`.
class SampleReader {
public:
  SampleReader(SymbolicEvaluator &evaluator, GridSampleOp op,
               ArrayRef<LinearExpr> at)
      : evaluator(evaluator), op(op), layout(op.getLayout()), at(at),
        terms(op.getContext(), op.getMode(), op.getPadding(),
              op.getAlignCorners()) {
    spatial = layout.getInput().contains('d') ? "dhw" : "hw";
  }

  FailureOr<Pieces> read(const System &context);

private:
  LinearExpr getIndex(char letter) {
    return at[layout.getOutput().find(letter)];
  }
  /// The coordinates along all dimensions, outermost first.
  FailureOr<Cases<SmallVector<ExprRef>>> readGrid(const System &context);
  FailureOr<Pieces> readSample(ArrayRef<ExprRef> coordinates,
                               const System &context);
  FailureOr<Pieces> readElement(const TapTerms &element, const System &context);

  SymbolicEvaluator &evaluator;
  GridSampleOp op;
  SampleLayoutAttr layout;
  ArrayRef<LinearExpr> at;
  SampleTerms terms;
  StringRef spatial;
};
} // namespace

/// `cases`, each with each of the values that `read` finds there behind its
/// own.
template <typename Read>
static FailureOr<Cases<SmallVector<ExprRef>>>
readNext(const Cases<SmallVector<ExprRef>> &cases, const System &context,
         Read read) {
  Cases<SmallVector<ExprRef>> longer;
  for (const Values &values : cases) {
    FailureOr<Pieces> found = read(context & values.domain);
    if (failed(found))
      return failure();
    for (const Piece &piece : *found) {
      longer.push_back(values);
      addConditions(longer.back(), piece);
      longer.back().value.push_back(piece.value);
    }
  }
  return longer;
}

FailureOr<Cases<SmallVector<ExprRef>>>
SampleReader::readGrid(const System &context) {
  FailureOr<Cases<SmallVector<ExprRef>>> cases = Cases<SmallVector<ExprRef>>(1);
  for (size_t dim = 0; dim < spatial.size(); ++dim) {
    // x comes first, of the innermost dimension.
    SmallVector<LinearExpr> indices;
    for (char letter : layout.getGrid())
      indices.push_back(letter == 'c'
                            ? LinearExpr(int64_t(spatial.size() - 1 - dim))
                            : getIndex(letter));
    cases = readNext(*cases, context, [&](const System &inCase) {
      return evaluator.readAt(op.getGrid(), indices, inCase);
    });
    if (failed(cases))
      return failure();
  }
  return cases;
}

FailureOr<Pieces> SampleReader::readElement(const TapTerms &element,
                                            const System &context) {
  Type index = IndexType::get(op.getContext());
  SmallVector<ExprRef> places;
  for (char letter : layout.getInput()) {
    size_t dim = spatial.find(letter);
    places.push_back(dim == StringRef::npos
                         ? makeNumber(getIndex(letter), index)
                         : element.places[dim]);
  }
  FailureOr<Pieces> pieces =
      readAtPlaces(evaluator, op, op.getInput(), places, {}, context);
  if (failed(pieces))
    return failure();
  for (Piece &piece : *pieces)
    piece.value = terms.getTerm(element, piece.value);
  return pieces;
}

FailureOr<Pieces> SampleReader::readSample(ArrayRef<ExprRef> coordinates,
                                           const System &context) {
  SmallVector<PositionTerms> positions;
  SmallVector<int64_t> sizes;
  for (auto [letter, coordinate] : llvm::zip_equal(spatial, coordinates)) {
    sizes.push_back(
        op.getInput().getType().getDimSize(layout.getInput().find(letter)));
    if (ShapedType::isDynamic(sizes.back()))
      return evaluator.undecided(op, "samples of an image of dynamic size");
    positions.push_back(terms.getGridPosition(coordinate, sizes.back()));
  }
  FailureOr<Cases<SmallVector<ExprRef>>> cases = Cases<SmallVector<ExprRef>>(1);
  for (const TapTerms &element : terms.getElements(positions, sizes)) {
    cases = readNext(*cases, context, [&](const System &inCase) {
      return readElement(element, inCase);
    });
    if (failed(cases))
      return failure();
  }
  Type type = op.getType().getElementType();
  Pieces pieces;
  for (const Values &values : *cases) {
    Families families;
    for (const ExprRef &term : values.value)
      families.push_back({{}, {}, term, op});
    ExprRef sum = makeSum(values.value.front()->type, families);
    if (sum->type != type)
      sum = makeApply("arith.truncf", DictionaryAttr::get(op.getContext()),
                      type, sum, op);
    pieces.push_back({values.locals, values.domain, sum});
  }
  return pieces;
}

FailureOr<Pieces> SampleReader::read(const System &context) {
  FailureOr<Cases<SmallVector<ExprRef>>> grid = readGrid(context);
  if (failed(grid))
    return failure();
  return readCases(evaluator.getSolver(), *grid, context,
                   [&](ArrayRef<ExprRef> coordinates, const System &inCase) {
                     return readSample(coordinates, inCase);
                   });
}

FailureOr<Pieces> certify::readElement(SymbolicEvaluator &evaluator,
                                       GridSampleOp op, ArrayRef<LinearExpr> at,
                                       const System &context) {
  return SampleReader(evaluator, op, at).read(context);
}
