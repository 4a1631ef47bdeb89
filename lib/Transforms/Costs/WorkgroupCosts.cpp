//===- WorkgroupCosts.cpp - Cost model of workgroups ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Costs/WorkgroupCosts.h"

#include "LargeTiles.h"
#include "TileBox.h"
#include "TileSteps.h"

#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "convoy/Transforms/Costs/MatrixTile.h"
#include "convoy/Transforms/Utils/AssumedSize.h"
#include "convoy/Transforms/Utils/Divisibility.h"
#include "convoy/Transforms/Utils/WorkgroupSides.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::convoy;

/// The most workgroups that it takes to keep a GPU busy whose compute units are
/// not known, and how many for each lane of a subgroup: where these are narrow,
/// as on a CPU, the rest is small.
static constexpr double kEnoughGroups = 64;
static constexpr double kEnoughForLane = 2;
/// What it costs, in multiply-adds, to read an element of a factor into shared
/// memory, and from there into the registers of a work-item.
static constexpr double kReadCost = 8;
static constexpr double kShareCost = 2;
/// The same where the factors are read in place: by a work-item into registers,
/// and by a workgroup into the caches.
static constexpr double kDirectCost = 7;
static constexpr double kCacheCost = 8;
/// The most elements of a work-item there, where a factor has vectors and where
/// none has. Larger tiles read less, and lose more by their code, which is
/// longer where more terms are read at once.
static constexpr int64_t kMostOfVectors = 64;
static constexpr int64_t kMostOfSingles = 96;
/// What a wave waits in a step of the reduction, for other waves and for shared
/// memory, in multiply-adds of one of its lanes.
static constexpr double kStepLatency = 96;
/// The same where the next step's factors have a buffer of their own.
static constexpr double kBufferedLatency = 64;
/// The most work-items of a workgroup whose tile is so small that they add up
/// each sum together.
static constexpr int64_t kSharingItems = 256;
/// Lanes and rows of tiles that read little for what they compute.
static constexpr int64_t kLargeTile = 64;
/// Terms of a step, after which more do not help.
static constexpr int64_t kManyTerms = 16;

double mlir::convoy::getEnoughGroups(TargetAttr target) {
  if (target.getComputeUnits() != 0)
    return double(target.getComputeUnits());
  return std::min(kEnoughGroups, kEnoughForLane * double(target.getSubgroup()));
}

namespace {
/// Considers tiles for one contraction.
class TileSearch {
public:
  /// For one of the parts that the reduction is in, or will be in where its
  /// loops are divided into `counts`.
  TileSearch(TargetAttr target, linalg::GenericOp contraction,
             ArrayRef<LoopStrides> strides, ArrayRef<int64_t> counts = {})
      : target(target), contraction(contraction), strides(strides),
        extents(getExtents(contraction, strides)),
        matrix(findMatrixInstruction(target, contraction)) {
    if (auto loop = contraction->getParentOfType<scf::ForallOp>())
      for (OpFoldResult count : loop.getMixedUpperBound())
        parts *= getConstantIntValue(count).value_or(1);
    for (auto [loop, count] : llvm::enumerate(counts)) {
      extents[loop] /= count;
      parts *= count;
    }
    SmallVector<int64_t> sizes = contraction.getStaticLoopRanges();
    for (unsigned loop = 0; loop < contraction.getNumParallelLoops(); ++loop)
      if (ShapedType::isDynamic(sizes[loop]))
        images *= llvm::divideCeil(kAssumedSize, extents[loop]);
  }

  std::optional<WorkgroupTile> search();
  /// How much of the GPU so many workgroups fill.
  double getFill(double groups) const {
    return parts > 1 ? getBusyPart(target, groups)
                     : std::min(1.0, groups / getEnoughGroups(target));
  }
  /// What is estimated of the tile that is found.
  std::optional<TileEstimate> estimate();
  /// The number of workgroups of the largest tiles.
  double countLargeTiles();

private:
  /// Finds the lane loop and the loops of each side; false where nothing is
  /// shared.
  bool findSides();
  /// Whether `factor` has vectors in memory along one of its loops.
  bool hasVectors(unsigned factor) const;
  /// Considers tiles of at most so many elements, of which a work-item has
  /// those given.
  void consider(int64_t mostLanes, int64_t mostRows, int64_t itemLanes,
                int64_t itemRows);
  /// The same for tiles whose factors are read in place.
  void considerInPlace(int64_t mostLanes, int64_t mostRows, int64_t itemLanes,
                       int64_t itemRows);
  /// Considers tiles for `matrix` of these boxes, of which a wave has so many
  /// lanes and rows.
  void considerMatrix(const TileBox &laneBox, const TileBox &rowBox,
                      int64_t itemLanes, int64_t itemRows);
  /// Lets several work-items add up each sum of `tile`, which is too small for
  /// whole subgroups, where there are terms for them.
  void shareSums(WorkgroupTile &tile);
  /// All boxes that are considered for one side of tiles for matrix
  /// instructions, with a wave's part of them.
  static SmallVector<std::pair<int64_t, TileBox>>
  getMatrixBoxes(const Side &side, bool alongFirst);
  /// A tile of these boxes, without steps of the reduction.
  WorkgroupTile makeTile(const TileBox &laneBox, const TileBox &rowBox,
                         int64_t itemLanes, int64_t itemRows);
  /// The workgroups that compute such tiles.
  double countGroups(const WorkgroupTile &tile);
  /// Keeps `tile` if it is better than the best. All tiles compute `waste`
  /// times what is needed, at `cost` for each multiply-add.
  void compare(const WorkgroupTile &tile, double waste, double cost);

  TargetAttr target;
  linalg::GenericOp contraction;
  ArrayRef<LoopStrides> strides;
  SmallVector<int64_t> extents;
  unsigned laneLoop = 0;
  Side lanes, rows;
  /// The instruction that there is for it, or null.
  const ::convoy::GPUMatrixInstruction *matrix;
  bool takesWhole = false; ///< whether one tile may be all of the result
  int64_t images = 1;      ///< tiles along a batch that is not known
  int64_t parts = 1;       ///< of the reduction
  int64_t batches = 1;     ///< contractions that share nothing, with parts
  std::optional<WorkgroupTile> best;
  double bestCost = 0;
};
} // namespace

bool TileSearch::findSides() {
  std::optional<unsigned> innermost;
  for (unsigned loop = 0; loop < contraction.getNumParallelLoops(); ++loop)
    if (extents[loop] > 1)
      innermost = loop;
  if (!innermost)
    return false;
  laneLoop = *innermost;
  unsigned factor = strides[0][laneLoop] != 0 ? 0 : 1;
  if (strides[1 - factor][laneLoop] != 0)
    return false;
  batches *= parts;
  SideLoops sides = getSideLoops(contraction, laneLoop, extents);
  auto makeSide = [&](ArrayRef<unsigned> loops) {
    return Side{llvm::to_vector(loops),
                llvm::map_to_vector(
                    loops, [&](unsigned loop) { return extents[loop]; })};
  };
  lanes = makeSide(sides.lanes);
  rows = makeSide(sides.rows);
  for (unsigned loop = 0; loop < contraction.getNumParallelLoops(); ++loop)
    if (!llvm::is_contained(sides.lanes, loop) &&
        !llvm::is_contained(sides.rows, loop))
      batches *= extents[loop];
  return rows.getVolume() > 1;
}

bool TileSearch::hasVectors(unsigned factor) const {
  return llvm::any_of(llvm::seq(extents.size()), [&](size_t loop) {
    return strides[factor][loop] == 1 && extents[loop] % kVectorLanes == 0;
  });
}

/// How many elements of the factors are read for each multiply-add of a tile.
static double getReads(int64_t lanes, int64_t rows) {
  return 1 / double(lanes) + 1 / double(rows);
}

/// What it costs to share a tile's factors for each multiply-add.
static double getStagedCost(const WorkgroupTile &tile) {
  return kReadCost * getReads(tile.lanes, tile.rows) +
         kShareCost * getReads(tile.itemLanes, tile.itemRows);
}

/// The vectors that a work-item holds.
static int64_t countVectors(int64_t itemLanes, int64_t itemRows) {
  int64_t laneVectors = itemLanes / kVectorLanes;
  return itemRows * laneVectors + laneVectors + itemRows / kVectorLanes;
}

void TileSearch::considerInPlace(int64_t mostLanes, int64_t mostRows,
                                 int64_t itemLanes, int64_t itemRows) {
  if (countVectors(itemLanes, itemRows) > target.getRegisters())
    return;
  TileBox laneBox, rowBox;
  fillBox(lanes, mostLanes, itemLanes, /*alongFirst=*/true, TileBox(), laneBox);
  fillBox(rows, mostRows, itemRows, /*alongFirst=*/false, TileBox(), rowBox);
  WorkgroupTile tile = makeTile(laneBox, rowBox, itemLanes, itemRows);
  tile.staged = false;
  for (unsigned loop = contraction.getNumParallelLoops(); loop < extents.size();
       ++loop) {
    tile.sizes[loop] = extents[loop];
    tile.terms *= extents[loop];
  }
  compare(tile, laneBox.waste * rowBox.waste,
          1 + kDirectCost * getReads(itemLanes, itemRows) +
              kCacheCost * getReads(tile.lanes, tile.rows));
}

void TileSearch::consider(int64_t mostLanes, int64_t mostRows,
                          int64_t itemLanes, int64_t itemRows) {
  TileBox laneBox, rowBox;
  fillBox(lanes, mostLanes, itemLanes, /*alongFirst=*/true, TileBox(), laneBox);
  fillBox(rows, mostRows, itemRows, /*alongFirst=*/false, TileBox(), rowBox);
  WorkgroupTile tile = makeTile(laneBox, rowBox, itemLanes, itemRows);
  // Two steps are in memory at a time.
  int64_t elementBytes = getElementBytes(contraction.getInputs()[0]);
  int64_t termBytes = 2 * (tile.lanes + tile.rows) * elementBytes;
  chooseSteps(contraction, strides, extents, kManyTerms,
              std::max<int64_t>(target.getWorkgroupBytes() / termBytes, 1),
              tile);
  // Where there are tiles for matrix instructions, too, they are compared.
  double wait =
      matrix ? kStepLatency / double(itemLanes * itemRows * tile.terms) : 0;
  if (countVectors(itemLanes, itemRows) <= target.getRegisters())
    compare(tile, laneBox.waste * rowBox.waste, 1 + wait + getStagedCost(tile));
}

WorkgroupTile TileSearch::makeTile(const TileBox &laneBox,
                                   const TileBox &rowBox, int64_t itemLanes,
                                   int64_t itemRows) {
  WorkgroupTile tile;
  tile.laneLoop = laneLoop;
  tile.sizes.assign(extents.size(), 1);
  for (auto [loop, size] : llvm::zip_equal(lanes.loops, laneBox.sizes))
    tile.sizes[loop] = size;
  for (auto [loop, size] : llvm::zip_equal(rows.loops, rowBox.sizes))
    tile.sizes[loop] = size;
  tile.lanes = laneBox.volume;
  tile.rows = rowBox.volume;
  tile.itemLanes = itemLanes;
  tile.itemRows = itemRows;
  return tile;
}

void TileSearch::considerMatrix(const TileBox &laneBox, const TileBox &rowBox,
                                int64_t itemLanes, int64_t itemRows) {
  for (int64_t mostTerms : {16, 32, 64, 128}) {
    WorkgroupTile tile = makeTile(laneBox, rowBox, itemLanes, itemRows);
    tile.matrix = matrix;
    chooseSteps(contraction, strides, extents, mostTerms, mostTerms, tile);
    ::convoy::MatrixStage stage = ::convoy::getMatrixStage(*matrix, tile.terms);
    if (tile.getItems() > kMatrixItems ||
        !fitsRegisters(target, contraction, strides, tile, stage))
      continue;
    // Terms that are not there are multiplied, too.
    double waste =
        laneBox.waste * rowBox.waste * double(stage.terms) / double(tile.terms);
    for (unsigned loop = contraction.getNumParallelLoops();
         loop < extents.size(); ++loop)
      waste *= double(llvm::alignTo(extents[loop], tile.sizes[loop])) /
               double(extents[loop]);
    int64_t groups = countWorkgroups(target, tile, stage);
    if (groups == 0)
      continue;
    tile.buffers = chooseBuffers(target, contraction, tile, stage);
    // Of few waves, for which there is memory, some units have none.
    int64_t items = groups * tile.getItems();
    waste *= std::max(1.0, double(kMatrixItems) / double(items));
    double sums = double(itemLanes * itemRows) / double(matrix->wave);
    double latency = tile.buffers > 1 ? kBufferedLatency : kStepLatency;
    compare(tile, waste,
            1 / double(matrix->speed) + latency / (sums * double(stage.terms)) +
                getStagedCost(tile));
  }
}

SmallVector<std::pair<int64_t, TileBox>>
TileSearch::getMatrixBoxes(const Side &side, bool alongFirst) {
  SmallVector<std::pair<int64_t, TileBox>> boxes;
  for (int64_t itemSize : {16, 32, 64})
    for (int64_t most : {16, 32, 64, 128, 256}) {
      if (most < itemSize)
        continue;
      TileBox box;
      fillBox(side, most, itemSize, alongFirst, TileBox(), box);
      boxes.push_back({itemSize, box});
    }
  return boxes;
}

double TileSearch::countGroups(const WorkgroupTile &tile) {
  double groups = double(images * batches);
  for (unsigned loop = 0; loop < contraction.getNumParallelLoops(); ++loop)
    groups *= double(llvm::divideCeil(extents[loop], tile.sizes[loop]));
  return groups;
}

void TileSearch::compare(const WorkgroupTile &tile, double waste, double cost) {
  if (tile.getItems() > target.getWorkgroupItems())
    return;
  // Lanes of a subgroup without a work-item take as long as those with one.
  int64_t items = tile.getItems();
  waste *= double(llvm::alignTo(items, target.getSubgroup())) / double(items);
  double groups = countGroups(tile);
  // One tile is no loop, and would be computed element by element.
  if (matrix && groups == 1 && !takesWhole)
    return;
  // A unit without waves for all of its SIMDs is as good as part of one.
  if (matrix)
    groups *= std::min(1.0, double(items) / double(kMatrixItems));
  cost *= waste / std::sqrt(getFill(groups));
  if (!best || cost < bestCost) {
    best = tile;
    bestCost = cost;
  }
}

void TileSearch::shareSums(WorkgroupTile &tile) {
  WorkgroupTile shared = tile;
  shared.staged = false;
  std::fill(shared.sizes.begin() + contraction.getNumParallelLoops(),
            shared.sizes.end(), 1);
  shared.terms = 1;
  chooseSteps(contraction, strides, extents, kVectorLanes, kVectorLanes,
              shared);
  int64_t steps = 1;
  for (unsigned loop = contraction.getNumParallelLoops(); loop < extents.size();
       ++loop)
    steps *= llvm::divideCeil(extents[loop], shared.sizes[loop]);
  int64_t sumBytes = getElementBytes(contraction.getOutputs()[0]);
  int64_t itemBytes = shared.itemLanes * shared.itemRows * sumBytes;
  int64_t most = std::min({kSharingItems, target.getWorkgroupItems(),
                           target.getWorkgroupBytes() / itemBytes});
  while (2 * shared.getItems() <= most && 2 * shared.sharers <= steps)
    shared.sharers *= 2;
  if (shared.sharers > 1)
    tile = shared;
}

std::optional<WorkgroupTile> TileSearch::search() {
  if (!findSides())
    return std::nullopt;
  if (target.getSlowSharedMemory()) {
    int64_t most =
        hasVectors(0) || hasVectors(1) ? kMostOfVectors : kMostOfSingles;
    for (int64_t itemLanes : {4, 8, 16})
      for (int64_t itemRows : {4, 8, 12, 16})
        for (int64_t alongLanes : {1, 2, 4, 8})
          for (int64_t alongRows : {1, 2, 4, 8})
            if (itemLanes * itemRows <= most)
              considerInPlace(itemLanes * alongLanes, itemRows * alongRows,
                              itemLanes, itemRows);
    return best;
  }
  for (int64_t itemLanes : {4, 8, 16})
    for (int64_t itemRows : {4, 8, 16})
      for (int64_t mostLanes : {16, 32, 64, 128})
        for (int64_t mostRows : {16, 32, 64, 128})
          consider(mostLanes, mostRows, itemLanes, itemRows);
  if (matrix)
    for (const auto &[itemLanes, laneBox] :
         getMatrixBoxes(lanes, /*alongFirst=*/true))
      for (const auto &[itemRows, rowBox] :
           getMatrixBoxes(rows, /*alongFirst=*/false))
        considerMatrix(laneBox, rowBox, itemLanes, itemRows);
  if (best && 2 * best->getItems() <= target.getSubgroup())
    shareSums(*best);
  return best;
}

std::optional<TileEstimate> TileSearch::estimate() {
  takesWhole = parts > 1;
  std::optional<WorkgroupTile> tile = search();
  if (!tile)
    return std::nullopt;
  double groups = countGroups(*tile);
  return TileEstimate{bestCost * std::sqrt(getFill(groups)), groups};
}

double TileSearch::countLargeTiles() {
  if (!findSides()) {
    // Elements, or vectors of them, are work-items of their own.
    double elements = double(images);
    std::optional<unsigned> innermost;
    for (unsigned loop = 0; loop < contraction.getNumParallelLoops(); ++loop) {
      elements *= double(extents[loop]);
      if (extents[loop] > 1)
        innermost = loop;
    }
    bool isVector = innermost && extents[*innermost] % kVectorLanes == 0 &&
                    llvm::all_of(strides, [&](const LoopStrides &factor) {
                      return factor[*innermost] == 0 || factor[*innermost] == 1;
                    });
    return elements / double(isVector ? kVectorLanes * kLargeTile : kLargeTile);
  }
  takesWhole = true;
  consider(kLargeTile, kLargeTile, kVectorLanes, kVectorLanes);
  if (!best)
    return getEnoughGroups(target);
  return countGroups(*best);
}

std::optional<WorkgroupTile>
mlir::convoy::chooseWorkgroupTile(TargetAttr target,
                                  linalg::GenericOp contraction,
                                  ArrayRef<LoopStrides> strides) {
  return TileSearch(target, contraction, strides).search();
}

std::optional<TileEstimate>
mlir::convoy::estimateParts(TargetAttr target, linalg::GenericOp contraction,
                            ArrayRef<LoopStrides> strides,
                            ArrayRef<int64_t> counts) {
  return TileSearch(target, contraction, strides, counts).estimate();
}

double mlir::convoy::countLargeTiles(TargetAttr target,
                                     linalg::GenericOp contraction,
                                     ArrayRef<LoopStrides> strides) {
  return TileSearch(target, contraction, strides).countLargeTiles();
}
