//===- MemoryStates.cpp - Memory as values in time --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a buffer holds is a tensor, and each write makes another one. A view is
// a slice, a cast or a reshape of it; loops and branches carry the tensors of
// the buffers that they write.
//
//===----------------------------------------------------------------------===//

#include "convoy/Certify/MemoryStates.h"
#include "Buffers/AffineOps.h"
#include "Buffers/BufferRoots.h"
#include "Buffers/IndexSums.h"
#include "Buffers/LayoutNumbers.h"
#include "Buffers/Marks.h"
#include "Buffers/MemoryOps.h"
#include "Buffers/Obstacle.h"
#include "Buffers/TensorBoundary.h"
#include "Buffers/ThreadLoops.h"
#include "Buffers/Workspace.h"
#include "Comparison/ResultComparison.h"

#include "convoy/Transforms/KernelABI/KernelInterface.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

namespace {
/// Makes the body of a function again, on tensors.
class MemoryStates : MemoryOps {
public:
  MemoryStates(FunctionOpInterface function, FunctionType type)
      : MemoryOps(obstacle), function(function),
        boundary(TensorBoundary::find(function, type)) {}

  LogicalResult rewrite();
  /// Whether it was given buffers in the place of tensors, and writes some.
  bool writesTensors() const { return writesArguments && boundary; }
  /// Whether it writes arguments whose strides are not known.
  bool writesWithUnknownStrides() const { return writesUnknownStrides; }
  const Obstacle &getObstacle() const { return obstacle.get(); }

private:
  /// Gives `body` what stands in the place of `argument`.
  LogicalResult rewriteArgument(BlockArgument argument, bool isWritten,
                                Block &body, OpBuilder &builder);
  /// Leaves what the arguments `written` hold to the caller, and finds what is
  /// returned besides.
  FailureOr<SmallVector<Value>> leaveWritten(ArrayRef<Value> written,
                                             OpBuilder &builder);
  /// What `boundary` returns.
  FailureOr<SmallVector<Value>> readResults(OpBuilder &builder);

  FunctionOpInterface function;
  std::optional<TensorBoundary> boundary;
  bool writesArguments = false;
  bool writesUnknownStrides = false;
  FirstObstacle obstacle;
};
} // namespace

/// The buffers among the arguments of `function` that a kernel's results are
/// left in.
static SmallVector<Value> getKernelResults(FunctionOpInterface function) {
  SmallVector<Value> results;
  if (auto known = function->getAttrOfType<ArrayAttr>(kArgumentsAttrName))
    for (auto [argument, value] :
         llvm::zip(getKernelArguments(known), function.getArguments()))
      if (argument.isWritten && isa<MemRefType>(value.getType()))
        results.push_back(value);
  return results;
}

/// Whether `function` uses memory in another way than to read and write results
/// as tensors. A kernel need not touch a buffer that has no elements.
static bool usesMemory(FunctionOpInterface function) {
  bool isUntouched =
      function->hasAttr(kArgumentsAttrName) &&
      llvm::any_of(function.getArguments(), [](BlockArgument argument) {
        return isa<MemRefType>(argument.getType()) && argument.use_empty();
      });
  return isUntouched || function
                            ->walk([](Operation *op) {
                              return isOfMemory(op) ? WalkResult::interrupt()
                                                    : WalkResult::advance();
                            })
                            .wasInterrupted();
}

/// Whether no two buffers among the arguments of `function` can be the same
/// memory.
static bool haveOwnMemory(FunctionOpInterface function) {
  return function->hasAttr(kArgumentsAttrName) ||
         llvm::count_if(function.getArgumentTypes(),
                        llvm::IsaPred<BaseMemRefType>) < 2;
}

LogicalResult MemoryStates::rewriteArgument(BlockArgument argument,
                                            bool isWritten, Block &body,
                                            OpBuilder &builder) {
  bool isBuffer = isa<MemRefType>(argument.getType());
  if (boundary && boundary->isForResult(argument)) {
    if (!getTensorType(argument).hasStaticShape())
      return undecided(function, "a result of dynamic size in an argument");
    states[argument] = tensor::EmptyOp::create(
        builder, argument.getLoc(), getTensorType(argument), ValueRange());
    return success();
  }
  bool isLeft = isWritten && !boundary;
  if (isWritten && boundary)
    function.setArgAttr(argument.getArgNumber(), kOverwrittenAttrName,
                        builder.getUnitAttr());
  Type type =
      isBuffer && !isLeft ? getTensorType(argument) : argument.getType();
  Value own = body.addArgument(type, argument.getLoc());
  mapping.map(argument, own);
  if (isBuffer)
    states[argument] =
        isLeft ? Value(bufferization::ToTensorOp::create(
                     builder, function.getLoc(), getTensorType(argument), own,
                     /*restrict=*/true, /*writable=*/true))
               : own;
  return success();
}

FailureOr<SmallVector<Value>>
MemoryStates::leaveWritten(ArrayRef<Value> written, OpBuilder &builder) {
  for (Value root : written)
    if (auto argument = dyn_cast<BlockArgument>(root))
      bufferization::MaterializeInDestinationOp::create(
          builder, function.getLoc(), TypeRange(), states[argument],
          map(argument), /*restrict=*/true, /*writable=*/true);
  Operation *returning = function.getFunctionBody().front().getTerminator();
  if (hasMemory(returning))
    return undecided(returning, "a buffer that is returned");
  return map(returning->getOperands());
}

FailureOr<SmallVector<Value>> MemoryStates::readResults(OpBuilder &builder) {
  SmallVector<Value> values;
  for (Value result : boundary->results) {
    bool isBuffer = isa<MemRefType>(result.getType());
    if (isBuffer && BufferRoots::isOnStack(BufferRoots::find(result)))
      return undecided(BufferRoots::find(result).getDefiningOp(),
                       "memory on the stack that is returned");
    FailureOr<Value> value = isBuffer ? read(result, builder) : map(result);
    if (failed(value))
      return failure();
    values.push_back(*value);
  }
  return values;
}

LogicalResult MemoryStates::rewrite() {
  if (!isa<FunctionType>(function.getFunctionType()))
    return undecided(function, "a function of another dialect");
  raiseThreadLoops(function);
  lowerAffineOps(function);
  resolveLayouts(function);
  separateQuotients(function);
  if (failed(separateWorkspace(function, obstacle)))
    return failure();
  Block &from = function.getFunctionBody().front();
  if (!boundary && !haveOwnMemory(function))
    return undecided(function, "buffers that may be the same memory");
  if (failed(BufferRoots::checkLayouts(function, obstacle)) ||
      failed(BufferRoots::checkTensors(function, obstacle)))
    return failure();
  auto body = std::make_unique<Block>();
  OpBuilder builder(function.getContext());
  builder.setInsertionPointToEnd(body.get());
  llvm::SetVector<Value> written;
  written.insert_range(getKernelResults(function));
  for (Operation &op : from)
    written.insert_range(BufferRoots::findWritten(&op));
  writesArguments = llvm::any_of(written, llvm::IsaPred<BlockArgument>);
  writesUnknownStrides = llvm::any_of(written, [](Value buffer) {
    return isa<BlockArgument>(buffer) &&
           BufferRoots::hasUnknownStrides(cast<MemRefType>(buffer.getType()));
  });
  for (BlockArgument argument : from.getArguments())
    if (failed(rewriteArgument(argument, written.contains(argument), *body,
                               builder)))
      return failure();
  if (failed(rewriteBlock(from, builder)))
    return failure();
  FailureOr<SmallVector<Value>> results =
      boundary ? readResults(builder)
               : leaveWritten(written.getArrayRef(), builder);
  if (failed(results))
    return failure();
  builder.clone(*from.getTerminator())->setOperands(*results);
  if (boundary)
    boundary->restore(function);
  else
    function.setType(FunctionType::get(function.getContext(),
                                       body->getArgumentTypes(),
                                       function.getResultTypes()));
  from.erase();
  function.getFunctionBody().push_back(body.release());
  return success();
}

void mlir::convoy::loadMemoryDialects(MLIRContext &context) {
  context
      .loadDialect<affine::AffineDialect, arith::ArithDialect,
                   bufferization::BufferizationDialect, linalg::LinalgDialect,
                   memref::MemRefDialect, scf::SCFDialect,
                   tensor::TensorDialect, vector::VectorDialect>();
}

Certificate mlir::convoy::rewriteMemory(FunctionOpInterface function,
                                        FunctionType type) {
  Certificate certificate;
  bool isOneBlock =
      !function.isExternal() && function.getFunctionBody().hasOneBlock();
  if (!isOneBlock || !usesMemory(function))
    return certificate;
  loadMemoryDialects(*function.getContext());
  MemoryStates states(function, type);
  if (failed(states.rewrite()))
    return getUndecided(states.getObstacle());
  certificate.assumesOwnBuffers = states.writesTensors();
  certificate.assumesApartElements = states.writesWithUnknownStrides();
  return certificate;
}
