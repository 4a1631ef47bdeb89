//===- SimulatedDevice.h - A GPU that the host simulates --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_LIB_SIMULATEDDEVICE_H
#define CONVOY_RUNTIME_LIB_SIMULATEDDEVICE_H

#include "DeviceBackend.h"
#include "MatrixUnit.h"
#include "SimulatedFaults.h"

#include "convoy/Support/RocmChip.h"
#include "convoy/Support/VulkanProfile.h"

#include <map>
#include <memory>
#include <optional>

namespace convoy {

/// The GPU in whose place the host is, and what a kernel may ask of it.
struct SimulatedMachine {
  std::string_view device; ///< as in `rocm-sim`
  std::string name;        ///< of the chip or the profile
  uint32_t wave;           ///< work-items that run in step
  uint64_t workgroupBytes, workgroupItems;
  Index3 workgroupSize, workgroupCount; ///< the most along x, y, z
  /// Bytes that offsets of buffers are multiples of, beside an element's.
  uint64_t offsetBytes;
  /// Workgroups of a launch that run together at most; 0: any number.
  uint32_t mostGroups = 0;
  const RocmChip *chip = nullptr;            ///< of AMD's, or null
  std::optional<VulkanProfile> profile = {}; ///< of Vulkan's
};

/// What has the limits of a GPU, and executes kernels by functions of this
/// process: see convoy/Runtime/SimulatedKernel.h.
class SimulatedDevice final : public convoy_device {
public:
  explicit SimulatedDevice(SimulatedMachine machine)
      : machine(std::move(machine)) {}

  convoy_arithmetic arithmetic() const override {
    return {/*rounds_to_nearest=*/1, /*flushes_subnormals=*/0};
  }
  int createBuffer(size_t size, convoy_buffer **buffer) override;
  int loadFile(const std::string &path, convoy_module **module) override;
  int loadImage(std::span<const std::byte> image,
                convoy_module **module) override;
  int fromFunctions(std::span<const convoy_function> functions,
                    convoy_module **module) override;
  int run(std::span<const convoy_step> steps) override;
  double seconds() const override { return lastSeconds; }
  std::optional<VulkanProfile> vulkanProfile() const override {
    return machine.profile;
  }
  const RocmChip *rocmChip() const override { return machine.chip; }

  const SimulatedMachine &getMachine() const { return machine; }

private:
  SimulatedMachine machine;
  double lastSeconds = 0;
};

class SimulatedKernel final : public convoy_kernel {
public:
  SimulatedKernel(SimulatedDevice &owner, std::string name, void *function,
                  SimulatedLayout layout);

  convoy_device *device() const override { return &owner; }
  convoy_arithmetic arithmetic() const override;

  /// Refuses what the device does not have.
  int check() const;
  /// Refuses what the kernel does not take.
  int check(const convoy_launch &launch) const;
  /// Runs all groups of `launch`, which is checked.
  int run(const convoy_launch &launch) const;

private:
  int refuse(const std::string &sentence) const;
  /// The instruction of the device that `operation` is, or null.
  const MatrixInstruction *
  findInstruction(const MatrixOperation &operation) const;
  int checkOperation(const MatrixOperation &operation) const;
  /// The buffer `number` as it is in `launch`.
  SimulatedLayout::Buffer getBuffer(const convoy_launch &launch,
                                    size_t number) const;

  SimulatedDevice &owner;
  std::string name;
  void *function;
  SimulatedLayout layout;
  std::vector<MatrixUnit> units; ///< of those operations that the device has
};

class SimulatedModule final : public convoy_module {
public:
  /// Adds the kernel `name` with the function that tells its layout.
  void addKernel(SimulatedDevice &owner, const std::string &name,
                 void *function, void *layout);
  int findKernel(const std::string &name, convoy_kernel **kernel) override;

private:
  std::map<std::string, std::unique_ptr<SimulatedKernel>> kernels;
};

} // namespace convoy

#endif // CONVOY_RUNTIME_LIB_SIMULATEDDEVICE_H
