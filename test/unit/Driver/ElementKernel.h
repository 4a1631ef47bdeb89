//===- ElementKernel.h - A kernel of ops on single elements -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_UNIT_DRIVER_ELEMENTKERNEL_H
#define CONVOY_TEST_UNIT_DRIVER_ELEMENTKERNEL_H

#include "convoy/Runtime/HostArray.h"

#include "llvm/ADT/StringRef.h"

#include <vector>

namespace convoy {

/// What `body`, which sees elements %a, %b, .. of the inputs and yields %r,
/// gives where it is compiled for `cpu`.
HostArray runElementwise(llvm::StringRef cpu, llvm::StringRef body,
                         const std::vector<HostArray> &inputs,
                         ScalarType resultType);

} // namespace convoy

#endif // CONVOY_TEST_UNIT_DRIVER_ELEMENTKERNEL_H
