//===- MemoryShadow.h - Who accessed memory, and when -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Remembers of each cell of a memory who wrote it last and who read it, so that
// two accesses are noticed that nothing orders: of work-items of a group
// between two barriers, and of different groups at any time of a launch.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_LIB_MEMORYSHADOW_H
#define CONVOY_RUNTIME_LIB_MEMORYSHADOW_H

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace convoy {

/// Who accesses memory: a work-item of a group, between two barriers. Numbers
/// of groups are below 2^32 - 2.
struct Accessor {
  uint32_t group, interval;
  uint16_t item;
};

/// What is wrong with an access.
struct AccessFault {
  enum class Kind {
    Race,      ///< with another work-item of the group
    GroupRace, ///< with another group
    Unwritten, ///< nobody of the group has written it
  };
  Kind kind;
  bool otherWrites; ///< of a race; else it reads
  uint32_t other;   ///< the other work-item or group of a race
};

class MemoryShadow {
public:
  /// `isWorkgroups`: the memory of one group after the other, each of which
  /// finds nothing there; else memory that all groups share. Throws
  /// std::bad_alloc.
  MemoryShadow(size_t count, bool isWorkgroups)
      : isWorkgroups(isWorkgroups), cells(new Cell[count]()) {}

  std::optional<AccessFault> read(size_t place, const Accessor &accessor);
  std::optional<AccessFault> write(size_t place, const Accessor &accessor);

private:
  /// Groups are stored as their number plus 1, so that 0 is none. Of the
  /// work-items and groups that read, the last two that differ are kept, or
  /// twice the only one: one of them is another than any that writes, if there
  /// is such a one.
  struct Cell {
    std::atomic<bool> isLocked;
    uint16_t writer;
    uint32_t writerGroup, writerInterval;
    std::array<uint16_t, 2> readers; ///< of the interval
    std::array<uint32_t, 2> readerGroups;
    uint32_t readerInterval; ///< of the last group that read
  };

  class Lock;

  std::optional<AccessFault> findWriter(const Cell &cell,
                                        const Accessor &accessor) const;
  std::optional<AccessFault> findReader(const Cell &cell,
                                        const Accessor &accessor) const;

  bool isWorkgroups;
  std::unique_ptr<Cell[]> cells;
};

} // namespace convoy

#endif // CONVOY_RUNTIME_LIB_MEMORYSHADOW_H
