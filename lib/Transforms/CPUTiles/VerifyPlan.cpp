//===- VerifyPlan.cpp - Whether a tile fits its contraction -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TilePlan.h"

#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "convoy/Transforms/Utils/Contractions.h"
#include "convoy/Transforms/Utils/PlanErrors.h"
#include "convoy/Transforms/Utils/SumOfProducts.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// Looks for what of a plan does not fit a contraction.
class PlanVerifier {
public:
  PlanVerifier(linalg::GenericOp contraction, RegisterTileAttr plan)
      : contraction(contraction), plan(plan),
        sizes(contraction.getStaticLoopRanges()),
        iterators(contraction.getIteratorTypesArray()),
        maps(contraction.getIndexingMapsArray()) {}

  LogicalResult verify();

private:
  InFlightDiagnostic emitError() { return emitPlanError(contraction, plan); }
  bool isReduction(unsigned loop) const {
    return iterators[loop] == utils::IteratorType::reduction;
  }
  /// The factor that alone runs along `loop`, if one does.
  std::optional<unsigned> getFactorOf(unsigned loop) const {
    bool isInFirst = maps[0].isFunctionOfDim(loop);
    if (isInFirst == maps[1].isFunctionOfDim(loop))
      return std::nullopt;
    return isInFirst ? 0 : 1;
  }
  /// Checks loops and steps of the field `name`; `reductions` says of which
  /// kind they are, unless any will do.
  LogicalResult verifySteps(StringRef name, ArrayRef<LoopSteps> list,
                            std::optional<bool> reductions);
  LogicalResult verifyLanes();
  LogicalResult verifySum();
  LogicalResult verifyPacking();
  LogicalResult verifyBlocks();

  linalg::GenericOp contraction;
  RegisterTileAttr plan;
  SmallVector<int64_t> sizes;
  SmallVector<utils::IteratorType> iterators;
  SmallVector<AffineMap> maps;
};
} // namespace

LogicalResult PlanVerifier::verifySteps(StringRef name,
                                        ArrayRef<LoopSteps> list,
                                        std::optional<bool> reductions) {
  for (const LoopSteps &steps : list) {
    if (steps.loop >= sizes.size())
      return emitError() << "there are " << sizes.size() << " loops, but "
                         << name << " has loop " << steps.loop;
    if (reductions && isReduction(steps.loop) != *reductions)
      return emitError() << "expected "
                         << (*reductions ? "a reduction" : "no reduction")
                         << " in " << name << ", but got loop " << steps.loop;
    int64_t most = ShapedType::isDynamic(sizes[steps.loop])
                       ? 1
                       : std::max<int64_t>(1, sizes[steps.loop]);
    if (steps.size > most)
      return emitError() << "expected at most " << most << " steps of loop "
                         << steps.loop << " in " << name << ", but got "
                         << steps.size;
  }
  return success();
}

LogicalResult PlanVerifier::verifySum() {
  if (isReduction(plan.getLanes().loop)) {
    if (!isSumOfProducts(contraction))
      return emitError() << "its lanes cannot be summed";
    if (plan.getPacked())
      return emitError() << "lanes are summed, but their factor is packed";
  }
  if (std::optional<LoopSteps> terms = plan.getTerms();
      terms && sizes[terms->loop] % terms->size != 0)
    return emitError() << "expected terms to divide the " << sizes[terms->loop]
                       << " steps of loop " << terms->loop << ", but got "
                       << terms->size;
  return success();
}

LogicalResult PlanVerifier::verifyPacking() {
  if (!plan.getPacked())
    return success();
  unsigned laneLoop = plan.getLanes().loop;
  std::optional<unsigned> factor = getFactorOf(laneLoop);
  if (!factor)
    return emitError() << "expected one factor alone to run along the lanes";
  for (auto [loop, size] : llvm::enumerate(sizes))
    if (ShapedType::isDynamic(size) && maps[*factor].isFunctionOfDim(loop))
      return emitError() << "what is packed has loop " << loop
                         << " of dynamic size";
  std::optional<LoopSteps> outer = plan.getOuterLanes();
  if (outer &&
      (outer->loop + 1 != laneLoop || getFactorOf(outer->loop) != factor))
    return emitError() << "lanes of loop " << laneLoop
                       << " do not go on along loop " << outer->loop;
  linalg::LinalgOp root = getRoot(contraction);
  if (outer && root != contraction && !isOneLoopWithNext(root, outer->loop)) {
    InFlightDiagnostic error = emitError();
    error << "lanes of loop " << laneLoop << " do not go on along loop "
          << outer->loop << " in the operands of the epilogue";
    error.attachNote(root.getLoc()) << "epilogue";
    return error;
  }
  return success();
}

LogicalResult PlanVerifier::verifyLanes() {
  LoopSteps lanes = plan.getLanes();
  std::optional<LoopSteps> outer = plan.getOuterLanes();
  if (!outer)
    return verifySteps("lanes", lanes, std::nullopt);
  if (failed(verifySteps("outer_lanes", *outer, false)) ||
      failed(verifySteps("lanes", LoopSteps{lanes.loop, 1}, false)))
    return failure();
  int64_t most = outer->size * std::max<int64_t>(1, sizes[lanes.loop]);
  if (lanes.size > most)
    return emitError() << "expected at most " << most
                       << " lanes, what outer_lanes hold, but got "
                       << lanes.size;
  return success();
}

LogicalResult PlanVerifier::verifyBlocks() {
  if (failed(verifySteps("blocks", plan.getBlocks(), true)) ||
      failed(verifySteps("row_blocks", plan.getRowBlocks(), false)))
    return failure();
  LoopSteps lanes = plan.getLanes();
  std::optional<LoopSteps> terms = plan.getTerms();
  for (const LoopSteps &block : plan.getBlocks()) {
    int64_t step = lanes.loop == block.loop ? lanes.size : 1;
    if (terms && terms->loop == block.loop)
      step = terms->size;
    if (sizes[block.loop] % block.size != 0 || block.size % step != 0)
      return emitError() << "expected blocks of whole steps that divide the "
                         << sizes[block.loop] << " steps of loop " << block.loop
                         << ", but got " << block.size;
  }
  // Without packing, panels are cut from the filter.
  bool isInRows = plan.getPacked() && getFactorOf(lanes.loop) == 0;
  for (const LoopSteps &block : plan.getRowBlocks())
    if (getFactorOf(block.loop) != (isInRows ? 1 : 0))
      return emitError() << "expected loops of the factor without lanes alone "
                            "in row_blocks, but got loop "
                         << block.loop;
  return success();
}

LogicalResult PlanVerifier::verify() {
  std::optional<LoopSteps> terms = plan.getTerms();
  if (failed(verifyLanes()) ||
      failed(verifySteps("rows", plan.getRows(), false)) ||
      failed(verifySteps("terms", toList(terms), true)) ||
      failed(verifyBlocks()) || failed(verifySum()) || failed(verifyPacking()))
    return failure();
  RegisterTile tile = RegisterTile::get(plan, contraction);
  if (!tile.canBeVectors())
    return emitError() << "expected at most " << RegisterTile::kMostElements
                       << " elements or terms in a tile, in vectors of at most "
                       << kMostUnrolled << " lanes";
  if (tile.masked && !canMaskTile(contraction, tile))
    return emitError() << "it cannot be computed under masks";
  if (!plan.getBlocks().empty() && !canStorePartialSums(contraction))
    return emitError() << "partial sums of blocks cannot be stored in its "
                          "result";
  return success();
}

LogicalResult mlir::convoy::verifyPlan(linalg::GenericOp contraction,
                                       RegisterTileAttr plan) {
  return PlanVerifier(contraction, plan).verify();
}
