//===- Algorithm.cpp - How convolutions are computed ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/Algorithm.h"

#include <array>
#include <utility>

namespace convoy {

std::optional<Algorithm> parseAlgorithm(std::string_view name) {
  using Kind = Algorithm::Kind;
  static constexpr std::array<std::pair<std::string_view, Algorithm>, 6> Known =
      {{{"direct", {Kind::Direct, 0}},
        {"winograd", {Kind::Winograd, 0}},
        {"winograd:2", {Kind::Winograd, 2}},
        {"winograd:4", {Kind::Winograd, 4}},
        {"winograd:6", {Kind::Winograd, 6}},
        {"auto", {Kind::Auto, 0}}}};
  for (const auto &[known, algorithm] : Known)
    if (known == name)
      return algorithm;
  return std::nullopt;
}

std::string_view getAlgorithmNames() {
  return "direct, winograd, winograd:2, winograd:4, winograd:6 or auto";
}

} // namespace convoy
