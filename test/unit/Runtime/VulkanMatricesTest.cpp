//===- VulkanMatricesTest.cpp - What devices say of matrices --------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// lavapipe has no cooperative matrices: these devices are made up.
//
//===----------------------------------------------------------------------===//

#include "VulkanCapabilities.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

using namespace convoy;

namespace {
/// VkComponentTypeKHR.
enum Type : uint32_t {
  F16 = 0,
  F32 = 1,
  S8 = 3,
  S32 = 5,
  U8 = 7,
  U32 = 9,
  BF16 = 1000141000
};

VulkanMatrixShape makeMatrixShape(uint32_t n, uint32_t k, Type factor,
                                  Type sum) {
  VulkanMatrixShape shape;
  shape.m = 16;
  shape.n = n;
  shape.k = k;
  shape.a = shape.b = factor;
  shape.c = shape.result = sum;
  shape.scope = 3; // VK_SCOPE_SUBGROUP_KHR
  return shape;
}

/// A device with all that matrices need.
VulkanCapabilities makeCapabilities() {
  VulkanCapabilities device;
  device.hasMatrices = true;
  device.features.get<vk::PhysicalDeviceVulkan12Features>().vulkanMemoryModel =
      true;
  device.subgroups.subgroupSize = 32;
  device.subgroups.supportedStages = vk::ShaderStageFlagBits::eCompute;
  device.subgroups.supportedOperations = vk::SubgroupFeatureFlagBits::eBasic;
  return device;
}

VulkanLimits getLimits(const VulkanCapabilities &device) {
  return device.getProfile(vk::PhysicalDeviceProperties()).limits;
}

SPIRVModule makeModule(std::vector<uint32_t> capabilities,
                       uint32_t subgroup = 0) {
  SPIRVModule module;
  module.capabilities = std::move(capabilities);
  module.subgroup = subgroup;
  return module;
}
} // namespace

TEST(VulkanMatricesTest, ProfilesHaveTheShapesThatKernelsMayHave) {
  VulkanCapabilities device = makeCapabilities();
  // What an H100 lists of them, and more.
  device.matrixShapes = {
      makeMatrixShape(16, 16, F16, F16), makeMatrixShape(8, 16, F16, F32),
      makeMatrixShape(16, 32, U8, U32),  makeMatrixShape(16, 16, F16, F32),
      makeMatrixShape(16, 32, S8, S32),  makeMatrixShape(16, 16, BF16, F32)};
  VulkanLimits limits = getLimits(device);
  EXPECT_TRUE(limits.matrix16x16x16F16);
  EXPECT_TRUE(limits.matrix16x16x32I8);
  EXPECT_FALSE(limits.matrix16x16x16I8);
  // Without the type itself a shape is of no use.
  EXPECT_FALSE(limits.matrix16x16x16BF16);
  device.hasBF16Matrices = true;
  EXPECT_TRUE(getLimits(device).matrix16x16x16BF16);
}

TEST(VulkanMatricesTest, BytesHaveASignOrNone) {
  VulkanCapabilities device = makeCapabilities();
  device.matrixShapes = {makeMatrixShape(16, 16, S8, S32),
                         makeMatrixShape(16, 32, U8, U32)};
  VulkanLimits limits = getLimits(device);
  EXPECT_FALSE(limits.matrix16x16x16I8);
  EXPECT_FALSE(limits.matrix16x16x32I8);
  device.matrixShapes.push_back(makeMatrixShape(16, 16, U8, U32));
  limits = getLimits(device);
  EXPECT_TRUE(limits.matrix16x16x16I8);
  EXPECT_FALSE(limits.matrix16x16x32I8);
}

TEST(VulkanMatricesTest, OtherShapesAreNotTakenForThem) {
  VulkanCapabilities device = makeCapabilities();
  VulkanMatrixShape saturates = makeMatrixShape(16, 16, S8, S32);
  saturates.saturates = true;
  VulkanMatrixShape workgroup = makeMatrixShape(16, 16, F16, F32);
  workgroup.scope = 2;
  VulkanMatrixShape mixed = makeMatrixShape(16, 32, S8, S32);
  mixed.b = U8;
  VulkanMatrixShape narrowed = makeMatrixShape(16, 16, F16, F32);
  narrowed.result = F16;
  device.matrixShapes = {saturates, workgroup, mixed, narrowed,
                         makeMatrixShape(16, 16, F16, F16)};
  VulkanLimits limits = getLimits(device);
  EXPECT_FALSE(limits.matrix16x16x16F16);
  EXPECT_FALSE(limits.matrix16x16x16I8);
  EXPECT_FALSE(limits.matrix16x16x32I8);
}

TEST(VulkanMatricesTest, NeedTheMemoryModelAndSubgroups) {
  VulkanCapabilities device = makeCapabilities();
  device.matrixShapes = {makeMatrixShape(16, 16, F16, F32)};
  EXPECT_TRUE(getLimits(device).matrix16x16x16F16);
  device.subgroups.supportedOperations = {};
  EXPECT_FALSE(getLimits(device).matrix16x16x16F16);
  device = makeCapabilities();
  device.matrixShapes = {makeMatrixShape(16, 16, F16, F32)};
  device.features.get<vk::PhysicalDeviceVulkan12Features>().vulkanMemoryModel =
      false;
  EXPECT_FALSE(getLimits(device).matrix16x16x16F16);
}

TEST(VulkanMatricesTest, ModulesAreRefusedInALine) {
  VulkanCapabilities device = makeCapabilities();
  EXPECT_EQ(device.findMissing(makeModule({kMatrixCapability})), "");
  device.hasMatrices = false;
  EXPECT_EQ(device.findMissing(makeModule({kMatrixCapability})),
            "the feature cooperativeMatrix");
  for (uint32_t capability : {5116, 5118}) {
    device.hasBF16Matrices = false;
    EXPECT_EQ(device.findMissing(makeModule({capability})),
              "the feature shaderBFloat16CooperativeMatrix");
    device.hasBF16Matrices = true;
    EXPECT_EQ(device.findMissing(makeModule({capability})), "");
  }
}

TEST(VulkanMatricesTest, SubgroupsHaveTheSizeThatModulesAreFor) {
  VulkanCapabilities device = makeCapabilities();
  // The only size that there is.
  EXPECT_EQ(device.findMissing(makeModule({}, 32)), "");
  EXPECT_FALSE(device.canAskForSubgroups(32));
  EXPECT_EQ(device.findMissing(makeModule({}, 64)),
            "subgroups of 64 work-items");
  // One of several has to be asked for.
  device.sizeControl.subgroupSizeControl = true;
  device.sizes.minSubgroupSize = 32;
  device.sizes.maxSubgroupSize = 64;
  EXPECT_EQ(device.findMissing(makeModule({}, 32)),
            "subgroups of 32 work-items");
  device.sizes.requiredSubgroupSizeStages = vk::ShaderStageFlagBits::eCompute;
  EXPECT_EQ(device.findMissing(makeModule({}, 32)), "");
  EXPECT_EQ(device.findMissing(makeModule({}, 64)), "");
  EXPECT_TRUE(device.canAskForSubgroups(64));
  EXPECT_EQ(device.findMissing(makeModule({}, 128)),
            "subgroups of 128 work-items");
}

TEST(VulkanMatricesTest, ModulesSayWhatSubgroupsTheyAreFor) {
  // OpName %1 "subgroup_size", %1 = OpSpecConstant %2 32
  std::vector<uint32_t> words = {0x07230203, 0x00010600, 0, 3, 0,
                                 // OpEntryPoint GLCompute %3 "f"
                                 4u << 16 | 15, 5, 3, 'f',
                                 // Its name has 13 letters.
                                 6u << 16 | 5, 1, 0x67627573, 0x70756f72,
                                 0x7a69735f, 'e', 4u << 16 | 50, 2, 1, 32};
  std::string error;
  std::optional<SPIRVModule> module =
      SPIRVModule::read(std::as_bytes(std::span(words)), error);
  ASSERT_TRUE(module) << error;
  EXPECT_EQ(module->subgroup, 32u);
}
