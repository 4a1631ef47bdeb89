//===- SPIRVModule.h - What a SPIR-V module says of itself ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reader for as much of a SPIR-V binary as a launch depends on. It takes any
// bytes.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_LIB_SPIRVMODULE_H
#define CONVOY_RUNTIME_LIB_SPIRVMODULE_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace convoy {

/// SPIR-V's CooperativeMatrixKHR, which its headers need not know.
inline constexpr uint32_t kMatrixCapability = 6022;

/// A compute kernel of a module.
struct SPIRVEntry {
  std::string name;
  std::array<uint32_t, 3> workgroupSize = {1, 1, 1};
  /// The storage buffers that it uses: their bindings in descriptor set 0.
  std::set<uint32_t> bindings;
  uint64_t pushConstantBytes = 0;
  uint64_t workgroupBytes = 0;
  /// Whether it reads how many workgroups there are, which dispatches of a part
  /// of them would change.
  bool asksForGrid = false;
  /// Promises about floats: spv::ExecutionMode and width in bits.
  std::set<std::pair<uint32_t, uint32_t>> floatModes;
};

struct SPIRVModule {
  std::vector<uint32_t> words;
  uint32_t major = 0, minor = 0;
  std::vector<uint32_t> capabilities; ///< spv::Capability
  std::set<uint32_t> floatWidths;     ///< of the floating-point types
  std::vector<SPIRVEntry> entries;
  /// Of all variables of the workgroup, whichever kernels use them.
  uint64_t workgroupBytes = 0;
  /// Work-items of the subgroups that it is made for, which the constant named
  /// `subgroup_size` says; 0: of any.
  uint32_t subgroup = 0;

  /// Whether it declares the spv::Capability `word`.
  bool declares(uint32_t word) const {
    return std::ranges::find(capabilities, word) != capabilities.end();
  }

  /// Reads `image`. Returns nothing, and one sentence in `error`, where it is
  /// no SPIR-V module or has kernels that no launch could serve.
  static std::optional<SPIRVModule> read(std::span<const std::byte> image,
                                         std::string &error);

  /// What the rules of SPIR-V for Vulkan 1.`vulkanMinor` find wrong, as one
  /// sentence, or nothing. Drivers may crash on modules that break them.
  std::string findFault(uint32_t vulkanMinor) const;
};

} // namespace convoy

#endif // CONVOY_RUNTIME_LIB_SPIRVMODULE_H
