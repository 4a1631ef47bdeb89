//===- VulkanCapabilities.h - What modules need, devices have ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_LIB_VULKANCAPABILITIES_H
#define CONVOY_RUNTIME_LIB_VULKANCAPABILITIES_H

#include "SPIRVModule.h"
#include "VulkanMatrices.h"

#include "convoy/Runtime/convoy_runtime.h"
#include "convoy/Support/VulkanProfile.h"

#include <string>

#include <vulkan/vulkan_raii.hpp>

namespace convoy {

/// Features of devices, by version of Vulkan.
using VulkanFeatures = vk::StructureChain<vk::PhysicalDeviceFeatures2,
                                          vk::PhysicalDeviceVulkan11Features,
                                          vk::PhysicalDeviceVulkan12Features>;

/// The features of `device` that modules may need.
VulkanFeatures chooseFeatures(const vk::raii::PhysicalDevice &device);

/// Whether `device` has the extension `name`.
bool hasExtension(const vk::raii::PhysicalDevice &device,
                  std::string_view name);

/// How many multiprocessors, compute units or cores `device` has, of which one
/// of these extensions of vendors must tell: `VK_NV_shader_sm_builtins`,
/// `VK_AMD_shader_core_properties`, `VK_ARM_shader_core_builtins`; 0 without.
uint32_t countComputeUnits(const vk::raii::PhysicalDevice &device);

/// What a device can do.
struct VulkanCapabilities {
  VulkanFeatures features; ///< those in use
  vk::PhysicalDeviceFloatControlsProperties floats;
  vk::PhysicalDeviceSubgroupProperties subgroups;
  vk::DriverId driver = {};
  bool hasMatrices = false; ///< cooperative ones
  bool hasBF16Matrices = false;
  std::vector<VulkanMatrixShape> matrixShapes;
  uint32_t computeUnits = 0; ///< 0 where the driver does not say
  /// What can be said of the size of subgroups when a pipeline is made.
  vk::PhysicalDeviceSubgroupSizeControlFeatures sizeControl;
  vk::PhysicalDeviceSubgroupSizeControlProperties sizes;

  /// Whether a pipeline can ask for subgroups of `size` work-items.
  bool canAskForSubgroups(uint32_t size) const;

  /// What `module` or `entry` needs and the device lacks, or nothing.
  std::string findMissing(const SPIRVModule &module) const;
  std::string findMissing(const SPIRVEntry &entry) const;

  /// What kernels can promise that declare all that the device offers.
  convoy_arithmetic getArithmetic() const;

  /// What kernels can be compiled for, on a device with these properties.
  VulkanProfile
  getProfile(const vk::PhysicalDeviceProperties &properties) const;

private:
  /// Whether kernels may declare `mode` for floats of `width` bits.
  bool offers(uint32_t mode, uint32_t width) const;
};

/// What the modes that `entry` declares promise for the types of `module`.
convoy_arithmetic getArithmetic(const SPIRVModule &module,
                                const SPIRVEntry &entry);

} // namespace convoy

#endif // CONVOY_RUNTIME_LIB_VULKANCAPABILITIES_H
