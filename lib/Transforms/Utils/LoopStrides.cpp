//===- LoopStrides.cpp - How far apart operands are read --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/LoopStrides.h"

#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "convoy/Transforms/Utils/LinearIndex.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::convoy;

FailureOr<LoopStrides>
mlir::convoy::getLoopStrides(AffineMap map,
                             ArrayRef<std::optional<int64_t>> dimStrides) {
  LoopStrides strides(map.getNumDims(), 0);
  for (auto [expr, dimStride] : llvm::zip_equal(map.getResults(), dimStrides)) {
    std::optional<SmallVector<int64_t>> coefficients =
        getCoefficients(expr, map.getNumDims(), map.getNumSymbols());
    if (!coefficients)
      return failure();
    for (unsigned loop = 0; loop < map.getNumDims(); ++loop) {
      int64_t coefficient = (*coefficients)[loop];
      if (coefficient == 0)
        continue;
      if (strides[loop] && dimStride)
        *strides[loop] += coefficient * *dimStride;
      else
        strides[loop] = std::nullopt;
    }
  }
  return strides;
}

/// Distances of `operand`, which is read at `map`'s results: of what it is a
/// part of, where it is one of consecutive elements.
static LoopStrides getStrides(AffineMap map, Value operand) {
  auto type = cast<RankedTensorType>(operand.getType());
  while (auto slice = operand.getDefiningOp<tensor::ExtractSliceOp>()) {
    if (!slice.hasUnitStride() ||
        slice.getSourceType().getRank() != type.getRank())
      break;
    operand = slice.getSource();
    type = slice.getSourceType();
  }
  LoopStrides dimStrides(type.getRank());
  std::optional<int64_t> stride = 1;
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    dimStrides[dim] = stride;
    if (!stride || type.isDynamicDim(dim))
      stride = std::nullopt;
    else
      *stride *= type.getDimSize(dim);
  }
  FailureOr<LoopStrides> strides = getLoopStrides(map, dimStrides);
  assert(succeeded(strides) && "index maps of convolutions are linear");
  return *strides;
}

AffineMap mlir::convoy::getIndexMapOfOneTap(Im2colOp rows) {
  AffineMap map = rows.getIndexMap();
  SmallVector<AffineExpr> ones(map.getNumSymbols(),
                               getAffineConstantExpr(1, rows.getContext()));
  return map.replaceDimsAndSymbols({}, ones, map.getNumDims(), 0);
}

SmallVector<LoopStrides>
mlir::convoy::getLoopStrides(linalg::GenericOp contraction, Im2colOp rows) {
  SmallVector<AffineMap> maps = contraction.getIndexingMapsArray();
  return {
      getStrides(getIndexMapOfOneTap(rows).compose(maps[0]), rows.getInput()),
      getStrides(maps[1], contraction.getInputs()[1]),
      getStrides(maps[2], contraction.getOutputs()[0])};
}

int64_t mlir::convoy::getElementBytes(Value tensor) {
  return getElementBytes(getElementTypeOrSelf(tensor.getType()));
}
