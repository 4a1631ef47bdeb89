//===- Emission.h - What files of kernels are, by target --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_EMISSION_H
#define CONVOY_DRIVER_EMISSION_H

#include "mlir/Support/LLVM.h"

#include <optional>
#include <string>

namespace mlir::convoy {

/// What kernels are for.
enum class Target { CPU, Rocm, Vulkan };

/// What is written.
enum class Emission {
  MLIR,
  LLVM,
  Assembly,
  Object,
  Archive,
  SharedObject,
  Hsaco,
  SPIRV
};

/// The words that --emit takes for any target, as in `mlir|llvm`; they stay
/// where they are.
StringRef getEmissionWords();

/// What is written for `target`, which --target calls `targetName`, into the
/// file `output`: what `word` says, that of --emit; where there is none, what
/// the end of the file's name says, or, without one, what is usual for the
/// target. Where they are wrong, or contradict each other, returns false and
/// puts one sentence into `error`.
bool chooseEmission(Target target, StringRef targetName,
                    std::optional<StringRef> word, StringRef output,
                    Emission &emission, std::string &error);

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_EMISSION_H
