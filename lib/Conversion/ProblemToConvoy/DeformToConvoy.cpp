//===- DeformToConvoy.cpp - Deformable convolutions as functions -*- C++ -*-==//
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
using ::convoy::DeformProblem;

/// The convolution of `plain` with offsets and perhaps a mask.
static Value deform(OpBuilder &builder, ConvOp plain, Value offset, Value mask,
                    StringRef offsetLayout) {
  return DeformConvOp::create(
      builder, plain.getLoc(), plain.getType(), plain.getInput(),
      plain.getFilter(), offset, plain.getInit(), mask, plain.getLayout(),
      builder.getStringAttr(offsetLayout), plain.getWindow());
}

func::FuncOp mlir::convoy::buildDeformProblem(OpBuilder &builder, Location loc,
                                              const DeformProblem &problem,
                                              StringRef name) {
  // The function of the convolution has all that is not deformed.
  func::FuncOp function = buildProblem(builder, loc, problem.conv, name);
  const std::string &layout = problem.offsetLayout.letters();
  Type element = getFactorType(builder, problem.offsetType);
  auto describe = [&](StringRef argument) {
    return builder.getDictionaryAttr(
        {builder.getNamedAttr(kNameAttrName, builder.getStringAttr(argument)),
         builder.getNamedAttr(kLayoutAttrName, builder.getStringAttr(layout))});
  };
  [[maybe_unused]] LogicalResult added = function.insertArgument(
      2, RankedTensorType::get(problem.offsetShape(), element),
      describe("offset"), loc);
  assert(succeeded(added) && "arguments of functions can be added");
  Value offset = function.getArgument(2), mask;
  if (problem.hasMask) {
    added = function.insertArgument(
        3, RankedTensorType::get(problem.maskShape(), element),
        describe("mask"), loc);
    assert(succeeded(added) && "arguments of functions can be added");
    mask = function.getArgument(3);
  }
  ConvOp plain = *function.front().getOps<ConvOp>().begin();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(plain);
  plain.replaceAllUsesWith(deform(builder, plain, offset, mask, layout));
  plain.erase();
  return function;
}
