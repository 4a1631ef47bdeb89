//===- WinogradTransform.cpp - Numbers of matrices times vectors *- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WinogradTransform.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Fraction;
using ::convoy::FractionMatrix;

using Row = std::vector<Fraction>;

namespace {
/// Multiplies one column of vectors by a matrix.
class ColumnTransformer {
public:
  ColumnTransformer(OpBuilder &builder, Location loc,
                    const FractionMatrix &matrix, ArrayRef<Value> column)
      : builder(builder), loc(loc), matrix(matrix), column(column) {}

  SmallVector<Value> transform();

private:
  /// The sum of the vectors times the numbers of `row`, which has one that is
  /// not zero.
  Value sum(const Row &row);
  Value splat(const Fraction &number, Type type);

  OpBuilder &builder;
  Location loc;
  const FractionMatrix &matrix;
  ArrayRef<Value> column;
};
} // namespace

Value ColumnTransformer::splat(const Fraction &number, Type type) {
  auto vector = cast<VectorType>(type);
  auto value = FloatAttr::get(vector.getElementType(), number.toDouble());
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(vector, value));
}

Value ColumnTransformer::sum(const Row &row) {
  Value result;
  auto add = [&](unsigned number) {
    const Fraction &factor = row[number];
    Value vector = column[number];
    if (!result)
      result = factor == 1 ? vector
               : factor == -1
                   ? arith::NegFOp::create(builder, loc, vector).getResult()
                   : arith::MulFOp::create(builder, loc, vector,
                                           splat(factor, vector.getType()))
                         .getResult();
    else if (factor == 1)
      result = arith::AddFOp::create(builder, loc, result, vector);
    else if (factor == -1)
      result = arith::SubFOp::create(builder, loc, result, vector);
    else
      result = vector::FMAOp::create(builder, loc, vector,
                                     splat(factor, vector.getType()), result);
  };
  // One that is taken as it is comes first.
  auto first = llvm::find(row, Fraction(1));
  if (first != row.end())
    add(first - row.begin());
  for (unsigned number = 0; number < row.size(); ++number)
    if (!row[number].isZero() &&
        (first == row.end() || number != unsigned(first - row.begin())))
      add(number);
  return result;
}

/// What two rows have in common where they differ in signs alone: the numbers
/// with the same sign, and those of `a` with another one. Nothing where that is
/// not so, or where one of both is empty.
static std::optional<std::pair<Row, Row>> splitSigns(const Row &a,
                                                     const Row &b) {
  Row same(a.size()), opposite(a.size());
  bool hasSame = false, hasOpposite = false;
  for (auto [number, pair] : llvm::enumerate(llvm::zip_equal(a, b))) {
    auto [first, second] = pair;
    if (first.isZero() && second.isZero())
      continue;
    if (first == second) {
      same[number] = first;
      hasSame = true;
    } else if (first == Fraction(0) - second) {
      opposite[number] = first;
      hasOpposite = true;
    } else {
      return std::nullopt;
    }
  }
  if (!hasSame || !hasOpposite)
    return std::nullopt;
  return std::pair(same, opposite);
}

SmallVector<Value> ColumnTransformer::transform() {
  SmallVector<Value> results(matrix.size());
  for (unsigned row = 0; row < matrix.size(); ++row) {
    for (unsigned other = row + 1; !results[row] && other < matrix.size();
         ++other) {
      if (results[other])
        continue;
      if (auto parts = splitSigns(matrix[row], matrix[other])) {
        Value same = sum(parts->first), opposite = sum(parts->second);
        results[row] = arith::AddFOp::create(builder, loc, same, opposite);
        results[other] = arith::SubFOp::create(builder, loc, same, opposite);
      }
    }
    if (!results[row])
      results[row] = sum(matrix[row]);
  }
  return results;
}

SmallVector<Value>
mlir::convoy::transformVectors(OpBuilder &builder, Location loc,
                               ArrayRef<const FractionMatrix *> matrices,
                               SmallVector<Value> vectors) {
  size_t inner = vectors.size(), outer = 1;
  for (const FractionMatrix *matrix : matrices) {
    size_t from = matrix->front().size(), to = matrix->size();
    inner /= from;
    SmallVector<Value> next(outer * to * inner);
    for (size_t o = 0; o < outer; ++o)
      for (size_t i = 0; i < inner; ++i) {
        SmallVector<Value> column;
        for (size_t number = 0; number < from; ++number)
          column.push_back(vectors[(o * from + number) * inner + i]);
        SmallVector<Value> results =
            ColumnTransformer(builder, loc, *matrix, column).transform();
        for (size_t number = 0; number < to; ++number)
          next[(o * to + number) * inner + i] = results[number];
      }
    vectors = std::move(next);
    outer *= to;
  }
  return vectors;
}
