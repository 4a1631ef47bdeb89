//===- CheckElements.h - Elements beside what they should be ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_DRIVER_CHECKELEMENTS_H
#define CONVOY_LIB_DRIVER_CHECKELEMENTS_H

#include "convoy/Interpreter/BoundedNumbers.h"
#include "convoy/Runtime/CompareReport.h"

namespace mlir::convoy {

/// Compares element `position` of the array at `actual`, whose elements are of
/// `type`, with a BoundedFloat, or with an integer and its error, that an
/// interpreter has for it.
::convoy::ElementCheck checkElement(::convoy::ScalarType type,
                                    const void *actual, int64_t position,
                                    const Scalar &wanted);

} // namespace mlir::convoy

#endif // CONVOY_LIB_DRIVER_CHECKELEMENTS_H
