//===- SimulatedFaults.cpp - What is wrong with simulated kernels ---------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulatedFaults.h"

using namespace convoy;
using Kind = SimulatedFault::Kind;

Index3 convoy::delinearize(uint64_t number, const Index3 &sizes) {
  uint64_t rows = number / sizes[0];
  return {static_cast<uint32_t>(number % sizes[0]),
          static_cast<uint32_t>(rows % sizes[1]),
          static_cast<uint32_t>(rows / sizes[1])};
}

void SimulatedFaults::add(const SimulatedFault &fault) {
  std::lock_guard<std::mutex> lock(mutex);
  auto [place, isNew] = faults.try_emplace({fault.kind, fault.buffer}, fault);
  if (!isNew && fault.group < place->second.group)
    place->second = fault;
}

namespace {
/// Puts faults into words.
class Describer {
public:
  Describer(const SimulatedLayout &layout, const Index3 &grid)
      : layout(layout), grid(grid) {}

  std::string describe(const SimulatedFault &fault) const {
    switch (fault.kind) {
    case Kind::OutOfBounds:
      return describeItem(fault) + describeAccess(fault.writes) +
             describeElement(fault) + ", which has " +
             std::to_string(getBuffer(fault.buffer).elements);
    case Kind::Unwritten:
      return describeItem(fault) + describeAccess(fault.writes) +
             describeElement(fault) + ", which nobody wrote";
    case Kind::Race:
      return describeItem(fault) + describeAccess(fault.writes) +
             describeElement(fault) + ", and with no barrier between " +
             item(fault.other) + describeAccess(fault.otherWrites) + "it";
    case Kind::GroupRace:
      return describeItem(fault) + describeAccess(fault.writes) +
             describeElement(fault) + ", and in the same launch workgroup " +
             toString(delinearize(fault.other, grid)) +
             describeAccess(fault.otherWrites) + "it";
    case Kind::Divergence:
      return describeItem(fault) + " waits at " + toString(fault.place) +
             ", but " + item(fault.other) +
             (fault.otherPlace ? " waits at " + toString(*fault.otherPlace)
                               : " has ended");
    case Kind::Replica:
      return describeItem(fault) + " gives " + toString(fault.place) +
             " other elements of " + fault.matrix + " than " +
             item(fault.other) + ", expected the same";
    }
    return "";
  }

private:
  static std::string toString(const Index3 &index) {
    return '(' + std::to_string(index[0]) + ", " + std::to_string(index[1]) +
           ", " + std::to_string(index[2]) + ')';
  }
  static std::string toString(const SimulatedPlace &place) {
    return (place.isOfWave ? "matrix instruction " : "barrier ") +
           std::to_string(place.number);
  }
  static std::string describeAccess(bool writes) {
    return writes ? " writes " : " reads ";
  }
  std::string item(uint32_t number) const {
    return "work-item " + toString(delinearize(number, layout.size));
  }
  std::string describeItem(const SimulatedFault &fault) const {
    return item(fault.item) + " of workgroup " +
           toString(delinearize(fault.group, grid));
  }
  const SimulatedLayout::Buffer &getBuffer(uint64_t number) const {
    size_t count = layout.buffers.size();
    return number < count ? layout.buffers[number]
                          : layout.workgroupBuffers[number - count];
  }
  std::string describeElement(const SimulatedFault &fault) const {
    size_t count = layout.buffers.size();
    return "element " + std::to_string(fault.element) + " of " +
           (fault.buffer < count
                ? "buffer " + std::to_string(fault.buffer)
                : "workgroup buffer " + std::to_string(fault.buffer - count));
  }

  const SimulatedLayout &layout;
  const Index3 &grid;
};
} // namespace

std::string SimulatedFaults::describe(const std::string &name,
                                      const SimulatedLayout &layout,
                                      const Index3 &grid) const {
  std::string sentence = "kernel '" + name + "': ";
  const char *separator = "";
  for (const auto &entry : faults) {
    sentence += separator + Describer(layout, grid).describe(entry.second);
    separator = "; ";
  }
  return sentence;
}
