//===- ShrinkProblem.cpp - The smallest problem with a fault ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Bisect/ShrinkProblem.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::ConvShape;
using ::convoy::Problem;
using ::convoy::SpatialDim;

/// The sizes of `shape` that may become smaller on their own.
static SmallVector<int64_t *> getSizes(ConvShape &shape) {
  SmallVector<int64_t *> sizes = {&shape.batch, &shape.groups,
                                  &shape.inputChannels, &shape.outputChannels};
  for (SpatialDim &dim : shape.spatial)
    sizes.append({&dim.filter, &dim.input});
  return sizes;
}

/// Makes the outputs those of the other sizes; false where there are none.
static bool updateOutputs(ConvShape &shape) {
  for (SpatialDim &dim : shape.spatial) {
    dim.output = ::convoy::outputSize(dim.input, dim.filter, dim.window);
    dim.window.padHigh =
        ::convoy::padHighFor(dim.input, dim.filter, dim.output, dim.window);
    if (dim.output < 1)
      return false;
  }
  return true;
}

std::vector<Problem> mlir::convoy::getSmallerProblems(const Problem &problem) {
  std::vector<Problem> smaller;
  for (char letter : problem.dynamic) {
    Problem &one = smaller.emplace_back(problem);
    std::erase(one.dynamic, letter);
  }
  for (size_t step = 0; step < problem.epilogue.postOps.size(); ++step) {
    std::vector<::convoy::PostOp> &steps =
        smaller.emplace_back(problem).epilogue.postOps;
    steps.erase(steps.begin() + std::ptrdiff_t(step));
  }
  Problem copy = problem;
  for (size_t number = 0; number < getSizes(copy.shape).size(); ++number) {
    int64_t size = *getSizes(copy.shape)[number];
    // The smallest first, then less and less is taken away, to one at last.
    SmallVector<int64_t> candidates = {1};
    for (int64_t less = size / 2; less >= 1; less /= 2)
      if (size - less != candidates.back())
        candidates.push_back(size - less);
    for (int64_t candidate : candidates) {
      Problem one = problem;
      *getSizes(one.shape)[number] = candidate;
      if (candidate >= 1 && candidate < size && updateOutputs(one.shape))
        smaller.push_back(std::move(one));
    }
  }
  return smaller;
}

Problem
mlir::convoy::shrinkProblem(Problem problem, unsigned mostTries,
                            function_ref<bool(const Problem &)> hasFault) {
  // After a candidate that has it, those of the same place and behind it are
  // next, so that all sizes have their turn before one is tried again.
  std::vector<Problem> candidates = getSmallerProblems(problem);
  for (size_t place = 0, without = 0;
       without < candidates.size() && mostTries > 0; --mostTries) {
    const Problem &candidate = candidates[place % candidates.size()];
    if (!hasFault(candidate)) {
      ++place;
      ++without;
      continue;
    }
    problem = Problem(candidate);
    place %= candidates.size();
    candidates = getSmallerProblems(problem);
    without = 0;
  }
  return problem;
}
