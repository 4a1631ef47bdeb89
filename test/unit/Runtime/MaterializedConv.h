//===- MaterializedConv.h - Convolution by explicit zeros -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An independent formulation of the convolution, for tests of the reference:
// padding, dilation and flips are written out into arrays, and nothing is left
// but to slide one array along another. The backward directions follow from
// linearity alone: an element of a gradient is the product of the output's
// gradient with the convolution of a unit array.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_UNIT_RUNTIME_MATERIALIZEDCONV_H
#define CONVOY_TEST_UNIT_RUNTIME_MATERIALIZEDCONV_H

#include "convoy/Runtime/OperandIndex.h"

#include <vector>

namespace convoy {

/// An array of n g c f d h w, row-major.
struct LogicalArray {
  LogicalIndex sizes;
  std::vector<double> values;

  explicit LogicalArray(const LogicalIndex &sizes);
  size_t place(const LogicalIndex &index) const;
  double &at(const LogicalIndex &index) { return values[place(index)]; }
  double at(const LogicalIndex &index) const { return values[place(index)]; }
};

/// The output of `input` and `filter`.
LogicalArray materializedForward(const ConvShape &shape,
                                 const LogicalArray &input,
                                 const LogicalArray &filter);

/// The result of `direction`; the result's own argument is not looked at.
LogicalArray materializedConv(const ConvShape &shape, Direction direction,
                              const LogicalArray &input,
                              const LogicalArray &filter,
                              const LogicalArray &output);

/// Place of the element at `index` in memory, where the dimensions lie in the
/// order of `layout`; without a `g` there, `flat` counts through all groups.
int64_t placeInLayout(const LogicalIndex &sizes, const LogicalIndex &index,
                      const std::string &layout, char flat);

} // namespace convoy

#endif // CONVOY_TEST_UNIT_RUNTIME_MATERIALIZEDCONV_H
