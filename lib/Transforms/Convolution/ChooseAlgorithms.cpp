//===- ChooseAlgorithms.cpp - How convolutions are computed -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/WinogradTile.h"
#include "convoy/Support/CookToom.h"
#include "convoy/Transforms/Convolution/Passes.h"
#include "convoy/Transforms/Costs/WinogradCosts.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_CHOOSEALGORITHMSPASS
#include "convoy/Transforms/Convolution/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Direction;
using ::convoy::Operand;
using ::convoy::WindowDim;

/// Taps along each spatial dimension of what Winograd's algorithm computes.
static constexpr int64_t kTaps = 3;

/// Why the window has what the algorithm has not; empty where it has not.
static std::string findWindowObstacle(ConvolutionOpInterface op) {
  for (auto [dim, letter] : llvm::enumerate(
           ::convoy::spatialLetters(op.getLayout().getSpatialRank()))) {
    WindowDim window = op.getWindow().getDim(dim);
    auto refuse = [&, letter = letter](StringRef what, int64_t number) {
      return (what + " along '" + Twine(letter) + "' is " + Twine(number) +
              ", not 1")
          .str();
    };
    if (window.stride != 1)
      return refuse("its stride", window.stride);
    if (window.dilation != 1)
      return refuse("its dilation", window.dilation);
    if (window.inputDilation != 1)
      return refuse("the dilation of its input", window.inputDilation);
    int64_t taps = op.getSize(Operand::Filter, letter);
    if (ShapedType::isDynamic(taps))
      return "its number of taps is dynamic";
    if (taps != kTaps)
      return ("its filter has " + Twine(taps) + " taps along '" +
              Twine(letter) + "', not " + Twine(kTaps))
          .str();
  }
  return "";
}

static std::string findTypeObstacle(ConvolutionOpInterface op) {
  SmallVector<Type> types = {op.getAccumulatorType()};
  for (Operand operand : {Operand::Input, Operand::Filter, Operand::Output})
    types.push_back(op.getTypeFor(operand).getElementType());
  for (Type type : types)
    if (!type.isF32()) {
      std::string text;
      llvm::raw_string_ostream(text)
          << "it has numbers of " << type << ", not f32 alone";
      return text;
    }
  return "";
}

static std::string findSizeObstacle(ConvolutionOpInterface op) {
  ::convoy::ConvLayouts layouts = op.getLayout().getLayouts();
  for (Operand operand : {Operand::Input, Operand::Filter, Operand::Output})
    for (char letter : layouts[operand].letters())
      if (letter != 'n' && ShapedType::isDynamic(op.getSize(operand, letter)))
        return ("its size along '" + Twine(letter) + "' is dynamic").str();
  return "";
}

/// Why Winograd's algorithm cannot compute `op`; empty where it can.
static std::string findObstacle(ConvolutionOpInterface op, TargetAttr target) {
  if (target.isGPU())
    return "the target is a GPU";
  if (op.getDirection() == Direction::BackwardFilter)
    return "it is a gradient of the filter";
  if (op.getNumerics().getPolicy() == Policy::High)
    return "policy high forbids it";
  if (op.getLayout().hasGroups())
    return "it has groups";
  for (std::string obstacle :
       {findTypeObstacle(op), findWindowObstacle(op), findSizeObstacle(op)})
    if (!obstacle.empty())
      return obstacle;
  return "";
}

namespace {
/// What the option asks for.
struct AlgorithmChoice {
  bool isDirect = false, isFree = false;
  int64_t size = 0; ///< results of a tile along each dimension; 0: any
};

struct ChooseAlgorithmsPass final
    : mlir::convoy::impl::ChooseAlgorithmsPassBase<ChooseAlgorithmsPass> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<AlgorithmChoice> choice = readChoice();
    if (failed(choice))
      return signalPassFailure();
    if (choice->isDirect)
      return;
    TargetAttr target = TargetAttr::lookup(getOperation());
    WalkResult walk = getOperation()->walk([&](ConvolutionOpInterface op) {
      if (op->hasAttr(kWinogradAttrName) || op.hasEmptyTensor())
        return WalkResult::advance();
      std::string obstacle = findObstacle(op, target);
      if (obstacle.empty()) {
        choose(op, *choice, target);
      } else if (!choice->isFree) {
        op.emitOpError()
            << "expected a convolution that Winograd's algorithm can compute: "
            << obstacle;
        return WalkResult::interrupt();
      } else if (explain) {
        op.emitRemark() << "sums its products: " << obstacle;
      }
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      signalPassFailure();
  }

private:
  FailureOr<AlgorithmChoice> readChoice() {
    AlgorithmChoice choice;
    auto [name, size] = StringRef(algorithm).split(':');
    choice.isDirect = algorithm == "direct";
    choice.isFree = algorithm == "auto";
    bool isKnown = choice.isDirect || choice.isFree || algorithm == "winograd";
    if (name == "winograd" && name.size() != algorithm.size())
      isKnown = !size.getAsInteger(10, choice.size) &&
                llvm::is_contained({2, 4, 6}, choice.size);
    if (isKnown)
      return choice;
    return getOperation()->emitError()
           << "expected direct, winograd, winograd:2, winograd:4, winograd:6 "
              "or auto for algorithm, but got '"
           << algorithm << "'";
  }

  void choose(ConvolutionOpInterface op, const AlgorithmChoice &choice,
              TargetAttr target) {
    size_t rank = op.getLayout().getSpatialRank();
    SmallVector<int64_t> sizes = {2, 4};
    // Their bound is some 60 to 100 times that of sums of products.
    if (op.getNumerics().getPolicy() == Policy::Low)
      sizes.push_back(6);
    if (choice.size != 0)
      sizes = {choice.size};
    SmallVector<int64_t> best;
    double least = getDirectCycles(op, target);
    double direct = least;
    for (int64_t size : sizes) {
      SmallVector<int64_t> tile(rank, size);
      double cycles = getWinogradCycles(op, tile, target);
      bool isFirst = best.empty() && !choice.isFree;
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
      op.emitRemark() << "sums its products: Winograd's algorithm is estimated "
                         "to take longer";
      return;
    }
    InFlightDiagnostic remark = op.emitRemark();
    remark << "Winograd's algorithm computes tiles of ";
    llvm::interleave(tile, remark, "x");
    remark << " results, in an estimated " << int64_t(share * 100 + 0.5)
           << " % of the time of its products";
  }
};
} // namespace
