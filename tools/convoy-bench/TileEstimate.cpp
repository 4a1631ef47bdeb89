//===- TileEstimate.cpp - What the cost model said --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileEstimate.h"

#include "convoy/Transforms/CPUTiles/ExplainTile.h"
#include "convoy/Transforms/Utils/Contractions.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::convoy;

namespace {
class TileRecorder final : public PassInstrumentation {
public:
  explicit TileRecorder(TileEstimate &estimate) : estimate(estimate) {}

  void runAfterPass(Pass *pass, Operation *op) override {
    if (pass->getArgument() != "convoy-choose-tiles")
      return;
    for (linalg::GenericOp contraction : getContractions(op))
      record(contraction);
  }

private:
  void record(linalg::GenericOp contraction) {
    auto plan = contraction->getAttrOfType<RegisterTileAttr>(
        RegisterTileAttr::getAttrName());
    RegisterTile tile = RegisterTile::get(plan, contraction);
    StringRef separator = estimate.tiles.empty() ? "" : " | ";
    estimate.tiles += (separator + explainTile(contraction, tile)).str();
    double multiplyAdds = 1;
    for (int64_t size : contraction.getStaticLoopRanges())
      multiplyAdds *= double(size);
    if (!plan.getCycles())
      return;
    estimate.multiplyAdds += multiplyAdds;
    estimate.cycles += tile.cost * multiplyAdds;
  }

  TileEstimate &estimate;
};
} // namespace

void mlir::convoy::recordTiles(PassManager &pm, TileEstimate &estimate) {
  pm.addInstrumentation(std::make_unique<TileRecorder>(estimate));
}
