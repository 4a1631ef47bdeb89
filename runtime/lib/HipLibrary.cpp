//===- HipLibrary.cpp - HIP's functions, opened at run time ---------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HipLibrary.h"

#include <array>
#include <dlfcn.h>

using namespace convoy;

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

/// What HIP's packages install, for developers and for users.
static constexpr std::array<const char *, 4> LibraryNames = {
    "libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6",
    "libamdhip64.so.5"};

/// Where ROCm is installed by default, in folders that the loader need not
/// know.
static constexpr const char *DefaultRocmPath = "/opt/rocm";

/// Opens the first of LibraryNames that there is in `folder`, which ends in a
/// slash, or, where it is empty, where the loader looks; `name` becomes its
/// name. It stays open: it has threads of its own.
static void *openFrom(const std::string &folder, std::string &name) {
  for (const char *known : LibraryNames) {
    name = folder + known;
    if (void *library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL))
      return library;
  }
  return nullptr;
}

static void *openLibrary(std::string &name) {
  name = readVariable("CONVOY_HIP_LIBRARY");
  if (!name.empty()) {
    if (void *library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL))
      return library;
    throw DeviceFailure(CONVOY_NO_DEVICE,
                        "there is no HIP: cannot load '" + name +
                            "', which CONVOY_HIP_LIBRARY names");
  }
  std::string chosen = readVariable("ROCM_PATH");
  std::vector<std::string> folders;
  if (!chosen.empty())
    folders.push_back(chosen + "/lib/");
  folders.push_back("");
  folders.push_back(std::string(DefaultRocmPath) + "/lib/");
  for (const std::string &folder : folders)
    if (void *library = openFrom(folder, name))
      return library;
  throw DeviceFailure(CONVOY_NO_DEVICE,
                      "there is no HIP: cannot load libamdhip64.so");
}

template <typename Function>
static void find(void *library, const std::string &libraryName,
                 const char *name, Function &function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (!function)
    throw DeviceFailure(CONVOY_NO_DEVICE, "there is no HIP: '" + libraryName +
                                              "' has no function " + name);
}

HipLibrary::HipLibrary() {
  std::string name;
  void *library = openLibrary(name);
// HIP's headers define some names as others, those of functions that fit their
// types: what is looked up is the name after that.
#define CONVOY_HIP_TEXT(NAME) #NAME
#define CONVOY_HIP_FIND(NAME) find(library, name, CONVOY_HIP_TEXT(NAME), NAME);
  CONVOY_HIP_FUNCTIONS(CONVOY_HIP_FIND)
#undef CONVOY_HIP_FIND
#undef CONVOY_HIP_TEXT
  initialize();
}

/// Whether a device is what is missing.
static bool saysNoDevice(hipError_t error) {
  return error == hipErrorNoDevice || error == hipErrorInvalidDevice;
}

void HipLibrary::initialize() {
  hipError_t error = hipInit(0);
  // Without a device some versions refuse to be initialized.
  if (!saysNoDevice(error))
    check(error, "hipInit");
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

void HipLibrary::check(hipError_t error, const char *call) const {
  if (error == hipSuccess)
    return;
  const char *name = hipGetErrorName(error);
  std::string what = std::string(": ") + call + ": " +
                     (name ? name : std::to_string(error).c_str());
  switch (int(error)) {
  case hipErrorOutOfMemory:
    throw DeviceFailure(CONVOY_INVALID,
                        "the HIP device is out of memory" + what);
  case hipErrorNotInitialized:
  case hipErrorDeinitialized:
  case hipErrorInsufficientDriver:
  case hipErrorNoDevice:
  case hipErrorInvalidDevice:
  case hipErrorNoBinaryForGpu:
    throw DeviceFailure(CONVOY_NO_DEVICE,
                        "the HIP device cannot be used" + what);
  case hipErrorPriorLaunchFailure:
  case hipErrorECCNotCorrectable:
  case hipErrorIllegalAddress:
  case hipErrorLaunchTimeOut:
  case hipErrorContextIsDestroyed:
  case hipErrorAssert:
  case hipErrorLaunchFailure:
  case hipErrorUnknown:
  case hipErrorRuntimeMemory:
  case hipErrorRuntimeOther:
    throw HipDeviceLost(CONVOY_NO_DEVICE, "the HIP device was lost" + what);
  default:
    throw DeviceFailure(CONVOY_INVALID, "the HIP driver refused a call" + what);
  }
}

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

std::vector<hipDeviceProp_t> HipLibrary::getDevices() const {
  int count = 0;
  if (hipError_t error = hipGetDeviceCount(&count); !saysNoDevice(error))
    check(error, "hipGetDeviceCount");
  std::vector<hipDeviceProp_t> devices;
  for (int number = 0; number < count; ++number) {
    // Libraries of later versions may add members at the end.
    union {
      hipDeviceProp_t properties;
      std::byte room[sizeof(hipDeviceProp_t) + 4096];
    } device = {};
    check(hipGetDeviceProperties(&device.properties, number),
          "hipGetDeviceProperties");
    devices.push_back(device.properties);
  }
  return devices;
}

int HipLibrary::getVersion() const {
  int version = 0;
  check(hipRuntimeGetVersion(&version), "hipRuntimeGetVersion");
  // Major, two digits of minor, five of the patch.
  return version / 10000000 * 100 + version / 100000 % 100;
}
