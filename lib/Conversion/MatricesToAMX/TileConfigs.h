//===- TileConfigs.h - Shapes of AMX's tiles --------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CONVERSION_MATRICESTOAMX_TILECONFIGS_H
#define CONVOY_LIB_CONVERSION_MATRICESTOAMX_TILECONFIGS_H

#include "convoy/Support/CPUDotInstruction.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

#include <array>

namespace mlir::convoy {

/// The rows of each of AMX's tiles, and the bytes of each row: none of a tile
/// that is not used.
struct TileConfig {
  struct Shape {
    uint8_t rows = 0;
    uint16_t rowBytes = 0;

    bool operator==(const Shape &) const = default;
  };
  std::array<Shape, ::convoy::kTiles> tiles;

  bool operator==(const TileConfig &) const = default;
};

/// Loads the configurations of ops that use tiles. That takes some 200 cycles:
/// so one is loaded before the outermost loop in which there is no other, and
/// tiles are released behind that.
class TileConfigs {
public:
  /// What is in a block from `first` to `last` runs with `config`.
  void add(Operation *first, Operation *last, const TileConfig &config) {
    users.push_back({first, last, config});
  }
  /// Loads them all.
  void load(OpBuilder &builder) const;

private:
  /// The ops around users, with the configuration that all users in one have;
  /// nothing where they have several.
  DenseMap<Operation *, std::optional<TileConfig>> getScopes() const;

  struct User {
    Operation *first, *last;
    TileConfig config;
  };
  SmallVector<User> users;
};

/// Where memory on the stack is allocated for `op`: at the beginning of its
/// function, or of what a thread runs.
Block *getStackBlock(Operation *op);

/// A pointer of LLVM to the element of `memref`, a buffer, at `indices`.
Value createPointer(OpBuilder &builder, Location loc, Value memref,
                    ValueRange indices);

} // namespace mlir::convoy

#endif // CONVOY_LIB_CONVERSION_MATRICESTOAMX_TILECONFIGS_H
