//===- TileGeometry.cpp - Loops of a workgroup's tile -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileGeometry.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;

//===----------------------------------------------------------------------===//
// The geometry
//===----------------------------------------------------------------------===//

int64_t TileGeometry::countTiles(unsigned loop) const {
  int64_t extent = space.getIndices(extents[loop]).high + 1;
  return llvm::divideCeilSigned(extent, sizes[loop]);
}

TileSide TileGeometry::makeSide(unsigned factor, ArrayRef<unsigned> loops,
                                bool alongFirst, int64_t itemSize) {
  SmallVector<int64_t> steps =
      llvm::map_to_vector(loops, [&](unsigned loop) { return sizes[loop]; });
  int64_t volume = getSideVolume(steps, alongFirst, itemSize);
  return {factor, llvm::to_vector(loops), alongFirst, volume,
          /*isRounded=*/volume != llvm::product_of(steps)};
}

TileGeometry::TileGeometry(const WorkgroupLoops &loops, IndexSpace &space)
    : space(space), extents(loops.tile.getExtents().asArrayRef()),
      sizes(loops.tile.getSizes().asArrayRef()) {
  linalg::GenericOp contraction = loops.contraction;
  numResultLoops = contraction.getNumParallelLoops();
  starts.assign(sizes.size(), space.getConstant(0));
  // What a loop goes through outside comes first: it is what address
  // arithmetic starts with.
  auto addStart = [&](unsigned loop, Value source) {
    starts[loop] = space.add({0, (countTiles(loop) - 1) * sizes[loop]},
                             sizes[loop], source);
  };
  if (scf::ForallOp parts = loops.parts) {
    numParts = *getConstantIntValue(parts.getMixedUpperBound()[0]);
    part = space.add({0, numParts - 1}, 1, parts.getInductionVars()[0]);
  }
  SmallVector<Value> inductionVars;
  if (scf::ForallOp tiles = loops.tiles)
    inductionVars = tiles.getInductionVars();
  ArrayRef<Value> tileIndices = inductionVars;
  for (unsigned loop = 0; loop < numResultLoops; ++loop)
    if (countTiles(loop) > 1) {
      addStart(loop, tileIndices.front());
      tileIndices = tileIndices.drop_front();
    }
  for (int64_t size : sizes)
    dims.push_back(space.add({0, size - 1}));
  ArrayRef<scf::ForOp> steps = loops.steps;
  for (unsigned loop = numResultLoops; loop < sizes.size(); ++loop)
    if (countTiles(loop) > 1) {
      scf::ForOp step = steps.front();
      addStart(loop, step.getInductionVar());
      steps = steps.drop_front();
    }

  SideLoops sides = getSideLoops(contraction, loops.tile.getLaneLoop(), sizes);
  lanes = makeSide(sides.laneFactor, sides.lanes, /*alongFirst=*/true,
                   loops.tile.getItemLanes());
  // Vectors that run along all of the rows are as many where these fill them.
  bool fillsVectors =
      !sides.rows.empty() && sizes[sides.rows.front()] % kVectorLanes == 0;
  rows = makeSide(1 - sides.laneFactor, sides.rows, fillsVectors,
                  loops.tile.getItemRows());
}

void TileGeometry::orderTerms(ArrayRef<AffineExpr> addresses) {
  for (unsigned loop = numResultLoops; loop < sizes.size(); ++loop)
    terms.insert(terms.begin(), loop);
  auto isContiguous = [&](unsigned loop) {
    return llvm::any_of(addresses, [&](AffineExpr address) {
      return space.isContiguous(address, dims[loop], 1);
    });
  };
  llvm::stable_sort(terms, [&](unsigned a, unsigned b) {
    return sizes[a] > 1 && isContiguous(a) &&
           !(sizes[b] > 1 && isContiguous(b));
  });
  // Steps are counted without a division by the batch.
  llvm::stable_sort(
      terms, [&](unsigned a, unsigned b) { return isBatch(a) < isBatch(b); });
}

ArrayRef<AffineExpr> TileGeometry::getResultIndex() const {
  return ArrayRef(dims).take_front(numResultLoops);
}

int64_t TileGeometry::getNumTerms() const {
  int64_t number = 1;
  for (unsigned loop : terms)
    number *= sizes[loop];
  return number;
}

int64_t TileGeometry::getNumSteps() const {
  int64_t number = 1;
  for (unsigned loop : terms)
    number *= countTiles(loop);
  return number;
}

SmallVector<Value> TileGeometry::emitReduction(
    OpBuilder &builder, Location loc, SmallVector<Value> sums,
    function_ref<SmallVector<Value>(SmallVector<Value>)> emitSteps) {
  if (llvm::none_of(terms, [&](unsigned loop) { return isBatch(loop); }))
    return emitSteps(sums);
  Value hasImages = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::ne,
      space.materializeSize(builder, loc, ShapedType::kDynamic),
      arith::ConstantIndexOp::create(builder, loc, 0));
  auto branch = scf::IfOp::create(builder, loc, TypeRange(ValueRange(sums)),
                                  hasImages, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard restore(builder);
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, sums);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, emitSteps(sums));
  return SmallVector<Value>(branch.getResults());
}

Value TileGeometry::emitNumSteps(OpBuilder &builder, Location loc) {
  AffineExpr number = space.getConstant(1);
  for (unsigned loop : terms) {
    AffineExpr count = space.getSize(countTiles(loop));
    if (isBatch(loop))
      count = (space.getSize(extents[loop]) + (sizes[loop] - 1))
                  .floorDiv(sizes[loop]);
    number = number * count;
  }
  return space.materialize(builder, loc, number);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

SmallVector<TileGeometry::Axis> TileGeometry::getAxes() const {
  SmallVector<Axis> axes;
  std::optional<Axis> batch;
  for (int64_t loop = numResultLoops - 1; loop >= 0; --loop) {
    Axis axis = {countTiles(loop), sizes[loop], starts[loop]};
    if (isBatch(loop))
      batch = {ShapedType::kDynamic, axis.distance, axis.start};
    else if (axis.count > 1)
      axes.push_back(axis);
  }
  if (part)
    axes.push_back({numParts, 1, part});
  if (batch)
    axes.push_back(*batch);
  return axes;
}

LaunchGrid TileGeometry::getGrid() const {
  LaunchGrid grid;
  for (auto [number, axis] : llvm::enumerate(getAxes()))
    if (ShapedType::isDynamic(axis.count))
      grid.groups = {1, axis.distance};
    else
      grid.sizes[std::min<size_t>(number, 2)] *= axis.count;
  return grid;
}

/// `number` modulo `size`, which it becomes the quotient by.
static Value takeDigit(OpBuilder &builder, Location loc, Value &number,
                       int64_t size) {
  Value divisor = arith::ConstantIndexOp::create(builder, loc, size);
  Value digit = builder.createOrFold<arith::RemUIOp>(loc, number, divisor);
  number = builder.createOrFold<arith::DivUIOp>(loc, number, divisor);
  return digit;
}

void TileGeometry::setTile(KernelBuilder &kernel) {
  LaunchGrid grid = getGrid();
  OpBuilder &builder = kernel.getBuilder();
  int64_t depth = grid.groups.empty() ? grid.sizes[2] : ShapedType::kDynamic;
  std::array<Value, 3> place = {
      kernel.getGroup(gpu::Dimension::x, grid.sizes[0]),
      kernel.getGroup(gpu::Dimension::y, grid.sizes[1]),
      kernel.getGroup(gpu::Dimension::z, depth)};
  SmallVector<Axis> axes = getAxes();
  for (auto [number, axis] : llvm::enumerate(axes)) {
    bool isBatch = ShapedType::isDynamic(axis.count);
    Value &left = place[isBatch ? 2 : std::min<size_t>(number, 2)];
    bool isLast = number < 2 || number + 1 == axes.size();
    Value digit =
        isLast ? left : takeDigit(builder, kernel.getLoc(), left, axis.count);
    space.setValue(axis.start,
                   scale(builder, kernel.getLoc(), digit, axis.distance));
  }
}

void TileGeometry::setStep(OpBuilder &builder, Location loc, Value step) {
  int64_t left = getNumSteps();
  for (unsigned loop : terms) {
    int64_t count = countTiles(loop);
    if (count == 1)
      continue;
    left /= count;
    Value digit = left == 1 ? step : takeDigit(builder, loc, step, count);
    space.setValue(starts[loop], scale(builder, loc, digit, sizes[loop]));
  }
}

void TileGeometry::setDigits(OpBuilder &builder, Location loc,
                             ArrayRef<unsigned> loops, Value number) {
  for (unsigned loop : loops) {
    bool isLast = loop == loops.back();
    Value digit =
        isLast ? number : takeDigit(builder, loc, number, sizes[loop]);
    space.setValue(dims[loop], digit);
  }
}

void TileGeometry::setUnitLoops(OpBuilder &builder, Location loc) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  for (unsigned loop = 0; loop < numResultLoops; ++loop)
    if (sizes[loop] == 1)
      space.setValue(dims[loop], zero);
}

void TileGeometry::setElement(OpBuilder &builder, Location loc,
                              const TileSide &side, Value group,
                              int64_t member) {
  setUnitLoops(builder, loc);
  auto addMember = [&](Value value) {
    return builder.createOrFold<arith::AddIOp>(
        loc, scale(builder, loc, value, kVectorLanes),
        arith::ConstantIndexOp::create(builder, loc, member));
  };
  if (side.loops.empty())
    return;
  if (!side.alongFirst)
    return setDigits(builder, loc, side.loops, addMember(group));
  int64_t groups =
      llvm::divideCeilSigned(sizes[side.loops.front()], kVectorLanes);
  ArrayRef<unsigned> others = ArrayRef(side.loops).drop_front();
  Value first = others.empty() ? group : takeDigit(builder, loc, group, groups);
  space.setValue(dims[side.loops.front()], addMember(first));
  setDigits(builder, loc, others, group);
}

void TileGeometry::setLine(OpBuilder &builder, Location loc,
                           const TileSide &side, Value number) {
  setUnitLoops(builder, loc);
  ArrayRef<unsigned> loops = side.loops;
  if (side.alongFirst && loops.size() > 1) {
    // The first loop is rounded up to whole groups.
    Value first = takeDigit(builder, loc, number,
                            llvm::alignTo(sizes[loops.front()], kVectorLanes));
    space.setValue(dims[loops.front()], first);
    loops = loops.drop_front();
  }
  setDigits(builder, loc, loops, number);
}

void TileGeometry::setTerm(OpBuilder &builder, Location loc, Value term) {
  setDigits(builder, loc, terms, term);
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

bool TileGeometry::isUniform(const TileSide &side, int64_t groups) const {
  if (side.loops.empty())
    return false;
  unsigned first = side.loops.front();
  int64_t elements = groups * kVectorLanes;
  return side.alongFirst && sizes[first] % elements == 0 && !isBatch(first) &&
         extents[first] % elements == 0;
}

Value TileGeometry::emitIsInside(OpBuilder &builder, Location loc,
                                 const TileSide &side) {
  Value all;
  for (unsigned loop : side.loops) {
    // Numbers past the last element are past the end of one of these.
    bool isEnd = loop == side.loops.back() ||
                 (side.alongFirst && loop == side.loops.front());
    if (side.isRounded && isEnd)
      all = space.emitIsInside(builder, loc, dims[loop], sizes[loop], all);
    if (!isWhole(loop))
      all = space.emitIsInside(builder, loc, starts[loop] + dims[loop],
                               extents[loop], all);
  }
  return all;
}

Value TileGeometry::emitIsTerm(OpBuilder &builder, Location loc) {
  Value all;
  for (unsigned loop : terms)
    if (!isWhole(loop))
      all = space.emitIsInside(builder, loc, starts[loop] + dims[loop],
                               extents[loop], all);
  return all;
}

Value TileGeometry::emitLimit(OpBuilder &builder, Location loc, unsigned loop) {
  if (isWhole(loop))
    return {};
  Value rest = space.materialize(builder, loc,
                                 space.getSize(extents[loop]) - starts[loop]);
  Value size = arith::ConstantIndexOp::create(builder, loc, sizes[loop]);
  return arith::MinUIOp::create(builder, loc, rest, size);
}
