//===- Layout.h - Names and order of a tensor's dimensions ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layout is a word in which each letter names one dimension and stands once:
// n batch, g group, c input channel, f output channel, d h w spatial (in a
// filter: the taps). The first letter is the outermost dimension in memory.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_SUPPORT_LAYOUT_H
#define CONVOY_SUPPORT_LAYOUT_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace convoy {

/// The three tensors of a convolution.
enum class Operand { Input, Filter, Output };

/// "input", "filter" or "output".
std::string_view operandName(Operand operand);

/// The names of a convolution's spatial dimensions, outermost first:
/// "w" (1-D), "hw" (2-D) or "dhw" (3-D).
std::string_view spatialLetters(int spatialRank);

/// The order of one tensor's dimensions, outermost first, for example `nhwc`.
class Layout {
public:
  Layout() = default;

  /// Parses the layout of `operand`. Refuses unknown letters, letters that
  /// stand twice, and words without the letters that `operand` needs: an input
  /// has n, c and one to three of w, h, d (`w`, `hw`, `dhw`); a filter f, c and
  /// taps; an output n, f and spatial dimensions; `g` is optional in each.
  /// On failure returns nothing and puts one sentence into `error`.
  static std::optional<Layout> parse(std::string_view word, Operand operand,
                                     std::string &error);

  /// A layout of letters already known to be well formed.
  static Layout fromLetters(std::string letters);

  const std::string &letters() const { return word; }
  int rank() const { return static_cast<int>(word.size()); }
  bool contains(char letter) const {
    return word.find(letter) != std::string::npos;
  }
  bool hasGroups() const { return contains('g'); }
  /// Position of `letter`, or -1 where the layout lacks it.
  int position(char letter) const;
  /// Number of spatial letters (d, h, w).
  int spatialRank() const;

  /// The letter of the dimension that holds the groups, outermost, where a
  /// layout of `operand` has no `g`: c of an input, f of a filter or output.
  static char groupedLetter(Operand operand);

  /// The layout with `g` as a dimension of its own, just outside the dimension
  /// that holds the groups when flat.
  /// A layout that has `g` already is returned unchanged.
  Layout withGroups(Operand operand) const;

  /// The layout with `from` and `to` exchanged; a letter that is absent simply
  /// renames the other.
  Layout swapped(char from, char to) const;

  bool operator==(const Layout &other) const = default;

private:
  explicit Layout(std::string letters) : word(std::move(letters)) {}
  std::string word;
};

/// The layouts of input, filter and output.
struct ConvLayouts {
  Layout input, filter, output;

  const Layout &operator[](Operand operand) const;
  bool operator==(const ConvLayouts &other) const = default;
};

/// The order of the dimensions of an image's windows, each element of which has
/// an output position and a place in the window.
struct RowsLayout {
  /// `n` and output positions, and, if there are groups, `g`.
  std::string positions;
  /// Taps and `c`. They stand together.
  std::string window;
  /// How many of `positions` stand before them.
  size_t windowDim = 0;

  /// Parses `nhw|hwc`, in which each position has its window, `chw|nhw`, in
  /// which it is the other way round, or `n|chw|hw`, with positions on both
  /// sides: the part with `c` is the window. Which letters there are is not
  /// checked. Nothing where there are not two or three parts.
  static std::optional<RowsLayout> parse(std::string_view text);

  /// The positions before the window, and those behind it.
  std::string_view outer() const {
    return std::string_view(positions).substr(0, windowDim);
  }
  std::string_view inner() const {
    return std::string_view(positions).substr(windowDim);
  }
  /// As `parse` takes it.
  std::string toString() const;

  bool operator==(const RowsLayout &other) const = default;
};

/// Every order of `letters`, in lexicographic order.
std::vector<std::string> permutations(std::string letters);

} // namespace convoy

#endif // CONVOY_SUPPORT_LAYOUT_H
