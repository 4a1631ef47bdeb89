//===- Terms.h - Convolutions as sets of products ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution is the set of its terms. Tests enumerate the terms of an op
// from its index relation, and compare sets.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_UNIT_DIALECT_TERMS_H
#define CONVOY_TEST_UNIT_DIALECT_TERMS_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <compare>
#include <random>

namespace convoy::test {

/// One product: the positions of its factors and of the sum that it belongs to
/// in their tensors, counted in row-major order.
struct Term {
  int64_t input, filter, output;
  auto operator<=>(const Term &other) const = default;
};

/// A convolution of f32 with static sizes.
struct ConvCase {
  Direction direction = Direction::Forward;
  ConvShape shape;
  ConvLayouts layouts;
};
std::ostream &operator<<(std::ostream &os, const ConvCase &conv);

/// Gives each spatial dimension the output size that its window gives.
void setOutputSizes(ConvShape &shape);

/// Layouts in a random order, with `g`.
ConvLayouts randomLayouts(int spatialRank, std::mt19937 &random);

/// A small shape with random sizes and windows, input dilation included.
ConvShape randomShape(int spatialRank, std::mt19937 &random);

/// Appends to `module` a function that returns the convolution of its
/// arguments: the two operands and the init.
mlir::func::FuncOp buildFunction(mlir::ModuleOp module, const ConvCase &conv);

/// The convolution of a function from `buildFunction`.
mlir::convoy::ConvolutionOpInterface getConvolution(mlir::func::FuncOp func);

/// The terms of `op`, sorted, as its index relation says.
std::vector<Term> enumerateTerms(mlir::convoy::ConvolutionOpInterface op);

/// The coefficients of a pure affine map at fixed symbols: one row for each
/// result, with a column for each dimension and one for the constant.
std::vector<std::vector<int64_t>>
flattenMap(mlir::AffineMap map, llvm::ArrayRef<int64_t> symbols = {});

/// The value of a row of `flattenMap` at `dims`.
int64_t evaluateRow(llvm::ArrayRef<int64_t> row, llvm::ArrayRef<int64_t> dims);

/// Position of the element at `index` in row-major order.
int64_t linearize(llvm::ArrayRef<int64_t> index, llvm::ArrayRef<int64_t> shape);

/// Calls `visit` with each index of a tensor of `shape`, in row-major order.
void forEachIndex(llvm::ArrayRef<int64_t> shape,
                  llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit);

} // namespace convoy::test

#endif // CONVOY_TEST_UNIT_DIALECT_TERMS_H
