//===- EqualReads.h - One way to write what is read -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_TERMS_EQUALREADS_H
#define CONVOY_LIB_CERTIFY_TERMS_EQUALREADS_H

#include "Expr.h"

namespace mlir::convoy::certify {

/// `expr` with the same indices in all reads of one element, wherever `domain`,
/// which has points, holds: terms that are multiples of it become one.
ExprRef unifyReads(Solver &solver, const ExprRef &expr, const System &domain);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_TERMS_EQUALREADS_H
