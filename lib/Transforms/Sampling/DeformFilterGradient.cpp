//===- DeformFilterGradient.cpp - Gradients of deformed filters -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What windows read is convolved with the output's gradient, as for any filter.
//
//===----------------------------------------------------------------------===//

#include "DeformColumns.h"
#include "DeformGradients.h"

#include "convoy/Transforms/Utils/Copies.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::ConvLayouts;
using ::convoy::Layout;

namespace {
class DeformFilterEmitter : DeformGradientEmitter {
public:
  using DeformGradientEmitter::DeformGradientEmitter;

  Value emitParts();
  Value emitLoops();

private:
  /// The sums of f32 that begin with the init.
  Value getSums() {
    return convertElements(rewriter, loc, op.getInit(), rewriter.getF32Type());
  }
  Value round(Value sums) {
    return convertElements(rewriter, loc, sums,
                           getElementTypeOrSelf(op.getInit().getType()));
  }
  /// Adds what the positions of `tile` give to `sums`, which are those of group
  /// `group`, unless it is null.
  Value addTile(const OutputTile &tile, Value sums, ColumnEmitter &columns,
                Value group, bool inStages);
};
} // namespace

Value DeformFilterEmitter::addTile(const OutputTile &tile, Value sums,
                                   ColumnEmitter &columns, Value group,
                                   bool inStages) {
  Value image = columns.emit(tile, inStages);
  MLIRContext *context = op.getContext();
  ConvLayouts ofTile = {Layout::fromLetters(columns.getLayout()),
                        layouts.filter, layouts.output};
  return ConvBackwardFilterOp::create(
      rewriter, loc, image, getOutputGradient(tile, group), sums, ValueRange{},
      ConvLayoutAttr::get(context, ofTile), columns.getWindow(tile),
      NumericsAttr::getDefault(context));
}

Value DeformFilterEmitter::emitParts() {
  Value sums = getSums();
  ColumnEmitter columns(rewriter, deformation);
  for (const OutputTile &part : getParts())
    sums = addTile(part, sums, columns, /*group=*/{}, /*inStages=*/false);
  return round(sums);
}

Value DeformFilterEmitter::emitLoops() {
  int64_t size = getBlockSize();
  SmallVector<OpFoldResult> begins(2, index(0)),
      ends = {index(deformation.groups), index(deformation.channels)},
      steps = {index(1), index(size)};
  auto loop = scf::ForallOp::create(rewriter, loc, begins, ends, steps,
                                    getSums(), /*mapping=*/std::nullopt);
  Value result = loop.getResult(0);
  {
    OpBuilder::InsertionGuard restore(rewriter);
    rewriter.setInsertionPoint(loop.getTerminator());
    Value group = loop.getInductionVars()[0],
          channel = loop.getInductionVars()[1];
    TensorSlice slice(rewriter, loc, loop.getRegionIterArgs().front());
    slice.narrow(layouts.filter.position('c'), channel, index(size));
    if (deformation.hasGroups)
      slice.narrow(layouts.filter.position('g'), group, index(1));
    ColumnEmitter columns(rewriter,
                          deformation.narrow(rewriter, group, channel, size));
    Value sums = emitImages(slice.extract(), getBytesPerPosition(size),
                            [&](const OutputTile &tile, Value before) {
                              return addTile(tile, before, columns, group,
                                             /*inStages=*/true);
                            });
    slice.insert(sums, loop);
  }
  return round(result);
}

Value mlir::convoy::emitDeformFilterGradient(RewriterBase &rewriter,
                                             DeformConvBackwardFilterOp op,
                                             bool byTiles) {
  DeformFilterEmitter emitter(rewriter, op);
  return byTiles ? emitter.emitLoops() : emitter.emitParts();
}
