//===- PipelineCacheTest.cpp - Tests of pipelines kept between runs -------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PipelineCacheFile.h"
#include "VulkanFixture.h"
#include "VulkanInstance.h"

#include "convoy/Runtime/FileIO.h"

#include <chrono>
#include <cstring>
#include <fstream>
#include <gmock/gmock.h>
#include <thread>
#include <unistd.h>

using namespace convoy;
using namespace convoy::test;
using testing::ElementsAre;
using testing::IsEmpty;
namespace fs = std::filesystem;

namespace {

/// A device that no machine has.
vk::PhysicalDeviceProperties makeProperties() {
  vk::PhysicalDeviceProperties properties;
  properties.vendorID = 0x1002;
  properties.deviceID = 0xabc;
  properties.driverVersion = 7;
  properties.pipelineCacheUUID[15] = 0x5d;
  return properties;
}

/// What a driver could give for `properties`: Vulkan's header, then
/// `pipelines`.
std::vector<std::byte> makeData(const vk::PhysicalDeviceProperties &properties,
                                const std::string &pipelines) {
  VkPipelineCacheHeaderVersionOne header = {
      sizeof(header),
      VK_PIPELINE_CACHE_HEADER_VERSION_ONE,
      properties.vendorID,
      properties.deviceID,
      {}};
  std::ranges::copy(properties.pipelineCacheUUID, header.pipelineCacheUUID);
  std::vector<std::byte> data(sizeof(header) + pipelines.size());
  std::memcpy(data.data(), &header, sizeof(header));
  std::ranges::copy(std::as_bytes(std::span(pipelines)),
                    data.begin() + sizeof(header));
  return data;
}

class PipelineCacheTest : public testing::Test {
protected:
  PipelineCacheTest()
      : folder(fs::path(testing::TempDir()) /
               ("convoy-pipelines-" + std::to_string(::getpid()))) {}
  ~PipelineCacheTest() override { fs::remove_all(folder); }

  size_t fileCount() const {
    if (!fs::exists(folder))
      return 0;
    auto files = fs::directory_iterator(folder);
    return static_cast<size_t>(std::distance(begin(files), end(files)));
  }

  /// The file of a device with `properties`, after `data` was kept there.
  PipelineCacheFile keep(const std::vector<std::byte> &data) const {
    PipelineCacheFile file(folder, properties);
    file.write(data);
    EXPECT_EQ(file.read(), data);
    return file;
  }

  fs::path folder;
  vk::PhysicalDeviceProperties properties = makeProperties();
  std::vector<std::byte> pipelines = makeData(properties, "pipelines");
};

} // namespace

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

TEST_F(PipelineCacheTest, KeepsPipelines) {
  PipelineCacheFile file(folder, properties);
  EXPECT_THAT(file.read(), IsEmpty());
  // The folder is made, and nothing is left beside the file.
  keep(pipelines);
  keep(makeData(properties, "more pipelines"));
  EXPECT_EQ(fileCount(), 1u);
  EXPECT_EQ(file.getPath().filename(), "vulkan-00001002-00000abc-00000007-"
                                       "0000000000000000000000000000005d.bin");
}

TEST_F(PipelineCacheTest, DevicesHaveFilesOfTheirOwn) {
  PipelineCacheFile file = keep(pipelines);
  auto change = [](auto edit) {
    vk::PhysicalDeviceProperties other = makeProperties();
    edit(other);
    return other;
  };
  size_t count = 1;
  for (const vk::PhysicalDeviceProperties &other :
       {change([](auto &other) { ++other.vendorID; }),
        change([](auto &other) { ++other.deviceID; }),
        change([](auto &other) { ++other.driverVersion; }),
        change([](auto &other) { ++other.pipelineCacheUUID[3]; })}) {
    PipelineCacheFile others(folder, other);
    EXPECT_THAT(others.read(), IsEmpty());
    // Nor is another's file taken under its name.
    fs::copy_file(file.getPath(), others.getPath());
    EXPECT_THAT(others.read(), IsEmpty());
    others.write(makeData(other, "others"));
    EXPECT_EQ(others.read(), makeData(other, "others"));
    EXPECT_EQ(fileCount(), ++count);
  }
  EXPECT_EQ(file.read(), pipelines);
}

TEST_F(PipelineCacheTest, CutFilesAreIgnored) {
  PipelineCacheFile file = keep(pipelines);
  for (uintmax_t size = fs::file_size(file.getPath()); size-- > 0;) {
    fs::resize_file(file.getPath(), size);
    EXPECT_THAT(file.read(), IsEmpty()) << size;
  }
  keep(pipelines);
}

TEST_F(PipelineCacheTest, DamagedFilesAreIgnored) {
  PipelineCacheFile file = keep(pipelines);
  std::string error;
  std::optional<std::vector<std::byte>> whole = readFile(file.getPath(), error);
  ASSERT_TRUE(whole) << error;
  for (size_t place = 0; place < whole->size(); ++place) {
    std::vector<std::byte> damaged = *whole;
    damaged[place] ^= std::byte(1);
    ASSERT_TRUE(writeFile(file.getPath(), damaged, error)) << error;
    EXPECT_THAT(file.read(), IsEmpty()) << place;
  }
}

// Vulkan lets drivers take the word of their header for what follows.
TEST_F(PipelineCacheTest, HeadersOfDriversAreVerified) {
  PipelineCacheFile file(folder, properties);
  size_t fields = offsetof(VkPipelineCacheHeaderVersionOne, pipelineCacheUUID);
  for (size_t place = 0; place < sizeof(VkPipelineCacheHeaderVersionOne);
       place += place < fields ? 4 : 1) {
    std::vector<std::byte> other = pipelines;
    other[place] ^= std::byte(1);
    // Headers may be longer than they were once.
    other[0] |= std::byte(0x20);
    file.write(other);
    if (place == 0)
      EXPECT_EQ(file.read(), other);
    else
      EXPECT_THAT(file.read(), IsEmpty()) << place;
  }
  std::vector<std::byte> endless = pipelines;
  endless[1] = std::byte(1);
  file.write(endless);
  EXPECT_THAT(file.read(), IsEmpty());
}

TEST_F(PipelineCacheTest, NothingIsKeptWithoutPipelines) {
  PipelineCacheFile file(folder, properties);
  file.write(makeData(properties, ""));
  file.write({});
  EXPECT_EQ(fileCount(), 0u);
  PipelineCacheFile off("", properties);
  EXPECT_TRUE(off.isOff());
  off.write(pipelines);
  EXPECT_THAT(off.read(), IsEmpty());
}

TEST_F(PipelineCacheTest, FoldersThatCannotBeWrittenAreLeft) {
  PipelineCacheFile file = keep(pipelines);
  PipelineCacheFile within(file.getPath(), properties);
  within.write(pipelines);
  EXPECT_THAT(within.read(), IsEmpty());
  EXPECT_EQ(file.read(), pipelines);
  // A folder in the place of the file.
  fs::remove(file.getPath());
  fs::create_directories(file.getPath() / "folder");
  file.write(pipelines);
  EXPECT_THAT(file.read(), IsEmpty());
  EXPECT_EQ(fileCount(), 1u);
}

TEST_F(PipelineCacheTest, LargeDataIsNotKept) {
  PipelineCacheFile file = keep(pipelines);
  pipelines.resize(PipelineCacheFile::MaxBytes + 1);
  file.write(pipelines);
  EXPECT_EQ(fileCount(), 0u);
  std::ofstream(file.getPath()).put('c');
  fs::resize_file(file.getPath(), 2 * PipelineCacheFile::MaxBytes);
  EXPECT_THAT(file.read(), IsEmpty());
}

TEST_F(PipelineCacheTest, FilesOfOldDriversGo) {
  fs::create_directories(folder);
  fs::path mine = folder / "notes";
  std::ofstream(mine).put('n');
  auto now = fs::file_time_type::clock::now();
  fs::last_write_time(mine, now - std::chrono::hours(1000));
  PipelineCacheFile used = keep(pipelines);
  fs::last_write_time(used.getPath(), now - std::chrono::hours(900));
  std::ofstream(used.getPath().string() + ".tmp1.0").put('c');
  fs::last_write_time(used.getPath().string() + ".tmp1.0",
                      now - std::chrono::hours(800));
  for (int hour = 20; hour > 0; --hour) {
    EXPECT_EQ(used.read(), pipelines);
    ++properties.driverVersion;
    PipelineCacheFile file = keep(makeData(properties, "pipelines"));
    fs::last_write_time(file.getPath(), now - std::chrono::hours(hour));
  }
  EXPECT_EQ(fileCount(), PipelineCacheFile::MaxFiles + 1);
  EXPECT_EQ(used.read(), pipelines);
  EXPECT_TRUE(fs::exists(mine));
}

TEST_F(PipelineCacheTest, WritersDoNotMeet) {
  std::vector<std::thread> writers;
  for (char letter : {'a', 'b', 'c', 'd'})
    writers.emplace_back([this, letter] {
      PipelineCacheFile file(folder, properties);
      std::vector<std::byte> data =
          makeData(properties, std::string(100000, letter));
      for (int round = 0; round < 50; ++round) {
        file.write(data);
        // Whose it is is open, but it is whole.
        EXPECT_EQ(file.read().size(), data.size());
      }
    });
  for (std::thread &writer : writers)
    writer.join();
  EXPECT_EQ(fileCount(), 1u);
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

namespace {

class PipelinesOfDeviceTest : public PipelineCacheTest,
                              protected VulkanFixture {
protected:
  /// Opens a device that keeps its pipelines in `folder`, runs a kernel on it
  /// and closes it.
  void useDevice(const fs::path &folder) {
    Variable variable("CONVOY_VULKAN_CACHE", folder);
    expectOk(Device::open("vulkan", device));
    {
      Kernel copy = find("integers", "copy");
      Buffer input = makeBuffer<int32_t>({1, 2, 3, 4});
      Buffer output = makeBuffer<int32_t>({0, 0, 0, 0});
      std::vector<convoy_buffer *> buffers = {input.get(), output.get()};
      expectOk(copy.launch(makeLaunch(1, buffers)));
      EXPECT_THAT(contents<int32_t>(output, 4), ElementsAre(1, 2, 3, 4));
    }
    module = {};
    device = {};
  }

  static vk::PhysicalDeviceProperties getProperties() {
    VulkanOptions options = VulkanOptions::fromEnvironment("");
    return VulkanInstance(options).pick(options.choice).getProperties();
  }
};

} // namespace

TEST_F(PipelinesOfDeviceTest, PipelinesOutliveDevices) {
  PipelineCacheFile file(folder, getProperties());
  for (int run = 0; run < 2; ++run) {
    useDevice(folder);
    // Mesa 22.3's lavapipe gives no pipelines to keep.
    EXPECT_LE(fileCount(), 1u);
    EXPECT_EQ(file.read().empty(), fileCount() == 0);
  }
}

TEST_F(PipelinesOfDeviceTest, DevicesWorkWithoutTheirFile) {
  PipelineCacheFile file(folder, getProperties());
  fs::create_directories(folder);
  std::ofstream(file.getPath()) << "no pipelines";
  useDevice(folder);
  EXPECT_EQ(fileCount(), 1u);
  useDevice(file.getPath() / "within");
  useDevice("0");
}

TEST_F(PipelinesOfDeviceTest, TheEnvironmentNamesTheFolder) {
  auto find = [] { return VulkanOptions::fromEnvironment("").cacheFolder; };
  Variable home("HOME", "/home/ada"), base("XDG_CACHE_HOME", "/var/ada"),
      chosen("CONVOY_VULKAN_CACHE", "pipelines");
  EXPECT_EQ(find(), "pipelines");
  setenv("CONVOY_VULKAN_CACHE", "0", /*replace=*/1);
  EXPECT_EQ(find(), "");
  unsetenv("CONVOY_VULKAN_CACHE");
  EXPECT_EQ(find(), "/var/ada/convoy");
  setenv("XDG_CACHE_HOME", "relative", /*replace=*/1);
  EXPECT_EQ(find(), "/home/ada/.cache/convoy");
  unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(find(), "/home/ada/.cache/convoy");
  unsetenv("HOME");
  EXPECT_EQ(find(), "");
}
