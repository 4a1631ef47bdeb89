//===- Properties.h - Properties of devices as of HIP 6 ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_HIP_HIP6_PROPERTIES_H
#define CONVOY_TEST_HIP_HIP6_PROPERTIES_H

#include <hip/hip_runtime_api.h>

#ifndef hipGetDeviceProperties
/// In the order of HIP 6; what is not used is left out as bytes.
struct hipDeviceProp_tR0600 {
  char name[256];
  char uuid[16];
  char luid[8];
  unsigned int luidDeviceNodeMask;
  size_t totalGlobalMem;
  size_t sharedMemPerBlock;
  int regsPerBlock;
  int warpSize;
  size_t memPitch;
  int maxThreadsPerBlock;
  int maxThreadsDim[3];
  int maxGridSize[3];
  char others[776];
  char gcnArchName[256];
  char more[64];
};

#define hipDeviceProp_t hipDeviceProp_tR0600
#define hipGetDeviceProperties hipGetDevicePropertiesR0600
extern "C" __attribute__((visibility("default")))
hipError_t hipGetDeviceProperties(hipDeviceProp_t *properties, int number);
#endif

#endif // CONVOY_TEST_HIP_HIP6_PROPERTIES_H
