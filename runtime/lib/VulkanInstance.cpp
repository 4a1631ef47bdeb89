//===- VulkanInstance.cpp - The Vulkan loader and its devices -------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VulkanInstance.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>

using namespace convoy;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static std::string readVariable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

static bool readSwitch(const char *name) {
  std::string value = readVariable(name);
  if (value.empty() || value == "0")
    return false;
  if (value == "1")
    return true;
  throw VulkanFailure(CONVOY_INVALID, std::string("expected 0 or 1 for ") +
                                          name + ", but got '" + value + "'");
}

VulkanOptions VulkanOptions::fromEnvironment(std::string_view choice) {
  VulkanOptions options;
  options.choice = choice;
  if (choice.empty())
    options.choice = readVariable("CONVOY_VULKAN_DEVICE");
  options.validate = readSwitch("CONVOY_VULKAN_VALIDATE");
  options.robust = readSwitch("CONVOY_VULKAN_ROBUST");
  options.staging = readSwitch("CONVOY_VULKAN_STAGING");
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
    throw VulkanFailure(CONVOY_NO_DEVICE,
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
    throw VulkanFailure(CONVOY_NO_DEVICE,
                        std::string("there is no Vulkan layer ") +
                            ValidationLayer +
                            ", which CONVOY_VULKAN_VALIDATE asks for");
  } catch (const vk::IncompatibleDriverError &) {
    throw VulkanFailure(CONVOY_NO_DEVICE, "there is no Vulkan driver");
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

static std::string toLower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return text;
}

/// Whether `choice` means the device `name` with this number.
static bool isMeant(const std::string &choice, size_t number,
                    const std::string &name) {
  size_t wanted = 0;
  const char *end = choice.data() + choice.size();
  auto [stop, code] = std::from_chars(choice.data(), end, wanted);
  if (code == std::errc() && stop == end)
    return wanted == number;
  return toLower(name).find(toLower(choice)) != std::string::npos;
}

vk::raii::PhysicalDevice VulkanInstance::pick(const std::string &choice) const {
  std::vector<vk::raii::PhysicalDevice> devices =
      instance.enumeratePhysicalDevices();
  std::string known;
  const vk::raii::PhysicalDevice *fallback = nullptr;
  for (size_t number = 0; number < devices.size(); ++number) {
    vk::PhysicalDeviceProperties properties = devices[number].getProperties();
    std::string name = properties.deviceName;
    std::string fault = findFault(devices[number]);
    known += (known.empty() ? "" : ", ") + std::to_string(number) + " '" +
             name + "'" + (fault.empty() ? "" : " (" + fault + ")");
    if (!choice.empty() && isMeant(choice, number, name)) {
      if (fault.empty())
        return devices[number];
      throw VulkanFailure(CONVOY_NO_DEVICE, "cannot use the Vulkan device '" +
                                                name + "': " + fault);
    }
    if (!choice.empty() || !fault.empty())
      continue;
    if (isGPU(properties))
      return devices[number];
    if (!fallback)
      fallback = &devices[number];
  }
  if (fallback)
    return *fallback;
  if (devices.empty())
    throw VulkanFailure(CONVOY_NO_DEVICE, "there is no Vulkan device");
  if (choice.empty())
    throw VulkanFailure(CONVOY_NO_DEVICE,
                        "there is no usable Vulkan device among: " + known);
  throw VulkanFailure(CONVOY_NO_DEVICE, "there is no Vulkan device '" + choice +
                                            "', expected the number or a "
                                            "part of the name of: " +
                                            known);
}
