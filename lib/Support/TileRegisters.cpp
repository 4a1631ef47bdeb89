//===- TileRegisters.cpp - Permission to use AMX ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/TileRegisters.h"

#if defined(__linux__) && defined(__x86_64__)
#include <unistd.h>
#endif

bool convoy::requestTileRegisters() {
#if defined(__linux__) && defined(__x86_64__)
  static const bool isGranted =
      syscall(kArchPrctl, kRequestPermission, kTileData) == 0;
  return isGranted;
#else
  return false;
#endif
}
