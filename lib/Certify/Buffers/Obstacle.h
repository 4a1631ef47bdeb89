//===- Obstacle.h - Ops that are not understood -----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_BUFFERS_OBSTACLE_H
#define CONVOY_LIB_CERTIFY_BUFFERS_OBSTACLE_H

#include "Marks.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "llvm/Support/SaveAndRestore.h"

#include <string>

namespace mlir::convoy::certify {

/// An op that is not understood, and why.
struct Obstacle {
  Operation *op = nullptr;
  std::string reason;
};

/// `reason`, which tells that `op` is not read, and what more is known of it.
inline std::string describeUnread(Operation *op, StringRef reason) {
  auto obstacle = op->getAttrOfType<StringAttr>(kObstacleAttrName);
  if (!obstacle)
    return reason.str();
  return (reason + " (" + obstacle.getValue() + ")").str();
}

/// Keeps the first obstacle in a function: others follow from it.
class FirstObstacle {
public:
  /// Fails, because of `op` or of what was met before.
  LogicalResult undecided(Operation *op, const Twine &reason) {
    if (!first.op)
      first = {op, reason.str()};
    return failure();
  }
  const Obstacle &get() const { return first; }

  /// What `attempt` returns. Obstacles that it meets are in nobody's way yet.
  template <typename Attempt>
  auto ignoreIn(Attempt attempt) {
    llvm::SaveAndRestore<Obstacle> saved(first);
    return attempt();
  }

private:
  Obstacle first;
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_BUFFERS_OBSTACLE_H
