//===- VulkanInstance.h - The Vulkan loader and its devices -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_LIB_VULKANINSTANCE_H
#define CONVOY_RUNTIME_LIB_VULKANINSTANCE_H

#include "DeviceBackend.h"
#include "DeviceChoice.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <vulkan/vulkan_raii.hpp>

namespace convoy {

/// What the environment asks for.
struct VulkanOptions {
  /// A device's number, or a part of its name; empty: the first GPU, or else
  /// the first other device.
  std::string choice;
  /// Validation layers, whose messages make calls fail.
  bool validate = false;
  /// Accesses beyond a buffer are caught by the driver.
  bool robust = false;
  /// Memory is copied through staging buffers even where it could be mapped.
  bool staging = false;
  /// The folder that keeps pipelines between runs; empty: none does.
  std::string cacheFolder;
  /// How long is waited for the end of what was submitted.
  unsigned timeoutSeconds = 600;
  /// Workgroups of a launch that run together at most; 0: any number.
  uint32_t mostGroups = 0;

  /// Reads CONVOY_VULKAN_*; `choice` goes before CONVOY_VULKAN_DEVICE.
  static VulkanOptions fromEnvironment(std::string_view choice);
};

/// Collects what the validation layers say.
class ValidationLog {
public:
  /// The messages since the last call, as one sentence, or nothing.
  std::string take();

  static VKAPI_ATTR VkBool32 VKAPI_CALL
  receive(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
          VkDebugUtilsMessageTypeFlagsEXT types,
          const VkDebugUtilsMessengerCallbackDataEXT *data, void *log);

private:
  std::vector<std::string> messages;
};

/// The loader and an instance, with validation layers where wanted.
class VulkanInstance {
public:
  explicit VulkanInstance(const VulkanOptions &options);

  /// The function of this name, or null.
  PFN_vkVoidFunction getFunction(const char *name) const {
    return instance.getProcAddr(name);
  }

  /// The device that `choice` means. Throws where there is none.
  vk::raii::PhysicalDevice pick(const std::string &choice) const;

  /// Calls `body`. Returns the status of what it throws, or of what the
  /// validation layers say of it.
  template <typename Body>
  int guarded(Body body) {
    int status = statusOf(body);
    std::string messages = log->take();
    return messages.empty() ? status : fail(CONVOY_INVALID, messages);
  }

  /// The status of what `body` throws.
  template <typename Body>
  static int statusOf(Body body) {
    try {
      body();
      return CONVOY_OK;
    } catch (const DeviceFailure &failure) {
      return fail(failure.status, failure.what());
    } catch (const vk::SystemError &error) {
      return failOf(error);
    } catch (const std::bad_alloc &) {
      return fail(CONVOY_INVALID, "there is not enough host memory");
    }
  }

private:
  static int failOf(const vk::SystemError &error);

  vk::raii::Context context;
  std::unique_ptr<ValidationLog> log = std::make_unique<ValidationLog>();
  vk::raii::Instance instance = nullptr;
  vk::raii::DebugUtilsMessengerEXT messenger = nullptr;
};

} // namespace convoy

#endif // CONVOY_RUNTIME_LIB_VULKANINSTANCE_H
