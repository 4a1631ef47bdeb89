//===- SimulatedGroup.h - A workgroup, executed on the host -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_LIB_SIMULATEDGROUP_H
#define CONVOY_RUNTIME_LIB_SIMULATEDGROUP_H

#include "Fiber.h"
#include "MatrixUnit.h"
#include "MemoryShadow.h"
#include "SimulatedFaults.h"

#include <memory>
#include <span>
#include <vector>

namespace convoy {

/// A buffer as work-items see it.
struct SimulatedBuffer {
  void *data;
  size_t elements;
  /// The cells of its elements, from `firstCell` on; null where the kernel is
  /// not checked.
  MemoryShadow *shadow = nullptr;
  size_t firstCell = 0, cellsOfElement = 1;
};

/// What all groups of a launch have in common.
struct SimulatedLaunch {
  /// The most buffers that a kernel has, workgroup buffers included.
  static constexpr size_t MaxBuffers = 16;
  static constexpr size_t MaxSizes = 1;

  void *function;
  SimulatedLayout layout; ///< of this launch: no buffer is dynamic
  std::vector<int64_t> sizes;
  Index3 grid;
  uint32_t mostGroups; ///< that run together; 0: all
  uint32_t waveSize;
  std::span<const MatrixUnit> units; ///< of the kernel's matrix operations
  std::vector<SimulatedBuffer> buffers = {};
  SimulatedFaults &faults; ///< are added here
};

class SimulatedGroup;

/// A work-item, whose address the kernel has as a number.
class SimulatedItem {
public:
  SimulatedItem(SimulatedGroup &group, uint32_t number);

  /// Returns when all items of the workgroup have come to this barrier, or
  /// cannot do so any more.
  void meetGroup(int64_t barrier) { meet(State::InGroup, barrier); }
  /// The same of the wave, whose registers the kernel's matrix operation
  /// `operation` then changes.
  void multiply(int64_t place, uint64_t operation, uint32_t *registers);
  /// Whether the buffer has all these elements.
  bool access(uint64_t buffer, int64_t element, int64_t count, bool writes);

  uint32_t getNumber() const { return number; }

private:
  friend class SimulatedGroup;
  enum class State { Ready, InWave, InGroup, Ended };

  void meet(State where, int64_t place);
  void run();

  SimulatedGroup &group;
  uint32_t number;
  Index3 id;
  State state = State::Ended;
  SimulatedPlace place = {}; ///< where it waits
  uint64_t operation = 0;    ///< what it waits for, and its registers
  uint32_t *registers = nullptr;
  Fiber fiber;
};

/// Executes one workgroup after the other, each work-item in a fiber.
class SimulatedGroup {
public:
  /// Throws std::bad_alloc.
  explicit SimulatedGroup(const SimulatedLaunch &launch);

  /// Executes the workgroup with this number of the launch.
  void run(uint32_t number);

private:
  friend class SimulatedItem;
  using State = SimulatedItem::State;
  using Items = std::span<const std::unique_ptr<SimulatedItem>>;

  void addBuffers();
  /// Runs the items of a wave until each has ended or waits for other waves.
  void runWave(Items wave);
  /// Executes the matrix operation for which all items of a wave have met.
  void multiply(Items wave);
  /// Whether all `items` wait at one place. Where only some wait as `state`
  /// says, or at different places, reports that: they never meet.
  bool meet(Items items, State state);
  /// Notes that the work-items do not meet, and lets them run to their ends.
  void diverge(const SimulatedItem &waiting, const SimulatedItem &other);
  void note(const SimulatedItem &item, uint64_t buffer, int64_t element,
            bool writes, const AccessFault &fault);

  const SimulatedLaunch &launch;
  std::vector<std::byte> memory; ///< of the workgroup
  std::vector<std::unique_ptr<MemoryShadow>> shadows;
  std::vector<SimulatedBuffer> buffers;
  std::vector<void *> pointers;
  std::vector<std::unique_ptr<SimulatedItem>> items;
  uint32_t number = 0;
  Index3 id = {};
  uint32_t interval = 0; ///< barriers that all have passed
  bool isDiverged = false;
};

/// Executes all groups of `launch`, on all cores. Throws std::bad_alloc.
void runGroups(SimulatedLaunch &launch);

} // namespace convoy

#endif // CONVOY_RUNTIME_LIB_SIMULATEDGROUP_H
