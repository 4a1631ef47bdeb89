//===- TileRegisters.cpp - Permission to use AMX ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/TileRegisters.h"

#if defined(__linux__) && defined(__x86_64__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

bool convoy::requestTileRegisters() {
#if defined(__linux__) && defined(__x86_64__)
  // ARCH_REQ_XCOMP_PERM of asm/prctl.h, which old headers lack, and the number
  // of the tiles' data in XCR0.
  constexpr int kRequestPermission = 0x1023, kTileData = 18;
  static const bool isGranted =
      syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
  return isGranted;
#else
  return false;
#endif
}
