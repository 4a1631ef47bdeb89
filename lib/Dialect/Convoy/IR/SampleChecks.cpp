//===- SampleChecks.cpp - What ops that sample check ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpSyntax.h"

using namespace mlir;
using namespace mlir::convoy;

LogicalResult mlir::convoy::verifyRank(Operation *op,
                                       const NamedTensor &tensor) {
  int64_t rank = tensor.layout.size();
  if (tensor.type.getRank() != rank)
    return op->emitOpError()
           << "expected rank " << rank << " of the " << tensor.name
           << ", as its layout has letters, but got " << tensor.type.getRank();
  return success();
}

LogicalResult mlir::convoy::verifySameSize(Operation *op, char letter,
                                           const NamedTensor &first,
                                           const NamedTensor &second) {
  int64_t expected = first.getSize(letter), size = second.getSize(letter);
  if (size == expected || ShapedType::isDynamic(size) ||
      ShapedType::isDynamic(expected))
    return success();
  return op->emitOpError() << "expected size " << expected << " of "
                           << Twine(letter) << " as in the " << first.name
                           << ", but got " << size << " in the " << second.name;
}

LogicalResult mlir::convoy::verifySampledType(Operation *op,
                                              const NamedTensor &tensor) {
  Type type = tensor.type.getElementType();
  if (!isa<Float32Type, Float16Type, BFloat16Type>(type))
    return op->emitOpError() << "expected elements of f32, f16 or bf16 in the "
                             << tensor.name << ", but got " << type;
  return success();
}

LogicalResult mlir::convoy::verifyImageSize(Operation *op, char letter,
                                            const NamedTensor &image) {
  int64_t size = image.getSize(letter);
  if (!ShapedType::isDynamic(size) &&
      (size < 1 || size > GridSampleOp::kMaxSize))
    return op->emitOpError()
           << "expected a size of " << Twine(letter) << " from 1 to "
           << GridSampleOp::kMaxSize << " in the " << image.name << ", but got "
           << size;
  return success();
}
