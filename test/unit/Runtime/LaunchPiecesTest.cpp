//===- LaunchPiecesTest.cpp - Tests of launches in pieces -----------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchPieces.h"

#include "VulkanFixture.h"

#include <gmock/gmock.h>

using namespace convoy;
using namespace convoy::test;
using testing::Each;
using testing::ElementsAreArray;

/// How often each workgroup of `grid` is in `pieces`.
static std::vector<int> countRuns(const Index3 &grid,
                                  const std::vector<LaunchPiece> &pieces) {
  std::vector<int> runs(size_t(grid[0]) * grid[1] * grid[2]);
  for (const auto &[first, count] : pieces)
    for (uint32_t z = first[2]; z < first[2] + count[2]; ++z)
      for (uint32_t y = first[1]; y < first[1] + count[1]; ++y)
        for (uint32_t x = first[0]; x < first[0] + count[0]; ++x)
          ++runs.at(x + grid[0] * (y + size_t(grid[1]) * z));
  return runs;
}

TEST(LaunchPiecesTest, EachWorkgroupIsInOnePiece) {
  for (const Index3 &grid :
       {Index3{1, 1, 1}, Index3{7, 1, 1}, Index3{3, 5, 1}, Index3{2, 3, 4},
        Index3{1, 1, 9}, Index3{5, 1, 2}, Index3{1, 6, 3}})
    for (uint32_t most = 1; most <= 30; ++most) {
      std::vector<LaunchPiece> pieces = cutGrid(grid, most);
      EXPECT_THAT(countRuns(grid, pieces), Each(1));
      for (const LaunchPiece &piece : pieces)
        EXPECT_LE(piece.countGroups(), most);
    }
}

TEST(LaunchPiecesTest, PiecesAreFewAndAlike) {
  EXPECT_EQ(cutGrid({3, 5, 7}, 0).size(), 1u);
  EXPECT_EQ(cutGrid({3, 5, 7}, 105).size(), 1u);
  // Layers of 15: 4 and 3 of them.
  std::vector<LaunchPiece> pieces = cutGrid({3, 5, 7}, 104);
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(pieces[0].count[2], 4u);
  EXPECT_EQ(pieces[1].first[2], 4u);
  EXPECT_EQ(cutGrid({3, 5, 7}, 14).size(), 14u);
  EXPECT_EQ(cutGrid({3, 5, 7}, 2).size(), 70u);
  // Numbers of workgroups up to the largest that a device takes.
  pieces = cutGrid({4294967295u, 1, 1}, 2147483647u);
  ASSERT_EQ(pieces.size(), 3u);
  EXPECT_EQ(pieces[2].first[0] + pieces[2].count[0], 4294967295u);
}

TEST(LaunchPiecesTest, NumbersOfWorkgroups) {
  EXPECT_EQ(getFewerGroups(0, 0), 0u);
  EXPECT_EQ(getFewerGroups(0, 3), 3u);
  EXPECT_EQ(getFewerGroups(3, 0), 3u);
  EXPECT_EQ(getFewerGroups(4, 3), 3u);
  for (const char *name : {"vulkan", "vulkan-sim"})
    for (const char *wrong : {"0", "few", "1.5", "4294967296", "-1"}) {
      Variable groups("CONVOY_VULKAN_GROUPS", wrong);
      Device device;
      Status status = Device::open(name, device);
      EXPECT_EQ(status.code, CONVOY_INVALID);
      EXPECT_EQ(status.text, "expected a positive number of workgroups for "
                             "CONVOY_VULKAN_GROUPS, but got '" +
                                 std::string(wrong) + "'");
    }
}

namespace {
class VulkanPiecesTest : public testing::Test, protected VulkanFixture {};
} // namespace

TEST_F(VulkanPiecesTest, WorkgroupsKeepTheirPlaces) {
  Kernel place = find("grid", "place");
  std::vector<int32_t> expected;
  for (int z = 0; z < 4; ++z)
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 2; ++x)
        expected.push_back(x + 10 * y + 100 * z);
  for (uint32_t most : {0, 1, 2, 3, 5, 7, 13, 23, 24}) {
    Buffer output = makeBuffer(std::vector<int32_t>(24, -1));
    std::vector<convoy_buffer *> buffers = {output.get()};
    convoy_launch launch = makeLaunch(2, buffers);
    launch.grid[1] = 3;
    launch.grid[2] = 4;
    launch.most_groups = most;
    expectOk(place.launch(launch));
    EXPECT_THAT(contents<int32_t>(output, 24), ElementsAreArray(expected));
    expectOk(output.check());
  }
}

// Steps see what all pieces of those before them wrote.
TEST_F(VulkanPiecesTest, SequencesRunInOrder) {
  runSums(/*count=*/64, /*times=*/10, /*mostOfSums=*/5, /*mostOfCopies=*/40);
}

TEST_F(VulkanPiecesTest, KernelsThatCountWorkgroupsAreNotCut) {
  Kernel grid = find("grid", "grid");
  Buffer output = makeBuffer(std::vector<int32_t>(3, 0));
  std::vector<convoy_buffer *> buffers = {output.get()};
  convoy_launch launch = makeLaunch(3, buffers);
  launch.most_groups = 3;
  expectOk(grid.launch(launch));
  EXPECT_THAT(contents<int32_t>(output, 3), Each(3));
  launch.most_groups = 2;
  Status status = grid.launch(launch);
  EXPECT_EQ(status.code, CONVOY_INVALID);
  EXPECT_EQ(status.text, "kernel 'grid': it asks how many workgroups there "
                         "are, and cannot run 2 at a time");
}
