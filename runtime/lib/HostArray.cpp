//===- HostArray.cpp - A dense array in host memory -----------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/HostArray.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace convoy {

std::optional<int64_t> checkedElementCount(ScalarType type,
                                           std::span<const int64_t> shape) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end())
    return 0;
  int64_t limit = std::numeric_limits<int64_t>::max() / scalarSize(type);
  int64_t count = 1;
  for (int64_t size : shape) {
    if (count > limit / size)
      return std::nullopt;
    count *= size;
  }
  return count;
}

HostArray::HostArray(ScalarType type, std::vector<int64_t> shape)
    : type(type), shape(std::move(shape)) {
  std::optional<int64_t> count = checkedElementCount(type, this->shape);
  assert(count && "the array is too large to count its bytes");
  bytes.resize(static_cast<size_t>(*count * scalarSize(type)));
}

int64_t HostArray::elementCount() const {
  return static_cast<int64_t>(bytes.size()) / scalarSize(type);
}

} // namespace convoy
