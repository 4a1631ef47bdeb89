//===- Convolution.h - Products of three tensors by letters -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_INTERPRETER_CONVOLUTION_H
#define CONVOY_LIB_INTERPRETER_CONVOLUTION_H

#include "convoy/Interpreter/Interpreter.h"

#include <array>
#include <string>

namespace mlir::convoy {

/// e*i = s*o + d*k' - pl of one spatial dimension: input position i, output
/// position o, and tap k' (the last is 0 where reversed).
struct WindowEquation {
  int64_t stride = 1, dilation = 1, padLow = 0, inputDilation = 1;
  bool reverse = false;

  /// s*o + d*k' - pl.
  int64_t evaluate(int64_t output, int64_t tap, int64_t taps) const {
    return stride * output + dilation * (reverse ? taps - 1 - tap : tap) -
           padLow;
  }
};

inline bool isSpatial(char letter) { return StringRef("dhw").contains(letter); }

/// One equation for each spatial letter of `layout`.
std::vector<WindowEquation> getEquations(WindowAttr window, StringRef layout);

/// The sizes and strides of a row-major tensor by letter.
struct Letters {
  std::array<int64_t, 128> sizes, strides;

  Letters(StringRef layout, ArrayRef<int64_t> shape) {
    sizes.fill(1);
    strides.fill(0);
    int64_t stride = 1;
    for (auto [letter, size] : llvm::reverse(llvm::zip_equal(layout, shape))) {
      sizes[letter] = size;
      strides[letter] = stride;
      stride *= size;
    }
  }
};

/// A point of an op: the indices of its tensors, by layout.
struct Point {
  StringRef layout;
  ArrayRef<int64_t> index;

  bool has(char letter) const { return layout.contains(letter); }
  int64_t at(char letter) const { return index[layout.find(letter)]; }
};

/// Three tensors of a forward convolution, two of which are multiplied. 0 is
/// the input, 1 the filter, 2 the output.
struct Interpreter::Convolution {
  /// Of n, g, c, f, d, h and w: what each dimension is. Letters that a tensor
  /// lacks stand for one position.
  std::array<std::string, 3> layouts;
  std::array<Index, 3> shapes;
  /// By spatial letter that the layouts have, in the order d, h, w.
  std::vector<WindowEquation> window;
  /// Which the two operands and the result are.
  std::array<unsigned, 3> roles = {0, 1, 2};
  /// What is multiplied, in the type of the sum.
  std::array<Tensor, 2> operands;
  Algebra::Function multiply;
};

} // namespace mlir::convoy

#endif // CONVOY_LIB_INTERPRETER_CONVOLUTION_H
