//===- VulkanFixture.cpp - A Vulkan device for tests ----------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VulkanFixture.h"

#include <cstdlib>

using namespace convoy;
using namespace convoy::test;

Variable::Variable(const char *name, const std::string &value) : name(name) {
  if (const char *old = std::getenv(name))
    before = old;
  setenv(name, value.c_str(), /*replace=*/1);
}

Variable::~Variable() {
  if (before)
    setenv(name, before->c_str(), /*replace=*/1);
  else
    unsetenv(name);
}

VulkanFixture::VulkanFixture(const char *robust, const char *staging)
    : VulkanVariables{{"CONVOY_VULKAN_VALIDATE", "1"},
                      {"CONVOY_VULKAN_ROBUST", robust},
                      {"CONVOY_VULKAN_STAGING", staging},
                      {"CONVOY_VULKAN_CACHE", "0"}} {
  expectOk(Device::open("vulkan", device));
}

Status VulkanFixture::load(const std::string &name) {
  return device.loadFile(std::string(CONVOY_TEST_SPIRV) + "/" + name + ".spv",
                         module);
}

Kernel VulkanFixture::find(const std::string &name, const std::string &kernel) {
  Kernel found;
  expectOk(load(name));
  expectOk(module.findKernel(kernel, found));
  return found;
}

void VulkanFixture::runSums(size_t count, int times, uint32_t mostOfSums,
                            uint32_t mostOfCopies) {
  Kernel add = find("integers", "add"), copy;
  expectOk(module.findKernel("copy", copy));
  Buffer one = makeBuffer(std::vector<int32_t>(count, 1));
  Buffer from = makeBuffer(std::vector<int32_t>(count, 0));
  Buffer to = makeBuffer(std::vector<int32_t>(count, 0));
  std::vector<convoy_buffer *> sum = {from.get(), one.get(), to.get()};
  std::vector<convoy_buffer *> back = {to.get(), from.get()};
  std::vector<convoy_step> steps;
  for (int time = 0; time < times; ++time) {
    steps.push_back({add.get(), makeLaunch(uint32_t(count / 2), sum)});
    steps.back().launch.most_groups = mostOfSums;
    steps.push_back({copy.get(), makeLaunch(uint32_t(count / 4), back)});
    steps.back().launch.most_groups = mostOfCopies;
  }
  expectOk(device.run(steps));
  EXPECT_THAT(contents<int32_t>(from, count), testing::Each(times));
  double seconds = 0;
  expectOk(device.seconds(seconds));
  EXPECT_GT(seconds, 0);
  EXPECT_LT(seconds, 60);
}

convoy_launch test::makeLaunch(uint32_t grid,
                               const std::vector<convoy_buffer *> &buffers,
                               const std::vector<convoy_range> &ranges,
                               const std::vector<int64_t> &sizes) {
  convoy_launch launch = {};
  launch.buffers = buffers.data();
  launch.buffer_count = buffers.size();
  launch.ranges = ranges.empty() ? nullptr : ranges.data();
  launch.sizes = sizes.data();
  launch.size_count = sizes.size();
  launch.grid[0] = grid;
  launch.grid[1] = launch.grid[2] = 1;
  return launch;
}
