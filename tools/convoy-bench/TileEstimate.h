//===- TileEstimate.h - What the cost model said ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_BENCH_TILEESTIMATE_H
#define CONVOY_TOOLS_CONVOY_BENCH_TILEESTIMATE_H

#include "mlir/Pass/PassManager.h"

#include <string>

namespace mlir::convoy {

/// The register tiles of a kernel, and how long they were estimated to take.
struct TileEstimate {
  std::string tiles; ///< in words, those of several contractions in turn
  /// Of all contractions, padding included, as often as each is written down: a
  /// loop around one does not count.
  double multiplyAdds = 0;
  double cycles = 0; ///< of all of them

  /// Cycles for a multiply-add of one lane; 0 where there is none.
  double getCyclesPerLane() const {
    return multiplyAdds > 0 ? cycles / multiplyAdds : 0;
  }
};

/// Lets `pm` write into `estimate`, which outlives it, what
/// `convoy-choose-tiles` decides.
void recordTiles(PassManager &pm, TileEstimate &estimate);

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_BENCH_TILEESTIMATE_H
