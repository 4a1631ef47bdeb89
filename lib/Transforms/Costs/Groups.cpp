//===- Groups.cpp - Counts of groups and their steps ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Costs/Groups.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::ConvLayouts;
using ::convoy::Operand;
using ::convoy::WindowDim;

bool mlir::convoy::hasKnownGroups(ConvolutionOpInterface op) {
  return op.getLayout().getLayouts().output.hasGroups() &&
         op.hasStaticSizes() && !op.hasEmptyTensor();
}

int64_t mlir::convoy::getGroupStride(ConvolutionOpInterface op,
                                     Operand operand) {
  int64_t position = op.getLayout().getLayouts()[operand].position('g');
  return llvm::product_of(
      op.getTypeFor(operand).getShape().drop_front(position + 1));
}

bool mlir::convoy::sumsRows(ConvolutionOpInterface op) {
  ConvLayouts layouts = op.getLayout().getLayouts();
  char innermost = layouts.filter.letters().back();
  return layouts.input.letters().back() == innermost &&
         ::convoy::spatialLetters(op.getLayout().getSpatialRank())
                 .find(innermost) != std::string_view::npos;
}

double mlir::convoy::countSteps(ConvolutionOpInterface op) {
  double steps = double(op.getTypeFor(Operand::Output).getNumElements()) *
                 double(op.getTypeFor(Operand::Filter).getNumElements()) /
                 double(op.getSize(Operand::Output, 'f'));
  for (const WindowDim &dim :
       op.getWindow().getDims(op.getLayout().getSpatialRank()))
    steps /= double(dim.inputDilation);
  auto groups = double(op.getSize(Operand::Output, 'g'));
  return steps / (groups * groups);
}

int64_t mlir::convoy::countPadded(ConvolutionOpInterface op) {
  int64_t elements =
      op.getSize(Operand::Input, 'n') * op.getSize(Operand::Input, 'c');
  unsigned rank = op.getLayout().getSpatialRank();
  for (auto [letter, dim] : llvm::zip_equal(::convoy::spatialLetters(rank),
                                            op.getWindow().getDims(rank)))
    elements *= op.getSize(Operand::Input, letter) +
                std::max<int64_t>(0, dim.padLow) +
                std::max<int64_t>(0, dim.padHigh);
  return elements;
}
