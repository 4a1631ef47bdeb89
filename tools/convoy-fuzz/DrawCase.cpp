//===- DrawCase.cpp - Cases at random, biased to edges ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DrawCase.h"

#include "convoy/Support/Algorithm.h"

#include <algorithm>
#include <initializer_list>
#include <limits>

using namespace convoy;

namespace {
class Drawer {
public:
  Drawer(RandomNumbers &random, const DrawOptions &options)
      : random(random), options(options) {}

  FuzzCase drawCase();
  /// Draws small sizes, then sizes from `steps` for some dimensions.
  void drawSizes(ConvShape &shape, const std::vector<int64_t> &steps);
  void drawKnowledge(FuzzCase &fuzzCase);
  void drawRuns(FuzzCase &fuzzCase, const std::vector<int64_t> &steps);
  void drawAlgorithm(FuzzCase &fuzzCase);
  void drawOp(FuzzCase &fuzzCase);

private:
  template <typename T>
  T pick(const std::vector<T> &choices) {
    return choices[static_cast<size_t>(random.below(std::ssize(choices)))];
  }
  int64_t pick(std::initializer_list<int64_t> choices) {
    return pick(std::vector<int64_t>(choices));
  }
  bool isOneOf(int count) { return random.below(count) == 0; }

  /// Makes an input that has `output` positions.
  void setOutput(SpatialDim &dim, int64_t output);
  void drawNumerics(FuzzCase &fuzzCase);
  Layout drawLayout(Operand operand, int spatialRank, bool hasGroups);
  ConvLayouts drawLayouts(int spatialRank, bool hasGroups);
  WindowDim drawWindow(int64_t filter);
  ConvShape drawShape(int spatialRank);
  int64_t drawEdge(const std::vector<int64_t> &steps);
  void drawEdges(ConvShape &shape, const std::vector<int64_t> &steps);
  /// A size for dimension `letter` of what is compiled as `problem`.
  int64_t drawSize(const Problem &problem, char letter,
                   const std::vector<int64_t> &steps);

  RandomNumbers &random;
  const DrawOptions &options;
};
} // namespace

void Drawer::setOutput(SpatialDim &dim, int64_t output) {
  int64_t least = transposedSize(output, dim.filter, dim.window);
  dim.input = std::max<int64_t>(1, least + random.below(dim.window.stride));
}

void Drawer::drawNumerics(FuzzCase &fuzzCase) {
  Problem &problem = fuzzCase.problem;
  problem.type = isOneOf(2) ? options.types.front() : pick(options.types);
  problem.bias = problem.direction == Direction::Forward && isOneOf(6);
  static const std::vector<DataKind> Kinds = {
      DataKind::Uniform, DataKind::Normal, DataKind::Range, DataKind::Cancel,
      DataKind::Special};
  fuzzCase.data = isOneOf(2) ? pick(Kinds) : DataKind::Int;
  fuzzCase.seed = static_cast<uint64_t>(random.below(1000));
  if (problem.type != ElementType::I8)
    return;
  fuzzCase.data = DataKind::Int;
  problem.inputSigned = isOneOf(2);
  problem.filterSigned = isOneOf(2);
  if (isOneOf(2))
    return;
  problem.inputZeroPoint = random.below(256) - (problem.inputSigned ? 128 : 0);
  problem.filterZeroPoint.value =
      random.below(256) - (problem.filterSigned ? 128 : 0);
  if (problem.direction != Direction::BackwardFilter && isOneOf(3))
    problem.filterZeroPoint = {0, true};
}

Layout Drawer::drawLayout(Operand operand, int spatialRank, bool hasGroups) {
  std::string letters = operand == Operand::Input    ? "nc"
                        : operand == Operand::Filter ? "fc"
                                                     : "nf";
  letters += spatialLetters(spatialRank);
  if (hasGroups)
    letters += "g";
  for (size_t left = letters.size(); left > 1; --left)
    std::swap(letters[left - 1], letters[random.below(int64_t(left))]);
  return Layout::fromLetters(letters);
}

ConvLayouts Drawer::drawLayouts(int spatialRank, bool hasGroups) {
  std::string letters(spatialLetters(spatialRank));
  switch (random.below(4)) {
  case 0:
    return getUsualLayouts(spatialRank);
  case 1:
    return {Layout::fromLetters("nc" + letters),
            Layout::fromLetters("fc" + letters),
            Layout::fromLetters("nf" + letters)};
  default:
    auto draw = [&](Operand operand) {
      return drawLayout(operand, spatialRank, hasGroups && isOneOf(3));
    };
    Layout input = draw(Operand::Input), filter = draw(Operand::Filter);
    return {input, filter, draw(Operand::Output)};
  }
}

WindowDim Drawer::drawWindow(int64_t filter) {
  WindowDim window;
  window.stride = pick({1, 1, 1, 2, 2, 3, 5});
  window.dilation = pick({1, 1, 1, 2, 3});
  int64_t extent = dilatedSize(filter, window.dilation);
  auto drawPadding = [&] {
    switch (random.below(6)) {
    case 0:
      return -1 - int64_t(random.below(2));
    case 1:
      return extent + random.below(3);
    default:
      return int64_t(random.below(extent));
    }
  };
  window.padLow = drawPadding();
  window.padHigh = drawPadding();
  return window;
}

ConvShape Drawer::drawShape(int spatialRank) {
  ConvShape shape;
  shape.groups = pick({1, 1, 1, 1, 2, 3, 4, 8});
  shape.batch = pick({1, 1, 2, 3});
  shape.inputChannels = pick({16, 24, 32, 64});
  shape.outputChannels = pick({16, 32, 48, 64});
  if (isOneOf(6)) {
    // Depthwise, perhaps with a multiplier.
    shape.groups = pick({8, 16, 24, 33});
    shape.inputChannels = 1;
    shape.outputChannels = pick({1, 1, 2, 3});
  }
  for (int i = 0; i < spatialRank; ++i) {
    SpatialDim dim;
    dim.filter = pick({1, 1, 2, 3, 3, 4, 5, 7});
    dim.window = drawWindow(dim.filter);
    setOutput(dim, pick({7, 12, 14}));
    shape.spatial.push_back(dim);
  }
  return shape;
}

FuzzCase Drawer::drawCase() {
  FuzzCase fuzzCase;
  Problem &problem = fuzzCase.problem;
  do {
    int spatialRank = static_cast<int>(pick({1, 1, 2, 2, 2, 3}));
    problem.direction = pick(options.directions);
    problem.shape = drawShape(spatialRank);
    problem.layouts = drawLayouts(spatialRank, problem.shape.groups > 1);
  } while (!settle(problem));
  drawNumerics(fuzzCase);
  fuzzCase.threads = static_cast<int>(pick({1, 1, 1, 2, 3, 4}));
  fuzzCase.packedFilters = isOneOf(6) && !problem.filterZeroPoint.isPerChannel;
  fuzzCase.optLevel = static_cast<int>(pick({0, 3}));
  return fuzzCase;
}

/// A size at a multiple of a step, or beside it.
int64_t Drawer::drawEdge(const std::vector<int64_t> &steps) {
  int64_t multiple = pick(steps);
  multiple *= pick({1, 1, 2, 3});
  return std::max<int64_t>(1, multiple + pick({-1, 0, 1}));
}

void Drawer::drawEdges(ConvShape &shape, const std::vector<int64_t> &steps) {
  int64_t count = 1 + random.below(3);
  for (int64_t i = 0; i < count; ++i) {
    int64_t edge = drawEdge(steps);
    switch (int which = random.below(4 + 2 * shape.spatialRank())) {
    case 0:
      shape.inputChannels = edge;
      break;
    case 1:
      shape.outputChannels = edge;
      break;
    case 2:
      shape.batch = edge;
      break;
    case 3:
      (shape.groups > 1 ? shape.groups : shape.outputChannels) = edge;
      break;
    default:
      SpatialDim &dim = shape.spatial[(which - 4) / 2];
      setOutput(dim, edge);
    }
  }
}

void Drawer::drawSizes(ConvShape &shape, const std::vector<int64_t> &steps) {
  bool isDepthwise = shape.inputChannels == 1;
  shape.batch = pick({1, 1, 2, 3});
  shape.groups = shape.groups > 1 ? pick({2, 3, 4, 5}) : 1;
  shape.inputChannels = isDepthwise ? 1 : 1 + random.below(6);
  shape.outputChannels =
      isDepthwise ? 1 + random.below(2) : 1 + random.below(6);
  for (SpatialDim &dim : shape.spatial)
    setOutput(dim, 1 + random.below(6));
  drawEdges(shape, steps);
}

void Drawer::drawKnowledge(FuzzCase &fuzzCase) {
  if (isOneOf(6))
    fuzzCase.precision = isOneOf(2) ? "low" : "high";
  if (!isOneOf(4))
    return;
  std::string &letters = fuzzCase.problem.dynamic;
  for (char letter : {'n', 'g', 'c', 'f', 'd', 'h', 'w'}) {
    bool isDrawn = letter == 'n' ? !isOneOf(4) : isOneOf(3);
    if (!isDrawn)
      continue;
    letters += letter;
    if (!settle(fuzzCase.problem))
      letters.pop_back();
  }
  // Packed filters have sizes that are known.
  if (letters.find_first_of("gcf") != std::string::npos)
    fuzzCase.packedFilters = false;
}

int64_t Drawer::drawSize(const Problem &problem, char letter,
                         const std::vector<int64_t> &steps) {
  constexpr int Small = 6;
  int64_t size = isOneOf(2) ? drawEdge(steps) : 1 + random.below(Small);
  const ConvShape &shape = problem.shape;
  size_t place = spatialLetters(shape.spatialRank()).find(letter);
  if (place == std::string_view::npos)
    return letter == 'n' && isOneOf(8) ? 0 : size;
  SpatialDim dim = shape.spatial[place];
  setOutput(dim, size);
  if (problem.direction == Direction::BackwardData)
    dim.input = transposedSize(size, dim.filter, dim.window);
  return dim.input;
}

/// The multiply-adds of `shape`, with an image at least, or the elements of an
/// operand that has more: in padding alone few are multiplied.
static double getWork(ConvShape shape) {
  shape.batch = std::max<int64_t>(shape.batch, 1);
  double work = shape.multiplyAdds();
  for (Operand operand : {Operand::Input, Operand::Filter, Operand::Output})
    work = std::max(work, double(shape.elementCount(operand).value_or(
                              std::numeric_limits<int64_t>::max())));
  return work;
}

/// The same of `fuzzCase`. On GPUs gradients of what is read at computed
/// positions look at all of these for each element, which takes less than a
/// multiply-add.
static double getWork(const FuzzCase &fuzzCase) {
  const ConvShape &shape = fuzzCase.problem.shape;
  double work = getWork(shape);
  bool isComputed =
      fuzzCase.op == FuzzOp::Samples || fuzzCase.op == FuzzOp::Deformed;
  if (!isComputed || fuzzCase.problem.direction != Direction::BackwardData)
    return work;
  constexpr double LooksOfProduct = 64;
  double looks = double(shape.elementCount(Operand::Input)
                            .value_or(std::numeric_limits<int64_t>::max()));
  for (const SpatialDim &dim : shape.spatial)
    looks *= double(dim.output) * double(dim.filter);
  return std::max(work, looks / LooksOfProduct);
}

void Drawer::drawRuns(FuzzCase &fuzzCase, const std::vector<int64_t> &steps) {
  const Problem &problem = fuzzCase.problem;
  if (problem.dynamic.empty())
    return;
  size_t count = 2 + static_cast<size_t>(random.below(2));
  constexpr int Tries = 100;
  for (int i = 0; i < Tries && fuzzCase.sizes.size() < count; ++i) {
    std::vector<int64_t> sizes;
    for (char letter : problem.dynamic)
      sizes.push_back(drawSize(problem, letter, steps));
    std::string error;
    std::optional<Problem> run = withSizes(problem, sizes, error);
    if (run && getWork(run->shape) <= options.maxWork)
      fuzzCase.sizes.push_back(std::move(sizes));
  }
}

/// Whether Winograd's algorithm can compute the case but for its windows.
static bool canBeWinograd(const FuzzCase &fuzzCase) {
  const Problem &problem = fuzzCase.problem;
  return problem.type == ElementType::F32 &&
         problem.direction != Direction::BackwardFilter &&
         problem.shape.groups == 1 && fuzzCase.precision != "high" &&
         (problem.dynamic.empty() || problem.dynamic == "n");
}

void Drawer::drawAlgorithm(FuzzCase &fuzzCase) {
  if (!canBeWinograd(fuzzCase) || !isOneOf(3)) {
    if (isOneOf(8))
      fuzzCase.algorithm = "auto";
    return;
  }
  FuzzCase changed = fuzzCase;
  for (SpatialDim &dim : changed.problem.shape.spatial) {
    dim.filter = kWinogradTaps;
    dim.window.stride = dim.window.dilation = 1;
    dim.window.padLow = std::min(dim.window.padLow, dim.filter);
    dim.window.padHigh = std::min(dim.window.padHigh, dim.filter);
    setOutput(dim, dim.output);
  }
  // Kernels for large tiles of three dimensions take long to compile.
  changed.algorithm =
      changed.problem.shape.spatialRank() == 3
          ? "winograd:2"
          : pick(std::vector<std::string>{"winograd", "winograd:2",
                                          "winograd:4", "winograd:6"});
  if (settle(changed.problem) && !getRuns(changed).empty())
    fuzzCase = std::move(changed);
}

/// `problem` with nothing but sizes, a window, layouts, type and direction.
static Problem getPlain(Problem problem) {
  problem.bias = false;
  problem.epilogue = {};
  problem.dynamic.clear();
  problem.inputSigned = problem.filterSigned = true;
  problem.inputZeroPoint = 0;
  problem.filterZeroPoint = {};
  return problem;
}

void Drawer::drawOp(FuzzCase &fuzzCase) {
  FuzzCase plain;
  plain.problem = getPlain(fuzzCase.problem);
  plain.threads = fuzzCase.threads;
  plain.optLevel = fuzzCase.optLevel;
  plain.data = fuzzCase.data;
  plain.seed = fuzzCase.seed;
  if (plain.data == DataKind::Int && isOneOf(3) &&
      plain.problem.type != ElementType::I8)
    plain.data = DataKind::Edge;
  constexpr int Forms = 1 << 16;
  plain.form = random.below(Forms);
  plain.op = pick(options.ops);
  bool isAsked = std::ranges::count(options.ops, FuzzOp::Convolution) == 0;
  if (plain.op != FuzzOp::Convolution && (isAsked || isOneOf(2)) &&
      getProblem(plain))
    fuzzCase = std::move(plain);
}

FuzzCase convoy::drawCase(RandomNumbers &random, const DrawOptions &options) {
  return Drawer(random, options).drawCase();
}

void convoy::drawKnowledge(FuzzCase &fuzzCase, RandomNumbers &random,
                           const DrawOptions &options) {
  Drawer(random, options).drawKnowledge(fuzzCase);
}

void convoy::drawAlgorithm(FuzzCase &fuzzCase, RandomNumbers &random,
                           const DrawOptions &options) {
  Drawer(random, options).drawAlgorithm(fuzzCase);
}

void convoy::drawOp(FuzzCase &fuzzCase, RandomNumbers &random,
                    const DrawOptions &options) {
  Drawer(random, options).drawOp(fuzzCase);
}

/// `steps`, with vectors and what caches and wavefronts hold, where nothing
/// else is known.
static std::vector<int64_t> addUsualSteps(std::vector<int64_t> steps) {
  steps.insert(steps.begin(), {4, 8, 16, 32, 64});
  return steps;
}

void convoy::drawRuns(FuzzCase &fuzzCase, const std::vector<int64_t> &steps,
                      RandomNumbers &random, const DrawOptions &options) {
  Drawer(random, options).drawRuns(fuzzCase, addUsualSteps(steps));
}

void convoy::moveToEdges(FuzzCase &fuzzCase, const std::vector<int64_t> &steps,
                         RandomNumbers &random, const DrawOptions &options) {
  std::vector<int64_t> all = addUsualSteps(steps);
  const FuzzCase given = fuzzCase;
  // An interpreter computes what other ops should give, and sums in blocks.
  bool isInterpreted =
      fuzzCase.op != FuzzOp::Convolution || !fuzzCase.ranges.empty();
  double mostWork = options.maxWork / (isInterpreted ? 16 : 1);
  double leastWork = getWork(given);
  FuzzCase least = given;
  constexpr int Tries = 100;
  for (int i = 0; i < Tries; ++i) {
    fuzzCase = given;
    Drawer(random, options).drawSizes(fuzzCase.problem.shape, all);
    if (!settle(fuzzCase.problem) || !getProblem(fuzzCase))
      continue;
    double work = getWork(fuzzCase);
    if (work <= mostWork)
      return;
    if (work < leastWork) {
      leastWork = work;
      least = fuzzCase;
    }
  }
  // No sizes at edges are small enough.
  fuzzCase = least;
}
