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
using ::convoy::Direction;
using ::convoy::SampleProblem;

static SampleMode getMode(const SampleProblem &problem) {
  return *symbolizeSampleMode(StringRef(sampleModeName(problem.mode)));
}

static SamplePadding getPadding(const SampleProblem &problem) {
  return *symbolizeSamplePadding(StringRef(samplePaddingName(problem.padding)));
}

namespace {
/// An argument or the result of the function.
struct NamedType {
  StringRef name, layout;
  RankedTensorType type;
};
} // namespace

/// The op of `problem` on `arguments`, whose result is of type `result`.
static Value buildOp(OpBuilder &builder, Location loc,
                     const SampleProblem &problem, ValueRange arguments,
                     Type result) {
  MLIRContext *context = builder.getContext();
  auto layout = SampleLayoutAttr::get(context, problem.imageLayout.letters(),
                                      problem.gridLayout.letters(),
                                      problem.sampleLayout.letters());
  auto mode = SampleModeAttr::get(context, getMode(problem));
  auto padding = SamplePaddingAttr::get(context, getPadding(problem));
  UnitAttr corners = problem.alignCorners ? builder.getUnitAttr() : UnitAttr();
  switch (problem.direction) {
  case Direction::Forward:
    return GridSampleOp::create(builder, loc, result, arguments[0],
                                arguments[1], layout, mode, padding, corners);
  case Direction::BackwardData:
    return GridSampleBackwardInputOp::create(builder, loc, result, arguments[0],
                                             arguments[1], layout, mode,
                                             padding, corners);
  case Direction::BackwardFilter:
    return GridSampleBackwardGridOp::create(builder, loc, result, arguments[0],
                                            arguments[1], arguments[2], layout,
                                            mode, padding, corners);
  }
  llvm_unreachable("unknown direction");
}

func::FuncOp mlir::convoy::buildSampleProblem(OpBuilder &builder, Location loc,
                                              const SampleProblem &problem,
                                              StringRef name) {
  Type element = getFactorType(builder, problem.type);
  NamedType image = {"input", problem.imageLayout.letters(),
                     RankedTensorType::get(problem.imageShape(), element)};
  NamedType grid = {
      "grid", problem.gridLayout.letters(),
      RankedTensorType::get(problem.gridShape(),
                            getFactorType(builder, problem.gridType))};
  NamedType samples = {"output", problem.sampleLayout.letters(),
                       RankedTensorType::get(problem.sampleShape(), element)};
  SmallVector<NamedType> arguments = {image, grid};
  NamedType result = samples;
  if (problem.direction != Direction::Forward) {
    samples.name = "output_gradient";
    bool isOfImage = problem.direction == Direction::BackwardData;
    arguments = isOfImage ? SmallVector<NamedType>{samples, grid}
                          : SmallVector<NamedType>{samples, image, grid};
    result = isOfImage ? image : grid;
    result.name = isOfImage ? "input_gradient" : "grid_gradient";
  }
  auto types = llvm::map_to_vector(
      arguments, [](const NamedType &one) -> Type { return one.type; });
  auto function = func::FuncOp::create(
      builder, loc, name,
      builder.getFunctionType(types, TypeRange(result.type)));
  auto text = [&](StringRef word) { return builder.getStringAttr(word); };
  for (auto [number, argument] : llvm::enumerate(arguments)) {
    function.setArgAttr(number, kNameAttrName, text(argument.name));
    function.setArgAttr(number, kLayoutAttrName, text(argument.layout));
  }
  function.setResultAttr(0, kNameAttrName, text(result.name));
  function.setResultAttr(0, kLayoutAttrName, text(result.layout));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(function.addEntryBlock());
  Value value =
      buildOp(builder, loc, problem, function.getArguments(), result.type);
  func::ReturnOp::create(builder, loc, value);
  return function;
}
