//===- FuzzSupport.h - What the fuzzers share -------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_FUZZ_FUZZSUPPORT_H
#define CONVOY_TEST_FUZZ_FUZZSUPPORT_H

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace convoy {

/// Ends the program with `what` and `text` unless `holds`.
inline void require(bool holds, const char *what, const std::string &text) {
  if (holds)
    return;
  std::fprintf(stderr, "%s: %s\n", what, text.c_str());
  std::abort();
}

/// An error is one line of printable text.
inline void checkError(const std::string &error) {
  bool isOneLine = std::all_of(error.begin(), error.end(),
                               [](char c) { return c >= ' ' && c < '\x7f'; });
  require(!error.empty() && isOneLine, "the error is not one line", error);
}

} // namespace convoy

#endif // CONVOY_TEST_FUZZ_FUZZSUPPORT_H
