//===- ContractionKernel.cpp - One workgroup for each tile ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContractionKernel.h"

#include "ContractionTile.h"
#include "MatrixKernel.h"
#include "SharedFactor.h"
#include "SharedSums.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::convoy;

/// The most terms whose factors are in registers at a time, unless more are
/// read at once.
static constexpr int64_t kTermsAtOnce = 4;

/// The most of `count` terms that divide a loop of `size`.
static int64_t getTermsAtOnce(int64_t count, int64_t size) {
  while (size % count != 0)
    --count;
  return count;
}

namespace {
/// Writes one kernel.
class ContractionKernel {
public:
  explicit ContractionKernel(ContractionTile &tile)
      : tile(tile), loops(tile.getLoops()), geometry(tile.getGeometry()) {}

  FailureOr<Value> build(OpBuilder &host, gpu::GPUModuleOp module,
                         StringRef name);

private:
  using Values = SmallVector<Value>;

  int64_t getItemRowGroups() { return loops.tile.getItemRows() / kVectorLanes; }
  int64_t getItemLaneGroups() {
    return loops.tile.getItemLanes() / kVectorLanes;
  }
  int64_t getItemGroups(const TileSide &side) {
    return &side == &geometry.getRows() ? getItemRowGroups()
                                        : getItemLaneGroups();
  }
  int64_t getItemsAlong(const TileSide &side) {
    return side.getGroups() / getItemGroups(side);
  }
  /// The groups of `side` that the work-item has, from the number of the first.
  Values getGroups(const TileSide &side, Value first);

  void emitItem();
  Values emitInits();
  Values emitSteps(Values sums);
  /// The same without staging: `steps` of them, one after the other.
  Values emitStepsInPlace(OpBuilder &builder, Value steps, Values sums);
  /// Groups of several terms, a vector each.
  using Terms = SmallVector<Values>;
  /// Loads `groups` of `count` terms from number `first` on, which is the term
  /// that is placed.
  Terms emitLoads(OpBuilder &builder, unsigned factor, Value half, Value first,
                  int64_t count, const Values &groups);
  /// The same of a factor that is read where it lies.
  Terms emitReads(OpBuilder &builder, FactorReader &reader, int64_t count,
                  const Values &groups);
  /// Adds the terms of the step in half `half`.
  Values emitStep(OpBuilder &builder, Value half, const Values &sums);
  /// Adds `count` terms from number `first` on.
  Values emitTerms(OpBuilder &builder, Value half, Value first, int64_t count,
                   const Values &sums);
  void emitResults(const Values &sums);
  void place(Value rowGroup, int64_t row, Value laneGroup, int64_t lane);

  ContractionTile &tile;
  const WorkgroupLoops &loops;
  TileGeometry &geometry;

  KernelBuilder *kernel = nullptr;
  ElementEmitter *emitter = nullptr;
  /// By factor: how it is read in place, or how it is shared.
  std::optional<FactorReader> readers[2];
  std::optional<SharedFactor> shared[2];
  std::optional<SharedSums> shares;
  Value item; ///< the number of its sums: others may have the same
  Values rowGroups, laneGroups;
};
} // namespace

//===----------------------------------------------------------------------===//
// Elements of one work-item
//===----------------------------------------------------------------------===//

ContractionKernel::Values ContractionKernel::getGroups(const TileSide &side,
                                                       Value first) {
  OpBuilder &builder = kernel->getBuilder();
  Location loc = kernel->getLoc();
  auto constant = [&](int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  // Groups next to each other belong to work-items next to each other, but for
  // those that are read at once.
  const std::optional<FactorReader> &reader = readers[side.factor];
  int64_t run = reader ? reader->getGroupsAtOnce() : 1;
  first = builder.createOrFold<arith::MulIOp>(loc, first, constant(run));
  Values groups;
  for (int64_t number = 0; number < getItemGroups(side); ++number)
    groups.push_back(builder.createOrFold<arith::AddIOp>(
        loc, first,
        constant(number / run * run * getItemsAlong(side) + number % run)));
  return groups;
}

void ContractionKernel::emitItem() {
  OpBuilder &builder = kernel->getBuilder();
  Location loc = kernel->getLoc();
  Value divisor = arith::ConstantIndexOp::create(
      builder, loc, getItemsAlong(geometry.getLanes()));
  laneGroups =
      getGroups(geometry.getLanes(),
                builder.createOrFold<arith::RemUIOp>(loc, item, divisor));
  rowGroups =
      getGroups(geometry.getRows(),
                builder.createOrFold<arith::DivUIOp>(loc, item, divisor));
}

void ContractionKernel::place(Value rowGroup, int64_t row, Value laneGroup,
                              int64_t lane) {
  OpBuilder &builder = kernel->getBuilder();
  geometry.setElement(builder, kernel->getLoc(), geometry.getRows(), rowGroup,
                      row);
  geometry.setElement(builder, kernel->getLoc(), geometry.getLanes(), laneGroup,
                      lane);
}

ContractionKernel::Values ContractionKernel::emitInits() {
  SmallVector<Type> types(rowGroups.size() * kVectorLanes * laneGroups.size(),
                          VectorType::get({kVectorLanes}, tile.getSumType()));
  return shares->emitInits(types, [&] {
    Values inits;
    for (Value rowGroup : rowGroups)
      for (int64_t row = 0; row < kVectorLanes; ++row)
        for (Value laneGroup : laneGroups)
          inits.push_back(
              tile.emitInit(*kernel, *emitter, kVectorLanes, [&](int64_t lane) {
                place(rowGroup, row, laneGroup, lane);
              }));
    return inits;
  });
}

//===----------------------------------------------------------------------===//
// The reduction
//===----------------------------------------------------------------------===//

ContractionKernel::Terms ContractionKernel::emitReads(OpBuilder &builder,
                                                      FactorReader &reader,
                                                      int64_t count,
                                                      const Values &groups) {
  Location loc = kernel->getLoc();
  // The loop whose steps number the terms.
  unsigned fastest = geometry.getTerms().front();
  for (unsigned loop : llvm::reverse(geometry.getTerms()))
    if (geometry.getSize(loop) > 1)
      fastest = loop;
  Value first = tile.getSpace().getValue(geometry.getDim(fastest));
  Terms terms(count);
  for (int64_t number = 0; number < count; number += reader.getTermsAtOnce()) {
    geometry.setTermLoop(
        fastest,
        builder.createOrFold<arith::AddIOp>(
            loc, first, arith::ConstantIndexOp::create(builder, loc, number)));
    for (size_t group = 0; group < groups.size();
         group += reader.getGroupsAtOnce())
      for (auto [next, vector] :
           llvm::enumerate(reader.emitRead(builder, groups[group])))
        terms[number + next / reader.getGroupsAtOnce()].push_back(vector);
  }
  geometry.setTermLoop(fastest, first);
  return terms;
}

ContractionKernel::Terms
ContractionKernel::emitLoads(OpBuilder &builder, unsigned factor, Value half,
                             Value first, int64_t count, const Values &groups) {
  if (!shared[factor])
    return emitReads(builder, *readers[factor], count, groups);
  Location loc = kernel->getLoc();
  Terms terms(count);
  for (int64_t number = 0; number < count; ++number) {
    Value term = builder.createOrFold<arith::AddIOp>(
        loc, first, arith::ConstantIndexOp::create(builder, loc, number));
    for (Value group : groups)
      terms[number].push_back(
          shared[factor]->emitLoad(builder, half, term, group));
  }
  return terms;
}

ContractionKernel::Values ContractionKernel::emitTerms(OpBuilder &builder,
                                                       Value half, Value first,
                                                       int64_t count,
                                                       const Values &sums) {
  Location loc = kernel->getLoc();
  unsigned lanesFactor = geometry.getLanes().factor;
  Terms terms[2];
  for (unsigned factor : {0, 1})
    terms[factor] = emitLoads(builder, factor, half, first, count,
                              factor == lanesFactor ? laneGroups : rowGroups);
  // All terms of a sum at once: it can stay in a register for as long.
  Values next;
  for (size_t group = 0; group < rowGroups.size(); ++group)
    for (int64_t row = 0; row < kVectorLanes; ++row)
      for (size_t vector = 0; vector < laneGroups.size(); ++vector) {
        Value sum = sums[next.size()];
        for (int64_t number = 0; number < count; ++number) {
          Value arguments[3];
          arguments[lanesFactor] = terms[lanesFactor][number][vector];
          arguments[1 - lanesFactor] = vector::ExtractOp::create(
              builder, loc, terms[1 - lanesFactor][number][group], row);
          arguments[2] = sum;
          sum = emitter->emitBody(builder, tile.getBody(), arguments).front();
        }
        next.push_back(sum);
      }
  return next;
}

ContractionKernel::Values ContractionKernel::emitStep(OpBuilder &builder,
                                                      Value half,
                                                      const Values &sums) {
  Location loc = kernel->getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  int64_t count = 1, mostTerms = kTermsAtOnce;
  for (const std::optional<FactorReader> &reader : readers)
    if (reader)
      mostTerms = std::max(mostTerms, reader->getTermsAtOnce());
  OpBuilder::InsertionGuard restore(builder);
  Values next = sums;
  Value term = zero;
  scf::ForOp outermost;
  int64_t distance = geometry.getNumTerms();
  for (unsigned loop : geometry.getTerms())
    geometry.setTermLoop(loop, zero);
  for (unsigned loop : llvm::reverse(geometry.getTerms())) {
    distance /= geometry.getSize(loop);
    if (geometry.getSize(loop) == 1)
      continue;
    Value limit = geometry.emitLimit(builder, loc, loop);
    bool isFastest = distance == 1;
    if (isFastest && !limit)
      count = getTermsAtOnce(mostTerms, geometry.getSize(loop));
    if (count == geometry.getSize(loop))
      break;
    if (!limit)
      limit =
          arith::ConstantIndexOp::create(builder, loc, geometry.getSize(loop));
    Value stride = arith::ConstantIndexOp::create(builder, loc, count);
    auto inner = scf::ForOp::create(builder, loc, zero, limit, stride, next);
    if (outermost)
      scf::YieldOp::create(builder, loc, inner.getResults());
    else
      outermost = inner;
    builder.setInsertionPointToStart(inner.getBody());
    next = Values(inner.getRegionIterArgs());
    geometry.setTermLoop(loop, inner.getInductionVar());
    Value place = builder.createOrFold<arith::MulIOp>(
        loc, inner.getInductionVar(),
        arith::ConstantIndexOp::create(builder, loc, distance));
    term = builder.createOrFold<arith::AddIOp>(loc, place, term);
  }
  next = emitTerms(builder, half, term, count, next);
  if (!outermost)
    return next;
  scf::YieldOp::create(builder, loc, next);
  return Values(outermost.getResults());
}

ContractionKernel::Values
ContractionKernel::emitStepsInPlace(OpBuilder &builder, Value steps,
                                    Values sums) {
  Location loc = kernel->getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  int64_t sharers = loops.tile.getSharers();
  if (geometry.getNumSteps() == 1 && sharers == 1)
    return emitStep(builder, zero, sums);
  Value stride = arith::ConstantIndexOp::create(builder, loc, sharers);
  auto loop = scf::ForOp::create(builder, loc, shares->getSharer(), steps,
                                 stride, sums);
  OpBuilder::InsertionGuard restore(builder);
  builder.setInsertionPointToStart(loop.getBody());
  geometry.setStep(builder, loc, loop.getInductionVar());
  Values next = emitStep(builder, zero, Values(loop.getRegionIterArgs()));
  scf::YieldOp::create(builder, loc, next);
  return Values(loop.getResults());
}

ContractionKernel::Values ContractionKernel::emitSteps(Values sums) {
  OpBuilder &builder = kernel->getBuilder();
  Location loc = kernel->getLoc();
  Value steps = geometry.emitNumSteps(builder, loc);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  if (!loops.tile.getStaged())
    return emitStepsInPlace(builder, steps, sums);
  auto fill = [&](Value step, Value half) {
    geometry.setStep(builder, loc, step);
    for (std::optional<SharedFactor> &factor : shared)
      factor->emitFill(builder, shares->getItem(), half);
  };
  fill(zero, zero);
  gpu::BarrierOp::create(builder, loc);
  Value last = builder.createOrFold<arith::SubIOp>(loc, steps, one);
  Value two = arith::ConstantIndexOp::create(builder, loc, 2);
  if (geometry.getNumSteps() > 1) {
    // While a step is computed from one half, the next is put into the other.
    auto loop = scf::ForOp::create(builder, loc, zero, last, one, sums);
    OpBuilder::InsertionGuard restore(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value step = loop.getInductionVar();
    Value half = arith::RemUIOp::create(builder, loc, step, two);
    fill(arith::AddIOp::create(builder, loc, step, one),
         arith::SubIOp::create(builder, loc, one, half));
    geometry.setStep(builder, loc, step);
    Values next = emitStep(builder, half, Values(loop.getRegionIterArgs()));
    gpu::BarrierOp::create(builder, loc);
    scf::YieldOp::create(builder, loc, next);
    sums = Values(loop.getResults());
  }
  Value lastHalf = builder.createOrFold<arith::RemUIOp>(loc, last, two);
  geometry.setStep(builder, loc, last);
  return emitStep(builder, lastHalf, sums);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

void ContractionKernel::emitResults(const Values &sums) {
  unsigned number = 0;
  for (Value rowGroup : rowGroups)
    for (int64_t row = 0; row < kVectorLanes; ++row)
      for (Value laneGroup : laneGroups)
        tile.emitResult(*kernel, *emitter, sums[number++], [&](int64_t lane) {
          place(rowGroup, row, laneGroup, lane);
        });
}

FailureOr<Value> ContractionKernel::build(OpBuilder &host,
                                          gpu::GPUModuleOp module,
                                          StringRef name) {
  KernelBuilder builder(module, name, tile.getStore().source.getLoc(),
                        tile.getStore().target);
  kernel = &builder;
  tile.getSpace().setKernel(builder);
  auto getBuffer = [&](Value base, AffineExpr address) {
    return tile.getBuffer(builder, base, address);
  };
  ElementEmitter elements(tile.getSpace(), getBuffer);
  emitter = &elements;
  int64_t items = getItemsAlong(geometry.getLanes()) *
                      getItemsAlong(geometry.getRows()) *
                      loops.tile.getSharers() +
                  loops.tile.getIdle();
  geometry.setTile(builder);
  shares.emplace(builder, items, loops.tile.getSharers(), loops.tile.getIdle());
  item = shares->getNumber();
  const TileSide &lanes = geometry.getLanes(), &rows = geometry.getRows();
  for (const TileSide *side : {&lanes, &rows}) {
    const Element &element = tile.getFactor(side->factor);
    if (loops.tile.getStaged())
      shared[side->factor].emplace(builder, geometry, elements, *side, element,
                                   items);
    else
      readers[side->factor].emplace(builder, geometry, elements, *side, element,
                                    getItemGroups(*side));
  }
  emitItem();
  Values sums = shares->emitTotals(geometry.emitReduction(
      builder.getBuilder(), builder.getLoc(), emitInits(),
      [&](Values sums) { return emitSteps(sums); }));
  shares->emitForOwner([&] { emitResults(sums); });
  return builder
      .finish(host, {items, 1, 1}, geometry.getGrid(),
              tile.getStore().getWritten())
      .getResults()[0];
}

FailureOr<Value>
mlir::convoy::buildContractionKernel(OpBuilder &host, gpu::GPUModuleOp module,
                                     StringRef name,
                                     const ElementStore &store) {
  FailureOr<WorkgroupLoops> loops =
      matchWorkgroupLoops(store.source.getDefiningOp<scf::ForallOp>());
  if (failed(loops))
    return failure();
  ContractionTile tile(*loops, store);
  if (failed(tile.resolve()))
    return failure();
  if (loops->tile.getMatrix())
    return buildMatrixKernel(tile, host, module, name);
  return ContractionKernel(tile).build(host, module, name);
}
