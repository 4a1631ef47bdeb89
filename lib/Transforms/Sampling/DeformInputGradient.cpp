//===- DeformInputGradient.cpp - Gradients of deformed inputs ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeformSamples.h"
#include "SampleGradients.h"
#include "ScatterLoops.h"

#include "convoy/Transforms/Utils/Copies.h"
#include "convoy/Transforms/Utils/Fills.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Operand;

namespace {
/// Emits the gradient of the input.
class InputGradientEmitter : SampleGradientEmitter {
public:
  using SampleGradientEmitter::SampleGradientEmitter;

  Value emitParts();
  Value emitLoops();

private:
  using Indices = Deformation::Indices;

  // In loops.

  /// Adds what the samples of `tile` give to `sums`, some channels of an image.
  Value addTile(const OutputTile &tile, const Deformation &part,
                Value gradients, Value sums);
  Value addSample(const Indices &at, const Indices &inTile,
                  const Deformation &part, Value gradients, Value sums);

  // In parts.

  /// The gradients of the samples of `tile` by channel.
  Value emitValues(const OutputTile &tile);
  /// The elements of the samples of `tile`, of which there are four: their
  /// places or their weights.
  SmallVector<Value> emitTables(const OutputTile &tile);
  /// `tensor`, with dimensions called `names`, with one dimension for those
  /// from each of `firsts` on.
  Value collapse(Value tensor, StringRef names, StringRef firsts);
  /// The init and `sums`, by channel and pixel, in the type of the result.
  Value addToInit(Value sums);
};
} // namespace

//===----------------------------------------------------------------------===//
// In loops
//===----------------------------------------------------------------------===//

Value InputGradientEmitter::addSample(const Indices &at, const Indices &inTile,
                                      const Deformation &part, Value gradients,
                                      Value sums) {
  Value tap =
      emitLinear(rewriter, loc, at.lookup('y'), part.taps[1], at.lookup('x'));
  SmallVector<SampleElement> elements =
      part.emitTapElements(rewriter, loc, at, tap);
  TensorSlice ofSample(rewriter, loc, gradients);
  for (auto [dim, name] : llvm::enumerate(getGradientNames()))
    if (name != 'c')
      ofSample.pick(int64_t(dim), inTile.lookup(name));
  Value gradient = ofSample.extract();
  for (const SampleElement &element : elements) {
    TensorSlice slice(rewriter, loc, sums);
    // The sums are those of one image and group.
    for (auto [dim, name] : llvm::enumerate(layouts.input.letters())) {
      size_t spatial = StringRef("hw").find(name);
      if (spatial != StringRef::npos)
        slice.pick(int64_t(dim), arith::IndexCastOp::create(
                                     rewriter, loc, rewriter.getIndexType(),
                                     element.place[spatial])
                                     .getResult());
      else if (name != 'c')
        slice.pick(int64_t(dim), index(0));
    }
    sums = addShare(rewriter, loc, slice, gradient, element);
  }
  return sums;
}

Value InputGradientEmitter::addTile(const OutputTile &tile,
                                    const Deformation &part, Value gradients,
                                    Value sums) {
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Indices inTile = {{'n', zero}, {'g', zero}};
  auto addFrom = [&](auto &&self, StringRef loops, Value before) -> Value {
    if (loops.empty()) {
      Indices at = emitInOutput(rewriter, loc, tile, inTile);
      return addSample(at, inTile, part, gradients, before);
    }
    char letter = loops.front();
    int64_t size = letter == 'h'   ? tile.rows
                   : letter == 'w' ? tile.columns
                                   : part.taps[letter == 'x'];
    return emitSumLoop(rewriter, loc, before, index(0), index(size), 1,
                       [&](Value variable, Value carried) {
                         inTile[letter] = variable;
                         return self(self, loops.drop_front(), carried);
                       });
  };
  return addFrom(addFrom, "hwyx", sums);
}

Value InputGradientEmitter::emitLoops() {
  int64_t size = getBlockSize();
  emitFilter(size);
  Type type = getElementTypeOrSelf(op.getInit().getType());
  Value sums =
      convertElements(rewriter, loc, op.getInit(), rewriter.getF32Type());
  SmallVector<OpFoldResult> begins(3, index(0)),
      ends = {getOutputSize('n'), index(deformation.groups),
              index(deformation.channels / size)},
      steps(3, index(1));
  auto loop = scf::ForallOp::create(rewriter, loc, begins, ends, steps, sums,
                                    /*mapping=*/std::nullopt);
  {
    OpBuilder::InsertionGuard restore(rewriter);
    rewriter.setInsertionPoint(loop.getTerminator());
    Value image = loop.getInductionVars()[0],
          group = loop.getInductionVars()[1],
          block = loop.getInductionVars()[2];
    Value channel = affine::makeComposedAffineApply(
        rewriter, loc, rewriter.getAffineDimExpr(0) * size, {block});
    TensorSlice slice(rewriter, loc, loop.getRegionIterArgs().front());
    slice.narrow(layouts.input.position('n'), image, index(1));
    slice.narrow(layouts.input.position('c'), channel, index(size));
    if (deformation.hasGroups)
      slice.narrow(layouts.input.position('g'), group, index(1));
    Deformation part = deformation.narrow(rewriter, group, channel, size);
    Value after = emitTiles(
        slice.extract(), image, getBytesPerPosition(size),
        [&](const OutputTile &tile, Value before) {
          return addTile(tile, part, emitGradients(tile, group, block), before);
        });
    slice.insert(after, loop);
  }
  return convertElements(rewriter, loc, loop.getResult(0), type);
}

//===----------------------------------------------------------------------===//
// In parts
//===----------------------------------------------------------------------===//

Value InputGradientEmitter::collapse(Value tensor, StringRef names,
                                     StringRef firsts) {
  SmallVector<ReassociationIndices> groups;
  for (auto [dim, name] : llvm::enumerate(names)) {
    if (firsts.contains(name))
      groups.emplace_back();
    groups.back().push_back(int64_t(dim));
  }
  return tensor::CollapseShapeOp::create(rewriter, loc, tensor, groups);
}

SmallVector<Value> InputGradientEmitter::emitTables(const OutputTile &tile) {
  // The last letter is that of the elements.
  constexpr StringLiteral Loops = "nohwyxe";
  SmallVector<OpFoldResult> sizes = {tile.images,
                                     index(deformation.offsetGroups),
                                     index(tile.rows),
                                     index(tile.columns),
                                     index(deformation.taps[0]),
                                     index(deformation.taps[1]),
                                     index(4)};
  SmallVector<Value> empties;
  for (Type type : {Type(rewriter.getI32Type()), Type(rewriter.getF32Type())})
    empties.push_back(tensor::EmptyOp::create(rewriter, loc, sizes, type));
  SmallVector<AffineMap> maps(2, rewriter.getMultiDimIdentityMap(Loops.size()));
  SmallVector<utils::IteratorType> iterators(Loops.size(),
                                             utils::IteratorType::parallel);
  auto build = [&](OpBuilder &builder, Location loc, ValueRange) {
    Indices at;
    for (auto [loop, letter] : llvm::enumerate(Loops))
      at[letter] = linalg::IndexOp::create(builder, loc, loop);
    at = emitInOutput(builder, loc, tile, at);
    Value tap = emitLinear(builder, loc, at['y'], deformation.taps[1], at['x']);
    tap = emitLinear(builder, loc, at['o'], deformation.getTapCount(), tap);
    Value place, weight;
    for (auto [number, element] :
         llvm::enumerate(deformation.emitTapElements(builder, loc, at, tap))) {
      Value flat =
          emitFlatNumber(builder, loc, element, deformation.imageSizes);
      if (!place) {
        place = flat;
        weight = element.weight;
        continue;
      }
      Value isThis = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::eq, at['e'],
          arith::ConstantIndexOp::create(builder, loc, number));
      place = arith::SelectOp::create(builder, loc, isThis, flat, place);
      weight =
          arith::SelectOp::create(builder, loc, isThis, element.weight, weight);
    }
    linalg::YieldOp::create(builder, loc, ValueRange{place, weight});
  };
  auto tables =
      linalg::GenericOp::create(rewriter, loc, TypeRange(ValueRange(empties)),
                                ValueRange{}, empties, maps, iterators, build);
  return llvm::map_to_vector(tables.getResults(), [&](Value table) {
    return collapse(table, Loops, "nohe");
  });
}

Value InputGradientEmitter::emitValues(const OutputTile &tile) {
  Value gradients = emitGradients(tile);
  const std::string to = deformation.hasGroups ? "ngchwyx" : "nchwyx";
  Value values = reorderDims(rewriter, loc, gradients, getGradientNames(), to);
  return collapse(values, to, deformation.hasGroups ? "ngh" : "nch");
}

Value InputGradientEmitter::addToInit(Value sums) {
  Value init = op.getInit();
  const std::string &names = layouts.input.letters();
  const std::string apart = deformation.hasGroups ? "ngchw" : "nchw";
  SmallVector<OpFoldResult> shape;
  for (char name : apart)
    shape.push_back(
        tensor::getMixedSize(rewriter, loc, init, names.find(name)));
  SmallVector<int64_t> staticShape;
  std::tie(staticShape, std::ignore) = decomposeMixedValues(shape);
  SmallVector<ReassociationIndices> groups = {{0}, {1}, {2, 3}};
  if (deformation.hasGroups)
    groups = {{0}, {1, 2}, {3, 4}};
  Value expanded = tensor::ExpandShapeOp::create(
      rewriter, loc, RankedTensorType::get(staticShape, rewriter.getF32Type()),
      sums, groups, shape);
  SmallVector<AffineMap> maps = {
      getLetterMap(apart, names, rewriter.getContext()),
      rewriter.getMultiDimIdentityMap(names.size())};
  SmallVector<utils::IteratorType> iterators(names.size(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             rewriter, loc, init.getType(), expanded, init, maps, iterators,
             [&](OpBuilder &builder, Location loc, ValueRange arguments) {
               Type type = arguments[1].getType();
               Value sum = arith::AddFOp::create(
                   builder, loc, emitWide(builder, loc, arguments[1]),
                   arguments[0]);
               if (type != sum.getType())
                 sum = arith::TruncFOp::create(builder, loc, type, sum);
               linalg::YieldOp::create(builder, loc, sum);
             })
      .getResult(0);
}

Value InputGradientEmitter::emitParts() {
  emitFilter(deformation.channels);
  int64_t pixels = *getConstantIntValue(deformation.imageSizes[0]) *
                   *getConstantIntValue(deformation.imageSizes[1]);
  SmallVector<OpFoldResult> shape = {
      getOutputSize('n'), index(deformation.getChannels()), index(pixels)};
  Value sums = createZeros(rewriter, loc, shape, rewriter.getF32Type());
  for (const OutputTile &part : getParts()) {
    Value values = emitValues(part);
    SmallVector<Value> tables = emitTables(part);
    TensorSlice slice(rewriter, loc, sums);
    slice.narrow(0, part.n, part.images);
    Value before = slice.extract();
    Value after = ScatterAddOp::create(rewriter, loc, before.getType(), values,
                                       tables[0], tables[1], before);
    bool isWhole = before.getType() == sums.getType() && isZeroInteger(part.n);
    sums = isWhole ? after : slice.insert(after);
  }
  return addToInit(sums);
}

Value mlir::convoy::emitDeformInputGradient(RewriterBase &rewriter,
                                            DeformConvBackwardInputOp op,
                                            bool byTiles) {
  InputGradientEmitter emitter(rewriter, op);
  return byTiles ? emitter.emitLoops() : emitter.emitParts();
}
