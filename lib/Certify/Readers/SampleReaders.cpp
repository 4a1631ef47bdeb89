//===- SampleReaders.cpp - Elements of samples ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpReaders.h"
#include "SampledImage.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

namespace {
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

  SymbolicEvaluator &evaluator;
  GridSampleOp op;
  SampleLayoutAttr layout;
  ArrayRef<LinearExpr> at;
  SampleTerms terms;
  StringRef spatial;
};
} // namespace

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

FailureOr<Pieces> SampleReader::readSample(ArrayRef<ExprRef> coordinates,
                                           const System &context) {
  SampledImage image{evaluator, op, op.getInput(), layout.getInput(), spatial};
  FailureOr<SmallVector<int64_t>> sizes = image.getSizes();
  if (failed(sizes))
    return failure();
  SmallVector<PositionTerms> positions;
  for (auto [coordinate, size] : llvm::zip_equal(coordinates, *sizes))
    positions.push_back(terms.getGridPosition(coordinate, size));
  return image.readSample(
      terms, terms.getElements(positions, *sizes),
      [&](char letter) { return getIndex(letter); },
      op.getType().getElementType(), context);
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
