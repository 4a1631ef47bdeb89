//===- WriteChain.cpp - Tensors that iterations only write ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WriteChain.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::convoy::certify;

bool WriteChain::add(Value tensor) {
  if (!steps.insert(tensor))
    return true;
  // Tensors that loops in it carry are added with these.
  auto result = dyn_cast<OpResult>(tensor);
  return result && addSteps(result);
}

bool WriteChain::addWrite(OpOperand &source, OpOperand &destination) {
  sources.push_back(source.get());
  for (OpOperand &operand : source.getOwner()->getOpOperands())
    if (&operand != &source && &operand != &destination)
      controls.push_back(operand.get());
  return add(destination.get());
}

bool WriteChain::addSteps(OpResult result) {
  unsigned number = result.getResultNumber();
  return llvm::TypeSwitch<Operation *, bool>(result.getOwner())
      .Case([&](vector::TransferWriteOp op) {
        return addWrite(op.getValueToStoreMutable(), op.getBaseMutable());
      })
      .Case([&](tensor::InsertOp op) {
        return addWrite(op.getScalarMutable(), op.getDestMutable());
      })
      .Case([&](tensor::InsertSliceOp op) {
        return addWrite(op.getSourceMutable(), op.getDestMutable());
      })
      .Case<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
          [&](auto op) { return add(op.getSrc()); })
      .Case([&](scf::ForOp op) {
        controls.append({op.getLowerBound(), op.getUpperBound(), op.getStep()});
        steps.insert(op.getRegionIterArg(number));
        return add(op.getInitArgs()[number]) &&
               add(op.getYieldedValues()[number]);
      })
      .Case([&](scf::IfOp op) {
        controls.push_back(op.getCondition());
        return op.elseBlock() && add(op.thenYield().getOperand(number)) &&
               add(op.elseYield().getOperand(number));
      })
      .Default([](Operation *) { return false; });
}

/// Appends what `value` is made of: values that are used in regions, too.
static void appendInputs(Value value, SmallVectorImpl<Value> &inputs) {
  auto appendCarried = [&](scf::ForOp loop, unsigned number) {
    inputs.push_back(loop.getInitArgs()[number]);
    inputs.push_back(loop.getYieldedValues()[number]);
  };
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (loop && argument == loop.getInductionVar())
      inputs.append(
          {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
    else if (loop)
      appendCarried(loop, argument.getArgNumber() - 1);
    else if (!isa<FunctionOpInterface>(parent))
      parent->walk([&](Operation *inner) {
        llvm::append_range(inputs, inner->getOperands());
      });
    return;
  }
  Operation *op = value.getDefiningOp();
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    appendCarried(loop, cast<OpResult>(value).getResultNumber());
    return;
  }
  op->walk([&](Operation *inner) {
    llvm::append_range(inputs, inner->getOperands());
  });
}

/// All that `values` are made of, and these.
static llvm::SetVector<Value> getInputs(ArrayRef<Value> values) {
  llvm::SetVector<Value> seen(values.begin(), values.end());
  for (size_t next = 0; next < seen.size(); ++next) {
    SmallVector<Value> inputs;
    appendInputs(seen[next], inputs);
    seen.insert(inputs.begin(), inputs.end());
  }
  return seen;
}

bool WriteChain::isApart() const {
  return llvm::none_of(getInputs(sources),
                       [&](Value input) { return steps.contains(input); }) &&
         llvm::none_of(getInputs(controls), [](Value input) {
           return isa<ShapedType>(input.getType());
         });
}

std::optional<WriteChain> WriteChain::find(scf::ForOp loop,
                                           BlockArgument carried) {
  WriteChain chain;
  chain.steps.insert(carried);
  if (!chain.add(loop.getTiedLoopYieldedValue(carried)->get()) ||
      !chain.isApart())
    return std::nullopt;
  return chain;
}
