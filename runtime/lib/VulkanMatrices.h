//===- VulkanMatrices.h - Cooperative matrices of devices -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// VK_KHR_cooperative_matrix, which Vulkan's headers have since 1.3.255, and
// VK_KHR_shader_bfloat16, which they have since 1.4.311.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_LIB_VULKANMATRICES_H
#define CONVOY_RUNTIME_LIB_VULKANMATRICES_H

#include "convoy/Support/VulkanProfile.h"

#include <span>
#include <vector>

#include <vulkan/vulkan_raii.hpp>

namespace convoy {

inline constexpr const char *kMatrixExtension = "VK_KHR_cooperative_matrix";
inline constexpr const char *kBF16Extension = "VK_KHR_shader_bfloat16";

/// VkPhysicalDeviceCooperativeMatrixFeaturesKHR.
struct VulkanMatrixFeatures {
  VkStructureType sType = VkStructureType(1000506000);
  void *pNext = nullptr;
  VkBool32 cooperativeMatrix = VK_FALSE;
  VkBool32 cooperativeMatrixRobustBufferAccess = VK_FALSE;
};

/// VkPhysicalDeviceShaderBfloat16FeaturesKHR.
struct VulkanBF16Features {
  VkStructureType sType = VkStructureType(1000141000);
  void *pNext = nullptr;
  VkBool32 shaderBFloat16Type = VK_FALSE;
  VkBool32 shaderBFloat16DotProduct = VK_FALSE;
  VkBool32 shaderBFloat16CooperativeMatrix = VK_FALSE;
};

/// VkCooperativeMatrixPropertiesKHR: a shape that a device has, with
/// VkComponentTypeKHR and VkScopeKHR as numbers.
struct VulkanMatrixShape {
  VkStructureType sType = VkStructureType(1000506001);
  void *pNext = nullptr;
  uint32_t m = 0, n = 0, k = 0;
  uint32_t a = 0, b = 0, c = 0, result = 0;
  VkBool32 saturates = VK_FALSE;
  uint32_t scope = 0;
};

/// Whether `device`, which has the extension, offers cooperative matrices.
bool offersMatrices(const vk::raii::PhysicalDevice &device);
/// Whether `device`, which has both extensions, offers those of bf16.
bool offersBF16Matrices(const vk::raii::PhysicalDevice &device);

inline constexpr const char *kMatrixFunction =
    "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR";

/// The shapes that `device`, which has cooperative matrices, lists. `function`
/// is the one that is called kMatrixFunction.
std::vector<VulkanMatrixShape>
listMatrixShapes(const vk::raii::PhysicalDevice &device,
                 PFN_vkVoidFunction function);

/// Lets `limits` say which shapes that kernels may have are among `shapes`.
void setMatrices(VulkanLimits &limits,
                 std::span<const VulkanMatrixShape> shapes);

} // namespace convoy

#endif // CONVOY_RUNTIME_LIB_VULKANMATRICES_H
