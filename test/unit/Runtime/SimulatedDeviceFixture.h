//===- SimulatedDeviceFixture.h - For tests of simulated GPUs ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels written by hand, as `convoy-convert-gpu-to-host` makes them.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_UNIT_RUNTIME_SIMULATEDDEVICEFIXTURE_H
#define CONVOY_TEST_UNIT_RUNTIME_SIMULATEDDEVICEFIXTURE_H

#include "convoy/Runtime/Device.h"
#include "convoy/Runtime/SimulatedKernel.h"

#include <gtest/gtest.h>

namespace convoy {

/// A work-item of a kernel with two buffers of 32 and 16 bits and one of its
/// workgroup.
struct Work {
  enum Buffer { Wide, Narrow, Shared };

  int64_t item;
  int64_t group, x, y; ///< ids
  int32_t *wide;
  int16_t *narrow;
  int32_t *shared;

  int32_t read(Buffer buffer, int64_t element) const {
    if (!convoy_simulated_read(item, buffer, element, 1))
      return 0;
    return buffer == Narrow ? narrow[element] : words(buffer)[element];
  }
  void write(Buffer buffer, int64_t element, int64_t value) const {
    if (!convoy_simulated_write(item, buffer, element, 1))
      return;
    if (buffer == Narrow)
      narrow[element] = static_cast<int16_t>(value);
    else
      words(buffer)[element] = static_cast<int32_t>(value);
  }
  void barrier(int64_t number) const { convoy_simulated_barrier(item, number); }

private:
  int32_t *words(Buffer buffer) const { return buffer == Wide ? wide : shared; }
};

/// What the kernel does, and what its layout tells.
using Body = void (*)(const Work &);
inline Body body;
inline std::vector<int64_t> layout;

inline void runKernel(int64_t item, int64_t group, int64_t, int64_t, int64_t x,
                      int64_t y, int64_t, void *wide, void *narrow,
                      void *shared) {
  body({item, group, x, y, static_cast<int32_t *>(wide),
        static_cast<int16_t *>(narrow), static_cast<int32_t *>(shared)});
}

inline int64_t tellLayout(int64_t number) {
  return layout.at(static_cast<size_t>(number));
}

class SimulatedDeviceTest : public testing::Test {
protected:
  SimulatedDeviceTest() {
    open("rocm-sim");
    // Groups of 8x4 work-items; 64, 128 and 32 elements.
    layout = {1, 8, 4, 1, 0, 2, 1, 64, 4, 128, 2, 32, 4, 0};
  }

  void open(const std::string &name) {
    expectOk(Device::open(name, device));
    expectOk(device.createBuffer(256, wide));
    expectOk(device.createBuffer(256, narrow));
  }

  static void expectOk(const Status &status) {
    EXPECT_TRUE(status.ok()) << status.text;
  }

  Status load(Kernel &kernel) {
    static const convoy_function functions[] = {
        {"k", reinterpret_cast<void *>(runKernel)},
        {"k.layout", reinterpret_cast<void *>(tellLayout)}};
    expectOk(device.fromFunctions(functions, module));
    return module.findKernel("k", kernel);
  }

  convoy_launch makeLaunch(uint32_t groups) {
    operands = {wide.get(), narrow.get()};
    convoy_launch launch = {};
    launch.buffers = operands.data();
    launch.buffer_count = operands.size();
    launch.grid[0] = groups;
    launch.grid[1] = launch.grid[2] = 1;
    return launch;
  }

  Status run(Body kernelBody, uint32_t groups = 1) {
    body = kernelBody;
    Kernel kernel;
    if (Status status = load(kernel); !status.ok())
      return status;
    return kernel.launch(makeLaunch(groups));
  }

  void expectWrong(Body kernelBody, const std::string &text,
                   uint32_t groups = 1) {
    Status status = run(kernelBody, groups);
    EXPECT_EQ(status.code, CONVOY_WRONG);
    EXPECT_EQ(status.text, "kernel 'k': " + text);
  }

  /// What loading the kernel or `change`d launches of it are refused with.
  void expectRefused(const std::string &text,
                     void (*change)(convoy_launch &) = nullptr) {
    body = [](const Work &) {};
    Kernel kernel;
    Status status = load(kernel);
    if (change) {
      expectOk(status);
      convoy_launch launch = makeLaunch(1);
      change(launch);
      status = kernel.launch(launch);
    }
    EXPECT_EQ(status.code, CONVOY_INVALID);
    EXPECT_EQ(status.text, "kernel 'k': " + text);
  }

  Device device;
  Buffer wide, narrow;
  Module module;
  std::vector<convoy_buffer *> operands;
};

} // namespace convoy

#endif // CONVOY_TEST_UNIT_RUNTIME_SIMULATEDDEVICEFIXTURE_H
