//===- IndexRelationTest.cpp - Index relations against plain loops --------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Terms.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

using namespace convoy;
using namespace convoy::test;

namespace {

/// Position of the element whose dimensions have the indices `at`, by letter.
int64_t locate(const ConvCase &conv, Operand operand,
               const std::map<char, int64_t> &at) {
  std::vector<int64_t> index;
  for (char letter : conv.layouts[operand].letters())
    index.push_back(at.at(letter));
  return linearize(index, conv.shape.shape(operand, conv.layouts[operand]));
}

/// The terms by the definition e*i = s*o + d*k' - pl, 0 <= i < I.
std::vector<Term> defineTerms(const ConvCase &conv) {
  const ConvShape &shape = conv.shape;
  std::vector<int64_t> sizes = {shape.batch, shape.groups, shape.inputChannels,
                                shape.outputChannels};
  for (const SpatialDim &dim : shape.spatial) {
    sizes.push_back(dim.output);
    sizes.push_back(dim.filter);
  }
  std::vector<Term> terms;
  forEachIndex(sizes, [&](llvm::ArrayRef<int64_t> point) {
    std::map<char, int64_t> input = {
        {'n', point[0]}, {'g', point[1]}, {'c', point[2]}, {'f', point[3]}};
    std::map<char, int64_t> filter = input, output = input;
    for (size_t i = 0; i < shape.spatial.size(); ++i) {
      const SpatialDim &dim = shape.spatial[i];
      char letter = spatialLetters(shape.spatialRank())[i];
      int64_t o = output[letter] = point[4 + 2 * i];
      int64_t k = filter[letter] = point[5 + 2 * i];
      int64_t placed = dim.window.reverse ? dim.filter - 1 - k : k;
      int64_t dilated = dim.window.stride * o + dim.window.dilation * placed -
                        dim.window.padLow;
      int64_t position = dilated / dim.window.inputDilation;
      if (dilated < 0 || position >= dim.input ||
          position * dim.window.inputDilation != dilated)
        return;
      input[letter] = position;
    }
    terms.push_back({locate(conv, Operand::Input, input),
                     locate(conv, Operand::Filter, filter),
                     locate(conv, Operand::Output, output)});
  });
  std::sort(terms.begin(), terms.end());
  return terms;
}

TEST(IndexRelationTest, HasTheTermsOfTheDefinition) {
  mlir::MLIRContext context;
  context.loadDialect<mlir::convoy::ConvoyDialect, mlir::func::FuncDialect>();
  std::mt19937 random(1);
  for (int rank = 1; rank <= 3; ++rank)
    for (int repeat = 0; repeat < 100; ++repeat)
      for (Direction direction : {Direction::Forward, Direction::BackwardData,
                                  Direction::BackwardFilter}) {
        ConvCase conv{direction, randomShape(rank, random),
                      randomLayouts(rank, random)};
        auto module = mlir::OwningOpRef<mlir::ModuleOp>(
            mlir::ModuleOp::create(mlir::UnknownLoc::get(&context)));
        mlir::func::FuncOp func = buildFunction(*module, conv);
        ASSERT_TRUE(mlir::succeeded(func.verify())) << conv;
        ASSERT_EQ(enumerateTerms(getConvolution(func)), defineTerms(conv))
            << conv;
      }
}

} // namespace
