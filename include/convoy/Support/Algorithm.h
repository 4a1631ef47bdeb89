//===- Algorithm.h - How convolutions are computed --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_SUPPORT_ALGORITHM_H
#define CONVOY_SUPPORT_ALGORITHM_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace convoy {

/// Taps along each spatial dimension of what Winograd's algorithm computes.
inline constexpr int64_t kWinogradTaps = 3;

/// What `--algorithm` asks for.
struct Algorithm {
  /// As sums of products, by Winograd's algorithm, or by whichever is estimated
  /// to be faster.
  enum class Kind { Direct, Winograd, Auto };

  Kind kind = Kind::Direct;
  /// For Winograd's, results of a tile along each spatial dimension; 0: those
  /// that are estimated to be fastest.
  int64_t tile = 0;
};

/// The algorithm called `name`: `direct`, `winograd`, `winograd:2`, `:4`, `:6`
/// or `auto`; nothing for another name.
std::optional<Algorithm> parseAlgorithm(std::string_view name);

/// These names for an error: `direct, ... or auto`.
std::string_view getAlgorithmNames();

} // namespace convoy

#endif // CONVOY_SUPPORT_ALGORITHM_H
