//===- HostBuffer.cpp - Buffers of devices that the host is ---------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostBuffer.h"

#include <algorithm>

using namespace convoy;

int HostBuffer::create(const convoy_device *owner, size_t size,
                       convoy_buffer **buffer) {
  std::optional<GuardedBuffer> memory = GuardedBuffer::create(size);
  if (!memory)
    return fail(CONVOY_INVALID, "there is no memory for a buffer of " +
                                    std::to_string(size) + " bytes");
  *buffer = new HostBuffer(owner, std::move(*memory));
  return CONVOY_OK;
}

int HostBuffer::wrap(const convoy_device *owner, std::span<std::byte> memory,
                     convoy_buffer **buffer) {
  *buffer = new HostBuffer(owner, memory);
  return CONVOY_OK;
}

int HostBuffer::write(size_t offset, std::span<const std::byte> source) {
  std::copy(source.begin(), source.end(), payload.data() + offset);
  return CONVOY_OK;
}

int HostBuffer::read(size_t offset, std::span<std::byte> target) const {
  std::copy_n(payload.data() + offset, target.size(), target.begin());
  return CONVOY_OK;
}

int HostBuffer::fill(std::span<const std::byte> pattern) {
  for (size_t place = 0; place < payload.size(); ++place)
    payload[place] = pattern[place % pattern.size()];
  return CONVOY_OK;
}
