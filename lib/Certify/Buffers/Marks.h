//===- Marks.h - What is noted of ops in their attributes -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_BUFFERS_MARKS_H
#define CONVOY_LIB_CERTIFY_BUFFERS_MARKS_H

#include "llvm/ADT/StringRef.h"

namespace mlir::convoy::certify {

/// On a launch, what is not read of its kernel.
constexpr llvm::StringLiteral kObstacleAttrName = "certify.obstacle";

/// On loops in parallel, a number that is that of others in the same block:
/// theirs are in parallel, too, whichever comes first.
constexpr llvm::StringLiteral kPhaseAttrName = "certify.phase";

/// On a buffer, and the tensor that it is at first, of which each iteration in
/// parallel accesses elements of its own.
constexpr llvm::StringLiteral kOfEachAttrName = "certify.of_each";

/// On an op of two tensors, which must be equal for what others compute to be
/// known.
constexpr llvm::StringLiteral kMustBeEqualAttrName = "certify.must_be_equal";

/// On a tensor in the place of memory that is allocated with a size that may be
/// negative.
constexpr llvm::StringLiteral kMayBeNegativeAttrName =
    "certify.may_be_negative";

/// On an argument, that the function wrote the buffer that was in its place.
constexpr llvm::StringLiteral kOverwrittenAttrName = "certify.overwritten";

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_BUFFERS_MARKS_H
