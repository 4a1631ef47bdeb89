//===- CheckEpilogue.h - What becomes of sums -------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reference has the sums of a problem with an epilogue, and bounds on how
// far off a target's may be. From there on an interpreter runs the epilogue, as
// it runs functions around convolutions (CheckFunction.h).
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_DRIVER_CHECKEPILOGUE_H
#define CONVOY_LIB_DRIVER_CHECKEPILOGUE_H

#include "convoy/Driver/CheckedConv.h"

namespace mlir::convoy {

/// `compareWithReferenceOf` where `conv` has an epilogue.
::convoy::CompareReport
compareEpilogue(const CheckedConv &conv,
                const std::vector<::convoy::HostArray> &arguments,
                const ::convoy::ReferenceResult &reference, const void *result,
                const ::convoy::CompareOptions &options, FunctionMath math);

} // namespace mlir::convoy

#endif // CONVOY_LIB_DRIVER_CHECKEPILOGUE_H
