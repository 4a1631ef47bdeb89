//===- LaunchPieces.cpp - Launches that run in pieces ---------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchPieces.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

using namespace convoy;

static uint32_t divideCeil(uint32_t number, uint32_t divisor) {
  return number / divisor + (number % divisor != 0);
}

std::vector<LaunchPiece> convoy::cutGrid(const Index3 &grid, uint32_t most) {
  LaunchPiece all = {{0, 0, 0}, grid};
  if (most == 0 || all.countGroups() <= most)
    return {all};
  // The dimension that is cut: what is inside it fits, and it is cut at every
  // step of those outside.
  size_t dim = 0;
  uint64_t inside = 1;
  while (inside * grid[dim] <= most)
    inside *= grid[dim++];
  auto fitting = static_cast<uint32_t>(most / inside);
  uint32_t length = divideCeil(grid[dim], divideCeil(grid[dim], fitting));
  Index3 steps = {1, 1, 1};
  std::copy_n(grid.begin(), dim, steps.begin());
  steps[dim] = length;
  std::vector<LaunchPiece> pieces;
  for (uint64_t z = 0; z < grid[2]; z += steps[2])
    for (uint64_t y = 0; y < grid[1]; y += steps[1])
      for (uint64_t x = 0; x < grid[0]; x += steps[0]) {
        LaunchPiece &piece = pieces.emplace_back();
        piece.first = {uint32_t(x), uint32_t(y), uint32_t(z)};
        for (size_t each = 0; each < 3; ++each)
          piece.count[each] =
              std::min(steps[each], grid[each] - piece.first[each]);
      }
  return pieces;
}

uint32_t convoy::getFewerGroups(uint32_t one, uint32_t other) {
  return one == 0 || other == 0 ? std::max(one, other) : std::min(one, other);
}

std::optional<uint32_t> convoy::readMostGroups(std::string &error) {
  const char *variable = std::getenv("CONVOY_VULKAN_GROUPS");
  std::string value = variable ? variable : "";
  if (value.empty())
    return 0;
  uint32_t groups = 0;
  const char *end = value.data() + value.size();
  auto result = std::from_chars(value.data(), end, groups);
  if (result.ec == std::errc() && result.ptr == end && groups > 0)
    return groups;
  error = "expected a positive number of workgroups for CONVOY_VULKAN_GROUPS, "
          "but got '" +
          value + "'";
  return std::nullopt;
}
