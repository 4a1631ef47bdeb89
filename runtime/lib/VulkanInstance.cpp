//===- VulkanInstance.cpp - The Vulkan loader and its devices -------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VulkanInstance.h"

#include "LaunchPieces.h"

#include <algorithm>
#include <array>
#include <charconv>

using namespace convoy;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static bool readSwitch(const char *name) {
  std::string value = readVariable(name);
  if (value.empty() || value == "0")
    return false;
  if (value == "1")
    return true;
  throw DeviceFailure(CONVOY_INVALID, std::string("expected 0 or 1 for ") +
                                          name + ", but got '" + value + "'");
}

/// The folder that CONVOY_VULKAN_CACHE names, or else the user's for what can
/// be made again; empty where it is switched off or there is none.
static std::string findCacheFolder() {
  std::string folder = readVariable("CONVOY_VULKAN_CACHE");
  if (!folder.empty())
    return folder == "0" ? "" : folder;
  // Paths that are not absolute are invalid there.
  folder = readVariable("XDG_CACHE_HOME");
  if (!folder.starts_with('/'))
    folder = readVariable("HOME") + "/.cache";
  return folder.starts_with('/') && folder != "/.cache" ? folder + "/convoy"
                                                        : "";
}

/// The number of seconds that CONVOY_VULKAN_TIMEOUT says, or `otherwise`.
static unsigned readTimeout(unsigned otherwise) {
  std::string value = readVariable("CONVOY_VULKAN_TIMEOUT");
  if (value.empty())
    return otherwise;
  constexpr unsigned Most = 1000000;
  unsigned seconds = 0;
  const char *end = value.data() + value.size();
  auto result = std::from_chars(value.data(), end, seconds);
  if (result.ec != std::errc() || result.ptr != end || seconds == 0 ||
      seconds > Most)
    throw DeviceFailure(
        CONVOY_INVALID,
        "expected a number of seconds from 1 to " + std::to_string(Most) +
            " for CONVOY_VULKAN_TIMEOUT, but got '" + value + "'");
  return seconds;
}

static uint32_t requireMostGroups() {
  std::string error;
  std::optional<uint32_t> groups = readMostGroups(error);
  if (!groups)
    throw DeviceFailure(CONVOY_INVALID, error);
  return *groups;
}

VulkanOptions VulkanOptions::fromEnvironment(std::string_view choice) {
  VulkanOptions options;
  options.choice = choice;
  if (choice.empty())
    options.choice = readVariable("CONVOY_VULKAN_DEVICE");
  options.validate = readSwitch("CONVOY_VULKAN_VALIDATE");
  options.robust = readSwitch("CONVOY_VULKAN_ROBUST");
  options.staging = readSwitch("CONVOY_VULKAN_STAGING");
  options.cacheFolder = findCacheFolder();
  options.timeoutSeconds = readTimeout(options.timeoutSeconds);
  options.mostGroups = requireMostGroups();
  return options;
}

//===----------------------------------------------------------------------===//
// Validation
//===----------------------------------------------------------------------===//

std::string ValidationLog::take() {
  std::string sentence;
  for (const std::string &message : messages)
    sentence += (sentence.empty() ? "Vulkan validation: " : "; ") + message;
  messages.clear();
  return sentence;
}

VkBool32 ValidationLog::receive(
    VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
    const VkDebugUtilsMessengerCallbackDataEXT *data, void *log) {
  std::string text = data->pMessage;
  std::replace(text.begin(), text.end(), '\n', ' ');
  static_cast<ValidationLog *>(log)->messages.push_back(text);
  return VK_FALSE;
}

static vk::DebugUtilsMessengerCreateInfoEXT
describeMessenger(ValidationLog &log) {
  using Severity = vk::DebugUtilsMessageSeverityFlagBitsEXT;
  return vk::DebugUtilsMessengerCreateInfoEXT(
      {}, Severity::eError | Severity::eWarning,
      vk::DebugUtilsMessageTypeFlagBitsEXT::eValidation, ValidationLog::receive,
      &log);
}

//===----------------------------------------------------------------------===//
// The instance
//===----------------------------------------------------------------------===//

static constexpr const char *ValidationLayer = "VK_LAYER_KHRONOS_validation";

static vk::raii::Context openLoader() {
  try {
    return {};
  } catch (const std::runtime_error &) {
    throw DeviceFailure(CONVOY_NO_DEVICE,
                        "there is no Vulkan: cannot load libvulkan.so.1");
  }
}

static vk::raii::Instance createInstance(const vk::raii::Context &context,
                                         bool validate, ValidationLog &log) {
  vk::ApplicationInfo application("convoy", 1, "convoy", 1, VK_API_VERSION_1_3);
  vk::InstanceCreateInfo info({}, &application);
  std::vector<const char *> layers, extensions;
  auto synchronization =
      vk::ValidationFeatureEnableEXT::eSynchronizationValidation;
  vk::ValidationFeaturesEXT features(synchronization);
  vk::DebugUtilsMessengerCreateInfoEXT messenger = describeMessenger(log);
  if (validate) {
    layers = {ValidationLayer};
    extensions = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
    features.pNext = &messenger;
    info.pNext = &features;
  }
  info.setPEnabledLayerNames(layers);
  info.setPEnabledExtensionNames(extensions);
  try {
    return {context, info};
  } catch (const vk::LayerNotPresentError &) {
    throw DeviceFailure(CONVOY_NO_DEVICE,
                        std::string("there is no Vulkan layer ") +
                            ValidationLayer +
                            ", which CONVOY_VULKAN_VALIDATE asks for");
  } catch (const vk::IncompatibleDriverError &) {
    throw DeviceFailure(CONVOY_NO_DEVICE, "there is no Vulkan driver");
  }
}

VulkanInstance::VulkanInstance(const VulkanOptions &options)
    : context(openLoader()),
      instance(createInstance(context, options.validate, *log)) {
  if (options.validate)
    messenger = {instance, describeMessenger(*log)};
}

int VulkanInstance::failOf(const vk::SystemError &error) {
  switch (static_cast<vk::Result>(error.code().value())) {
  case vk::Result::eErrorOutOfHostMemory:
  case vk::Result::eErrorOutOfDeviceMemory:
  case vk::Result::eErrorOutOfPoolMemory:
  case vk::Result::eErrorFragmentation:
  case vk::Result::eErrorTooManyObjects:
    return fail(CONVOY_INVALID, std::string("the Vulkan device is out of "
                                            "memory: ") +
                                    error.what());
  case vk::Result::eErrorDeviceLost:
    return fail(CONVOY_NO_DEVICE,
                std::string("the Vulkan device was lost: ") + error.what());
  case vk::Result::eErrorInitializationFailed:
  case vk::Result::eErrorIncompatibleDriver:
  case vk::Result::eErrorFeatureNotPresent:
  case vk::Result::eErrorExtensionNotPresent:
    return fail(CONVOY_NO_DEVICE,
                std::string("the Vulkan device cannot be used: ") +
                    error.what());
  default:
    return fail(CONVOY_INVALID,
                std::string("the Vulkan driver refused a call: ") +
                    error.what());
  }
}

//===----------------------------------------------------------------------===//
// Choosing a device
//===----------------------------------------------------------------------===//

static bool hasComputeQueue(const vk::raii::PhysicalDevice &device) {
  std::vector<vk::QueueFamilyProperties> families =
      device.getQueueFamilyProperties();
  return std::any_of(families.begin(), families.end(), [](const auto &family) {
    return bool(family.queueFlags & vk::QueueFlagBits::eCompute);
  });
}

/// Why kernels cannot run on `device`, or nothing.
static std::string findFault(const vk::raii::PhysicalDevice &device) {
  uint32_t version = device.getProperties().apiVersion;
  if (version < VK_API_VERSION_1_2)
    return "it has Vulkan " + std::to_string(VK_API_VERSION_MAJOR(version)) +
           "." + std::to_string(VK_API_VERSION_MINOR(version)) +
           ", expected 1.2 or later";
  return hasComputeQueue(device) ? "" : "it has no compute queue";
}

static bool isGPU(const vk::PhysicalDeviceProperties &properties) {
  switch (properties.deviceType) {
  case vk::PhysicalDeviceType::eDiscreteGpu:
  case vk::PhysicalDeviceType::eIntegratedGpu:
  case vk::PhysicalDeviceType::eVirtualGpu:
    return true;
  default:
    return false;
  }
}

vk::raii::PhysicalDevice VulkanInstance::pick(const std::string &choice) const {
  std::vector<vk::raii::PhysicalDevice> devices =
      instance.enumeratePhysicalDevices();
  std::vector<DeviceCandidate> candidates;
  for (const vk::raii::PhysicalDevice &device : devices) {
    vk::PhysicalDeviceProperties properties = device.getProperties();
    candidates.push_back(
        {properties.deviceName, findFault(device), isGPU(properties)});
  }
  return devices[pickDevice("Vulkan", candidates, choice)];
}
