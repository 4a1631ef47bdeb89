//===- DeviceChoice.h - Choosing one of several devices ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_LIB_DEVICECHOICE_H
#define CONVOY_RUNTIME_LIB_DEVICECHOICE_H

#include "convoy/Runtime/convoy_runtime.h"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace convoy {

/// Thrown within the backends of drivers; their `guarded` makes a status of it.
struct DeviceFailure : std::runtime_error {
  DeviceFailure(convoy_status status, const std::string &sentence)
      : std::runtime_error(sentence), status(status) {}

  convoy_status status;
};

/// A device that a driver offers.
struct DeviceCandidate {
  std::string name;
  std::string fault;       ///< why kernels cannot run on it, or empty
  bool isPreferred = true; ///< to others, where the user has no choice
};

/// The number of the device that `choice` means: its number, or a part of its
/// name; empty: the first that is preferred, or else the first. Throws
/// DeviceFailure where there is none that works; it names the devices as those
/// of `driver`, such as Vulkan.
size_t pickDevice(const std::string &driver,
                  const std::vector<DeviceCandidate> &devices,
                  const std::string &choice);

/// Throws where `value`, how many of `what` the kernel named so has, is above
/// what the device takes.
void checkLimit(const std::string &device, const std::string &kernel,
                const std::string &what, uint64_t value, uint64_t limit);

/// The value of an environment variable, or an empty text.
std::string readVariable(const char *name);

} // namespace convoy

#endif // CONVOY_RUNTIME_LIB_DEVICECHOICE_H
