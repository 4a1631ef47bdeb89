//===- DeformProblem.h - A deformable convolution as one line ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A problem in words of our own beside those of a convolution. See
// docs/Problems.md.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_SUPPORT_DEFORMPROBLEM_H
#define CONVOY_SUPPORT_DEFORMPROBLEM_H

#include "convoy/Support/Problem.h"

namespace convoy {

/// What is computed: the convolution, or its gradient by one of its arguments.
enum class DeformDirection { Forward, Input, Filter, Offset, Mask };

/// What `--dir=` calls `direction`: "FWD_D", "BWD_D", "BWD_W", "BWD_OFFSET" or
/// "BWD_MASK".
std::string_view directionName(DeformDirection direction);

/// A convolution each tap of which reads the input at an offset.
struct DeformProblem {
  DeformDirection direction = DeformDirection::Forward;
  /// Forward, of two dimensions, without a name; also of gradients, which have
  /// no bias.
  Problem conv;
  /// Groups of channels that are moved alike.
  int64_t offsetGroups = 1;
  bool hasMask = false;
  /// Of offset and mask.
  ElementType offsetType = ElementType::F32;
  Layout offsetLayout;
  std::string name; ///< of the layer; may be empty

  /// The sizes of the offset in the order of its layout, and of the mask.
  std::vector<int64_t> offsetShape() const;
  std::vector<int64_t> maskShape() const;

  bool operator==(const DeformProblem &other) const = default;
};

/// Whether `line` is such a problem: it has the word `--deform-conv`.
bool isDeformProblem(std::string_view line);

/// Parses a line that is: a problem for each direction. On failure returns
/// nothing and puts one sentence into `error`.
std::optional<std::vector<DeformProblem>>
parseDeformProblems(std::string_view line, const ProblemDefaults &defaults,
                    std::string &error);

/// The problem as one line, which parses back to an equal problem whatever
/// defaults hold but that of --mb.
std::string toString(const DeformProblem &problem);

} // namespace convoy

#endif // CONVOY_SUPPORT_DEFORMPROBLEM_H
