//===- AnyProblem.h - Problems of all kinds ---------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_SUPPORT_ANYPROBLEM_H
#define CONVOY_SUPPORT_ANYPROBLEM_H

#include "convoy/Support/DeformProblem.h"
#include "convoy/Support/FoldProblem.h"
#include "convoy/Support/PaddedProblem.h"
#include "convoy/Support/SampleProblem.h"

#include <variant>

namespace convoy {

/// A convolution, or a problem that is made into a function of other ops.
using AnyProblem = std::variant<Problem, SampleProblem, FoldProblem,
                                DeformProblem, PaddedProblem>;

std::string toString(const AnyProblem &problem);
/// The name of the layer; empty where the text gives none.
const std::string &layerName(const AnyProblem &problem);

/// `parseProblems` and `parseProblemFile` for problems of all kinds.
std::optional<std::vector<AnyProblem>>
parseAnyProblems(std::string_view line, const ProblemDefaults &defaults,
                 std::string &error);
std::optional<std::vector<AnyProblem>>
parseAnyProblemFile(std::string_view text, const ProblemDefaults &defaults,
                    std::string &error);

/// Checks that one of `problems` at least has bytes where `defaults` are flags
/// of such: scales, signs and zero points.
bool checkDefaults(const ProblemDefaults &defaults,
                   const std::vector<AnyProblem> &problems, std::string &error);

} // namespace convoy

#endif // CONVOY_SUPPORT_ANYPROBLEM_H
