//===- hip_runtime_api.h - HIP's headers as of version 6 --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The installed headers, with what version 6 changed: properties of devices are
// another structure, which a function of another name fills, and both names are
// defined as the new ones.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_HIP_HIP6_HIP_HIP_RUNTIME_API_H
#define CONVOY_TEST_HIP_HIP6_HIP_HIP_RUNTIME_API_H

#include_next <hip/hip_runtime_api.h>

#include "../Properties.h"

#endif // CONVOY_TEST_HIP_HIP6_HIP_HIP_RUNTIME_API_H
