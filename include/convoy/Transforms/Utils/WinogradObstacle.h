//===- WinogradObstacle.h - What has no tiles of Winograd's -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_WINOGRADOBSTACLE_H
#define CONVOY_TRANSFORMS_UTILS_WINOGRADOBSTACLE_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"

namespace mlir::convoy {

/// Why Winograd's algorithm cannot compute `op`, whatever the size of its
/// tiles; empty where it can. Only the number of taps is left to be looked at.
std::string findWinogradObstacle(ConvolutionOpInterface op);

/// Why the filter of `op`, whose sizes are known, has not as many taps as tiles
/// are chosen for; empty where it has.
std::string findTapsObstacle(ConvolutionOpInterface op);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_WINOGRADOBSTACLE_H
