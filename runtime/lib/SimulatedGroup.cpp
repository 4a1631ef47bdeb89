//===- SimulatedGroup.cpp - A workgroup, executed on the host -------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulatedGroup.h"

#include "convoy/Runtime/SimulatedKernel.h"

#include <algorithm>
#include <array>
#include <utility>

using namespace convoy;

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

using Caller = void (*)(const SimulatedLaunch &launch, int64_t item,
                        const Index3 &group, const Index3 &id,
                        void *const *pointers);

template <size_t>
using Pointer = void *;
template <size_t>
using Size = int64_t;

/// Calls a kernel with the sizes `S` and one pointer for each of `P`.
template <typename Sizes, typename Pointers>
struct KernelCall;
template <size_t... S, size_t... P>
struct KernelCall<std::index_sequence<S...>, std::index_sequence<P...>> {
  static void call(const SimulatedLaunch &launch, int64_t item,
                   const Index3 &group, const Index3 &id,
                   void *const *pointers) {
    auto kernel =
        reinterpret_cast<void (*)(int64_t, int64_t, int64_t, int64_t, int64_t,
                                  int64_t, int64_t, Size<S>..., Pointer<P>...)>(
            launch.function);
    kernel(item, group[0], group[1], group[2], id[0], id[1], id[2],
           launch.sizes[S]..., pointers[P]...);
  }
};

template <typename Sizes, size_t... Count>
static constexpr std::array<Caller, sizeof...(Count)>
makeCallers(std::index_sequence<Count...>) {
  return {KernelCall<Sizes, std::make_index_sequence<Count>>::call...};
}

using Counts = std::make_index_sequence<SimulatedLaunch::MaxBuffers + 1>;

/// Callers[s][n] calls a kernel of s sizes and n buffers.
static constexpr std::array Callers = {
    makeCallers<std::make_index_sequence<0>>(Counts()),
    makeCallers<std::make_index_sequence<1>>(Counts())};
static_assert(Callers.size() == SimulatedLaunch::MaxSizes + 1);

static SimulatedItem &getItem(int64_t item) {
  return *reinterpret_cast<SimulatedItem *>(item);
}

void convoy_simulated_barrier(int64_t item, int64_t barrier) {
  getItem(item).meetGroup(barrier);
}

int64_t convoy_simulated_read(int64_t item, int64_t buffer, int64_t element,
                              int64_t count) {
  return getItem(item).access(buffer, element, count, /*writes=*/false);
}

int64_t convoy_simulated_write(int64_t item, int64_t buffer, int64_t element,
                               int64_t count) {
  return getItem(item).access(buffer, element, count, /*writes=*/true);
}

void convoy_simulated_multiply(int64_t item, int64_t place, int64_t operation,
                               uint32_t *registers) {
  getItem(item).multiply(place, static_cast<uint64_t>(operation), registers);
}

//===----------------------------------------------------------------------===//
// Work-items
//===----------------------------------------------------------------------===//

SimulatedItem::SimulatedItem(SimulatedGroup &group, uint32_t number)
    : group(group), number(number),
      id(delinearize(number, group.launch.layout.size)),
      fiber([this] { run(); }) {}

void SimulatedItem::run() {
  Caller caller = Callers[group.launch.sizes.size()][group.pointers.size()];
  caller(group.launch, reinterpret_cast<int64_t>(this), group.id, id,
         group.pointers.data());
  state = State::Ended;
}

void SimulatedItem::meet(State where, int64_t here) {
  if (group.isDiverged)
    return;
  state = where;
  place = {.isOfWave = where == State::InWave, .number = here};
  fiber.suspend();
}

void SimulatedItem::multiply(int64_t here, uint64_t itsOperation,
                             uint32_t *itsRegisters) {
  operation = itsOperation;
  registers = itsRegisters;
  meet(State::InWave, here);
}

bool SimulatedItem::access(uint64_t number, int64_t element, int64_t count,
                           bool writes) {
  // What comes after work-items that did not meet tells nothing.
  if (group.isDiverged)
    return false;
  const SimulatedBuffer &buffer = group.buffers[number];
  auto elements = static_cast<int64_t>(buffer.elements);
  if (element < 0 || element > elements - count) {
    int64_t first = element < 0 ? element : std::max(element, elements);
    group.launch.faults.add({.kind = SimulatedFault::Kind::OutOfBounds,
                             .group = group.number,
                             .item = this->number,
                             .buffer = number,
                             .element = first,
                             .writes = writes});
    return false;
  }
  Accessor accessor = {group.number, group.interval,
                       static_cast<uint16_t>(this->number)};
  for (int64_t step = 0; step < count; ++step) {
    size_t cell = buffer.firstCell + (element + step) * buffer.cellsOfElement;
    for (size_t part = 0; part < buffer.cellsOfElement; ++part) {
      std::optional<AccessFault> fault =
          writes ? buffer.shadow->write(cell + part, accessor)
                 : buffer.shadow->read(cell + part, accessor);
      if (fault)
        group.note(*this, number, element + step, writes, *fault);
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Workgroups
//===----------------------------------------------------------------------===//

SimulatedGroup::SimulatedGroup(const SimulatedLaunch &launch)
    : launch(launch), buffers(launch.buffers) {
  addBuffers();
  for (uint32_t item = 0; item < launch.layout.countItems(); ++item)
    items.push_back(std::make_unique<SimulatedItem>(*this, item));
}

void SimulatedGroup::addBuffers() {
  constexpr size_t Alignment = 64;
  std::vector<size_t> offsets;
  size_t size = 0;
  for (const SimulatedLayout::Buffer &buffer : launch.layout.workgroupBuffers) {
    offsets.push_back(size);
    size += (buffer.bytes() + Alignment - 1) / Alignment * Alignment;
  }
  memory.resize(size + Alignment);
  size_t start = -reinterpret_cast<uintptr_t>(memory.data()) % Alignment;
  for (size_t place = 0; place < offsets.size(); ++place) {
    size_t elements = launch.layout.workgroupBuffers[place].elements;
    if (launch.layout.isChecked)
      shadows.push_back(
          std::make_unique<MemoryShadow>(elements, /*isWorkgroups=*/true));
    buffers.push_back(
        {memory.data() + start + offsets[place], elements,
         launch.layout.isChecked ? shadows.back().get() : nullptr});
  }
  for (const SimulatedBuffer &buffer : buffers)
    pointers.push_back(buffer.data);
}

void SimulatedGroup::run(uint32_t group) {
  number = group;
  id = delinearize(group, launch.grid);
  interval = 0;
  isDiverged = false;
  // Memory that nobody wrote holds anything: here NaNs, and -1 as an integer.
  std::fill(memory.begin(), memory.end(), std::byte(0xff));
  for (const auto &item : items)
    item->state = State::Ready;
  do {
    for (size_t first = 0; first < items.size(); first += launch.waveSize)
      runWave(Items(items).subspan(
          first, std::min<size_t>(launch.waveSize, items.size() - first)));
    ++interval;
  } while (meet(items, State::InGroup));
}

void SimulatedGroup::runWave(Items wave) {
  for (;;) {
    for (const auto &item : wave)
      if (item->state == State::Ready)
        item->fiber.resume();
    if (!meet(wave, State::InWave))
      return;
    multiply(wave);
  }
}

void SimulatedGroup::multiply(Items wave) {
  std::vector<uint32_t *> registers;
  for (const auto &item : wave)
    registers.push_back(item->registers);
  const MatrixUnit &unit = launch.units[wave.front()->operation];
  std::optional<ReplicaFault> fault = unit.multiply(registers);
  if (!fault)
    return;
  const SimulatedItem &item = *wave[fault->lane];
  launch.faults.add({.kind = SimulatedFault::Kind::Replica,
                     .group = number,
                     .item = item.number,
                     .other = wave[fault->other]->number,
                     .place = item.place,
                     .matrix = fault->matrix});
}

bool SimulatedGroup::meet(Items some, State state) {
  auto waits = [state](const auto &item) { return item->state == state; };
  auto first = std::find_if(some.begin(), some.end(), waits);
  if (first == some.end())
    return false;
  for (const auto &item : some)
    if (!waits(item) || item->place != (*first)->place) {
      diverge(**first, *item);
      return false;
    }
  for (const auto &item : some)
    item->state = State::Ready;
  return true;
}

void SimulatedGroup::diverge(const SimulatedItem &waiting,
                             const SimulatedItem &other) {
  SimulatedFault fault = {.kind = SimulatedFault::Kind::Divergence,
                          .group = number,
                          .item = waiting.number,
                          .other = other.number,
                          .place = waiting.place};
  if (other.state != State::Ended)
    fault.otherPlace = other.place;
  launch.faults.add(fault);
  isDiverged = true;
  for (const auto &item : items)
    if (item->state != State::Ended)
      item->fiber.resume();
}

void SimulatedGroup::note(const SimulatedItem &item, uint64_t buffer,
                          int64_t element, bool writes,
                          const AccessFault &access) {
  using Kind = SimulatedFault::Kind;
  SimulatedFault fault = {.kind = Kind::Race,
                          .group = number,
                          .item = item.number,
                          .buffer = buffer,
                          .element = element,
                          .writes = writes,
                          .other = access.other,
                          .otherWrites = access.otherWrites};
  if (access.kind == AccessFault::Kind::GroupRace)
    fault.kind = Kind::GroupRace;
  else if (access.kind == AccessFault::Kind::Unwritten)
    fault.kind = Kind::Unwritten;
  launch.faults.add(fault);
}
