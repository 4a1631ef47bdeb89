//===- Error.h - What Python gets as exceptions -----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM and MLIR are compiled without exceptions: none is thrown where one of
// their functions is on the stack.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_PYTHON_SRC_ERROR_H
#define CONVOY_PYTHON_SRC_ERROR_H

#include "convoy/Runtime/Device.h"
#include "convoy/Support/ExitCode.h"

#include <stdexcept>
#include <string>

namespace convoy::python {

/// `convoy.Error`: the sentence that a tool would print.
struct Error : std::runtime_error {
  using runtime_error::runtime_error;
};

/// `convoy.DeviceError`: there is no such device, or it was lost.
struct DeviceError : Error {
  using Error::Error;
};

/// Throws what a tool would end with `code` for.
[[noreturn]] inline void throwError(const std::string &sentence,
                                    ExitCode code = ExitCode::BadInput) {
  if (code == ExitCode::NoDevice)
    throw DeviceError(sentence);
  throw Error(sentence);
}

/// Throws where `status` is not that of success.
inline void throwIfFailed(const Status &status) {
  if (!status.ok())
    throwError(status.text, ExitCode(status.code));
}

} // namespace convoy::python

#endif // CONVOY_PYTHON_SRC_ERROR_H
