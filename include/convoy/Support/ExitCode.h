//===- ExitCode.h - How our tools end ---------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_SUPPORT_EXITCODE_H
#define CONVOY_SUPPORT_EXITCODE_H

namespace convoy {

/// How our tools end.
enum class ExitCode : int {
  Ok = 0,
  BadInput = 1,
  WrongNumbers = 2, ///< or proved different
  NoDevice = 3,
  Undecided = 4, ///< neither certified nor proved different
};

/// The code of what ends with both: the lowest counts, but `Ok` does not.
inline ExitCode combine(ExitCode a, ExitCode b) {
  bool takesB = b != ExitCode::Ok && (a == ExitCode::Ok || b < a);
  return takesB ? b : a;
}

} // namespace convoy

#endif // CONVOY_SUPPORT_EXITCODE_H
