//===- MessagePack.h - Reading values in MessagePack ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As much of https://github.com/msgpack/msgpack/blob/master/spec.md as metadata
// of code objects has: integers, booleans, strings, arrays and maps.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_LIB_MESSAGEPACK_H
#define CONVOY_RUNTIME_LIB_MESSAGEPACK_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace convoy {

/// A value. It has what its kind has, and nothing of the others: a number has
/// an empty text.
struct MessagePack {
  uint64_t number = 0; ///< 1 for true
  std::string text;
  std::vector<MessagePack> elements; ///< of an array, or the values of a map
  std::vector<std::string> keys;     ///< of a map

  /// The value of `key` in a map, the first if there are several; or a value of
  /// no kind.
  const MessagePack &operator[](std::string_view key) const;
};

/// Reads the one value that `bytes` begin with; nothing where there is none, or
/// one of another kind in it.
std::optional<MessagePack> readMessagePack(std::span<const std::byte> bytes);

} // namespace convoy

#endif // CONVOY_RUNTIME_LIB_MESSAGEPACK_H
