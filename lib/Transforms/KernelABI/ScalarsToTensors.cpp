//===- ScalarsToTensors.cpp - Take numbers as tensors -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/KernelABI/KernelInterface.h"
#include "convoy/Transforms/KernelABI/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_SCALARSTOTENSORSPASS
#include "convoy/Transforms/KernelABI/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

namespace {
struct ScalarsToTensorsPass final
    : mlir::convoy::impl::ScalarsToTensorsPassBase<ScalarsToTensorsPass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isDeclaration() || function.isPrivate() ||
        function->hasAttr(kArgumentsAttrName))
      return markAllAnalysesPreserved();
    OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
    for (BlockArgument argument : function.getArguments()) {
      Type type = argument.getType();
      if (!type.isIntOrFloat())
        continue;
      argument.setType(RankedTensorType::get({}, type));
      auto number = tensor::ExtractOp::create(builder, argument.getLoc(),
                                              argument, ValueRange());
      argument.replaceAllUsesExcept(number, number);
    }
    function.setType(
        builder.getFunctionType(function.front().getArgumentTypes(),
                                function.getFunctionType().getResults()));
  }
};
} // namespace
