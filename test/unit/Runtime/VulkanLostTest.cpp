//===- VulkanLostTest.cpp - Tests of Vulkan devices that fail -------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layer of test/vulkan fails in the place of the driver.
//
//===----------------------------------------------------------------------===//

#include "VulkanFixture.h"

#include <gmock/gmock.h>

using namespace convoy;
using namespace convoy::test;
using testing::StartsWith;

namespace {
class VulkanLostTest : public testing::Test {
protected:
  static Status fill(const Device &device) {
    Buffer buffer;
    return device.createBuffer(100, buffer);
  }

  Variable path{"VK_LAYER_PATH", CONVOY_FAULTY_LAYER_FOLDER};
  Variable layers{"VK_INSTANCE_LAYERS", "VK_LAYER_CONVOY_faulty"};
  Variable validate{"CONVOY_VULKAN_VALIDATE", "0"};
  Variable cache{"CONVOY_VULKAN_CACHE", "0"};
};
} // namespace

// The layer counts the submissions of the whole program.
TEST_F(VulkanLostTest, ALostDeviceIsOpenedAnew) {
  Device device;
  ASSERT_TRUE(Device::open("vulkan", device).ok());
  {
    Variable lost("CONVOY_FAULTY_LOST", "2");
    Buffer kept;
    ASSERT_TRUE(device.createBuffer(100, kept).ok());
    Status status = fill(device);
    EXPECT_EQ(status.code, CONVOY_NO_DEVICE);
    EXPECT_THAT(status.text, StartsWith("the Vulkan device was lost: "));
    // Not while there is a buffer of what was lost.
    status = fill(device);
    EXPECT_EQ(status.code, CONVOY_NO_DEVICE);
    EXPECT_EQ(status.text,
              "the Vulkan device was lost: it is opened anew when its buffers "
              "and modules are released");
  }
  Status status = fill(device);
  EXPECT_TRUE(status.ok()) << status.text;
  Module module;
  status =
      device.loadFile(std::string(CONVOY_TEST_SPIRV) + "/integers.spv", module);
  EXPECT_TRUE(status.ok()) << status.text;
}

TEST_F(VulkanLostTest, FencesAreNotAwaitedForever) {
  Device device;
  Variable timeout("CONVOY_VULKAN_TIMEOUT", "1");
  ASSERT_TRUE(Device::open("vulkan", device).ok());
  Variable stuck("CONVOY_FAULTY_STUCK", "1");
  Status status = fill(device);
  EXPECT_EQ(status.code, CONVOY_NO_DEVICE);
  EXPECT_EQ(status.text, "the Vulkan device did not finish in 1 s, which "
                         "CONVOY_VULKAN_TIMEOUT sets");
  EXPECT_EQ(fill(device).text,
            "the Vulkan device is still busy with what did not end in time");
}

TEST_F(VulkanLostTest, TimeoutsAreSeconds) {
  for (const char *wrong : {"0", "soon", "1.5", "1000001", "-1"}) {
    Variable timeout("CONVOY_VULKAN_TIMEOUT", wrong);
    Device device;
    Status status = Device::open("vulkan", device);
    EXPECT_EQ(status.code, CONVOY_INVALID);
    EXPECT_EQ(status.text, "expected a number of seconds from 1 to 1000000 for "
                           "CONVOY_VULKAN_TIMEOUT, but got '" +
                               std::string(wrong) + "'");
  }
}
