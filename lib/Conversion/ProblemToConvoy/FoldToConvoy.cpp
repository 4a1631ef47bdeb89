//===- FoldToConvoy.cpp - Windows of an image as a function -----*- C++ -*-===//
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
  Type input = problem.isUnfold ? image : rows;
  Type output = problem.isUnfold ? rows : image;
  auto function = func::FuncOp::create(builder, loc, name,
                                       builder.getFunctionType(input, output));
  auto text = [&](StringRef word) { return builder.getStringAttr(word); };
  function.setArgAttr(0, kNameAttrName, text("input"));
  function.setResultAttr(0, kNameAttrName, text("output"));
  StringAttr imageLayout = text(problem.imageLayout.letters());
  if (problem.isUnfold)
    function.setArgAttr(0, kLayoutAttrName, imageLayout);
  else
    function.setResultAttr(0, kLayoutAttrName, imageLayout);
  SmallVector<::convoy::WindowDim> window;
  for (const ::convoy::SpatialDim &dim : problem.shape.spatial)
    window.push_back(dim.window);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(function.addEntryBlock());
  auto layout = Im2colLayoutAttr::get(context, problem.imageLayout.letters(),
                                      problem.rowsLayout);
  auto windowAttr = WindowAttr::get(context, window);
  Value given = function.getArgument(0), result;
  if (problem.isUnfold)
    result = Im2colOp::create(builder, loc, rows, given, ValueRange(), Value(),
                              layout, windowAttr);
  else
    result = Col2imOp::create(builder, loc, image, given, layout, windowAttr);
  func::ReturnOp::create(builder, loc, result);
  return function;
}
