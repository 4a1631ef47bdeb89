//===- Edges.cpp - What a run has reached -----------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Edges.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <functional>

using namespace convoy;

std::vector<int64_t> convoy::getSteps(const std::vector<std::string> &remarks) {
  std::vector<int64_t> steps;
  for (const std::string &remark : remarks) {
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
  void addRemark(const std::string &words);

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

void EdgeList::addRemark(const std::string &words) {
  add("remark: " + words, [=](const CompiledCase &compiled) {
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
  add("kernel: bias", [](const CompiledCase &compiled) {
    return compiled.fuzzCase.problem.bias;
  });
  add("kernel: zero points", [](const CompiledCase &compiled) {
    const Problem &problem = compiled.fuzzCase.problem;
    return problem.inputZeroPoint != 0 || problem.filterZeroPoint != 0;
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
  for (const char *words :
       {"read in place", "im2col packed", "filter packed",
        "filter packed beforehand", "filter read by panels", "lanes going on",
        ", summed,", ", terms: ", ", in blocks: ", "one for all lanes",
        "for all lanes at a time", "in vectors of 1,", "the last masked",
        "left out by loops", "skipped by branches", "computed all the same",
        "packs nothing", "Winograd's algorithm computes",
        // Of GPUs.
        "workgroups of", "in shared memory", "each wave by",
        "each work-item computes one element", "sums are formed in",
        "accesses single elements"})
    addRemark(words);
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
  for (size_t i = 0; i < counts.size(); ++i)
    counts[i] += getEdges()[i].isReached(compiled);
}

std::vector<std::pair<std::string, int64_t>> EdgeCounts::getCounts() const {
  std::vector<std::pair<std::string, int64_t>> named;
  for (size_t i = 0; i < counts.size(); ++i)
    named.emplace_back(getEdges()[i].name, counts[i]);
  return named;
}

std::string EdgeCounts::toString() const {
  std::string text;
  for (const auto &[name, number] : getCounts()) {
    std::string count = std::to_string(number);
    text += std::string(count.size() < 8 ? 8 - count.size() : 0, ' ') + count +
            "  " + name + "\n";
  }
  return text;
}
