//===- Npz.cpp - NumPy's archives of arrays -------------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/Npz.h"

#include "convoy/Runtime/FileIO.h"
#include "convoy/Runtime/Npy.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace convoy {

static constexpr std::string_view Extension = ".npy";

/// What a file has at each of its places (APPNOTE.TXT, 4.3): signatures, and
/// the sizes of records without the texts at their ends.
static constexpr uint64_t MemberSignature = 0x04034b50, MemberSize = 30;
static constexpr uint64_t EntrySignature = 0x02014b50, EntrySize = 46;
static constexpr uint64_t EndSignature = 0x06054b50, EndSize = 22;
static constexpr uint64_t Limit32 = 0xffffffff, Limit16 = 0xffff;

bool isNpzPath(const std::string &path) { return path.ends_with(".npz"); }

/// The checksum of ZIP's, by the bits of each byte (ISO 3309).
static uint32_t getChecksum(std::span<const std::byte> bytes) {
  static const std::array<uint32_t, 256> table = [] {
    std::array<uint32_t, 256> remainders = {};
    for (uint32_t byte = 0; byte < remainders.size(); ++byte) {
      uint32_t value = byte;
      for (int bit = 0; bit < 8; ++bit)
        value = value >> 1 ^ (value & 1 ? 0xedb88320 : 0);
      remainders[byte] = value;
    }
    return remainders;
  }();
  uint32_t sum = ~0u;
  for (std::byte byte : bytes)
    sum = sum >> 8 ^ table[(sum ^ static_cast<uint32_t>(byte)) & 0xff];
  return ~sum;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {

/// What the directory of an archive says of a member.
struct Entry {
  std::string name;
  uint64_t method, checksum, size, fullSize, place;
};

/// Reads an archive. What returns nothing has put a sentence into `error`.
class ArchiveParser {
public:
  ArchiveParser(std::span<const std::byte> bytes, std::string &error)
      : bytes(bytes), error(error) {}

  std::optional<NamedArrays> parse() {
    std::optional<std::vector<Entry>> entries = parseDirectory();
    if (!entries)
      return std::nullopt;
    NamedArrays arrays;
    std::set<std::string> names;
    for (const Entry &entry : *entries) {
      std::optional<HostArray> array = parseMember(entry);
      if (!array)
        return std::nullopt;
      std::string name = entry.name;
      if (name.ends_with(Extension))
        name.resize(name.size() - Extension.size());
      if (!names.insert(name).second)
        return fail("two members are called '" + quote(name) + "'");
      arrays.emplace_back(std::move(name), std::move(*array));
    }
    return arrays;
  }

private:
  std::nullopt_t fail(std::string sentence) {
    error = std::move(sentence);
    return std::nullopt;
  }

  /// A name as it may stand in a message.
  static std::string quote(std::string_view name) {
    std::string result;
    for (char letter : name)
      result += letter >= ' ' && letter <= '~' ? letter : '?';
    return result;
  }

  bool has(uint64_t place, uint64_t size) const {
    return place <= bytes.size() && size <= bytes.size() - place;
  }
  /// The number of `size` bytes at `place`, which are there.
  uint64_t read(uint64_t place, uint64_t size) const {
    uint64_t number = 0;
    for (uint64_t i = size; i-- > 0;)
      number = number << 8 | static_cast<uint8_t>(bytes[place + i]);
    return number;
  }

  /// Where the record at the end of the archive begins: a comment of any text
  /// may follow it.
  std::optional<uint64_t> findEnd() const {
    uint64_t most = EndSize + Limit16;
    for (uint64_t size = EndSize; size <= std::min(bytes.size(), most); ++size)
      if (uint64_t place = bytes.size() - size;
          read(place, 4) == EndSignature &&
          read(place + 20, 2) == size - EndSize)
        return place;
    return std::nullopt;
  }

  std::optional<std::vector<Entry>> parseDirectory() {
    std::optional<uint64_t> end = findEnd();
    if (!end)
      return fail("expected a ZIP archive, as numpy.savez writes it");
    uint64_t count = read(*end + 10, 2), place = read(*end + 16, 4);
    if (count == Limit16 || place == Limit32)
      return fail("expected an archive of less than 4 GiB and fewer than 65535 "
                  "members");
    std::vector<Entry> entries;
    for (uint64_t i = 0; i < count; ++i) {
      if (!has(place, EntrySize) || read(place, 4) != EntrySignature)
        return fail("the archive's directory is damaged");
      uint64_t nameSize = read(place + 28, 2);
      uint64_t otherSize = read(place + 30, 2) + read(place + 32, 2);
      if (!has(place + EntrySize, nameSize + otherSize))
        return fail("the archive's directory is damaged");
      const char *name =
          reinterpret_cast<const char *>(bytes.data() + place + EntrySize);
      entries.push_back({std::string(name, nameSize), read(place + 10, 2),
                         read(place + 16, 4), read(place + 20, 4),
                         read(place + 24, 4), read(place + 42, 4)});
      place += EntrySize + nameSize + otherSize;
    }
    return entries;
  }

  std::optional<HostArray> parseMember(const Entry &entry) {
    std::string member = "member '" + quote(entry.name) + "'";
    if (entry.method != 0)
      return fail(member + " is compressed, expected one that is stored, as "
                           "numpy.savez writes it");
    bool isThere = has(entry.place, MemberSize) &&
                   read(entry.place, 4) == MemberSignature &&
                   entry.size == entry.fullSize;
    uint64_t place = entry.place + MemberSize;
    if (isThere)
      place += read(entry.place + 26, 2) + read(entry.place + 28, 2);
    if (!isThere || !has(place, entry.size))
      return fail(member + " is not where the directory says");
    std::span<const std::byte> data = bytes.subspan(place, entry.size);
    if (getChecksum(data) != entry.checksum)
      return fail(member + " is damaged: its checksum is another");
    std::optional<HostArray> array = parseNpy(data, error);
    if (!array)
      error = member + ": " + error;
    return array;
  }

  std::span<const std::byte> bytes;
  std::string &error;
};

} // namespace

std::optional<NamedArrays> parseNpz(std::span<const std::byte> bytes,
                                    std::string &error) {
  return ArchiveParser(bytes, error).parse();
}

std::optional<NamedArrays> readNpz(const std::string &path,
                                   std::string &error) {
  std::optional<std::vector<std::byte>> bytes = readFile(path, error);
  if (!bytes)
    return std::nullopt;
  std::optional<NamedArrays> arrays = parseNpz(*bytes, error);
  if (!arrays)
    error = "cannot read '" + path + "': " + error;
  return arrays;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static void append(std::vector<std::byte> &bytes, uint64_t number,
                   uint64_t size) {
  for (; size > 0; --size, number >>= 8)
    bytes.push_back(static_cast<std::byte>(number & 0xff));
}

static void append(std::vector<std::byte> &bytes, std::string_view text) {
  auto more = std::as_bytes(std::span(text));
  bytes.insert(bytes.end(), more.begin(), more.end());
}

/// What a member and its entry in the directory have in common, from the
/// version on: stored, at the earliest time that there is, so that the same
/// arrays give the same bytes.
static void appendDescription(std::vector<std::byte> &bytes,
                              const std::string &name, uint64_t checksum,
                              uint64_t size) {
  constexpr uint64_t Version = 20, NamesAreUTF8 = 0x800, FirstOfJanuary = 0x21;
  append(bytes, Version, 2);
  append(bytes, NamesAreUTF8, 2);
  append(bytes, 0, 2); // stored
  append(bytes, 0, 2); // midnight
  append(bytes, FirstOfJanuary, 2);
  append(bytes, checksum, 4);
  append(bytes, size, 4);
  append(bytes, size, 4);
  append(bytes, name.size(), 2);
  append(bytes, 0, 2); // nothing else
}

std::optional<std::vector<std::byte>> serializeNpz(const NamedArrays &arrays,
                                                   std::string &error) {
  std::vector<std::byte> bytes, directory;
  std::set<std::string> names;
  for (const auto &[title, array] : arrays) {
    if (!names.insert(title).second) {
      error = "expected arrays of different names, but got two called '" +
              title + "'";
      return std::nullopt;
    }
    std::string name = title + std::string(Extension);
    std::vector<std::byte> data = serializeNpy(array);
    uint64_t checksum = getChecksum(data), place = bytes.size();
    append(bytes, MemberSignature, 4);
    appendDescription(bytes, name, checksum, data.size());
    append(bytes, name);
    bytes.insert(bytes.end(), data.begin(), data.end());

    append(directory, EntrySignature, 4);
    append(directory, 20, 2); // made by
    appendDescription(directory, name, checksum, data.size());
    append(directory, 0, 10); // no comment, the first disk, no attributes
    append(directory, place, 4);
    append(directory, name);
    if (bytes.size() + directory.size() + EndSize >= Limit32 ||
        names.size() >= Limit16) {
      error = "expected arrays of less than 4 GiB together, and fewer than "
              "65535, for one file";
      return std::nullopt;
    }
  }
  uint64_t place = bytes.size();
  bytes.insert(bytes.end(), directory.begin(), directory.end());
  append(bytes, EndSignature, 4);
  append(bytes, 0, 4); // the only disk
  append(bytes, arrays.size(), 2);
  append(bytes, arrays.size(), 2);
  append(bytes, directory.size(), 4);
  append(bytes, place, 4);
  append(bytes, 0, 2); // no comment
  return bytes;
}

bool writeNpz(const std::string &path, const NamedArrays &arrays,
              std::string &error) {
  std::optional<std::vector<std::byte>> bytes = serializeNpz(arrays, error);
  if (!bytes)
    error = "cannot write '" + path + "': " + error;
  return bytes && writeFile(path, *bytes, error);
}

} // namespace convoy
