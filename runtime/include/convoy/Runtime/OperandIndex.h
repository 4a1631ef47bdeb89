//===- OperandIndex.h - From logical indices to memory ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every operand of every convolution is addressed by the seven dimensions
// n g c f d h w, whatever its layout: a dimension that it lacks has size 1.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_OPERANDINDEX_H
#define CONVOY_RUNTIME_OPERANDINDEX_H

#include "convoy/Support/ConvShape.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace convoy {

/// The dimensions in logical order, outermost first.
inline constexpr std::string_view LogicalLetters = "ngcfdhw";

/// Place of `letter` in LogicalLetters.
constexpr size_t logicalDim(char letter) { return LogicalLetters.find(letter); }

/// One entry for each of LogicalLetters; channels count within their group.
using LogicalIndex = std::array<int64_t, 7>;

/// Sizes and memory strides of one operand, in logical order.
struct OperandIndex {
  LogicalIndex sizes;   ///< 1 for a dimension that the operand lacks
  LogicalIndex strides; ///< in elements; 0 where one element serves all

  int64_t elementCount() const;
  /// Place in memory, in elements, of the element at `index`.
  int64_t offset(const LogicalIndex &index) const;
};

/// Calls `function(index)` for every index within `sizes`, in row-major order.
template <typename Function>
void forEachIndex(const LogicalIndex &sizes, Function function) {
  for (int64_t size : sizes)
    if (size == 0)
      return;
  LogicalIndex index{};
  size_t dim;
  do {
    function(static_cast<const LogicalIndex &>(index));
    dim = index.size();
    while (dim > 0 && ++index[dim - 1] == sizes[dim - 1])
      index[--dim] = 0;
  } while (dim > 0);
}

/// Row-major strides of an array whose dimensions are `letters`, in that order;
/// 0 for the other dimensions.
LogicalIndex denseStrides(const LogicalIndex &sizes, std::string_view letters);

/// Size of every logical dimension of `operand`, 1 for one that it lacks.
LogicalIndex logicalSizes(const ConvShape &shape, Operand operand);

/// Addresses `operand` of a convolution where it lies densely in `layout`, with
/// or without an explicit `g`.
OperandIndex operandIndex(const ConvShape &shape, Operand operand,
                          const Layout &layout);

/// Addresses `operand` densely in row-major logical order.
OperandIndex logicalOperandIndex(const ConvShape &shape, Operand operand);

/// Addresses a bias as if it were the whole output: one element for each output
/// channel, groups outermost.
OperandIndex biasIndex(const ConvShape &shape);

/// Addresses a part of the dimensions of `operand`, which lie densely in
/// `layout`, as if it were the whole of it; without a `g` there, the dimension
/// that holds the groups counts through all of them.
OperandIndex partialIndex(const ConvShape &shape, Operand operand,
                          const Layout &layout);

/// The index with its letters, the dimensions of size 1 in `sizes` left out:
/// "n=0 f=12 h=3 w=4"; "the only element" where none is left.
std::string toString(const LogicalIndex &index, const LogicalIndex &sizes);

} // namespace convoy

#endif // CONVOY_RUNTIME_OPERANDINDEX_H
