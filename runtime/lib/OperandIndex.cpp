//===- OperandIndex.cpp - From logical indices to memory ------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/OperandIndex.h"

#include <cassert>

namespace convoy {

int64_t OperandIndex::elementCount() const {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

int64_t OperandIndex::offset(const LogicalIndex &index) const {
  int64_t result = 0;
  for (size_t dim = 0; dim < index.size(); ++dim)
    result += index[dim] * strides[dim];
  return result;
}

LogicalIndex logicalSizes(const ConvShape &shape, Operand operand) {
  LogicalIndex sizes;
  sizes.fill(1);
  sizes[logicalDim('g')] = shape.groups;
  if (operand != Operand::Filter)
    sizes[logicalDim('n')] = shape.batch;
  if (operand != Operand::Output)
    sizes[logicalDim('c')] = shape.inputChannels;
  if (operand != Operand::Input)
    sizes[logicalDim('f')] = shape.outputChannels;
  size_t firstSpatial = LogicalLetters.size() - shape.spatial.size();
  for (size_t dim = 0; dim < shape.spatial.size(); ++dim) {
    const SpatialDim &spatial = shape.spatial[dim];
    sizes[firstSpatial + dim] = operand == Operand::Input    ? spatial.input
                                : operand == Operand::Filter ? spatial.filter
                                                             : spatial.output;
  }
  return sizes;
}

LogicalIndex denseStrides(const LogicalIndex &sizes, std::string_view letters) {
  LogicalIndex strides{};
  int64_t stride = 1;
  for (size_t place = letters.size(); place-- > 0;) {
    size_t dim = logicalDim(letters[place]);
    strides[dim] = stride;
    stride *= sizes[dim];
  }
  return strides;
}

OperandIndex operandIndex(const ConvShape &shape, Operand operand,
                          const Layout &layout) {
  assert(layout.spatialRank() == shape.spatialRank() &&
         "layout and shape differ in spatial rank");
  std::string letters = layout.letters();
  if (!layout.hasGroups())
    letters.insert(letters.find(operand == Operand::Input ? 'c' : 'f'), "g");
  LogicalIndex sizes = logicalSizes(shape, operand);
  return {sizes, denseStrides(sizes, letters)};
}

OperandIndex partialIndex(const ConvShape &shape, Operand operand,
                          const Layout &layout) {
  bool holdsGroups =
      !layout.hasGroups() && layout.contains(Layout::groupedLetter(operand));
  LogicalIndex sizes = logicalSizes(shape, operand);
  return {sizes,
          denseStrides(
              sizes,
              (holdsGroups ? layout.withGroups(operand) : layout).letters())};
}

OperandIndex logicalOperandIndex(const ConvShape &shape, Operand operand) {
  LogicalIndex sizes = logicalSizes(shape, operand);
  return {sizes, denseStrides(sizes, LogicalLetters)};
}

OperandIndex biasIndex(const ConvShape &shape) {
  LogicalIndex sizes = logicalSizes(shape, Operand::Output);
  return {sizes, denseStrides(sizes, "gf")};
}

std::string toString(const LogicalIndex &index, const LogicalIndex &sizes) {
  std::string text;
  for (size_t dim = 0; dim < index.size(); ++dim) {
    if (sizes[dim] == 1)
      continue;
    if (!text.empty())
      text += ' ';
    text += LogicalLetters[dim];
    text += '=' + std::to_string(index[dim]);
  }
  return text.empty() ? "the only element" : text;
}

} // namespace convoy
