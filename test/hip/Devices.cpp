//===- Devices.cpp - Devices of the stand-in for HIP ----------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StandIn.h"

#include "convoy/Support/RocmChip.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace convoy;
using namespace convoy::standin;

/// Addresses of devices are far from any of the host, and from one another's.
static constexpr uintptr_t FirstAddress = uintptr_t(1) << 60;
static constexpr uintptr_t DeviceAddresses = uintptr_t(1) << 52;
/// As HIP aligns memory.
static constexpr size_t Alignment = 4096;

StandInDevice::StandInDevice(int number, std::string chip)
    : number(number), chip(std::move(chip)),
      nextAddress(FirstAddress + number * DeviceAddresses),
      free(std::stoull(readVariable("MEMORY", "4294967296"))) {
  // A chip that is not known can be listed, and no more.
  (void)Device::open("rocm-sim:" + this->chip, simulator);
}

void *StandInDevice::allocate(size_t size) {
  Allocation allocation = {Buffer(), size};
  if (size == 0 || size > free ||
      !simulator.createBuffer(size, allocation.buffer).ok())
    return nullptr;
  free -= size;
  uintptr_t address = nextAddress;
  // Between allocations there is nothing.
  nextAddress += llvm::alignTo(size, Alignment) + Alignment;
  allocations.emplace(address, std::move(allocation));
  return reinterpret_cast<void *>(address);
}

bool StandInDevice::release(void *address) {
  auto found = allocations.find(reinterpret_cast<uintptr_t>(address));
  if (found == allocations.end())
    return false;
  free += found->second.size;
  allocations.erase(found);
  return true;
}

Place StandInDevice::find(const void *address) {
  auto wanted = reinterpret_cast<uintptr_t>(address);
  auto after = allocations.upper_bound(wanted);
  if (after == allocations.begin())
    return {};
  auto &[start, allocation] = *std::prev(after);
  size_t offset = wanted - start;
  if (offset > allocation.size)
    return {};
  return {&allocation.buffer, offset, allocation.size - offset};
}

//===----------------------------------------------------------------------===//
// All devices
//===----------------------------------------------------------------------===//

std::deque<StandInDevice> &standin::getDevices() {
  static std::deque<StandInDevice> devices = [] {
    std::deque<StandInDevice> made;
    llvm::SmallVector<llvm::StringRef> chips;
    std::string names = readVariable("DEVICES", "gfx942");
    llvm::SplitString(names, chips, ",");
    for (llvm::StringRef chip : chips)
      made.emplace_back(int(made.size()), chip.str());
    return made;
  }();
  return devices;
}

static thread_local int currentDevice = 0;

StandInDevice &standin::getCurrentDevice() {
  return getDevices()[size_t(currentDevice)];
}

bool standin::setCurrentDevice(int number) {
  if (number < 0 || size_t(number) >= getDevices().size())
    return false;
  currentDevice = number;
  return true;
}

hipError_t ihipStream_t::run() {
  while (!waiting.empty()) {
    hipError_t error = waiting.front()();
    waiting.pop_front();
    if (error == hipSuccess)
      continue;
    waiting.clear();
    return device.lost = error;
  }
  return hipSuccess;
}
