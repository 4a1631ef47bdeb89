//===- Text.h - Words in error sentences ------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_SUPPORT_TEXT_H
#define CONVOY_LIB_SUPPORT_TEXT_H

#include <string>
#include <string_view>

namespace convoy::detail {

/// `word` in single quotes, shortened and with unprintable characters escaped,
/// so that it can stand in an error sentence of one line.
std::string quoted(std::string_view word);

} // namespace convoy::detail

#endif // CONVOY_LIB_SUPPORT_TEXT_H
