//===- DeviceChoice.cpp - Choosing one of several devices -----------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceChoice.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

using namespace convoy;

std::string convoy::readVariable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

static std::string toLower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return text;
}

/// Whether `choice` means the device `name` with this number.
static bool isMeant(const std::string &choice, size_t number,
                    const std::string &name) {
  size_t wanted = 0;
  const char *end = choice.data() + choice.size();
  auto [stop, code] = std::from_chars(choice.data(), end, wanted);
  if (code == std::errc() && stop == end)
    return wanted == number;
  return toLower(name).find(toLower(choice)) != std::string::npos;
}

/// `0 'llvmpipe', 1 'abacus' (it has no beads)`
static std::string listDevices(const std::vector<DeviceCandidate> &devices) {
  std::string list;
  for (size_t number = 0; number < devices.size(); ++number) {
    const DeviceCandidate &device = devices[number];
    list += (number ? ", " : "") + std::to_string(number) + " '" + device.name +
            "'" + (device.fault.empty() ? "" : " (" + device.fault + ")");
  }
  return list;
}

/// The first of `devices` that works; preferred ones go first.
static size_t pickFirst(const std::string &driver,
                        const std::vector<DeviceCandidate> &devices) {
  for (bool isPreferred : {true, false})
    for (size_t number = 0; number < devices.size(); ++number)
      if (devices[number].fault.empty() &&
          devices[number].isPreferred == isPreferred)
        return number;
  throw DeviceFailure(CONVOY_NO_DEVICE,
                      "there is no usable " + driver +
                          " device among: " + listDevices(devices));
}

size_t convoy::pickDevice(const std::string &driver,
                          const std::vector<DeviceCandidate> &devices,
                          const std::string &choice) {
  if (devices.empty())
    throw DeviceFailure(CONVOY_NO_DEVICE, "there is no " + driver + " device");
  if (choice.empty())
    return pickFirst(driver, devices);
  for (size_t number = 0; number < devices.size(); ++number) {
    const DeviceCandidate &device = devices[number];
    if (!isMeant(choice, number, device.name))
      continue;
    if (device.fault.empty())
      return number;
    throw DeviceFailure(CONVOY_NO_DEVICE, "cannot use the " + driver +
                                              " device '" + device.name +
                                              "': " + device.fault);
  }
  throw DeviceFailure(CONVOY_NO_DEVICE,
                      "there is no " + driver + " device '" + choice +
                          "', expected the number or a part of the name of: " +
                          listDevices(devices));
}

void convoy::checkLimit(const std::string &device, const std::string &kernel,
                        const std::string &what, uint64_t value,
                        uint64_t limit) {
  if (value > limit)
    throw DeviceFailure(CONVOY_INVALID,
                        "kernel '" + kernel + "' has " + std::to_string(value) +
                            " " + what + ", but the device '" + device +
                            "' takes at most " + std::to_string(limit));
}
