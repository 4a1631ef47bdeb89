//===- NpzTest.cpp - Tests of .npz files ----------------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/Npz.h"

#include <gtest/gtest.h>

using namespace convoy;

static HostArray makeArray(std::vector<int64_t> shape) {
  HostArray array(ScalarType::F32, std::move(shape));
  for (int64_t i = 0; i < array.elementCount(); ++i)
    array.set(i, double(i) + 0.5);
  return array;
}

static std::vector<std::byte> makeArchive() {
  std::string error;
  auto bytes = serializeNpz(
      {{"conv0", makeArray({2, 3})}, {"cpu/pool", makeArray({})}}, error);
  EXPECT_TRUE(bytes) << error;
  return *bytes;
}

static std::string getNpzError(const std::vector<std::byte> &bytes) {
  std::string error;
  EXPECT_FALSE(parseNpz(bytes, error));
  EXPECT_FALSE(error.empty());
  EXPECT_EQ(error.find('\n'), std::string::npos);
  return error;
}

TEST(NpzTest, ArraysAreReadAsTheyWereWritten) {
  std::string error;
  auto arrays = parseNpz(makeArchive(), error);
  ASSERT_TRUE(arrays) << error;
  ASSERT_EQ(arrays->size(), 2u);
  EXPECT_EQ(arrays->at(0).first, "conv0");
  EXPECT_EQ(arrays->at(0).second.shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(arrays->at(0).second.bytes, makeArray({2, 3}).bytes);
  EXPECT_EQ(arrays->at(1).first, "cpu/pool");
  auto none = serializeNpz({}, error);
  ASSERT_TRUE(none);
  auto read = parseNpz(*none, error);
  ASSERT_TRUE(read) << error;
  EXPECT_TRUE(read->empty());
}

TEST(NpzTest, TheSameArraysGiveTheSameBytes) {
  EXPECT_EQ(makeArchive(), makeArchive());
}

TEST(NpzTest, NamesDiffer) {
  std::string error;
  EXPECT_FALSE(
      serializeNpz({{"a", makeArray({1})}, {"a", makeArray({2})}}, error));
  EXPECT_EQ(error,
            "expected arrays of different names, but got two called 'a'");
}

/// The place of the `number`th of a signature, whose third byte is `kind`.
static size_t findRecord(const std::vector<std::byte> &bytes, int kind,
                         int number = 0) {
  for (size_t i = 0; i + 4 <= bytes.size(); ++i)
    if (bytes[i] == std::byte('P') && bytes[i + 1] == std::byte('K') &&
        bytes[i + 2] == std::byte(kind) && number-- == 0)
      return i;
  ADD_FAILURE() << "no record of kind " << kind;
  return 0;
}

TEST(NpzTest, WhatIsNoArchiveIsRefused) {
  std::string sentence = "expected a ZIP archive, as numpy.savez writes it";
  EXPECT_EQ(getNpzError({}), sentence);
  EXPECT_EQ(getNpzError(std::vector<std::byte>(100)), sentence);
  std::vector<std::byte> bytes = makeArchive();
  bytes.resize(bytes.size() - 1);
  EXPECT_EQ(getNpzError(bytes), sentence);
}

TEST(NpzTest, WhatIsDamagedIsRefused) {
  std::vector<std::byte> bytes = makeArchive();
  bytes[findRecord(bytes, 3) + 170] ^= std::byte(1);
  EXPECT_EQ(getNpzError(bytes),
            "member 'conv0.npy' is damaged: its checksum is another");

  bytes = makeArchive();
  bytes[findRecord(bytes, 1)] = std::byte(0);
  EXPECT_EQ(getNpzError(bytes), "the archive's directory is damaged");

  bytes = makeArchive();
  bytes[findRecord(bytes, 1, 1) + 28] = std::byte(0xff);
  EXPECT_EQ(getNpzError(bytes), "the archive's directory is damaged");

  bytes = makeArchive();
  bytes[findRecord(bytes, 3, 1)] = std::byte(0);
  EXPECT_EQ(getNpzError(bytes),
            "member 'cpu/pool.npy' is not where the directory says");

  bytes = makeArchive();
  bytes[findRecord(bytes, 1) + 22] = std::byte(0xff);
  EXPECT_EQ(getNpzError(bytes),
            "member 'conv0.npy' is not where the directory says");
}

TEST(NpzTest, NamesThatStandTwiceAreRefused) {
  std::string error;
  auto bytes =
      serializeNpz({{"a", makeArray({1})}, {"b", makeArray({2})}}, error);
  ASSERT_TRUE(bytes);
  constexpr size_t NameInEntry = 46;
  bytes->at(findRecord(*bytes, 1, 1) + NameInEntry) = std::byte('a');
  EXPECT_EQ(getNpzError(*bytes), "two members are called 'a'");
}

TEST(NpzTest, WhatIsCompressedIsRefused) {
  std::vector<std::byte> bytes = makeArchive();
  bytes[findRecord(bytes, 1) + 10] = std::byte(8);
  EXPECT_EQ(getNpzError(bytes),
            "member 'conv0.npy' is compressed, expected one that is stored, as "
            "numpy.savez writes it");
}

TEST(NpzTest, LargeArchivesAreRefused) {
  std::vector<std::byte> bytes = makeArchive();
  for (size_t i = 0; i < 4; ++i)
    bytes[findRecord(bytes, 5) + 16 + i] = std::byte(0xff);
  EXPECT_EQ(getNpzError(bytes), "expected an archive of less than 4 GiB and "
                                "fewer than 65535 members");
}

TEST(NpzTest, NoBytesCrash) {
  // One byte after the other is another one, or the archive ends there.
  std::vector<std::byte> whole = makeArchive();
  std::string error;
  for (size_t i = 0; i < whole.size(); ++i) {
    for (int value : {0, 1, 0x7f, 0xff}) {
      std::vector<std::byte> bytes = whole;
      bytes[i] = std::byte(value);
      parseNpz(bytes, error);
    }
    parseNpz(std::span(whole).first(i), error);
    parseNpz(std::span(whole).subspan(i), error);
  }
}
