//===- Arrays.h - Arrays that tests write down ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_UNIT_DRIVER_ARRAYS_H
#define CONVOY_TEST_UNIT_DRIVER_ARRAYS_H

#include "convoy/Runtime/HostArray.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace convoy {

/// An array of `shape` with `values`, rounded to `type`, in its order.
inline HostArray makeArray(ScalarType type, std::vector<int64_t> shape,
                           const std::vector<double> &values) {
  HostArray array(type, std::move(shape));
  for (size_t i = 0; i < values.size(); ++i)
    array.set(int64_t(i), values[i]);
  return array;
}

/// The same of f32.
inline HostArray makeArray(std::vector<int64_t> shape,
                           const std::vector<double> &values) {
  return makeArray(ScalarType::F32, std::move(shape), values);
}

} // namespace convoy

#endif // CONVOY_TEST_UNIT_DRIVER_ARRAYS_H
