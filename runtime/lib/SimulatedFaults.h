//===- SimulatedFaults.h - What is wrong with simulated kernels -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_LIB_SIMULATEDFAULTS_H
#define CONVOY_RUNTIME_LIB_SIMULATEDFAULTS_H

#include "MatrixInstruction.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace convoy {

/// Sizes along x, y and z; or numbers along them, of which that along x runs
/// fastest.
using Index3 = std::array<uint32_t, 3>;

/// The number that `number` is along x, y and z.
Index3 delinearize(uint64_t number, const Index3 &sizes);

/// What the host knows of a kernel beside its code.
struct SimulatedLayout {
  struct Buffer {
    /// What stands for a number of elements that a launch decides.
    static constexpr size_t Dynamic = ~size_t(0);

    size_t elements, elementBytes;

    size_t bytes() const { return elements * elementBytes; }
  };

  bool isChecked = false; ///< it asks before each access
  Index3 size = {};       ///< of a workgroup
  size_t sizes = 0;       ///< that it takes
  std::vector<Buffer> buffers, workgroupBuffers;
  std::vector<MatrixOperation> operations;

  uint64_t countItems() const { return uint64_t(size[0]) * size[1] * size[2]; }
};

/// Where work-items meet.
struct SimulatedPlace {
  bool isOfWave; ///< at a matrix instruction, else at a barrier
  int64_t number;

  bool operator==(const SimulatedPlace &) const = default;
};

struct SimulatedFault {
  enum class Kind {
    OutOfBounds, ///< access to an element that the buffer lacks
    Unwritten,   ///< read of an element that nobody of the group wrote
    Race,        ///< of two work-items of a group, with no barrier between
    GroupRace,   ///< of two groups
    Divergence,  ///< some wait where others do not come
    Replica,     ///< of elements that two work-items must have the same
  };
  Kind kind;
  uint32_t group, item; ///< the group and the work-item that is at fault
  uint64_t buffer = 0;  ///< workgroup buffers are counted after the others
  int64_t element = 0;
  bool writes = false;
  /// The other group or work-item, and whether it writes.
  uint32_t other = 0;
  bool otherWrites = false;
  /// Where the work-items wait that do not meet. The other one, if it waits; a
  /// work-item that does not has ended.
  SimulatedPlace place = {};
  std::optional<SimulatedPlace> otherPlace = std::nullopt;
  char matrix = 0; ///< that of the replicas
};

/// Collects the faults of a launch: of each kind and buffer the first one of
/// the first group that has any.
class SimulatedFaults {
public:
  /// May be called by several threads.
  void add(const SimulatedFault &fault);
  bool empty() const { return faults.empty(); }

  /// One line for all faults of the kernel `name`.
  std::string describe(const std::string &name, const SimulatedLayout &layout,
                       const Index3 &grid) const;

private:
  std::mutex mutex;
  std::map<std::pair<SimulatedFault::Kind, uint64_t>, SimulatedFault> faults;
};

} // namespace convoy

#endif // CONVOY_RUNTIME_LIB_SIMULATEDFAULTS_H
