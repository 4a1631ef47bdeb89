//===- Shadows.h - Systems with fewer unknowns ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_LINEAR_SHADOWS_H
#define CONVOY_LIB_CERTIFY_LINEAR_SHADOWS_H

#include "convoy/Certify/Linear/LinearSystem.h"

namespace mlir::convoy::certify {

/// Takes an unknown out of `constraints` where what is left has points if and
/// only if they have, and is no longer; returns false if there is none.
bool takeOutUnknown(Constraints &constraints);

/// Takes out of `constraints` unknowns whose factors are everywhere the same
/// multiple of another's, which has all their values, too; returns false if
/// there is none.
bool takeOutMultiples(Constraints &constraints);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_LINEAR_SHADOWS_H
