//===- DeviceTestFromC.c - The runtime from C -----------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/convoy_runtime.h"

/* Opens and closes the device `name`; returns the status of opening. */
int open_from_c(const char *name) {
  convoy_device *device = 0;
  int status = convoy_device_open(name, &device);
  convoy_device_close(device);
  return status;
}
