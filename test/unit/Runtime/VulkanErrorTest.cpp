//===- VulkanErrorTest.cpp - Tests of errors of Vulkan devices ------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VulkanFixture.h"
#include "VulkanInstance.h"

#include "convoy/Runtime/FileIO.h"

#include <gmock/gmock.h>

using namespace convoy;
using namespace convoy::test;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

namespace {
class VulkanErrorTest : public testing::Test, protected VulkanFixture {
protected:
  /// What launching `kernel` with `launch` ends with; it must be refused.
  static std::string refusal(const Kernel &kernel,
                             const convoy_launch &launch) {
    Status status = kernel.launch(launch);
    EXPECT_EQ(status.code, CONVOY_INVALID);
    return status.text;
  }

  static Status openDevice(const std::string &name) {
    Device opened;
    return Device::open(name, opened);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

TEST_F(VulkanErrorTest, DevicesAreChosenByNumberOrName) {
  expectOk(openDevice("vulkan:0"));
  Variable choice("CONVOY_VULKAN_DEVICE", "0");
  expectOk(openDevice("vulkan"));
}

TEST_F(VulkanErrorTest, OtherDevicesAreUnknown) {
  for (const char *name : {"vulkan:99", "vulkan:abacus"}) {
    Status status = openDevice(name);
    EXPECT_EQ(status.code, CONVOY_NO_DEVICE);
    EXPECT_THAT(status.text,
                StartsWith("there is no Vulkan device '" +
                           std::string(name).substr(7) +
                           "', expected the number or a part of the name of: "
                           "0 '"));
  }
  Variable choice("CONVOY_VULKAN_DEVICE", "abacus");
  EXPECT_EQ(openDevice("vulkan").code, CONVOY_NO_DEVICE);
  expectOk(openDevice("vulkan:0"));
}

TEST_F(VulkanErrorTest, WithoutDriversThereIsNoDevice) {
  for (const char *variable : {"VK_ICD_FILENAMES", "VK_DRIVER_FILES"}) {
    Variable drivers(variable, "/no/such/driver.json");
    Status status = openDevice("vulkan");
    EXPECT_EQ(status.code, CONVOY_NO_DEVICE);
    EXPECT_THAT(status.text, AllOf(StartsWith("there is no Vulkan d"),
                                   Not(HasSubstr("\n"))));
  }
}

TEST_F(VulkanErrorTest, WithoutLayersThereIsNoValidation) {
  Variable layers("VK_LAYER_PATH", "/no/such/folder");
  Status status = openDevice("vulkan");
  EXPECT_EQ(status.code, CONVOY_NO_DEVICE);
  EXPECT_EQ(status.text, "there is no Vulkan layer VK_LAYER_KHRONOS_validation,"
                         " which CONVOY_VULKAN_VALIDATE asks for");
}

TEST_F(VulkanErrorTest, SwitchesAreOnOrOff) {
  Variable robust("CONVOY_VULKAN_ROBUST", "yes");
  Status status = openDevice("vulkan");
  EXPECT_EQ(status.code, CONVOY_INVALID);
  EXPECT_EQ(status.text,
            "expected 0 or 1 for CONVOY_VULKAN_ROBUST, but got 'yes'");
}

TEST_F(VulkanErrorTest, ErrorsOfDriversHaveStatus) {
  auto statusOf = [](auto error) {
    return VulkanInstance::statusOf([&] { throw error; });
  };
  EXPECT_EQ(statusOf(vk::DeviceLostError("vkQueueSubmit")), CONVOY_NO_DEVICE);
  EXPECT_THAT(convoy_error_text(),
              StartsWith("the Vulkan device was lost: vkQueueSubmit"));
  EXPECT_EQ(statusOf(vk::OutOfDeviceMemoryError("vkMapMemory")),
            CONVOY_INVALID);
  EXPECT_THAT(convoy_error_text(),
              StartsWith("the Vulkan device is out of memory: vkMapMemory"));
  EXPECT_EQ(statusOf(vk::InitializationFailedError("vkCreateDevice")),
            CONVOY_NO_DEVICE);
  EXPECT_THAT(convoy_error_text(),
              StartsWith("the Vulkan device cannot be used: vkCreateDevice"));
  EXPECT_EQ(statusOf(vk::InvalidShaderNVError("vkCreateShaderModule")),
            CONVOY_INVALID);
  EXPECT_THAT(
      convoy_error_text(),
      StartsWith("the Vulkan driver refused a call: vkCreateShaderModule"));
  EXPECT_EQ(statusOf(std::bad_alloc()), CONVOY_INVALID);
  EXPECT_EQ(VulkanInstance::statusOf([] {}), CONVOY_OK);
}

// The profile that kernels are compiled for without a device.
TEST_F(VulkanErrorTest, LavapipeIsItsProfile) {
  Device lavapipe, cpu;
  expectOk(Device::open("vulkan:llvmpipe", lavapipe));
  std::optional<VulkanProfile> found = lavapipe.vulkanProfile();
  std::optional<VulkanProfile> known = getVulkanProfile("lavapipe");
  ASSERT_TRUE(found && known);
  // As wide as the machine's vectors.
  EXPECT_GT(found->limits.subgroup, 0);
  found->limits.subgroup = known->limits.subgroup;
  EXPECT_EQ(found->name, "device");
  EXPECT_EQ(found->limits, known->limits);
  expectOk(Device::open("cpu", cpu));
  EXPECT_FALSE(cpu.vulkanProfile());
}

//===----------------------------------------------------------------------===//
// Buffers and modules
//===----------------------------------------------------------------------===//

TEST_F(VulkanErrorTest, HugeBuffersAreRefused) {
  for (size_t size : {SIZE_MAX, SIZE_MAX / 2, size_t(1) << 50}) {
    Buffer buffer;
    Status status = device.createBuffer(size, buffer);
    EXPECT_EQ(status.code, CONVOY_INVALID);
    EXPECT_EQ(status.text, "there is no memory for a buffer of " +
                               std::to_string(size) + " bytes");
  }
}

TEST_F(VulkanErrorTest, FunctionsAreRefused) {
  convoy_function function = {"f", &function};
  EXPECT_EQ(device.fromFunctions({&function, 1}, module).text,
            "a Vulkan device cannot run functions of this process");
}

TEST_F(VulkanErrorTest, OtherFilesAreRefused) {
  EXPECT_THAT(device.loadFile("no-such-file.spv", module).text,
              StartsWith("cannot load the module: "));
  std::vector<std::byte> image(100);
  EXPECT_EQ(device.loadImage(image, module).text,
            "cannot load the module: expected SPIR-V, which starts with "
            "0x07230203, but got 0x00000000");
  EXPECT_EQ(device.loadImage(std::span(image).first(99), module).text,
            "cannot load the module: expected SPIR-V, which has whole words, "
            "but got 99 bytes");
  EXPECT_EQ(device.loadImage(std::span(image).first(16), module).text,
            "cannot load the module: expected SPIR-V, which has a header of 5 "
            "words, but got 4");
  EXPECT_EQ(device.loadImage({}, module).code, CONVOY_INVALID);
}

TEST_F(VulkanErrorTest, CutModulesAreRefused) {
  std::string error;
  auto image =
      readFile(std::string(CONVOY_TEST_SPIRV) + "/integers.spv", error);
  ASSERT_TRUE(image) << error;
  size_t refused = 0, words = image->size() / 4;
  EXPECT_EQ(device.loadImage(std::span(*image).first(4 * 5), module).text,
            "cannot load the module: the SPIR-V module has no compute kernel");
  EXPECT_EQ(device.loadImage(std::span(*image).first(4 * 6), module).text,
            "cannot load the module: the SPIR-V module ends within an "
            "instruction, at word 5");
  for (size_t count = 0; count < words; count += 7)
    if (!device.loadImage(std::span(*image).first(4 * count), module).ok())
      ++refused;
  EXPECT_EQ(refused, (words + 6) / 7);
}

TEST_F(VulkanErrorTest, KernelsAreFoundByName) {
  expectOk(load("integers"));
  Kernel kernel;
  EXPECT_EQ(module.findKernel("rot", kernel).text,
            "the module has no kernel 'rot'");
}

TEST_F(VulkanErrorTest, MissingCapabilitiesAreNamed) {
  Status status = load("capability");
  EXPECT_EQ(status.code, CONVOY_NO_DEVICE);
  EXPECT_THAT(status.text,
              MatchesRegex("the device '.*' lacks what the module needs: "
                           "SPIR-V's capability 4, which this runtime does "
                           "not know"));
}

TEST_F(VulkanErrorTest, OtherDescriptorSetsAreRefused) {
  EXPECT_EQ(load("foreign-set").text,
            "cannot load the module: kernel 'main': expected buffers with a "
            "binding in descriptor set 0, but got one in set 3");
}

TEST_F(VulkanErrorTest, UniformsAreRefused) {
  EXPECT_EQ(load("uniform").text,
            "cannot load the module: kernel 'main': expected storage buffers, "
            "but got a uniform");
}

TEST_F(VulkanErrorTest, WorkgroupsBeyondTheDeviceAreRefused) {
  Kernel kernel;
  expectOk(load("limits"));
  Status status = module.findKernel("wide", kernel);
  EXPECT_EQ(status.code, CONVOY_INVALID);
  EXPECT_THAT(status.text,
              MatchesRegex("kernel 'wide' has 1048576 work-items in x of a "
                           "workgroup, but the device '.*' takes at most "
                           "[0-9]+"));
  EXPECT_THAT(module.findKernel("roomy", kernel).text,
              MatchesRegex("kernel 'roomy' has 1073741824 bytes of workgroup "
                           "memory, but the device '.*' takes at most "
                           "[0-9]+"));
}

TEST_F(VulkanErrorTest, WorkgroupMemoryCountsInAllKernels) {
  Kernel kernel;
  expectOk(load("together"));
  EXPECT_THAT(module.findKernel("first", kernel).text,
              MatchesRegex("kernel 'first' has 536871936 bytes of workgroup "
                           "memory together with the module's other kernels, "
                           "but the device '.*' takes at most [0-9]+"));
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

TEST_F(VulkanErrorTest, GridsBeyondTheDeviceAreRefused) {
  Kernel copy = find("integers", "copy");
  Buffer buffer = makeBuffer<int32_t>({1, 2, 3, 4});
  std::vector<convoy_buffer *> buffers = {buffer.get(), buffer.get()};
  for (uint32_t count : {0u, UINT32_MAX}) {
    convoy_launch launch = makeLaunch(1, buffers);
    launch.grid[2] = count;
    // Some devices have no limit.
    Status status = count ? Status{CONVOY_INVALID, refusal(copy, launch)}
                          : copy.launch(launch);
    EXPECT_THAT(status.text,
                MatchesRegex("kernel 'copy': expected from 1 to [0-9]+ "
                             "workgroups in z, but got " +
                             std::to_string(count)));
  }
}

TEST_F(VulkanErrorTest, WorkgroupsAreTheKernelsOwn) {
  Kernel copy = find("integers", "copy");
  Buffer buffer = makeBuffer<int32_t>({1, 2, 3, 4});
  std::vector<convoy_buffer *> buffers = {buffer.get(), buffer.get()};
  convoy_launch launch = makeLaunch(1, buffers);
  launch.block[0] = 4;
  launch.block[1] = 2;
  EXPECT_EQ(refusal(copy, launch),
            "kernel 'copy': expected its own 1 work-items in y, but got 2");
  launch.block[1] = 0;
  launch.workgroup_bytes = 16;
  EXPECT_EQ(refusal(copy, launch), "kernel 'copy': its workgroup memory is "
                                   "fixed, but a launch asks for 16 bytes");
}

TEST_F(VulkanErrorTest, BuffersAreCounted) {
  Kernel add = find("integers", "add");
  Buffer buffer = makeBuffer<int32_t>({1, 2});
  std::vector<convoy_buffer *> buffers = {buffer.get(), buffer.get()};
  EXPECT_EQ(refusal(add, makeLaunch(1, buffers)),
            "kernel 'add': expected a buffer for binding 2, but got 2 buffers");
}

TEST_F(VulkanErrorTest, RangesLieWithinBuffers) {
  Kernel copy = find("integers", "copy");
  Buffer buffer = makeBuffer(std::vector<int32_t>(100));
  std::vector<convoy_buffer *> buffers = {buffer.get(), buffer.get()};
  std::vector<convoy_range> ranges = {{0, 16}, {256, 148}};
  EXPECT_EQ(refusal(copy, makeLaunch(1, buffers, ranges)),
            "expected bytes within a buffer of 400, but got 148 from 256 on");
  ranges[1] = {2, 16};
  EXPECT_THAT(refusal(copy, makeLaunch(1, buffers, ranges)),
              MatchesRegex("kernel 'copy': expected an offset that is a "
                           "multiple of [0-9]+ for binding 1, but got 2"));
}

TEST_F(VulkanErrorTest, SizesAreCountedAndFit) {
  Kernel scale = find("integers", "scale");
  Buffer buffer = makeBuffer<int32_t>({1});
  std::vector<convoy_buffer *> buffers = {buffer.get(), buffer.get()};
  EXPECT_EQ(refusal(scale, makeLaunch(1, buffers)),
            "kernel 'scale': expected sizes for 4 bytes of push constants, but "
            "got 0");
  std::vector<int64_t> sizes = {int64_t(1) << 31};
  EXPECT_EQ(refusal(scale, makeLaunch(1, buffers, {}, sizes)),
            "kernel 'scale': expected sizes of 32 bits, but got 2147483648");
}

TEST_F(VulkanErrorTest, DevicesAreKeptApart) {
  Kernel copy = find("integers", "copy");
  Buffer own = makeBuffer<int32_t>({1, 2, 3, 4});
  Device other;
  Buffer foreign;
  expectOk(Device::open("cpu", other));
  expectOk(other.createBuffer(16, foreign));
  std::vector<convoy_buffer *> buffers = {own.get(), foreign.get()};
  EXPECT_EQ(refusal(copy, makeLaunch(1, buffers)),
            "a buffer belongs to another device");
  std::vector<convoy_step> steps = {{copy.get(), makeLaunch(1, buffers)}};
  EXPECT_EQ(other.run(steps).text, "a kernel belongs to another device");
}

TEST_F(VulkanErrorTest, ValidationMessagesFailCalls) {
  Kernel kernel;
  expectOk(load("extension"));
  Status status = module.findKernel("main", kernel);
  EXPECT_EQ(status.code, CONVOY_INVALID);
  EXPECT_THAT(status.text,
              AllOf(StartsWith("Vulkan validation: "),
                    HasSubstr("SPV_KHR_shader_clock"), Not(HasSubstr("\n"))));
  // It is refused again, and the device is still usable.
  EXPECT_FALSE(module.findKernel("main", kernel).ok());
  find("widen", "widen");
}
