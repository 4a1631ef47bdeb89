//===- PrefetchLines.cpp - Ask for lines before steps read them -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LineRuns.h"
#include "NextPanel.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "convoy/Transforms/Buffers/Passes.h"
#include "convoy/Transforms/Costs/CycleCosts.h"
#include "convoy/Transforms/Utils/Views.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cmath>

namespace mlir::convoy {
#define GEN_PASS_DEF_PREFETCHLINESPASS
#include "convoy/Transforms/Buffers/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// The reads of one innermost loop.
class LinePrefetcher {
public:
  LinePrefetcher(scf::ForOp loop, TargetAttr target)
      : loop(loop), target(target),
        builder(loop.getBody(), loop.getBody()->begin()) {}

  void run();

private:
  /// Whether the lines of `place` come late: no hardware prefetches those of so
  /// many pages, and the L2 cache does not hold them.
  bool isLate(const Place &place);
  /// How many steps take as long as a line from beyond the L2 cache: by their
  /// multiply-adds, without which there is nothing to wait with.
  std::optional<int64_t> getDistance();
  scf::ForOp loop;
  TargetAttr target;
  OpBuilder builder;
};
} // namespace

bool LinePrefetcher::isLate(const Place &place) {
  auto whole = dyn_cast<MemRefType>(getViews(place.buffer).front().getType());
  std::optional<double> step = place.getStep(loop.getInductionVar());
  std::optional<int64_t> by = getConstantIntValue(loop.getStep());
  if (!whole || !whole.hasStaticShape() || !step || !by)
    return false;
  double apart = double(getElementBytes(whole.getElementType())) *
                 std::abs(*step * double(*by));
  return getStaticBytes(whole) > double(target.getL2Bytes()) &&
         2 * apart >= double(target.getCore().pageBytes);
}

std::optional<int64_t> LinePrefetcher::getDistance() {
  int64_t sums = 0;
  for (Operation &op : loop.getBody()->without_terminator())
    sums +=
        isa<vector::FMAOp>(op) || (isa<arith::AddFOp, arith::AddIOp>(op) &&
                                   isa<VectorType>(op.getResult(0).getType()));
  if (sums == 0)
    return std::nullopt;
  double cycles = double(sums) * target.getCore().getVectorOpCycles();
  return int64_t(std::ceil(kRequestAheadCycles / cycles));
}

void LinePrefetcher::run() {
  SmallVector<Place> places;
  auto add = [&](VectorType vector, Value buffer, ValueRange indices) {
    int64_t bytes = getElementBytes(vector);
    std::optional<Place> place = Place::find(loop, buffer, indices);
    if (vector.getRank() == 1 && bytes >= target.getCore().lineBytes && place &&
        isLate(*place))
      places.push_back(*place);
  };
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto read = dyn_cast<vector::TransferReadOp>(op);
        read && isa<MemRefType>(read.getBase().getType()) &&
        read.getPermutationMap().isMinorIdentity())
      add(read.getVectorType(), read.getBase(), read.getIndices());
    else if (auto load = dyn_cast<vector::LoadOp>(op))
      add(load.getVectorType(), load.getBase(), load.getIndices());
  }
  if (places.empty())
    return;
  int64_t lineBytes = target.getCore().lineBytes;
  int64_t elementBytes = getElementBytes(
      cast<MemRefType>(places.front().buffer.getType()).getElementType());
  if (auto next = NextPanel::find(loop, places, lineBytes / elementBytes,
                                  lineBytes, double(target.getL2Bytes())))
    return next->prefetch();
  std::optional<APInt> count = loop.getStaticTripCount();
  std::optional<int64_t> distance = getDistance();
  if (!count || !distance || count->getSExtValue() < 2 * *distance)
    return;
  Location loc = loop.getLoc();
  Value steps = arith::ConstantIndexOp::create(
      builder, loc, *distance * *getConstantIntValue(loop.getStep()));
  Value later =
      arith::AddIOp::create(builder, loc, loop.getInductionVar(), steps);
  // Into the L2 cache: lines of pages share few sets of the L1 cache.
  for (const Place &place : places)
    place.prefetch(builder, loc, /*locality=*/2, [&](Value index) {
      return index == loop.getInductionVar() ? later : index;
    });
}

namespace {
struct PrefetchLinesPass final
    : mlir::convoy::impl::PrefetchLinesPassBase<PrefetchLinesPass> {
  using Base::Base;

  void runOnOperation() override {
    TargetAttr target = TargetAttr::lookup(getOperation());
    getOperation()->walk([&](scf::ForOp loop) {
      bool isInnermost = llvm::none_of(*loop.getBody(), [](Operation &op) {
        return op.getNumRegions() > 0;
      });
      if (!isInnermost)
        return;
      LinePrefetcher(loop, target).run();
      prefetchRuns(loop, target);
    });
  }
};
} // namespace
