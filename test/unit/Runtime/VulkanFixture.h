//===- VulkanFixture.h - A Vulkan device for tests --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_UNIT_RUNTIME_VULKANFIXTURE_H
#define CONVOY_TEST_UNIT_RUNTIME_VULKANFIXTURE_H

#include "DeviceFixture.h"

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

/// How Vulkan is used, as long as a device is.
struct VulkanVariables {
  Variable validate, robust, staging, cache;
};

/// A device with validation layers on, whose messages fail the test.
class VulkanFixture : VulkanVariables, protected DeviceFixture {
protected:
  /// Each is "0" or "1".
  explicit VulkanFixture(const char *robust = "0", const char *staging = "0");

  /// Loads test/unit/Runtime/SPIRV/<name>.spvasm into `module`.
  Status load(const std::string &name);
  /// The kernel `kernel` of the module `name`.
  Kernel find(const std::string &name, const std::string &kernel);
  /// Adds 1 to `count` numbers `times` times, as one sequence of steps: each
  /// reads what the one before wrote, and so many workgroups of sums and of
  /// copies run together. Expects the numbers, and that it took some time.
  void runSums(size_t count, int times, uint32_t mostOfSums = 0,
               uint32_t mostOfCopies = 0);
};

/// The arguments of a launch of `grid` workgroups along x. It points into
/// `buffers`, `ranges` and `sizes`.
convoy_launch makeLaunch(uint32_t grid,
                         const std::vector<convoy_buffer *> &buffers,
                         const std::vector<convoy_range> &ranges = {},
                         const std::vector<int64_t> &sizes = {});

} // namespace convoy::test

#endif // CONVOY_TEST_UNIT_RUNTIME_VULKANFIXTURE_H
