//===- PaddedReads.cpp - Where nothing but padding is read ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PaddedReads.h"

#include "convoy/Transforms/Utils/Copies.h"
#include "convoy/Transforms/Utils/LinearIndex.h"
#include "convoy/Transforms/Utils/LoopValues.h"
#include "convoy/Transforms/Utils/Reassociation.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::convoy;

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

bool PaddedRead::variesIn(Operation *op) const {
  return llvm::any_of(operands, [&](Value operand) {
    return op->isAncestor(operand.getParentBlock()->getParentOp());
  });
}

AffineExpr PaddedRead::getStart(MLIRContext *context,
                                std::optional<unsigned> without) const {
  AffineExpr start = getAffineConstantExpr(constant, context);
  for (auto [number, coefficient] : llvm::enumerate(coefficients))
    if (number != without)
      start = start + getAffineDimExpr(number, context) * coefficient;
  return start;
}

Value PaddedRead::isRead(OpBuilder &builder, Location loc) const {
  Value start = affine::AffineApplyOp::create(
      builder, loc,
      AffineMap::get(operands.size(), 0, getStart(builder.getContext())),
      operands);
  auto compare = [&](arith::CmpIPredicate predicate, int64_t bound) -> Value {
    return arith::CmpIOp::create(
        builder, loc, predicate, start,
        arith::ConstantIndexOp::create(builder, loc, bound));
  };
  Value isBehindLeast = compare(arith::CmpIPredicate::sge, least);
  Value isBeforeEnd = compare(arith::CmpIPredicate::slt, end);
  return arith::AndIOp::create(builder, loc, isBehindLeast, isBeforeEnd);
}

bool PaddedRead::narrow(RewriterBase &rewriter, scf::ForOp loop) const {
  const auto *it = llvm::find(operands, loop.getInductionVar());
  if (it == operands.end())
    return false;
  unsigned number = it - operands.begin();
  int64_t coefficient = coefficients[number];
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (step != 1 || coefficient == 0 || loop.getUnsignedCmp())
    return false;
  rewriter.setInsertionPoint(loop);
  MLIRContext *context = rewriter.getContext();
  AffineExpr rest = getStart(context, number);
  // The variable's first value with a start from `least` on, and with one from
  // `end` on; where starts go down, with one below `end` and below `least`.
  AffineExpr first = (least - rest).ceilDiv(coefficient),
             last = (end - rest).ceilDiv(coefficient);
  if (coefficient < 0) {
    first = (rest - end + 1).ceilDiv(-coefficient);
    last = (rest - least + 1).ceilDiv(-coefficient);
  }
  // The loop's bound, in the place of its variable, and that of the padding.
  auto getLimits = [&](AffineExpr bound) {
    return AffineMap::get(operands.size(), 0,
                          {getAffineDimExpr(number, context), bound}, context);
  };
  SmallVector<OpFoldResult> values(operands.begin(), operands.end());
  Location loc = loop.getLoc();
  values[number] = loop.getLowerBound();
  OpFoldResult low = affine::makeComposedFoldedAffineMax(
      rewriter, loc, getLimits(first), values);
  values[number] = loop.getUpperBound();
  OpFoldResult high = affine::makeComposedFoldedAffineMin(
      rewriter, loc, getLimits(last), values);
  rewriter.modifyOpInPlace(loop, [&] {
    loop.setLowerBound(getValueOrCreateConstantIndexOp(rewriter, loc, low));
    loop.setUpperBound(getValueOrCreateConstantIndexOp(rewriter, loc, high));
  });
  return true;
}

//===----------------------------------------------------------------------===//
// Finding them
//===----------------------------------------------------------------------===//

namespace {
/// The box of a tensor that is read, followed to where its elements come from.
class Box {
public:
  /// All of `tensor`.
  explicit Box(Value tensor);

  /// Goes on to the padded tensor, if nothing but slices, copies and reshapes
  /// lies between.
  tensor::PadOp followToPad();
  /// Where `pad` is read along its dimension `dim`.
  std::optional<PaddedRead> getRead(tensor::PadOp pad, unsigned dim) const;

private:
  /// Indices along a dimension: `size` from `offset`, an expression of the
  /// operands, on. The size is dynamic where nothing is known.
  struct Extent {
    AffineExpr offset;
    int64_t size;
  };
  void follow(tensor::ExtractSliceOp slice);
  /// False, and nothing done, where the copy's map is not linear.
  bool follow(linalg::GenericOp copy);
  void follow(tensor::CollapseShapeOp collapse);
  void follow(tensor::ExpandShapeOp expand);
  /// Index 0 alone.
  Extent getFirst() const { return {getAffineConstantExpr(0, context), 1}; }
  /// Indices of which nothing is known.
  Extent getUnknown() const {
    return {getAffineConstantExpr(0, context), ShapedType::kDynamic};
  }
  AffineExpr getExpr(OpFoldResult value);

  MLIRContext *context;
  Value tensor;
  SmallVector<Extent> extents;
  SmallVector<Value> operands;
};
} // namespace

Box::Box(Value tensor) : context(tensor.getContext()), tensor(tensor) {
  for (int64_t size : cast<RankedTensorType>(tensor.getType()).getShape())
    extents.push_back({getAffineConstantExpr(0, context), size});
}

AffineExpr Box::getExpr(OpFoldResult value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return getAffineConstantExpr(*constant, context);
  operands.push_back(cast<Value>(value));
  return getAffineDimExpr(operands.size() - 1, context);
}

void Box::follow(tensor::ExtractSliceOp slice) {
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  SmallVector<Extent> sources;
  const Extent *part = extents.begin();
  for (auto [dim, offset, stride] :
       llvm::enumerate(slice.getMixedOffsets(), slice.getMixedStrides())) {
    Extent source{getExpr(offset), 1};
    if (!dropped[dim]) {
      std::optional<int64_t> step = getConstantIntValue(stride);
      bool isKnown = step && *step > 0 && !ShapedType::isDynamic(part->size);
      source.size =
          isKnown ? (part->size - 1) * *step + 1 : ShapedType::kDynamic;
      source.offset = source.offset + part->offset * getExpr(stride);
      ++part;
    }
    sources.push_back(source);
  }
  extents = std::move(sources);
  tensor = slice.getSource();
}

bool Box::follow(linalg::GenericOp copy) {
  AffineMap map = copy.getIndexingMapsArray().front();
  if (!copy.getIndexingMapsArray().back().isIdentity())
    return false;
  SmallVector<AffineExpr> offsets =
      llvm::map_to_vector(extents, [](const Extent &e) { return e.offset; });
  SmallVector<Extent> sources;
  for (AffineExpr expr : map.getResults()) {
    std::optional<SmallVector<int64_t>> coefficients =
        getCoefficients(expr, map.getNumDims(), map.getNumSymbols());
    if (!coefficients)
      return false;
    Extent source{expr.replaceDims(offsets), 1};
    for (auto [coefficient, part] :
         llvm::zip_equal(ArrayRef(*coefficients).drop_back(), extents)) {
      if (coefficient < 0)
        return false;
      if (coefficient == 0 || ShapedType::isDynamic(source.size))
        continue;
      source.size = ShapedType::isDynamic(part.size)
                        ? ShapedType::kDynamic
                        : source.size + coefficient * (part.size - 1);
    }
    sources.push_back(source);
  }
  extents = std::move(sources);
  tensor = copy.getInputs()[0];
  return true;
}

/// The only dimension of `group` in which `shape` has more than one element.
static std::optional<int64_t> getOnlyDim(ArrayRef<int64_t> group,
                                         ArrayRef<int64_t> shape) {
  std::optional<int64_t> only;
  for (int64_t dim : group) {
    if (shape[dim] != 1 && only)
      return std::nullopt;
    if (shape[dim] != 1)
      only = dim;
  }
  return only;
}

void Box::follow(tensor::CollapseShapeOp collapse) {
  ArrayRef<int64_t> shape = collapse.getSrcType().getShape();
  SmallVector<Extent> sources;
  for (int64_t size : shape)
    sources.push_back(size == 1 ? getFirst() : getUnknown());
  for (auto [part, group] : llvm::zip_equal(extents, getDimGroups(collapse)))
    if (std::optional<int64_t> only = getOnlyDim(group, shape))
      sources[*only] = part;
  extents = std::move(sources);
  tensor = collapse.getSrc();
}

void Box::follow(tensor::ExpandShapeOp expand) {
  ArrayRef<int64_t> shape = expand.getResultType().getShape();
  SmallVector<Extent> sources;
  for (const ReassociationIndices &group : getDimGroups(expand)) {
    std::optional<int64_t> only = getOnlyDim(group, shape);
    bool isOne = llvm::all_of(group, [&](auto dim) { return shape[dim] == 1; });
    sources.push_back(only    ? extents[*only]
                      : isOne ? getFirst()
                              : getUnknown());
  }
  extents = std::move(sources);
  tensor = expand.getSrc();
}

tensor::PadOp Box::followToPad() {
  while (true) {
    if (auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>())
      follow(slice);
    else if (auto collapse = tensor.getDefiningOp<tensor::CollapseShapeOp>())
      follow(collapse);
    else if (auto expand = tensor.getDefiningOp<tensor::ExpandShapeOp>())
      follow(expand);
    else if (auto copy = tensor.getDefiningOp<linalg::GenericOp>();
             !copy || !isCopy(copy) || !follow(copy))
      return tensor.getDefiningOp<tensor::PadOp>();
  }
}

/// The least and the largest value of a loop's variable, if known.
static std::optional<std::pair<int64_t, int64_t>> getRange(Value variable) {
  std::optional<LoopValues> values = getLoopValues(variable);
  if (!values || values->count == 0)
    return std::nullopt;
  return std::pair(values->first,
                   values->first + (values->count - 1) * values->step);
}

std::optional<PaddedRead> Box::getRead(tensor::PadOp pad, unsigned dim) const {
  int64_t low = pad.getStaticLow()[dim];
  int64_t size = pad.getSourceType().getDimSize(dim);
  const Extent &extent = extents[dim];
  if (ShapedType::isDynamic(low) || ShapedType::isDynamic(size) ||
      ShapedType::isDynamic(extent.size))
    return std::nullopt;
  AffineMap map = AffineMap::get(operands.size(), 0, extent.offset);
  PaddedRead read;
  read.operands = operands;
  affine::fullyComposeAffineMapAndOperands(&map, &read.operands);
  affine::canonicalizeMapAndOperands(&map, &read.operands);
  std::optional<SmallVector<int64_t>> coefficients =
      getCoefficients(map.getResult(0), map.getNumDims(), map.getNumSymbols());
  if (!coefficients)
    return std::nullopt;
  read.constant = coefficients->pop_back_val();
  read.coefficients = std::move(*coefficients);
  read.least = low - extent.size + 1;
  read.end = low + size;
  int64_t least = read.constant, most = read.constant;
  for (auto [operand, coefficient] :
       llvm::zip_equal(read.operands, read.coefficients)) {
    auto range = getRange(operand);
    if (!range)
      return std::nullopt;
    least += coefficient * (coefficient > 0 ? range->first : range->second);
    most += coefficient * (coefficient > 0 ? range->second : range->first);
  }
  bool skipsSome = least < read.least || most >= read.end;
  bool readsSome = most >= read.least && least < read.end;
  return skipsSome && readsSome ? std::optional(read) : std::nullopt;
}

SmallVector<PaddedRead> mlir::convoy::findPaddedReads(Value factor) {
  if (!isa<RankedTensorType>(factor.getType()))
    return {};
  Box box(factor);
  tensor::PadOp pad = box.followToPad();
  Value padding = pad ? pad.getConstantPaddingValue() : Value();
  if (!padding || !(matchPattern(padding, m_Zero()) ||
                    matchPattern(padding, m_AnyZeroFloat())))
    return {};
  SmallVector<PaddedRead> reads;
  for (unsigned dim = 0; dim < pad.getType().getRank(); ++dim)
    if (std::optional<PaddedRead> read = box.getRead(pad, dim))
      reads.push_back(*read);
  return reads;
}
