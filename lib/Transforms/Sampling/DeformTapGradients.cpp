//===- DeformTapGradients.cpp - Gradients of offsets and masks --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums over the channels that are moved alike, of the gradients of what they
// read there times samples or slopes.
//
//===----------------------------------------------------------------------===//

#include "DeformSamples.h"

#include "convoy/Transforms/Utils/Copies.h"
#include "convoy/Transforms/Utils/Fills.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// Emits the gradient of the offset or of the mask.
class TapGradientEmitter : SampleGradientEmitter {
public:
  TapGradientEmitter(RewriterBase &rewriter, DeformOpInterface op);

  Value emitParts();
  Value emitLoops();

private:
  using Indices = Deformation::Indices;

  TensorSlice getSlice(const OutputTile &tile, Value tensor) {
    return tile.getSlice(rewriter, loc, tensor, deformation.offsetLayout);
  }
  OpFoldResult getSize(const OutputTile &tile, char letter);
  /// `tensor`, a slice of a tile, with its groups and taps apart, and where
  /// `isOfOffset` the two numbers of each.
  Value expand(const OutputTile &tile, Value tensor, bool isOfOffset);
  /// The groups of the dimensions of `letters` that are one in a tensor's
  /// layout.
  SmallVector<ReassociationIndices> getGroups(StringRef letters);
  /// The indices of tap and position in the loops over `loops` and one more,
  /// which goes through the channels of a group.
  Indices emitIndices(OpBuilder &builder, Location loc);
  /// What is multiplied with the gradient of the sample.
  SmallVector<Value> emitFactors(OpBuilder &builder, Location loc,
                                 const Indices &at);
  /// Sums over the channels: one of each tap, or of an offset one for each
  /// dimension.
  SmallVector<Value> emitSums(const OutputTile &tile);
  /// The gradient in `tile`, in the layout of offset and mask.
  Value emitTile(const OutputTile &tile, Value init);

  bool isOfOffset;
  int64_t channelsPerGroup; ///< of those that are moved alike
  std::string loops;        ///< over groups o, taps y, x and positions
};
} // namespace

TapGradientEmitter::TapGradientEmitter(RewriterBase &rewriter,
                                       DeformOpInterface op)
    : SampleGradientEmitter(rewriter, op),
      isOfOffset(isa<DeformConvBackwardOffsetOp>(op)),
      channelsPerGroup(deformation.getChannels() / deformation.offsetGroups) {
  for (char letter : deformation.offsetLayout)
    loops += letter == 'c' ? std::string("oyx") : std::string(1, letter);
  emitFilter(deformation.channels);
}

OpFoldResult TapGradientEmitter::getSize(const OutputTile &tile, char letter) {
  switch (letter) {
  case 'n':
    return tile.images;
  case 'h':
    return index(tile.rows);
  case 'w':
    return index(tile.columns);
  case 'o':
    return index(deformation.offsetGroups);
  case 'y':
    return index(deformation.taps[0]);
  case 'x':
    return index(deformation.taps[1]);
  case 'z':
    return index(2);
  }
  llvm_unreachable("all are named");
}

/// `loops` with the dimensions of an offset behind the taps.
static std::string withDimensions(StringRef loops) {
  std::string letters = loops.str();
  letters.insert(letters.find('x') + 1, "z");
  return letters;
}

SmallVector<ReassociationIndices>
TapGradientEmitter::getGroups(StringRef letters) {
  SmallVector<ReassociationIndices> groups;
  for (auto [dim, letter] : llvm::enumerate(letters)) {
    if (!StringRef("yxz").contains(letter))
      groups.emplace_back();
    groups.back().push_back(int64_t(dim));
  }
  return groups;
}

Value TapGradientEmitter::expand(const OutputTile &tile, Value tensor,
                                 bool isOffset) {
  std::string letters = isOffset ? withDimensions(loops) : loops;
  SmallVector<OpFoldResult> shape = llvm::map_to_vector(
      letters, [&](char letter) { return getSize(tile, letter); });
  SmallVector<int64_t> staticShape;
  std::tie(staticShape, std::ignore) = decomposeMixedValues(shape);
  return tensor::ExpandShapeOp::create(
      rewriter, loc,
      RankedTensorType::get(staticShape,
                            getElementTypeOrSelf(tensor.getType())),
      tensor, getGroups(letters), shape);
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

TapGradientEmitter::Indices TapGradientEmitter::emitIndices(OpBuilder &builder,
                                                            Location loc) {
  auto loop = [&](size_t number) -> Value {
    return linalg::IndexOp::create(builder, loc, number);
  };
  Indices at;
  for (auto [number, letter] : llvm::enumerate(loops))
    at[letter] = loop(number);
  Value channel =
      emitLinear(builder, loc, at['o'], channelsPerGroup, loop(loops.size()));
  at['g'] = arith::ConstantIndexOp::create(builder, loc, 0);
  at['c'] = channel;
  if (deformation.hasGroups) {
    Value perGroup =
        arith::ConstantIndexOp::create(builder, loc, deformation.channels);
    at['g'] = arith::DivUIOp::create(builder, loc, channel, perGroup);
    at['c'] = arith::RemUIOp::create(builder, loc, channel, perGroup);
  }
  return at;
}

SmallVector<Value> TapGradientEmitter::emitFactors(OpBuilder &builder,
                                                   Location loc,
                                                   const Indices &at) {
  Value tap = emitLinear(builder, loc, at.lookup('y'), deformation.taps[1],
                         at.lookup('x'));
  Value number =
      emitLinear(builder, loc, at.lookup('o'), deformation.getTapCount(), tap);
  SmallVector<SamplePosition> positions =
      deformation.emitTapPositions(builder, loc, at, number);
  auto read = [&](const SampleElement &element) {
    return deformation.readImage(builder, loc, at, element);
  };
  if (isOfOffset)
    return emitSlopes(builder, loc, kDeformRule, positions,
                      deformation.imageSizes, read);
  return {emitSample(builder, loc, builder.getF32Type(),
                     emitElements(builder, loc, kDeformRule, positions,
                                  deformation.imageSizes),
                     read)};
}

SmallVector<Value> TapGradientEmitter::emitSums(const OutputTile &tile) {
  Value gradients = emitGradients(tile);
  SmallVector<OpFoldResult> sizes = llvm::map_to_vector(
      loops, [&](char letter) { return getSize(tile, letter); });
  SmallVector<Value> zeros;
  for (int64_t sum = 0; sum < (isOfOffset ? 2 : 1); ++sum)
    zeros.push_back(createZeros(rewriter, loc, sizes, rewriter.getF32Type()));
  // Its size says how many channels there are.
  Value channels = tensor::EmptyOp::create(rewriter, loc,
                                           ArrayRef<int64_t>(channelsPerGroup),
                                           rewriter.getF32Type());
  size_t rank = loops.size() + 1;
  SmallVector<AffineMap> maps = {
      AffineMap::get(rank, 0, rewriter.getAffineDimExpr(rank - 1))};
  maps.append(zeros.size(),
              AffineMap::getMinorIdentityMap(rank, rank, rewriter.getContext())
                  .dropResult(rank - 1));
  SmallVector<utils::IteratorType> iterators(rank - 1,
                                             utils::IteratorType::parallel);
  iterators.push_back(utils::IteratorType::reduction);
  auto build = [&](OpBuilder &builder, Location loc, ValueRange arguments) {
    Indices inTile = emitIndices(builder, loc);
    Indices at = emitInOutput(builder, loc, tile, inTile);
    SmallVector<Value> factors = emitFactors(builder, loc, at);
    Value gradient = readGradient(builder, loc, gradients, inTile);
    SmallVector<Value> sums;
    for (auto [factor, sum] :
         llvm::zip_equal(factors, arguments.drop_front())) {
      Value product = arith::MulFOp::create(builder, loc, gradient, factor);
      sums.push_back(arith::AddFOp::create(builder, loc, sum, product));
    }
    linalg::YieldOp::create(builder, loc, sums);
  };
  auto generic =
      linalg::GenericOp::create(rewriter, loc, TypeRange(ValueRange(zeros)),
                                channels, zeros, maps, iterators, build);
  return SmallVector<Value>(generic.getResults());
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

Value TapGradientEmitter::emitTile(const OutputTile &tile, Value init) {
  SmallVector<Value> inputs = emitSums(tile);
  size_t numSums = inputs.size();
  if (isOfOffset && deformation.mask)
    inputs.push_back(expand(tile, getSlice(tile, deformation.mask).extract(),
                            /*isOffset=*/false));
  std::string letters = isOfOffset ? withDimensions(loops) : loops;
  SmallVector<AffineMap> maps(
      inputs.size(), getLetterMap(loops, letters, rewriter.getContext()));
  maps.push_back(rewriter.getMultiDimIdentityMap(letters.size()));
  SmallVector<utils::IteratorType> iterators(letters.size(),
                                             utils::IteratorType::parallel);
  Value apart = expand(tile, init, isOfOffset);
  Type type = getElementTypeOrSelf(init.getType());
  auto build = [&](OpBuilder &builder, Location loc, ValueRange arguments) {
    Value sum = arguments[0];
    if (isOfOffset) {
      Value dim = linalg::IndexOp::create(builder, loc, letters.find('z'));
      Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
      Value isFirst = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::eq, dim, zero);
      sum = arith::SelectOp::create(builder, loc, isFirst, sum, arguments[1]);
    }
    if (inputs.size() > numSums)
      sum = arith::MulFOp::create(builder, loc, sum,
                                  emitWide(builder, loc, arguments[numSums]));
    sum = arith::AddFOp::create(builder, loc,
                                emitWide(builder, loc, arguments.back()), sum);
    if (type != sum.getType())
      sum = arith::TruncFOp::create(builder, loc, type, sum);
    linalg::YieldOp::create(builder, loc, sum);
  };
  Value result =
      linalg::GenericOp::create(rewriter, loc, apart.getType(), inputs, apart,
                                maps, iterators, build)
          .getResult(0);
  return tensor::CollapseShapeOp::create(rewriter, loc, result,
                                         getGroups(letters));
}

Value TapGradientEmitter::emitParts() {
  SmallVector<OutputTile> parts = getParts();
  Value result = op.getInit();
  for (const OutputTile &part : parts) {
    Value gradient = emitTile(part, getSlice(part, op.getInit()).extract());
    result =
        parts.size() == 1 ? gradient : getSlice(part, result).insert(gradient);
  }
  return result;
}

Value TapGradientEmitter::emitLoops() {
  return emitTileLoops(
      rewriter, loc, op.getInit(), deformation.offsetLayout, getOutputSize('n'),
      getOutputTiling(rewriter, loc, getOutputSize('h'), getOutputSize('w'),
                      getBytesPerPosition(deformation.getChannels())),
      [&](const OutputTile &tile, Value init) { return emitTile(tile, init); });
}

static Value emitTapGradient(RewriterBase &rewriter, DeformOpInterface op,
                             bool byTiles) {
  TapGradientEmitter emitter(rewriter, op);
  return byTiles ? emitter.emitLoops() : emitter.emitParts();
}

Value mlir::convoy::emitDeformMaskGradient(RewriterBase &rewriter,
                                           DeformConvBackwardMaskOp op,
                                           bool byTiles) {
  return emitTapGradient(rewriter, op, byTiles);
}

Value mlir::convoy::emitDeformOffsetGradient(RewriterBase &rewriter,
                                             DeformConvBackwardOffsetOp op,
                                             bool byTiles) {
  return emitTapGradient(rewriter, op, byTiles);
}
