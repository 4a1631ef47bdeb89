//===- DrawCase.h - Cases at random, biased to edges ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_FUZZ_DRAWCASE_H
#define CONVOY_TOOLS_CONVOY_FUZZ_DRAWCASE_H

#include "FuzzCase.h"

#include "convoy/Support/RandomNumbers.h"

namespace convoy {

/// What cases are drawn from.
struct DrawOptions {
  std::vector<Direction> directions = {
      Direction::Forward, Direction::BackwardData, Direction::BackwardFilter};
  std::vector<ElementType> types = {ElementType::F32, ElementType::F64,
                                    ElementType::F16, ElementType::BF16,
                                    ElementType::I8};
  std::vector<FuzzOp> ops = {FuzzOp::Convolution, FuzzOp::Padded,
                             FuzzOp::Samples, FuzzOp::Deformed, FuzzOp::Folded};
  /// The most multiply-adds of a case, and elements of each operand.
  double maxWork = 1e6;
};

/// Draws a case of medium size, for whose form a compiler takes whole tiles.
FuzzCase drawCase(RandomNumbers &random, const DrawOptions &options);

/// Draws the sizes of `fuzzCase` anew: most are small, and some lie at, below
/// or above multiples of `steps`, those of the tiles that the compiler took.
void moveToEdges(FuzzCase &fuzzCase, const std::vector<int64_t> &steps,
                 RandomNumbers &random, const DrawOptions &options);

/// Draws the precision, and which sizes are not known when the case is
/// compiled.
void drawKnowledge(FuzzCase &fuzzCase, RandomNumbers &random,
                   const DrawOptions &options);

/// Draws what becomes of the sums of some cases, whose data and dynamic sizes
/// are known.
void drawEpilogue(FuzzCase &fuzzCase, RandomNumbers &random);

/// Draws how kernels compute sums, and lets the windows of some cases be those
/// of Winograd's algorithm.
void drawAlgorithm(FuzzCase &fuzzCase, RandomNumbers &random,
                   const DrawOptions &options);

/// Lets some cases be of another op, of `options.ops`.
void drawOp(FuzzCase &fuzzCase, RandomNumbers &random,
            const DrawOptions &options);

/// Lets arguments of some cases in f16 and bf16 declare ranges, most of which
/// sum with policy low.
void drawRanges(FuzzCase &fuzzCase, RandomNumbers &random);

/// Draws anew the ranges that `fuzzCase` declares: with its sizes, largest sums
/// are around the largest number of f16, and smallest products around its
/// smallest normal one.
void moveRangesToEdge(FuzzCase &fuzzCase, RandomNumbers &random);

/// Draws what kernels of dynamic sizes run on, most of it at the edges of
/// tiles.
void drawRuns(FuzzCase &fuzzCase, const std::vector<int64_t> &steps,
              RandomNumbers &random, const DrawOptions &options);

} // namespace convoy

#endif // CONVOY_TOOLS_CONVOY_FUZZ_DRAWCASE_H
