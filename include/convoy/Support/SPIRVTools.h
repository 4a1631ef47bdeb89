//===- SPIRVTools.h - What SPIRV-Tools is asked -----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For those who link SPIRV-Tools.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_SUPPORT_SPIRVTOOLS_H
#define CONVOY_SUPPORT_SPIRVTOOLS_H

#include <spirv-tools/libspirv.hpp>

#include <cstdint>
#include <vector>

namespace convoy {

/// The rules of Vulkan 1.`minorVersion`; versions after 1.3 add to these.
inline spv_target_env getVulkanEnvironment(int64_t minorVersion) {
  return minorVersion <= 2 ? SPV_ENV_VULKAN_1_2 : SPV_ENV_VULKAN_1_3;
}

/// Whether SPIRV-Tools knows SPV_KHR_cooperative_matrix, as since 2023.4.
inline bool knowsCooperativeMatrices() {
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_6);
  tools.SetMessageConsumer([](spv_message_level_t, const char *,
                              const spv_position_t &, const char *) {});
  std::vector<uint32_t> binary;
  return tools.Assemble("OpCapability CooperativeMatrixKHR", &binary);
}

} // namespace convoy

#endif // CONVOY_SUPPORT_SPIRVTOOLS_H
