//===- Edges.cpp - What a run has reached -----------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Edges.h"

#include "convoy/Support/Choices.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <functional>
#include <string_view>

using namespace convoy;

std::vector<int64_t> convoy::getSteps(const std::vector<std::string> &remarks) {
  std::vector<int64_t> steps;
  for (const std::string &remark : remarks) {
    if (remark.starts_with(kChoices[size_t(Choice::ConvStays)]))
      continue;
    const char *end = remark.data() + remark.size();
    for (const char *next = remark.data(); next != end;) {
      int64_t number = 0;
      auto [rest, error] = std::from_chars(next, end, number);
      bool isNumber = error == std::errc() && std::isdigit(*next);
      if (isNumber && number > 1)
        steps.push_back(number);
      next = isNumber ? rest : next + 1;
    }
  }
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  return steps;
}

namespace {
/// A way in which cases differ.
struct Edge {
  std::string name;
  std::function<bool(const CompiledCase &)> isReached;
};

class EdgeList {
public:
  EdgeList();

  std::vector<Edge> edges;

private:
  template <typename Holds>
  void add(std::string name, Holds holds) {
    edges.push_back({std::move(name), holds});
  }
  /// What holds for the window of a spatial dimension.
  template <typename Holds>
  void addWindow(std::string name, Holds holds) {
    add("window: " + name, [=](const CompiledCase &compiled) {
      return std::ranges::any_of(compiled.fuzzCase.problem.shape.spatial,
                                 holds);
    });
  }
  /// What holds for a size and a step of a tile.
  template <typename Holds>
  void addSize(std::string name, Holds holds);
  /// What a remark says.
  void addRemark(std::string_view words);

  void addProblems();
  void addDynamic();
  void addShapes();
  void addWindows();
  void addSizes();
  void addRemarks();
};
} // namespace

template <typename Holds>
void EdgeList::addSize(std::string name, Holds holds) {
  add("size: " + name, [=](const CompiledCase &compiled) {
    std::vector<int64_t> sizes;
    for (const Problem &run : getRuns(compiled.fuzzCase)) {
      const ConvShape &shape = run.shape;
      sizes.insert(sizes.end(), {shape.batch, shape.groups, shape.inputChannels,
                                 shape.outputChannels});
      for (const SpatialDim &dim : shape.spatial)
        sizes.push_back(dim.output);
    }
    for (int64_t step : getSteps(compiled.remarks))
      for (int64_t size : sizes)
        if (holds(size, step))
          return true;
    return false;
  });
}

/// `words` without what joins them to others.
static std::string trim(std::string_view words) {
  constexpr std::string_view Joints = " ,;:'";
  size_t first = words.find_first_not_of(Joints);
  return std::string(
      words.substr(first, words.find_last_not_of(Joints) + 1 - first));
}

void EdgeList::addRemark(std::string_view words) {
  add("remark: " + trim(words), [=](const CompiledCase &compiled) {
    return std::ranges::any_of(compiled.remarks,
                               [&](const std::string &remark) {
                                 return remark.find(words) != std::string::npos;
                               });
  });
}

void EdgeList::addProblems() {
  for (auto [direction, name] :
       {std::pair(Direction::Forward, "forward"),
        std::pair(Direction::BackwardData, "backward data"),
        std::pair(Direction::BackwardFilter, "backward filter")})
    add(std::string("direction: ") + name, [=](const CompiledCase &compiled) {
      return compiled.fuzzCase.problem.direction == direction;
    });
  for (ElementType type : {ElementType::F64, ElementType::F32, ElementType::F16,
                           ElementType::BF16, ElementType::I8})
    add("type: " + std::string(elementTypeName(type)),
        [=](const CompiledCase &compiled) {
          return compiled.fuzzCase.problem.type == type;
        });
  for (DataKind kind : {DataKind::Int, DataKind::Uniform, DataKind::Normal,
                        DataKind::Range, DataKind::Cancel, DataKind::Special})
    add("data: " + std::string(dataKindName(kind)),
        [=](const CompiledCase &compiled) {
          return compiled.fuzzCase.data == kind;
        });
  add("kernel: several threads", [](const CompiledCase &compiled) {
    return compiled.fuzzCase.threads > 1;
  });
  add("kernel: filter packed beforehand", [](const CompiledCase &compiled) {
    return compiled.fuzzCase.packedFilters;
  });
  for (const char *policy : {"low", "high"})
    add(std::string("kernel: precision ") + policy,
        [=](const CompiledCase &compiled) {
          return compiled.fuzzCase.precision == policy;
        });
  add("kernel: declared ranges", [](const CompiledCase &compiled) {
    return !compiled.fuzzCase.ranges.empty();
  });
  add("kernel: bias", [](const CompiledCase &compiled) {
    return compiled.fuzzCase.problem.bias;
  });
  add("kernel: zero points", [](const CompiledCase &compiled) {
    const Problem &problem = compiled.fuzzCase.problem;
    return problem.inputZeroPoint != 0 || problem.filterZeroPoint.value != 0;
  });
  add("kernel: zero points of channels", [](const CompiledCase &compiled) {
    return compiled.fuzzCase.problem.filterZeroPoint.isPerChannel;
  });
  add("kernel: unsigned bytes", [](const CompiledCase &compiled) {
    const Problem &problem = compiled.fuzzCase.problem;
    return !problem.inputSigned || !problem.filterSigned;
  });
}

void EdgeList::addDynamic() {
  for (char letter : {'n', 'g', 'c', 'f', 'd', 'h', 'w'})
    add(std::string("dynamic: ") + letter, [=](const CompiledCase &compiled) {
      const std::string &letters = compiled.fuzzCase.problem.dynamic;
      return letters.find(letter) != std::string::npos;
    });
  add("dynamic: no image", [](const CompiledCase &compiled) {
    return std::ranges::any_of(
        getRuns(compiled.fuzzCase),
        [](const Problem &run) { return run.shape.batch == 0; });
  });
}

void EdgeList::addShapes() {
  for (int rank : {1, 2, 3})
    add("shape: " + std::to_string(rank) + "-D",
        [=](const CompiledCase &compiled) {
          return compiled.fuzzCase.problem.shape.spatialRank() == rank;
        });
  add("shape: groups", [](const CompiledCase &compiled) {
    const ConvShape &shape = compiled.fuzzCase.problem.shape;
    return shape.groups > 1 && shape.inputChannels > 1;
  });
  add("shape: depthwise", [](const CompiledCase &compiled) {
    const ConvShape &shape = compiled.fuzzCase.problem.shape;
    return shape.groups > 1 && shape.inputChannels == 1;
  });
  add("shape: usual layouts", [](const CompiledCase &compiled) {
    const Problem &problem = compiled.fuzzCase.problem;
    return problem.layouts == getUsualLayouts(problem.shape.spatialRank());
  });
  add("shape: g as a dimension of a layout", [](const CompiledCase &compiled) {
    const ConvLayouts &layouts = compiled.fuzzCase.problem.layouts;
    return layouts.input.hasGroups() || layouts.filter.hasGroups() ||
           layouts.output.hasGroups();
  });
}

void EdgeList::addWindows() {
  addWindow("stride",
            [](const SpatialDim &dim) { return dim.window.stride > 1; });
  addWindow("dilation", [](const SpatialDim &dim) {
    return dim.window.dilation > 1 && dim.filter > 1;
  });
  addWindow("stride beyond the filter", [](const SpatialDim &dim) {
    return dim.window.stride > dilatedSize(dim.filter, dim.window.dilation);
  });
  addWindow("padding", [](const SpatialDim &dim) {
    return dim.window.padLow > 0 || dim.window.padHigh > 0;
  });
  addWindow("negative padding", [](const SpatialDim &dim) {
    return dim.window.padLow < 0 || dim.window.padHigh < 0;
  });
  addWindow("padding on one side", [](const SpatialDim &dim) {
    return (dim.window.padLow > 0) != (dim.window.padHigh > 0);
  });
  addWindow("padding as large as the filter", [](const SpatialDim &dim) {
    int64_t extent = dilatedSize(dim.filter, dim.window.dilation);
    return std::max(dim.window.padLow, dim.window.padHigh) >= extent;
  });
  addWindow("filter beyond the input", [](const SpatialDim &dim) {
    return dilatedSize(dim.filter, dim.window.dilation) > dim.input;
  });
}

void EdgeList::addSizes() {
  addSize("below a tile's",
          [](int64_t size, int64_t step) { return size < step; });
  addSize("one below a tile's",
          [](int64_t size, int64_t step) { return size == step - 1; });
  addSize("a tile's", [](int64_t size, int64_t step) { return size == step; });
  addSize("one above a tile's",
          [](int64_t size, int64_t step) { return size == step + 1; });
  addSize("several tiles", [](int64_t size, int64_t step) {
    return size > step && size % step == 0;
  });
  addSize("one above several tiles", [](int64_t size, int64_t step) {
    return size > step + 1 && size % step == 1;
  });
  addSize("one below several tiles", [](int64_t size, int64_t step) {
    return size > step && step > 2 && size % step == step - 1;
  });
}

void EdgeList::addRemarks() {
  for (std::string_view words : kChoices)
    addRemark(words);
  addRemark("in vectors of 1,");
}

EdgeList::EdgeList() {
  addProblems();
  addDynamic();
  addShapes();
  addWindows();
  addSizes();
  addRemarks();
}

static const std::vector<Edge> &getEdges() {
  static const EdgeList list;
  return list.edges;
}

EdgeCounts::EdgeCounts() : counts(getEdges().size()) {}

void EdgeCounts::add(const CompiledCase &compiled) {
  ++numCases;
  for (size_t i = 0; i < counts.size(); ++i)
    counts[i] += getEdges()[i].isReached(compiled);
}

std::vector<EdgeCount> EdgeCounts::getCounts() const {
  std::vector<EdgeCount> named;
  for (size_t i = 0; i < counts.size(); ++i)
    named.push_back({getEdges()[i].name, counts[i], numCases - counts[i]});
  return named;
}

/// `number`, with blanks before it up to `width`.
static std::string alignRight(int64_t number, size_t width) {
  std::string digits = std::to_string(number);
  return std::string(width - std::min(width, digits.size()), ' ') + digits;
}

std::string EdgeCounts::toString() const {
  std::string text;
  for (const EdgeCount &edge : getCounts())
    text += alignRight(edge.reached, 8) + alignRight(edge.others, 9) + "  " +
            edge.name + "\n";
  return text;
}
