//===- Transpositions.h - Blocks that are transposed ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_TRANSFORMS_BUFFERS_TRANSPOSITIONS_H
#define CONVOY_LIB_TRANSFORMS_BUFFERS_TRANSPOSITIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <tuple>

namespace mlir::convoy {

/// The type that elements of `type` are moved as: 16-bit floats as integers,
/// since most CPUs have no vectors of them.
Type getBitsType(Type type);

/// `vector` with elements of `element`, which are as wide as its own.
Value castElements(OpBuilder &builder, Location loc, Value vector,
                   Type element);

/// The columns of `rows`, as many vectors as each has lanes, a power of two.
SmallVector<Value> transposeRows(OpBuilder &builder, Location loc,
                                 SmallVector<Value> rows);

/// The first `size` of a vector's `lanes`: an access to them.
struct RowPart {
  int64_t size, lanes;
  /// Whether lanes can be masked; vectors of powers of two need no mask, and
  /// those of less than 32 bits have none.
  bool hasMasks;
};

/// A vector of all lanes that begins with `part` of it, read from `buffer` at
/// `address`. 16-bit floats become integers.
Value loadRow(OpBuilder &builder, Location loc, Value buffer,
              ValueRange address, const RowPart &part);

/// Writes `part` of `vector`.
void storeRow(OpBuilder &builder, Location loc, Value vector, Value buffer,
              ValueRange address, const RowPart &part);

/// A square block: a row of `lanes` elements every `readStride` elements of the
/// source becomes a column of the destination, whose rows lie `writtenStride`
/// elements apart. What lies `ahead` elements behind each row is asked for,
/// nothing where it is 0.
struct TransposedBlock {
  int64_t lanes, readStride, writtenStride, ahead;
};

/// Functions of a module that transpose blocks: a kernel with many phases and
/// rests transposes many, and each is as much code as a register tile.
class Transpositions {
public:
  explicit Transpositions(ModuleOp module) : module(module) {}

  /// Transposes `block` of `source` at `from` into `destination` at `to`, in a
  /// function that all equal blocks share. The strides of the buffers are
  /// static, those of the block positive, and both lie in the default memory
  /// space.
  void call(OpBuilder &builder, Location loc, const TransposedBlock &block,
            Value source, ArrayRef<Value> from, Value destination,
            ArrayRef<Value> to);

private:
  func::FuncOp get(Location loc, const TransposedBlock &block,
                   MemRefType source, MemRefType destination);

  ModuleOp module;
  std::map<std::tuple<int64_t, int64_t, int64_t, int64_t, const void *,
                      const void *>,
           func::FuncOp>
      functions;
};

} // namespace mlir::convoy

#endif // CONVOY_LIB_TRANSFORMS_BUFFERS_TRANSPOSITIONS_H
