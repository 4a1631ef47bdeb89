//===- ProblemFuzzer.cpp - Any bytes as a problem -------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever the input, the parser either gives legal problems, which print and
// parse back to themselves, or one line of error. Sizes that it lets through do
// not overflow in any direction.
//
//   build/test/fuzz/ProblemFuzzer -dict=test/fuzz/problem.dict CORPUS
//
//===----------------------------------------------------------------------===//

#include "FuzzSupport.h"
#include "convoy/Support/Problem.h"

#include <algorithm>

using namespace convoy;

static void checkRoundTrip(const Problem &problem) {
  std::string text = toString(problem), error;
  auto problems = parseProblems(text, ProblemDefaults(), error);
  require(problems.has_value(), "a printed problem does not parse", text);
  require(problems->size() == 1 && problems->front() == problem,
          "a printed problem is another one", text);
}

static void checkGeometry(const SpatialDim &dim, const std::string &text) {
  if (dim.output == 0)
    return;
  WindowDim data =
      backwardDataWindow(dim.input, dim.filter, dim.output, dim.window);
  require(outputSize(dim.output, dim.filter, data) == dim.input,
          "backward-data has another input size", text);
  WindowDim filter =
      backwardFilterWindow(dim.input, dim.filter, dim.output, dim.window);
  require(outputSize(dim.input, dim.output, filter) == dim.filter,
          "backward-filter has another filter size", text);

  constexpr int64_t MostPhases = 1000;
  if (std::max(dim.input, dim.filter) > MostPhases)
    return;
  int64_t positions = 0;
  for (const WindowPhase &phase :
       splitPhases(dim.output, dim.filter, dim.input, data))
    positions += phase.outputCount;
  require(positions == dim.input, "the phases miss positions", text);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view text(reinterpret_cast<const char *>(data), size);
  std::string error;
  auto problems = parseProblemFile(text, ProblemDefaults(), error);
  if (!problems) {
    checkError(error);
    return 0;
  }
  for (const Problem &problem : *problems) {
    std::string printed = toString(problem);
    require(!checkShape(problem.shape), "the shape is not legal", printed);
    for (const SpatialDim &dim : problem.shape.spatial)
      checkGeometry(dim, printed);
    checkRoundTrip(problem);
  }
  return 0;
}
