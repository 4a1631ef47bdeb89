//===- TileRegisters.h - Permission to use AMX ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_SUPPORT_TILEREGISTERS_H
#define CONVOY_SUPPORT_TILEREGISTERS_H

namespace convoy {

/// The call by which a process asks Linux for AMX's tiles, from its headers:
/// arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILE_DATA) of x86-64.
inline constexpr int kArchPrctl = 158, kRequestPermission = 0x1023,
                     kTileData = 18;

/// Asks the system to let this process, and threads that it starts from now on,
/// use AMX's tiles, which Linux forbids until then, since they make each
/// thread's state 8 KiB larger: "Dynamically enabled XSTATE features" in the
/// kernel's documentation. Returns whether it may use them; asking again does
/// nothing.
bool requestTileRegisters();

} // namespace convoy

#endif // CONVOY_SUPPORT_TILEREGISTERS_H
