//===- MessagePack.cpp - Reading values in MessagePack --------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MessagePack.h"

#include <algorithm>

using namespace convoy;

const MessagePack &MessagePack::operator[](std::string_view key) const {
  static const MessagePack nothing;
  auto found = std::ranges::find(keys, key);
  return found == keys.end() ? nothing : elements[size_t(found - keys.begin())];
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
class Reader {
public:
  explicit Reader(std::span<const std::byte> bytes) : bytes(bytes) {}

  /// Reads a value within `depth` arrays and maps; false where there is none.
  bool read(MessagePack &result, int depth);

private:
  /// Reads an unsigned number of `width` bytes, the first the highest.
  bool readNumber(size_t width, uint64_t &number);
  bool readText(uint64_t size, std::string &text);
  bool readArray(uint64_t count, MessagePack &result, int depth);
  bool readMap(uint64_t count, MessagePack &result, int depth);
  /// Reads what follows a first byte that is above those with short values.
  bool readLong(uint64_t head, MessagePack &result, int depth);

  std::span<const std::byte> bytes;
};
} // namespace

/// Deeper values are refused, whatever a file says.
static constexpr int MaxDepth = 32;

bool Reader::readNumber(size_t width, uint64_t &number) {
  if (bytes.size() < width)
    return false;
  number = 0;
  for (std::byte byte : bytes.first(width))
    number = number << 8 | std::to_integer<uint64_t>(byte);
  bytes = bytes.subspan(width);
  return true;
}

bool Reader::readText(uint64_t size, std::string &text) {
  if (bytes.size() < size)
    return false;
  text.assign(reinterpret_cast<const char *>(bytes.data()), size);
  bytes = bytes.subspan(size);
  return true;
}

bool Reader::readArray(uint64_t count, MessagePack &result, int depth) {
  for (uint64_t number = 0; number < count; ++number)
    if (!read(result.elements.emplace_back(), depth + 1))
      return false;
  return true;
}

bool Reader::readMap(uint64_t count, MessagePack &result, int depth) {
  for (uint64_t number = 0; number < count; ++number) {
    MessagePack key;
    if (!read(key, depth + 1) ||
        !read(result.elements.emplace_back(), depth + 1))
      return false;
    result.keys.push_back(key.text);
  }
  return true;
}

bool Reader::readLong(uint64_t head, MessagePack &result, int depth) {
  uint64_t number = 0;
  switch (head) {
  case 0xc0: // nil
    return true;
  case 0xc2: // false
  case 0xc3: // true
    result.number = head - 0xc2;
    return true;
  case 0xcc: // unsigned numbers of 8 to 64 bits
  case 0xcd:
  case 0xce:
  case 0xcf:
    return readNumber(size_t(1) << (head - 0xcc), result.number);
  case 0xd9: // texts with a size of 8 to 32 bits
  case 0xda:
  case 0xdb:
    return readNumber(size_t(1) << (head - 0xd9), number) &&
           readText(number, result.text);
  case 0xdc: // arrays with a size of 16 or 32 bits
  case 0xdd:
    return readNumber(size_t(2) << (head - 0xdc), number) &&
           readArray(number, result, depth);
  case 0xde: // maps with a size of 16 or 32 bits
  case 0xdf:
    return readNumber(size_t(2) << (head - 0xde), number) &&
           readMap(number, result, depth);
  default:
    return false;
  }
}

bool Reader::read(MessagePack &result, int depth) {
  uint64_t head = 0;
  if (depth > MaxDepth || !readNumber(1, head))
    return false;
  if (head < 0x80) {
    result.number = head;
    return true;
  }
  if (head < 0x90)
    return readMap(head & 0xf, result, depth);
  if (head < 0xa0)
    return readArray(head & 0xf, result, depth);
  if (head < 0xc0)
    return readText(head & 0x1f, result.text);
  return readLong(head, result, depth);
}

std::optional<MessagePack>
convoy::readMessagePack(std::span<const std::byte> bytes) {
  MessagePack result;
  if (!Reader(bytes).read(result, 0))
    return std::nullopt;
  return result;
}
