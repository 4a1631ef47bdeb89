//===- Fiber.h - Functions that can be left and resumed ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_LIB_FIBER_H
#define CONVOY_RUNTIME_LIB_FIBER_H

#include <boost/context/fiber.hpp>
#include <boost/context/stack_context.hpp>

#include <cstddef>
#include <functional>

namespace convoy {

/// A function with a stack of its own, which a guard page ends. It is called
/// again whenever it is resumed after its end.
class Fiber {
public:
  static constexpr size_t StackSize = 128 * 1024;

  /// Throws std::bad_alloc where there is no memory for the stack.
  explicit Fiber(std::function<void()> body);
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;
  /// The function is not suspended: it has ended, or never begun.
  ~Fiber();

  /// Runs the function until it suspends itself or ends.
  void resume();
  /// Goes back to where the function was resumed; called within it.
  void suspend();

private:
  boost::context::fiber loop(boost::context::fiber resumer);

  /// Tell AddressSanitizer, where it is on, of each switch.
  void startSwitch(void **fakeStack, const void *bottom, size_t size);
  void finishSwitch(void *fakeStack, const void **bottom, size_t *size);

  std::function<void()> body;
  boost::context::stack_context stack;
  /// Where to go on: in the fiber while it does not run, else out of it.
  boost::context::fiber other;
  bool isEnding = false;
  /// The resumer's stack, as AddressSanitizer knows it.
  const void *resumerBottom = nullptr;
  size_t resumerSize = 0;
};

} // namespace convoy

#endif // CONVOY_RUNTIME_LIB_FIBER_H
