//===- VulkanMatrices.cpp - Cooperative matrices of devices ---------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VulkanMatrices.h"

#include <algorithm>

using namespace convoy;

/// What `device` offers of the features of an extension.
template <typename Features>
static Features getFeatures(const vk::raii::PhysicalDevice &device) {
  Features asked;
  VkPhysicalDeviceFeatures2 features = vk::PhysicalDeviceFeatures2();
  features.pNext = &asked;
  device.getDispatcher()->vkGetPhysicalDeviceFeatures2(
      static_cast<VkPhysicalDevice>(*device), &features);
  return asked;
}

bool convoy::offersMatrices(const vk::raii::PhysicalDevice &device) {
  return getFeatures<VulkanMatrixFeatures>(device).cooperativeMatrix;
}

bool convoy::offersBF16Matrices(const vk::raii::PhysicalDevice &device) {
  auto offered = getFeatures<VulkanBF16Features>(device);
  return offered.shaderBFloat16Type && offered.shaderBFloat16CooperativeMatrix;
}

std::vector<VulkanMatrixShape>
convoy::listMatrixShapes(const vk::raii::PhysicalDevice &device,
                         PFN_vkVoidFunction function) {
  using List =
      VkResult(VKAPI_PTR *)(VkPhysicalDevice, uint32_t *, VulkanMatrixShape *);
  auto list = reinterpret_cast<List>(function);
  auto handle = static_cast<VkPhysicalDevice>(*device);
  uint32_t count = 0;
  if (!list || list(handle, &count, nullptr) != VK_SUCCESS)
    return {};
  std::vector<VulkanMatrixShape> shapes(count);
  if (list(handle, &count, shapes.data()) != VK_SUCCESS)
    return {};
  shapes.resize(count);
  return shapes;
}

void convoy::setMatrices(VulkanLimits &limits,
                         std::span<const VulkanMatrixShape> shapes) {
  enum Type : uint32_t {
    Float16 = 0,
    Float32 = 1,
    SInt8 = 3,
    SInt32 = 5,
    UInt8 = 7,
    UInt32 = 9,
    BFloat16 = 1000141000
  };
  constexpr uint32_t Subgroup = 3;
  auto has = [&](uint32_t k, Type factor, Type sum) {
    return std::ranges::any_of(shapes, [&](const VulkanMatrixShape &shape) {
      return shape.m == 16 && shape.n == 16 && shape.k == k &&
             shape.a == factor && shape.b == factor && shape.c == sum &&
             shape.result == sum && !shape.saturates && shape.scope == Subgroup;
    });
  };
  limits.matrix16x16x16F16 = has(16, Float16, Float32);
  limits.matrix16x16x16BF16 = has(16, BFloat16, Float32);
  // Kernels have either: one alone is as good as none.
  auto hasBytes = [&](uint32_t k) {
    return has(k, SInt8, SInt32) && has(k, UInt8, UInt32);
  };
  limits.matrix16x16x16I8 = hasBytes(16);
  limits.matrix16x16x32I8 = hasBytes(32);
}
