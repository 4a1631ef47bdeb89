//===- InterpretPadding.cpp - Padding, element by element -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect, from docs/Convoy.md.
//
//===----------------------------------------------------------------------===//

#include "convoy/Interpreter/Interpreter.h"

using namespace mlir;
using namespace mlir::convoy;

/// `place` mod `period`, from 0 on.
static int64_t wrap(int64_t place, int64_t period) {
  return (place % period + period) % period;
}

/// The element of `size` that lies at `place`, counted from element 0.
static int64_t getPaddedElement(PaddingMode mode, int64_t place, int64_t size) {
  switch (mode) {
  case PaddingMode::Reflect: {
    if (size == 1)
      return 0;
    int64_t period = 2 * (size - 1), r = wrap(place, period);
    return std::min(r, period - r);
  }
  case PaddingMode::Replicate:
    return std::clamp<int64_t>(place, 0, size - 1);
  case PaddingMode::Circular:
    return wrap(place, size);
  }
  llvm_unreachable("unknown mode");
}

/// Calls `visit` with each place of a tensor of `shape` with the padding of
/// `op`, and that of the element that lies there.
template <typename OpTy>
static void forEachPaddedElement(
    OpTy op, ArrayRef<int64_t> shape,
    function_ref<void(ArrayRef<int64_t>, ArrayRef<int64_t>)> visit) {
  Index padded(shape), element(shape);
  for (auto [size, low, high] :
       llvm::zip_equal(padded, op.getLow(), op.getHigh()))
    size += low + high;
  (void)forEachIndex(padded, [&](ArrayRef<int64_t> place) {
    for (size_t dim = 0; dim < shape.size(); ++dim)
      element[dim] = getPaddedElement(
          op.getMode(), place[dim] - op.getLow()[dim], shape[dim]);
    visit(place, element);
    return success();
  });
}

LogicalResult Interpreter::runPad(PadOp op) {
  const Tensor &input = getTensor(op.getInput());
  Index shape = input.shape;
  for (auto [size, low, high] :
       llvm::zip_equal(shape, op.getLow(), op.getHigh()))
    size += low + high;
  Tensor result = makeTensor(shape);
  forEachPaddedElement(op, input.shape,
                       [&](ArrayRef<int64_t> place, ArrayRef<int64_t> element) {
                         result.at(place) = input.at(element);
                       });
  return setTensor(op->getResult(0), std::move(result));
}

LogicalResult Interpreter::runPadBackward(PadBackwardOp op) {
  Index shape = getTensor(op.getInput()).shape;
  for (auto [size, low, high] :
       llvm::zip_equal(shape, op.getLow(), op.getHigh()))
    size -= low + high;
  return addTerms(op, shape, [&](VisitTerm visit) {
    forEachPaddedElement(op, shape, visit);
  });
}
