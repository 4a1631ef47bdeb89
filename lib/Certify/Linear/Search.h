//===- Search.h - Points of systems of few choices --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_LINEAR_SEARCH_H
#define CONVOY_LIB_CERTIFY_LINEAR_SEARCH_H

#include "convoy/Certify/Linear/LinearSystem.h"

namespace mlir::convoy::certify {

/// How long to search: a short search shows of most systems whether they have a
/// point.
enum class Effort { Short, Full };

/// Whether `constraints` have an integer point; nothing where the search does
/// not find out.
std::optional<bool> searchPoint(ArrayRef<Constraint> constraints,
                                Effort effort);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_LINEAR_SEARCH_H
