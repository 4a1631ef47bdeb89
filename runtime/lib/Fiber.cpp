//===- Fiber.cpp - Functions that can be left and resumed -----------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fiber.h"

#include <boost/context/preallocated.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>

#include <memory>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#define CONVOY_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CONVOY_ADDRESS_SANITIZER
#endif
#endif
#ifdef CONVOY_ADDRESS_SANITIZER
#include <sanitizer/common_interface_defs.h>
#endif

using namespace convoy;
namespace context = boost::context;

Fiber::Fiber(std::function<void()> body) : body(std::move(body)) {
  context::protected_fixedsize_stack allocator(StackSize);
  stack = allocator.allocate();
  other = context::fiber(
      std::allocator_arg, context::preallocated(stack.sp, stack.size, stack),
      allocator,
      [this](context::fiber resumer) { return loop(std::move(resumer)); });
}

Fiber::~Fiber() {
  isEnding = true;
  resume();
}

context::fiber Fiber::loop(context::fiber resumer) {
  other = std::move(resumer);
  finishSwitch(nullptr, &resumerBottom, &resumerSize);
  while (!isEnding) {
    body();
    suspend();
  }
  startSwitch(nullptr, resumerBottom, resumerSize);
  return std::move(other);
}

void Fiber::resume() {
  void *fakeStack = nullptr;
  startSwitch(&fakeStack, static_cast<std::byte *>(stack.sp) - stack.size,
              stack.size);
  context::fiber next = std::move(other).resume();
  finishSwitch(fakeStack, nullptr, nullptr);
  other = std::move(next);
}

void Fiber::suspend() {
  void *fakeStack = nullptr;
  startSwitch(&fakeStack, resumerBottom, resumerSize);
  context::fiber next = std::move(other).resume();
  finishSwitch(fakeStack, &resumerBottom, &resumerSize);
  other = std::move(next);
}

#ifdef CONVOY_ADDRESS_SANITIZER
void Fiber::startSwitch(void **fakeStack, const void *bottom, size_t size) {
  __sanitizer_start_switch_fiber(fakeStack, bottom, size);
}

void Fiber::finishSwitch(void *fakeStack, const void **bottom, size_t *size) {
  __sanitizer_finish_switch_fiber(fakeStack, bottom, size);
}
#else
void Fiber::startSwitch(void **, const void *, size_t) {}
void Fiber::finishSwitch(void *, const void **, size_t *) {}
#endif
