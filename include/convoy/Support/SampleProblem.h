//===- SampleProblem.h - Samples of an image as one line --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A problem in words of our own, beside those of benchdnn and MIOpenDriver. See
// docs/Problems.md.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_SUPPORT_SAMPLEPROBLEM_H
#define CONVOY_SUPPORT_SAMPLEPROBLEM_H

#include "convoy/Support/Problem.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace convoy {

/// How a sample is made of the elements around it, and what lies around images.
enum class SampleMode { Linear, Nearest, Cubic };
enum class SamplePadding { Zeros, Border, Reflection };

/// "linear", "nearest" or "cubic".
std::string_view sampleModeName(SampleMode mode);
/// "zeros", "border" or "reflection".
std::string_view samplePaddingName(SamplePadding padding);

/// Samples of images at the positions of a grid, or a gradient of them.
struct SampleProblem {
  /// Of backward directions, the data are the images, and the grid stands in
  /// the place of the filter.
  Direction direction = Direction::Forward;
  SampleMode mode = SampleMode::Linear;
  SamplePadding padding = SamplePadding::Zeros;
  bool alignCorners = false;
  ElementType type = ElementType::F32, gridType = ElementType::F32;
  int64_t batch = 1, channels = 1;
  /// Spatial sizes of the images and of the samples, outermost first.
  std::vector<int64_t> image, samples;
  /// The grid's c are the coordinates; so are the samples' the channels.
  Layout imageLayout, gridLayout, sampleLayout;
  std::string name; ///< of the layer; may be empty

  int spatialRank() const { return static_cast<int>(image.size()); }
  /// The sizes of a tensor in the order of its layout.
  std::vector<int64_t> imageShape() const;
  std::vector<int64_t> gridShape() const;
  std::vector<int64_t> sampleShape() const;

  bool operator==(const SampleProblem &other) const = default;
};

/// Whether `line` asks for samples: it has the word `--grid-sample`.
bool isSampleProblem(std::string_view line);

/// Parses a line that does: a problem for each direction. On failure returns
/// nothing and puts one sentence into `error`.
std::optional<std::vector<SampleProblem>>
parseSampleProblems(std::string_view line, const ProblemDefaults &defaults,
                    std::string &error);

/// The problem as one line, which parses back to an equal problem whatever
/// defaults hold but that of --mb.
std::string toString(const SampleProblem &problem);

} // namespace convoy

#endif // CONVOY_SUPPORT_SAMPLEPROBLEM_H
