//===- Specialize.cpp - Functions with their sizes filled in ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/Specialize.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::convoy;

void mlir::convoy::keepFunction(ModuleOp module, StringRef name) {
  for (auto other : llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    if (other.getSymName() == name || other.isPrivate())
      continue;
    if (SymbolTable::symbolKnownUseEmpty(other, module))
      other.erase();
    else
      other.setPrivate();
  }
}

bool mlir::convoy::fitShapes(func::FuncOp function,
                             const ArgumentShapes &shapes) {
  return shapes.size() == function.getNumArguments() &&
         llvm::all_of(llvm::zip(function.getArgumentTypes(), shapes),
                      [](auto pair) {
                        auto [type, shape] = pair;
                        auto tensor = dyn_cast<RankedTensorType>(type);
                        return !tensor || succeeded(verifyCompatibleShape(
                                              tensor.getShape(), shape));
                      });
}

size_t mlir::convoy::fillShapes(func::FuncOp function, ArrayRef<int64_t> sizes,
                                ArgumentShapes &shapes) {
  size_t expected = 0;
  for (Type type : function.getArgumentTypes()) {
    std::vector<int64_t> &shape = shapes.emplace_back();
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      continue;
    shape = tensor.getShape().vec();
    for (int64_t &size : shape)
      if (ShapedType::isDynamic(size) && expected++ < sizes.size())
        size = sizes[expected - 1];
  }
  return expected;
}

FailureOr<SpecializedFunction>
SpecializedFunction::create(func::FuncOp function,
                            const ArgumentShapes &shapes) {
  SpecializedFunction result;
  result.module = function->getParentOfType<ModuleOp>().clone();
  result.function = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      *result.module, function.getSymNameAttr());
  OpBuilder builder = OpBuilder::atBlockBegin(&result.function.front());
  for (auto [argument, shape] :
       llvm::zip_equal(result.function.getArguments(), shapes)) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || type.hasStaticShape())
      continue;
    argument.setType(type.clone(shape));
    auto cast =
        tensor::CastOp::create(builder, function.getLoc(), type, argument);
    argument.replaceAllUsesExcept(cast, cast);
  }
  result.function.setType(
      builder.getFunctionType(result.function.front().getArgumentTypes(),
                              function.getFunctionType().getResults()));
  PassManager pm(function.getContext());
  pm.addPass(createCanonicalizerPass());
  if (failed(pm.run(*result.module)))
    return failure();
  return result;
}

std::optional<std::vector<int64_t>>
SpecializedFunction::getResultShape(unsigned number) {
  if (!function.getBody().hasOneBlock())
    return std::nullopt;
  Value value = function.front().getTerminator()->getOperand(number);
  while (auto cast = value.getDefiningOp<tensor::CastOp>())
    value = cast.getSource();
  auto type = cast<RankedTensorType>(value.getType());
  if (!type.hasStaticShape())
    return std::nullopt;
  return type.getShape().vec();
}
