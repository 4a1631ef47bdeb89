//===- ScatterKernel.cpp - Sums at computed places --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScatterKernel.h"

#include "ElementEmitter.h"
#include "ElementKernel.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// Writes the kernel of one op.
class ScatterKernel {
public:
  ScatterKernel(ScatterAddOp op, MLIRContext *context)
      : op(op), values(op.getValues().getType()),
        places(op.getPlaces().getType()), space(context) {}

  /// Finds out what is read. Fails, with an error, where that is not known.
  LogicalResult resolve();
  Value build(OpBuilder &host, gpu::GPUModuleOp module, StringRef name,
              Value target);

private:
  /// How many parts the pixels have, all of one size.
  int64_t getParts() {
    return countOwnParts(values.getDimSize(0), values.getDimSize(1),
                         op.getType().getDimSize(2));
  }
  /// Adds the variable of a dimension of `size`.
  AffineExpr addIndex(int64_t size) {
    return space.add(space.getIndices(size));
  }
  /// Builds in a loop from `low` to `high` with `index` from here on.
  void startLoop(AffineExpr index, Value low, Value high);
  Value getAddress(OpBuilder &builder) {
    return space.materialize(
        builder, kernel->getLoc(),
        mlir::convoy::getAddress(op.getType(), {image, channel, pixel}));
  }
  void emitInits();
  void emitSamples();
  /// Adds to the pixel at `place`, an i32, if it is the work-item's.
  void addShare(Value value, Value place, Value weight);

  ScatterAddOp op;
  ShapedType values, places;
  IndexSpace space;
  AffineExpr image, channel, part, pixel, sample, element;
  std::optional<Element> init, value, place, weight;
  KernelBuilder *kernel = nullptr;
  ElementEmitter *emitter = nullptr;
  OwnPart own; ///< of the pixels
};
} // namespace

LogicalResult ScatterKernel::resolve() {
  image = addIndex(values.getDimSize(0));
  channel = addIndex(values.getDimSize(1));
  part = addIndex(getParts());
  pixel = addIndex(op.getType().getDimSize(2));
  sample = addIndex(values.getDimSize(2));
  element = addIndex(places.getDimSize(3));
  AffineExpr group =
      channel.floorDiv(values.getDimSize(1) / places.getDimSize(1));
  auto resolveOne = [&](std::optional<Element> &resolved, Value tensor,
                        ArrayRef<AffineExpr> index) -> LogicalResult {
    FailureOr<Element> found = resolveElement(space, tensor, index);
    if (succeeded(found))
      resolved = *found;
    return found;
  };
  return success(
      succeeded(resolveOne(init, op.getInit(), {image, channel, pixel})) &&
      succeeded(resolveOne(value, op.getValues(), {image, channel, sample})) &&
      succeeded(
          resolveOne(place, op.getPlaces(), {image, group, sample, element})) &&
      succeeded(resolveOne(weight, op.getWeights(),
                           {image, group, sample, element})));
}

void ScatterKernel::startLoop(AffineExpr index, Value low, Value high) {
  OpBuilder &builder = kernel->getBuilder();
  Value one = arith::ConstantIndexOp::create(builder, kernel->getLoc(), 1);
  auto loop = scf::ForOp::create(builder, kernel->getLoc(), low, high, one);
  space.setValue(index, loop.getInductionVar());
  builder.setInsertionPointToStart(loop.getBody());
}

void ScatterKernel::emitInits() {
  OpBuilder &builder = kernel->getBuilder();
  OpBuilder::InsertionGuard restore(builder);
  startLoop(pixel, own.begin, own.end);
  Value start = emitter->emit(builder, kernel->getLoc(), *init);
  memref::StoreOp::create(builder, kernel->getLoc(), start, kernel->getOutput(),
                          getAddress(builder));
}

void ScatterKernel::addShare(Value value, Value place, Value weight) {
  OpBuilder &builder = kernel->getBuilder();
  OpBuilder::InsertionGuard restore(builder);
  Location loc = kernel->getLoc();
  Value number =
      arith::IndexCastOp::create(builder, loc, builder.getIndexType(), place);
  auto compare = [&](arith::CmpIPredicate predicate, Value bound) -> Value {
    return arith::CmpIOp::create(builder, loc, predicate, number, bound);
  };
  Value isOwn = arith::AndIOp::create(
      builder, loc, compare(arith::CmpIPredicate::sge, own.begin),
      compare(arith::CmpIPredicate::slt, own.end));
  auto branch = scf::IfOp::create(builder, loc, isOwn);
  builder.setInsertionPointToStart(branch.thenBlock());
  space.setValue(pixel, number);
  Value share = arith::MulFOp::create(builder, loc, value, weight);
  emitAddition(*kernel, getAddress(builder), share);
}

void ScatterKernel::emitSamples() {
  OpBuilder &builder = kernel->getBuilder();
  OpBuilder::InsertionGuard restore(builder);
  Location loc = kernel->getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  startLoop(sample, zero,
            space.materializeSize(builder, loc, values.getDimSize(2)));
  Value ofSample = emitter->emit(builder, loc, *value);
  startLoop(element, zero,
            space.materializeSize(builder, loc, places.getDimSize(3)));
  Value at = emitter->emit(builder, loc, *place);
  addShare(ofSample, at, emitter->emit(builder, loc, *weight));
}

Value ScatterKernel::build(OpBuilder &host, gpu::GPUModuleOp module,
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
  own = startOwnParts(builtKernel, space, values.getDimSize(0),
                      values.getDimSize(1), op.getType().getDimSize(2),
                      {image, channel, part}, grid);
  emitInits();
  emitSamples();
  return builtKernel.finish(host, {kElementItems, 1, 1}, grid, /*written=*/{})
      .getResults()[0];
}

FailureOr<Value> mlir::convoy::buildScatterKernel(OpBuilder &host,
                                                  gpu::GPUModuleOp module,
                                                  StringRef name,
                                                  ScatterAddOp op,
                                                  Value target) {
  if (ElementCount(op.getType()).number == 0)
    return target;
  ScatterKernel kernel(op, module.getContext());
  if (failed(kernel.resolve()))
    return failure();
  return kernel.build(host, module, name, target);
}
