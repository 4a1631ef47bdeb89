//===- KernelSignature.h - What kernels of a GPU take -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that `convoy.launch` runs takes flat buffers, and after them the
// size of the batch if it depends on that.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DIALECT_CONVOY_IR_KERNELSIGNATURE_H
#define CONVOY_DIALECT_CONVOY_IR_KERNELSIGNATURE_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeRange.h"

namespace mlir::convoy {

/// Workgroups along one dimension of a grid: what every Vulkan device takes,
/// and along z HIP.
constexpr int64_t kMostGroups = 65535;

/// Whether a kernel with these arguments takes the batch: the last, an i32.
inline bool takesBatch(TypeRange arguments) {
  return !arguments.empty() && arguments.back().isInteger(32);
}

/// The arguments of a kernel that are buffers.
inline TypeRange getBufferTypes(TypeRange arguments) {
  return takesBatch(arguments) ? arguments.drop_back() : arguments;
}

/// The number of elements of a tensor or buffer.
struct ElementCount {
  int64_t number = 1;
  bool isOfImage; ///< times the batch, a dimension of dynamic size

  explicit ElementCount(ShapedType type) : isOfImage(!type.hasStaticShape()) {
    for (int64_t size : type.getShape())
      number *= ShapedType::isDynamic(size) ? 1 : size;
  }
};

/// What buffers hold of elements of type `element`: of truth values a byte,
/// which is 0 or 1.
inline Type getStoredType(Type element) {
  return element.isInteger(1) ? IntegerType::get(element.getContext(), 8)
                              : element;
}

/// The type of the buffer that a kernel takes for an operand of this type.
inline MemRefType getFlatType(ShapedType operand) {
  ElementCount count(operand);
  return MemRefType::get(
      {count.isOfImage ? ShapedType::kDynamic : count.number},
      getStoredType(operand.getElementType()));
}

} // namespace mlir::convoy

#endif // CONVOY_DIALECT_CONVOY_IR_KERNELSIGNATURE_H
