//===- RegisterTile.cpp - Choice of the register tile -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/RegisterTile.h"

#include "PackedArguments.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;

/// How many of `size` elements to take at a time, at most `most`, so that the
/// rest is not much smaller.
static int64_t divideEvenly(int64_t size, int64_t most) {
  return llvm::divideCeil(size, llvm::divideCeil(size, most));
}

/// The size of a loop for estimates.
static double estimateSize(int64_t size) {
  return ShapedType::isDynamic(size) ? 16 : double(size);
}

int64_t mlir::convoy::getElementBytes(Value tensor) {
  return llvm::divideCeil(
      getElementTypeOrSelf(tensor.getType()).getIntOrFloatBitWidth(), 8);
}

int64_t RegisterTile::getStep(unsigned loop) const {
  if (outerLanes && outerLanes->loop == loop)
    return outerLanes->size;
  if (laneLoop == loop)
    return lanes;
  for (const Rows &row : rows)
    if (row.loop == loop)
      return row.size;
  return 1;
}

SmallVector<unsigned> RegisterTile::getLaneLoops() const {
  SmallVector<unsigned> loops = {laneLoop};
  if (outerLanes)
    loops.insert(loops.begin(), outerLanes->loop);
  return loops;
}

/// Cycles until a line comes from beyond the L2 cache, many being asked for at
/// a time.
static constexpr double kLineCycles = 8;

double mlir::convoy::getPackCycles(TargetAttr target, Value factor,
                                   const LoopStrides &strides,
                                   unsigned laneLoop) {
  if (getPackedArgument(factor))
    return 0;
  int64_t bytes = getElementBytes(factor);
  std::optional<int64_t> stride = strides[laneLoop];
  double cycles = 1.5 * double(target.getVectorBytes()) / double(bytes);
  if (stride == 1)
    cycles = 2;
  else if (stride && *stride <= 4)
    cycles = 4;
  else if (llvm::is_contained(strides, 1))
    cycles = 6;
  // What does not stay in the cache is waited for: nothing is computed while it
  // is copied.
  if (auto rows = factor.getDefiningOp<Im2colOp>())
    factor = rows.getInput();
  auto type = cast<RankedTensorType>(factor.getType());
  if (type.hasStaticShape() &&
      type.getNumElements() * bytes > target.getL2Bytes())
    cycles += kLineCycles * double(target.getVectorBytes()) / kLineBytes;
  return cycles;
}

namespace {
/// The cost model for one contraction.
class TileCosts {
public:
  TileCosts(TargetAttr target, linalg::GenericOp contraction,
            ArrayRef<LoopStrides> strides, bool canBlock);

  /// Considers lanes along `laneLoop` and rows along `rowLoops`, the last of
  /// them whole if there are two.
  void consider(unsigned laneLoop, ArrayRef<unsigned> rowLoops);

  RegisterTile getBest() const { return best; }

private:
  /// What lanes run over: `size` elements, and how much of their vectors these
  /// fill.
  struct Lanes {
    unsigned loop;
    int64_t size;
    double used;
    std::optional<RegisterTile::Rows> outer;
  };

  void consider(const Lanes &lanes, ArrayRef<unsigned> rowLoops, bool packed);

  /// Whether one factor alone runs along `loop`, and which.
  std::optional<unsigned> getFactorOf(unsigned loop) const {
    if ((strides[0][loop] != 0) == (strides[1][loop] != 0))
      return std::nullopt;
    return strides[0][loop] != 0 ? 0 : 1;
  }
  /// The factor that packing copies, if lanes along `laneLoop` can be packed:
  /// one factor alone runs along it, and along no other loop of dynamic size.
  std::optional<unsigned> getPackedFactor(unsigned laneLoop) const;
  /// `lanes` of a packed factor going on from step to step of `outer`, if they
  /// do in the result.
  std::optional<Lanes> getOuterLanes(const Lanes &lanes, unsigned outer,
                                     unsigned factor) const;
  /// Chooses how many steps of the reduction to pack at a time; returns whether
  /// that fits the cache.
  bool addBlocks(RegisterTile &tile, const Lanes &lanes) const;
  /// Cuts the reduction of a tile that is read in place so that its vectors do
  /// not come slowly, if long enough parts do.
  void addNearBlocks(RegisterTile &tile) const;
  /// Adds as many rows as registers hold, or as the target wants; returns
  /// whether `rowLoops` make up such a tile.
  bool addRows(RegisterTile &tile, ArrayRef<unsigned> rowLoops,
               int64_t vectors) const;

  /// Steps of the reduction that run over `factor`, in its order.
  SmallVector<unsigned> getReductions(unsigned factor) const;
  /// Cycles for packing one vector, divided by how many rows share it.
  double getPackCost(unsigned laneLoop, unsigned factor) const;
  /// Whether what a tile reads of `factor` comes slowly when it is read in
  /// place.
  bool isSlowInPlace(const RegisterTile &tile, unsigned factor) const;
  /// Loads of one row of `vectors` vectors at this distance between lanes.
  double getRowLoads(std::optional<int64_t> stride, int64_t vectors) const {
    if (stride == 0)
      return 1;
    return stride == 1 ? vectors : 1.5 * vectors * vectorLanes;
  }
  /// Cycles for a lane of one multiply-add.
  double getCost(const RegisterTile &tile, int64_t vectors) const;

  /// Rows along two loops lie further apart and share fewer cache lines: on
  /// ResNet's layers, tiles of equal cost ran 10 to 50 % longer with them.
  static constexpr double kSecondRowLoop = 1.1;
  /// How much longer a step takes that reads vectors in place from more pages
  /// than the TLB's first level has entries for; where they lie pages apart, no
  /// hardware prefetches them either. On ResNet's layers 10 to 100 %.
  static constexpr double kSlowInPlace = 1.3;
  static constexpr int64_t kPages = 64;
  /// The least steps of a reduction between partial sums that are stored: what
  /// storing them costs is then lost in the multiply-adds.
  static constexpr int64_t kLeastBlock = 256;
  /// The same where that saves packing.
  static constexpr int64_t kLeastNearBlock = 96;
  /// Cycles for a vector of the sums between such blocks, which are short and
  /// many.
  static constexpr double kNearUpdateCycles = 12;
  /// The most, unless elements of the result are stored one by one: what the
  /// other factor's steps touch, each a line in one of few sets where they lie
  /// a power of two apart, is then still in the cache for the next tile.
  static constexpr int64_t kMostBlock = 768;

  SmallVector<int64_t> loopSizes;
  SmallVector<utils::IteratorType> iterators;
  SmallVector<AffineMap> maps;
  SmallVector<Value> factors;
  ArrayRef<LoopStrides> strides;
  TargetAttr target;
  int64_t vectorLanes, registers;
  int64_t packedBytes; ///< the most that is packed at a time
  ArrayRef<int64_t> fixedTile;
  bool canBlock;
  RegisterTile best;
};
} // namespace

TileCosts::TileCosts(TargetAttr target, linalg::GenericOp contraction,
                     ArrayRef<LoopStrides> strides, bool canBlock)
    : loopSizes(contraction.getStaticLoopRanges()),
      iterators(contraction.getIteratorTypesArray()),
      maps(contraction.getIndexingMapsArray()),
      factors(contraction.getInputs()), strides(strides), target(target),
      vectorLanes(target.getVectorLanes(
          getElementTypeOrSelf(contraction.getResult(0)))),
      registers(target.getRegisters()), packedBytes(target.getL2Bytes() / 4),
      fixedTile(target.getTile()), canBlock(canBlock) {}

void TileCosts::consider(unsigned laneLoop, ArrayRef<unsigned> rowLoops) {
  int64_t size = loopSizes[laneLoop];
  Lanes lanes{laneLoop, size, double(size) / llvm::alignTo(size, vectorLanes),
              std::nullopt};
  std::optional<unsigned> factor = getPackedFactor(laneLoop);
  // Of equal tiles the first is taken: what is packed already comes in order.
  bool isPackedFirst = factor && getPackedArgument(factors[*factor]);
  if (isPackedFirst)
    consider(lanes, rowLoops, /*packed=*/true);
  consider(lanes, rowLoops, /*packed=*/false);
  if (!factor)
    return;
  if (!isPackedFirst)
    consider(lanes, rowLoops, /*packed=*/true);
  if (llvm::any_of(rowLoops,
                   [&](unsigned loop) { return strides[*factor][loop] != 0; }))
    return;
  for (unsigned outer = 0; outer < loopSizes.size(); ++outer)
    if (std::optional<Lanes> longer = getOuterLanes(lanes, outer, *factor))
      consider(*longer, rowLoops, /*packed=*/true);
}

/// Whether `tile` differs from `other` in the loop of its rows alone, which is
/// further inside, so that its rows lie nearer to each other.
static bool isNearer(const RegisterTile &tile, const RegisterTile &other) {
  return tile.laneLoop == other.laneLoop && tile.lanes == other.lanes &&
         tile.packed == other.packed && tile.rows.size() == 1 &&
         other.rows.size() == 1 && tile.rows[0].size == other.rows[0].size &&
         tile.rows[0].loop > other.rows[0].loop;
}

void TileCosts::consider(const Lanes &lanes, ArrayRef<unsigned> rowLoops,
                         bool packed) {
  int64_t wholeVectors = llvm::divideCeil(lanes.size, vectorLanes);
  for (int64_t vectors = 1; vectors <= std::min<int64_t>(wholeVectors, 4);
       ++vectors) {
    if (vectors != (fixedTile.empty() ? divideEvenly(wholeVectors, vectors)
                                      : std::min(fixedTile[1], wholeVectors)))
      continue;
    RegisterTile tile;
    tile.laneLoop = lanes.loop;
    tile.lanes = std::min(lanes.size, vectors * vectorLanes);
    tile.vectorLanes = vectorLanes;
    tile.packed = packed;
    tile.outerLanes = lanes.outer;
    if (!addRows(tile, rowLoops, vectors) ||
        (packed && !addBlocks(tile, lanes)))
      continue;
    if (!packed && canBlock)
      addNearBlocks(tile);
    double cost = getCost(tile, vectors) / lanes.used;
    if (rowLoops.size() > 1)
      cost *= kSecondRowLoop;
    tile.cost = cost;
    if (cost < best.cost || (cost == best.cost && isNearer(tile, best)))
      best = tile;
  }
}

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

std::optional<unsigned> TileCosts::getPackedFactor(unsigned laneLoop) const {
  std::optional<unsigned> factor = getFactorOf(laneLoop);
  if (factor)
    for (auto [loop, size] : llvm::enumerate(loopSizes))
      if (strides[*factor][loop] != 0 && ShapedType::isDynamic(size))
        return std::nullopt;
  return factor;
}

SmallVector<unsigned> TileCosts::getReductions(unsigned factor) const {
  SmallVector<unsigned> reductions;
  for (AffineExpr loop : maps[factor].getResults())
    if (unsigned position = cast<AffineDimExpr>(loop).getPosition();
        iterators[position] == utils::IteratorType::reduction)
      reductions.push_back(position);
  return reductions;
}

std::optional<TileCosts::Lanes>
TileCosts::getOuterLanes(const Lanes &lanes, unsigned outer,
                         unsigned factor) const {
  if (outer + 1 != lanes.loop || strides[2][lanes.loop] != 1 ||
      strides[2][outer] != lanes.size || loopSizes[outer] <= 1 ||
      getFactorOf(outer) != factor)
    return std::nullopt;
  int64_t bytes = getElementBytes(factors[factor]);
  for (unsigned loop : getReductions(factor))
    bytes *= loopSizes[loop];
  if (canBlock)
    bytes = std::min(bytes, kLeastBlock * getElementBytes(factors[factor]));
  Lanes best = lanes;
  best.used = 0;
  for (int64_t steps = 1; steps <= loopSizes[outer]; ++steps) {
    int64_t size = steps * lanes.size;
    if (steps > 1 && size * bytes > packedBytes)
      break;
    int64_t whole = loopSizes[outer] / steps, rest = loopSizes[outer] % steps;
    int64_t vectors = whole * llvm::divideCeil(size, vectorLanes) +
                      llvm::divideCeil(rest * lanes.size, vectorLanes);
    double used =
        double(loopSizes[outer] * lanes.size) / double(vectors * vectorLanes);
    if (used >= best.used)
      best = {lanes.loop, size, used, RegisterTile::Rows{outer, steps}};
  }
  return best;
}

bool TileCosts::addBlocks(RegisterTile &tile, const Lanes &lanes) const {
  unsigned factor = *getFactorOf(lanes.loop);
  int64_t budget = packedBytes / getElementBytes(factors[factor]) /
                   (lanes.outer ? lanes.size : tile.lanes);
  for (const RegisterTile::Rows &rows : tile.rows)
    if (strides[factor][rows.loop] != 0)
      budget /= rows.size;
  if (canBlock && strides[2][lanes.loop] == 1)
    budget = std::min(budget, kMostBlock);
  for (unsigned loop : llvm::reverse(getReductions(factor))) {
    int64_t size = std::min(loopSizes[loop], std::max<int64_t>(1, budget));
    while (loopSizes[loop] % size != 0)
      --size;
    if (size < loopSizes[loop]) {
      tile.blocks.insert(tile.blocks.begin(), {loop, size});
      budget = 1;
    } else {
      budget /= size;
    }
  }
  return canBlock || tile.blocks.empty();
}

double TileCosts::getPackCost(unsigned laneLoop, unsigned factor) const {
  double sharing = 1;
  for (auto [loop, size] : llvm::enumerate(loopSizes))
    if (strides[2][loop] != 0 && strides[factor][loop] == 0)
      sharing *= estimateSize(size);
  return getPackCycles(target, factors[factor], strides[factor], laneLoop) /
         sharing;
}

bool TileCosts::isSlowInPlace(const RegisterTile &tile, unsigned factor) const {
  int64_t bytes = getElementBytes(factors[factor]);
  double steps = 1, span = double(bytes * tile.lanes);
  for (unsigned loop : getReductions(factor)) {
    double size = estimateSize(loopSizes[loop]);
    for (const RegisterTile::Rows &block : tile.blocks)
      if (block.loop == loop)
        size = double(block.size);
    steps *= size;
    span += (size - 1) * double(strides[factor][loop].value_or(0) * bytes);
  }
  // A line for each step stays for the next rows if steps are few. Blocks make
  // them few, unless sums are stored one by one.
  if (strides[factor][tile.laneLoop] == 0 &&
      (strides[2][tile.laneLoop] == 1 ||
       steps * double(kLineBytes) <= double(target.getL1Bytes())))
    return false;
  return std::min(steps, span / kPageBytes) > kPages;
}

void TileCosts::addNearBlocks(RegisterTile &tile) const {
  std::optional<unsigned> factor = getFactorOf(tile.laneLoop);
  if (!factor || !isSlowInPlace(tile, *factor) ||
      llvm::any_of(loopSizes, ShapedType::isDynamic))
    return;
  // Each row of the other factor would come from a line of its own.
  const LoopStrides &other = strides[1 - *factor];
  SmallVector<unsigned> terms = getReductions(1 - *factor);
  unsigned innermost = *llvm::max_element(terms, [&](unsigned a, unsigned b) {
    return loopSizes[a] < loopSizes[b];
  });
  if (other[innermost] != 1 &&
      llvm::any_of(tile.rows, [&](const RegisterTile::Rows &rows) {
        return other[rows.loop] != 1;
      }))
    return;
  int64_t inside = 1;
  SmallVector<unsigned> reductions = getReductions(*factor);
  for (unsigned loop : reductions)
    inside *= loopSizes[loop];
  SmallVector<RegisterTile::Rows, 2> outer;
  for (unsigned loop : reductions) {
    inside /= loopSizes[loop];
    for (int64_t size = loopSizes[loop] / 2; size > 0; --size) {
      if (loopSizes[loop] % size != 0 || size * inside < kLeastNearBlock)
        continue;
      tile.blocks = outer;
      tile.blocks.push_back({loop, size});
      if (!isSlowInPlace(tile, *factor))
        return;
    }
    if (loopSizes[loop] > 1)
      outer.push_back({loop, 1});
  }
  tile.blocks.clear();
}

//===----------------------------------------------------------------------===//
// Rows and costs
//===----------------------------------------------------------------------===//

bool TileCosts::addRows(RegisterTile &tile, ArrayRef<unsigned> rowLoops,
                        int64_t vectors) const {
  if (!fixedTile.empty()) {
    for (unsigned loop : rowLoops)
      tile.rows.push_back({loop, std::min(loopSizes[loop], fixedTile[0])});
    return rowLoops.size() <= 1;
  }
  int64_t maxRows = std::max<int64_t>(1, (registers - vectors - 1) / vectors);
  for (unsigned loop : llvm::reverse(rowLoops)) {
    // All loops but the first are whole.
    if (loop != rowLoops.front() && loopSizes[loop] > maxRows)
      return false;
    tile.rows.push_back({loop, divideEvenly(loopSizes[loop], maxRows)});
    maxRows /= tile.rows.back().size;
  }
  return true;
}

double TileCosts::getCost(const RegisterTile &tile, int64_t vectors) const {
  double loads = 0, rows = 1;
  for (const LoopStrides &factor : strides.take_front(2)) {
    double factorRows = 1;
    for (const RegisterTile::Rows &row : tile.rows)
      factorRows *= factor[row.loop] != 0 ? row.size : 1;
    std::optional<int64_t> stride = factor[tile.laneLoop];
    if (tile.packed && stride != 0)
      stride = 1;
    loads += getRowLoads(stride, vectors) * factorRows;
  }
  for (const RegisterTile::Rows &row : tile.rows)
    rows *= row.size;
  double multiplyAdds = vectors * rows;
  double step = 0.5 * std::max(multiplyAdds, loads) + 0.05 * loads + 1;
  if (tile.packed)
    step +=
        multiplyAdds * getPackCost(tile.laneLoop, *getFactorOf(tile.laneLoop));
  for (unsigned factor : {0, 1})
    if ((!tile.packed || getFactorOf(tile.laneLoop) != factor) &&
        isSlowInPlace(tile, factor))
      step *= kSlowInPlace;
  // Steps between two updates of the result.
  double length = 1;
  for (auto [loop, size] : llvm::enumerate(loopSizes))
    if (iterators[loop] == utils::IteratorType::reduction)
      length *= estimateSize(size);
  for (const RegisterTile::Rows &block : tile.blocks)
    length *= double(block.size) / double(loopSizes[block.loop]);
  double update =
      multiplyAdds / length *
      (strides[2][tile.laneLoop] == 1
           ? (tile.packed || tile.blocks.empty() ? 2 : kNearUpdateCycles)
           : kScatteredCycles * double(vectorLanes));
  return (step + update) / (multiplyAdds * vectorLanes);
}

RegisterTile mlir::convoy::chooseRegisterTile(TargetAttr target,
                                              linalg::GenericOp contraction,
                                              ArrayRef<LoopStrides> strides,
                                              bool canBlock) {
  TileCosts costs(target, contraction, strides, canBlock);
  SmallVector<unsigned> loops;
  for (auto [loop, size] : llvm::enumerate(contraction.getStaticLoopRanges()))
    if (contraction.getIteratorTypesArray()[loop] ==
            utils::IteratorType::parallel &&
        size > 0)
      loops.push_back(loop);
  for (unsigned laneLoop : loops) {
    costs.consider(laneLoop, {});
    for (unsigned rowLoop : loops) {
      if (rowLoop == laneLoop)
        continue;
      costs.consider(laneLoop, rowLoop);
      for (unsigned wholeLoop : loops)
        if (wholeLoop != laneLoop && wholeLoop != rowLoop)
          costs.consider(laneLoop, {rowLoop, wholeLoop});
    }
  }
  return costs.getBest();
}
