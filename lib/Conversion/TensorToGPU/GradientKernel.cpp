//===- GradientKernel.cpp - Gradients of sampled images ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GradientKernel.h"

#include "ElementEmitter.h"
#include "ElementKernel.h"

#include "convoy/Transforms/Sampling/SamplePosition.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// Writes the kernel of one gradient.
class ImageGradientKernel {
public:
  ImageGradientKernel(GridSampleBackwardInputOp op, MLIRContext *context)
      : op(op), layout(op.getLayout()), spatial(getSpatialLetters(layout)),
        space(context) {}

  /// Finds out what is read. Fails, with an error, where that is not known.
  LogicalResult resolve();
  Value build(OpBuilder &host, gpu::GPUModuleOp module, StringRef name,
              Value target);

private:
  int64_t getImageSize(char letter) {
    return op.getType().getDimSize(layout.getInput().find(letter));
  }
  int64_t getSampleSize(char letter) {
    return op.getOutputGradient().getType().getDimSize(
        layout.getOutput().find(letter));
  }
  /// How many parts the image has along its outermost spatial dimension, all of
  /// one size.
  int64_t getParts();
  /// Adds the variable of a dimension of `size`.
  AffineExpr addIndex(int64_t size) {
    return space.add(space.getIndices(size));
  }
  /// Loops over `sizes` from `lows` on, outermost first, with `indices`; builds
  /// in the innermost one from here on.
  void startLoops(ArrayRef<AffineExpr> indices, ArrayRef<Value> lows,
                  ArrayRef<Value> highs);
  Value getAddress(OpBuilder &builder);
  void emitZeros();
  void emitSample();
  /// Adds `share` to the element that is `element`, if it is the work-item's.
  void addShare(const SampleElement &element, Value gradient);

  GridSampleBackwardInputOp op;
  SampleLayoutAttr layout;
  StringRef spatial;
  IndexSpace space;
  AffineExpr image, channel, part;
  SmallVector<AffineExpr, 3> sample, place; ///< of spatial dimensions
  std::optional<Element> gradient;
  std::vector<Element> coordinates; ///< outermost dimension first
  KernelBuilder *kernel = nullptr;
  ElementEmitter *emitter = nullptr;
  OwnPart own; ///< of the rows
};
} // namespace

int64_t ImageGradientKernel::getParts() {
  return countOwnParts(getSampleSize('n'), getImageSize('c'),
                       getImageSize(spatial.front()));
}

LogicalResult ImageGradientKernel::resolve() {
  image = addIndex(getSampleSize('n'));
  channel = addIndex(getSampleSize('c'));
  part = addIndex(getParts());
  for (char letter : spatial) {
    sample.push_back(addIndex(getSampleSize(letter)));
    place.push_back(addIndex(getImageSize(letter)));
  }
  auto getIndex = [&](StringRef names, AffineExpr c) {
    return llvm::map_to_vector(names, [&](char name) {
      return name == 'n' ? image : name == 'c' ? c : sample[spatial.find(name)];
    });
  };
  FailureOr<Element> ofSample = resolveElement(
      space, op.getOutputGradient(), getIndex(layout.getOutput(), channel));
  if (failed(ofSample))
    return failure();
  gradient = *ofSample;
  for (size_t number = spatial.size(); number-- > 0;) {
    FailureOr<Element> coordinate = resolveElement(
        space, op.getGrid(),
        getIndex(layout.getGrid(), space.getConstant(int64_t(number))));
    if (failed(coordinate))
      return failure();
    coordinates.push_back(*coordinate);
  }
  return success();
}

void ImageGradientKernel::startLoops(ArrayRef<AffineExpr> indices,
                                     ArrayRef<Value> lows,
                                     ArrayRef<Value> highs) {
  OpBuilder &builder = kernel->getBuilder();
  Location loc = kernel->getLoc();
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  for (auto [index, low, high] : llvm::zip_equal(indices, lows, highs)) {
    auto loop = scf::ForOp::create(builder, loc, low, high, one);
    space.setValue(index, loop.getInductionVar());
    builder.setInsertionPointToStart(loop.getBody());
  }
}

Value ImageGradientKernel::getAddress(OpBuilder &builder) {
  SmallVector<AffineExpr> index =
      llvm::map_to_vector(layout.getInput(), [&](char name) {
        return name == 'n'   ? image
               : name == 'c' ? channel
                             : place[spatial.find(name)];
      });
  return space.materialize(builder, kernel->getLoc(),
                           mlir::convoy::getAddress(op.getType(), index));
}

void ImageGradientKernel::emitZeros() {
  OpBuilder &builder = kernel->getBuilder();
  OpBuilder::InsertionGuard restore(builder);
  Location loc = kernel->getLoc();
  SmallVector<Value> lows = {own.begin}, highs = {own.end};
  for (char letter : spatial.drop_front()) {
    lows.push_back(arith::ConstantIndexOp::create(builder, loc, 0));
    highs.push_back(
        arith::ConstantIndexOp::create(builder, loc, getImageSize(letter)));
  }
  startLoops(place, lows, highs);
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0));
  memref::StoreOp::create(builder, loc, zero, kernel->getOutput(),
                          getAddress(builder));
}

void ImageGradientKernel::addShare(const SampleElement &element,
                                   Value gradient) {
  OpBuilder &builder = kernel->getBuilder();
  OpBuilder::InsertionGuard restore(builder);
  Location loc = kernel->getLoc();
  SmallVector<Value> indices =
      llvm::map_to_vector(element.place, [&](Value number) -> Value {
        return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                          number);
      });
  Value isBehind = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::sge, indices.front(), own.begin);
  Value isBefore = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::slt, indices.front(), own.end);
  Value isOwn = arith::AndIOp::create(builder, loc, isBehind, isBefore);
  auto branch = scf::IfOp::create(
      builder, loc, emitAnd(builder, loc, element.isInside, isOwn));
  builder.setInsertionPointToStart(branch.thenBlock());
  for (auto [index, value] : llvm::zip_equal(place, indices))
    space.setValue(index, value);
  Value share = emitShare(builder, loc, gradient, element);
  emitAddition(*kernel, getAddress(builder), share);
}

void ImageGradientKernel::emitSample() {
  OpBuilder &builder = kernel->getBuilder();
  OpBuilder::InsertionGuard restore(builder);
  Location loc = kernel->getLoc();
  SmallVector<Value> lows, highs;
  SmallVector<OpFoldResult> sizes;
  for (char letter : spatial) {
    lows.push_back(arith::ConstantIndexOp::create(builder, loc, 0));
    highs.push_back(space.materializeSize(builder, loc, getSampleSize(letter)));
    sizes.push_back(builder.getIndexAttr(getImageSize(letter)));
  }
  startLoops(sample, lows, highs);
  SmallVector<Value> numbers;
  for (const Element &coordinate : coordinates)
    numbers.push_back(emitter->emit(builder, loc, coordinate));
  SampleRule rule = SampleRule::get(op);
  SmallVector<SamplePosition> positions =
      emitGridPositions(builder, loc, rule, numbers, sizes);
  Value value = emitter->emit(builder, loc, *gradient);
  for (const SampleElement &element :
       emitElements(builder, loc, rule, positions, sizes))
    addShare(element, value);
}

Value ImageGradientKernel::build(OpBuilder &host, gpu::GPUModuleOp module,
                                 StringRef name, Value target) {
  KernelBuilder builtKernel(module, name, op.getLoc(), target);
  kernel = &builtKernel;
  space.setKernel(builtKernel);
  auto getBuffer = [&](Value base, AffineExpr) {
    return builtKernel.getInput(base);
  };
  ElementEmitter builtEmitter(space, getBuffer);
  emitter = &builtEmitter;
  LaunchGrid grid;
  own = startOwnParts(builtKernel, space, getSampleSize('n'),
                      getSampleSize('c'), getImageSize(spatial.front()),
                      {image, channel, part}, grid);
  emitZeros();
  emitSample();
  return builtKernel.finish(host, {kElementItems, 1, 1}, grid, /*written=*/{})
      .getResults()[0];
}

FailureOr<Value> mlir::convoy::buildImageGradientKernel(
    OpBuilder &host, gpu::GPUModuleOp module, StringRef name,
    GridSampleBackwardInputOp op, Value target) {
  if (ElementCount(op.getType()).number == 0)
    return target;
  ImageGradientKernel kernel(op, module.getContext());
  if (failed(kernel.resolve()))
    return failure();
  return kernel.build(host, module, name, target);
}
