//===- GuardedBuffer.h - Memory that notices stray writes -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block of host memory between two guard zones of known content. The zones
// touch the payload's first and last byte, so a write that strays by one byte
// is found.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_GUARDEDBUFFER_H
#define CONVOY_RUNTIME_GUARDEDBUFFER_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace convoy {

/// One guard zone whose content has changed.
struct GuardViolation {
  enum class Side { Before, After };
  Side side;
  /// The changed byte nearest to the payload: its distance from the first byte
  /// of the payload (negative) or from the payload's end (0 is the first byte
  /// after it).
  int64_t offset;
  /// Number of changed bytes in the zone.
  int64_t changedBytes;
};

/// One sentence, for example "4 bytes after the end were overwritten, the
/// nearest at offset 0".
std::string toString(const GuardViolation &violation);

/// What a guard zone on `side` of a payload holds.
std::vector<std::byte> makeGuard(GuardViolation::Side side);

/// The zones before and after a payload that no longer hold that: none, one or
/// both.
std::vector<GuardViolation> findViolations(std::span<const std::byte> before,
                                           std::span<const std::byte> after);

/// Owns a payload of a fixed number of bytes, aligned to 64, between guards.
class GuardedBuffer {
public:
  static constexpr size_t Alignment = 64;
  /// Bytes in each guard zone; writes beyond them go unnoticed.
  static constexpr size_t GuardSize = 4096;

  /// A buffer with a payload of zeros, or nothing where memory is short.
  static std::optional<GuardedBuffer> create(size_t size);

  std::byte *data() { return storage.get() + GuardSize; }
  const std::byte *data() const { return storage.get() + GuardSize; }
  size_t size() const { return payloadSize; }
  std::span<std::byte> payload() { return {data(), payloadSize}; }
  std::span<const std::byte> payload() const { return {data(), payloadSize}; }

  /// The payload with both guard zones.
  std::span<std::byte> whole() {
    return {storage.get(), payloadSize + 2 * GuardSize};
  }

  /// The guard zones that were written to: none, one or both.
  std::vector<GuardViolation> check() const;

private:
  struct Deleter {
    void operator()(std::byte *storage) const;
  };

  GuardedBuffer(std::byte *storage, size_t size)
      : storage(storage), payloadSize(size) {}

  std::unique_ptr<std::byte, Deleter> storage;
  size_t payloadSize;
};

} // namespace convoy

#endif // CONVOY_RUNTIME_GUARDEDBUFFER_H
