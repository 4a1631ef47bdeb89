//===- TargetError.cpp - The cheapest sums for a target error ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TargetError.h"

#include "ErrorAnalysis.h"
#include "SumHazards.h"

#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"
#include "convoy/Transforms/Numerics/PolicyTypes.h"
#include "convoy/Transforms/Utils/SumLength.h"
#include "convoy/Transforms/Utils/WinogradObstacle.h"

#include <cmath>
#include <tuple>

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// A convolution and the ways to sum it, the cheapest first and the wide one
/// last.
struct Candidate {
  ConvolutionOpInterface op;
  SmallVector<SumChoice> choices;
  std::string hazard; ///< why the cheapest is not a narrow type, or empty
  double products = 0;
  bool isFree = true; ///< whether its policy is not its own

  const SumChoice &getWidest() const { return choices.back(); }
  /// Whether Winograd's algorithm could compute it, and its policy allows that.
  bool mayBeTiled() const {
    ConvolutionOpInterface conv = op;
    return conv.getNumerics().getPolicy() != Policy::High &&
           findWinogradObstacle(conv).empty() &&
           findTapsObstacle(conv).empty() && !conv.hasEmptyTensor();
  }
};

/// What choices cost: products that are summed in wide types, and where these
/// are as many, blocks.
struct Cost {
  double wideProducts = 0;
  int64_t blocks = 0;

  void add(const Candidate &candidate, const SumChoice &choice) {
    if (choice.blocks)
      blocks += choice.blocks->count;
    else if (!choice.isNarrow())
      wideProducts += candidate.products;
  }
  bool operator<(const Cost &other) const {
    return std::tie(wideProducts, blocks) <
           std::tie(other.wideProducts, other.blocks);
  }
};

/// The result that is furthest off; a traced value is none.
struct WorstResult {
  unsigned number = 0;
  BoundedMagnitude bound;
  Operation *unbounded = nullptr;
};

/// Looks for the cheapest sums of one function.
class SumChooser {
public:
  SumChooser(FunctionOpInterface function, double target,
             const llvm::SmallPtrSetImpl<Operation *> &free,
             RangeAnalysis &ranges);

  /// The choices, or nothing after an error.
  FailureOr<SumChoices> choose();
  void explain(const SumChoices &choices);
  /// Lets convolutions be computed in the largest tiles of Winograd's algorithm
  /// that suffice besides, those with the most products first, and says so.
  void chooseTiles(SumChoices &choices);

private:
  WorstResult getWorst(const SumChoices &choices);
  bool suffice(const SumChoices &choices) {
    return getWorst(choices).bound.getRelativeError() <= target;
  }
  SumChoices getWidest() const;
  SumChoices chooseOfAll();
  SumChoices chooseLargestFirst();
  SmallVector<const Candidate *> sortBySize() const;
  LogicalResult refuse(const WorstResult &worst);
  void explainTiles(const Candidate &candidate, int64_t results,
                    const BoundedMagnitude &bound);
  void explain(const Candidate &candidate, const SumChoice &choice,
               const BoundedMagnitude &bound);

  FunctionOpInterface function;
  Block &body;
  double target;
  RangeAnalysis &ranges;
  SmallVector<Candidate> candidates;
};
} // namespace

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// How many products `op` computes, or one where sizes are dynamic.
static double countProducts(ConvolutionOpInterface op) {
  auto type = cast<ShapedType>(op.getInit().getType());
  std::optional<uint64_t> length = getSumLength(op);
  return type.hasStaticShape() && length
             ? double(type.getNumElements()) * double(*length)
             : 1;
}

/// The ways to sum `op`, which may be chosen of if it `isFree`.
static Candidate makeCandidate(ConvolutionOpInterface op, FloatType declared,
                               bool isFree, RangeAnalysis &ranges) {
  Candidate candidate;
  candidate.op = op;
  candidate.products = countProducts(op);
  candidate.isFree = isFree;
  FloatType wide =
      declared.getWidth() < 32 ? Float32Type::get(op->getContext()) : declared;
  FloatType narrow = getNarrowAccumulator(op, declared);
  bool isLow = op.getNumerics().getPolicy() == Policy::Low;
  if (narrow.getWidth() < 32 && isLow) {
    candidate.hazard = findSumHazard(op, narrow, ranges);
    if (candidate.hazard.empty())
      candidate.choices.push_back({narrow});
    for (const SumBlocks &blocks : findSumBlocks(op, narrow, ranges))
      candidate.choices.push_back({wide, blocks});
  }
  candidate.choices.push_back({wide});
  // `low` is the cheapest.
  if (!isFree)
    candidate.choices.truncate(1);
  return candidate;
}

SumChooser::SumChooser(FunctionOpInterface function, double target,
                       const llvm::SmallPtrSetImpl<Operation *> &free,
                       RangeAnalysis &ranges)
    : function(function), body(function.getFunctionBody().front()),
      target(target), ranges(ranges) {
  function.walk([&](ConvolutionOpInterface op) {
    if (auto declared = dyn_cast<FloatType>(op.getAccumulatorType()))
      candidates.push_back(
          makeCandidate(op, declared, free.contains(op), ranges));
  });
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

WorstResult SumChooser::getWorst(const SumChoices &choices) {
  ErrorAnalysis analysis(body, ranges, choices);
  WorstResult worst;
  worst.unbounded = analysis.getUnbounded();
  for (auto [number, value] :
       llvm::enumerate(body.getTerminator()->getOperands())) {
    if (function.getResultAttr(number, kTracedAttrName))
      continue;
    BoundedMagnitude bound = analysis.getBound(value);
    if (number > 0 &&
        bound.getRelativeError() <= worst.bound.getRelativeError())
      continue;
    worst.number = number;
    worst.bound = bound;
  }
  return worst;
}

SumChoices SumChooser::getWidest() const {
  SumChoices choices;
  for (const Candidate &candidate : candidates)
    choices[candidate.op] = candidate.getWidest();
  return choices;
}

/// The cheapest of all combinations.
SumChoices SumChooser::chooseOfAll() {
  SmallVector<size_t> places(candidates.size(), 0);
  std::optional<Cost> least;
  SumChoices best = getWidest();
  // Counts through all places, the first one fastest.
  for (size_t digit = 0; digit < places.size();) {
    SumChoices choices;
    Cost cost;
    for (auto [candidate, place] : llvm::zip_equal(candidates, places)) {
      choices[candidate.op] = candidate.choices[place];
      cost.add(candidate, candidate.choices[place]);
    }
    if ((!least || cost < *least) && suffice(choices)) {
      least = cost;
      best = choices;
    }
    for (digit = 0; digit < places.size(); ++digit) {
      if (++places[digit] < candidates[digit].choices.size())
        break;
      places[digit] = 0;
    }
  }
  return best;
}

SmallVector<const Candidate *> SumChooser::sortBySize() const {
  SmallVector<const Candidate *> sorted;
  for (const Candidate &candidate : candidates)
    sorted.push_back(&candidate);
  llvm::stable_sort(sorted, [](const Candidate *a, const Candidate *b) {
    return a->products > b->products;
  });
  return sorted;
}

/// Those with the most products first, each in the cheapest way that suffices.
SumChoices SumChooser::chooseLargestFirst() {
  SumChoices choices = getWidest();
  for (const Candidate *candidate : sortBySize())
    for (const SumChoice &choice : candidate->choices) {
      choices[candidate->op] = choice;
      if (suffice(choices))
        break;
    }
  return choices;
}

FailureOr<SumChoices> SumChooser::choose() {
  if (llvm::none_of(candidates, [](const Candidate &c) { return c.isFree; }))
    return SumChoices();
  WorstResult worst = getWorst(getWidest());
  if (!(worst.bound.getRelativeError() <= target))
    return refuse(worst);
  // More are too many to look at each.
  constexpr double MostCombinations = 4096;
  double combinations = 1;
  for (const Candidate &candidate : candidates)
    combinations *= double(candidate.choices.size());
  return combinations <= MostCombinations ? chooseOfAll()
                                          : chooseLargestFirst();
}

void SumChooser::chooseTiles(SumChoices &choices) {
  for (const Candidate *candidate : sortBySize()) {
    auto found = choices.find(candidate->op);
    if (found == choices.end() || !candidate->mayBeTiled())
      continue;
    int64_t &results = found->second.winogradResults;
    auto explainThem = [&](int64_t allowed) {
      ErrorAnalysis analysis(body, ranges, choices);
      explainTiles(*candidate, allowed,
                   analysis.getBound(candidate->op->getResult(0)));
    };
    for (int64_t size : {6, 4, 2}) {
      results = size;
      if (suffice(choices)) {
        explainThem(size);
        break;
      }
      if (size > 2)
        continue;
      explainThem(0);
      results = 0;
    }
  }
}

//===----------------------------------------------------------------------===//
// What is said of it
//===----------------------------------------------------------------------===//

/// `0.25, 0.01 of 25`
static std::string describe(const BoundedMagnitude &bound) {
  return getNumberText(bound.error) + ", " +
         getNumberText(bound.getRelativeError()) + " of " +
         getNumberText(bound.largest);
}

LogicalResult SumChooser::refuse(const WorstResult &worst) {
  InFlightDiagnostic error = function.emitError()
                             << "expected results that are off by at most "
                             << getNumberText(target)
                             << " of their largest, but ";
  bool isKnown =
      std::isfinite(worst.bound.error) && std::isfinite(worst.bound.largest);
  if (isKnown)
    return error << "with policy high result " << worst.number
                 << " may be off by " << describe(worst.bound);
  if (worst.unbounded)
    return error << "no bound is known of the error of '"
                 << worst.unbounded->getName() << "'";
  return error << "no range is known of result " << worst.number;
}

void SumChooser::explain(const Candidate &candidate, const SumChoice &choice,
                         const BoundedMagnitude &bound) {
  InFlightDiagnostic remark = ConvolutionOpInterface(candidate.op).emitRemark();
  remark << describeSums(choice) << " for target error "
         << getNumberText(target);
  if (!candidate.hazard.empty())
    remark << ", not all in a narrower type: " << candidate.hazard;
  else if (choice.type != candidate.choices.front().type || choice.blocks)
    remark << ", not all in " << candidate.choices.front().type
           << ": results would be further off";
  remark << "; is off by at most " << describe(bound);
}

void SumChooser::explain(const SumChoices &choices) {
  ErrorAnalysis analysis(body, ranges, choices);
  for (const Candidate &candidate : candidates)
    if (auto found = choices.find(candidate.op); found != choices.end())
      explain(candidate, found->second,
              analysis.getBound(candidate.op->getResult(0)));
}

void SumChooser::explainTiles(const Candidate &candidate, int64_t results,
                              const BoundedMagnitude &bound) {
  InFlightDiagnostic remark = ConvolutionOpInterface(candidate.op).emitRemark();
  if (results == 0)
    remark << "no tiles of Winograd's algorithm for target error "
           << getNumberText(target)
           << ": with 2 results along each dimension it would be";
  else
    remark << "tiles of Winograd's algorithm may have " << results
           << " results along each dimension for target error "
           << getNumberText(target) << "; is";
  remark << " off by at most " << describe(bound);
}

FailureOr<SumChoices>
mlir::convoy::chooseSums(FunctionOpInterface function, double target,
                         const llvm::SmallPtrSetImpl<Operation *> &free,
                         bool allowTiles, RangeAnalysis &ranges) {
  if (function.isExternal())
    return SumChoices();
  SumChooser chooser(function, target, free, ranges);
  FailureOr<SumChoices> choices = chooser.choose();
  if (failed(choices))
    return failure();
  chooser.explain(*choices);
  if (allowTiles)
    chooser.chooseTiles(*choices);
  return choices;
}
