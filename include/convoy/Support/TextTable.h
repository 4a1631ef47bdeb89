//===- TextTable.h - Columns of text ----------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_SUPPORT_TEXTTABLE_H
#define CONVOY_SUPPORT_TEXTTABLE_H

#include <string>
#include <vector>

namespace convoy {

/// A table whose first column is flush left and the others flush right, each as
/// wide as its widest cell.
class TextTable {
public:
  explicit TextTable(std::vector<std::string> header) {
    rows.push_back(std::move(header));
  }
  /// A row has a cell for each column, or one, which may be wider than its
  /// column.
  void addRow(std::vector<std::string> row) { rows.push_back(std::move(row)); }
  std::string toString() const;

private:
  std::vector<std::vector<std::string>> rows;
};

/// `number` with `digits` digits after the point.
std::string toFixed(double number, int digits);

} // namespace convoy

#endif // CONVOY_SUPPORT_TEXTTABLE_H
