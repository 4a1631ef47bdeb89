//===- CodeObject.cpp - What code objects say of themselves ---------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeObject.h"

#include "nlohmann/json.hpp"

#include <algorithm>
#include <cstring>
#include <elf.h>

using namespace convoy;
using nlohmann::json;

/// What elf.h of the host may not have.
static constexpr unsigned char OSAmdHsa = 64;
static constexpr uint16_t MachineAmdGpu = 224;
static constexpr uint32_t NoteAmdGpuMetadata = 32;

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

/// Reads a structure from byte `offset` of `bytes` on.
template <typename T>
static bool readAt(std::span<const std::byte> bytes, uint64_t offset,
                   T &result) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T))
    return false;
  std::memcpy(&result, bytes.data() + offset, sizeof(T));
  return true;
}

/// The `size` bytes from byte `offset` on, or nothing where there are fewer.
static std::span<const std::byte> getPart(std::span<const std::byte> bytes,
                                          uint64_t offset, uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset)
    return {};
  return bytes.subspan(offset, size);
}

static bool readHeader(std::span<const std::byte> image, Elf64_Ehdr &header) {
  return readAt(image, 0, header) &&
         std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_ident[EI_CLASS] == ELFCLASS64 &&
         header.e_ident[EI_DATA] == ELFDATA2LSB &&
         header.e_ident[EI_OSABI] == OSAmdHsa &&
         header.e_machine == MachineAmdGpu;
}

static uint64_t alignTo4(uint64_t size) { return (size + 3) / 4 * 4; }

/// The metadata among `notes`, or nothing.
static std::span<const std::byte>
findMetadata(std::span<const std::byte> notes) {
  constexpr char Owner[] = "AMDGPU";
  Elf64_Nhdr note;
  while (readAt(notes, 0, note)) {
    std::span<const std::byte> name =
        getPart(notes, sizeof(note), note.n_namesz);
    uint64_t start = sizeof(note) + alignTo4(note.n_namesz);
    std::span<const std::byte> content = getPart(notes, start, note.n_descsz);
    if (note.n_type == NoteAmdGpuMetadata && name.size() == sizeof(Owner) &&
        std::memcmp(name.data(), Owner, sizeof(Owner)) == 0)
      return content;
    uint64_t next = start + alignTo4(note.n_descsz);
    notes = getPart(notes, next, notes.size() - std::min(next, notes.size()));
  }
  return {};
}

namespace {
/// Reads MessagePack as far as nothing is nested deeper than in metadata of
/// kernels: what keeps values calls itself for each level.
class DepthCheck : public nlohmann::json_sax<json> {
public:
  bool start_object(size_t) override { return ++depth <= MaxDepth; }
  bool start_array(size_t) override { return ++depth <= MaxDepth; }
  bool end_object() override { return --depth, true; }
  bool end_array() override { return --depth, true; }
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t &) override { return true; }
  bool string(string_t &) override { return true; }
  bool binary(binary_t &) override { return true; }
  bool key(string_t &) override { return true; }
  bool parse_error(size_t, const std::string &,
                   const nlohmann::detail::exception &) override {
    return false;
  }

private:
  static constexpr int MaxDepth = 16;
  int depth = 0;
};
} // namespace

/// The metadata of `image`, which is in MessagePack; null where there is none.
static json readMetadata(std::span<const std::byte> image,
                         const Elf64_Ehdr &header) {
  for (uint64_t number = 0; number < header.e_phnum; ++number) {
    Elf64_Phdr segment;
    if (!readAt(image, header.e_phoff + number * sizeof(segment), segment))
      return json();
    if (segment.p_type != PT_NOTE)
      continue;
    std::span<const std::byte> metadata =
        findMetadata(getPart(image, segment.p_offset, segment.p_filesz));
    if (metadata.empty())
      continue;
    DepthCheck check;
    if (!json::sax_parse(metadata.begin(), metadata.end(), &check,
                         json::input_format_t::msgpack, /*strict=*/false))
      return json();
    return json::from_msgpack(metadata.begin(), metadata.end(),
                              /*strict=*/false, /*allow_exceptions=*/false);
  }
  return json();
}

//===----------------------------------------------------------------------===//
// The metadata
//===----------------------------------------------------------------------===//

/// The value of `key` in `map`; null where it is none or has none.
static const json &getValue(const json &map, const char *key) {
  static const json null;
  auto found = map.find(key);
  return found == map.end() ? null : *found;
}

/// `value` if it is a text, else an empty one.
static std::string getText(const json &value) {
  auto *text = value.get_ptr<const json::string_t *>();
  return text ? *text : std::string();
}

/// `value` if it is a number that is not negative, else 0.
static uint64_t getNumber(const json &value) {
  auto *number = value.get_ptr<const json::number_unsigned_t *>();
  return number ? *number : 0;
}

static CodeObjectKernel readKernel(const json &metadata) {
  CodeObjectKernel kernel;
  kernel.name = getText(getValue(metadata, ".name"));
  for (const json &argument : getValue(metadata, ".args"))
    if (std::string kind = getText(getValue(argument, ".value_kind"));
        !kind.starts_with("hidden_"))
      kernel.arguments.push_back(
          {kind, getNumber(getValue(argument, ".size"))});
  kernel.workgroupItems =
      getNumber(getValue(metadata, ".max_flat_workgroup_size"));
  const json &sizes = getValue(metadata, ".reqd_workgroup_size");
  if (sizes.size() == kernel.workgroup.size())
    std::ranges::transform(sizes, kernel.workgroup.begin(), getNumber);
  kernel.workgroupBytes =
      getNumber(getValue(metadata, ".group_segment_fixed_size"));
  return kernel;
}

/// `gfx942` of `amdgcn-amd-amdhsa--gfx942:xnack-`, or an empty text.
static std::string getChip(const std::string &target) {
  size_t start = target.rfind("gfx");
  if (start == std::string::npos)
    return "";
  return target.substr(start, target.find(':', start) - start);
}

std::optional<CodeObject> CodeObject::read(std::span<const std::byte> image,
                                           std::string &error) {
  Elf64_Ehdr header;
  if (!readHeader(image, header)) {
    error = "expected a code object for AMD's GPUs";
    return std::nullopt;
  }
  json metadata = readMetadata(image, header);
  CodeObject object;
  object.chip = getChip(getText(getValue(metadata, "amdhsa.target")));
  if (object.chip.empty()) {
    error = "expected a code object with metadata, of version 4 or later";
    return std::nullopt;
  }
  // Version 4 is the first whose metadata has a target.
  object.version = header.e_ident[EI_ABIVERSION] + 2;
  for (const json &kernel : getValue(metadata, "amdhsa.kernels"))
    object.kernels.push_back(readKernel(kernel));
  return object;
}

const CodeObjectKernel *CodeObject::find(const std::string &name) const {
  auto found = std::ranges::find(kernels, name, &CodeObjectKernel::name);
  return found == kernels.end() ? nullptr : &*found;
}
