//===- PaddedToConvoy.cpp - Padded convolutions as functions ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Conversion/ProblemToConvoy.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::PaddedProblem;
using ::convoy::SpatialDim;

static PaddingMode getPaddingMode(const PaddedProblem &problem) {
  switch (problem.mode) {
  case ::convoy::PaddingMode::Reflect:
    return PaddingMode::Reflect;
  case ::convoy::PaddingMode::Replicate:
    return PaddingMode::Replicate;
  case ::convoy::PaddingMode::Circular:
    return PaddingMode::Circular;
  }
  llvm_unreachable("unknown mode");
}

namespace {
/// The padding of the input of a convolution, dimension by dimension.
struct InputPadding {
  InputPadding(const PaddedProblem &problem, ConvolutionOpInterface op);

  /// `type` of an input with the padding.
  RankedTensorType pad(RankedTensorType type, Type element) const {
    SmallVector<int64_t> shape;
    for (auto [size, before, after] :
         llvm::zip_equal(type.getShape(), low, high))
      shape.push_back(size + before + after);
    return RankedTensorType::get(shape, element);
  }

  PaddingMode mode;
  SmallVector<int64_t> low, high;
  /// The window of what is padded: it may crop, still.
  WindowAttr window;
};
} // namespace

InputPadding::InputPadding(const PaddedProblem &problem,
                           ConvolutionOpInterface op)
    : mode(getPaddingMode(problem)) {
  const std::vector<SpatialDim> &spatial = problem.conv.shape.spatial;
  std::string_view letters =
      ::convoy::spatialLetters(problem.conv.shape.spatialRank());
  for (char letter : op.getLayout().getInput()) {
    size_t dim = letters.find(letter);
    bool isSpatial = dim != std::string_view::npos;
    low.push_back(isSpatial ? std::max<int64_t>(spatial[dim].window.padLow, 0)
                            : 0);
    high.push_back(isSpatial ? std::max<int64_t>(spatial[dim].window.padHigh, 0)
                             : 0);
  }
  SmallVector<::convoy::WindowDim> dims;
  for (const SpatialDim &dim : spatial) {
    dims.push_back(dim.window);
    dims.back().padLow = std::min<int64_t>(dim.window.padLow, 0);
    dims.back().padHigh = std::min<int64_t>(dim.window.padHigh, 0);
  }
  window = WindowAttr::get(op->getContext(), dims);
}

/// Lets `op` read its input with padding.
template <typename OpTy>
static void padInput(OpBuilder &builder, OpTy op, const InputPadding &padding) {
  RankedTensorType type = op.getInput().getType();
  Value padded = builder.createOrFold<PadOp>(
      op.getLoc(), padding.pad(type, type.getElementType()), op.getInput(),
      padding.mode, padding.low, padding.high);
  op.getInputMutable().assign(padded);
  op.setWindowAttr(padding.window);
}

/// Makes `op`, which adds to zeros, the gradient of the padded input, in the
/// type of its sums, and adds the padding up.
static void padGradient(OpBuilder &builder, ConvBackwardDataOp op,
                        const InputPadding &padding) {
  Location loc = op.getLoc();
  Type sum = op.getNumerics().getAccumulator();
  if (!sum)
    sum = op.getType().getElementType();
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(sum));
  Value empty = tensor::EmptyOp::create(
      builder, loc, padding.pad(op.getType(), sum).getShape(), sum);
  Value init = linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
  Value gradient = ConvBackwardDataOp::create(
      builder, loc, op.getOutputGradient(), op.getFilter(), init,
      op.getZeroPoints(), op.getLayout(), padding.window, op.getNumerics());
  op.replaceAllUsesWith(builder.createOrFold<PadBackwardOp>(
      loc, op.getType(), gradient, padding.mode, padding.low, padding.high));
  op.erase();
}

func::FuncOp mlir::convoy::buildPaddedProblem(OpBuilder &builder, Location loc,
                                              const PaddedProblem &problem,
                                              StringRef name) {
  // The function of the convolution has all but the padding.
  func::FuncOp function = buildProblem(builder, loc, problem.conv, name);
  ConvolutionOpInterface op =
      *function.front().getOps<ConvolutionOpInterface>().begin();
  InputPadding padding(problem, op);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(op);
  if (auto forward = dyn_cast<ConvOp>(*op))
    padInput(builder, forward, padding);
  else if (auto filter = dyn_cast<ConvBackwardFilterOp>(*op))
    padInput(builder, filter, padding);
  else
    padGradient(builder, cast<ConvBackwardDataOp>(*op), padding);
  return function;
}
