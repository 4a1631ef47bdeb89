//===- FaultyLayer.cpp - A Vulkan layer with faults -----------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What drivers do that tests cannot provoke. The environment says what:
//
//   CONVOY_FAULTY_LOST=NUMBER  the submission of that number, from 1, counted
//                              over the program, loses its device: from then on
//                              it refuses all submissions
//   CONVOY_FAULTY_STUCK=1      no fence is reached in time
//
//===----------------------------------------------------------------------===//

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#include <cstdlib>
#include <map>
#include <string_view>

namespace {
/// What the next layer or the driver has.
struct Next {
  PFN_vkGetInstanceProcAddr getInstance = nullptr;
  PFN_vkGetDeviceProcAddr getDevice = nullptr;
  PFN_vkQueueSubmit submit = nullptr;
  PFN_vkWaitForFences wait = nullptr;
};

Next next; // tests have one instance and one device at a time
int submissions = 0;
bool isLost = false;

int readNumber(const char *name) {
  const char *value = std::getenv(name);
  return value ? std::atoi(value) : 0;
}

/// The link of the chain that tells a layer of the next one.
template <typename Link>
Link *findLink(const void *chain, VkStructureType type) {
  auto *link = static_cast<Link *>(const_cast<void *>(chain));
  while (link && (link->sType != type || link->function != VK_LAYER_LINK_INFO))
    link = static_cast<Link *>(const_cast<void *>(link->pNext));
  return link;
}

template <typename Function, typename Get, typename Object>
void find(Function &function, Get get, Object object, const char *name) {
  function = reinterpret_cast<Function>(get(object, name));
}

VkResult createInstance(const VkInstanceCreateInfo *info,
                        const VkAllocationCallbacks *allocator,
                        VkInstance *instance) {
  auto *link = findLink<VkLayerInstanceCreateInfo>(
      info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
  next.getInstance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  PFN_vkCreateInstance create;
  find(create, next.getInstance, VkInstance(nullptr), "vkCreateInstance");
  return create(info, allocator, instance);
}

VkResult createDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                      const VkAllocationCallbacks *allocator,
                      VkDevice *device) {
  auto *link = findLink<VkLayerDeviceCreateInfo>(
      info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
  PFN_vkGetInstanceProcAddr get =
      link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  next.getDevice = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  PFN_vkCreateDevice create;
  find(create, get, VkInstance(nullptr), "vkCreateDevice");
  VkResult result = create(physical, info, allocator, device);
  if (result != VK_SUCCESS)
    return result;
  find(next.submit, next.getDevice, *device, "vkQueueSubmit");
  find(next.wait, next.getDevice, *device, "vkWaitForFences");
  isLost = false;
  return result;
}

VkResult submit(VkQueue queue, uint32_t count, const VkSubmitInfo *infos,
                VkFence fence) {
  isLost |= ++submissions == readNumber("CONVOY_FAULTY_LOST");
  return isLost ? VK_ERROR_DEVICE_LOST
                : next.submit(queue, count, infos, fence);
}

VkResult wait(VkDevice device, uint32_t count, const VkFence *fences,
              VkBool32 all, uint64_t timeout) {
  VkResult result = next.wait(device, count, fences, all, timeout);
  return readNumber("CONVOY_FAULTY_STUCK") ? VK_TIMEOUT : result;
}

PFN_vkVoidFunction getOwn(const char *name) {
  const std::map<std::string_view, PFN_vkVoidFunction> own = {
      {"vkCreateInstance", PFN_vkVoidFunction(createInstance)},
      {"vkCreateDevice", PFN_vkVoidFunction(createDevice)},
      {"vkQueueSubmit", PFN_vkVoidFunction(submit)},
      {"vkWaitForFences", PFN_vkVoidFunction(wait)}};
  auto found = own.find(name);
  return found == own.end() ? nullptr : found->second;
}

PFN_vkVoidFunction getDeviceFunction(VkDevice device, const char *name) {
  if (std::string_view(name) == "vkGetDeviceProcAddr")
    return PFN_vkVoidFunction(getDeviceFunction);
  PFN_vkVoidFunction own = getOwn(name);
  return own ? own : next.getDevice(device, name);
}

PFN_vkVoidFunction getInstanceFunction(VkInstance instance, const char *name) {
  if (std::string_view(name) == "vkGetInstanceProcAddr")
    return PFN_vkVoidFunction(getInstanceFunction);
  if (std::string_view(name) == "vkGetDeviceProcAddr")
    return PFN_vkVoidFunction(getDeviceFunction);
  if (PFN_vkVoidFunction own = getOwn(name))
    return own;
  return instance ? next.getInstance(instance, name) : nullptr;
}
} // namespace

extern "C" __attribute__((visibility("default"))) VkResult
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *interface) {
  interface->loaderLayerInterfaceVersion = 2;
  interface->pfnGetInstanceProcAddr = getInstanceFunction;
  interface->pfnGetDeviceProcAddr = getDeviceFunction;
  interface->pfnGetPhysicalDeviceProcAddr = nullptr;
  return VK_SUCCESS;
}
