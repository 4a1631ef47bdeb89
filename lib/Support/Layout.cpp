//===- Layout.cpp - Names and order of a tensor's dimensions --------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/Layout.h"

#include "Text.h"

#include <algorithm>
#include <cassert>

namespace convoy {

static constexpr std::string_view SpatialLetters = "dhw";

static bool isSpatial(char letter) {
  return SpatialLetters.find(letter) != std::string_view::npos;
}

/// The letters that a layout of `operand` cannot do without.
static std::string_view requiredLetters(Operand operand) {
  switch (operand) {
  case Operand::Input:
    return "nc";
  case Operand::Filter:
    return "fc";
  case Operand::Output:
    return "nf";
  }
  assert(false && "unknown operand");
  return "";
}

std::string_view operandName(Operand operand) {
  switch (operand) {
  case Operand::Input:
    return "input";
  case Operand::Filter:
    return "filter";
  case Operand::Output:
    return "output";
  }
  assert(false && "unknown operand");
  return "";
}

std::string_view spatialLetters(int spatialRank) {
  assert(spatialRank >= 0 && spatialRank <= 3 && "at most three dimensions");
  return SpatialLetters.substr(3 - spatialRank);
}

std::optional<Layout> Layout::parse(std::string_view word, Operand operand,
                                    std::string &error) {
  std::string subject =
      std::string(operandName(operand)) + " layout " + detail::quoted(word);
  auto fail = [&](const std::string &message) -> std::optional<Layout> {
    error = subject + " " + message;
    return std::nullopt;
  };

  std::string required(requiredLetters(operand));
  std::string allowed = required + "g" + std::string(SpatialLetters);
  for (size_t i = 0; i < word.size(); ++i) {
    std::string letter(1, word[i]);
    if (allowed.find(letter) == std::string::npos)
      return fail("has " + detail::quoted(letter) +
                  ", but expected letters of '" + allowed + "'");
    if (word.find(letter, i + 1) != std::string_view::npos)
      return fail("has " + detail::quoted(letter) +
                  " twice, but expected each letter once");
  }
  for (char letter : required)
    if (word.find(letter) == std::string_view::npos)
      return fail("lacks '" + std::string(1, letter) +
                  "', but expected the letters '" + required +
                  "' and one of 'w', 'hw' or 'dhw' in any order");

  Layout layout((std::string(word)));
  int rank = layout.spatialRank();
  for (char letter : spatialLetters(std::max(rank, 1)))
    if (!layout.contains(letter))
      return fail("lacks '" + std::string(1, letter) +
                  "', but expected one of 'w', 'hw' or 'dhw' for the spatial "
                  "dimensions, in any order");
  return layout;
}

Layout Layout::fromLetters(std::string letters) {
  return Layout(std::move(letters));
}

int Layout::position(char letter) const {
  size_t position = word.find(letter);
  return position == std::string::npos ? -1 : static_cast<int>(position);
}

int Layout::spatialRank() const {
  return static_cast<int>(std::count_if(word.begin(), word.end(), isSpatial));
}

char Layout::groupedLetter(Operand operand) {
  return operand == Operand::Input ? 'c' : 'f';
}

Layout Layout::withGroups(Operand operand) const {
  if (hasGroups())
    return *this;
  size_t holder = word.find(groupedLetter(operand));
  assert(holder != std::string::npos && "layout without the groups' holder");
  std::string letters = word;
  letters.insert(holder, 1, 'g');
  return Layout(std::move(letters));
}

Layout Layout::swapped(char from, char to) const {
  std::string letters = word;
  for (char &letter : letters)
    letter = letter == from ? to : letter == to ? from : letter;
  return Layout(std::move(letters));
}

const Layout &ConvLayouts::operator[](Operand operand) const {
  switch (operand) {
  case Operand::Input:
    return input;
  case Operand::Filter:
    return filter;
  case Operand::Output:
    return output;
  }
  assert(false && "unknown operand");
  return input;
}

std::optional<RowsLayout> RowsLayout::parse(std::string_view text) {
  RowsLayout layout;
  bool hasWindow = false;
  size_t parts = 0;
  for (size_t begin = 0; begin <= text.size(); ++parts) {
    size_t end = std::min(text.find('|', begin), text.size());
    std::string_view part = text.substr(begin, end - begin);
    begin = end + 1;
    if (part.find('c') == part.npos) {
      layout.positions += part;
      continue;
    }
    if (std::exchange(hasWindow, true))
      return std::nullopt;
    layout.window = part;
    layout.windowDim = layout.positions.size();
  }
  // Each part has letters, of which there are some on both sides of a window
  // that stands between two.
  size_t sides = 1 + !layout.outer().empty() + !layout.inner().empty();
  if (!hasWindow || parts < 2 || parts != sides)
    return std::nullopt;
  return layout;
}

std::string RowsLayout::toString() const {
  std::string text(outer());
  if (!text.empty())
    text += '|';
  text += window;
  if (!inner().empty())
    text.append("|").append(inner());
  return text;
}

std::vector<std::string> permutations(std::string letters) {
  std::sort(letters.begin(), letters.end());
  std::vector<std::string> orders;
  do
    orders.push_back(letters);
  while (std::next_permutation(letters.begin(), letters.end()));
  return orders;
}

} // namespace convoy
