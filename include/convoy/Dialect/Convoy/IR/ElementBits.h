//===- ElementBits.h - How large elements are -------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DIALECT_CONVOY_IR_ELEMENTBITS_H
#define CONVOY_DIALECT_CONVOY_IR_ELEMENTBITS_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::convoy {

/// How many bits an element of any type has: 64 for indices and for what is
/// made of no numbers, such as pointers.
inline unsigned getElementBits(Type element) {
  if (element.isIntOrFloat())
    return element.getIntOrFloatBitWidth();
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * getElementBits(complex.getElementType());
  if (auto vector = dyn_cast<VectorType>(element))
    return vector.getNumElements() * getElementBits(vector.getElementType());
  return 64;
}

/// Whether `element` is a number, and vectors hold it as buffers do, in bytes
/// of its own.
inline bool isWholeInVectors(Type element) {
  unsigned bits = getElementBits(element);
  return element.isIntOrFloat() && bits >= 8 && llvm::isPowerOf2_32(bits);
}

/// Size of an element in memory.
inline int64_t getElementBytes(Type element) {
  return llvm::divideCeil(getElementBits(element), 8);
}

/// Size of a value of static shape in memory, which no integer need hold.
inline double getStaticBytes(ShapedType type) {
  double bytes = double(getElementBytes(type.getElementType()));
  for (int64_t size : type.getShape())
    bytes *= double(size);
  return bytes;
}

/// The most elements of a vector that is taken apart into code of its own for
/// each.
constexpr int64_t kMostUnrolled = 4096;

/// Whether there are at most `most` elements of these sizes.
inline bool canUnroll(ArrayRef<int64_t> sizes, int64_t most = kMostUnrolled) {
  int64_t room = most;
  for (int64_t size : sizes) {
    if (size > room)
      return false;
    room /= std::max<int64_t>(size, 1);
  }
  return true;
}

} // namespace mlir::convoy

#endif // CONVOY_DIALECT_CONVOY_IR_ELEMENTBITS_H
