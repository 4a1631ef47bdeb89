//===- Interruption.cpp - Long work that may be given up ------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/Interruption.h"

#include <utility>

namespace convoy {

static constexpr std::chrono::milliseconds kPause(50);

static thread_local Interruption *current = nullptr;

Interruption::Interruption(std::function<bool()> asks)
    : asks(std::move(asks)), next(std::chrono::steady_clock::now() + kPause),
      outer(std::exchange(current, this)) {}

Interruption::~Interruption() { current = outer; }

bool Interruption::ask() {
  auto now = std::chrono::steady_clock::now();
  if (over || now < next)
    return over;
  over = asks();
  next = now + kPause;
  return over;
}

bool isInterrupted() { return current && current->ask(); }

} // namespace convoy
