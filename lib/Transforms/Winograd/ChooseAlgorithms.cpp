//===- ChooseAlgorithms.cpp - How convolutions are computed -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WinogradObstacle.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/WinogradTile.h"
#include "convoy/Support/Algorithm.h"
#include "convoy/Transforms/Costs/WinogradCosts.h"
#include "convoy/Transforms/Utils/Choices.h"
#include "convoy/Transforms/Winograd/Passes.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_CHOOSEALGORITHMSPASS
#include "convoy/Transforms/Winograd/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Algorithm;
using ::convoy::Operand;

/// Why the filter of `op`, whose sizes are known, has not as many taps as the
/// algorithm is for; empty where it has.
static std::string findTapsObstacle(ConvolutionOpInterface op) {
  for (char letter : ::convoy::spatialLetters(op.getLayout().getSpatialRank()))
    if (int64_t taps = op.getSize(Operand::Filter, letter);
        taps != ::convoy::kWinogradTaps)
      return (getWords(Choice::OtherTaps) + Twine(taps) + " taps along '" +
              Twine(letter) + "', not " + Twine(::convoy::kWinogradTaps))
          .str();
  return "";
}

/// Why Winograd's algorithm cannot or may not compute `op`; empty where it can.
static std::string findObstacle(ConvolutionOpInterface op, TargetAttr target) {
  if (target.isGPU())
    return getWords(Choice::TargetIsGPU).str();
  if (op.getNumerics().getPolicy() == Policy::High)
    return getWords(Choice::PolicyHigh).str();
  std::string obstacle = findWinogradObstacle(op);
  return obstacle.empty() ? findTapsObstacle(op) : obstacle;
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
      if (op->hasAttr(kWinogradAttrName) || op.hasEmptyTensor())
        return WalkResult::advance();
      std::string obstacle = findObstacle(op, target);
      if (obstacle.empty()) {
        choose(op, *choice, target);
      } else if (choice->kind == Algorithm::Kind::Winograd) {
        op.emitOpError()
            << "expected a convolution that Winograd's algorithm can compute: "
            << obstacle;
        return WalkResult::interrupt();
      } else if (explain) {
        op.emitRemark() << getWords(Choice::SumsProducts) << ": " << obstacle;
      }
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return signalPassFailure();
    if (!hasConvolutions && choice->kind == Algorithm::Kind::Winograd)
      getOperation()->emitWarning()
          << "no algorithm is chosen: there is no convolution";
  }

private:
  void choose(ConvolutionOpInterface op, const Algorithm &choice,
              TargetAttr target) {
    size_t rank = op.getLayout().getSpatialRank();
    SmallVector<int64_t> sizes = {2, 4};
    // Their bound is some 60 to 100 times that of sums of products.
    if (op.getNumerics().getPolicy() == Policy::Low)
      sizes.push_back(6);
    if (choice.tile != 0)
      sizes = {choice.tile};
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
