//===- ShrinkCase.cpp - Makes findings small --------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShrinkCase.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

using namespace convoy;

/// What a size counts: those of nothing at all are less simple than few.
static int64_t getCost(int64_t size) {
  constexpr int64_t Nothing = 4;
  return size == 0 ? Nothing : size;
}

static int64_t getWindowComplexity(const SpatialDim &dim) {
  const WindowDim &window = dim.window;
  constexpr int64_t Step = 4; ///< of a window, in elements
  return getCost(dim.input) + dim.filter + getCost(dim.output) +
         Step * (window.stride - 1 + window.dilation - 1 +
                 std::abs(window.padLow) + std::abs(window.padHigh));
}

/// How much is chosen in an epilogue; a post-op is more than what it consists
/// of.
static int64_t getEpilogueChoices(const Epilogue &epilogue) {
  int64_t choices = epilogue.resultType.has_value();
  for (const Scale *scale :
       {&epilogue.inputScale, &epilogue.filterScale, &epilogue.resultScale})
    choices += !scale->isOne() + scale->isPerChannel;
  choices += !epilogue.resultZeroPoint.isZero() +
             epilogue.resultZeroPoint.isPerChannel;
  for (const PostOp &postOp : epilogue.postOps) {
    constexpr int64_t Most = 4;
    choices += Most - (postOp.kind == PostOp::Kind::Relu);
    choices += (postOp.mask != 0) + !postOp.layout.empty();
    choices += postOp.type && *postOp.type != DataType::F32;
  }
  return choices;
}

/// Drops what `epilogue` has but post-ops: what is of integers alone.
static void keepPostOps(Epilogue &epilogue) {
  std::vector<PostOp> postOps = std::move(epilogue.postOps);
  epilogue = {};
  epilogue.postOps = std::move(postOps);
}

int64_t convoy::getComplexity(const FuzzCase &fuzzCase) {
  const Problem &problem = fuzzCase.problem;
  const ConvShape &shape = problem.shape;
  ConvLayouts usual = getUsualLayouts(shape.spatialRank());
  int64_t choices = 0;
  for (Operand operand : {Operand::Input, Operand::Filter, Operand::Output})
    choices += problem.layouts[operand] != usual[operand];
  choices += problem.type != ElementType::F32;
  choices += !problem.inputSigned + !problem.filterSigned;
  choices += (problem.inputZeroPoint != 0) + !problem.filterZeroPoint.isZero() +
             problem.filterZeroPoint.isPerChannel;
  choices += problem.direction != Direction::Forward;
  choices += problem.bias + fuzzCase.packedFilters;
  choices += (fuzzCase.threads - 1) + (fuzzCase.optLevel != 3);
  choices += !fuzzCase.tile.empty();
  choices += (fuzzCase.data != DataKind::Int) + (fuzzCase.seed != 0);
  choices += (fuzzCase.precision != "normal") + std::ssize(fuzzCase.ranges);
  choices += fuzzCase.algorithm != "direct";
  choices += fuzzCase.op != FuzzOp::Convolution;
  choices += std::ssize(problem.dynamic) + std::ssize(fuzzCase.sizes);
  choices += getEpilogueChoices(problem.epilogue);
  constexpr int64_t Choice = 8, Dimension = 16; ///< in elements
  int64_t sum = Choice * choices + Dimension * shape.spatialRank();
  sum += getCost(shape.batch) + shape.groups + shape.inputChannels +
         shape.outputChannels;
  for (const SpatialDim &dim : shape.spatial)
    sum += getWindowComplexity(dim);
  for (const std::vector<int64_t> &sizes : fuzzCase.sizes)
    for (int64_t size : sizes)
      sum += getCost(size);
  return sum + fuzzCase.form;
}

/// Whether there is nothing to compute: simpler, but seldom the same finding to
/// who reads it.
static bool isEmpty(const FuzzCase &fuzzCase) {
  auto isEmptyDim = [](const SpatialDim &dim) {
    return dim.input == 0 || dim.output == 0;
  };
  return std::ranges::all_of(getRuns(fuzzCase), [&](const Problem &run) {
    return run.shape.batch == 0 ||
           std::ranges::any_of(run.shape.spatial, isEmptyDim);
  });
}

/// Drops the ranges of what is no argument.
static void dropUnknownRanges(FuzzCase &fuzzCase) {
  std::vector<std::string> names = getArguments(fuzzCase);
  std::erase_if(fuzzCase.ranges, [&](const CaseRange &range) {
    return std::ranges::find(names, range.argument) == names.end();
  });
}

namespace {
/// Collects the cases that are simpler than one.
class Simplifier {
public:
  Simplifier(const FuzzCase &start, bool isFine)
      : start(start), isFine(isFine), complexity(getComplexity(start)) {}

  std::vector<FuzzCase> run();

private:
  /// Adds the start as `change` leaves it, if that makes it simpler.
  template <typename Change>
  void add(Change change) {
    FuzzCase changed = start;
    change(changed);
    dropUnknownRanges(changed);
    if (settle(changed.problem) && getProblem(changed) &&
        !getRuns(changed).empty() && getComplexity(changed) < complexity &&
        isEmpty(changed) <= isEmpty(start))
      cases.push_back(std::move(changed));
  }
  /// `least`, what lies half way from there to `value`, and the last number
  /// before that; where it is fine, also those near both ends.
  std::vector<int64_t> getNumbersBetween(int64_t least, int64_t value) const;
  /// Adds the start with such numbers in the place of the one that `get`
  /// returns.
  template <typename Get>
  void lower(int64_t least, Get get);
  void simplifyOptions();
  void simplifyNumerics();
  void simplifyEpilogue();
  void simplifyLayouts();
  void dropDimensions();
  void simplifyRuns();
  void lowerSizes();
  void lowerWindow(size_t dim);

  const FuzzCase &start;
  bool isFine;
  int64_t complexity;
  std::vector<FuzzCase> cases;
};
} // namespace

template <typename Get>
void Simplifier::lower(int64_t least, Get get) {
  FuzzCase copy = start;
  int64_t value = get(copy);
  if (value == least)
    return;
  for (int64_t other : getNumbersBetween(least, value))
    add([&](FuzzCase &changed) { get(changed) = other; });
}

std::vector<int64_t> Simplifier::getNumbersBetween(int64_t least,
                                                   int64_t value) const {
  int64_t step = value > least ? 1 : -1, distance = std::abs(value - least);
  std::vector<int64_t> steps = {0, distance / 2, distance - 1};
  constexpr int64_t Near = 16;
  for (int64_t i = 1; isFine && i <= std::min(Near, distance - 1); ++i)
    steps.insert(steps.end(), {i, distance - i});
  std::vector<int64_t> numbers;
  for (int64_t i : steps)
    numbers.push_back(least + step * i);
  return numbers;
}

void Simplifier::simplifyOptions() {
  add([](FuzzCase &changed) { changed.threads = 1; });
  add([](FuzzCase &changed) { changed.threads = 2; });
  add([](FuzzCase &changed) { changed.packedFilters = false; });
  add([](FuzzCase &changed) { changed.optLevel = 3; });
  add([](FuzzCase &changed) { changed.tile.clear(); });
  add([](FuzzCase &changed) { changed.precision = "normal"; });
  add([](FuzzCase &changed) { changed.ranges.clear(); });
  for (size_t range = 0; range < start.ranges.size(); ++range)
    add([=](FuzzCase &changed) {
      changed.ranges.erase(changed.ranges.begin() + std::ptrdiff_t(range));
    });
  add([](FuzzCase &changed) { changed.algorithm = "direct"; });
  add([](FuzzCase &changed) { changed.data = DataKind::Int; });
  add([](FuzzCase &changed) { changed.seed = 0; });
  add([](FuzzCase &changed) {
    changed.op = FuzzOp::Convolution;
    changed.form = 0;
  });
  lower(0, [](FuzzCase &changed) -> int64_t & { return changed.form; });
}

void Simplifier::simplifyNumerics() {
  add([](FuzzCase &changed) {
    changed.problem.type = ElementType::F32;
    keepPostOps(changed.problem.epilogue);
    changed.problem.inputSigned = changed.problem.filterSigned = true;
    changed.problem.inputZeroPoint = 0;
    changed.problem.filterZeroPoint = {};
  });
  add([](FuzzCase &changed) { changed.problem.inputSigned = true; });
  add([](FuzzCase &changed) { changed.problem.filterSigned = true; });
  add([](FuzzCase &changed) { changed.problem.inputZeroPoint = 0; });
  add([](FuzzCase &changed) { changed.problem.filterZeroPoint = {}; });
  add([](FuzzCase &changed) { changed.problem.filterZeroPoint = {1, false}; });
  add([](FuzzCase &changed) { changed.problem.bias = false; });
  add([](FuzzCase &changed) {
    changed.problem.direction = Direction::Forward;
  });
}

void Simplifier::simplifyEpilogue() {
  auto change = [&](auto simplify) {
    add([&](FuzzCase &changed) { simplify(changed.problem.epilogue); });
  };
  change([](Epilogue &epilogue) { epilogue = {}; });
  change([](Epilogue &epilogue) { epilogue.postOps.clear(); });
  change(keepPostOps);
  change([](Epilogue &epilogue) { epilogue.inputScale = {}; });
  change([](Epilogue &epilogue) { epilogue.filterScale = {}; });
  change([](Epilogue &epilogue) { epilogue.resultScale = {}; });
  change([](Epilogue &epilogue) { epilogue.resultZeroPoint = {}; });
  for (size_t place = 0; place < start.problem.epilogue.postOps.size();
       ++place) {
    auto changeOne = [&](auto simplify) {
      change([&](Epilogue &epilogue) { simplify(epilogue.postOps[place]); });
    };
    change([&](Epilogue &epilogue) {
      epilogue.postOps.erase(epilogue.postOps.begin() + std::ptrdiff_t(place));
    });
    changeOne([](PostOp &postOp) { postOp = {}; });
    changeOne([](PostOp &postOp) { postOp.mask = 0; });
    changeOne([](PostOp &postOp) { postOp.layout.clear(); });
    changeOne([](PostOp &postOp) {
      if (postOp.type)
        postOp.type = DataType::F32;
    });
  }
}

void Simplifier::simplifyLayouts() {
  ConvLayouts usual = getUsualLayouts(start.problem.shape.spatialRank());
  add([&](FuzzCase &changed) { changed.problem.layouts = usual; });
  add([&](FuzzCase &changed) { changed.problem.layouts.input = usual.input; });
  add([&](FuzzCase &changed) {
    changed.problem.layouts.filter = usual.filter;
  });
  add([&](FuzzCase &changed) {
    changed.problem.layouts.output = usual.output;
  });
}

/// `letters` without the spatial letter `letter`, and with the others called as
/// they are where there is one spatial letter less.
static std::string dropLetter(std::string_view letters, char letter,
                              std::string_view before, std::string_view after) {
  std::string word;
  std::string kept(before);
  std::erase(kept, letter);
  for (char c : letters) {
    size_t place = kept.find(c);
    if (c != letter)
      word += place == std::string::npos ? c : after[place];
  }
  return word;
}

/// Lets the operands of `postOps` be without spatial dimension `dim`, called
/// `letter`.
static void dropDimension(std::vector<PostOp> &postOps, int dim, char letter,
                          std::string_view before, std::string_view after) {
  for (PostOp &postOp : postOps) {
    unsigned below = (1u << (2 + dim)) - 1;
    postOp.mask = (postOp.mask & below) | (postOp.mask >> 1 & ~below);
    postOp.layout = dropLetter(postOp.layout, letter, before, after);
  }
}

void Simplifier::simplifyRuns() {
  for (char letter : start.problem.dynamic)
    add([=](FuzzCase &changed) { makeStatic(changed, letter); });
  for (size_t run = 0; run < start.sizes.size(); ++run) {
    add([=](FuzzCase &changed) { changed.sizes = {changed.sizes[run]}; });
    // In the place of the problem's own sizes.
    add([=](FuzzCase &changed) {
      changed.problem = getRuns(changed)[run];
      changed.sizes.clear();
    });
    for (size_t size = 0; size < start.sizes[run].size(); ++size)
      lower(1, [=](FuzzCase &changed) -> int64_t & {
        return changed.sizes[run][size];
      });
  }
}

void Simplifier::dropDimensions() {
  int rank = start.problem.shape.spatialRank();
  std::string_view before = spatialLetters(rank);
  for (int dim = 0; rank > 1 && dim < rank; ++dim)
    add([&](FuzzCase &changed) {
      Problem &problem = changed.problem;
      problem.shape.spatial.erase(problem.shape.spatial.begin() + dim);
      makeStatic(changed, before[dim]);
      std::string_view after = spatialLetters(rank - 1);
      problem.dynamic = dropLetter(problem.dynamic, before[dim], before, after);
      dropDimension(problem.epilogue.postOps, dim, before[dim], before, after);
      for (Layout *layout : {&problem.layouts.input, &problem.layouts.filter,
                             &problem.layouts.output})
        *layout = Layout::fromLetters(
            dropLetter(layout->letters(), before[dim], before, after));
    });
}

void Simplifier::lowerSizes() {
  using Size = int64_t ConvShape::*;
  for (Size size : {&ConvShape::batch, &ConvShape::groups,
                    &ConvShape::inputChannels, &ConvShape::outputChannels})
    lower(1, [=](FuzzCase &changed) -> int64_t & {
      return changed.problem.shape.*size;
    });
  for (size_t dim = 0; dim < start.problem.shape.spatial.size(); ++dim) {
    lower(1, [=](FuzzCase &changed) -> int64_t & {
      return changed.problem.shape.spatial[dim].input;
    });
    lowerWindow(dim);
  }
}

void Simplifier::lowerWindow(size_t dim) {
  auto get = [dim](FuzzCase &changed) -> SpatialDim & {
    return changed.problem.shape.spatial[dim];
  };
  lower(1, [=](FuzzCase &changed) -> int64_t & { return get(changed).filter; });
  using Part = int64_t WindowDim::*;
  for (Part part : {&WindowDim::stride, &WindowDim::dilation})
    lower(1, [=](FuzzCase &changed) -> int64_t & {
      return get(changed).window.*part;
    });
  for (Part part : {&WindowDim::padLow, &WindowDim::padHigh})
    lower(0, [=](FuzzCase &changed) -> int64_t & {
      return get(changed).window.*part;
    });
  // With fewer positions rather than a smaller input, and with the positions
  // that there are in spite of a smaller window.
  auto keepOutput = [=](FuzzCase &changed, int64_t output) {
    SpatialDim &changedDim = get(changed);
    changedDim.input =
        transposedSize(output, changedDim.filter, changedDim.window);
  };
  int64_t output = start.problem.shape.spatial[dim].output;
  if (output > 1)
    for (int64_t other : getNumbersBetween(1, output))
      add([&](FuzzCase &changed) { keepOutput(changed, other); });
  add([&](FuzzCase &changed) {
    get(changed).window = {};
    keepOutput(changed, output);
  });
  add([&](FuzzCase &changed) {
    get(changed).filter -= 1;
    keepOutput(changed, output);
  });
  for (auto [part, least] : std::initializer_list<std::pair<Part, int64_t>>{
           {&WindowDim::stride, 1},
           {&WindowDim::dilation, 1},
           {&WindowDim::padLow, 0},
           {&WindowDim::padHigh, 0}})
    add([&, part = part, least = least](FuzzCase &changed) {
      get(changed).window.*part = least;
      keepOutput(changed, output);
    });
}

std::vector<FuzzCase> Simplifier::run() {
  dropDimensions();
  simplifyRuns();
  lowerSizes();
  simplifyLayouts();
  simplifyNumerics();
  simplifyEpilogue();
  simplifyOptions();
  std::stable_sort(cases.begin(), cases.end(),
                   [](const FuzzCase &a, const FuzzCase &b) {
                     return getComplexity(a) < getComplexity(b);
                   });
  cases.erase(std::unique(cases.begin(), cases.end()), cases.end());
  return std::move(cases);
}

std::vector<FuzzCase> convoy::getSimplerCases(const FuzzCase &fuzzCase,
                                              bool isFine) {
  return Simplifier(fuzzCase, isFine).run();
}

FuzzCase convoy::shrink(FuzzCase fuzzCase,
                        const std::function<bool(const FuzzCase &)> &isFinding,
                        int maxTries) {
  auto takeStep = [&](bool isFine) {
    std::vector<FuzzCase> cases = getSimplerCases(fuzzCase, isFine);
    for (FuzzCase &simpler : cases) {
      if (maxTries-- <= 0)
        return false;
      if (isFinding(simpler)) {
        fuzzCase = std::move(simpler);
        return true;
      }
    }
    return false;
  };
  while (takeStep(/*isFine=*/false) || takeStep(/*isFine=*/true))
    ;
  return fuzzCase;
}
