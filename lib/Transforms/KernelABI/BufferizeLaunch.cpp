//===- BufferizeLaunch.cpp - Launches on buffers ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/KernelABI/BufferizeLaunch.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// A launch on tensors becomes one on buffers, its results its inits' buffers.
struct LaunchOpInterface
    : bufferization::DstBufferizableOpInterfaceExternalModel<LaunchOpInterface,
                                                             LaunchOp> {
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const bufferization::BufferizationOptions &options,
                          bufferization::BufferizationState &state) const {
    auto launch = cast<LaunchOp>(op);
    SmallVector<Value> inputs, inits;
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<TensorType>(operand.get().getType()))
        continue;
      FailureOr<Value> buffer =
          bufferization::getBuffer(rewriter, operand.get(), options, state);
      if (failed(buffer))
        return failure();
      (launch.isDpsInit(&operand) ? inits : inputs).push_back(*buffer);
    }
    LaunchOp::create(rewriter, op->getLoc(), TypeRange(),
                     launch.getKernelAttr(), launch.getGridAttr(),
                     launch.getBatch(), launch.getGroupsAttr(),
                     launch.getWritesAttr(), inputs, inits);
    bufferization::replaceOpWithBufferizedValues(rewriter, op, inits);
    return success();
  }
};
} // namespace

void mlir::convoy::registerLaunchBufferization(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, ConvoyDialect *) {
    LaunchOp::attachInterface<LaunchOpInterface>(*context);
  });
}
