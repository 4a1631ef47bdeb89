//===- IndexSpace.h - Affine indices over values of a kernel ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CONVERSION_TENSORTOGPU_INDEXSPACE_H
#define CONVOY_LIB_CONVERSION_TENSORTOGPU_INDEXSPACE_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"

namespace mlir::convoy {

class KernelBuilder;

/// The indices that a kernel computes with: each is a dimension of affine
/// expressions, and is known to lie in a range and to be a multiple of a
/// number. The batch, where it is not known, is their only symbol.
class IndexSpace {
public:
  struct Range {
    int64_t low, high; ///< both included
  };

  explicit IndexSpace(MLIRContext *context) : context(context) {}

  /// A new dimension, whose value is given later. `source` is the value that
  /// stands for it in ops on tensors, if any.
  AffineExpr add(Range range, int64_t divisor = 1, Value source = {});
  void setValue(AffineExpr dim, Value value);
  /// Lets `expr` stand for `source` in ops on tensors.
  void bind(Value source, AffineExpr expr) { bound[source] = expr; }
  Value getValue(AffineExpr dim) const { return getDim(dim).value; }
  /// Lets the batch have the value that `itsKernel` takes.
  void setKernel(KernelBuilder &itsKernel) { kernel = &itsKernel; }
  KernelBuilder &getKernel() const { return *kernel; }
  unsigned getNumDims() const { return dims.size(); }

  AffineExpr getConstant(int64_t value) const {
    return getAffineConstantExpr(value, context);
  }
  /// The size of a dimension: a constant, or the batch.
  AffineExpr getSize(int64_t size) const {
    return ShapedType::isDynamic(size) ? getAffineSymbolExpr(0, context)
                                       : getConstant(size);
  }
  /// The indices of a dimension of this size.
  Range getIndices(int64_t size) const {
    return {0, getRange(getSize(size)).high - 1};
  }
  /// `value` in terms of the dimensions: a constant, one of their sources, or
  /// an affine function of these; null where it is something else. The least
  /// of such functions becomes a dimension of its own.
  AffineExpr express(OpFoldResult value);
  Range getRange(AffineExpr expr) const;
  /// A number that divides `expr`, whatever its dimensions are; 0 for zero.
  int64_t getDivisor(AffineExpr expr) const;
  /// Whether elements at `address` lie side by side, from a multiple of `width`
  /// on, as `dim` goes through as many values from a multiple of it on.
  bool isContiguous(AffineExpr address, AffineExpr dim, int64_t width) const;
  /// `expr` as arithmetic on index values. Its value must not be negative
  /// where it is a dividend.
  Value materialize(OpBuilder &builder, Location loc, AffineExpr expr) const;

  /// The size of a dimension as a value.
  Value materializeSize(OpBuilder &builder, Location loc, int64_t size) const {
    return materialize(builder, loc, getSize(size));
  }

  /// Whether 0 <= expr < size, the size of a dimension, and `other` holds, if
  /// it is not null.
  Value emitIsInside(OpBuilder &builder, Location loc, AffineExpr expr,
                     int64_t size, Value other) const;

private:
  struct Dim {
    Range range;
    int64_t divisor;
    Value source, value;
    /// Of what it is the least; empty where it has a value.
    SmallVector<AffineExpr, 0> bounds;
  };
  const Dim &getDim(AffineExpr expr) const {
    return dims[cast<AffineDimExpr>(expr).getPosition()];
  }
  bool isContiguousInBatch(AffineExpr address, AffineExpr dim,
                           int64_t width) const;
  /// The numbers that the dimensions, the batch and 1 are multiplied by in
  /// `expr`; nothing where it is no such sum.
  std::optional<SmallVector<int64_t>> getCoefficients(AffineExpr expr) const;
  /// The results of `map`; none where an operand cannot be expressed.
  SmallVector<AffineExpr> expressResults(AffineMap map, ValueRange mapOperands);
  /// The least of `exprs`, which are not negative.
  Value materializeLeast(OpBuilder &builder, Location loc,
                         ArrayRef<AffineExpr> exprs) const;
  /// The sum that has these `coefficients`.
  Value materializeSum(OpBuilder &builder, Location loc,
                       ArrayRef<int64_t> coefficients) const;

  MLIRContext *context;
  KernelBuilder *kernel = nullptr;
  SmallVector<Dim> dims;
  llvm::DenseMap<Value, AffineExpr> bound;
};

/// Whether both conditions hold, of which a null one always does.
Value emitAnd(OpBuilder &builder, Location loc, Value left, Value right);

} // namespace mlir::convoy

#endif // CONVOY_LIB_CONVERSION_TENSORTOGPU_INDEXSPACE_H
