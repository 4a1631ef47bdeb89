//===- ProblemKind.h - Lines of problems besides convolutions -------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_SUPPORT_PROBLEMKIND_H
#define CONVOY_LIB_SUPPORT_PROBLEMKIND_H

#include "ProblemParsing.h"

namespace convoy::detail {

/// A kind of problems that are no convolutions, and how messages speak of it.
struct ProblemKind {
  std::string_view driver;      ///< the word that says the kind, `--col2im`
  std::string_view name;        ///< as in "a flag of col2im"
  std::string_view someFlags;   ///< as in `--a=1 or --b=2`
  std::string_view someProblem; ///< a descriptor

  /// Whether `line` is of this kind.
  bool isOf(std::string_view line) const;

  /// Reads the words of `line`: flags of all problems into `flags`, and the
  /// only descriptor. `readFlag` is given the others that are not `driver`.
  bool
  readLine(std::string_view line, ProblemDefaults &flags,
           std::string &descriptor,
           const std::function<FlagStatus(std::string_view word)> &readFlag,
           std::string &error) const;

  /// Says that `flag` is for convolutions; always false.
  bool refuse(std::string_view flag, std::string &error) const;
};

/// The word of `line` that says that it is no plain convolution, or nothing.
std::string_view findDriver(std::string_view line);

/// A flag of `flags` that is for convolutions alone, or nothing. Whether
/// layouts of input and output are, is up to the kind.
std::string_view findConvolutionFlag(const ProblemDefaults &flags);

/// Checks that `type`, which `what` gives as `name`, is one that is sampled.
bool checkSampledType(std::string_view what, ElementType type,
                      std::string_view name, std::string &error);

/// Checks that no tensor of a problem is larger than memory can ever be.
bool checkElements(const std::vector<std::vector<int64_t>> &shapes,
                   std::string &error);

} // namespace convoy::detail

#endif // CONVOY_LIB_SUPPORT_PROBLEMKIND_H
