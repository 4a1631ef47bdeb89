//===- SampleToConvoy.cpp - Samples as a function ---------------*- C++ -*-===//
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
using ::convoy::SampleProblem;

static SampleMode getMode(const SampleProblem &problem) {
  return *symbolizeSampleMode(StringRef(sampleModeName(problem.mode)));
}

static SamplePadding getPadding(const SampleProblem &problem) {
  return *symbolizeSamplePadding(StringRef(samplePaddingName(problem.padding)));
}

func::FuncOp mlir::convoy::buildSampleProblem(OpBuilder &builder, Location loc,
                                              const SampleProblem &problem,
                                              StringRef name) {
  MLIRContext *context = builder.getContext();
  Type element = getFactorType(builder, problem.type);
  auto image = RankedTensorType::get(problem.imageShape(), element);
  auto grid = RankedTensorType::get(problem.gridShape(),
                                    getFactorType(builder, problem.gridType));
  auto samples = RankedTensorType::get(problem.sampleShape(), element);
  const std::string &imageLayout = problem.imageLayout.letters(),
                    &gridLayout = problem.gridLayout.letters(),
                    &sampleLayout = problem.sampleLayout.letters();
  auto function = func::FuncOp::create(
      builder, loc, name, builder.getFunctionType({image, grid}, samples));
  auto text = [&](StringRef word) { return builder.getStringAttr(word); };
  function.setArgAttr(0, kNameAttrName, text("input"));
  function.setArgAttr(0, kLayoutAttrName, text(imageLayout));
  function.setArgAttr(1, kNameAttrName, text("grid"));
  function.setArgAttr(1, kLayoutAttrName, text(gridLayout));
  function.setResultAttr(0, kNameAttrName, text("output"));
  function.setResultAttr(0, kLayoutAttrName, text(sampleLayout));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(function.addEntryBlock());
  Value result = GridSampleOp::create(
      builder, loc, samples, function.getArgument(0), function.getArgument(1),
      SampleLayoutAttr::get(context, imageLayout, gridLayout, sampleLayout),
      SampleModeAttr::get(context, getMode(problem)),
      SamplePaddingAttr::get(context, getPadding(problem)),
      problem.alignCorners ? builder.getUnitAttr() : UnitAttr());
  func::ReturnOp::create(builder, loc, result);
  return function;
}
