//===- VulkanProfile.cpp - What a Vulkan device can do ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/VulkanProfile.h"

using namespace convoy;

/// What Mesa's lavapipe and all drivers of desktop GPUs offer.
static VulkanLimits makeDesktopLimits() {
  VulkanLimits limits;
  for (auto [name, feature] : kVulkanFeatures)
    limits.*feature = true;
  limits.flatMemory = false;
  limits.workgroupBytes = 32768;
  limits.workgroupItems = 1024;
  limits.workgroupSize = {1024, 1024, 64};
  return limits;
}

/// Mesa 22.3 on a CPU with vectors of 256 bits.
static VulkanLimits makeLavapipeLimits() {
  VulkanLimits limits = makeDesktopLimits();
  limits.minorVersion = 3;
  limits.subgroup = 8;
  limits.flatMemory = true;
  limits.workgroupSize = {1024, 1024, 1024};
  return limits;
}

/// Turing and later.
static VulkanLimits makeNvidiaLimits() {
  VulkanLimits limits = makeDesktopLimits();
  limits.minorVersion = 3;
  limits.workgroupBytes = 49152;
  limits.workgroupCount = {2147483647, 65535, 65535};
  limits.bufferBytes = 4294967295;
  return limits;
}

/// GCN and later, what RADV and AMDVLK have in common.
static VulkanLimits makeAmdLimits() {
  VulkanLimits limits = makeDesktopLimits();
  limits.minorVersion = 3;
  limits.subgroup = 64;
  limits.workgroupSize = {1024, 1024, 1024};
  limits.bufferBytes = 4294967295;
  return limits;
}

std::optional<VulkanProfile> convoy::getVulkanProfile(std::string_view name) {
  auto make = [&](const VulkanLimits &limits) {
    return VulkanProfile{std::string(name), limits};
  };
  if (name == "lavapipe")
    return make(makeLavapipeLimits());
  // What every device with Vulkan 1.2 has to offer: the defaults.
  if (name == "generic")
    return make(VulkanLimits());
  if (name == "nvidia")
    return make(makeNvidiaLimits());
  if (name == "amd")
    return make(makeAmdLimits());
  return std::nullopt;
}

std::string_view convoy::getVulkanProfileNames() {
  return "lavapipe, generic, nvidia or amd";
}
