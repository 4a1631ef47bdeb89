//===- CodeObjectTest.cpp - Tests of code objects -------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeObject.h"

#include <cstring>
#include <elf.h>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

using namespace convoy;

/// A code object with `metadata`, and nothing else.
static std::vector<std::byte> makeObject(const std::string &metadata) {
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_OSABI] = 64;
  header.e_machine = 224;
  header.e_phoff = sizeof(header);
  header.e_phnum = 1;
  const char owner[8] = "AMDGPU";
  Elf64_Nhdr note = {7, Elf64_Word(metadata.size()), 32};
  Elf64_Phdr segment = {};
  segment.p_type = PT_NOTE;
  segment.p_offset = sizeof(header) + sizeof(segment);
  segment.p_filesz = sizeof(note) + sizeof(owner) + metadata.size();
  std::string text;
  auto add = [&](const auto &part) {
    text.append(reinterpret_cast<const char *>(&part), sizeof(part));
  };
  add(header);
  add(segment);
  add(note);
  add(owner);
  text += metadata;
  auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

/// MessagePack's map of `amdhsa.target` and, under `x`, of arrays around a
/// number, `depth` deep.
static std::string makeMetadata(size_t depth) {
  std::string text = "\x82\xad"
                     "amdhsa.target\xb9"
                     "amdgcn-amd-amdhsa--gfx942\xa1x";
  return text + std::string(depth, '\x91') + "\x01";
}

TEST(CodeObjectTest, MetadataOfSomeDepthIsRead) {
  std::string error;
  std::optional<CodeObject> object =
      CodeObject::read(makeObject(makeMetadata(8)), error);
  ASSERT_TRUE(object) << error;
  EXPECT_EQ(object->chip, "gfx942");
}

// What reads it calls itself for each level: this had overflown the stack.
TEST(CodeObjectTest, DeepMetadataIsRefused) {
  for (size_t depth : {17, 1000, 100000, 5000000}) {
    std::string error;
    EXPECT_FALSE(CodeObject::read(makeObject(makeMetadata(depth)), error));
    EXPECT_EQ(error,
              "expected a code object with metadata, of version 4 or later");
  }
  // The same with maps.
  std::string maps;
  for (int level = 0; level < 100000; ++level)
    maps += "\x81\xa1x";
  std::string error;
  EXPECT_FALSE(CodeObject::read(makeObject(maps), error));
}
