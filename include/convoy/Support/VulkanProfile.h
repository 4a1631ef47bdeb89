//===- VulkanProfile.h - What a Vulkan device can do ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels are compiled for a profile: one of a few that have names, or what a
// device that is present says of itself.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_SUPPORT_VULKANPROFILE_H
#define CONVOY_SUPPORT_VULKANPROFILE_H

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace convoy {

/// Limits and features under Vulkan's names, which are in the comments.
struct VulkanLimits {
  /// Vulkan 1.`minorVersion`.
  int64_t minorVersion = 2;
  /// `subgroupSize`. Results do not depend on it.
  int64_t subgroup = 32;
  /// `maxComputeSharedMemorySize`.
  int64_t workgroupBytes = 16384;
  /// `maxComputeWorkGroupInvocations`.
  int64_t workgroupItems = 128;
  /// `maxComputeWorkGroupSize`.
  std::array<int64_t, 3> workgroupSize = {128, 128, 64};
  /// `maxComputeWorkGroupCount`.
  std::array<int64_t, 3> workgroupCount = {65535, 65535, 65535};
  /// `maxStorageBufferRange`.
  int64_t bufferBytes = 1 << 27;
  /// Vectors of 16 bytes that a work-item can hold while enough of them run.
  int64_t registers = 32;
  /// Multiprocessors or compute units, each of which runs workgroups of its
  /// own; 0 where their number is not known.
  int64_t computeUnits = 0;
  /// Iterations of all loops of a work-item that are run, one more each time
  /// that a loop ends: Mesa's lavapipe leaves out the rest, without an error.
  int64_t loopIterations = std::numeric_limits<int64_t>::max();

  /// Arithmetic: `shaderFloat16`, `shaderFloat64`, `shaderInt8`, `shaderInt16`
  /// and `shaderInt64`.
  bool f16 = false, f64 = false, i8 = false, i16 = false, i64 = false;
  /// `storageBuffer8BitAccess` and `storageBuffer16BitAccess`.
  bool storage8 = false, storage16 = false;
  /// `shaderRoundingModeRTEFloat…`: can be told to round to nearest.
  bool nearest16 = false, nearest32 = false, nearest64 = false;
  /// `shaderSignedZeroInfNanPreserveFloat…`: can be told to keep the sign of
  /// zeros, infinities and NaNs.
  bool special16 = false, special32 = false, special64 = false;
  /// Shapes of cooperative matrices of subgroups, `VK_KHR_cooperative_matrix`:
  /// rows, columns and terms, and the type of the factors. Sums are f32 of f16
  /// and bf16, and i32 of i8.
  bool matrix16x16x16F16 = false, matrix16x16x16BF16 = false,
       matrix16x16x16I8 = false, matrix16x16x32I8 = false;
  /// Whether the memory that a workgroup shares is no faster than any other,
  /// and an access takes time for each element, whatever its width:
  /// `VK_PHYSICAL_DEVICE_TYPE_CPU`.
  bool slowSharedMemory = false;

  bool operator==(const VulkanLimits &) const = default;
};

/// The features that are either there or not, with their words.
using VulkanFeature = std::pair<std::string_view, bool VulkanLimits::*>;
inline constexpr VulkanFeature kVulkanFeatures[] = {
    {"f16", &VulkanLimits::f16},
    {"f64", &VulkanLimits::f64},
    {"i8", &VulkanLimits::i8},
    {"i16", &VulkanLimits::i16},
    {"i64", &VulkanLimits::i64},
    {"storage8", &VulkanLimits::storage8},
    {"storage16", &VulkanLimits::storage16},
    {"nearest16", &VulkanLimits::nearest16},
    {"nearest32", &VulkanLimits::nearest32},
    {"nearest64", &VulkanLimits::nearest64},
    {"special16", &VulkanLimits::special16},
    {"special32", &VulkanLimits::special32},
    {"special64", &VulkanLimits::special64},
    {"matrix16x16x16_f16", &VulkanLimits::matrix16x16x16F16},
    {"matrix16x16x16_bf16", &VulkanLimits::matrix16x16x16BF16},
    {"matrix16x16x16_i8", &VulkanLimits::matrix16x16x16I8},
    {"matrix16x16x32_i8", &VulkanLimits::matrix16x16x32I8},
    {"slow_shared_memory", &VulkanLimits::slowSharedMemory}};

/// LP_MAX_TGSI_LOOP_ITERATIONS of Mesa's llvmpipe.
inline constexpr int64_t kLavapipeLoopIterations = 65535;

/// Limits with a name to call them by.
struct VulkanProfile {
  std::string name;
  VulkanLimits limits;
};

/// The profile `name`: lavapipe, generic, nvidia or amd, and features that
/// devices have besides or lack, as in `generic+storage16-f64`. `-matrix` takes
/// all shapes of cooperative matrices.
std::optional<VulkanProfile> getVulkanProfile(std::string_view name);

/// What could be said instead of `name`, which is none: a profile, or one of
/// the features where it names a profile.
std::string expectVulkanProfile(std::string_view name);

} // namespace convoy

#endif // CONVOY_SUPPORT_VULKANPROFILE_H
