//===- Interruption.h - Long work that may be given up ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_SUPPORT_INTERRUPTION_H
#define CONVOY_SUPPORT_INTERRUPTION_H

#include <chrono>
#include <functional>

namespace convoy {

/// While it is there, long work in this thread may be given up. The last one
/// that was made counts.
class Interruption {
public:
  /// `asks` whether it is, a few times a second, until it was told so.
  explicit Interruption(std::function<bool()> asks);
  ~Interruption();
  Interruption(const Interruption &) = delete;
  Interruption &operator=(const Interruption &) = delete;

  /// Whether work was given up. What it made is of no use then.
  bool isOver() const { return over; }

private:
  friend bool isInterrupted();
  bool ask();

  std::function<bool()> asks;
  std::chrono::steady_clock::time_point next;
  bool over = false;
  Interruption *outer;
};

/// Whether the work of this thread was given up: it then ends as soon as it
/// can, with any result or an error, at which nobody looks. Takes no longer
/// than to ask for the time.
bool isInterrupted();

} // namespace convoy

#endif // CONVOY_SUPPORT_INTERRUPTION_H
