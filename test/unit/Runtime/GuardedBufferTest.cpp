//===- GuardedBufferTest.cpp - Tests of guards and poison -----------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/GuardedBuffer.h"
#include "convoy/Runtime/Poison.h"

#include <cmath>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace convoy;
using Side = GuardViolation::Side;

TEST(GuardedBufferTest, PayloadIsAlignedAndZero) {
  for (size_t size : {0, 1, 63, 64, 65, 4097}) {
    auto buffer = GuardedBuffer::create(size);
    ASSERT_TRUE(buffer);
    EXPECT_EQ(buffer->size(), size);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer->data()) %
                  GuardedBuffer::Alignment,
              0u);
    for (std::byte byte : buffer->payload())
      EXPECT_EQ(byte, std::byte(0));
    EXPECT_TRUE(buffer->check().empty());
  }
}

TEST(GuardedBufferTest, ThePayloadMayBeWrittenToItsLastByte) {
  auto buffer = GuardedBuffer::create(77);
  std::memset(buffer->data(), 0xff, 77);
  EXPECT_TRUE(buffer->check().empty());
}

TEST(GuardedBufferTest, EveryByteOfTheGuardsIsWatched) {
  for (size_t size : {0, 13}) {
    auto buffer = GuardedBuffer::create(size);
    auto guard = static_cast<int64_t>(GuardedBuffer::GuardSize);
    for (int64_t offset = -guard; offset < guard; ++offset) {
      bool before = offset < 0;
      std::byte *place =
          before ? buffer->data() + offset : buffer->data() + size + offset;
      *place ^= std::byte(1);
      std::vector<GuardViolation> found = buffer->check();
      *place ^= std::byte(1);
      ASSERT_EQ(found.size(), 1u);
      EXPECT_EQ(found[0].side, before ? Side::Before : Side::After);
      EXPECT_EQ(found[0].offset, offset);
      EXPECT_EQ(found[0].changedBytes, 1);
    }
  }
}

TEST(GuardedBufferTest, BothSidesAreReported) {
  auto buffer = GuardedBuffer::create(10);
  std::memset(buffer->data() - 6, 0, 4);
  std::memset(buffer->data() + 11, 0, 1);
  std::vector<GuardViolation> found = buffer->check();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(toString(found[0]), "4 bytes before the start were overwritten, "
                                "the nearest at offset -3");
  EXPECT_EQ(toString(found[1]), "1 byte after the end was overwritten, the "
                                "nearest at offset 1");
}

TEST(GuardedBufferTest, RefusesSizesThatOverflow) {
  EXPECT_FALSE(GuardedBuffer::create(SIZE_MAX));
  EXPECT_FALSE(GuardedBuffer::create(SIZE_MAX - GuardedBuffer::GuardSize));
}

TEST(PoisonTest, PoisonIsNaNInEveryFloatType) {
  for (ScalarType type :
       {ScalarType::F64, ScalarType::F32, ScalarType::F16, ScalarType::BF16}) {
    std::vector<std::byte> bytes(static_cast<size_t>(3 * scalarSize(type)));
    fillWithPoison(type, bytes);
    for (int64_t i = 0; i < 3; ++i) {
      EXPECT_TRUE(std::isnan(loadDouble(type, bytes.data(), i)));
      EXPECT_TRUE(isPoison(type, bytes.data(), i));
    }
    storeDouble(type, bytes.data(), 1, std::nan(""));
    EXPECT_FALSE(isPoison(type, bytes.data(), 1)) << scalarTypeName(type);
  }
}

TEST(PoisonTest, FindsWhatWasNotWritten) {
  for (ScalarType type : {ScalarType::F32, ScalarType::I32, ScalarType::I8}) {
    std::vector<std::byte> bytes(static_cast<size_t>(10 * scalarSize(type)));
    fillWithPoison(type, bytes);
    for (int64_t i : {0, 1, 2, 4, 5, 6, 8})
      storeDouble(type, bytes.data(), i, 1);
    EXPECT_THAT(findPoison(type, bytes, 10), testing::ElementsAre(3, 7, 9));
    EXPECT_THAT(findPoison(type, bytes, 2), testing::ElementsAre(3, 7));
  }
}

TEST(PoisonTest, FillsAnOddNumberOfBytes) {
  std::vector<std::byte> bytes(11);
  fillWithPoison(ScalarType::F64, bytes);
  for (std::byte byte : bytes)
    EXPECT_NE(byte, std::byte(0));
}
