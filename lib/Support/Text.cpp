//===- Text.cpp - Words in error sentences --------------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Text.h"

using namespace convoy;

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
