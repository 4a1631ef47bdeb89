//===- TextTable.cpp - Columns of text --------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/TextTable.h"

#include <algorithm>
#include <cstdio>

namespace convoy {

std::string TextTable::toString() const {
  std::vector<size_t> widths(rows.front().size());
  for (const std::vector<std::string> &row : rows)
    if (row.size() == widths.size())
      for (size_t i = 0; i < row.size(); ++i)
        widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const std::vector<std::string> &row : rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      std::string space(widths[i] - std::min(widths[i], row[i].size()), ' ');
      if (i == 0)
        text += row.size() == 1 ? row[i] : row[i] + space;
      else
        text += "  " + space + row[i];
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

std::string toFixed(double number, int digits) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.*f", digits, number);
  return text;
}

} // namespace convoy
