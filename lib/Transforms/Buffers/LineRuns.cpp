//===- LineRuns.cpp - Runs of lines that lie apart --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LineRuns.h"

#include "NextPanel.h"

#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "convoy/Transforms/Costs/CycleCosts.h"
#include "convoy/Transforms/Utils/Views.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;

/// What a core takes from memory in a cycle: steps that wait for it take no
/// less time than that.
static constexpr int64_t kMemoryBytesPerCycle = 8;

/// Of longer runs hardware finds out where they lead soon enough.
static constexpr int64_t kMostLines = 16;

namespace {
/// The loops that read runs.
class RunPrefetcher {
public:
  RunPrefetcher(scf::ForOp loop, scf::ForOp inner, TargetAttr target)
      : loop(loop), inner(inner), target(target) {}

  void run();

private:
  /// The bytes that the steps of `inner` read at `place`, if hardware does not
  /// ask for them.
  std::optional<int64_t> getLateBytes(const Place &place);
  void prefetch(const Place &place, int64_t bytes);

  scf::ForOp loop, inner;
  TargetAttr target;
};
} // namespace

std::optional<int64_t> RunPrefetcher::getLateBytes(const Place &place) {
  auto type = dyn_cast<MemRefType>(getViews(place.buffer).front().getType());
  std::optional<APInt> length = inner.getStaticTripCount();
  std::optional<double> apart = place.getStep(loop.getInductionVar());
  if (!type || !type.hasStaticShape() || !length || !apart ||
      place.getStep(inner.getInductionVar()) != 1.0)
    return std::nullopt;
  int64_t elementBytes = getElementBytes(type.getElementType()),
          bytes = length->getSExtValue() * elementBytes,
          lineBytes = target.getCore().lineBytes;
  bool isRun = bytes >= lineBytes && bytes <= kMostLines * lineBytes &&
               *apart * double(elementBytes) >= 2.0 * double(bytes);
  if (!isRun || getStaticBytes(type) <= double(target.getL2Bytes()))
    return std::nullopt;
  return bytes;
}

void RunPrefetcher::prefetch(const Place &place, int64_t bytes) {
  int64_t distance = llvm::divideCeil(
      int64_t(kRequestAheadCycles) * kMemoryBytesPerCycle, bytes);
  std::optional<APInt> count = loop.getStaticTripCount();
  if (!count || count->getSExtValue() < 2 * distance)
    return;
  OpBuilder builder(inner);
  Location loc = inner.getLoc();
  Value later = arith::AddIOp::create(
      builder, loc, loop.getInductionVar(),
      arith::ConstantIndexOp::create(builder, loc, distance));
  int64_t lineBytes = target.getCore().lineBytes,
          elementBytes = getElementBytes(
              cast<MemRefType>(place.buffer.getType()).getElementType());
  for (int64_t begin = 0; begin < bytes; begin += lineBytes) {
    Value element =
        arith::ConstantIndexOp::create(builder, loc, begin / elementBytes);
    place.prefetch(builder, loc, /*locality=*/3, [&](Value index) {
      if (index == inner.getInductionVar())
        return element;
      return index == loop.getInductionVar() ? later : index;
    });
  }
}

void RunPrefetcher::run() {
  for (auto load : inner.getOps<memref::LoadOp>()) {
    std::optional<Place> place =
        Place::find(inner, load.getMemRef(), load.getIndices());
    if (!place)
      continue;
    if (std::optional<int64_t> bytes = getLateBytes(*place))
      prefetch(*place, *bytes);
  }
}

void mlir::convoy::prefetchRuns(scf::ForOp inner, TargetAttr target) {
  auto loop = dyn_cast<scf::ForOp>(inner->getParentOp());
  if (loop && isConstantIntValue(loop.getStep(), 1) &&
      isConstantIntValue(inner.getStep(), 1) &&
      isConstantIntValue(inner.getLowerBound(), 0))
    RunPrefetcher(loop, inner, target).run();
}
