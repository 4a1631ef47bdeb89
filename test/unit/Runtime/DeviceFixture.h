//===- DeviceFixture.h - A device for tests ---------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_UNIT_RUNTIME_DEVICEFIXTURE_H
#define CONVOY_TEST_UNIT_RUNTIME_DEVICEFIXTURE_H

#include "convoy/Runtime/Device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vector>

namespace convoy::test {

/// A device, which a test opens, with a module.
class DeviceFixture {
protected:
  static void expectOk(const Status &status) {
    EXPECT_TRUE(status.ok()) << status.text;
  }

  template <typename T>
  Buffer makeBuffer(const std::vector<T> &values) {
    Buffer buffer;
    expectOk(device.createBuffer(values.size() * sizeof(T), buffer));
    expectOk(buffer.write(std::as_bytes(std::span(values))));
    return buffer;
  }

  template <typename T>
  static std::vector<T> contents(const Buffer &buffer, size_t count) {
    std::vector<T> values(count);
    expectOk(buffer.read(std::as_writable_bytes(std::span(values))));
    return values;
  }

  /// Runs `kernel`, which is add_filter of DeviceTestKernels.c.
  void expectAddsFilter(const Kernel &kernel) {
    Buffer input = makeBuffer<float>({1, 2, 3});
    Buffer filter = makeBuffer<float>({10});
    Buffer output = makeBuffer<float>({0, 0, 0});
    Buffer workspace = makeBuffer<float>({0, 0, 0});
    expectOk(kernel.launch({input.get(), filter.get(), output.get()},
                           workspace.get()));
    EXPECT_THAT(contents<float>(output, 3), testing::ElementsAre(11, 12, 13));
    expectOk(output.check());
  }

  Device device;
  Module module;
};

} // namespace convoy::test

#endif // CONVOY_TEST_UNIT_RUNTIME_DEVICEFIXTURE_H
