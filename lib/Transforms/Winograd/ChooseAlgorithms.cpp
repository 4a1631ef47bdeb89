//===- ChooseAlgorithms.cpp - How convolutions are computed -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/WinogradTile.h"
#include "convoy/Support/Algorithm.h"
#include "convoy/Transforms/Costs/WinogradCosts.h"
#include "convoy/Transforms/Utils/Choices.h"
#include "convoy/Transforms/Utils/WinogradObstacle.h"
#include "convoy/Transforms/Winograd/Passes.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_CHOOSEALGORITHMSPASS
#include "convoy/Transforms/Winograd/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Algorithm;
using ::convoy::Operand;

/// How many results tiles of `op` may have along each dimension; none where
/// less than 2.
static int64_t getMostResults(ConvolutionOpInterface op) {
  if (auto most = op->getAttrOfType<IntegerAttr>(kMostWinogradAttrName))
    return most.getInt();
  switch (op.getNumerics().getPolicy()) {
  case Policy::High:
    return 0;
  case Policy::Normal:
    return 4;
  case Policy::Low:
    // Their bound is some 60 to 100 times that of sums of products.
    return 6;
  }
  llvm_unreachable("unknown policy");
}

/// Why Winograd's algorithm cannot or may not compute `op`; empty where it can.
static std::string findObstacle(ConvolutionOpInterface op,
                                const Algorithm &choice, TargetAttr target) {
  if (target.isGPU())
    return getWords(Choice::TargetIsGPU).str();
  bool hasTargetError = op->hasAttr(kMostWinogradAttrName);
  if (!hasTargetError && op.getNumerics().getPolicy() == Policy::High)
    return getWords(Choice::PolicyHigh).str();
  if (op.hasEmptyTensor())
    return getWords(Choice::HasNoElements).str();
  std::string obstacle = findWinogradObstacle(op);
  if (obstacle.empty())
    obstacle = findTapsObstacle(op);
  int64_t least = choice.tile == 0 ? 2 : choice.tile;
  if (obstacle.empty() && hasTargetError && getMostResults(op) < least)
    return (getWords(Choice::BeyondTargetError) + Twine(least) +
            " results along each dimension may be further off")
        .str();
  return obstacle;
}

namespace {
struct ChooseAlgorithmsPass final
    : mlir::convoy::impl::ChooseAlgorithmsPassBase<ChooseAlgorithmsPass> {
  using Base::Base;

  void runOnOperation() override {
    std::optional<Algorithm> choice = ::convoy::parseAlgorithm(algorithm);
    if (!choice) {
      getOperation()->emitError()
          << "expected " << StringRef(::convoy::getAlgorithmNames())
          << " for algorithm, but got '" << algorithm << "'";
      return signalPassFailure();
    }
    if (choice->kind == Algorithm::Kind::Direct)
      return;
    TargetAttr target = TargetAttr::lookup(getOperation());
    bool hasConvolutions = false;
    WalkResult walk = getOperation()->walk([&](ConvolutionOpInterface op) {
      hasConvolutions = true;
      if (op->hasAttr(kWinogradAttrName))
        return WalkResult::advance();
      std::string obstacle = findObstacle(op, *choice, target);
      // Nothing is computed of what has no elements.
      bool mustHave =
          choice->kind == Algorithm::Kind::Winograd && !op.hasEmptyTensor();
      if (obstacle.empty()) {
        choose(op, *choice, target);
      } else if (mustHave) {
        op.emitOpError()
            << "expected a convolution that Winograd's algorithm can compute: "
            << obstacle;
        return WalkResult::interrupt();
      } else if (explain) {
        op.emitRemark() << getWords(Choice::SumsProducts) << ": " << obstacle;
      }
      op->removeAttr(kMostWinogradAttrName);
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return signalPassFailure();
    if (explain)
      getOperation()->walk([](DeformOpInterface op) {
        op->emitRemark() << getWords(Choice::SumsProducts) << ": "
                         << getWords(Choice::SamplesDiffer);
      });
    if (!hasConvolutions && choice->kind == Algorithm::Kind::Winograd)
      getOperation()->emitWarning()
          << "no algorithm is chosen: there is no convolution";
  }

private:
  void choose(ConvolutionOpInterface op, const Algorithm &choice,
              TargetAttr target) {
    size_t rank = op.getLayout().getSpatialRank();
    SmallVector<int64_t> sizes;
    for (int64_t size : {2, 4, 6})
      if (choice.tile == 0 ? size <= getMostResults(op) : size == choice.tile)
        sizes.push_back(size);
    SmallVector<int64_t> best;
    double least = getDirectCycles(op, target);
    double direct = least;
    for (int64_t size : sizes) {
      SmallVector<int64_t> tile(rank, size);
      double cycles = getWinogradCycles(op, tile, target);
      bool isFirst = best.empty() && choice.kind != Algorithm::Kind::Auto;
      if (!isFirst && cycles >= least)
        continue;
      best = tile;
      least = cycles;
    }
    if (!best.empty())
      op->setAttr(kWinogradAttrName,
                  DenseI64ArrayAttr::get(&getContext(), best));
    if (explain)
      explainChoice(op, best, least / direct);
  }

  static void explainChoice(ConvolutionOpInterface op, ArrayRef<int64_t> tile,
                            double share) {
    if (tile.empty()) {
      op.emitRemark() << getWords(Choice::SumsProducts) << ": "
                      << getWords(Choice::WinogradSlower);
      return;
    }
    std::string sizes;
    llvm::raw_string_ostream os(sizes);
    llvm::interleave(tile, os, "x");
    op.emitRemark() << getWords(Choice::Winograd) << sizes
                    << " results, in an estimated "
                    << int64_t(share * 100 + 0.5)
                    << " % of the time of its products";
  }
};
} // namespace
