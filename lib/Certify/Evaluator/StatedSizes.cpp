//===- StatedSizes.cpp - Sizes that ops take for equal ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StatedSizes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using DimPairs = SmallVector<std::pair<Dimension, Dimension>>;

//===----------------------------------------------------------------------===//
// Equal dimensions
//===----------------------------------------------------------------------===//

/// Adds the dimensions of two tensors or buffers of one rank.
static void addAll(Value a, Value b, DimPairs &pairs) {
  for (int64_t dim = 0; dim < cast<ShapedType>(a.getType()).getRank(); ++dim)
    pairs.push_back({{a, dim}, {b, dim}});
}

/// Adds the dimensions of the letters that two tensors share and `isShared`
/// holds for.
static void addLetters(Value a, StringRef layout, Value b, StringRef other,
                       function_ref<bool(char)> isShared, DimPairs &pairs) {
  for (auto [dim, letter] : llvm::enumerate(layout))
    if (size_t place = other.find(letter);
        place != StringRef::npos && isShared(letter))
      pairs.push_back({{a, int64_t(dim)}, {b, int64_t(place)}});
}

static bool isNoSpatial(char letter) { return !ConvRoles::isSpatial(letter); }

/// Adds, for each loop, the dimensions that give its size.
static void addLoops(linalg::LinalgOp op, DimPairs &pairs) {
  SmallVector<std::optional<Dimension>> first(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands())
    for (auto [number, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop)
        continue;
      Dimension dim = {operand.get(), int64_t(number)};
      if (std::optional<Dimension> &known = first[loop.getPosition()])
        pairs.emplace_back(*known, dim);
      else
        known = dim;
    }
}

/// Adds the static sizes of what `op` makes of a tensor.
static void addCast(tensor::CastOp op, DimPairs &pairs) {
  auto from = dyn_cast<RankedTensorType>(op.getSource().getType());
  auto to = dyn_cast<RankedTensorType>(op.getType());
  for (int64_t dim = 0; from && to && dim < to.getRank(); ++dim)
    if (!to.isDynamicDim(dim))
      pairs.push_back({{op.getResult(), dim}, {op.getSource(), dim}});
}

/// Adds what each iteration passes to the next: its sizes are those of the
/// first.
static void addCarried(scf::YieldOp op, DimPairs &pairs) {
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  if (!loop)
    return;
  for (auto [init, yielded] :
       llvm::zip_equal(loop.getInitArgs(), op.getOperands()))
    if (isa<RankedTensorType>(init.getType()))
      addAll(init, yielded, pairs);
}

/// Adds the dimensions of a result and of operands that are broadcast to it.
static void addBroadcast(Operation *op, DimPairs &pairs) {
  auto to = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  for (Value operand : op->getOperands()) {
    auto from = dyn_cast<RankedTensorType>(operand.getType());
    for (int64_t dim = 0;
         to && from && from.getRank() == to.getRank() && dim < to.getRank();
         ++dim)
      if (from.getDimSize(dim) != 1)
        pairs.push_back({{op->getResult(0), dim}, {operand, dim}});
  }
}

/// Adds those of a buffer of the caller and of the tensor that it starts as.
static void addCopy(memref::CopyOp op, DimPairs &pairs) {
  if (auto source = op.getSource().getDefiningOp<bufferization::ToBufferOp>())
    if (isFunctionArgument(op.getTarget()))
      addAll(op.getTarget(), source.getTensor(), pairs);
}

static void addConvolution(ConvolutionOpInterface op, DimPairs &pairs) {
  ConvRoles roles(op);
  for (auto [first, second] :
       {std::pair(0, 1), std::pair(0, 2), std::pair(1, 2)})
    addLetters(roles.tensors[first], roles.layouts[first],
               roles.tensors[second], roles.layouts[second], isNoSpatial,
               pairs);
}

static void addDeformed(DeformConvOp op, DimPairs &pairs) {
  ConvLayoutAttr layout = op.getLayout();
  addLetters(op.getInput(), layout.getInput(), op.getInit(), layout.getOutput(),
             isNoSpatial, pairs);
  for (Value moved : {Value(op.getOffset()), Value(op.getMask())})
    if (moved)
      addLetters(
          op.getInit(), layout.getOutput(), moved, op.getOffsetLayout(),
          [](char letter) { return letter != 'c'; }, pairs);
}

static void addSample(GridSampleOp op, DimPairs &pairs) {
  SampleLayoutAttr layout = op.getLayout();
  addLetters(op.getResult(), layout.getOutput(), op.getInput(),
             layout.getInput(), isNoSpatial, pairs);
  addLetters(
      op.getResult(), layout.getOutput(), op.getGrid(), layout.getGrid(),
      [](char letter) { return letter != 'c'; }, pairs);
}

/// Adds those of an image and of the rows that it is unfolded to.
static void addRows(Im2colLayoutAttr layout, Value image, Value rows,
                    DimPairs &pairs) {
  addLetters(image, layout.getInput(), rows, layout.getRowsLetters(),
             isNoSpatial, pairs);
}

DimPairs certify::getEqualDims(Operation *op) {
  DimPairs pairs;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](linalg::LinalgOp op) { addLoops(op, pairs); })
      .Case([&](tensor::CastOp op) { addCast(op, pairs); })
      .Case([&](scf::YieldOp op) { addCarried(op, pairs); })
      .Case([&](bufferization::MaterializeInDestinationOp op) {
        addAll(op.getDest(), op.getSource(), pairs);
      })
      .Case([&](memref::CopyOp op) { addCopy(op, pairs); })
      .Case([&](ConvolutionOpInterface op) { addConvolution(op, pairs); })
      .Case([&](DeformConvOp op) { addDeformed(op, pairs); })
      .Case([&](GridSampleOp op) { addSample(op, pairs); })
      .Case([&](Im2colOp op) {
        addRows(op.getLayout(), op.getInput(), op.getResult(), pairs);
      })
      .Case([&](Col2imOp op) {
        addRows(op.getLayout(), op.getResult(), op.getInput(), pairs);
      })
      .Default([&](Operation *op) {
        if (op->hasTrait<OpTrait::ResultsBroadcastableShape>())
          return addBroadcast(op, pairs);
        for (Value result : op->getResults())
          for (Value operand : getElementwiseOperands(op))
            addAll(result, operand, pairs);
      });
  // Of static sizes that are equal nothing is left to say.
  llvm::erase_if(pairs, [](const auto &pair) {
    auto isStatic = [](const Dimension &dim) {
      return !cast<ShapedType>(dim.tensor.getType()).isDynamicDim(dim.number);
    };
    return isStatic(pair.first) && isStatic(pair.second);
  });
  return pairs;
}

//===----------------------------------------------------------------------===//
// Other sizes
//===----------------------------------------------------------------------===//

bool certify::isStated(tensor::PadOp op, int64_t dim) {
  return !op.getResultType().isDynamicDim(dim) &&
         (op.getSourceType().isDynamicDim(dim) ||
          ShapedType::isDynamic(op.getStaticLow()[dim]) ||
          ShapedType::isDynamic(op.getStaticHigh()[dim]));
}

FailureOr<SmallVector<std::pair<Dimension, Size>>>
certify::getExpandedSizes(tensor::ExpandShapeOp op, SymbolicSizes &sizes,
                          FirstObstacle &obstacle) {
  SmallVector<std::pair<Dimension, Size>> all;
  SmallVector<OpFoldResult> shape = op.getMixedOutputShape();
  for (auto [source, group] : llvm::enumerate(op.getReassociationIndices())) {
    DynamicAPInt factor(1);
    std::optional<Size> open;
    for (int64_t dim : group) {
      if (std::optional<int64_t> size = getConstantIntValue(shape[dim])) {
        factor *= DynamicAPInt(*size);
        continue;
      }
      if (open)
        return obstacle.undecided(op, "a product of dynamic sizes");
      FailureOr<Size> size = sizes.evaluateSize(shape[dim], op);
      if (failed(size))
        return failure();
      open = *size;
    }
    if (!open && !op.getSrcType().isDynamicDim(source))
      continue;
    Size product = open.value_or(Size{1});
    for (LinearExpr &bound : product)
      bound = bound * factor;
    all.push_back({{op.getSrc(), int64_t(source)}, product});
  }
  return all;
}

LinearExpr OpenWindow::getReach(const LinearExpr &at) const {
  LinearExpr last = window.reverse ? LinearExpr(0) : taps - 1;
  return window.getDilatedInput(at, last, taps) + 1 -
         LinearExpr(window.padHigh);
}

LinearExpr OpenWindow::getCovered(const LinearExpr &count) const {
  return count * DynamicAPInt(window.stride) +
         (taps - 1) * DynamicAPInt(window.dilation) -
         LinearExpr(window.padLow + window.padHigh);
}

FailureOr<SmallVector<OpenWindow, 0>>
certify::getOpenWindows(ConvolutionOpInterface op, SymbolicSizes &sizes) {
  ConvRoles roles(op);
  SmallVector<OpenWindow, 0> windows;
  unsigned spatialDim = 0;
  for (char letter : StringRef("dhw")) {
    if (!roles.layouts[ConvRoles::Filter].contains(letter))
      continue;
    Window window(op.getWindow(), spatialDim++);
    SmallVector<Size> all;
    for (auto [tensor, layout] :
         llvm::zip_equal(roles.tensors, roles.layouts)) {
      FailureOr<Size> size = sizes.getSize(tensor, layout.find(letter));
      if (failed(size))
        return failure();
      all.push_back(*size);
    }
    bool isOpen = llvm::any_of(all, [](const Size &size) {
      return size.size() > 1 || !size.front().isConstant();
    });
    if (!isOpen || window.inputDilation != 1)
      continue;
    FailureOr<LinearExpr> taps =
        sizes.getSingleSize(roles.tensors[ConvRoles::Filter],
                            roles.layouts[ConvRoles::Filter].find(letter));
    if (failed(taps))
      return failure();
    windows.push_back(
        {window, all[ConvRoles::Input], all[ConvRoles::Output], *taps});
  }
  return windows;
}

FailureOr<std::optional<std::pair<LinearExpr, LinearExpr>>>
certify::getZeroPointCounts(ConvolutionOpInterface op, SymbolicSizes &sizes) {
  using Counts = std::optional<std::pair<LinearExpr, LinearExpr>>;
  if (!op.hasZeroPointsPerChannel())
    return Counts();
  ConvRoles roles(op);
  Value filter = op->getOperand(1);
  StringRef letters = roles.layouts[ConvRoles::Filter];
  char letter = roles.result == ConvRoles::Output ? 'f' : 'c';
  FailureOr<LinearExpr> count = sizes.getSingleSize(op.getZeroPoints()[1], 0);
  FailureOr<LinearExpr> channels =
      sizes.getSingleSize(filter, letters.find(letter));
  if (failed(count) || failed(channels))
    return failure();
  FailureOr<LinearExpr> groups = LinearExpr(1);
  if (size_t group = letters.find('g'); group != StringRef::npos)
    groups = sizes.getSingleSize(filter, group);
  if (failed(groups))
    return failure();
  if (groups->isConstant())
    return Counts(std::pair(*count, *channels * groups->getConstant()));
  if (channels->isConstant())
    return Counts(std::pair(*count, *groups * channels->getConstant()));
  return Counts();
}
