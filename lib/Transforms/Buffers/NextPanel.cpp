//===- NextPanel.cpp - The lines that come after a panel's ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NextPanel.h"

#include "convoy/Transforms/Utils/LoopValues.h"
#include "convoy/Transforms/Utils/Views.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

std::optional<Place> Place::find(scf::ForOp loop, Value buffer,
                                 ValueRange indices) {
  Place place{buffer, {}, getAsOpFoldResult(indices)};
  auto part = buffer.getDefiningOp<memref::SubViewOp>();
  if (part && part->getParentOp() == loop) {
    if (!part.hasUnitStride() ||
        part.getSourceType().getRank() != part.getType().getRank())
      return std::nullopt;
    place.buffer = part.getSource();
    place.offsets = part.getMixedOffsets();
  } else {
    place.offsets.assign(
        indices.size(), IntegerAttr::get(IndexType::get(loop.getContext()), 0));
  }
  auto isKnown = [&](OpFoldResult index) {
    auto value = dyn_cast<Value>(index);
    return !value || value == loop.getInductionVar() ||
           loop.isDefinedOutsideOfLoop(value);
  };
  if (!loop.isDefinedOutsideOfLoop(place.buffer) ||
      !llvm::all_of(place.offsets, isKnown) ||
      !llvm::all_of(place.indices, isKnown))
    return std::nullopt;
  return place;
}

std::optional<double> Place::getStep(Value iv) const {
  SmallVector<int64_t> strides;
  int64_t start;
  double step = 0;
  if (failed(cast<MemRefType>(buffer.getType())
                 .getStridesAndOffset(strides, start)))
    return std::nullopt;
  for (const auto &summands : {offsets, indices})
    for (auto [index, stride] : llvm::zip_equal(summands, strides)) {
      if (dyn_cast<Value>(index) != iv)
        continue;
      if (ShapedType::isDynamic(stride))
        return std::nullopt;
      step += double(stride);
    }
  return step;
}

void Place::prefetch(OpBuilder &builder, Location loc, unsigned locality,
                     function_ref<Value(Value)> replace) const {
  auto get = [&](OpFoldResult index) {
    return replace(getValueOrCreateConstantIndexOp(builder, loc, index));
  };
  SmallVector<Value> sums;
  for (auto [offset, index] : llvm::zip_equal(offsets, indices))
    sums.push_back(
        builder.createOrFold<arith::AddIOp>(loc, get(offset), get(index)));
  memref::PrefetchOp::create(builder, loc, buffer, sums, /*isWrite=*/false,
                             locality, /*isDataCache=*/true);
}

//===----------------------------------------------------------------------===//
// Panels
//===----------------------------------------------------------------------===//

/// Which lane of a row lies at `place`, if that is a constant.
static std::optional<int64_t> getLane(const Place &place) {
  std::optional<int64_t> offset = getConstantIntValue(place.offsets.back()),
                         index = getConstantIntValue(place.indices.back());
  if (!offset || !index)
    return std::nullopt;
  return *offset + *index;
}

/// Whether both are elements of one row.
static bool areInOneRow(const Place &a, const Place &b) {
  auto areEqual = [](ArrayRef<OpFoldResult> a, ArrayRef<OpFoldResult> b) {
    return llvm::all_of(llvm::zip_equal(a.drop_back(), b.drop_back()),
                        [](const auto &both) {
                          return isEqualConstantIntOrValue(std::get<0>(both),
                                                           std::get<1>(both));
                        });
  };
  return a.buffer == b.buffer && areEqual(a.offsets, b.offsets) &&
         areEqual(a.indices, b.indices);
}

std::optional<NextPanel> NextPanel::find(scf::ForOp loop,
                                         ArrayRef<Place> places,
                                         int64_t lineElements,
                                         int64_t lineBytes, double mostBytes) {
  std::optional<int64_t> firstLane =
      places.front().indices.empty() ? std::nullopt : getLane(places.front());
  if (!firstLane)
    return std::nullopt;
  for (auto [number, place] : llvm::enumerate(places))
    if (!areInOneRow(place, places.front()) ||
        getLane(place) != *firstLane + int64_t(number) * lineElements)
      return std::nullopt;
  NextPanel panel;
  panel.loop = loop;
  panel.first = places.front();
  panel.firstLane = *firstLane;
  panel.lineElements = lineElements;
  panel.numLines = int64_t(places.size());
  if (failed(panel.findPanelLoop()) || failed(panel.findLoops()))
    return std::nullopt;
  double bytes =
      double(panel.numTerms) * double(panel.numLines) * double(lineBytes);
  if (panel.numReadings < 2 || panel.numReadings >= kMostMultiplied ||
      panel.numTerms >= kMostMultiplied || 2 * bytes > mostBytes)
    return std::nullopt;
  return panel;
}

LogicalResult NextPanel::findPanelLoop() {
  SmallVector<Value> views = getViews(first.buffer);
  for (Value view : llvm::reverse(views)) {
    auto part = view.getDefiningOp<memref::SubViewOp>();
    if (!part || !part.hasUnitStride() ||
        part.getSourceType().getRank() != part.getType().getRank())
      return failure();
    auto lane = dyn_cast<Value>(part.getMixedOffsets().back());
    if (!lane)
      continue;
    panelLoop = scf::getForInductionVarOwner(lane);
    return success(panelLoop && getConstantIntValue(panelLoop.getStep()) &&
                   panelLoop->isProperAncestor(loop));
  }
  return failure();
}

LogicalResult NextPanel::findLoops() {
  llvm::SmallDenseSet<Value> used;
  auto use = [&](ArrayRef<OpFoldResult> indices) {
    for (OpFoldResult index : indices)
      if (auto value = dyn_cast<Value>(index))
        used.insert(value);
  };
  use(first.offsets);
  use(first.indices);
  for (Value view : getViews(first.buffer))
    if (auto part = view.getDefiningOp<memref::SubViewOp>())
      use(part.getMixedOffsets());
  used.erase(panelLoop.getInductionVar());
  for (Operation *op = loop; op != panelLoop; op = op->getParentOp()) {
    if (isa<scf::IfOp>(op))
      continue;
    auto around = dyn_cast<scf::ForOp>(op);
    std::optional<uint64_t> count =
        around ? getMostIterations(around) : std::nullopt;
    if (!count || !getConstantIntValue(around.getStep()))
      return failure();
    bool isOfTerms = used.erase(around.getInductionVar());
    if (!isOfTerms)
      rowLoops.push_back(around);
    uint64_t &number = isOfTerms ? numTerms : numReadings;
    number = llvm::SaturatingMultiply(number, *count);
  }
  // What else it depends on would have to stay the same.
  return success(llvm::all_of(used, [&](Value value) {
    return panelLoop.isDefinedOutsideOfLoop(value);
  }));
}

Value NextPanel::getNumberOfReading(OpBuilder &builder) {
  MLIRContext *context = builder.getContext();
  AffineExpr number = getAffineConstantExpr(0, context);
  SmallVector<OpFoldResult> operands;
  int64_t inside = 1;
  for (scf::ForOp around : rowLoops) {
    AffineExpr iv = getAffineDimExpr(operands.size(), context),
               lower = getAffineDimExpr(operands.size() + 1, context);
    operands.push_back(around.getInductionVar());
    operands.push_back(OpFoldResult(around.getLowerBound()));
    number =
        number +
        (iv - lower).floorDiv(*getConstantIntValue(around.getStep())) * inside;
    inside *= int64_t(*getMostIterations(around));
  }
  Location loc = loop.getLoc();
  return getValueOrCreateConstantIndexOp(
      builder, loc,
      affine::makeComposedFoldedAffineApply(
          builder, loc, AffineMap::get(operands.size(), 0, number), operands));
}

NextPanel::Share NextPanel::getShare(OpBuilder &builder) {
  Location loc = loop.getLoc();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  // What the first of them ask for several times costs a little each time.
  Share share;
  share.numReadings =
      llvm::bit_floor(std::min(numReadings, uint64_t(numLines) * kMostRepeats));
  share.numSteps = int64_t(*getMostIterations(loop));
  Value reading = getNumberOfReading(builder);
  Value asks =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, reading,
                            constant(int64_t(share.numReadings)));
  auto choose = [&](Value value, int64_t otherwise) -> Value {
    return arith::SelectOp::create(builder, loc, asks, value,
                                   constant(otherwise));
  };
  Value begin =
      arith::MulIOp::create(builder, loc, reading, constant(share.numSteps));
  share.begin = choose(begin, 0);
  share.shift = choose(constant(llvm::Log2_64(share.numReadings)), 0);
  share.mask = choose(constant(int64_t(share.numReadings) - 1), 0);
  share.lane =
      choose(constant(firstLane + *getConstantIntValue(panelLoop.getStep())),
             firstLane);
  return share;
}

void NextPanel::prefetch() {
  Location loc = loop.getLoc();
  OpBuilder before(loop), builder(loop.getBody(), loop.getBody()->begin());
  Share share = getShare(before);
  auto apply = [&](AffineExpr expr, ArrayRef<OpFoldResult> operands) {
    return getValueOrCreateConstantIndexOp(
        builder, loc,
        affine::makeComposedFoldedAffineApply(
            builder, loc, AffineMap::get(operands.size(), 0, expr), operands));
  };
  AffineExpr d0 = builder.getAffineDimExpr(0), d1 = builder.getAffineDimExpr(1),
             d2 = builder.getAffineDimExpr(2);
  int64_t by = *getConstantIntValue(loop.getStep());
  OpFoldResult iv = loop.getInductionVar(),
               lower = OpFoldResult(loop.getLowerBound());
  Value number = apply((d0 - d1).floorDiv(by) + d2, {iv, lower, share.begin});
  Value row = arith::ShRUIOp::create(builder, loc, number, share.shift);
  row = apply(d0 * by + d1, {row, lower});
  Value part = arith::AndIOp::create(builder, loc, number, share.mask);
  part = apply((d0 * numLines).floorDiv(int64_t(share.numReadings)), {part});
  auto get = [&](OpFoldResult index) {
    return index == iv ? OpFoldResult(row) : index;
  };
  SmallVector<Value> indices;
  for (auto [offset, index] : llvm::zip_equal(first.offsets, first.indices))
    indices.push_back(apply(d0 + d1, {get(offset), get(index)}));
  uint64_t numAsked = llvm::divideCeil(uint64_t(numLines), share.numReadings);
  for (uint64_t line = 0; line < numAsked; ++line) {
    indices.back() =
        apply(d0 + (d1 + int64_t(line)) * lineElements, {share.lane, part});
    // Into the L2 cache: the first one holds what is read now.
    memref::PrefetchOp::create(builder, loc, first.buffer, indices,
                               /*isWrite=*/false, /*localityHint=*/2,
                               /*isDataCache=*/true);
  }
}
