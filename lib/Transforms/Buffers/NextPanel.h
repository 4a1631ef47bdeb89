//===- NextPanel.h - The lines that come after a panel's --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_BUFFERS_NEXTPANEL_H
#define CONVOY_LIB_TRANSFORMS_BUFFERS_NEXTPANEL_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::convoy {

/// The place of an element in a buffer that is there before a loop begins: the
/// sum of two indices for each dimension.
struct Place {
  Value buffer;
  SmallVector<OpFoldResult> offsets, indices;

  /// The place of what is read in `loop`, or none if it is of another form.
  static std::optional<Place> find(scf::ForOp loop, Value buffer,
                                   ValueRange indices);
  /// How many elements a step of `iv` goes on, if that is known.
  std::optional<double> getStep(Value iv) const;
  /// Asks for the line of the place that has `replace(index)` for each index,
  /// into the cache that MLIR's hint `locality` names.
  void prefetch(OpBuilder &builder, Location loc, unsigned locality,
                function_ref<Value(Value)> replace) const;
};

/// A panel of a filter in `hwcf`: some lines of each row, which the steps of
/// its innermost loops read, and loops around them read again, before a loop
/// goes on to the lines beside them.
class NextPanel {
public:
  /// The panel that the steps of `loop` read at `places`, which are lines of
  /// `lineElements`; nothing if it is not read several times, or if `mostBytes`
  /// do not hold it and the next one.
  static std::optional<NextPanel> find(scf::ForOp loop, ArrayRef<Place> places,
                                       int64_t lineElements, int64_t lineBytes,
                                       double mostBytes);

  /// Asks in each step for its share of the lines of the next panel's row.
  void prefetch();

private:
  /// Finds the loop that goes on to the next panel.
  LogicalResult findPanelLoop();
  /// Sorts the loops within it.
  LogicalResult findLoops();
  /// Of the loops that read the panel again, counted through.
  Value getNumberOfReading(OpBuilder &builder);
  /// How the next panel is shared out among the steps of the first
  /// `numReadings`, of `numSteps` each: step s, counted through from the first
  /// reading on, asks for a part of row s >> shift, by the bits of `mask`. The
  /// steps of later readings ask for what they read at once.
  struct Share {
    uint64_t numReadings;
    int64_t numSteps;
    Value begin, shift, mask, lane;
  };
  Share getShare(OpBuilder &builder);
  /// How many steps ask for the same line, at most.
  static constexpr uint64_t kMostRepeats = 4;

  scf::ForOp loop;
  Place first; ///< the first line of a row
  int64_t firstLane = 0, lineElements = 0, numLines = 0;
  scf::ForOp panelLoop;
  /// Those that read it again, innermost first.
  SmallVector<scf::ForOp> rowLoops;
  uint64_t numTerms = 1, numReadings = 1;
};

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_BUFFERS_NEXTPANEL_H
