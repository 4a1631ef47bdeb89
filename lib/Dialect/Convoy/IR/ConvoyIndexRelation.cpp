//===- ConvoyIndexRelation.cpp - What an op does with indices ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::ConvLayouts;
using ::convoy::Layout;
using ::convoy::Operand;
using ::convoy::WindowDim;

namespace {
/// The dimensions of the iteration space by name.
class Space {
public:
  Space(MLIRContext *context, bool hasGroups, std::string_view spatial)
      : context(context) {
    names = {"n"};
    if (hasGroups)
      names.push_back("g");
    names.append({"f", "c"});
    for (char prefix : {'o', 'k', 'i'})
      for (char letter : spatial)
        names.push_back({prefix, letter});
  }

  unsigned position(StringRef name) const {
    return llvm::find(names, name) - names.begin();
  }
  AffineExpr dim(StringRef name) const {
    return getAffineDimExpr(position(name), context);
  }
  AffineExpr size(StringRef name) const {
    return getAffineSymbolExpr(position(name), context);
  }

  /// The element of a tensor in `layout`; spatial letters take `prefix`.
  AffineMap element(const Layout &layout, char prefix) const {
    SmallVector<AffineExpr> results;
    for (char letter : layout.letters()) {
      bool isSpatial = StringRef("dhw").contains(letter);
      results.push_back(
          dim(isSpatial ? std::string{prefix, letter} : std::string{letter}));
    }
    return AffineMap::get(names.size(), names.size(), results, context);
  }

  SmallVector<std::string> names;

private:
  MLIRContext *context;
};
} // namespace

IndexRelation ConvolutionOpInterface::getIndexRelation() {
  MLIRContext *context = getOperation()->getContext();
  ConvLayouts layouts = getLayout().getLayouts();
  std::string_view spatial =
      ::convoy::spatialLetters(layouts.input.spatialRank());
  Space space(context, getLayout().hasGroups(), spatial);

  SmallVector<AffineExpr> constraints;
  SmallVector<bool> isEquality;
  auto require = [&](AffineExpr expr, bool equality) {
    constraints.push_back(expr);
    isEquality.push_back(equality);
  };
  for (const std::string &name : space.names) {
    require(space.dim(name), false);
    require(space.size(name) - 1 - space.dim(name), false);
  }
  for (auto [index, letter] : llvm::enumerate(spatial)) {
    WindowDim window = getWindow().getDim(index);
    std::string tap = {'k', letter};
    AffineExpr k =
        window.reverse ? space.size(tap) - 1 - space.dim(tap) : space.dim(tap);
    AffineExpr o = space.dim(std::string{'o', letter});
    AffineExpr i = space.dim(std::string{'i', letter});
    require(o * window.stride + k * window.dilation - window.padLow -
                i * window.inputDilation,
            true);
  }
  return {space.names, space.element(layouts.input, 'i'),
          space.element(layouts.filter, 'k'),
          space.element(layouts.output, 'o'),
          IntegerSet::get(space.names.size(), space.names.size(), constraints,
                          isEquality)};
}

AffineMap Im2colOp::getIndexMap() {
  MLIRContext *context = getContext();
  Im2colLayoutAttr layout = getLayout();
  std::string_view spatial = ::convoy::spatialLetters(layout.getSpatialRank());
  unsigned symbols = 0;
  llvm::SmallDenseMap<char, AffineExpr> positions;
  for (auto [index, letter] : llvm::enumerate(spatial)) {
    WindowDim window = getWindow().getDim(index);
    AffineExpr o = getAffineDimExpr(layout.getPositionDim(letter), context);
    AffineExpr k = getAffineDimExpr(layout.getWindowDim(letter), context);
    if (window.reverse)
      k = getAffineSymbolExpr(symbols++, context) - 1 - k;
    positions[letter] = o * window.stride + k * window.dilation - window.padLow;
  }
  SmallVector<AffineExpr> results;
  for (char letter : layout.getInput()) {
    if (auto it = positions.find(letter); it != positions.end())
      results.push_back(it->second);
    else
      results.push_back(getAffineDimExpr(layout.getSharedDim(letter), context));
  }
  return AffineMap::get(layout.getRowsRank(), symbols, results, context);
}
