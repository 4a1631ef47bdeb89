//===- VulkanFixture.h - A Vulkan device for tests --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_UNIT_RUNTIME_VULKANFIXTURE_H
#define CONVOY_TEST_UNIT_RUNTIME_VULKANFIXTURE_H

#include "convoy/Runtime/Device.h"

#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

namespace convoy::test {

/// Sets a variable of the environment, and puts it back.
class Variable {
public:
  Variable(const char *name, const std::string &value);
  Variable(const Variable &) = delete;
  ~Variable();

private:
  const char *name;
  std::optional<std::string> before;
};

/// A device with validation layers on, whose messages fail the test.
class VulkanFixture {
protected:
  /// Each is "0" or "1".
  explicit VulkanFixture(const char *robust = "0", const char *staging = "0");

  static void expectOk(const Status &status) {
    EXPECT_TRUE(status.ok()) << status.text;
  }

  /// Loads test/unit/Runtime/SPIRV/<name>.spvasm into `module`.
  Status load(const std::string &name);
  /// The kernel `kernel` of the module `name`.
  Kernel find(const std::string &name, const std::string &kernel);

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

  Variable validate, robust, staging, cache;
  Device device;
  Module module;
};

/// The arguments of a launch of `grid` workgroups along x. It points into
/// `buffers`, `ranges` and `sizes`.
convoy_launch makeLaunch(uint32_t grid,
                         const std::vector<convoy_buffer *> &buffers,
                         const std::vector<convoy_range> &ranges = {},
                         const std::vector<int64_t> &sizes = {});

} // namespace convoy::test

#endif // CONVOY_TEST_UNIT_RUNTIME_VULKANFIXTURE_H
