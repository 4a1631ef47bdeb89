//===- Text.h - What all parsers share --------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_SUPPORT_TEXT_H
#define CONVOY_LIB_SUPPORT_TEXT_H

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace convoy::detail {

/// `word` in single quotes, shortened and with unprintable characters escaped,
/// so that it can stand in an error sentence of one line.
std::string quoted(std::string_view word);

/// "expected EXPECTED for WHAT, but got 'GOT'".
std::string expectation(std::string_view expected, std::string_view what,
                        std::string_view got);

/// Puts `message` into `error`; always false.
bool fail(std::string &error, std::string message);

inline constexpr int64_t MaxNumber = std::numeric_limits<int64_t>::max();

/// Parses all of `digits` as a decimal number from `least` to `most`. `what`
/// names the number in the error.
std::optional<int64_t> parseNumber(std::string_view digits,
                                   std::string_view what, int64_t least,
                                   int64_t most, std::string &error);

/// The words of a line, in order.
using Words = std::vector<std::string_view>;

/// Splits `text` at each `separator`.
std::vector<std::string_view> split(std::string_view text, char separator);

/// The words of a line, between blanks.
Words splitWords(std::string_view line);

/// Calls `parse` with each line of a file's text that is not empty, without its
/// comment, until it returns false; then puts the line's number before `error`
/// and returns false.
bool forEachLine(std::string_view text, std::string &error,
                 const std::function<bool(std::string_view line)> &parse);

} // namespace convoy::detail

#endif // CONVOY_LIB_SUPPORT_TEXT_H
