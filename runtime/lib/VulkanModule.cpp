//===- VulkanModule.cpp - Modules and kernels of Vulkan devices -----------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VulkanDevice.h"

#include <algorithm>

using namespace convoy;

//===----------------------------------------------------------------------===//
// What devices can run
//===----------------------------------------------------------------------===//

static std::string formatSizes(const std::array<uint32_t, 3> &sizes) {
  return std::to_string(sizes[0]) + "x" + std::to_string(sizes[1]) + "x" +
         std::to_string(sizes[2]);
}

void VulkanDevice::check(const SPIRVModule &module) const {
  uint32_t most = properties.apiVersion >= VK_API_VERSION_1_3 ? 6 : 5;
  if (module.major != 1 || module.minor > most)
    throw DeviceFailure(CONVOY_NO_DEVICE,
                        "the device '" + name() + "' takes SPIR-V up to 1." +
                            std::to_string(most) + ", but the module is " +
                            std::to_string(module.major) + "." +
                            std::to_string(module.minor));
  if (std::string missing = capabilities.findMissing(module); !missing.empty())
    throw DeviceFailure(CONVOY_NO_DEVICE,
                        "the device '" + name() +
                            "' lacks what the module needs: " + missing);
  if (std::string fault =
          module.findFault(VK_API_VERSION_MINOR(properties.apiVersion));
      !fault.empty())
    throw DeviceFailure(CONVOY_INVALID, "cannot load the module: " + fault);
}

void VulkanDevice::check(const SPIRVEntry &entry) const {
  if (std::string missing = capabilities.findMissing(entry); !missing.empty())
    throw DeviceFailure(CONVOY_NO_DEVICE,
                        "the device '" + name() + "' lacks what kernel '" +
                            entry.name + "' needs: " + missing);
  uint64_t items = 1;
  for (uint32_t dim = 0; dim < 3; ++dim) {
    uint32_t size = entry.workgroupSize[dim];
    checkLimit(name(), entry.name,
               std::string("work-items in ") + "xyz"[dim] + " of a workgroup",
               size, limits().maxComputeWorkGroupSize[dim]);
    items *= size;
  }
  if (items == 0)
    throw DeviceFailure(CONVOY_INVALID, "kernel '" + entry.name +
                                            "' has an empty workgroup of " +
                                            formatSizes(entry.workgroupSize));
  checkLimit(name(), entry.name, "work-items in a workgroup", items,
             limits().maxComputeWorkGroupInvocations);
  checkLimit(name(), entry.name, "bytes of workgroup memory",
             entry.workgroupBytes, limits().maxComputeSharedMemorySize);
  checkLimit(name(), entry.name, "bytes of push constants",
             entry.pushConstantBytes, limits().maxPushConstantsSize);
  checkLimit(name(), entry.name, "buffers", entry.bindings.size(),
             std::min(limits().maxPerStageDescriptorStorageBuffers,
                      limits().maxDescriptorSetStorageBuffers));
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

VulkanModule::VulkanModule(VulkanDevice &owner, SPIRVModule read)
    : owner(owner), child(owner), module(std::move(read)) {
  owner.check(module);
  shader = {owner.get(), vk::ShaderModuleCreateInfo({}, module.words)};
}

int VulkanModule::findKernel(const std::string &name, convoy_kernel **kernel) {
  auto found = kernels.find(name);
  if (found == kernels.end()) {
    auto entry = std::ranges::find(module.entries, name, &SPIRVEntry::name);
    if (entry == module.entries.end())
      return fail(CONVOY_INVALID, "the module has no kernel '" + name + "'");
    std::unique_ptr<VulkanKernel> made;
    if (int status = owner.guarded([&] {
          made = std::make_unique<VulkanKernel>(owner, module, *entry, shader);
        }))
      return status;
    found = kernels.emplace(name, std::move(made)).first;
  }
  *kernel = found->second.get();
  return CONVOY_OK;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static vk::raii::DescriptorSetLayout createSetLayout(const VulkanDevice &owner,
                                                     const SPIRVEntry &entry) {
  std::vector<vk::DescriptorSetLayoutBinding> bindings;
  for (uint32_t binding : entry.bindings)
    bindings.emplace_back(binding, vk::DescriptorType::eStorageBuffer, 1,
                          vk::ShaderStageFlagBits::eCompute);
  return {owner.get(), vk::DescriptorSetLayoutCreateInfo({}, bindings)};
}

static vk::raii::PipelineLayout
createLayout(const VulkanDevice &owner, const SPIRVEntry &entry,
             vk::DescriptorSetLayout setLayout) {
  vk::PushConstantRange sizes(vk::ShaderStageFlagBits::eCompute, 0,
                              static_cast<uint32_t>(entry.pushConstantBytes));
  vk::PipelineLayoutCreateInfo info({}, setLayout);
  if (entry.pushConstantBytes)
    info.setPushConstantRanges(sizes);
  return {owner.get(), info};
}

VulkanKernel::VulkanKernel(VulkanDevice &owner, const SPIRVModule &module,
                           const SPIRVEntry &entry,
                           const vk::raii::ShaderModule &shader)
    : owner(owner), entry(entry), promises(getArithmetic(module, entry)) {
  owner.check(entry);
  // Drivers may give a workgroup all that the module declares.
  checkLimit(owner.name(), entry.name,
             "bytes of workgroup memory together with the module's other "
             "kernels",
             module.workgroupBytes, owner.limits().maxComputeSharedMemorySize);
  setLayout = createSetLayout(owner, entry);
  layout = createLayout(owner, entry, *setLayout);
  vk::PipelineShaderStageCreateInfo stage({}, vk::ShaderStageFlagBits::eCompute,
                                          *shader, entry.name.c_str());
  vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo size(module.subgroup);
  if (module.subgroup && owner.canAskForSubgroups(module.subgroup)) {
    stage.pNext = &size;
    stage.flags = owner.getSubgroupFlags();
  }
  // Launches may be cut into pieces.
  pipeline = owner.createPipeline(
      {vk::PipelineCreateFlagBits::eDispatchBase, stage, *layout});
}
