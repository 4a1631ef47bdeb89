//===- TestTileIm2col.cpp - Tiles im2col by given sizes ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestPasses.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::convoy;

namespace {
struct TestTileIm2colPass final
    : PassWrapper<TestTileIm2colPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestTileIm2colPass)

  TestTileIm2colPass() = default;
  TestTileIm2colPass(const TestTileIm2colPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "test-convoy-tile-im2col"; }
  StringRef getDescription() const override {
    return "Tile each im2col through its TilingInterface";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<affine::AffineDialect, arith::ArithDialect, scf::SCFDialect,
                    tensor::TensorDialect>();
  }

  void runOnOperation() override {
    SmallVector<Im2colOp> ops;
    getOperation()->walk([&](Im2colOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (Im2colOp op : ops)
      if (failed(tile(rewriter, op)))
        return signalPassFailure();
  }

private:
  LogicalResult tile(RewriterBase &rewriter, Im2colOp op) {
    rewriter.setInsertionPoint(op);
    auto tilingOp = cast<TilingInterface>(op.getOperation());
    scf::SCFTilingOptions options;
    options.setTileSizes(getAsIndexOpFoldResult(&getContext(), sizes));
    FailureOr<scf::SCFTilingResult> tiled =
        scf::tileUsingSCF(rewriter, tilingOp, options);
    if (failed(tiled))
      return op.emitOpError("was not tiled");
    rewriter.replaceOp(op, tiled->replacements);
    return success();
  }

  ListOption<int64_t> sizes{
      *this, "sizes",
      llvm::cl::desc("Tile size of each dimension of the result; 0 leaves it "
                     "whole")};
};
} // namespace

void mlir::convoy::test::registerTestTileIm2colPass() {
  PassRegistration<TestTileIm2colPass>();
}
