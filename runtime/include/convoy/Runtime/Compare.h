//===- Compare.h - Is this the convolution's result? ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares what a target computed with the reference, element by element,
// against the derived bound. There is no tolerance to choose.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_COMPARE_H
#define CONVOY_RUNTIME_COMPARE_H

#include "convoy/Runtime/CompareReport.h"
#include "convoy/Runtime/ErrorBound.h"
#include "convoy/Runtime/Reference.h"

#include <vector>

namespace convoy {

struct CompareOptions {
  TargetArithmetic target = {};
  /// What is known of how the kernel sums, see ErrorBound.
  std::vector<SumLevel> sums = {};
  /// Floating-point results must be equal, up to the sign of zero: for data
  /// whose sums are exact (DataGenerator::isExact).
  bool exact = false;
  /// The data were drawn at random, so that rounding errors are as good as
  /// random, too: results that these are not likely to explain are suspicious.
  bool drawn = false;
  /// The result's, to name its elements in; with flat channels where it has no
  /// `g`. Without, elements are named by all letters that tell them apart.
  Layout layout = {};
  /// Whether CompareReport::survey is wanted; needs a layout.
  bool survey = false;
  /// Threads of what is computed for the comparison alone, as
  /// ReferenceOptions::threads.
  int threads = 0;
};

/// The stages of the sum at `place`.
PerStage<SumStage> getStages(const PerStage<ReferenceStage> &stages,
                             size_t place);

/// What `reference` knows of the sum at `place`.
SumFacts getSumFacts(const ReferenceResult &reference, size_t place);

/// Whether integers, if sums of them are exact, stay so on the way that a
/// kernel takes (takeWinogradSums). They do on every other way.
bool sumsStayExact(const ReferenceResult &reference);

/// Compares the result at `actual`, addressed by `index`, with `reference`,
/// which was computed for `direction` and `numerics`, with operand sums where
/// the target flushes subnormal numbers.
///
/// Floating-point results are refused where the bound of the longest sum is
/// useless, in exact mode where the sums are too large to be exact, and where
/// nothing was compared (ReportBuilder::finish).
/// Integers must be equal modulo 2^32.
CompareReport
compareWithReference(const ReferenceResult &reference, Direction direction,
                     const ConvNumerics &numerics, const OperandIndex &index,
                     const void *actual, const CompareOptions &options = {});

} // namespace convoy

#endif // CONVOY_RUNTIME_COMPARE_H
