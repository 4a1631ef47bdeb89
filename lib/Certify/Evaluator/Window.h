//===- Window.h - A convolution's equation and operands ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stated here from the dialect's reference alone: nothing of the passes or of
// ConvShape is used.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_EVALUATOR_WINDOW_H
#define CONVOY_LIB_CERTIFY_EVALUATOR_WINDOW_H

#include "convoy/Certify/Linear/LinearSystem.h"
#include "convoy/Dialect/Convoy/IR/Convoy.h"

namespace mlir::convoy::certify {

/// The equation of one spatial dimension, e*i = s*o + d*k' - pl with
/// k' = reverse ? K-1-k : k.
struct Window {
  int64_t stride, dilation, padLow, padHigh, inputDilation;
  bool reverse;

  /// Of spatial dimension `dim`, counted in the order d, h, w.
  Window(WindowAttr attr, unsigned dim)
      : stride(getEntry(attr.getStride(), dim, int64_t(1))),
        dilation(getEntry(attr.getDilation(), dim, int64_t(1))),
        padLow(getEntry(attr.getPadLow(), dim, int64_t(0))),
        padHigh(getEntry(attr.getPadHigh(), dim, int64_t(0))),
        inputDilation(getEntry(attr.getInputDilation(), dim, int64_t(1))),
        reverse(getEntry(attr.getReverse(), dim, false)) {}

  /// e*i for output position o and tap k of `taps`.
  LinearExpr getDilatedInput(const LinearExpr &output, const LinearExpr &tap,
                             const LinearExpr &taps) const {
    LinearExpr at = reverse ? taps - 1 - tap : tap;
    return output * DynamicAPInt(stride) + at * DynamicAPInt(dilation) -
           LinearExpr(padLow);
  }

private:
  /// Entry `dim` of a list, or what an empty list stands for.
  template <typename T>
  static T getEntry(ArrayRef<T> list, unsigned dim, T standard) {
    return list.empty() ? standard : list[dim];
  }
};

/// The three tensors of the forward convolution; the op's init plays the one
/// that it computes.
struct ConvRoles {
  enum Number : unsigned { Input, Filter, Output };

  explicit ConvRoles(ConvolutionOpInterface op) {
    ConvLayoutAttr layout = op.getLayout();
    layouts = {layout.getInput(), layout.getFilter(), layout.getOutput()};
    switch (op.getDirection()) {
    case ::convoy::Direction::Forward:
      tensors = {op->getOperand(0), op->getOperand(1), op.getInit()};
      break;
    case ::convoy::Direction::BackwardData:
      tensors = {op.getInit(), op->getOperand(1), op->getOperand(0)};
      result = Input;
      break;
    case ::convoy::Direction::BackwardFilter:
      tensors = {op->getOperand(0), op.getInit(), op->getOperand(1)};
      result = Filter;
      break;
    }
  }

  static bool isSpatial(char letter) {
    return StringRef("dhw").contains(letter);
  }

  std::array<StringRef, 3> layouts;
  std::array<Value, 3> tensors;
  Number result = Output;
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_EVALUATOR_WINDOW_H
