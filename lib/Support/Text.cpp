//===- Text.cpp - What all parsers share ----------------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Text.h"

#include <algorithm>
#include <charconv>

using namespace convoy;
using namespace convoy::detail;

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

std::string detail::quoted(std::string_view word) {
  constexpr size_t Longest = 80;
  constexpr std::string_view Hex = "0123456789abcdef";
  std::string text = "'";
  for (char c : word.substr(0, Longest)) {
    auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f)
      text += c;
    else
      text.append("\\x").append(1, Hex[byte >> 4]).append(1, Hex[byte & 15]);
  }
  return text + (word.size() > Longest ? "...'" : "'");
}

bool detail::fail(std::string &error, std::string message) {
  error = std::move(message);
  return false;
}

std::string detail::expectation(std::string_view expected,
                                std::string_view what, std::string_view got) {
  return "expected " + std::string(expected) + " for " + std::string(what) +
         ", but got " + quoted(got);
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

static constexpr std::string_view Blanks = " \t\r\n\v\f";

std::optional<int64_t> detail::parseNumber(std::string_view digits,
                                           std::string_view what, int64_t least,
                                           int64_t most, std::string &error) {
  int64_t value = 0;
  const char *end = digits.data() + digits.size();
  auto [stop, code] = std::from_chars(digits.data(), end, value);
  if (code == std::errc() && stop == end && value >= least && value <= most)
    return value;
  std::string range =
      "a number from " + std::to_string(least) + " to " + std::to_string(most);
  if (most == MaxNumber)
    range = "a 64-bit number" +
            (least < 0 ? "" : " of at least " + std::to_string(least));
  error = expectation(range, what, digits);
  return std::nullopt;
}

std::vector<std::string_view> detail::split(std::string_view text,
                                            char separator) {
  std::vector<std::string_view> parts;
  for (size_t end; (end = text.find(separator)) != std::string_view::npos;
       text.remove_prefix(end + 1))
    parts.push_back(text.substr(0, end));
  parts.push_back(text);
  return parts;
}

Words detail::splitWords(std::string_view line) {
  Words words;
  for (size_t begin = 0;
       (begin = line.find_first_not_of(Blanks, begin)) != line.npos;) {
    size_t end = std::min(line.find_first_of(Blanks, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

/// `line` up to its comment: a `#` at its start or after a blank.
static std::string_view withoutComment(std::string_view line) {
  for (size_t hash = 0; (hash = line.find('#', hash)) != line.npos; ++hash)
    if (hash == 0 || Blanks.find(line[hash - 1]) != Blanks.npos)
      return line.substr(0, hash);
  return line;
}

bool detail::forEachLine(
    std::string_view text, std::string &error,
    const std::function<bool(std::string_view line)> &parse) {
  for (int64_t number = 1; !text.empty(); ++number) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = withoutComment(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.find_first_not_of(Blanks) == line.npos)
      continue;
    if (!parse(line))
      return fail(error, "line " + std::to_string(number) + ": " + error);
  }
  return true;
}
