//===- VulkanDeviceTest.cpp - Tests of kernels on Vulkan devices ----------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VulkanFixture.h"

#include "convoy/Runtime/GuardedBuffer.h"

#include <gmock/gmock.h>
#include <numeric>

using namespace convoy;
using namespace convoy::test;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// What must not change results: robust buffer access and staging buffers.
struct Mode {
  const char *robust, *staging;
};

class VulkanDeviceTest : public testing::TestWithParam<Mode>,
                         protected VulkanFixture {
protected:
  VulkanDeviceTest() : VulkanFixture(GetParam().robust, GetParam().staging) {}
};

std::string nameMode(const testing::TestParamInfo<Mode> &info) {
  return std::string(*info.param.robust == '1' ? "Robust" : "Plain") +
         (*info.param.staging == '1' ? "Staged" : "Mapped");
}

} // namespace

INSTANTIATE_TEST_SUITE_P(Modes, VulkanDeviceTest,
                         testing::Values(Mode{"0", "0"}, Mode{"1", "0"},
                                         Mode{"0", "1"}, Mode{"1", "1"}),
                         nameMode);

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

TEST_P(VulkanDeviceTest, BuffersStartAsZeros) {
  Buffer buffer;
  expectOk(device.createBuffer(7, buffer));
  EXPECT_THAT(contents<char>(buffer, 7), Each(0));
  expectOk(buffer.check());
}

TEST_P(VulkanDeviceTest, BuffersReadWhatWasWritten) {
  Buffer buffer = makeBuffer<char>({1, 2, 3, 4, 5, 6, 7});
  char nine = 9;
  expectOk(buffer.write(std::as_bytes(std::span(&nine, 1)), 5));
  EXPECT_THAT(contents<char>(buffer, 7), ElementsAre(1, 2, 3, 4, 5, 9, 7));
  std::vector<std::byte> two(2);
  expectOk(buffer.read(two, 4));
  EXPECT_THAT(two, ElementsAre(std::byte(5), std::byte(9)));
  expectOk(buffer.check());
}

TEST_P(VulkanDeviceTest, EmptyBuffersAreFine) {
  Buffer buffer = makeBuffer<char>({});
  expectOk(buffer.poison(ScalarType::F32));
  expectOk(buffer.check());
}

TEST_P(VulkanDeviceTest, BuffersAreFilledWithPatterns) {
  Buffer buffer = makeBuffer<char>({0, 0, 0, 0, 0, 0, 0});
  const char pattern[] = {1, 2, 3};
  EXPECT_EQ(convoy_buffer_fill(buffer.get(), pattern, 3), CONVOY_OK);
  EXPECT_THAT(contents<char>(buffer, 7), ElementsAre(1, 2, 3, 1, 2, 3, 1));
  EXPECT_EQ(convoy_buffer_fill(buffer.get(), pattern, 0), CONVOY_INVALID);
  EXPECT_STREQ(convoy_error_text(), "expected a pattern of at least 1 byte");
  expectOk(buffer.check());
}

// Larger than what is copied or filled at once, and no multiple of it.
TEST_P(VulkanDeviceTest, LargeBuffersAreCopiedInPieces) {
  constexpr size_t count = (size_t(33) << 18) + 5;
  std::vector<int32_t> values(count);
  std::iota(values.begin(), values.end(), -7);
  Buffer buffer = makeBuffer(values);
  EXPECT_TRUE(contents<int32_t>(buffer, count) == values);
  const char pattern[] = {1, 2, 3};
  EXPECT_EQ(convoy_buffer_fill(buffer.get(), pattern, 3), CONVOY_OK);
  std::vector<char> bytes = contents<char>(buffer, count * 4);
  for (size_t place = 0; place < bytes.size(); ++place)
    ASSERT_EQ(bytes[place], pattern[place % 3]) << place;
  expectOk(buffer.check());
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

TEST_P(VulkanDeviceTest, KernelsOfOneModuleRun) {
  Kernel copy = find("integers", "copy"), rotate;
  expectOk(module.findKernel("rotate", rotate));
  Buffer input = makeBuffer<int32_t>({1, 2, 3, 4, 5, 6, 7, 8});
  Buffer output = makeBuffer<int32_t>({0, 0, 0, 0, 0, 0, 0, 0});
  std::vector<convoy_buffer *> buffers = {input.get(), output.get()};
  expectOk(copy.launch(makeLaunch(2, buffers)));
  EXPECT_THAT(contents<int32_t>(output, 8),
              ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
  expectOk(rotate.launch(makeLaunch(1, buffers)));
  EXPECT_THAT(contents<int32_t>(output, 8),
              ElementsAre(2, 3, 4, 5, 6, 7, 8, 1));
  for (const Buffer *buffer : {&input, &output})
    expectOk(buffer->check());
}

TEST_P(VulkanDeviceTest, HalvesAreWidened) {
  Kernel widen = find("widen", "widen");
  Buffer input = makeBuffer<uint16_t>({0x3c00, 0xc100, 0x0001});
  Buffer output = makeBuffer<float>({0, 0, 0});
  std::vector<convoy_buffer *> buffers = {input.get(), output.get()};
  expectOk(widen.launch(makeLaunch(3, buffers)));
  // The device says that it may flush the last one, which is subnormal.
  EXPECT_THAT(contents<float>(output, 3),
              ElementsAre(1, -2.5, testing::AnyOf(0, 0x1p-24f)));
  expectOk(output.check());
}

TEST_P(VulkanDeviceTest, RangesOfBuffersAreOperands) {
  Kernel add = find("integers", "add");
  std::vector<int32_t> values(256);
  std::iota(values.begin(), values.end(), 0);
  Buffer memory = makeBuffer(values);
  std::vector<convoy_buffer *> buffers = {memory.get(), memory.get(),
                                          memory.get()};
  std::vector<convoy_range> ranges = {{256, 16}, {512, 16}, {768, 16}};
  expectOk(add.launch(makeLaunch(2, buffers, ranges)));
  std::vector<int32_t> sums = contents<int32_t>(memory, 256);
  for (int i = 0; i < 256; ++i)
    EXPECT_EQ(sums[size_t(i)],
              i >= 192 && i < 196 ? (64 + i - 192) + (128 + i - 192) : i);
  expectOk(memory.check());
}

TEST_P(VulkanDeviceTest, TheWorkspaceIsTheLastOperand) {
  Kernel add = find("integers", "add");
  Buffer a = makeBuffer<int32_t>({1, 2}), b = makeBuffer<int32_t>({10, 20});
  Buffer workspace = makeBuffer<int32_t>({0, 0});
  std::vector<convoy_buffer *> buffers = {a.get(), b.get()};
  convoy_launch launch = makeLaunch(1, buffers);
  launch.workspace = workspace.get();
  expectOk(add.launch(launch));
  EXPECT_THAT(contents<int32_t>(workspace, 2), ElementsAre(11, 22));
}

TEST_P(VulkanDeviceTest, SizesOf32Bits) {
  Kernel scale = find("integers", "scale");
  Buffer input = makeBuffer<int32_t>({1, 2, 3});
  Buffer output = makeBuffer<int32_t>({0, 0, 0});
  std::vector<convoy_buffer *> buffers = {input.get(), output.get()};
  std::vector<int64_t> sizes = {-3};
  expectOk(scale.launch(makeLaunch(3, buffers, {}, sizes)));
  EXPECT_THAT(contents<int32_t>(output, 3), ElementsAre(-3, -6, -9));
}

TEST_P(VulkanDeviceTest, SizesOf64Bits) {
  Kernel weigh = find("weigh", "weigh");
  Buffer output = makeBuffer<int64_t>({0});
  std::vector<convoy_buffer *> buffers = {output.get()};
  std::vector<int64_t> sizes = {int64_t(1) << 40, -2, 3};
  expectOk(weigh.launch(makeLaunch(1, buffers, {}, sizes)));
  EXPECT_THAT(contents<int64_t>(output, 1),
              ElementsAre((int64_t(1) << 40) - 20 + 300));
}

// Many times over, so that a barrier that is missing shows.
TEST_P(VulkanDeviceTest, SequencesRunInOrder) {
  runSums(/*count=*/4096, /*times=*/50);
  expectOk(device.run({}));
}

TEST_P(VulkanDeviceTest, StrayWritesAreFoundOrStopped) {
  Kernel stray = find("integers", "stray");
  Buffer output = makeBuffer<int32_t>({1, 2, 3, 4});
  std::vector<convoy_buffer *> buffers = {output.get()};
  expectOk(stray.launch(makeLaunch(1, buffers)));
  EXPECT_THAT(contents<int32_t>(output, 4), ElementsAre(1, 2, 3, 4));
  Status status = output.check();
  if (*GetParam().robust == '1')
    return expectOk(status);
  EXPECT_EQ(status.code, CONVOY_WRONG);
  EXPECT_EQ(status.text, "4 bytes after the end were overwritten, the nearest "
                         "at offset 0");
}

TEST_P(VulkanDeviceTest, ArithmeticIsWhatKernelsDeclare) {
  TargetArithmetic arithmetic{false, false};
  expectOk(find("widen", "widen").arithmetic(arithmetic));
  EXPECT_TRUE(arithmetic.roundsToNearest);
  EXPECT_TRUE(arithmetic.flushesSubnormals);
  // Integers neither round nor flush.
  expectOk(find("integers", "copy").arithmetic(arithmetic));
  EXPECT_TRUE(arithmetic.roundsToNearest);
  EXPECT_FALSE(arithmetic.flushesSubnormals);
}
