//===- ConvoyPlans.h - What a pass decides, for later ones ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DIALECT_CONVOY_IR_CONVOYPLANS_H
#define CONVOY_DIALECT_CONVOY_IR_CONVOYPLANS_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include <optional>

namespace mlir::convoy {

/// How many steps of a loop are taken at a time.
struct LoopSteps {
  unsigned loop;
  int64_t size;

  bool operator==(const LoopSteps &) const = default;
};

/// The steps, or none; a list that lies in `steps`.
inline ArrayRef<LoopSteps> toList(const std::optional<LoopSteps> &steps) {
  return steps ? ArrayRef(*steps) : ArrayRef<LoopSteps>();
}
ArrayRef<LoopSteps> toList(std::optional<LoopSteps> &&) = delete;

inline llvm::hash_code hash_value(const LoopSteps &steps) {
  return llvm::hash_combine(steps.loop, steps.size);
}

} // namespace mlir::convoy

#include "convoy/Dialect/Convoy/IR/ConvoyPlanEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "convoy/Dialect/Convoy/IR/ConvoyPlans.h.inc"

#endif // CONVOY_DIALECT_CONVOY_IR_CONVOYPLANS_H
