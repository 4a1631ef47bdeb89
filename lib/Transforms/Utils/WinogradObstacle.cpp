//===- WinogradObstacle.cpp - What has no tiles of Winograd's ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/WinogradObstacle.h"

#include "convoy/Support/Algorithm.h"
#include "convoy/Transforms/Utils/Choices.h"

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
      return refuse(getWords(Choice::HasStride), window.stride);
    if (window.dilation != 1)
      return refuse(getWords(Choice::HasDilation), window.dilation);
    if (window.inputDilation != 1)
      return refuse(getWords(Choice::HasInputDilation), window.inputDilation);
    if (ShapedType::isDynamic(op.getSize(Operand::Filter, letter)))
      return getWords(Choice::TapsDynamic).str();
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
          << getWords(Choice::NotF32) << type << ", not f32 alone";
      return text;
    }
  return "";
}

static std::string findSizeObstacle(ConvolutionOpInterface op) {
  ::convoy::ConvLayouts layouts = op.getLayout().getLayouts();
  for (Operand operand : {Operand::Input, Operand::Filter, Operand::Output})
    for (char letter : layouts[operand].letters())
      if (letter != 'n' && ShapedType::isDynamic(op.getSize(operand, letter)))
        return (getWords(Choice::SizeDynamic) + Twine(letter) + "' is dynamic")
            .str();
  return "";
}

std::string mlir::convoy::findWinogradObstacle(ConvolutionOpInterface op) {
  if (op.getDirection() == Direction::BackwardFilter)
    return getWords(Choice::FilterGradient).str();
  if (op.getLayout().hasGroups())
    return getWords(Choice::HasGroups).str();
  for (std::string obstacle :
       {findTypeObstacle(op), findWindowObstacle(op), findSizeObstacle(op)})
    if (!obstacle.empty())
      return obstacle;
  return "";
}

std::string mlir::convoy::findTapsObstacle(ConvolutionOpInterface op) {
  for (char letter : ::convoy::spatialLetters(op.getLayout().getSpatialRank()))
    if (int64_t taps = op.getSize(Operand::Filter, letter);
        taps != ::convoy::kWinogradTaps)
      return (getWords(Choice::OtherTaps) + Twine(taps) + " taps along '" +
              Twine(letter) + "', not " + Twine(::convoy::kWinogradTaps))
          .str();
  return "";
}
