//===- SimulatedLaunch.cpp - Launches of simulated kernels ----------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchPieces.h"
#include "SimulatedGroup.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <thread>

using namespace convoy;

//===----------------------------------------------------------------------===//
// Shadows
//===----------------------------------------------------------------------===//

namespace {
/// Memory that buffers share: they may overlap.
struct Region {
  uintptr_t first, end;
  std::vector<size_t> buffers; ///< their numbers
  size_t cellBytes = 0;        ///< divides what all elements begin at
};
} // namespace

/// The memory of all buffers that have any, in parts that do not overlap.
static std::vector<Region> findRegions(const SimulatedLaunch &launch) {
  std::vector<Region> regions;
  for (size_t number = 0; number < launch.buffers.size(); ++number) {
    auto first = reinterpret_cast<uintptr_t>(launch.buffers[number].data);
    regions.push_back(
        {first, first + launch.layout.buffers[number].bytes(), {number}});
  }
  std::sort(regions.begin(), regions.end(),
            [](const Region &a, const Region &b) { return a.first < b.first; });
  std::vector<Region> merged;
  for (Region &region : regions) {
    if (merged.empty() || merged.back().end <= region.first) {
      merged.push_back(std::move(region));
      continue;
    }
    merged.back().end = std::max(merged.back().end, region.end);
    merged.back().buffers.push_back(region.buffers.front());
  }
  return merged;
}

/// Gives every buffer of `launch` a shadow, overlapping ones the same.
static std::vector<std::unique_ptr<MemoryShadow>>
addShadows(SimulatedLaunch &launch) {
  std::vector<std::unique_ptr<MemoryShadow>> shadows;
  for (Region &region : findRegions(launch)) {
    auto startOf = [&](size_t number) {
      return reinterpret_cast<uintptr_t>(launch.buffers[number].data) -
             region.first;
    };
    for (size_t number : region.buffers)
      region.cellBytes = std::gcd(std::gcd(region.cellBytes, startOf(number)),
                                  launch.layout.buffers[number].elementBytes);
    shadows.push_back(std::make_unique<MemoryShadow>(
        (region.end - region.first) / region.cellBytes,
        /*isWorkgroups=*/false));
    for (size_t number : region.buffers) {
      SimulatedBuffer &buffer = launch.buffers[number];
      buffer.shadow = shadows.back().get();
      buffer.firstCell = startOf(number) / region.cellBytes;
      buffer.cellsOfElement =
          launch.layout.buffers[number].elementBytes / region.cellBytes;
    }
  }
  return shadows;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// The number in `grid` of the workgroup `number` of `piece`.
static uint32_t getNumber(const LaunchPiece &piece, uint32_t number,
                          const Index3 &grid) {
  Index3 place = delinearize(number, piece.count);
  for (size_t dim = 0; dim < 3; ++dim)
    place[dim] += piece.first[dim];
  return place[0] + grid[0] * (place[1] + grid[1] * place[2]);
}

/// Executes the groups of `piece`.
static void runPiece(const SimulatedLaunch &launch, const LaunchPiece &piece,
                     std::span<const std::unique_ptr<SimulatedGroup>> workers) {
  auto count = static_cast<uint32_t>(piece.countGroups());
  std::atomic<uint32_t> next = 0;
  auto work = [&](SimulatedGroup &group) {
    for (uint32_t number = next++; number < count; number = next++)
      group.run(getNumber(piece, number, launch.grid));
  };
  std::vector<std::jthread> threads;
  for (size_t worker = 1; worker < std::min<size_t>(workers.size(), count);
       ++worker)
    threads.emplace_back([&, worker] { work(*workers[worker]); });
  work(*workers.front());
}

void convoy::runGroups(SimulatedLaunch &launch) {
  std::vector<std::unique_ptr<MemoryShadow>> shadows;
  if (launch.layout.isChecked)
    shadows = addShadows(launch);
  uint32_t count = launch.grid[0] * launch.grid[1] * launch.grid[2];
  uint32_t cores = std::max(std::thread::hardware_concurrency(), 1u);
  std::vector<std::unique_ptr<SimulatedGroup>> workers;
  for (uint32_t worker = 0; worker < std::min(cores, count); ++worker)
    workers.push_back(std::make_unique<SimulatedGroup>(launch));
  for (const LaunchPiece &piece : cutGrid(launch.grid, launch.mostGroups))
    runPiece(launch, piece, workers);
}
