//===- VulkanCapabilities.cpp - What modules need and devices have --------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VulkanCapabilities.h"

#include <algorithm>
#include <variant>

#include <spirv/unified1/spirv.hpp11>

using namespace convoy;

using Features10 = vk::PhysicalDeviceFeatures;
using Features11 = vk::PhysicalDeviceVulkan11Features;
using Features12 = vk::PhysicalDeviceVulkan12Features;
using Floats = vk::PhysicalDeviceFloatControlsProperties;
using Subgroup = vk::SubgroupFeatureFlagBits;
using spv::Capability;

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// A feature that a capability needs. Devices are made with all of these that
/// they offer.
struct Feature {
  Capability capability;
  const char *name;
  std::variant<vk::Bool32 Features10::*, vk::Bool32 Features11::*,
               vk::Bool32 Features12::*>
      member;
};

static const Feature AllFeatures[] = {
    {Capability::Float64, "shaderFloat64", &Features10::shaderFloat64},
    {Capability::Int64, "shaderInt64", &Features10::shaderInt64},
    {Capability::Int16, "shaderInt16", &Features10::shaderInt16},
    {Capability::StorageBuffer16BitAccess, "storageBuffer16BitAccess",
     &Features11::storageBuffer16BitAccess},
    {Capability::StoragePushConstant16, "storagePushConstant16",
     &Features11::storagePushConstant16},
    {Capability::VariablePointersStorageBuffer, "variablePointersStorageBuffer",
     &Features11::variablePointersStorageBuffer},
    {Capability::VariablePointers, "variablePointers",
     &Features11::variablePointers},
    {Capability::Float16, "shaderFloat16", &Features12::shaderFloat16},
    {Capability::Int8, "shaderInt8", &Features12::shaderInt8},
    {Capability::StorageBuffer8BitAccess, "storageBuffer8BitAccess",
     &Features12::storageBuffer8BitAccess},
    {Capability::StoragePushConstant8, "storagePushConstant8",
     &Features12::storagePushConstant8},
    {Capability::VulkanMemoryModel, "vulkanMemoryModel",
     &Features12::vulkanMemoryModel},
};

/// SPIR-V's BFloat16TypeKHR and BFloat16CooperativeMatrixKHR.
static constexpr uint32_t kBF16Capability = 5116, kBF16MatrixCapability = 5118;

/// What subgroups must be able to do for a capability.
struct SubgroupFeature {
  Capability capability;
  const char *name;
  Subgroup flag;
};

static constexpr SubgroupFeature SubgroupFeatures[] = {
    {Capability::GroupNonUniform, "basic", Subgroup::eBasic},
    {Capability::GroupNonUniformVote, "vote", Subgroup::eVote},
    {Capability::GroupNonUniformArithmetic, "arithmetic",
     Subgroup::eArithmetic},
    {Capability::GroupNonUniformBallot, "ballot", Subgroup::eBallot},
    {Capability::GroupNonUniformShuffle, "shuffle", Subgroup::eShuffle},
    {Capability::GroupNonUniformShuffleRelative, "shuffleRelative",
     Subgroup::eShuffleRelative},
    {Capability::GroupNonUniformClustered, "clustered", Subgroup::eClustered},
    {Capability::GroupNonUniformQuad, "quad", Subgroup::eQuad},
};

/// Capabilities that every device has, and those whose execution modes say
/// what is needed.
static constexpr Capability FreeCapabilities[] = {
    Capability::Matrix,
    Capability::Shader,
    Capability::DenormPreserve,
    Capability::DenormFlushToZero,
    Capability::SignedZeroInfNanPreserve,
    Capability::RoundingModeRTE,
    Capability::RoundingModeRTZ,
};

/// A promise about floats, and which devices can keep it for 16, 32 and 64
/// bits.
struct FloatMode {
  spv::ExecutionMode mode;
  const char *name;
  vk::Bool32 Floats::*offers[3];
};

static constexpr FloatMode FloatModes[] = {
    {spv::ExecutionMode::DenormPreserve,
     "DenormPreserve",
     {&Floats::shaderDenormPreserveFloat16,
      &Floats::shaderDenormPreserveFloat32,
      &Floats::shaderDenormPreserveFloat64}},
    {spv::ExecutionMode::DenormFlushToZero,
     "DenormFlushToZero",
     {&Floats::shaderDenormFlushToZeroFloat16,
      &Floats::shaderDenormFlushToZeroFloat32,
      &Floats::shaderDenormFlushToZeroFloat64}},
    {spv::ExecutionMode::SignedZeroInfNanPreserve,
     "SignedZeroInfNanPreserve",
     {&Floats::shaderSignedZeroInfNanPreserveFloat16,
      &Floats::shaderSignedZeroInfNanPreserveFloat32,
      &Floats::shaderSignedZeroInfNanPreserveFloat64}},
    {spv::ExecutionMode::RoundingModeRTE,
     "RoundingModeRTE",
     {&Floats::shaderRoundingModeRTEFloat16,
      &Floats::shaderRoundingModeRTEFloat32,
      &Floats::shaderRoundingModeRTEFloat64}},
    {spv::ExecutionMode::RoundingModeRTZ,
     "RoundingModeRTZ",
     {&Floats::shaderRoundingModeRTZFloat16,
      &Floats::shaderRoundingModeRTZFloat32,
      &Floats::shaderRoundingModeRTZFloat64}},
};

/// The feature's place in `features`.
template <typename Chain>
static auto &getMember(Chain &features, const Feature &feature) {
  if (auto member = std::get_if<0>(&feature.member))
    return features.template get<vk::PhysicalDeviceFeatures2>().features.*
           *member;
  if (auto member = std::get_if<1>(&feature.member))
    return features.template get<Features11>().**member;
  return features.template get<Features12>().**std::get_if<2>(&feature.member);
}

VulkanFeatures convoy::chooseFeatures(const vk::raii::PhysicalDevice &device) {
  VulkanFeatures offered =
      device
          .getFeatures2<vk::PhysicalDeviceFeatures2, Features11, Features12>();
  VulkanFeatures chosen;
  for (const Feature &feature : AllFeatures)
    getMember(chosen, feature) = getMember(offered, feature);
  return chosen;
}

bool convoy::hasExtension(const vk::raii::PhysicalDevice &device,
                          std::string_view name) {
  return std::ranges::any_of(device.enumerateDeviceExtensionProperties(),
                             [&](const vk::ExtensionProperties &extension) {
                               return name == extension.extensionName.data();
                             });
}

uint32_t convoy::countComputeUnits(const vk::raii::PhysicalDevice &device) {
  auto read = [&]<typename Properties>(Properties) {
    return device.getProperties2<vk::PhysicalDeviceProperties2, Properties>()
        .template get<Properties>();
  };
  if (hasExtension(device, VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME))
    return read(vk::PhysicalDeviceShaderSMBuiltinsPropertiesNV()).shaderSMCount;
  if (hasExtension(device, VK_AMD_SHADER_CORE_PROPERTIES_EXTENSION_NAME)) {
    auto engines = read(vk::PhysicalDeviceShaderCorePropertiesAMD());
    return engines.shaderEngineCount * engines.shaderArraysPerEngineCount *
           engines.computeUnitsPerShaderArray;
  }
  if (hasExtension(device, VK_ARM_SHADER_CORE_BUILTINS_EXTENSION_NAME))
    return read(vk::PhysicalDeviceShaderCoreBuiltinsPropertiesARM())
        .shaderCoreCount;
  return 0;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

bool VulkanCapabilities::canAskForSubgroups(uint32_t size) const {
  return sizeControl.subgroupSizeControl && size >= sizes.minSubgroupSize &&
         size <= sizes.maxSubgroupSize &&
         (sizes.requiredSubgroupSizeStages & vk::ShaderStageFlagBits::eCompute);
}

std::string VulkanCapabilities::findMissing(const SPIRVModule &module) const {
  for (uint32_t word : module.capabilities) {
    auto capability = static_cast<Capability>(word);
    if (std::ranges::find(FreeCapabilities, capability) !=
        std::end(FreeCapabilities))
      continue;
    if (auto feature =
            std::ranges::find(AllFeatures, capability, &Feature::capability);
        feature != std::end(AllFeatures)) {
      if (getMember(features, *feature))
        continue;
      return std::string("the feature ") + feature->name;
    }
    if (auto feature = std::ranges::find(SubgroupFeatures, capability,
                                         &SubgroupFeature::capability);
        feature != std::end(SubgroupFeatures)) {
      if (subgroups.supportedOperations & feature->flag)
        continue;
      return std::string("subgroup operations: ") + feature->name;
    }
    if (word == kMatrixCapability) {
      if (hasMatrices)
        continue;
      return "the feature cooperativeMatrix";
    }
    if (word == kBF16Capability || word == kBF16MatrixCapability) {
      if (hasBF16Matrices)
        continue;
      return "the feature shaderBFloat16CooperativeMatrix";
    }
    return "SPIR-V's capability " + std::to_string(word) +
           ", which this runtime does not know";
  }
  // A device that may choose among sizes has to be told.
  bool isFixed = !sizeControl.subgroupSizeControl ||
                 sizes.minSubgroupSize == sizes.maxSubgroupSize;
  if (module.subgroup && !canAskForSubgroups(module.subgroup) &&
      !(isFixed && subgroups.subgroupSize == module.subgroup))
    return "subgroups of " + std::to_string(module.subgroup) + " work-items";
  return "";
}

bool VulkanCapabilities::offers(uint32_t mode, uint32_t width) const {
  auto known = std::ranges::find(
      FloatModes, static_cast<spv::ExecutionMode>(mode), &FloatMode::mode);
  if (known == std::end(FloatModes))
    return false;
  return floats.*known->offers[width == 16 ? 0 : width == 32 ? 1 : 2];
}

std::string VulkanCapabilities::findMissing(const SPIRVEntry &entry) const {
  for (auto [mode, width] : entry.floatModes) {
    if (offers(mode, width))
      continue;
    auto known = std::ranges::find(
        FloatModes, static_cast<spv::ExecutionMode>(mode), &FloatMode::mode);
    return (known == std::end(FloatModes)
                ? "SPIR-V's execution mode " + std::to_string(mode)
                : known->name + std::string(" for floats of ") +
                      std::to_string(width) + " bits");
  }
  return "";
}

convoy_arithmetic VulkanCapabilities::getArithmetic() const {
  auto offersForAll = [&](spv::ExecutionMode mode) {
    bool hasHalf = features.get<Features12>().shaderFloat16;
    return offers(uint32_t(mode), 32) &&
           (!hasHalf || offers(uint32_t(mode), 16));
  };
  return {offersForAll(spv::ExecutionMode::RoundingModeRTE),
          !offersForAll(spv::ExecutionMode::DenormPreserve)};
}

convoy_arithmetic convoy::getArithmetic(const SPIRVModule &module,
                                        const SPIRVEntry &entry) {
  auto declaresForAll = [&](spv::ExecutionMode mode) {
    return std::ranges::all_of(module.floatWidths, [&](uint32_t width) {
      return entry.floatModes.contains({uint32_t(mode), width});
    });
  };
  // How matrices are summed no mode says.
  if (module.declares(kMatrixCapability))
    return {/*rounds_to_nearest=*/0, /*flushes_subnormals=*/1};
  return {declaresForAll(spv::ExecutionMode::RoundingModeRTE),
          !declaresForAll(spv::ExecutionMode::DenormPreserve)};
}

VulkanProfile VulkanCapabilities::getProfile(
    const vk::PhysicalDeviceProperties &properties) const {
  const vk::PhysicalDeviceLimits &of = properties.limits;
  VulkanLimits limits;
  limits.minorVersion = VK_API_VERSION_MINOR(properties.apiVersion);
  limits.subgroup = subgroups.subgroupSize;
  limits.workgroupBytes = of.maxComputeSharedMemorySize;
  limits.workgroupItems = of.maxComputeWorkGroupInvocations;
  std::ranges::copy(of.maxComputeWorkGroupSize, limits.workgroupSize.begin());
  std::ranges::copy(of.maxComputeWorkGroupCount, limits.workgroupCount.begin());
  limits.bufferBytes = of.maxStorageBufferRange;
  limits.computeUnits = computeUnits;
  limits.slowSharedMemory =
      properties.deviceType == vk::PhysicalDeviceType::eCpu;
  if (driver == vk::DriverId::eMesaLlvmpipe)
    limits.loopIterations = kLavapipeLoopIterations;

  const auto &first = features.get<vk::PhysicalDeviceFeatures2>().features;
  const auto &second = features.get<Features11>();
  const auto &third = features.get<Features12>();
  limits.f16 = third.shaderFloat16;
  limits.f64 = first.shaderFloat64;
  limits.i8 = third.shaderInt8;
  limits.i16 = first.shaderInt16;
  limits.i64 = first.shaderInt64;
  limits.storage8 = third.storageBuffer8BitAccess;
  limits.storage16 = second.storageBuffer16BitAccess;
  limits.nearest16 = floats.shaderRoundingModeRTEFloat16;
  limits.nearest32 = floats.shaderRoundingModeRTEFloat32;
  limits.nearest64 = floats.shaderRoundingModeRTEFloat64;
  limits.special16 = floats.shaderSignedZeroInfNanPreserveFloat16;
  limits.special32 = floats.shaderSignedZeroInfNanPreserveFloat32;
  limits.special64 = floats.shaderSignedZeroInfNanPreserveFloat64;
  if (third.vulkanMemoryModel &&
      (subgroups.supportedOperations & Subgroup::eBasic) &&
      (subgroups.supportedStages & vk::ShaderStageFlagBits::eCompute))
    setMatrices(limits, matrixShapes);
  limits.matrix16x16x16BF16 &= hasBF16Matrices;
  return {"device", limits};
}
