//===- Workspace.h - Buffers that share a workspace -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_BUFFERS_WORKSPACE_H
#define CONVOY_LIB_CERTIFY_BUFFERS_WORKSPACE_H

#include "Obstacle.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::convoy::certify {

/// Marks a function in which a buffer may hold at first what another left
/// there, though it is taken for one that was never written.
constexpr llvm::StringLiteral kLeftoversAttrName("certify.leftovers");

/// Gives each view of the workspace of `function`, a kernel that has one, as
/// its last argument, memory of its own, and removes the argument: a view that
/// is used before and behind another with its bytes has one for each time.
/// Marks the function if views share bytes. Fails unless the views lie within
/// the workspace, and of any two that share bytes, in one iteration or in two
/// that run in parallel, one is used no more before the other is first used.
LogicalResult separateWorkspace(FunctionOpInterface function,
                                FirstObstacle &obstacle);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_BUFFERS_WORKSPACE_H
