//===- AssertSizes.cpp - Dynamic sizes must agree ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/KernelABI/KernelInterface.h"
#include "convoy/Transforms/KernelABI/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_ASSERTSIZESPASS
#include "convoy/Transforms/KernelABI/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::ConvLayouts;
using ::convoy::Direction;
using ::convoy::Operand;
using ::convoy::WindowDim;

/// The dimension of the reshape's source that is dimension `dim` of its result,
/// and of no other; nothing where several are.
static std::optional<int64_t> getSourceDim(Operation *reshape, int64_t dim) {
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(reshape)) {
    ReassociationIndices group = collapse.getReassociationIndices()[dim];
    return group.size() == 1 ? std::optional(group[0]) : std::nullopt;
  }
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(reshape))
    for (auto [source, group] :
         llvm::enumerate(expand.getReassociationIndices()))
      if (group.size() == 1 && group[0] == dim)
        return source;
  return std::nullopt;
}

/// The first tensor, with its dimension, in a chain of destinations and
/// reshapes that ends in dimension `dim` of `value`: all have its size.
static std::pair<Value, int64_t> getFirstOfSize(Value value, int64_t dim) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto destination = dyn_cast<DestinationStyleOpInterface>(op)) {
      value = destination.getTiedOpOperand(cast<OpResult>(value))->get();
      continue;
    }
    std::optional<int64_t> sourceDim = getSourceDim(op, dim);
    if (!sourceDim)
      break;
    value = op->getOperand(0);
    dim = *sourceDim;
  }
  return {value, dim};
}

namespace {
/// Asserts what one op takes for granted of dynamic sizes.
class SizeAsserter {
public:
  explicit SizeAsserter(Operation *op) : builder(op), loc(op->getLoc()) {}

  void assertConvolution(ConvolutionOpInterface op);
  void assertSamples(GridSampleOp op);
  void assertSamples(GridSampleBackwardInputOp op);
  void assertSamples(GridSampleBackwardGridOp op);
  void assertDeformed(DeformOpInterface op);
  void assertPlaces(ScatterAddOp op);
  /// Dimensions that one loop runs over are equal.
  void assertLoops(linalg::LinalgOp op);
  void assertSameSizes(Value source, Value buffer);

private:
  OpFoldResult getSize(Value value, int64_t dim) {
    std::tie(value, dim) = getFirstOfSize(value, dim);
    if (isa<MemRefType>(value.getType()))
      return memref::getMixedSize(builder, loc, value, dim);
    return tensor::getMixedSize(builder, loc, value, dim);
  }
  void assertEqual(OpFoldResult a, OpFoldResult b);
  void assertWindow(Direction direction, const WindowDim &window,
                    OpFoldResult input, OpFoldResult filter,
                    OpFoldResult output);
  void assertThat(Value condition, StringRef sentence) {
    cf::AssertOp::create(builder, loc, condition, sentence);
  }
  Value compare(arith::CmpIPredicate predicate, OpFoldResult a,
                OpFoldResult b) {
    Value left = getValueOrCreateConstantIndexOp(builder, loc, a);
    Value right = getValueOrCreateConstantIndexOp(builder, loc, b);
    return arith::CmpIOp::create(builder, loc, predicate, left, right);
  }
  /// D(n, e) - 1: e*(n-1), or -1 where n is 0.
  OpFoldResult getLastPosition(OpFoldResult size, int64_t dilation) {
    AffineExpr s0 = builder.getAffineSymbolExpr(0);
    AffineMap map = AffineMap::get(
        0, 1, {(s0 - 1) * dilation, builder.getAffineConstantExpr(-1)},
        builder.getContext());
    return affine::makeComposedFoldedAffineMax(builder, loc, map, size);
  }

  /// An image has elements, and as many as f32 can count.
  void assertImageSize(OpFoldResult size);
  void assertImageSizes(Value image, StringRef layout);
  /// The dimensions called `names` of two tensors, with dimensions called
  /// `first` and `second`, have the same sizes.
  void assertEqual(StringRef names, Value a, StringRef first, Value b,
                   StringRef second);

  OpBuilder builder;
  Location loc;
};
} // namespace

static bool isStatic(OpFoldResult size) {
  return getConstantIntValue(size).has_value();
}

void SizeAsserter::assertEqual(OpFoldResult a, OpFoldResult b) {
  if (!isEqualConstantIntOrValue(a, b))
    assertThat(compare(arith::CmpIPredicate::eq, a, b),
               "expected equal sizes of one dimension");
}

/// Along one spatial dimension, in the terms of ConvShape.h: no window reaches
/// further than the high padding, D(O,s) + d(K-1) <= D(I,e) + pl + ph, and, for
/// backward-data, the input ends before another window would fit,
/// D(I,e) <= D(O,s) + s-1 + d(K-1) - pl - ph.
void SizeAsserter::assertWindow(Direction direction, const WindowDim &window,
                                OpFoldResult input, OpFoldResult filter,
                                OpFoldResult output) {
  if (isStatic(input) && isStatic(filter) && isStatic(output))
    return;
  OpFoldResult lastInput = getLastPosition(input, window.inputDilation);
  OpFoldResult lastOutput = getLastPosition(output, window.stride);
  AffineExpr s0 = builder.getAffineSymbolExpr(0),
             s1 = builder.getAffineSymbolExpr(1);
  AffineExpr reach =
      s0 + (s1 - 1) * window.dilation - window.padLow - window.padHigh;
  OpFoldResult windowEnd = affine::makeComposedFoldedAffineApply(
      builder, loc, reach, {lastOutput, filter});
  OpFoldResult zero = builder.getIndexAttr(0);
  Value noOutput = compare(arith::CmpIPredicate::eq, output, zero);
  Value noTap = compare(arith::CmpIPredicate::eq, filter, zero);
  Value noTerm = arith::OrIOp::create(builder, loc, noOutput, noTap);
  Value fits = compare(arith::CmpIPredicate::sle, windowEnd, lastInput);
  assertThat(arith::OrIOp::create(builder, loc, noTerm, fits),
             "expected windows within the padded input");
  if (direction != Direction::BackwardData)
    return;
  OpFoldResult inputEnd = affine::makeComposedFoldedAffineApply(
      builder, loc, reach + window.stride - 1, {lastOutput, filter});
  assertThat(compare(arith::CmpIPredicate::sle, lastInput, inputEnd),
             "expected no room for another window");
}

void SizeAsserter::assertConvolution(ConvolutionOpInterface op) {
  ConvLayouts layouts = op.getLayout().getLayouts();
  auto size = [&](Operand operand, char letter) {
    return getSize(op.getOperandFor(operand),
                   layouts[operand].position(letter));
  };
  for (char letter : StringRef("ngcf")) {
    std::optional<OpFoldResult> first;
    for (Operand operand : {Operand::Input, Operand::Filter, Operand::Output}) {
      if (!layouts[operand].contains(letter))
        continue;
      if (first)
        assertEqual(*first, size(operand, letter));
      else
        first = size(operand, letter);
    }
  }
  for (auto [dim, letter] : llvm::enumerate(
           ::convoy::spatialLetters(op.getLayout().getSpatialRank()))) {
    OpFoldResult input = size(Operand::Input, letter);
    OpFoldResult filter = size(Operand::Filter, letter);
    OpFoldResult output = size(Operand::Output, letter);
    assertWindow(op.getDirection(), op.getWindow().getDim(dim), input, filter,
                 output);
  }
}

void SizeAsserter::assertImageSize(OpFoldResult size) {
  if (isStatic(size))
    return;
  // Of 0 elements the last has the largest of all numbers.
  OpFoldResult last = affine::makeComposedFoldedAffineApply(
      builder, loc, builder.getAffineSymbolExpr(0) - 1, size);
  assertThat(compare(arith::CmpIPredicate::ult, last,
                     builder.getIndexAttr(GridSampleOp::kMaxSize)),
             "expected from 1 to 2^24 elements along an image");
}

void SizeAsserter::assertImageSizes(Value image, StringRef layout) {
  for (auto [dim, letter] : llvm::enumerate(layout)) {
    if (letter != 'n' && letter != 'c')
      assertImageSize(getSize(image, dim));
  }
}

void SizeAsserter::assertEqual(StringRef names, Value a, StringRef first,
                               Value b, StringRef second) {
  for (char name : names)
    if (first.contains(name))
      assertEqual(getSize(a, first.find(name)), getSize(b, second.find(name)));
}

/// Image and grid have equal batches, and the image has elements, as many as
/// f32 can count.
void SizeAsserter::assertSamples(GridSampleOp op) {
  SampleLayoutAttr layout = op.getLayout();
  assertEqual("n", op.getInput(), layout.getInput(), op.getGrid(),
              layout.getGrid());
  assertImageSizes(op.getInput(), layout.getInput());
}

void SizeAsserter::assertSamples(GridSampleBackwardInputOp op) {
  SampleLayoutAttr layout = op.getLayout();
  assertEqual("ndhw", op.getOutputGradient(), layout.getOutput(), op.getGrid(),
              layout.getGrid());
}

void SizeAsserter::assertSamples(GridSampleBackwardGridOp op) {
  SampleLayoutAttr layout = op.getLayout();
  assertEqual("ndhw", op.getOutputGradient(), layout.getOutput(), op.getGrid(),
              layout.getGrid());
  assertEqual("nc", op.getOutputGradient(), layout.getOutput(), op.getInput(),
              layout.getInput());
  assertImageSizes(op.getInput(), layout.getInput());
}

/// The letters of a convolution, and those of offset and mask, which are the
/// output's.
void SizeAsserter::assertDeformed(DeformOpInterface op) {
  ConvLayouts layouts = op.getLayout().getLayouts();
  auto size = [&](Operand operand, char letter) {
    return getSize(op.getOperandFor(operand),
                   layouts[operand].position(letter));
  };
  auto output = [&](char letter) { return size(Operand::Output, letter); };
  assertEqual(size(Operand::Input, 'n'), output('n'));
  assertEqual(size(Operand::Filter, 'f'), output('f'));
  for (auto [dim, letter] : llvm::enumerate(StringRef("hw"))) {
    OpFoldResult input = size(Operand::Input, letter);
    assertWindow(Direction::Forward, op.getWindow().getDim(dim), input,
                 size(Operand::Filter, letter), output(letter));
    assertImageSize(input);
  }
  SmallVector<Value> ofTaps = {op.getOffset()};
  if (op.getMask())
    ofTaps.push_back(op.getMask());
  if (isa<DeformConvBackwardMaskOp, DeformConvBackwardOffsetOp>(op))
    ofTaps.push_back(op.getInit());
  for (Value tensor : ofTaps)
    for (char letter : StringRef("nhw"))
      assertEqual(output(letter),
                  getSize(tensor, op.getOffsetLayout().find(letter)));
}

void SizeAsserter::assertPlaces(ScatterAddOp op) {
  auto assertSame = [&](Value a, Value b, int64_t dim) {
    assertEqual(getSize(a, dim), getSize(b, dim));
  };
  assertSame(op.getValues(), op.getPlaces(), 0);
  assertSame(op.getValues(), op.getPlaces(), 2);
  assertSame(op.getPlaces(), op.getWeights(), 0);
  assertSame(op.getPlaces(), op.getWeights(), 2);
  assertSame(op.getValues(), op.getInit(), 0);
}

void SizeAsserter::assertLoops(linalg::LinalgOp op) {
  SmallVector<std::optional<OpFoldResult>> loopSizes(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop)
        continue;
      OpFoldResult size = getSize(operand.get(), dim);
      std::optional<OpFoldResult> &known = loopSizes[loop.getPosition()];
      if (known)
        assertEqual(*known, size);
      else
        known = size;
    }
  }
}

void SizeAsserter::assertSameSizes(Value source, Value buffer) {
  int64_t rank = cast<ShapedType>(buffer.getType()).getRank();
  for (int64_t dim = 0; dim < rank; ++dim) {
    OpFoldResult size = getSize(source, dim);
    assertEqual(size, getSize(buffer, dim));
  }
}

namespace {
struct AssertSizesPass final
    : mlir::convoy::impl::AssertSizesPassBase<AssertSizesPass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (!function->hasAttr(kArgumentsAttrName))
      return;
    for (Operation &op :
         llvm::make_early_inc_range(function.front().without_terminator())) {
      SizeAsserter asserter(&op);
      if (auto conv = dyn_cast<ConvolutionOpInterface>(op))
        asserter.assertConvolution(conv);
      else if (auto samples = dyn_cast<GridSampleOp>(op))
        asserter.assertSamples(samples);
      else if (auto ofInput = dyn_cast<GridSampleBackwardInputOp>(op))
        asserter.assertSamples(ofInput);
      else if (auto ofGrid = dyn_cast<GridSampleBackwardGridOp>(op))
        asserter.assertSamples(ofGrid);
      else if (auto deformed = dyn_cast<DeformOpInterface>(op))
        asserter.assertDeformed(deformed);
      else if (auto scatter = dyn_cast<ScatterAddOp>(op))
        asserter.assertPlaces(scatter);
      else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
        asserter.assertLoops(linalgOp);
      else if (auto write =
                   dyn_cast<bufferization::MaterializeInDestinationOp>(op))
        asserter.assertSameSizes(write.getSource(), write.getDest());
      else if (auto copy = dyn_cast<memref::CopyOp>(op))
        asserter.assertSameSizes(copy.getSource(), copy.getTarget());
    }
  }
};
} // namespace
