//===- Simplify.h - Scalar ops with simpler values --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_SIMPLIFY_H
#define CONVOY_LIB_CERTIFY_SIMPLIFY_H

#include "Expr.h"

namespace mlir::convoy::certify {

/// An expression for what the scalar op `name`, which has no attributes, makes
/// of `operands`, with the same value for all finite values of arguments; null
/// where there is none that is simpler.
ExprRef simplify(StringRef name, Type type, ArrayRef<ExprRef> operands);

/// `constant` as the wider type `type`, or the narrower integer type, holds it,
/// which `name` converts it to; null for other conversions.
TypedAttr convertConstant(StringRef name, TypedAttr constant, Type type);

/// Whether `a` and `b` are written in the same way.
bool areSame(const ExprRef &a, const ExprRef &b);

/// Whether the scalar op `name` has the same value of its two operands the
/// other way around, where these are finite.
bool commutes(StringRef name);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_SIMPLIFY_H
