//===- OtherProperties.cpp - Properties by the other name -----------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// HIP 6 and later have two functions for properties of devices, one for each
// structure. Calls.cpp has that of the installed headers, this file the other
// one.
//
//===----------------------------------------------------------------------===//

#include "StandIn.h"

#ifdef hipGetDeviceProperties
// The old structure, which no caller has: bytes that are no text.
#undef hipGetDeviceProperties

extern "C" __attribute__((visibility("default"))) hipError_t
hipGetDeviceProperties(void *properties, int) {
  constexpr size_t OldSize = 792;
  std::memset(properties, 0xee, OldSize);
  return hipSuccess;
}
#else
#include "HIP6/Properties.h"

using namespace convoy::standin;

hipError_t hipGetDeviceProperties(hipDeviceProp_t *properties, int number) {
  return describeDevice(*properties, "hipGetDevicePropertiesR0600", number);
}
#endif
