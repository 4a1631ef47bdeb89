//===- Errors.cpp - Errors of the stand-in for HIP ------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StandIn.h"

#include "llvm/ADT/StringExtras.h"

#include <cstdio>
#include <cstdlib>

using namespace convoy;
using namespace convoy::standin;

std::string standin::readVariable(const std::string &name,
                                  const std::string &otherwise) {
  const char *value = std::getenv(("CONVOY_HIP_STANDIN_" + name).c_str());
  return value ? value : otherwise;
}

void standin::log(const std::string &line) {
  static const std::string path = readVariable("LOG", "");
  if (path.empty())
    return;
  if (FILE *file = std::fopen(path.c_str(), "a")) {
    std::fprintf(file, "%s\n", line.c_str());
    std::fclose(file);
  }
}

hipError_t standin::refuse(const std::string &why, hipError_t error) {
  log(std::string(getName(error)) + ": " + why);
  std::fprintf(stderr, "hip stand-in: %s\n", why.c_str());
  return error;
}

/// Whether `wish`, as in hipMalloc#2:2, is for this call; its error then.
static bool matches(llvm::StringRef wish, llvm::StringRef function, int count,
                    hipError_t &error) {
  auto [call, number] = wish.split(':');
  auto [name, ordinal] = call.split('#');
  int wanted = 1, code = 0;
  if (name != function ||
      (!ordinal.empty() && ordinal.getAsInteger(10, wanted)))
    return false;
  if (count != wanted || number.getAsInteger(10, code))
    return false;
  error = hipError_t(code);
  return true;
}

/// Whether nothing works on a device after `error`.
static bool losesDevice(hipError_t error) {
  return error == hipErrorIllegalAddress || error == hipErrorLaunchFailure;
}

hipError_t standin::enter(const std::string &function,
                          const std::string &details) {
  static std::map<std::string, int> counts;
  int count = ++counts[function];
  log(function + (details.empty() ? "" : " " + details));
  StandInDevice *device = getDevices().empty() ? nullptr : &getCurrentDevice();
  if (device && device->lost != hipSuccess)
    return device->lost;
  static const std::string wishes = readVariable("FAIL", "");
  hipError_t error = hipSuccess;
  for (llvm::StringRef wish : llvm::split(wishes, ','))
    if (matches(wish, function, count, error)) {
      log(function + " fails with " + getName(error));
      if (device && losesDevice(error))
        device->lost = error;
      return error;
    }
  return hipSuccess;
}

const char *standin::getName(hipError_t error) {
#define CONVOY_CASE(NAME)                                                      \
  case NAME:                                                                   \
    return #NAME
  switch (error) {
    CONVOY_CASE(hipSuccess);
    CONVOY_CASE(hipErrorInvalidValue);
    CONVOY_CASE(hipErrorOutOfMemory);
    CONVOY_CASE(hipErrorNotInitialized);
    CONVOY_CASE(hipErrorInvalidConfiguration);
    CONVOY_CASE(hipErrorInvalidDevicePointer);
    CONVOY_CASE(hipErrorInsufficientDriver);
    CONVOY_CASE(hipErrorNoDevice);
    CONVOY_CASE(hipErrorInvalidDevice);
    CONVOY_CASE(hipErrorInvalidImage);
    CONVOY_CASE(hipErrorNoBinaryForGpu);
    CONVOY_CASE(hipErrorInvalidHandle);
    CONVOY_CASE(hipErrorNotFound);
    CONVOY_CASE(hipErrorNotReady);
    CONVOY_CASE(hipErrorIllegalAddress);
    CONVOY_CASE(hipErrorLaunchOutOfResources);
    CONVOY_CASE(hipErrorLaunchFailure);
  default:
    return "hipErrorUnknown";
  }
#undef CONVOY_CASE
}
