//===- ProblemFlags.h - What --help says of problems ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_SUPPORT_PROBLEMFLAGS_H
#define CONVOY_SUPPORT_PROBLEMFLAGS_H

#include <string>

namespace convoy {

/// The flags that `parseProblemFlag` reads, one a line, in the form that LLVM's
/// tools give to options: `  --type=<f64|f32>  - Type in memory`.
std::string describeProblemFlags();

} // namespace convoy

#endif // CONVOY_SUPPORT_PROBLEMFLAGS_H
