//===- PipelineCacheFile.cpp - Pipelines kept between runs ----------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PipelineCacheFile.h"

#include "convoy/Runtime/FileIO.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>

using namespace convoy;
namespace fs = std::filesystem;

//===----------------------------------------------------------------------===//
// The file's own header
//===----------------------------------------------------------------------===//

namespace {

/// What precedes the driver's data, without gaps.
struct FileHeader {
  std::array<char, 8> magic = {'c', 'o', 'n', 'v', 'o', 'y', 'P', '1'};
  uint32_t addressBytes = sizeof(void *); ///< of the driver's processes
  uint32_t vendorID, deviceID, driverVersion;
  std::array<uint8_t, VK_UUID_SIZE> cacheID;
  uint64_t dataBytes, checksum;

  bool operator==(const FileHeader &) const = default;
};
static_assert(sizeof(FileHeader) == 56);

} // namespace

/// FNV-1a: against data that was cut or damaged, not against forgers.
static uint64_t computeChecksum(std::span<const std::byte> data) {
  uint64_t sum = 0xcbf29ce484222325;
  for (std::byte byte : data)
    sum = (sum ^ std::to_integer<uint64_t>(byte)) * 0x100000001b3;
  return sum;
}

static FileHeader describe(const vk::PhysicalDeviceProperties &properties,
                           std::span<const std::byte> data) {
  FileHeader header;
  header.vendorID = properties.vendorID;
  header.deviceID = properties.deviceID;
  header.driverVersion = properties.driverVersion;
  header.cacheID = properties.pipelineCacheUUID;
  header.dataBytes = data.size();
  header.checksum = computeChecksum(data);
  return header;
}

//===----------------------------------------------------------------------===//
// Files in a folder
//===----------------------------------------------------------------------===//

static constexpr const char *NamePrefix = "vulkan-";

static std::string formatHex(uint32_t number) {
  std::array<char, 9> digits;
  std::snprintf(digits.data(), digits.size(), "%08x", number);
  return digits.data();
}

static std::string nameFile(const vk::PhysicalDeviceProperties &properties) {
  std::string name = NamePrefix + formatHex(properties.vendorID) + "-" +
                     formatHex(properties.deviceID) + "-" +
                     formatHex(properties.driverVersion) + "-";
  for (uint8_t byte : properties.pipelineCacheUUID)
    name += formatHex(byte).substr(6);
  return name + ".bin";
}

/// Removes all but the last used files that `write` may have left in `folder`,
/// those under temporary names included.
static void removeOldest(const fs::path &folder) {
  std::error_code code;
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  for (fs::directory_iterator file(folder, code), end; !code && file != end;
       file.increment(code))
    if (file->path().filename().string().starts_with(NamePrefix))
      files.emplace_back(fs::last_write_time(file->path(), code), *file);
  std::ranges::sort(files, std::greater());
  for (size_t number = PipelineCacheFile::MaxFiles; number < files.size();
       ++number)
    fs::remove(files[number].second, code);
}

//===----------------------------------------------------------------------===//
// Reading and writing
//===----------------------------------------------------------------------===//

PipelineCacheFile::PipelineCacheFile(
    const fs::path &folder, const vk::PhysicalDeviceProperties &properties)
    : properties(properties) {
  if (!folder.empty())
    path = folder / nameFile(properties);
}

bool PipelineCacheFile::isOwn(std::span<const std::byte> data) const {
  VkPipelineCacheHeaderVersionOne header;
  if (data.size() < sizeof(header))
    return false;
  std::memcpy(&header, data.data(), sizeof(header));
  return header.headerSize >= sizeof(header) &&
         header.headerSize <= data.size() &&
         header.headerVersion == VK_PIPELINE_CACHE_HEADER_VERSION_ONE &&
         header.vendorID == properties.vendorID &&
         header.deviceID == properties.deviceID &&
         std::ranges::equal(header.pipelineCacheUUID,
                            properties.pipelineCacheUUID);
}

std::vector<std::byte> PipelineCacheFile::read() const {
  std::error_code code;
  if (isOff() || !fs::is_regular_file(path, code) ||
      fs::file_size(path, code) > sizeof(FileHeader) + MaxBytes)
    return {};
  std::string ignored;
  std::optional<std::vector<std::byte>> bytes = readFile(path, ignored);
  FileHeader header;
  if (!bytes || bytes->size() < sizeof(header))
    return {};
  std::memcpy(&header, bytes->data(), sizeof(header));
  bytes->erase(bytes->begin(), bytes->begin() + sizeof(header));
  if (header != describe(properties, *bytes) || !isOwn(*bytes))
    return {};
  // What is in use is not old.
  fs::last_write_time(path, fs::file_time_type::clock::now(), code);
  return std::move(*bytes);
}

void PipelineCacheFile::write(std::span<const std::byte> data) const {
  std::error_code code;
  if (isOff() || data.size() <= sizeof(VkPipelineCacheHeaderVersionOne))
    return;
  if (data.size() > MaxBytes) {
    fs::remove(path, code);
    return;
  }
  FileHeader header = describe(properties, data);
  std::vector<std::byte> bytes(sizeof(header) + data.size());
  std::memcpy(bytes.data(), &header, sizeof(header));
  std::ranges::copy(data, bytes.begin() + sizeof(header));
  fs::create_directories(path.parent_path(), code);
  if (std::string ignored; writeFile(path, bytes, ignored))
    removeOldest(path.parent_path());
}
