//===- Npy.cpp - NumPy's array files --------------------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/Npy.h"

#include "convoy/Runtime/FileIO.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <charconv>
#include <cstring>
#include <string_view>

namespace convoy {

static_assert(std::endian::native == std::endian::little,
              "elements are stored as they lie in memory");

static constexpr std::string_view Magic = "\x93NUMPY";

/// NumPy's name of a type, with the byte order in front.
struct NpyType {
  ScalarType type;
  std::string_view name;
};

static constexpr std::array<NpyType, 9> NpyTypes = {{
    {ScalarType::F64, "<f8"},
    {ScalarType::F32, "<f4"},
    {ScalarType::F16, "<f2"},
    {ScalarType::BF16, "<V2"},
    {ScalarType::I8, "|i1"},
    {ScalarType::U8, "|u1"},
    {ScalarType::I16, "<i2"},
    {ScalarType::I32, "<i4"},
    {ScalarType::I64, "<i8"},
}};

//===----------------------------------------------------------------------===//
// Header
//===----------------------------------------------------------------------===//

namespace {

/// Reads the Python dictionary in a header. Every function that returns false
/// has put a sentence into `error`.
class HeaderParser {
public:
  HeaderParser(std::string_view text, std::string &error)
      : text(text), error(error) {}

  /// Reads the dictionary into `type` and `shape`.
  bool parse(ScalarType &type, std::vector<int64_t> &shape) {
    bool hasType = false, hasOrder = false, hasShape = false;
    if (!expect("{"))
      return false;
    while (!accept("}")) {
      std::string_view key;
      if (!parseString(key) || !expect(":"))
        return false;
      bool *seen = key == "descr"           ? &hasType
                   : key == "fortran_order" ? &hasOrder
                   : key == "shape"         ? &hasShape
                                            : nullptr;
      if (!seen)
        return fail("expected one of the keys descr, fortran_order and shape, "
                    "but got " +
                    quote(key));
      if (*seen)
        return fail("key " + quote(key) + " stands twice");
      *seen = true;
      bool parsed = seen == &hasType    ? parseType(type)
                    : seen == &hasOrder ? parseOrder()
                                        : parseShape(shape);
      if (!parsed)
        return false;
      if (!accept(",") && !peek("}"))
        return unexpected("',' or '}'");
    }
    skipSpace();
    if (!text.empty())
      return unexpected("the end of the header");
    if (!hasType || !hasOrder || !hasShape)
      return fail(std::string("key '") +
                  (!hasType    ? "descr"
                   : !hasOrder ? "fortran_order"
                               : "shape") +
                  "' is missing");
    return true;
  }

private:
  bool fail(std::string sentence) {
    error = "the header is malformed: " + std::move(sentence);
    return false;
  }

  /// A piece of the header as it may stand in a message: printable and short.
  static std::string quote(std::string_view piece) {
    static constexpr size_t MaxLength = 20;
    std::string result = "'";
    for (char letter : piece.substr(0, MaxLength))
      result += letter >= ' ' && letter <= '~' ? letter : '?';
    return result + (piece.size() > MaxLength ? "...'" : "'");
  }

  bool unexpected(const std::string &expected) {
    return fail("expected " + expected + ", but got " +
                (text.empty() ? std::string("its end") : quote(text)));
  }

  void skipSpace() {
    size_t begin = text.find_first_not_of(" \t\r\n");
    text.remove_prefix(std::min(begin, text.size()));
  }

  bool peek(std::string_view token) {
    skipSpace();
    return text.substr(0, token.size()) == token;
  }

  bool accept(std::string_view token) {
    if (!peek(token))
      return false;
    text.remove_prefix(token.size());
    return true;
  }

  bool expect(std::string_view token) {
    return accept(token) || unexpected("'" + std::string(token) + "'");
  }

  bool parseString(std::string_view &result) {
    skipSpace();
    if (text.empty() || (text[0] != '\'' && text[0] != '"'))
      return unexpected("a string");
    size_t end = text.find(text[0], 1);
    if (end == std::string_view::npos)
      return unexpected("a string with its closing quote");
    result = text.substr(1, end - 1);
    text.remove_prefix(end + 1);
    return true;
  }

  bool parseType(ScalarType &type) {
    if (peek("["))
      return fail("structured types are not supported");
    std::string_view name;
    if (!parseString(name))
      return false;
    auto matches = [&](const NpyType &candidate) {
      // One byte has no order, nor has a void type.
      std::string_view letters = candidate.name.substr(1);
      bool anyOrder = letters.back() == '1' || letters.front() == 'V';
      return name == candidate.name ||
             (anyOrder && !name.empty() && name.front() == '|' &&
              name.substr(1) == letters);
    };
    auto found = std::find_if(NpyTypes.begin(), NpyTypes.end(), matches);
    if (found == NpyTypes.end()) {
      error =
          "expected elements of type <f8, <f4, <f2, |i1, |u1, <i2, <i4, <i8 "
          "or <V2 (bf16), but got " +
          quote(name);
      return false;
    }
    type = found->type;
    return true;
  }

  bool parseOrder() {
    if (accept("False"))
      return true;
    if (!accept("True"))
      return unexpected("True or False");
    error = "expected row-major order, but got Fortran order";
    return false;
  }

  bool parseShape(std::vector<int64_t> &shape) {
    static constexpr size_t MaxRank = 64; // NumPy's own limit
    if (!expect("("))
      return false;
    while (!accept(")")) {
      skipSpace();
      int64_t size = 0;
      auto [end, code] =
          std::from_chars(text.data(), text.data() + text.size(), size);
      if (code == std::errc::result_out_of_range)
        return unexpected("a size below 2^63");
      if (code != std::errc() || size < 0)
        return unexpected("a size");
      text.remove_prefix(static_cast<size_t>(end - text.data()));
      shape.push_back(size);
      if (shape.size() > MaxRank)
        return fail("expected at most 64 dimensions");
      if (!accept(",") && !peek(")"))
        return unexpected("',' or ')'");
    }
    return true;
  }

  std::string_view text;
  std::string &error;
};

} // namespace

/// Takes the header's text off the front of a file's `bytes`.
static std::optional<std::string_view> takeHeader(std::string_view &bytes,
                                                  std::string &error) {
  if (bytes.substr(0, Magic.size()) != Magic) {
    error = "expected the magic string \\x93NUMPY at the start of the file";
    return std::nullopt;
  }
  bytes.remove_prefix(Magic.size());
  size_t version = bytes.size() >= 2 ? static_cast<uint8_t>(bytes[0]) : 1;
  if (version < 1 || version > 3) {
    error = "expected version 1, 2 or 3 of the format, but got " +
            std::to_string(version);
    return std::nullopt;
  }
  size_t lengthBytes = version == 1 ? 2 : 4;
  if (bytes.size() < 2 + lengthBytes) {
    error = "the file ends before the length of its header";
    return std::nullopt;
  }
  bytes.remove_prefix(2);
  size_t length = 0;
  for (size_t i = lengthBytes; i-- > 0;)
    length = length << 8 | static_cast<uint8_t>(bytes[i]);
  bytes.remove_prefix(lengthBytes);
  if (bytes.size() < length) {
    error = "the file ends within its header: expected " +
            std::to_string(length) + " bytes, but got " +
            std::to_string(bytes.size());
    return std::nullopt;
  }
  std::string_view header = bytes.substr(0, length);
  bytes.remove_prefix(length);
  return header;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

std::optional<HostArray> parseNpy(std::span<const std::byte> bytes,
                                  std::string &error) {
  std::string_view rest(reinterpret_cast<const char *>(bytes.data()),
                        bytes.size());
  std::optional<std::string_view> header = takeHeader(rest, error);
  if (!header)
    return std::nullopt;
  ScalarType type;
  std::vector<int64_t> shape;
  if (!HeaderParser(*header, error).parse(type, shape))
    return std::nullopt;
  std::optional<int64_t> count = checkedElementCount(type, shape);
  if (!count) {
    error = "the shape has more bytes than 2^63";
    return std::nullopt;
  }
  int64_t expected = *count * scalarSize(type);
  if (static_cast<int64_t>(rest.size()) != expected) {
    error = "expected " + std::to_string(expected) + " bytes of data for " +
            std::to_string(*count) + " elements, but got " +
            std::to_string(rest.size());
    return std::nullopt;
  }
  HostArray array(type, std::move(shape));
  std::copy(bytes.end() - static_cast<std::ptrdiff_t>(rest.size()), bytes.end(),
            array.bytes.begin());
  return array;
}

std::vector<std::byte> serializeNpy(const HostArray &array) {
  auto type = std::find_if(
      NpyTypes.begin(), NpyTypes.end(),
      [&](const NpyType &candidate) { return candidate.type == array.type; });
  assert(type != NpyTypes.end() && "every type has a name");
  std::string header = "{'descr': '" + std::string(type->name) +
                       "', 'fortran_order': False, 'shape': (";
  for (int64_t size : array.shape)
    header += std::to_string(size) + ", ";
  // As Python prints tuples: (), (3,), (3, 4).
  if (array.shape.size() == 1)
    header.pop_back();
  else if (!array.shape.empty())
    header.resize(header.size() - 2);
  header += "), }";

  // Data begins at a multiple of 64 bytes; the header ends with a newline.
  static constexpr size_t Alignment = 64;
  size_t preamble = Magic.size() + 4;
  size_t length = header.size() + 1;
  length += (Alignment - (preamble + length) % Alignment) % Alignment;
  header.resize(length - 1, ' ');
  header += '\n';

  std::string start(Magic);
  start += {'\1', '\0', static_cast<char>(length & 0xff),
            static_cast<char>(length >> 8)};
  start += header;
  std::vector<std::byte> bytes(start.size() + array.bytes.size());
  std::memcpy(bytes.data(), start.data(), start.size());
  std::copy(array.bytes.begin(), array.bytes.end(),
            bytes.begin() + static_cast<std::ptrdiff_t>(start.size()));
  return bytes;
}

std::optional<HostArray> readNpy(const std::string &path, std::string &error) {
  std::optional<std::vector<std::byte>> bytes = readFile(path, error);
  if (!bytes)
    return std::nullopt;
  std::optional<HostArray> array = parseNpy(*bytes, error);
  if (!array)
    error = "cannot read '" + path + "': " + error;
  return array;
}

bool writeNpy(const std::string &path, const HostArray &array,
              std::string &error) {
  return writeFile(path, serializeNpy(array), error);
}

} // namespace convoy
