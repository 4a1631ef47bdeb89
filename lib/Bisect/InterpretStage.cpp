//===- InterpretStage.cpp - A stage's numbers without a target --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterpretStage.h"

#include "convoy/Driver/CheckFunction.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::CompareReport;
using ::convoy::HostArray;

namespace {
/// How a function uses a buffer that it writes a result to.
struct Destination {
  explicit Destination(Value buffer);

  bool isKnown = true;
  memref::CopyOp start; ///< what it holds first, if that counts
  bufferization::ToTensorOp tensor;
  bufferization::MaterializeInDestinationOp write;
};
} // namespace

/// Sets `op` to `user`; false where there is one already.
template <typename Op>
static bool setOnce(Op &op, Op user) {
  bool isFirst = !op;
  op = user;
  return isFirst;
}

Destination::Destination(Value buffer) {
  for (Operation *user : buffer.getUsers())
    isKnown &=
        llvm::TypeSwitch<Operation *, bool>(user)
            .Case([&](memref::CopyOp op) {
              return op.getTarget() == buffer && setOnce(start, op) &&
                     op.getSource().getDefiningOp<bufferization::ToBufferOp>();
            })
            .Case([&](bufferization::ToTensorOp op) {
              return setOnce(tensor, op);
            })
            .Case([&](bufferization::MaterializeInDestinationOp op) {
              return op.getDest() == buffer && setOnce(write, op);
            })
            .Default(false);
  isKnown &= write && (!start || tensor);
}

/// What `destination` is before `function` writes to it.
static Value getStart(Destination destination) {
  if (destination.start)
    return destination.start.getSource()
        .getDefiningOp<bufferization::ToBufferOp>()
        .getTensor();
  bufferization::ToTensorOp tensor = destination.tensor;
  OpBuilder builder(tensor);
  return tensor::EmptyOp::create(builder, tensor.getLoc(), tensor.getType(),
                                 ValueRange());
}

LogicalResult mlir::convoy::returnDestinations(func::FuncOp function) {
  Block &body = function.front();
  auto terminator = cast<func::ReturnOp>(body.getTerminator());
  SmallVector<Value> results(terminator.getOperands());
  llvm::BitVector buffers(body.getNumArguments());
  for (BlockArgument argument : body.getArguments()) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type)
      continue;
    Destination destination(argument);
    if (!destination.isKnown || !type.hasStaticShape())
      return failure();
    if (destination.tensor) {
      destination.tensor.replaceAllUsesWith(getStart(destination));
      destination.tensor->erase();
    }
    if (destination.start)
      destination.start->erase();
    results.push_back(destination.write.getSource());
    destination.write->erase();
    buffers.set(argument.getArgNumber());
  }
  terminator.getOperandsMutable().assign(results);
  body.eraseArguments(buffers);
  // Attributes of arguments mean nothing here.
  function.removeArgAttrsAttr();
  function.setType(FunctionType::get(function.getContext(),
                                     body.getArgumentTypes(),
                                     TypeRange(ValueRange(results))));
  // Buffers of what was copied to a destination.
  function.walk([](bufferization::ToBufferOp op) {
    if (op.use_empty())
      op->erase();
  });
  return success();
}

static bool haveSameElements(TypeRange a, TypeRange b) {
  return llvm::equal(a, b, [](Type one, Type other) {
    return getElementTypeOrSelf(one) == getElementTypeOrSelf(other);
  });
}

CompareReport
mlir::convoy::interpretStage(func::FuncOp function, func::FuncOp stage,
                             const std::vector<HostArray> &arguments) {
  CompareReport report;
  std::vector<HostArray> inputs(arguments.begin(),
                                arguments.begin() + function.getNumArguments());
  if (failed(returnDestinations(stage))) {
    report.refusal = "it writes to buffers before its end";
    return report;
  }
  if (!haveSameElements(function.getArgumentTypes(),
                        stage.getArgumentTypes()) ||
      !haveSameElements(function.getResultTypes(), stage.getResultTypes())) {
    report.refusal = "it has other arguments or results than the input";
    return report;
  }
  return FunctionReference(function).compareWith(stage, inputs);
}
