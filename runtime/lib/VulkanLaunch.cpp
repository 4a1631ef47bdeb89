//===- VulkanLaunch.cpp - Launches on Vulkan devices ----------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VulkanDevice.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>

using namespace convoy;

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

void VulkanKernel::refuse(const std::string &sentence) const {
  throw DeviceFailure(CONVOY_INVALID,
                      "kernel '" + entry.name + "': " + sentence);
}

void VulkanKernel::checkRange(uint32_t binding, size_t offset,
                              size_t size) const {
  size_t alignment = owner.limits().minStorageBufferOffsetAlignment;
  std::string what = "for binding " + std::to_string(binding);
  if (offset % alignment)
    refuse("expected an offset that is a multiple of " +
           std::to_string(alignment) + " " + what + ", but got " +
           std::to_string(offset));
  if (size > owner.limits().maxStorageBufferRange)
    refuse("expected at most " +
           std::to_string(owner.limits().maxStorageBufferRange) + " bytes " +
           what + ", but got " + std::to_string(size));
}

void VulkanKernel::check(const convoy_launch &launch,
                         uint32_t mostGroups) const {
  uint64_t groups = 1; // up to where that is more than there may be
  for (uint32_t dim = 0; dim < 3; ++dim) {
    uint32_t limit = owner.limits().maxComputeWorkGroupCount[dim];
    uint32_t count = launch.grid[dim], items = launch.block[dim];
    if (count == 0 || count > limit)
      refuse("expected from 1 to " + std::to_string(limit) + " workgroups in " +
             "xyz"[dim] + ", but got " + std::to_string(count));
    if (items != 0 && items != entry.workgroupSize[dim])
      refuse("expected its own " + std::to_string(entry.workgroupSize[dim]) +
             " work-items in " + "xyz"[dim] + ", but got " +
             std::to_string(items));
    groups = std::min<uint64_t>(groups * count, ~uint32_t(0));
  }
  if (mostGroups && groups > mostGroups && entry.asksForGrid)
    refuse("it asks how many workgroups there are, and cannot run " +
           std::to_string(mostGroups) + " at a time");
  if (launch.workgroup_bytes)
    refuse("its workgroup memory is fixed, but a launch asks for " +
           std::to_string(launch.workgroup_bytes) + " bytes");
  for (uint32_t binding : entry.bindings) {
    if (binding >= countOperands(launch))
      refuse("expected a buffer for binding " + std::to_string(binding) +
             ", but got " + std::to_string(countOperands(launch)) + " buffers");
    BoundBuffer operand = getOperand(launch, binding);
    checkRange(binding, operand.offset, operand.size);
  }
  if (entry.pushConstantBytes != launch.size_count * sizeof(int32_t) &&
      entry.pushConstantBytes != launch.size_count * sizeof(int64_t))
    refuse("expected sizes for " + std::to_string(entry.pushConstantBytes) +
           " bytes of push constants, but got " +
           std::to_string(launch.size_count));
}

std::vector<vk::DescriptorBufferInfo>
VulkanKernel::describe(const convoy_launch &launch) const {
  std::vector<vk::DescriptorBufferInfo> infos;
  for (uint32_t binding : entry.bindings) {
    BoundBuffer operand = getOperand(launch, binding);
    auto *buffer = static_cast<const VulkanBuffer *>(operand.buffer);
    infos.push_back(buffer->describe(operand.offset, operand.size));
  }
  return infos;
}

std::vector<std::byte>
VulkanKernel::packSizes(const convoy_launch &launch) const {
  std::vector<std::byte> bytes(entry.pushConstantBytes);
  if (bytes.empty())
    return bytes;
  size_t width = bytes.size() / launch.size_count;
  for (size_t number = 0; number < launch.size_count; ++number) {
    int64_t size = launch.sizes[number];
    if (width == sizeof(int32_t) && size != static_cast<int32_t>(size))
      refuse("expected sizes of 32 bits, but got " + std::to_string(size));
    // Vulkan's hosts and devices are little endian.
    std::memcpy(bytes.data() + number * width, &size, width);
  }
  return bytes;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static const VulkanKernel &getKernel(const convoy_step &step) {
  return *static_cast<const VulkanKernel *>(step.kernel);
}

/// A pool for the descriptor sets of `steps`.
static vk::raii::DescriptorPool createPool(const vk::raii::Device &device,
                                           std::span<const convoy_step> steps) {
  uint32_t count = 0;
  for (const convoy_step &step : steps)
    count += static_cast<uint32_t>(getKernel(step).getEntry().bindings.size());
  vk::DescriptorPoolSize size(vk::DescriptorType::eStorageBuffer,
                              std::max(count, 1u));
  return {device, vk::DescriptorPoolCreateInfo(
                      vk::DescriptorPoolCreateFlagBits::eFreeDescriptorSet,
                      static_cast<uint32_t>(steps.size()), size)};
}

/// A descriptor set for each of `steps`, filled.
static std::vector<vk::raii::DescriptorSet>
createSets(const vk::raii::Device &device, const vk::raii::DescriptorPool &pool,
           std::span<const convoy_step> steps) {
  std::vector<vk::DescriptorSetLayout> layouts;
  for (const convoy_step &step : steps)
    layouts.push_back(getKernel(step).getSetLayout());
  vk::raii::DescriptorSets sets(device, {*pool, layouts});
  for (size_t number = 0; number < steps.size(); ++number) {
    const VulkanKernel &kernel = getKernel(steps[number]);
    std::vector<vk::DescriptorBufferInfo> infos =
        kernel.describe(steps[number].launch);
    std::vector<vk::WriteDescriptorSet> writes;
    for (uint32_t binding : kernel.getEntry().bindings)
      writes.emplace_back(*sets[number], binding, 0, 1,
                          vk::DescriptorType::eStorageBuffer, nullptr,
                          &infos[writes.size()]);
    device.updateDescriptorSets(writes, {});
  }
  return sets;
}

void VulkanDevice::record(std::span<const Dispatch> dispatches,
                          std::span<const convoy_step> steps,
                          std::span<const vk::raii::DescriptorSet> sets,
                          vk::raii::CommandBuffer &commands) const {
  using Access = vk::AccessFlagBits;
  constexpr auto Compute = vk::PipelineStageFlagBits::eComputeShader;
  vk::MemoryBarrier barrier(Access::eShaderWrite,
                            Access::eShaderRead | Access::eShaderWrite);
  std::optional<size_t> last;
  for (const auto &[number, piece] : dispatches) {
    const VulkanKernel &kernel = getKernel(steps[number]);
    if (last != number) {
      if (last)
        commands.pipelineBarrier(Compute, Compute, {}, barrier, {}, {});
      commands.bindPipeline(vk::PipelineBindPoint::eCompute,
                            kernel.getPipeline());
      commands.bindDescriptorSets(vk::PipelineBindPoint::eCompute,
                                  kernel.getLayout(), 0, *sets[number], {});
      std::vector<std::byte> sizes = kernel.packSizes(steps[number].launch);
      if (!sizes.empty())
        commands.pushConstants<std::byte>(
            kernel.getLayout(), vk::ShaderStageFlagBits::eCompute, 0, sizes);
      last = number;
    }
    const auto &[first, count] = piece;
    commands.dispatchBase(first[0], first[1], first[2], count[0], count[1],
                          count[2]);
  }
}

uint32_t VulkanDevice::getMostGroups(const convoy_launch &launch) const {
  return getFewerGroups(launch.most_groups, options.mostGroups);
}

std::vector<std::vector<Dispatch>>
VulkanDevice::planSubmissions(std::span<const convoy_step> steps) const {
  std::vector<std::vector<Dispatch>> submissions(1);
  double busy = 0; // of what the last one may take
  for (size_t number = 0; number < steps.size(); ++number) {
    const uint32_t *grid = steps[number].launch.grid;
    uint32_t most = getMostGroups(steps[number].launch);
    for (const LaunchPiece &piece :
         cutGrid({grid[0], grid[1], grid[2]}, most)) {
      double part = most ? double(piece.countGroups()) / most : 0;
      if (busy + part > 1 && !submissions.back().empty()) {
        submissions.emplace_back();
        busy = 0;
      }
      submissions.back().push_back({number, piece});
      busy += part;
    }
  }
  return submissions;
}

double VulkanDevice::readTimer(const vk::raii::QueryPool &timer) const {
  auto [result, ticks] = timer.getResults<uint64_t>(
      0, 2, 2 * sizeof(uint64_t), sizeof(uint64_t),
      vk::QueryResultFlagBits::e64 | vk::QueryResultFlagBits::eWait);
  uint64_t mask = timerBits < 64 ? (uint64_t(1) << timerBits) - 1
                                 : std::numeric_limits<uint64_t>::max();
  return double((ticks[1] - ticks[0]) & mask) *
         double(limits().timestampPeriod) * 1e-9;
}

double VulkanDevice::run(std::span<const Dispatch> dispatches,
                         std::span<const convoy_step> steps,
                         std::span<const vk::raii::DescriptorSet> sets) const {
  auto start = std::chrono::steady_clock::now();
  if (timerBits == 0) {
    submit([&](auto &commands) { record(dispatches, steps, sets, commands); });
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         start)
        .count();
  }
  auto ownTimer = own<vk::raii::QueryPool>(
      device, vk::QueryPoolCreateInfo({}, vk::QueryType::eTimestamp, 2));
  const vk::raii::QueryPool &timer = *ownTimer;
  submit([&](auto &commands) {
    commands.resetQueryPool(*timer, 0, 2);
    commands.writeTimestamp(vk::PipelineStageFlagBits::eTopOfPipe, *timer, 0);
    record(dispatches, steps, sets, commands);
    commands.writeTimestamp(vk::PipelineStageFlagBits::eBottomOfPipe, *timer,
                            1);
  });
  return readTimer(timer);
}

/// The kernels of `dispatches` and how many workgroups each has, as in
/// `kernel 'conv_0' of 3x4x1 workgroups`.
static std::string describe(std::span<const Dispatch> dispatches,
                            std::span<const convoy_step> steps) {
  std::string text;
  std::optional<size_t> last;
  for (const Dispatch &dispatch : dispatches) {
    if (dispatch.step == last)
      continue;
    last = dispatch.step;
    const convoy_step &step = steps[dispatch.step];
    const uint32_t *grid = step.launch.grid;
    text += (text.empty() ? "kernel '" : ", '") +
            getKernel(step).getEntry().name + "' of " +
            std::to_string(grid[0]) + "x" + std::to_string(grid[1]) + "x" +
            std::to_string(grid[2]) + " workgroups";
  }
  return text;
}

void VulkanDevice::runSteps(std::span<const convoy_step> steps) {
  for (const convoy_step &step : steps)
    getKernel(step).check(step.launch, getMostGroups(step.launch));
  auto pool = own<vk::raii::DescriptorPool>(createPool(device, steps));
  auto sets = own<std::vector<vk::raii::DescriptorSet>>(
      createSets(device, *pool, steps));
  double seconds = 0;
  for (const std::vector<Dispatch> &dispatches : planSubmissions(steps)) {
    try {
      seconds += run(dispatches, steps, *sets);
    } catch (const vk::DeviceLostError &) {
      throw vk::DeviceLostError(describe(dispatches, steps));
    }
  }
  lastSeconds = seconds;
}

int VulkanDevice::run(std::span<const convoy_step> steps) {
  return guarded([&] {
    if (!steps.empty())
      runSteps(steps);
  });
}
