//===- FoldToConvoy.cpp - Windows that are added up as a function -*- C++ -*-=//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Conversion/ProblemToConvoy.h"

#include "FactorType.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/KernelABI/KernelInterface.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::FoldProblem;

func::FuncOp mlir::convoy::buildFoldProblem(OpBuilder &builder, Location loc,
                                            const FoldProblem &problem,
                                            StringRef name) {
  MLIRContext *context = builder.getContext();
  Type element = getFactorType(builder, problem.type);
  auto rows = RankedTensorType::get(problem.rowsShape(), element);
  auto image = RankedTensorType::get(problem.imageShape(), element);
  auto function = func::FuncOp::create(builder, loc, name,
                                       builder.getFunctionType(rows, image));
  auto text = [&](StringRef word) { return builder.getStringAttr(word); };
  function.setArgAttr(0, kNameAttrName, text("input"));
  function.setResultAttr(0, kNameAttrName, text("output"));
  function.setResultAttr(0, kLayoutAttrName,
                         text(problem.imageLayout.letters()));
  SmallVector<::convoy::WindowDim> window;
  for (const ::convoy::SpatialDim &dim : problem.shape.spatial)
    window.push_back(dim.window);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(function.addEntryBlock());
  Value result = Col2imOp::create(
      builder, loc, image, function.getArgument(0),
      Im2colLayoutAttr::get(context, problem.imageLayout.letters(),
                            problem.positions, problem.window),
      WindowAttr::get(context, window));
  func::ReturnOp::create(builder, loc, result);
  return function;
}
