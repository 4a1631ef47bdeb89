//===- MergingTest.cpp - Merged cases against enumeration -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Terms/Merging.h"
#include "SolverTest.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"

#include <algorithm>
#include <set>

using namespace mlir;
using namespace mlir::convoy::certify;
using namespace mlir::convoy::certify::test;

namespace {

class MergingTest : public SolverTest {
protected:
  static constexpr int64_t NumTiles = 3, MostRows = 2;

  ExprRef makeValue(const LinearExpr &number) {
    return makeNumber(number, builder.getIndexType());
  }

  static int64_t getValue(const Expr &value, const OrderedPoint &point) {
    if (value.kind == Expr::Kind::Constant)
      return cast<IntegerAttr>(value.constant).getInt();
    return evaluate(value.indices.front(), point).value();
  }

  /// One piece for each of `size` places in tiles of x, which stands in for
  /// itself or as its tile and the place; it may have a row, x + y rounded down
  /// to multiples of `width`. One of them may be another value.
  Pieces drawTile(LinearExpr x, LinearExpr y, int64_t size, int64_t width) {
    int64_t ofTile = draw(0, 2), ofRow = draw(0, 2), ofPlace = draw(0, 2);
    int64_t wrong = draw(0, 2 * size);
    bool hasRow = draw(0, 1) == 0;
    Pieces pieces;
    for (int64_t place = 0; place < size; ++place) {
      SmallVector<Var> locals = makeVars(hasRow ? 2 : 1);
      LinearExpr tile = LinearExpr::var(locals[0]);
      LinearExpr written = tile * DynamicAPInt(size) + LinearExpr(place);
      Piece piece{locals, {}, nullptr};
      piece.domain.addEqual(x, written);
      piece.domain.addRange(0, tile, NumTiles);
      LinearExpr number = tile * DynamicAPInt(ofTile) +
                          written * DynamicAPInt(ofPlace) +
                          LinearExpr(place == wrong ? 1 : 0);
      if (hasRow) {
        LinearExpr row = LinearExpr::var(locals[1]);
        piece.domain.addRange(0, written + y - row * DynamicAPInt(width),
                              width);
        number += row * DynamicAPInt(ofRow);
      }
      piece.value = makeValue(number);
      pieces.push_back(std::move(piece));
    }
    std::shuffle(pieces.begin(), pieces.end(), random);
    return pieces;
  }

  /// The values that `pieces` have at `point`, each as often as it is there.
  static std::multiset<int64_t> getValues(const Pieces &pieces,
                                          const OrderedPoint &point) {
    std::multiset<int64_t> values;
    for (const Piece &piece : pieces)
      forEachPoint(piece.locals, 0, 12, piece.domain, point,
                   [&](const OrderedPoint &found) {
                     values.insert(getValue(*piece.value, found));
                   });
    return values;
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  Builder builder{&context};
};

TEST_F(MergingTest, MergesTiles) {
  int64_t numTiles = 0, numMerged = 0;
  for (int round = 0; round < 400; ++round) {
    SmallVector<Var> others = makeVars(2);
    int64_t size = draw(2, 4), width = draw(2, 5);
    Pieces pieces = drawTile(LinearExpr::var(others[0]),
                             LinearExpr::var(others[1]), size, width);
    Pieces merged = pieces;
    for (Piece &piece : merged)
      EXPECT_TRUE(compact(piece)) << "round " << round;
    mergeNeighbours(merged);
    ++numTiles;
    numMerged += merged.size() == 1;
    forEachPoint({others[0]}, 0, 12, {}, {}, [&](OrderedPoint point) {
      for (int64_t y = 0; y <= MostRows; ++y) {
        point[others[1]] = y;
        EXPECT_EQ(getValues(pieces, point), getValues(merged, point))
            << "round " << round;
      }
    });
  }
  EXPECT_GT(numMerged, numTiles / 4);
}

// Terms of a sum are as many as before.
TEST_F(MergingTest, MergesTerms) {
  int64_t numBefore = 0, numAfter = 0;
  for (int round = 0; round < 400; ++round) {
    SmallVector<Var> others = makeVars(1), inner = makeVars(1);
    int64_t size = draw(2, 4), width = draw(2, 5);
    Families families;
    for (Piece &piece : drawTile(LinearExpr::var(others[0]),
                                 LinearExpr::var(inner[0]), size, width)) {
      piece.locals.push_back(inner[0]);
      piece.domain.addRange(0, LinearExpr::var(inner[0]), MostRows + 1);
      families.push_back({piece.locals, piece.domain, piece.value});
    }
    auto getTerms = [](const Families &terms) {
      Pieces pieces;
      for (const Family &family : terms)
        pieces.push_back({family.instance, family.domain, family.term});
      return pieces;
    };
    Families merged = families;
    mergeNeighbours(merged);
    numBefore += families.size();
    numAfter += merged.size();
    forEachPoint(others, 0, 12, {}, {}, [&](const OrderedPoint &point) {
      EXPECT_EQ(getValues(getTerms(families), point),
                getValues(getTerms(merged), point))
          << "round " << round;
    });
  }
  EXPECT_LT(numAfter, numBefore / 2);
}

} // namespace
