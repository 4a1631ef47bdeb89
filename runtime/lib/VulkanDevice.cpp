//===- VulkanDevice.cpp - Devices that Vulkan drives ----------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VulkanDevice.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

using namespace convoy;

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

VulkanDevice::VulkanDevice(const VulkanOptions &options) : options(options) {
  open();
}

void VulkanDevice::open() {
  instance = std::make_unique<VulkanInstance>(options);
  physical = instance->pick(options.choice);
  readProperties();
  createDevice();
  queue = device.getQueue(queueFamily, 0);
  commandPool = {device,
                 {vk::CommandPoolCreateFlagBits::eTransient, queueFamily}};
  loadPipelines();
}

void VulkanDevice::close() {
  cache = nullptr;
  commandPool = nullptr;
  queue = nullptr;
  device = nullptr;
  physical = nullptr;
}

int VulkanDevice::recover() {
  if (stuck)
    return fail(
        CONVOY_NO_DEVICE,
        "the Vulkan device is still busy with what did not end in time");
  if (!lost)
    return CONVOY_OK;
  if (children != 0)
    return fail(CONVOY_NO_DEVICE,
                "the Vulkan device was lost: it is opened anew when its "
                "buffers and modules are released");
  return VulkanInstance::statusOf([&] {
    close();
    open();
    lost = false;
  });
}

VulkanDevice::~VulkanDevice() {
  try {
    keepPipelines();
  } catch (const std::exception &) {
    // A lost device, or no memory: it costs nothing but the pipelines.
  }
}

void VulkanDevice::readProperties() {
  auto chain = physical.getProperties2<
      vk::PhysicalDeviceProperties2, vk::PhysicalDeviceFloatControlsProperties,
      vk::PhysicalDeviceSubgroupProperties, vk::PhysicalDeviceDriverProperties,
      vk::PhysicalDeviceMaintenance3Properties>();
  properties = chain.get<vk::PhysicalDeviceProperties2>().properties;
  capabilities.floats = chain.get<vk::PhysicalDeviceFloatControlsProperties>();
  capabilities.subgroups = chain.get<vk::PhysicalDeviceSubgroupProperties>();
  capabilities.driver =
      chain.get<vk::PhysicalDeviceDriverProperties>().driverID;
  const VulkanFeatures features = chooseFeatures(physical);
  capabilities.features = features; // chains can be copied, not moved
  // The structures point at each other no more.
  capabilities.floats.pNext = capabilities.subgroups.pNext = nullptr;
  capabilities.computeUnits = countComputeUnits(physical);
  readMatrices();
  memories = physical.getMemoryProperties();
  largestBuffer = chain.get<vk::PhysicalDeviceMaintenance3Properties>()
                      .maxMemoryAllocationSize;
  if (properties.apiVersion >= VK_API_VERSION_1_3)
    largestBuffer =
        std::min(largestBuffer,
                 physical
                     .getProperties2<vk::PhysicalDeviceProperties2,
                                     vk::PhysicalDeviceMaintenance4Properties>()
                     .get<vk::PhysicalDeviceMaintenance4Properties>()
                     .maxBufferSize);
}

std::string VulkanDevice::description() const {
  if (properties.apiVersion < VK_API_VERSION_1_2)
    return name();
  vk::PhysicalDeviceDriverProperties driver =
      physical
          .getProperties2<vk::PhysicalDeviceProperties2,
                          vk::PhysicalDeviceDriverProperties>()
          .get<vk::PhysicalDeviceDriverProperties>();
  return name() + ", " + driver.driverName.data() + " " +
         driver.driverInfo.data();
}

void VulkanDevice::readMatrices() {
  if (properties.apiVersion < VK_API_VERSION_1_3)
    return;
  capabilities.sizeControl =
      physical
          .getFeatures2<vk::PhysicalDeviceFeatures2,
                        vk::PhysicalDeviceSubgroupSizeControlFeatures>()
          .get<vk::PhysicalDeviceSubgroupSizeControlFeatures>();
  capabilities.sizes =
      physical
          .getProperties2<vk::PhysicalDeviceProperties2,
                          vk::PhysicalDeviceSubgroupSizeControlProperties>()
          .get<vk::PhysicalDeviceSubgroupSizeControlProperties>();
  capabilities.sizeControl.pNext = capabilities.sizes.pNext = nullptr;
  capabilities.hasMatrices =
      hasExtension(physical, kMatrixExtension) && offersMatrices(physical);
  if (!capabilities.hasMatrices)
    return;
  capabilities.matrixShapes =
      listMatrixShapes(physical, instance->getFunction(kMatrixFunction));
  capabilities.hasBF16Matrices =
      hasExtension(physical, kBF16Extension) && offersBF16Matrices(physical);
}

/// Puts `features` at the front of the chain that begins at `first`.
template <typename Features>
static void prepend(vk::PhysicalDeviceFeatures2 &first, Features &features) {
  features.pNext = first.pNext;
  first.pNext = &features;
}

void VulkanDevice::createDevice() {
  std::vector<vk::QueueFamilyProperties> families =
      physical.getQueueFamilyProperties();
  auto family = std::ranges::find_if(families, [](const auto &family) {
    return bool(family.queueFlags & vk::QueueFlagBits::eCompute);
  });
  queueFamily = static_cast<uint32_t>(family - families.begin());
  timerBits = family->timestampValidBits;

  float priority = 1;
  vk::DeviceQueueCreateInfo queueInfo({}, queueFamily, 1, &priority);
  vk::DeviceCreateInfo info({}, queueInfo);
  VulkanFeatures wanted = capabilities.features;
  auto &first = wanted.get<vk::PhysicalDeviceFeatures2>();
  vk::PhysicalDeviceRobustness2FeaturesEXT robustness;
  std::vector<const char *> extensions;
  first.features.robustBufferAccess = options.robust;
  if (options.robust &&
      hasExtension(physical, VK_EXT_ROBUSTNESS_2_EXTENSION_NAME)) {
    extensions.push_back(VK_EXT_ROBUSTNESS_2_EXTENSION_NAME);
    robustness.robustBufferAccess2 = true;
    prepend(first, robustness);
  }
  vk::PhysicalDeviceSubgroupSizeControlFeatures sizeControl =
      capabilities.sizeControl;
  if (sizeControl.subgroupSizeControl)
    prepend(first, sizeControl);
  VulkanMatrixFeatures matrices;
  if (capabilities.hasMatrices) {
    extensions.push_back(kMatrixExtension);
    matrices.cooperativeMatrix = VK_TRUE;
    prepend(first, matrices);
  }
  VulkanBF16Features halves;
  if (capabilities.hasBF16Matrices) {
    extensions.push_back(kBF16Extension);
    halves.shaderBFloat16Type = halves.shaderBFloat16CooperativeMatrix =
        VK_TRUE;
    prepend(first, halves);
  }
  info.pNext = &first;
  info.setPEnabledExtensionNames(extensions);
  device = {physical, info};
}

void VulkanDevice::loadPipelines() {
  cacheFile.emplace(options.cacheFolder, properties);
  std::vector<std::byte> data = cacheFile->read();
  loadedBytes = data.size();
  cache = {device, vk::PipelineCacheCreateInfo({}, data.size(), data.data())};
}

void VulkanDevice::keepPipelines() {
  if (!*cache || cacheFile->isOff() || cache.getData().size() == loadedBytes)
    return;
  std::vector<std::byte> data = cacheFile->read();
  vk::raii::PipelineCache kept(
      device, vk::PipelineCacheCreateInfo({}, data.size(), data.data()));
  cache.merge(*kept);
  std::vector<uint8_t> merged = cache.getData();
  cacheFile->write(std::as_bytes(std::span(merged)));
}

int convoy::openVulkanDevice(std::string_view choice, convoy_device **device) {
  std::unique_ptr<VulkanDevice> opened;
  int status = VulkanInstance::statusOf([&] {
    opened =
        std::make_unique<VulkanDevice>(VulkanOptions::fromEnvironment(choice));
  });
  // What the validation layers said of it counts too.
  if (status == CONVOY_OK)
    status = opened->guarded([] {});
  if (status == CONVOY_OK)
    *device = opened.release();
  return status;
}

//===----------------------------------------------------------------------===//
// Making buffers and modules
//===----------------------------------------------------------------------===//

convoy_arithmetic VulkanDevice::arithmetic() const {
  return capabilities.getArithmetic();
}

int VulkanDevice::createBuffer(size_t size, convoy_buffer **buffer) {
  std::unique_ptr<VulkanBuffer> made;
  if (int status = recover())
    return status;
  int status =
      guarded([&] { made = std::make_unique<VulkanBuffer>(*this, size); });
  if (status == CONVOY_OK)
    *buffer = made.release();
  return status;
}

int VulkanDevice::loadImage(std::span<const std::byte> image,
                            convoy_module **module) {
  std::string error;
  std::optional<SPIRVModule> read = SPIRVModule::read(image, error);
  if (!read)
    return fail(CONVOY_INVALID, "cannot load the module: " + error);
  std::unique_ptr<VulkanModule> made;
  if (int status = recover())
    return status;
  int status = guarded(
      [&] { made = std::make_unique<VulkanModule>(*this, std::move(*read)); });
  if (status == CONVOY_OK)
    *module = made.release();
  return status;
}

int VulkanDevice::fromFunctions(std::span<const convoy_function>,
                                convoy_module **) {
  return fail(CONVOY_INVALID,
              "a Vulkan device cannot run functions of this process");
}

//===----------------------------------------------------------------------===//
// Submitting
//===----------------------------------------------------------------------===//

/// Ends the program, when it ends, without what the driver does then: kernels
/// of software devices are threads of this process, from which it takes what
/// they still use.
static void leaveDriverAtExit() {
  ::on_exit(
      [](int code, void *) {
        std::fflush(nullptr);
        ::_exit(code);
      },
      nullptr);
}

void VulkanDevice::submit(
    const std::function<void(vk::raii::CommandBuffer &)> &record) const {
  using Access = vk::AccessFlagBits;
  using Stage = vk::PipelineStageFlagBits;
  auto buffers = own<vk::raii::CommandBuffers>(
      device, vk::CommandBufferAllocateInfo(
                  *commandPool, vk::CommandBufferLevel::ePrimary, 1));
  vk::raii::CommandBuffer &commands = buffers->front();
  commands.begin({vk::CommandBufferUsageFlagBits::eOneTimeSubmit});
  record(commands);
  // Later submissions and the host see what was written.
  vk::MemoryBarrier barrier(Access::eShaderWrite | Access::eTransferWrite,
                            Access::eShaderRead | Access::eShaderWrite |
                                Access::eTransferRead | Access::eTransferWrite |
                                Access::eHostRead | Access::eHostWrite);
  commands.pipelineBarrier(Stage::eComputeShader | Stage::eTransfer,
                           Stage::eComputeShader | Stage::eTransfer |
                               Stage::eHost,
                           {}, barrier, {}, {});
  commands.end();
  auto fence = own<vk::raii::Fence>(device, vk::FenceCreateInfo());
  vk::SubmitInfo info({}, {}, *commands);
  queue.submit(info, **fence);
  uint64_t nanoseconds = uint64_t(options.timeoutSeconds) * 1000000000;
  if (device.waitForFences(**fence, true, nanoseconds) != vk::Result::eTimeout)
    return;
  stuck = true;
  leaveDriverAtExit();
  throw DeviceFailure(CONVOY_NO_DEVICE,
                      "the Vulkan device did not finish in " +
                          std::to_string(options.timeoutSeconds) +
                          " s, which CONVOY_VULKAN_TIMEOUT sets");
}
