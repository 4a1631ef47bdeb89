//===- Widenings.h - Conversions to wider types -----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_TERMS_WIDENINGS_H
#define CONVOY_LIB_CERTIFY_TERMS_WIDENINGS_H

#include "Expr.h"

namespace mlir::convoy::certify {

/// Whether the scalar op `name` converts to a wider type.
bool isWidening(StringRef name);

/// What the widening `name` of `operand` to `type` is: one step for several,
/// or done before a product or a difference that is exact either way. Else
/// null.
ExprRef simplifyWidening(StringRef name, Type type, const ExprRef &operand);

/// How many low bits of `expr`, a widened integer less a constant, may not be
/// zero; nothing where it is something else, or may be negative.
std::optional<unsigned> getUnsignedBits(const ExprRef &expr);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_TERMS_WIDENINGS_H
