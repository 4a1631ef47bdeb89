//===- WorkgroupLoops.cpp - The loops around a tile -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkgroupLoops.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::convoy;

//===----------------------------------------------------------------------===//
// What the tile asks for
//===----------------------------------------------------------------------===//

/// The loops of the result, or the reductions, that the tile cuts.
static SmallVector<unsigned> getCutLoops(const WorkgroupLoops &loops,
                                         bool reductions) {
  ArrayRef<int64_t> extents = loops.tile.getExtents().asArrayRef(),
                    sizes = loops.tile.getSizes().asArrayRef();
  linalg::GenericOp contraction = loops.contraction;
  unsigned numResultLoops = contraction.getNumParallelLoops();
  SmallVector<unsigned> cut;
  for (unsigned loop = 0; loop < sizes.size(); ++loop)
    if ((loop >= numResultLoops) == reductions && sizes[loop] != extents[loop])
      cut.push_back(loop);
  return cut;
}

static InFlightDiagnostic refuse(const WorkgroupLoops &loops) {
  linalg::GenericOp contraction = loops.contraction;
  return contraction.emitOpError() << "does not fit " << loops.tile << ": ";
}

/// Refuses a tile that is about other loops than those of its contraction.
static LogicalResult verifyNumbers(const WorkgroupLoops &loops) {
  linalg::GenericOp contraction = loops.contraction;
  int64_t numLoops = contraction.getNumLoops();
  if (loops.tile.getExtents().size() != numLoops)
    return refuse(loops) << "expected an extent and a size for each of "
                         << numLoops << " loops";
  int64_t numResultLoops = contraction.getNumParallelLoops();
  if (loops.tile.getLaneLoop() >= numResultLoops)
    return refuse(loops) << "expected a lane_loop from 0 to "
                         << numResultLoops - 1 << ", loops of the result";
  return success();
}

/// Refuses a tile of another size than its contraction has.
static LogicalResult verifySizes(const WorkgroupLoops &loops) {
  linalg::GenericOp contraction = loops.contraction;
  for (auto [loop, inTile] :
       llvm::enumerate(contraction.getStaticLoopRanges())) {
    int64_t size = loops.tile.getSizes()[loop];
    // A tile that sticks out of the result has a size of its own.
    if (!ShapedType::isDynamic(inTile) && inTile != size)
      return refuse(loops) << "expected " << size << " iterations of loop "
                           << loop << ", but got " << inTile;
  }
  return success();
}

/// Refuses a tile of several contractions that share nothing: a loop of its
/// result belongs to one of two factors.
static LogicalResult verifySides(const WorkgroupLoops &loops) {
  linalg::GenericOp contraction = loops.contraction;
  if (contraction.getNumDpsInputs() != 2)
    return refuse(loops) << "expected 2 factors, but got "
                         << contraction.getNumDpsInputs();
  SmallVector<AffineMap> maps = contraction.getIndexingMapsArray();
  for (unsigned loop = 0; loop < contraction.getNumParallelLoops(); ++loop)
    if (loops.tile.getSizes()[loop] != 1 && maps[0].isFunctionOfDim(loop) &&
        maps[1].isFunctionOfDim(loop))
      return refuse(loops) << "expected a size of 1 of loop " << loop
                           << ", which both factors have";
  return success();
}

/// Refuses a matrix instruction for elements of other types.
static LogicalResult verifyMatrix(const WorkgroupLoops &loops) {
  const ::convoy::GPUMatrixInstruction *instruction =
      loops.tile.getMatrixInstruction();
  if (!instruction)
    return success();
  linalg::GenericOp contraction = loops.contraction;
  auto [operand, result] =
      getMatrixTypes(*instruction, contraction.getContext());
  SmallVector<Type> expected{operand, operand, result};
  for (auto [value, type] :
       llvm::zip_equal(contraction->getOperands(), expected))
    if (Type element = getElementTypeOrSelf(value.getType()); element != type)
      return refuse(loops) << "expected elements of " << type
                           << " for its matrix instruction, but got "
                           << element;
  return success();
}

/// Refuses loop number `number` of `op`, which is around `loop`, unless it goes
/// through the extent of this tile by tile.
static LogicalResult verifyLoop(const WorkgroupLoops &loops, unsigned loop,
                                LoopLikeOpInterface op, unsigned number) {
  int64_t extent = loops.tile.getExtents()[loop],
          size = loops.tile.getSizes()[loop];
  OpFoldResult end = (*op.getLoopUpperBounds())[number];
  bool isBatch = ShapedType::isDynamic(extent);
  bool isWhole =
      isBatch ? !getConstantIntValue(end) : isConstantIntValue(end, extent);
  if (isWhole && isConstantIntValue((*op.getLoopLowerBounds())[number], 0) &&
      isConstantIntValue((*op.getLoopSteps())[number], size))
    return success();
  InFlightDiagnostic error = refuse(loops);
  error << "expected steps of " << size << " from 0 to "
        << (isBatch ? "the batch" : Twine(extent)) << " along loop " << loop;
  error.attachNote(op->getLoc()) << "loop " << number << " here";
  return error;
}

/// Refuses loops around the contraction that are not those of its tile.
static LogicalResult verifyLoops(const WorkgroupLoops &loops) {
  scf::ForallOp tiles = loops.tiles, parts = loops.parts;
  SmallVector<unsigned> cut = getCutLoops(loops, /*reductions=*/false),
                        steps = getCutLoops(loops, /*reductions=*/true);
  unsigned numTileLoops = tiles ? tiles.getRank() : 0;
  if (numTileLoops != cut.size())
    return refuse(loops) << "expected the number of loops over tiles to be "
                         << cut.size() << ", but got " << numTileLoops;
  if (loops.steps.size() != steps.size())
    return refuse(loops)
           << "expected the number of loops over the reduction to be "
           << steps.size() << ", but got " << loops.steps.size();
  for (auto [number, loop] : llvm::enumerate(cut))
    if (failed(
            verifyLoop(loops, loop, cast<LoopLikeOpInterface>(*tiles), number)))
      return failure();
  for (auto [loop, step] : llvm::zip_equal(steps, loops.steps)) {
    scf::ForOp op = step;
    if (failed(verifyLoop(loops, loop, cast<LoopLikeOpInterface>(*op), 0)))
      return failure();
  }
  if (tiles ? parts && tiles->getParentOp() != parts
            : loops.contraction->getParentOfType<scf::ForallOp>() != parts)
    return refuse(loops) << "expected no loops but those over tiles inside "
                            "those over parts of the reduction";
  if (parts && (parts.getRank() != 1 || !parts.isNormalized() ||
                !getConstantIntValue(parts.getMixedUpperBound()[0])))
    return refuse(loops) << "expected parts of the reduction from 0 to a "
                            "constant in steps of 1";
  return success();
}

//===----------------------------------------------------------------------===//
// What there is
//===----------------------------------------------------------------------===//

Value WorkgroupLoops::getInit() {
  return steps.empty() ? contraction.getOutputs()[0]
                       : steps.front().getInitArgs()[0];
}

Value WorkgroupLoops::getSum() {
  return steps.empty() ? contraction.getResult(0) : steps.front().getResult(0);
}

/// The slice that `loop` writes, if it is one.
static tensor::ParallelInsertSliceOp getInsert(scf::ForallOp loop) {
  auto inserts = loop.getTerminator().getYieldingOps();
  return llvm::hasSingleElement(inserts)
             ? cast<tensor::ParallelInsertSliceOp>(*inserts.begin())
             : nullptr;
}

FailureOr<WorkgroupLoops>
mlir::convoy::matchWorkgroupLoops(scf::ForallOp outermost) {
  WorkgroupLoops loops;
  unsigned numContractions = 0;
  outermost.walk([&](linalg::GenericOp op) {
    if (auto tile = op->getAttrOfType<WorkgroupTileAttr>(
            WorkgroupTileAttr::getAttrName())) {
      loops.contraction = op;
      loops.tile = tile;
      ++numContractions;
    }
  });
  assert(loops.contraction && "loops are matched around a tiled contraction");
  if (numContractions > 1)
    return refuse(loops) << "expected no other tiled contraction in the loops "
                            "around it";
  if (failed(verifyNumbers(loops)))
    return failure();
  auto innermost = loops.contraction->getParentOfType<scf::ForallOp>();
  bool isCut = !getCutLoops(loops, /*reductions=*/false).empty();
  if (isCut) {
    loops.tiles = innermost;
    loops.insert = getInsert(innermost);
  }
  if (!isCut || innermost != outermost) {
    loops.parts = outermost;
    loops.partInsert = getInsert(outermost);
  }
  if ((loops.tiles && !loops.insert) || (loops.parts && !loops.partInsert))
    return outermost.emitOpError("expected one slice that is written");
  for (Operation *op = loops.contraction->getParentOp(); op != innermost;
       op = op->getParentOp()) {
    auto step = dyn_cast<scf::ForOp>(op);
    if (!step || step.getNumRegionIterArgs() != 1)
      return outermost.emitOpError(
          "expected loops over steps of the reduction");
    loops.steps.insert(loops.steps.begin(), step);
  }
  if (failed(verifySizes(loops)) || failed(verifySides(loops)) ||
      failed(verifyMatrix(loops)) || failed(verifyLoops(loops)))
    return failure();
  return loops;
}
