//===- HipHeadersTest.cpp - Tests of other headers of HIP -----------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What opens HIP is in this program as built with the headers of HIP 6 (see
// test/hip), in the place of the runtime's own. The library has the functions
// of both versions.
//
//===----------------------------------------------------------------------===//

#include "HipLibrary.h"
#include "VulkanFixture.h"

#include "convoy/Runtime/Device.h"

#include <filesystem>

using namespace convoy;
using namespace convoy::test;

namespace {
/// A folder as ROCm is installed in, with the stand-in for HIP.
class HipHeadersTest : public testing::Test {
protected:
  HipHeadersTest() {
    std::filesystem::create_directories(root / "lib");
    for (const char *name : {"libamdhip64.so", "libamdhip64.so.6"}) {
      std::filesystem::remove(root / "lib" / name);
      std::filesystem::create_symlink(
          std::filesystem::path(CONVOY_HIP_STANDIN_FOLDER) / "libamdhip64.so",
          root / "lib" / name);
    }
  }
  ~HipHeadersTest() override { std::filesystem::remove_all(root); }

  std::filesystem::path root = std::filesystem::path(testing::TempDir()) /
                               ("rocm-" + std::to_string(::getpid()));
  Variable library{"CONVOY_HIP_LIBRARY", ""};
  Variable rocm{"ROCM_PATH", root.string()};
};
} // namespace

TEST_F(HipHeadersTest, PropertiesAreThoseOfTheHeaders) {
  static_assert(sizeof(hipDeviceProp_t) > 1000, "as HIP 6 has them");
  Device device;
  Status status = Device::open("hip", device);
  ASSERT_TRUE(status.ok()) << status.text;
  ASSERT_NE(device.rocmChip(), nullptr);
  EXPECT_EQ(device.rocmChip()->name, "gfx942");
  Buffer buffer;
  EXPECT_TRUE(device.createBuffer(100, buffer).ok());
}
