//===- TlbEntriesTest.cpp - Tests of what CPUs say of their TLB -----------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/TlbEntries.h"

#include <gtest/gtest.h>
#include <map>
#include <utility>

using namespace convoy;

/// Reads the entries of a CPU that has these leaves.
static int64_t
read(const std::map<std::pair<uint32_t, uint32_t>, CPUIDRegisters> &leaves) {
  return readTlbEntries([&](uint32_t leaf, uint32_t part) {
    auto registers = leaves.find({leaf, part});
    return registers == leaves.end() ? CPUIDRegisters() : registers->second;
  });
}

// An instruction TLB of 32 entries in the low half, 72 entries for data.
TEST(TlbEntriesTest, AMDCountsThem) {
  EXPECT_EQ(read({{{0x80000005, 0}, {0, 0xff48ff20, 0, 0}}}), 72);
}

// Ways times sets, of the part for loads from small pages in the first level.
TEST(TlbEntriesTest, IntelHasWaysAndSets) {
  CPUIDRegisters none = {4, 0, 0, 0}, code = {0, 0x00080001, 8, 0x22},
                 large = {0, 0x00040002, 8, 0x24},
                 stores = {0, 0x00100001, 1, 0x25},
                 loads = {0, 0x00060001, 16, 0x24};
  EXPECT_EQ(read({{{0x18, 0}, none},
                  {{0x18, 1}, code},
                  {{0x18, 2}, large},
                  {{0x18, 3}, stores},
                  {{0x18, 4}, loads}}),
            96);
  CPUIDRegisters secondLevel = {0, 0x00080001, 128, 0x43};
  EXPECT_EQ(read({{{0x18, 0}, secondLevel}}), 0);
  CPUIDRegisters unified = {0, 0x00040001, 16, 0x23};
  EXPECT_EQ(read({{{0x18, 0}, unified}}), 64);
  CPUIDRegisters data = {0, 0x00040001, 16, 0x21};
  EXPECT_EQ(read({{{0x18, 0}, data}}), 64);
}

TEST(TlbEntriesTest, OthersSayNothing) { EXPECT_EQ(read({}), 0); }

// A number of parts that no CPU has does not keep anybody.
TEST(TlbEntriesTest, PartsEnd) {
  EXPECT_EQ(read({{{0x18, 0}, {0xffffffff, 0, 0, 0}}}), 0);
}
