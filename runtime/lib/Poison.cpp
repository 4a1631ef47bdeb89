//===- Poison.cpp - Marks of memory that nobody has written ---------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/Poison.h"

#include <algorithm>
#include <cstring>

namespace convoy {

uint64_t poisonBits(ScalarType type) {
  switch (type) {
  case ScalarType::F64:
    return 0x7ff8'c0de'c0de'c0de;
  case ScalarType::F32:
    return 0x7fc0'c0de;
  case ScalarType::F16:
    return 0x7e5a;
  case ScalarType::BF16:
    return 0x7fda;
  case ScalarType::I8:
  case ScalarType::U8:
    return 0xa5;
  case ScalarType::I16:
    return 0xa5c3;
  case ScalarType::I32:
    return 0xa5c3'96e1;
  case ScalarType::I64:
    return 0xa5c3'96e1'5a3c'691e;
  }
  return 0;
}

void fillWithPoison(ScalarType type, std::span<std::byte> bytes) {
  uint64_t pattern = poisonBits(type);
  size_t size = static_cast<size_t>(scalarSize(type));
  for (size_t begin = 0; begin < bytes.size(); begin += size)
    std::memcpy(&bytes[begin], &pattern, std::min(size, bytes.size() - begin));
}

bool isPoison(ScalarType type, const void *data, int64_t index) {
  uint64_t pattern = poisonBits(type);
  int64_t size = scalarSize(type);
  return std::memcmp(static_cast<const std::byte *>(data) + index * size,
                     &pattern, static_cast<size_t>(size)) == 0;
}

std::vector<int64_t>
findPoison(ScalarType type, std::span<const std::byte> bytes, size_t limit) {
  std::vector<int64_t> indices;
  int64_t count = static_cast<int64_t>(bytes.size()) / scalarSize(type);
  for (int64_t index = 0; index < count && indices.size() < limit; ++index)
    if (isPoison(type, bytes.data(), index))
      indices.push_back(index);
  return indices;
}

} // namespace convoy
