//===- LaunchPieces.h - Launches that run in pieces -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A device that works on one launch for too long may be reset by the system:
// some workgroups run, and then others.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_LIB_LAUNCHPIECES_H
#define CONVOY_RUNTIME_LIB_LAUNCHPIECES_H

#include "SimulatedFaults.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace convoy {

/// Workgroups of a launch that run together.
struct LaunchPiece {
  Index3 first, count;

  uint64_t countGroups() const {
    return uint64_t(count[0]) * count[1] * count[2];
  }
};

/// Cuts `grid` into pieces of at most `most` workgroups, unless that is 0, as
/// far out as possible: along z, or where one layer has too many along y, or
/// else along x. Those along one dimension are about as large as each other.
std::vector<LaunchPiece> cutGrid(const Index3 &grid, uint32_t most);

/// The less of two numbers of workgroups, of which 0 stands for any.
uint32_t getFewerGroups(uint32_t one, uint32_t other);

/// How many workgroups CONVOY_VULKAN_GROUPS lets run together; 0: any number.
/// Nothing, and one sentence in `error`, where it is no number.
std::optional<uint32_t> readMostGroups(std::string &error);

} // namespace convoy

#endif // CONVOY_RUNTIME_LIB_LAUNCHPIECES_H
