//===- VulkanDevice.h - Devices that Vulkan drives --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_LIB_VULKANDEVICE_H
#define CONVOY_RUNTIME_LIB_VULKANDEVICE_H

#include "LaunchPieces.h"
#include "PipelineCacheFile.h"
#include "VulkanCapabilities.h"
#include "VulkanInstance.h"

#include <functional>
#include <map>
#include <memory>

namespace convoy {

class VulkanDevice;

/// A piece of the launch of step number `step`.
struct Dispatch {
  size_t step;
  LaunchPiece piece;
};

/// Memory of a device with a buffer over all of it.
class VulkanMemory {
public:
  /// Throws where there is no room. `isStaging`: for copies to and from other
  /// memory.
  VulkanMemory(const VulkanDevice &device, vk::DeviceSize size, bool isStaging);

  vk::Buffer getBuffer() const { return *buffer; }
  vk::DeviceSize size() const { return bytes; }
  /// The memory as the host sees it, or null.
  std::byte *data() const { return mapped; }

private:
  vk::DeviceSize bytes;
  vk::raii::DeviceMemory memory = nullptr;
  vk::raii::Buffer buffer = nullptr;
  std::byte *mapped = nullptr;
};

/// A device with one queue, on which one submission at a time runs.
class VulkanDevice final : public convoy_device {
public:
  explicit VulkanDevice(const VulkanOptions &options);
  ~VulkanDevice() override;

  convoy_arithmetic arithmetic() const override;
  int createBuffer(size_t size, convoy_buffer **buffer) override;
  int loadImage(std::span<const std::byte> image,
                convoy_module **module) override;
  int fromFunctions(std::span<const convoy_function> functions,
                    convoy_module **module) override;
  int run(std::span<const convoy_step> steps) override;
  double seconds() const override { return lastSeconds; }
  std::optional<VulkanProfile> vulkanProfile() const override {
    return capabilities.getProfile(properties);
  }

  std::string description() const override;

  bool isStuck() const override { return stuck; }

  /// Calls `body`. Returns the status of what it throws, or of what the
  /// validation layers say of it. Notes where the device is lost.
  template <typename Body>
  int guarded(Body body) const {
    return instance->guarded([&] {
      try {
        body();
      } catch (const vk::DeviceLostError &) {
        lost = true;
        throw;
      }
    });
  }

  /// Deletes what the device uses, unless it works on with it.
  struct Release {
    const VulkanDevice *device;
    template <typename Object>
    void operator()(Object *object) const {
      if (!device->isStuck())
        delete object;
    }
  };
  /// Owns what submissions use.
  template <typename Object>
  using Owner = std::unique_ptr<Object, Release>;
  template <typename Object, typename... Arguments>
  Owner<Object> own(Arguments &&...arguments) const {
    return {new Object(std::forward<Arguments>(arguments)...), Release{this}};
  }

  const vk::raii::Device &get() const { return device; }
  const VulkanOptions &getOptions() const { return options; }
  const vk::PhysicalDeviceLimits &limits() const { return properties.limits; }
  std::string name() const { return properties.deviceName; }

  const vk::PhysicalDeviceMemoryProperties &memoryTypes() const {
    return memories;
  }
  /// The largest buffer that could be allocated at all.
  vk::DeviceSize maxBufferSize() const { return largestBuffer; }

  /// Runs what `record` records, and waits for its end.
  void
  submit(const std::function<void(vk::raii::CommandBuffer &)> &record) const;

  /// Throws where this device cannot run `module`, or a kernel of it.
  void check(const SPIRVModule &module) const;
  void check(const SPIRVEntry &entry) const;
  /// Whether a pipeline can ask for subgroups of `size` work-items.
  bool canAskForSubgroups(uint32_t size) const {
    return capabilities.canAskForSubgroups(size);
  }
  /// What a pipeline says that does ask: there are whole ones, if the device
  /// can be told so.
  vk::PipelineShaderStageCreateFlags getSubgroupFlags() const {
    if (capabilities.sizeControl.computeFullSubgroups)
      return vk::PipelineShaderStageCreateFlagBits::eRequireFullSubgroups;
    return {};
  }
  vk::raii::Pipeline
  createPipeline(const vk::ComputePipelineCreateInfo &info) const {
    return {device, cache, info};
  }

  mutable size_t children = 0; ///< buffers and modules

private:
  /// Makes all that is of the instance, which `options` describe.
  void open();
  void close();
  /// Opens the device anew if it was lost. Called before anything is made; a
  /// status that is not CONVOY_OK says why nothing can be.
  int recover();
  void readProperties();
  /// Reads what there is of cooperative matrices, which Vulkan 1.3 is needed
  /// for, and of subgroups.
  void readMatrices();
  void createDevice();
  void loadPipelines();
  /// Adds what was compiled since to the file, which other processes may have
  /// written too.
  void keepPipelines();
  /// Records `dispatches` of `steps`, each of which has a set.
  void record(std::span<const Dispatch> dispatches,
              std::span<const convoy_step> steps,
              std::span<const vk::raii::DescriptorSet> sets,
              vk::raii::CommandBuffer &commands) const;
  /// How many workgroups of `launch` run together at most; 0: any number.
  uint32_t getMostGroups(const convoy_launch &launch) const;
  /// `steps` as dispatches that are submitted one list after the other, each of
  /// which the device works on for a second at most, as far as launches say.
  std::vector<std::vector<Dispatch>>
  planSubmissions(std::span<const convoy_step> steps) const;
  /// Submits `dispatches` and waits for them; the seconds that they took.
  double run(std::span<const Dispatch> dispatches,
             std::span<const convoy_step> steps,
             std::span<const vk::raii::DescriptorSet> sets) const;
  void runSteps(std::span<const convoy_step> steps);
  /// Seconds between the two timestamps of `timer`.
  double readTimer(const vk::raii::QueryPool &timer) const;

  VulkanOptions options;
  std::unique_ptr<VulkanInstance> instance;
  vk::raii::PhysicalDevice physical = nullptr;
  vk::PhysicalDeviceProperties properties;
  vk::PhysicalDeviceMemoryProperties memories;
  vk::DeviceSize largestBuffer = 0;
  VulkanCapabilities capabilities;
  vk::raii::Device device = nullptr;
  uint32_t queueFamily = 0;
  uint32_t timerBits = 0; ///< of a timestamp; 0: the queue has none
  vk::raii::Queue queue = nullptr;
  vk::raii::CommandPool commandPool = nullptr;
  std::optional<PipelineCacheFile> cacheFile;
  size_t loadedBytes = 0; ///< of the cache, from the file
  vk::raii::PipelineCache cache = nullptr;
  double lastSeconds = 0;
  mutable bool lost = false, stuck = false;
};

/// A buffer between guard zones, in memory of its own.
class VulkanBuffer final : public convoy_buffer {
public:
  VulkanBuffer(const VulkanDevice &owner, size_t size);

  bool isStuck() const override { return owner.isStuck(); }
  const convoy_device *device() const override { return &owner; }
  size_t size() const override { return payloadSize; }
  int write(size_t offset, std::span<const std::byte> source) override;
  int read(size_t offset, std::span<std::byte> target) const override;
  int fill(std::span<const std::byte> pattern) override;
  int check() const override;

  /// The descriptor of `size` bytes from byte `offset` on.
  vk::DescriptorBufferInfo describe(size_t offset, size_t size) const;

private:
  /// Copies between the host and the memory from byte `place` on, which counts
  /// from the first guard's start.
  void upload(size_t place, std::span<const std::byte> source);
  void download(size_t place, std::span<std::byte> target) const;

  const VulkanDevice &owner;
  DeviceChild child;
  size_t payloadSize;
  VulkanMemory memory;
};

/// A kernel with its pipeline.
class VulkanKernel final : public convoy_kernel {
public:
  VulkanKernel(VulkanDevice &owner, const SPIRVModule &module,
               const SPIRVEntry &entry, const vk::raii::ShaderModule &shader);

  convoy_device *device() const override { return &owner; }
  convoy_arithmetic arithmetic() const override { return promises; }

  const SPIRVEntry &getEntry() const { return entry; }
  vk::DescriptorSetLayout getSetLayout() const { return *setLayout; }
  vk::PipelineLayout getLayout() const { return *layout; }
  vk::Pipeline getPipeline() const { return *pipeline; }

  /// Throws where `launch`, of which `mostGroups` workgroups run together
  /// unless that is 0, does not fit the kernel or the device.
  void check(const convoy_launch &launch, uint32_t mostGroups) const;
  /// The operands of `launch` for the kernel's bindings, in their order.
  std::vector<vk::DescriptorBufferInfo>
  describe(const convoy_launch &launch) const;
  /// The sizes of `launch` as push constants.
  std::vector<std::byte> packSizes(const convoy_launch &launch) const;

private:
  [[noreturn]] void refuse(const std::string &sentence) const;
  void checkRange(uint32_t binding, size_t offset, size_t size) const;

  VulkanDevice &owner;
  const SPIRVEntry &entry;
  convoy_arithmetic promises;
  vk::raii::DescriptorSetLayout setLayout = nullptr;
  vk::raii::PipelineLayout layout = nullptr;
  vk::raii::Pipeline pipeline = nullptr;
};

/// SPIR-V on a device; pipelines are made when kernels are asked for.
class VulkanModule final : public convoy_module {
public:
  VulkanModule(VulkanDevice &owner, SPIRVModule module);

  bool isStuck() const override { return owner.isStuck(); }
  int findKernel(const std::string &name, convoy_kernel **kernel) override;

private:
  VulkanDevice &owner;
  DeviceChild child;
  SPIRVModule module;
  vk::raii::ShaderModule shader = nullptr;
  std::map<std::string, std::unique_ptr<VulkanKernel>> kernels;
};

} // namespace convoy

#endif // CONVOY_RUNTIME_LIB_VULKANDEVICE_H
