//===- StandIn.h - A library in the place of HIP's --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of libamdhip64 that Convoy's runtime calls, for tests without a
// GPU. Addresses of memory mean nothing to the host, what is put onto a stream
// runs no sooner than it has to, and kernels are executed by the device
// "rocm-sim". The environment says what there is:
//
//   CONVOY_HIP_STANDIN_DEVICES=gfx942,gfx1100  the chips, one a device
//                                              (gfx942)
//   CONVOY_HIP_STANDIN_KERNELS=FOLDER  where the stages are that code objects
//                                      were made of, as convoy-run --keep
//                                      writes them
//   CONVOY_HIP_STANDIN_FAIL=hipMalloc#2:2,...  calls that fail: the second of
//                                      hipMalloc with the error 2
//   CONVOY_HIP_STANDIN_MEMORY=BYTES    of each device (4 GiB)
//   CONVOY_HIP_STANDIN_VERSION=NUMBER  of HIP (60200000)
//   CONVOY_HIP_STANDIN_LOG=FILE        to which each call is added
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_HIP_STANDIN_H
#define CONVOY_TEST_HIP_STANDIN_H

#include "convoy/Driver/Compile.h"
#include "convoy/Runtime/Device.h"
#include "convoy/Support/RocmChip.h"

#define __HIP_DISABLE_CPP_FUNCTIONS__
#define __HIP_PLATFORM_AMD__
#include <hip/hip_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace convoy::standin {

/// The value of CONVOY_HIP_STANDIN_`name`, or `otherwise`.
std::string readVariable(const std::string &name, const std::string &otherwise);

/// Adds a line to the log, if there is one.
void log(const std::string &line);

/// Says on standard error why a call fails; returns `error`.
hipError_t refuse(const std::string &why, hipError_t error);

/// Notes a call of `function`. Returns the error that the environment asks
/// for, if it does.
hipError_t enter(const std::string &function, const std::string &details = "");

/// HIP's name of `error`, as in hipErrorNoDevice.
const char *getName(hipError_t error);

/// Kernels of a code object as functions of this process, on a device.
class Kernels {
public:
  /// Finds what `object` was made of and compiles that; without it nothing can
  /// be run. Null, with a line on standard error, where that fails.
  static std::unique_ptr<Kernels> load(llvm::StringRef object,
                                       const Device &device);

  /// What a kernel takes: pointers, then numbers of 32 bits.
  struct Arguments {
    size_t pointers = 0, sizes = 0;
  };

  /// The kernel `name` and its arguments. False, with a line on standard error,
  /// where there is none.
  bool find(const std::string &name, Arguments &itsArguments,
            Kernel &kernel) const;

private:
  /// Fills this from `object`; returns why it cannot, or nothing.
  std::string fill(llvm::StringRef object, const Device &device);

  mlir::MLIRContext context{mlir::convoy::makeRegistry(),
                            mlir::MLIRContext::Threading::DISABLED};
  std::optional<mlir::convoy::CompiledModule> compiled;
  Module module;
  std::map<std::string, Arguments> arguments; ///< of each kernel
};

/// Bytes of a device's memory.
struct Place {
  Buffer *buffer = nullptr;
  size_t offset = 0, size = 0; ///< up to the end of the buffer
};

/// A GPU that there is not.
class StandInDevice {
public:
  StandInDevice(int number, std::string chip);

  const std::string &getChip() const { return chip; }
  const Device &getSimulator() const { return simulator; }
  /// Fills `properties`, as a version of HIP declares them.
  template <typename Properties>
  void describe(Properties &properties) const;

  /// Memory of `size` bytes; null where there is no more.
  void *allocate(size_t size);
  bool release(void *address);
  /// What `address` means; no buffer where it is none of this device.
  Place find(const void *address);

  /// What every call returns after a kernel has failed.
  hipError_t lost = hipSuccess;

private:
  int number;
  std::string chip;
  Device simulator;
  struct Allocation {
    Buffer buffer;
    size_t size;
  };
  std::map<uintptr_t, Allocation> allocations;
  uintptr_t nextAddress;
  size_t free;
};

/// All devices.
std::deque<StandInDevice> &getDevices();
/// That of the calling thread.
StandInDevice &getCurrentDevice();
/// Makes the device `number` that of the calling thread.
bool setCurrentDevice(int number);

template <typename Properties>
void StandInDevice::describe(Properties &properties) const {
  std::memset(&properties, 0, sizeof(properties));
  std::ranges::copy("Stand-in " + std::to_string(number), properties.name);
  std::ranges::copy(chip + ":sramecc+:xnack-", properties.gcnArchName);
  properties.maxThreadsPerBlock = 1024;
  for (int dim = 0; dim < 3; ++dim) {
    properties.maxThreadsDim[dim] = 1024;
    properties.maxGridSize[dim] = INT_MAX;
  }
  if (const RocmChip *known = getRocmChip(chip)) {
    properties.warpSize = int(known->wave);
    properties.sharedMemPerBlock = size_t(known->workgroupBytes);
  }
}

/// Is `function`, which fills properties of the device `number`.
template <typename Properties>
hipError_t describeDevice(Properties &properties, const std::string &function,
                          int number) {
  if (hipError_t error = enter(function, std::to_string(number));
      error != hipSuccess)
    return error;
  if (number < 0 || size_t(number) >= getDevices().size())
    return hipErrorInvalidDevice;
  getDevices()[size_t(number)].describe(properties);
  return hipSuccess;
}

} // namespace convoy::standin

/// What is put onto a stream runs when the host waits for it.
struct ihipStream_t {
  convoy::standin::StandInDevice &device;
  std::deque<std::function<hipError_t()>> waiting;

  hipError_t run();
};

struct ihipEvent_t {
  bool isRecorded = false, hasHappened = false;
  std::chrono::steady_clock::time_point time;
};

struct ihipModuleSymbol_t {
  std::string name;
  convoy::standin::StandInDevice *device = nullptr;
  convoy::standin::Kernels::Arguments arguments;
  convoy::Kernel kernel;
};

struct ihipModule_t {
  convoy::standin::StandInDevice &device;
  std::unique_ptr<convoy::standin::Kernels> kernels;
  std::map<std::string, ihipModuleSymbol_t> functions;
};

#endif // CONVOY_TEST_HIP_STANDIN_H
