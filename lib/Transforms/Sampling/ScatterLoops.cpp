//===- ScatterLoops.cpp - Sums at computed places ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScatterLoops.h"

#include "convoy/Transforms/Utils/TensorSlice.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::convoy;

Value mlir::convoy::emitSumLoop(OpBuilder &builder, Location loc, Value sums,
                                OpFoldResult begin, OpFoldResult end,
                                int64_t step,
                                function_ref<Value(Value, Value)> build) {
  Value low = getValueOrCreateConstantIndexOp(builder, loc, begin);
  Value high = getValueOrCreateConstantIndexOp(builder, loc, end);
  Value width = arith::ConstantIndexOp::create(builder, loc, step);
  auto loop = scf::ForOp::create(builder, loc, low, high, width, sums);
  OpBuilder::InsertionGuard restore(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value after = build(loop.getInductionVar(), loop.getRegionIterArg(0));
  scf::YieldOp::create(builder, loc, after);
  return loop.getResult(0);
}

/// Adds `share` to the pixel at `place`, an i32, of `sums`, a channel, if there
/// is one.
static Value addToPixel(OpBuilder &builder, Location loc, Value sums,
                        Value place, Value share) {
  Value number =
      arith::IndexCastOp::create(builder, loc, builder.getIndexType(), place);
  Value pixels = tensor::DimOp::create(builder, loc, sums, 0);
  Value isPixel = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                        number, pixels);
  auto branch = scf::IfOp::create(builder, loc, sums.getType(), isPixel,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard restore(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  Value before = tensor::ExtractOp::create(builder, loc, sums, number);
  Value sum = arith::AddFOp::create(builder, loc, before, share);
  Value after = tensor::InsertOp::create(builder, loc, sum, sums, number);
  scf::YieldOp::create(builder, loc, after);
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, sums);
  return branch.getResult(0);
}

Value mlir::convoy::emitScatterLoops(RewriterBase &rewriter, ScatterAddOp op) {
  Location loc = op.getLoc();
  auto index = [&](int64_t value) { return rewriter.getIndexAttr(value); };
  auto size = [&](Value tensor, int64_t dim) {
    return tensor::getMixedSize(rewriter, loc, tensor, dim);
  };
  SmallVector<OpFoldResult> begins(2, index(0)),
      ends = {size(op.getValues(), 0), size(op.getValues(), 1)},
      steps(2, index(1));
  auto loop = scf::ForallOp::create(rewriter, loc, begins, ends, steps,
                                    op.getInit(), /*mapping=*/std::nullopt);
  OpBuilder::InsertionGuard restore(rewriter);
  rewriter.setInsertionPoint(loop.getTerminator());
  Value image = loop.getInductionVars()[0],
        channel = loop.getInductionVars()[1];
  int64_t channelsPerGroup = op.getValues().getType().getDimSize(1) /
                             op.getPlaces().getType().getDimSize(1);
  Value group = arith::DivUIOp::create(
      rewriter, loc, channel,
      arith::ConstantIndexOp::create(rewriter, loc, channelsPerGroup));
  TensorSlice slice(rewriter, loc, loop.getRegionIterArgs().front());
  slice.pick(0, image);
  slice.pick(1, channel);
  Value sums = emitSumLoop(
      rewriter, loc, slice.extract(), index(0), size(op.getValues(), 2), 1,
      [&](Value sample, Value ofSamples) {
        Value value = tensor::ExtractOp::create(
            rewriter, loc, op.getValues(), ValueRange{image, channel, sample});
        return emitSumLoop(
            rewriter, loc, ofSamples, index(0), size(op.getPlaces(), 3), 1,
            [&](Value element, Value before) {
              SmallVector<Value> at = {image, group, sample, element};
              Value place =
                  tensor::ExtractOp::create(rewriter, loc, op.getPlaces(), at);
              Value weight =
                  tensor::ExtractOp::create(rewriter, loc, op.getWeights(), at);
              Value share = arith::MulFOp::create(rewriter, loc, value, weight);
              return addToPixel(rewriter, loc, before, place, share);
            });
      });
  slice.insert(sums, loop);
  return loop.getResult(0);
}
