//===- FoldProblem.h - Windows of an image as one line ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A problem in words of our own, with fields of benchdnn's. See
// docs/Problems.md.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_SUPPORT_FOLDPROBLEM_H
#define CONVOY_SUPPORT_FOLDPROBLEM_H

#include "convoy/Support/Problem.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace convoy {

/// Windows that are added up where they overlap in an image: col2im; or that
/// are read from one: im2col.
struct FoldProblem {
  /// im2col: rows are made of the image.
  bool isUnfold = false;
  ElementType type = ElementType::F32;
  /// The convolution, of one group, over whose windows the rows go; its input
  /// is the image.
  ConvShape shape;
  Layout imageLayout;
  RowsLayout rowsLayout;
  std::string name; ///< of the layer; may be empty

  /// The sizes of a tensor in the order of its layout.
  std::vector<int64_t> imageShape() const;
  std::vector<int64_t> rowsShape() const;

  bool operator==(const FoldProblem &other) const = default;
};

/// Whether `line` asks for that: it has the word `--col2im` or `--im2col`.
bool isFoldProblem(std::string_view line);

/// Parses a line that does. On failure returns nothing and puts one sentence
/// into `error`.
std::optional<FoldProblem> parseFoldProblem(std::string_view line,
                                            const ProblemDefaults &defaults,
                                            std::string &error);

/// The problem as one line, which parses back to an equal problem whatever
/// defaults hold but that of --mb.
std::string toString(const FoldProblem &problem);

} // namespace convoy

#endif // CONVOY_SUPPORT_FOLDPROBLEM_H
