//===- VulkanProfile.cpp - What a Vulkan device can do ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/VulkanProfile.h"

#include <algorithm>

using namespace convoy;

/// What the words of all shapes of cooperative matrices begin with.
static constexpr std::string_view kMatrix = "matrix";

/// What Mesa's lavapipe and all drivers of desktop GPUs offer.
static VulkanLimits makeDesktopLimits() {
  VulkanLimits limits;
  for (auto [name, feature] : kVulkanFeatures)
    limits.*feature = !name.starts_with(kMatrix);
  limits.slowSharedMemory = false;
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
  limits.loopIterations = kLavapipeLoopIterations;
  limits.slowSharedMemory = true;
  limits.workgroupSize = {1024, 1024, 1024};
  return limits;
}

/// Turing and later; of cooperative matrices those of Ampere and later, and as
/// many multiprocessors as an H100 has (an RTX 4090 has 128).
static VulkanLimits makeNvidiaLimits() {
  VulkanLimits limits = makeDesktopLimits();
  limits.minorVersion = 3;
  limits.workgroupBytes = 49152;
  limits.workgroupCount = {2147483647, 65535, 65535};
  limits.bufferBytes = 4294967295;
  limits.computeUnits = 132;
  limits.matrix16x16x16F16 = limits.matrix16x16x16BF16 =
      limits.matrix16x16x32I8 = true;
  return limits;
}

/// GCN and later, what RADV and AMDVLK have in common; of cooperative matrices
/// those of RDNA 3 and later, and as many compute units as an RX 7900 XTX has.
static VulkanLimits makeAmdLimits() {
  VulkanLimits limits = makeDesktopLimits();
  limits.minorVersion = 3;
  limits.subgroup = 64;
  limits.workgroupSize = {1024, 1024, 1024};
  limits.bufferBytes = 4294967295;
  limits.computeUnits = 96;
  limits.matrix16x16x16F16 = limits.matrix16x16x16I8 = true;
  return limits;
}

static std::optional<VulkanLimits> getLimits(std::string_view name) {
  if (name == "lavapipe")
    return makeLavapipeLimits();
  // What every device with Vulkan 1.2 has to offer: the defaults.
  if (name == "generic")
    return VulkanLimits();
  if (name == "nvidia")
    return makeNvidiaLimits();
  if (name == "amd")
    return makeAmdLimits();
  return std::nullopt;
}

/// Gives and takes features as `changes` says, as in `-f16+i8`.
static bool changeFeatures(VulkanLimits &limits, std::string_view changes) {
  while (!changes.empty()) {
    bool isThere = changes.front() == '+';
    changes.remove_prefix(1);
    std::string_view word = changes.substr(0, changes.find_first_of("+-"));
    changes.remove_prefix(word.size());
    if (word == kMatrix && !isThere) {
      for (auto [name, feature] : kVulkanFeatures)
        limits.*feature &= !name.starts_with(kMatrix);
      continue;
    }
    const auto *feature =
        std::ranges::find(kVulkanFeatures, word, &VulkanFeature::first);
    if (feature == std::ranges::end(kVulkanFeatures))
      return false;
    limits.*feature->second = isThere;
  }
  return true;
}

std::optional<VulkanProfile> convoy::getVulkanProfile(std::string_view name) {
  std::string_view base = name.substr(0, name.find_first_of("+-"));
  std::optional<VulkanLimits> limits = getLimits(base);
  if (!limits || !changeFeatures(*limits, name.substr(base.size())))
    return std::nullopt;
  return VulkanProfile{std::string(name), *limits};
}

std::string convoy::expectVulkanProfile(std::string_view name) {
  std::string_view base = name.substr(0, name.find_first_of("+-"));
  if (!getLimits(base))
    return "lavapipe, generic, nvidia or amd, and features as in nvidia-f16";
  std::string words = std::string(base) + " and + or - before ";
  for (auto [word, feature] : kVulkanFeatures)
    words += std::string(word) + ", ";
  return words + "or - before " + std::string(kMatrix);
}
