//===- HipDevice.h - Devices that HIP drives --------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_LIB_HIPDEVICE_H
#define CONVOY_RUNTIME_LIB_HIPDEVICE_H

#include "CodeObject.h"
#include "HipLibrary.h"

#include <map>
#include <memory>

namespace convoy {

/// A device with one stream, on which all copies and kernels run in turn.
class HipDevice final : public convoy_device {
public:
  explicit HipDevice(const std::string &choice);

  convoy_arithmetic arithmetic() const override;
  int createBuffer(size_t size, convoy_buffer **buffer) override;
  int loadImage(std::span<const std::byte> image,
                convoy_module **module) override;
  int fromFunctions(std::span<const convoy_function> functions,
                    convoy_module **module) override;
  int run(std::span<const convoy_step> steps) override;
  double seconds() const override { return lastSeconds; }
  const RocmChip *rocmChip() const override { return chip; }
  std::string description() const override { return name; }

  /// HIP, with this device as that of the calling thread.
  const HipLibrary &get() const;
  hipStream_t getStream() const { return stream.get(); }
  const hipDeviceProp_t &getProperties() const { return properties; }
  /// Its name and its chip.
  const std::string &getName() const { return name; }

  /// Calls `body` for this device. Returns the status of what it throws. Notes
  /// where the device is lost.
  template <typename Body>
  int guarded(Body body) const {
    return HipLibrary::guarded([&] {
      try {
        body(get());
      } catch (const HipDeviceLost &) {
        lost = true;
        throw;
      }
    });
  }

  /// Waits for the end of all copies and kernels.
  void wait() const;

  /// Throws where the device cannot run `object`, or a kernel of it.
  void check(const CodeObject &object) const;
  void check(const CodeObjectKernel &kernel) const;

  mutable size_t children = 0; ///< buffers and modules

private:
  /// Makes the stream and the events.
  void open();
  /// Opens the device anew if it was lost. Called before anything is made; a
  /// status that is not CONVOY_OK says why nothing can be.
  int recover();
  void runSteps(std::span<const convoy_step> steps);

  HipLibrary hip;
  int number = 0;
  hipDeviceProp_t properties = {};
  std::string name;
  const RocmChip *chip = nullptr;
  HipOwner<ihipStream_t> stream = {nullptr, nullptr};
  /// Around a sequence of kernels.
  HipOwner<ihipEvent_t> start = {nullptr, nullptr}, stop = {nullptr, nullptr};
  double lastSeconds = 0;
  mutable bool lost = false;
};

/// A buffer between guard zones, in memory of its own.
class HipBuffer final : public convoy_buffer {
public:
  HipBuffer(const HipDevice &owner, size_t size);

  const convoy_device *device() const override { return &owner; }
  size_t size() const override { return payloadSize; }
  int write(size_t offset, std::span<const std::byte> source) override;
  int read(size_t offset, std::span<std::byte> target) const override;
  int fill(std::span<const std::byte> pattern) override;
  int check() const override;

  /// The device's address of the payload.
  std::byte *getAddress() const { return getPlace(GuardedBuffer::GuardSize); }

private:
  /// The device's address of byte `place` from the first guard's start on.
  std::byte *getPlace(size_t place) const {
    return static_cast<std::byte *>(memory.get()) + place;
  }
  /// Puts a copy onto the stream.
  void copy(const HipLibrary &hip, void *target, const void *source,
            size_t size, hipMemcpyKind kind) const;

  const HipDevice &owner;
  DeviceChild child;
  size_t payloadSize;
  HipOwner<void> memory; ///< of the device, guard zones included
};

class HipKernel final : public convoy_kernel {
public:
  HipKernel(HipDevice &owner, const CodeObjectKernel &kernel,
            hipFunction_t function);

  convoy_device *device() const override { return &owner; }
  convoy_arithmetic arithmetic() const override { return owner.arithmetic(); }

  /// Throws where `launch` does not fit the kernel or the device.
  void check(const convoy_launch &launch) const;
  /// Puts `launch`, which is checked, onto the stream.
  void run(const HipLibrary &hip, const convoy_launch &launch) const;

private:
  [[noreturn]] void refuse(const std::string &sentence) const;
  /// The work-items of a workgroup of `launch` along `dim`.
  uint32_t getItems(const convoy_launch &launch, size_t dim) const;
  /// The buffers among the arguments, which come before sizes.
  size_t countBuffers() const;

  HipDevice &owner;
  const CodeObjectKernel &kernel;
  hipFunction_t function;
};

/// A code object on a device.
class HipModule final : public convoy_module {
public:
  HipModule(HipDevice &owner, CodeObject object,
            std::span<const std::byte> image);

  int findKernel(const std::string &name, convoy_kernel **kernel) override;

private:
  HipDevice &owner;
  DeviceChild child;
  CodeObject object;
  HipOwner<ihipModule_t> module = {nullptr, nullptr};
  std::map<std::string, std::unique_ptr<HipKernel>> kernels;
};

} // namespace convoy

#endif // CONVOY_RUNTIME_LIB_HIPDEVICE_H
