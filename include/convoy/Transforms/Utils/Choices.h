//===- Choices.h - What passes say of their choices -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_CHOICES_H
#define CONVOY_TRANSFORMS_UTILS_CHOICES_H

#include "convoy/Support/Choices.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::convoy {

using ::convoy::Choice;

/// What remarks say of `choice`.
inline StringRef getWords(Choice choice) {
  return ::convoy::kChoices[size_t(choice)];
}

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_CHOICES_H
