//===- Problem.cpp - A convolution as one line of text --------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/Problem.h"

#include "Text.h"

#include <algorithm>

using namespace convoy;
using namespace convoy::detail;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::string_view convoy::directionName(Direction direction, bool bias) {
  switch (direction) {
  case Direction::Forward:
    return bias ? "FWD_B" : "FWD_D";
  case Direction::BackwardData:
    return "BWD_D";
  case Direction::BackwardFilter:
    break;
  }
  return "BWD_W";
}

bool Problem::usesGroups() const {
  return shape.groups != 1 || layouts.input.hasGroups() ||
         layouts.filter.hasGroups() || layouts.output.hasGroups();
}

//===----------------------------------------------------------------------===//
// Dynamic sizes
//===----------------------------------------------------------------------===//

static bool isSpatial(char letter) {
  return letter == 'd' || letter == 'h' || letter == 'w';
}

bool Problem::isDynamic(Operand operand, char letter) const {
  bool isTap = operand == Operand::Filter && isSpatial(letter);
  return !isTap && dynamic.find(letter) != std::string::npos;
}

/// Gives `dim`, called `letter`, an input of `size` and the output of that.
static bool setInput(SpatialDim &dim, char letter, int64_t size,
                     Direction direction, std::string &error) {
  dim.input = size;
  dim.output = outputSize(size, dim.filter, dim.window);
  // A kernel computes the output's size without asking whether a window fits.
  if (dim.output == 0 &&
      padHighFor(size, dim.filter, 0, dim.window) > dim.window.padHigh)
    return fail(error, std::string("expected an input in which a window fits "
                                   "for the dynamic size '") +
                           letter + "', but got " + std::to_string(size));
  // A gradient's size follows from the output's.
  int64_t covered = padHighFor(size, dim.filter, dim.output, dim.window);
  if (direction == Direction::BackwardData && covered != dim.window.padHigh)
    return fail(error, std::string("expected an input that windows cover for "
                                   "the dynamic size '") +
                           letter + "', but got " + std::to_string(size));
  return true;
}

std::optional<Problem> convoy::withSizes(Problem problem,
                                         const std::vector<int64_t> &sizes,
                                         std::string &error) {
  if (sizes.size() != problem.dynamic.size()) {
    error = "expected " + std::to_string(problem.dynamic.size()) +
            " dynamic sizes, but got " + std::to_string(sizes.size());
    return std::nullopt;
  }
  ConvShape &shape = problem.shape;
  for (size_t number = 0; number < sizes.size(); ++number) {
    char letter = problem.dynamic[number];
    int64_t size = sizes[number];
    if (isSpatial(letter)) {
      size_t dim = spatialLetters(shape.spatialRank()).find(letter);
      if (!setInput(shape.spatial[dim], letter, size, problem.direction, error))
        return std::nullopt;
      continue;
    }
    int64_t &changed = letter == 'n'   ? shape.batch
                       : letter == 'g' ? shape.groups
                       : letter == 'c' ? shape.inputChannels
                                       : shape.outputChannels;
    changed = size;
  }
  if (std::optional<std::string> fault = checkShape(shape)) {
    error = *fault;
    return std::nullopt;
  }
  return problem;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// What integers are, and what becomes of them.
static std::string integersToString(const Problem &problem) {
  const Epilogue &epilogue = problem.epilogue;
  std::string signs = problem.inputSigned ? "s8:" : "u8:";
  signs += problem.filterSigned ? "s8" : "u8";
  std::string text = epilogue.resultType
                         ? " --dt=" + signs + ":" +
                               std::string(dataTypeName(*epilogue.resultType))
                         : " --type=i8 --signs=" + signs;
  text += " --zero-points=" + std::to_string(problem.inputZeroPoint) + ":" +
          std::to_string(problem.filterZeroPoint.value);
  if (std::string scales = scalesToString(epilogue); !scales.empty())
    text += " --attr-scales=" + scales;
  std::string attribute;
  if (problem.filterZeroPoint.isPerChannel)
    attribute = "wei:per_oc";
  const ZeroPoint &added = epilogue.resultZeroPoint;
  if (!added.isZero()) {
    attribute += attribute.empty() ? "dst:" : "+dst:";
    attribute +=
        added.isPerChannel ? "per_oc" : "common:" + std::to_string(added.value);
  }
  return attribute.empty() ? text : text + " --attr-zero-points=" + attribute;
}

static std::string flagsToString(const Problem &problem) {
  std::string text = "--dir=";
  text += directionName(problem.direction, problem.bias);
  if (problem.type == ElementType::I8)
    text += integersToString(problem);
  else if (std::optional<DataType> result = problem.epilogue.resultType)
    for (std::string_view part :
         {std::string_view(" --dt="), elementTypeName(problem.type),
          std::string_view(":"), elementTypeName(problem.type),
          std::string_view(":"), dataTypeName(*result)})
      text += part;
  else
    text.append(" --type=").append(elementTypeName(problem.type));
  if (!problem.epilogue.postOps.empty())
    text += " --attr-post-ops=" +
            toString(problem.epilogue.postOps, 2 + problem.shape.spatialRank());
  if (!problem.dynamic.empty())
    text += " --dynamic=" + problem.dynamic;
  const ConvLayouts &layouts = problem.layouts;
  return text + " --input-layout=" + layouts.input.letters() +
         " --filter-layout=" + layouts.filter.letters() +
         " --output-layout=" + layouts.output.letters();
}

/// `prefix` with each spatial letter and its value, as in "kh3kw3".
static std::string spatialToString(const ConvShape &shape, char prefix,
                                   int64_t (*value)(const SpatialDim &dim)) {
  std::string text;
  std::string_view letters = spatialLetters(shape.spatialRank());
  for (size_t i = 0; i < letters.size(); ++i)
    text.append({prefix, letters[i]})
        .append(std::to_string(value(shape.spatial[i])));
  return text;
}

static std::string descriptorToString(const Problem &problem) {
  const ConvShape &shape = problem.shape;
  auto total = [&](Operand operand, const char *letter) {
    return std::to_string(
        shape.shape(operand, Layout::fromLetters(letter)).front());
  };
  auto spatial = [&](char prefix, int64_t (*value)(const SpatialDim &dim)) {
    return spatialToString(shape, prefix, value);
  };
  auto stride = [](const SpatialDim &dim) { return dim.window.stride; };
  auto dilation = [](const SpatialDim &dim) { return dim.window.dilation - 1; };
  auto anyDim = [&](auto property) {
    return std::any_of(shape.spatial.begin(), shape.spatial.end(), property);
  };

  std::string text;
  if (shape.groups != 1)
    text += "g" + std::to_string(shape.groups);
  text += "mb" + std::to_string(shape.batch);
  text += "_ic" + total(Operand::Input, "c") +
          spatial('i', [](const SpatialDim &dim) { return dim.input; });
  text += "_oc" + total(Operand::Output, "f") +
          spatial('o', [](const SpatialDim &dim) { return dim.output; });
  text += "_" + spatial('k', [](const SpatialDim &dim) { return dim.filter; });
  if (anyDim([&](const SpatialDim &dim) { return stride(dim) != 1; }))
    text += "_" + spatial('s', stride);
  text += "_" +
          spatial('p', [](const SpatialDim &dim) { return dim.window.padLow; });
  if (anyDim([&](const SpatialDim &dim) { return dilation(dim) != 0; }))
    text += "_" + spatial('d', dilation);
  if (!problem.name.empty())
    text += "_n\"" + problem.name + "\"";
  return text;
}

std::string convoy::toString(const Problem &problem) {
  return flagsToString(problem) + " " + descriptorToString(problem);
}
