//===- PipelineCacheFile.h - Pipelines kept between runs --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_LIB_PIPELINECACHEFILE_H
#define CONVOY_RUNTIME_LIB_PIPELINECACHEFILE_H

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include <vulkan/vulkan.hpp>

namespace convoy {

/// The file that keeps what one device's driver has compiled. Nothing here
/// fails: a file that cannot be used is none, and one that cannot be written is
/// left out.
class PipelineCacheFile {
public:
  /// Larger data is not kept: the next run starts anew.
  static constexpr uint64_t MaxBytes = uint64_t(64) << 20;
  /// In one folder; those used last stay. Others are of other devices, or of
  /// drivers that there were.
  static constexpr size_t MaxFiles = 8;

  /// The file of the device with `properties` in `folder`; without a folder
  /// nothing is kept.
  PipelineCacheFile(const std::filesystem::path &folder,
                    const vk::PhysicalDeviceProperties &properties);

  bool isOff() const { return path.empty(); }
  const std::filesystem::path &getPath() const { return path; }

  /// The data that was kept, or nothing where it is not whole or not the
  /// device's: drivers trust what lies behind the header that Vulkan asks for.
  std::vector<std::byte> read() const;

  /// Keeps `data`, unless it is too large or has no pipelines.
  void write(std::span<const std::byte> data) const;

private:
  /// Whether `data` starts as that of the device's driver.
  bool isOwn(std::span<const std::byte> data) const;

  vk::PhysicalDeviceProperties properties;
  std::filesystem::path path;
};

} // namespace convoy

#endif // CONVOY_RUNTIME_LIB_PIPELINECACHEFILE_H
