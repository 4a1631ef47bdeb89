//===- SampledImage.cpp - Images that samples are made of -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampledImage.h"
#include "Gathers.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

FailureOr<Cases<SmallVector<ExprRef>>>
certify::readNext(const Cases<SmallVector<ExprRef>> &cases,
                  const System &context,
                  function_ref<FailureOr<Pieces>(const System &)> read) {
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

FailureOr<SmallVector<int64_t>> SampledImage::getSizes() const {
  SmallVector<int64_t> sizes;
  for (char letter : spatial) {
    sizes.push_back(tensor.getType().getDimSize(letters.find(letter)));
    if (ShapedType::isDynamic(sizes.back()))
      return evaluator.getObstacle().undecided(
          op, "samples of an image of dynamic size");
  }
  return sizes;
}

FailureOr<Pieces>
SampledImage::readSample(SampleTerms &terms, ArrayRef<TapTerms> elements,
                         function_ref<LinearExpr(char)> getIndex, Type type,
                         const System &context) const {
  FailureOr<Cases<SmallVector<ExprRef>>> cases = Cases<SmallVector<ExprRef>>(1);
  for (const TapTerms &element : elements) {
    SmallVector<ExprRef> places;
    for (char letter : letters) {
      size_t dim = spatial.find(letter);
      places.push_back(
          dim == StringRef::npos
              ? makeNumber(getIndex(letter), IndexType::get(op->getContext()))
              : element.places[dim]);
    }
    cases = readNext(
        *cases, context, [&](const System &inCase) -> FailureOr<Pieces> {
          FailureOr<Pieces> pieces =
              readAtPlaces(evaluator, op, tensor, places, {}, inCase);
          if (failed(pieces))
            return failure();
          for (Piece &piece : *pieces)
            piece.value = terms.getTerm(element, piece.value);
          return pieces;
        });
    if (failed(cases))
      return failure();
  }
  Pieces pieces;
  for (const Values &values : *cases) {
    Families families;
    for (const ExprRef &term : values.value)
      families.push_back({{}, {}, term, op});
    ExprRef sum = makeSum(values.value.front()->type, families);
    if (sum->type != type)
      sum = makeApply("arith.truncf", DictionaryAttr::get(op->getContext()),
                      type, sum, op);
    pieces.push_back({values.locals, values.domain, sum});
  }
  return pieces;
}
