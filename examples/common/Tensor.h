//===- Tensor.h - Values of convolutions, and their sums --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Forward convolutions in f32, 2-D and without groups, of stride 1 and without
// padding, in any layout.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_EXAMPLES_COMMON_TENSOR_H
#define CONVOY_EXAMPLES_COMMON_TENSOR_H

#include "Manifest.h"

/// An argument with its values.
struct Tensor {
  const Argument &argument;
  std::vector<float> values;

  /// Zeros. Throws std::runtime_error where the argument is another one.
  explicit Tensor(const Argument &argument);

  size_t bytes() const { return values.size() * sizeof(float); }
  size_t size(char letter) const;

  /// The element at `first` along the first of `letters`, and so on.
  float &at(const char *letters, std::array<size_t, 4> position);
};

/// The input, the filter and the output of `entry`; the first two hold small
/// integers, whose sums are exact in any order. Throws std::runtime_error where
/// it has others.
std::vector<Tensor> makeTensors(const Entry &entry);

/// Compares the output, the last of `tensors`, with its definition and prints
/// how `entry` went, which took `seconds`; whether all elements are right.
bool judge(const Entry &entry, std::vector<Tensor> &tensors, double seconds);

#endif // CONVOY_EXAMPLES_COMMON_TENSOR_H
