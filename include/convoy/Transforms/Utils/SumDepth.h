//===- SumDepth.h - How often terms of sums are rounded ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The error of a sum of products is bounded by how many roundings a term
// passes on its way into the sum: as many as there are terms where they are
// added one after the other, and far fewer in a tree. docs/Numerics.md has the
// bound.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_SUMDEPTH_H
#define CONVOY_TRANSFORMS_UTILS_SUMDEPTH_H

#include "convoy/Transforms/Utils/Roundings.h"

#include "mlir/IR/Value.h"

#include <memory>
#include <optional>

namespace mlir::convoy {

/// For each value of a function on tensors, the most roundings that a term of
/// it may pass: of sums of products of the function's arguments, a term being
/// one product, with the roundings of its factors. Reductions of linalg may be
/// computed in any order, and loops as they stand. A loop that is marked as
/// independent has iterations that change no element twice.
class SumDepth {
public:
  explicit SumDepth(Block &body);
  ~SumDepth();

  /// The roundings of `value`, or nothing where it is no such sum, or where
  /// their number depends on what is not known when compiling.
  std::optional<Roundings> getRoundings(Value value) const;

private:
  class Evaluator;
  std::unique_ptr<Evaluator> evaluator;
};

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_SUMDEPTH_H
