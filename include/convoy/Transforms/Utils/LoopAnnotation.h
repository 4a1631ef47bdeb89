//===- LoopAnnotation.h - What LLVM is told of loops ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_LOOPANNOTATION_H
#define CONVOY_TRANSFORMS_UTILS_LOOPANNOTATION_H

#include "llvm/ADT/StringRef.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace mlir::convoy {

/// What loops, and the branches that they become, say to LLVM.
inline constexpr llvm::StringLiteral kLoopAnnotationAttrName =
    "llvm.loop_annotation";

/// Tells LLVM not to unroll `loop`. Loops of a few positions and taps around a
/// fill or a copy would else become thousands of stores one after the other,
/// whose order takes LLVM seconds to find.
void forbidUnrolling(Operation *loop);

/// Tells LLVM not to unroll `loop`, and that its iterations may run in any
/// order, or at once: what one writes no other accesses. It is told so once
/// `convoy-mark-parallel-accesses` has run.
void markParallel(Operation *loop);

/// Tells LLVM neither to unroll nor to vectorize `loop`: where elements that it
/// copies lie apart, scattered stores of vectors are slower than single ones.
void forbidTransforming(Operation *loop);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_LOOPANNOTATION_H
