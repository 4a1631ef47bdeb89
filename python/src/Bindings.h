//===- Bindings.h - What bindings are made with -----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_PYTHON_SRC_BINDINGS_H
#define CONVOY_PYTHON_SRC_BINDINGS_H

#include "convoy/Support/Interruption.h"

#include <nanobind/nanobind.h>

#include "llvm/ADT/ScopeExit.h"

#include <new>
#include <type_traits>
#include <utility>

namespace convoy::python {

/// Runs the handlers of signals that came, if this is the thread for it;
/// whether one raised, as that of Ctrl-C does.
inline bool raisesSignal() {
  nanobind::gil_scoped_acquire acquired;
  return PyErr_CheckSignals() != 0;
}

/// Calls `work` while other threads of Python run. Where the handler of a
/// signal raises meanwhile, long work is given up, and the exception is thrown.
template <typename Work>
auto withoutLock(Work work) {
  bool isOver = false;
  auto run = [&] {
    nanobind::gil_scoped_release released;
    Interruption interruption(raisesSignal);
    auto note = llvm::scope_exit([&] { isOver = interruption.isOver(); });
    return work();
  };
  try {
    if constexpr (std::is_void_v<decltype(work())>) {
      run();
      if (!isOver)
        return;
    } else if (auto made = run(); !isOver) {
      return made;
    }
  } catch (...) {
    if (!isOver)
      throw;
  }
  throw nanobind::python_error();
}

/// Makes the object at `self` of `arguments` without the lock.
template <typename Made, typename... Arguments>
void construct(Made *self, Arguments &&...arguments) {
  bool isMade = false;
  try {
    withoutLock([&] {
      new (self) Made(std::forward<Arguments>(arguments)...);
      isMade = true;
    });
  } catch (...) {
    if (isMade)
      self->~Made();
    throw;
  }
}

/// Adds modules of IR, their operations and `certify` to `module`.
void bindModules(nanobind::module_ &module);

} // namespace convoy::python

#endif // CONVOY_PYTHON_SRC_BINDINGS_H
