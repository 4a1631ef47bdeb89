//===- HipDevice.cpp - Devices that HIP drives ----------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HipDevice.h"

#include "convoy/Support/RocmChip.h"

using namespace convoy;

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

/// The chip's name: `gfx942` of `gfx942:sramecc+:xnack-`.
static std::string getChipName(const hipDeviceProp_t &properties) {
  std::string name = properties.gcnArchName;
  return name.substr(0, name.find(':'));
}

static DeviceCandidate describe(const hipDeviceProp_t &properties) {
  std::string chip = getChipName(properties);
  DeviceCandidate candidate;
  candidate.name = std::string(properties.name) + " (" + chip + ")";
  if (!getRocmChip(chip))
    candidate.fault =
        "it is " + chip + ", expected " + std::string(getRocmChipNames());
  return candidate;
}

HipDevice::HipDevice(const std::string &choice) {
  std::vector<hipDeviceProp_t> devices = hip.getDevices();
  std::vector<DeviceCandidate> candidates;
  for (const hipDeviceProp_t &device : devices)
    candidates.push_back(describe(device));
  size_t picked = pickDevice("HIP", candidates, choice);
  number = int(picked);
  properties = devices[picked];
  name = candidates[picked].name;
  chip = getRocmChip(getChipName(properties));
  open();
}

void HipDevice::open() {
  get();
  hipStream_t newStream = nullptr;
  hip.check(hip.hipStreamCreateWithFlags(&newStream, hipStreamNonBlocking),
            "hipStreamCreateWithFlags");
  stream = {newStream, hip.hipStreamDestroy};
  for (HipOwner<ihipEvent_t> *event : {&start, &stop}) {
    hipEvent_t newEvent = nullptr;
    hip.check(hip.hipEventCreate(&newEvent), "hipEventCreate");
    *event = {newEvent, hip.hipEventDestroy};
  }
}

int HipDevice::recover() {
  if (!lost)
    return CONVOY_OK;
  if (children != 0)
    return fail(CONVOY_NO_DEVICE,
                "the HIP device was lost: it is opened anew when its buffers "
                "and modules are released");
  return HipLibrary::guarded([&] {
    start.reset();
    stop.reset();
    stream.reset();
    // Errors of kernels stay for all calls until this.
    (void)hip.hipSetDevice(number);
    hip.check(hip.hipDeviceReset(), "hipDeviceReset");
    open();
    lost = false;
  });
}

const HipLibrary &HipDevice::get() const {
  hip.check(hip.hipSetDevice(number), "hipSetDevice");
  return hip;
}

int convoy::openHipDevice(std::string_view choice, convoy_device **device) {
  return HipLibrary::guarded(
      [&] { *device = new HipDevice(std::string(choice)); });
}

//===----------------------------------------------------------------------===//
// Making buffers and modules
//===----------------------------------------------------------------------===//

convoy_arithmetic HipDevice::arithmetic() const {
  // Matrix instructions of MI200 take subnormals of 16 bits for zeros.
  return {/*rounds_to_nearest=*/1,
          /*flushes_subnormals=*/chip->name == "gfx90a"};
}

int HipDevice::createBuffer(size_t size, convoy_buffer **buffer) {
  if (int status = recover())
    return status;
  return guarded(
      [&](const HipLibrary &) { *buffer = new HipBuffer(*this, size); });
}

int HipDevice::loadImage(std::span<const std::byte> image,
                         convoy_module **module) {
  std::string error;
  std::optional<CodeObject> object = CodeObject::read(image, error);
  if (!object)
    return fail(CONVOY_INVALID, "cannot load the module: " + error);
  if (int status = recover())
    return status;
  return guarded([&](const HipLibrary &) {
    *module = new HipModule(*this, std::move(*object), image);
  });
}

int HipDevice::fromFunctions(std::span<const convoy_function>,
                             convoy_module **) {
  return fail(CONVOY_INVALID,
              "a HIP device cannot run functions of this process");
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

void HipDevice::wait() const {
  hip.check(hip.hipStreamSynchronize(stream.get()), "hipStreamSynchronize");
}

void HipDevice::runSteps(std::span<const convoy_step> steps) {
  auto getKernel = [](const convoy_step &step) -> const HipKernel & {
    return *static_cast<const HipKernel *>(step.kernel);
  };
  for (const convoy_step &step : steps)
    getKernel(step).check(step.launch);
  hip.check(hip.hipEventRecord(start.get(), stream.get()), "hipEventRecord");
  for (const convoy_step &step : steps)
    getKernel(step).run(hip, step.launch);
  hip.check(hip.hipEventRecord(stop.get(), stream.get()), "hipEventRecord");
  wait();
  float milliseconds = 0;
  hip.check(hip.hipEventElapsedTime(&milliseconds, start.get(), stop.get()),
            "hipEventElapsedTime");
  lastSeconds = 1e-3 * milliseconds;
}

int HipDevice::run(std::span<const convoy_step> steps) {
  return guarded([&](const HipLibrary &) {
    if (!steps.empty())
      runSteps(steps);
  });
}
