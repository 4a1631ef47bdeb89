//===- KernelSymbols.cpp - What kernels of problems are called --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/KernelSymbols.h"

#include "convoy/Transforms/KernelABI/KernelNames.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::AnyProblem;
using ::convoy::Direction;
using ::convoy::Problem;

/// Of kernels without a name of their own, and before names that cannot stand
/// alone.
static constexpr StringLiteral kStandardName = "conv";
/// Of those that are of other kinds.
static constexpr StringLiteral kSampleName = "grid_sample",
                               kFoldName = "col2im", kUnfoldName = "im2col",
                               kDeformName = "deform_conv";

/// `layer` without the `*3` by which lists of layers say how often a network
/// has one.
static StringRef dropCount(StringRef layer) {
  auto [name, count] = layer.rsplit('*');
  bool isCount = !count.empty() && llvm::all_of(count, llvm::isDigit);
  return isCount && !name.empty() ? name : layer;
}

std::string mlir::convoy::getLayerSymbol(StringRef layer) {
  std::string name = dropCount(layer).str();
  for (char &c : name)
    if (!llvm::isAlnum(c))
      c = '_';
  // Names that begin with _ are for compilers and their libraries.
  if (isKernelName(name) && !isLibraryName(name) && name.front() != '_')
    return name;
  return (kStandardName + "_" + StringRef(name).ltrim('_')).str();
}

/// What a user calls `problem`.
static std::string getTitle(const AnyProblem &problem) {
  const std::string &name = layerName(problem);
  return name.empty() ? toString(problem) : name;
}

StringRef mlir::convoy::getStandardName(const AnyProblem &problem) {
  struct Name {
    StringRef operator()(const Problem &) { return kStandardName; }
    StringRef operator()(const ::convoy::SampleProblem &) {
      return kSampleName;
    }
    StringRef operator()(const ::convoy::FoldProblem &fold) {
      return fold.isUnfold ? kUnfoldName : kFoldName;
    }
    StringRef operator()(const ::convoy::DeformProblem &) {
      return kDeformName;
    }
    StringRef operator()(const ::convoy::PaddedProblem &) {
      return kStandardName;
    }
  };
  return std::visit(Name(), problem);
}

static StringRef getName(::convoy::DeformDirection direction) {
  switch (direction) {
  case ::convoy::DeformDirection::Forward:
    return "forward";
  case ::convoy::DeformDirection::Input:
    return "backward_input";
  case ::convoy::DeformDirection::Filter:
    return "backward_filter";
  case ::convoy::DeformDirection::Offset:
    return "backward_offset";
  case ::convoy::DeformDirection::Mask:
    return "backward_mask";
  }
  llvm_unreachable("all are named");
}

static StringRef getName(Direction direction, bool isOfSamples) {
  switch (direction) {
  case Direction::Forward:
    return "forward";
  case Direction::BackwardData:
    return isOfSamples ? "backward_input" : "backward_data";
  case Direction::BackwardFilter:
    return isOfSamples ? "backward_grid" : "backward_filter";
  }
  llvm_unreachable("all are named");
}

/// What `problem` computes; some kinds are made forward alone.
static StringRef getDirectionName(const AnyProblem &problem) {
  struct Name {
    StringRef operator()(const Problem &conv) {
      return getName(conv.direction, /*isOfSamples=*/false);
    }
    StringRef operator()(const ::convoy::SampleProblem &samples) {
      return getName(samples.direction, /*isOfSamples=*/true);
    }
    StringRef operator()(const ::convoy::FoldProblem &) { return "forward"; }
    StringRef operator()(const ::convoy::DeformProblem &deformed) {
      return getName(deformed.direction);
    }
    StringRef operator()(const ::convoy::PaddedProblem &padded) {
      return getName(padded.conv.direction, /*isOfSamples=*/false);
    }
  };
  return std::visit(Name(), problem);
}

static std::vector<std::string>
makeSymbols(ArrayRef<AnyProblem> problems,
            const std::optional<std::string> &prefix) {
  bool isAlone = problems.size() == 1;
  bool hasDirections = llvm::any_of(problems, [&](const AnyProblem &problem) {
    return getDirectionName(problem) != getDirectionName(problems.front());
  });
  std::vector<std::string> symbols;
  for (auto [number, problem] : llvm::enumerate(problems)) {
    std::string &symbol = symbols.emplace_back();
    if (prefix || layerName(problem).empty()) {
      symbol = prefix.value_or(getStandardName(problem).str());
      symbol += isAlone ? "" : std::to_string(number);
      continue;
    }
    symbol = getLayerSymbol(layerName(problem));
    if (hasDirections)
      symbol += ("_" + getDirectionName(problem)).str();
  }
  return symbols;
}

std::optional<std::vector<std::string>>
mlir::convoy::chooseKernelSymbols(ArrayRef<AnyProblem> problems,
                                  const std::optional<std::string> &prefix,
                                  std::string &error) {
  std::vector<std::string> symbols = makeSymbols(problems, prefix);
  llvm::StringMap<const AnyProblem *> owners;
  for (auto [problem, symbol] : llvm::zip_equal(problems, symbols)) {
    // Only a prefix can give one.
    if (isLibraryName(symbol)) {
      error = "expected another '--name', since C's libraries, headers or "
              "compilers have '" +
              symbol + "'";
      return std::nullopt;
    }
    auto [owner, isNew] = owners.try_emplace(symbol, &problem);
    if (isNew)
      continue;
    error = "expected names that give each kernel a symbol of its own, but '" +
            getTitle(*owner->second) + "' and '" + getTitle(problem) +
            "' both give '" + symbol + "' (--name=PREFIX numbers kernels)";
    return std::nullopt;
  }
  return symbols;
}
