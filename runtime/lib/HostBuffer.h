//===- HostBuffer.h - Buffers of devices that the host is -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_LIB_HOSTBUFFER_H
#define CONVOY_RUNTIME_LIB_HOSTBUFFER_H

#include "DeviceBackend.h"

namespace convoy {

/// A buffer in the host's memory, between guard zones unless it is the
/// caller's.
class HostBuffer final : public convoy_buffer {
public:
  static int create(const convoy_device *owner, size_t size,
                    convoy_buffer **buffer);
  /// A buffer of the caller's `memory`.
  static int wrap(const convoy_device *owner, std::span<std::byte> memory,
                  convoy_buffer **buffer);

  const convoy_device *device() const override { return owner; }
  size_t size() const override { return payload.size(); }
  int write(size_t offset, std::span<const std::byte> source) override;
  int read(size_t offset, std::span<std::byte> target) const override;
  int fill(std::span<const std::byte> pattern) override;
  int check() const override {
    return guarded ? report(guarded->check()) : CONVOY_OK;
  }

  std::byte *data() { return payload.data(); }
  /// The bytes with the guard zones around them, which are not the caller's.
  std::span<std::byte> whole() { return guarded->whole(); }

private:
  HostBuffer(const convoy_device *owner, GuardedBuffer memory)
      : owner(owner), guarded(std::move(memory)), payload(guarded->payload()) {}
  HostBuffer(const convoy_device *owner, std::span<std::byte> memory)
      : owner(owner), payload(memory) {}

  const convoy_device *owner;
  std::optional<GuardedBuffer> guarded;
  std::span<std::byte> payload; ///< the bytes that a kernel sees
};

} // namespace convoy

#endif // CONVOY_RUNTIME_LIB_HOSTBUFFER_H
