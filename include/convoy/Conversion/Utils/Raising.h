//===- Raising.h - What the raising passes share ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_CONVERSION_UTILS_RAISING_H
#define CONVOY_CONVERSION_UTILS_RAISING_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"

namespace mlir::convoy {

/// Takes the reason why an op is not raised; always fails.
using Refuse = function_ref<LogicalResult(const Twine &)>;

/// Refuses elements that are neither signless integers nor floats, or that do
/// not fill 1, 2, 4 or more bytes, as i4 and i48: vectors of those lie in
/// memory in another way than tensors do.
LogicalResult checkElements(ArrayRef<Type> elements, Refuse refuse);

/// The numerics of a raised op. The accumulator is written down where it is not
/// the init's type, and where it is a float below f32: only so does a policy
/// know that it is meant.
NumericsAttr getRaisedNumerics(bool inputUnsigned, bool filterUnsigned,
                               Type accumulator, Type init);

} // namespace mlir::convoy

#endif // CONVOY_CONVERSION_UTILS_RAISING_H
