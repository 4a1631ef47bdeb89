//===- WinogradObstacle.cpp - What has no tiles of Winograd's ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WinogradObstacle.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Direction;
using ::convoy::Operand;
using ::convoy::WindowDim;

/// Why the window has what the algorithm has not; empty where it has not.
static std::string findWindowObstacle(ConvolutionOpInterface op) {
  for (auto [dim, letter] : llvm::enumerate(
           ::convoy::spatialLetters(op.getLayout().getSpatialRank()))) {
    WindowDim window = op.getWindow().getDim(dim);
    auto refuse = [&, letter = letter](StringRef what, int64_t number) {
      return (what + " along '" + Twine(letter) + "' is " + Twine(number) +
              ", not 1")
          .str();
    };
    if (window.stride != 1)
      return refuse("its stride", window.stride);
    if (window.dilation != 1)
      return refuse("its dilation", window.dilation);
    if (window.inputDilation != 1)
      return refuse("the dilation of its input", window.inputDilation);
    if (ShapedType::isDynamic(op.getSize(Operand::Filter, letter)))
      return "its number of taps is dynamic";
  }
  return "";
}

static std::string findTypeObstacle(ConvolutionOpInterface op) {
  SmallVector<Type> types = {op.getAccumulatorType()};
  for (Operand operand : {Operand::Input, Operand::Filter, Operand::Output})
    types.push_back(op.getTypeFor(operand).getElementType());
  for (Type type : types)
    if (!type.isF32()) {
      std::string text;
      llvm::raw_string_ostream(text)
          << "it has numbers of " << type << ", not f32 alone";
      return text;
    }
  return "";
}

static std::string findSizeObstacle(ConvolutionOpInterface op) {
  ::convoy::ConvLayouts layouts = op.getLayout().getLayouts();
  for (Operand operand : {Operand::Input, Operand::Filter, Operand::Output})
    for (char letter : layouts[operand].letters())
      if (letter != 'n' && ShapedType::isDynamic(op.getSize(operand, letter)))
        return ("its size along '" + Twine(letter) + "' is dynamic").str();
  return "";
}

std::string mlir::convoy::findWinogradObstacle(ConvolutionOpInterface op) {
  if (op.getDirection() == Direction::BackwardFilter)
    return "it is a gradient of the filter";
  if (op.getLayout().hasGroups())
    return "it has groups";
  for (std::string obstacle :
       {findTypeObstacle(op), findWindowObstacle(op), findSizeObstacle(op)})
    if (!obstacle.empty())
      return obstacle;
  return "";
}
