//===- CacheSizesTest.cpp - Tests of what a machine says of its caches ----===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/CacheSizes.h"

#include <fstream>
#include <gtest/gtest.h>
#include <string>

using namespace convoy;
namespace fs = std::filesystem;

namespace {
/// A folder as Linux has for a CPU.
class CacheSizesTest : public testing::Test {
protected:
  void SetUp() override { fs::remove_all(folder); }
  void TearDown() override { fs::remove_all(folder); }

  void write(const fs::path &file, const std::string &text) {
    fs::create_directories((folder / file).parent_path());
    std::ofstream(folder / file) << text << '\n';
  }

  /// Adds the cache that is listed after those before.
  void addCache(const std::string &level, const std::string &type,
                const std::string &size, const std::string &cpus) {
    fs::path cache = fs::path("cache") / ("index" + std::to_string(count++));
    write(cache / "level", level);
    write(cache / "type", type);
    write(cache / "size", size);
    write(cache / "shared_cpu_list", cpus);
  }

  fs::path folder =
      fs::path(testing::TempDir()) /
      ("caches-" +
       std::string(
           testing::UnitTest::GetInstance()->current_test_info()->name()));
  int count = 0;
};
} // namespace

TEST_F(CacheSizesTest, DataAndUnifiedCachesCount) {
  addCache("1", "Data", "48K", "0");
  addCache("1", "Instruction", "32K", "0");
  addCache("2", "Unified", "2048K", "0");
  addCache("3", "Unified", "32768K", "0-15");
  write("cache/index0/coherency_line_size", "128");
  write("cache/index2/coherency_line_size", "64");
  write("cache/index0/number_of_sets", "32");
  write("cache/index2/number_of_sets", "2048");
  CacheSizes sizes = readCacheSizes(folder);
  EXPECT_EQ(sizes.l1, 48 << 10);
  EXPECT_EQ(sizes.l2, 2 << 20);
  EXPECT_EQ(sizes.line, 128);
  EXPECT_EQ(sizes.criticalStride, 4096);
}

TEST_F(CacheSizesTest, LinesOfNoSizeAreNotKnown) {
  addCache("1", "Data", "48K", "0");
  write("cache/index0/number_of_sets", "64");
  EXPECT_EQ(readCacheSizes(folder).line, 0);
  for (const char *text : {"", "lines", "-64", "0", "9999999"}) {
    write("cache/index0/coherency_line_size", text);
    EXPECT_EQ(readCacheSizes(folder).line, 0) << text;
    EXPECT_EQ(readCacheSizes(folder).criticalStride, 0) << text;
  }
}

TEST_F(CacheSizesTest, SetsThatAreNotListedHaveNoStride) {
  addCache("1", "Data", "48K", "0");
  write("cache/index0/coherency_line_size", "64");
  for (const char *text : {"", "sets", "-64", "0", "9999999"}) {
    write("cache/index0/number_of_sets", text);
    EXPECT_EQ(readCacheSizes(folder).line, 64) << text;
    EXPECT_EQ(readCacheSizes(folder).criticalStride, 0) << text;
  }
}

// Two threads of a core share what it has.
TEST_F(CacheSizesTest, ThreadsOfACoreAreOne) {
  write("topology/thread_siblings_list", "0,64");
  addCache("1", "Data", "32K", "0,64");
  addCache("2", "Unified", "512K", "0,64");
  CacheSizes sizes = readCacheSizes(folder);
  EXPECT_EQ(sizes.l1, 32 << 10);
  EXPECT_EQ(sizes.l2, 512 << 10);
}

TEST_F(CacheSizesTest, CoresDivideWhatTheyShare) {
  write("topology/thread_siblings_list", "0");
  addCache("1", "Data", "64K", "0");
  addCache("2", "Unified", "4096K", "0-1,8-9");
  CacheSizes sizes = readCacheSizes(folder);
  EXPECT_EQ(sizes.l1, 64 << 10);
  EXPECT_EQ(sizes.l2, 1 << 20);
}

TEST_F(CacheSizesTest, CoresOfSeveralThreadsDivideWhatTheyShare) {
  write("topology/thread_siblings_list", "0-1");
  addCache("2", "Unified", "4096K", "0-7");
  CacheSizes sizes = readCacheSizes(folder);
  EXPECT_EQ(sizes.l1, 0);
  EXPECT_EQ(sizes.l2, 1 << 20);
}

// What is not listed, or not as Linux lists it, is not known.
TEST_F(CacheSizesTest, UnknownSizesAreZero) {
  EXPECT_EQ(readCacheSizes(folder).l1, 0);
  EXPECT_EQ(readCacheSizes(folder).l2, 0);
  addCache("1", "Data", "many", "0");
  addCache("2", "Unified", "-8K", "0");
  EXPECT_EQ(readCacheSizes(folder).l1, 0);
  EXPECT_EQ(readCacheSizes(folder).l2, 0);
}

TEST_F(CacheSizesTest, SizesWithoutKnownSharingAreWhole) {
  addCache("1", "Data", "32K", "none");
  addCache("2", "Unified", "256K", "3-1");
  EXPECT_EQ(readCacheSizes(folder).l1, 32 << 10);
  EXPECT_EQ(readCacheSizes(folder).l2, 256 << 10);
}
