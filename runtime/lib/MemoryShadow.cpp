//===- MemoryShadow.cpp - Who accessed memory, and when -------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryShadow.h"

using namespace convoy;
using Kind = AccessFault::Kind;

/// Keeps groups that run in other threads from a cell.
class MemoryShadow::Lock {
public:
  explicit Lock(Cell &cell) : cell(cell) {
    while (cell.isLocked.exchange(true, std::memory_order_acquire)) {
    }
  }
  ~Lock() { cell.isLocked.store(false, std::memory_order_release); }

private:
  Cell &cell;
};

std::optional<AccessFault>
MemoryShadow::findWriter(const Cell &cell, const Accessor &accessor) const {
  if (cell.writerGroup == 0)
    return std::nullopt;
  uint32_t group = cell.writerGroup - 1;
  if (group != accessor.group) {
    if (isWorkgroups)
      return std::nullopt;
    return AccessFault{Kind::GroupRace, true, group};
  }
  if (cell.writerInterval != accessor.interval || cell.writer == accessor.item)
    return std::nullopt;
  return AccessFault{Kind::Race, true, cell.writer};
}

std::optional<AccessFault>
MemoryShadow::findReader(const Cell &cell, const Accessor &accessor) const {
  if (cell.readerGroups[0] == accessor.group + 1 &&
      cell.readerInterval == accessor.interval)
    for (uint16_t reader : cell.readers)
      if (reader != accessor.item)
        return AccessFault{Kind::Race, false, reader};
  if (isWorkgroups)
    return std::nullopt;
  for (uint32_t group : cell.readerGroups)
    if (group != 0 && group != accessor.group + 1)
      return AccessFault{Kind::GroupRace, false, group - 1};
  return std::nullopt;
}

/// Puts `newest` in front of the last two values that differ.
template <typename T>
static void remember(std::array<T, 2> &lastTwo, T newest) {
  if (lastTwo[0] != newest)
    lastTwo = {newest, lastTwo[0]};
}

std::optional<AccessFault> MemoryShadow::read(size_t place,
                                              const Accessor &accessor) {
  Cell &cell = cells[place];
  Lock lock(cell);
  std::optional<AccessFault> fault = findWriter(cell, accessor);
  uint32_t group = accessor.group + 1;
  if (isWorkgroups && cell.writerGroup != group)
    fault = {Kind::Unwritten, false, 0};
  if (cell.readerGroups[0] != group || cell.readerInterval != accessor.interval)
    cell.readers = {accessor.item, accessor.item};
  remember(cell.readers, accessor.item);
  remember(cell.readerGroups, group);
  cell.readerInterval = accessor.interval;
  return fault;
}

std::optional<AccessFault> MemoryShadow::write(size_t place,
                                               const Accessor &accessor) {
  Cell &cell = cells[place];
  Lock lock(cell);
  std::optional<AccessFault> fault = findWriter(cell, accessor);
  if (!fault)
    fault = findReader(cell, accessor);
  cell.writer = accessor.item;
  cell.writerGroup = accessor.group + 1;
  cell.writerInterval = accessor.interval;
  return fault;
}
