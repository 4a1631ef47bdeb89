//===- Element.cpp - How elements of tensors come about ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Element.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::convoy;

//===----------------------------------------------------------------------===//
// What is inlined
//===----------------------------------------------------------------------===//

/// Whether `use` reads elements, one for each that its owner computes, and so
/// can take them as they are computed.
static bool readsElementwise(OpOperand &use) {
  if (auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(use.getOwner()))
    return use == insert.getSourceMutable();
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(use.getOwner()))
    return use == insert.getSourceMutable();
  auto generic = dyn_cast<linalg::GenericOp>(use.getOwner());
  if (!generic)
    return false;
  if (generic.getNumReductionLoops() > 0)
    return generic.isDpsInit(&use);
  return generic.getMatchingIndexingMap(&use).isPermutation();
}

/// Whether `use` reads elements, in any number and order.
static bool readsElements(OpOperand &use) {
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(use.getOwner()))
    return use == insert.getSourceMutable();
  if (auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(use.getOwner()))
    return use == insert.getSourceMutable();
  return isa<linalg::LinalgOp, tensor::ExtractSliceOp, tensor::PadOp,
             tensor::ExpandShapeOp, tensor::CollapseShapeOp, Im2colOp>(
      use.getOwner());
}

bool mlir::convoy::isInlined(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
          tensor::CollapseShapeOp, tensor::EmptyOp, arith::ConstantOp>(op))
    return true;
  if (isa<tensor::PadOp, linalg::FillOp, Im2colOp>(op))
    return llvm::all_of(value.getUses(), readsElements);
  return isa<linalg::GenericOp>(op) && value.hasOneUse() &&
         readsElementwise(*value.use_begin());
}

//===----------------------------------------------------------------------===//
// Where elements come from
//===----------------------------------------------------------------------===//

AffineExpr mlir::convoy::getAddress(ShapedType type,
                                    ArrayRef<AffineExpr> index) {
  AffineExpr address = getAffineConstantExpr(0, type.getContext());
  AffineExpr batch = getAffineSymbolExpr(0, type.getContext());
  for (auto [size, position] : llvm::zip_equal(type.getShape(), index))
    address = (ShapedType::isDynamic(size) ? address * batch : address * size) +
              position;
  return address;
}

void mlir::convoy::appendAddresses(const Element &element,
                                   SmallVectorImpl<AffineExpr> &addresses) {
  if (element.kind == Element::Kind::Load)
    addresses.push_back(element.address);
  for (const Element &part : element.parts)
    appendAddresses(part, addresses);
}

/// Adds the condition that 0 <= expr < size unless it always holds. False where
/// it never does.
static bool requireInside(const IndexSpace &space, AffineExpr expr,
                          int64_t size, Element &element) {
  IndexSpace::Range range = space.getRange(expr);
  if (range.low < 0 || range.high >= size)
    element.inside.emplace_back(expr, size);
  return range.high >= 0 && range.low < size;
}

namespace {
/// Follows one element back to memory.
class Resolver {
public:
  Resolver(IndexSpace &space, Value given) : space(space), given(given) {}

  /// The element as `tensor`'s op computes it.
  FailureOr<Element> compute(Value tensor, ArrayRef<AffineExpr> index);

  /// The element: given, computed if `tensor` is inlined, else read.
  FailureOr<Element> resolve(Value tensor, ArrayRef<AffineExpr> index);

private:
  FailureOr<Element> load(Value tensor, ArrayRef<AffineExpr> index);
  FailureOr<Element> resolveSlice(tensor::ExtractSliceOp op,
                                  ArrayRef<AffineExpr> index);
  FailureOr<Element> resolvePad(tensor::PadOp op, ArrayRef<AffineExpr> index);
  FailureOr<Element> resolveRows(Im2colOp op, ArrayRef<AffineExpr> index);
  FailureOr<Element> resolveExpand(tensor::ExpandShapeOp op,
                                   ArrayRef<AffineExpr> index);
  FailureOr<Element> resolveCollapse(tensor::CollapseShapeOp op,
                                     ArrayRef<AffineExpr> index);
  FailureOr<Element> resolveGeneric(linalg::GenericOp op,
                                    ArrayRef<AffineExpr> index);
  FailureOr<Element> resolveLoop(scf::ForallOp op, ArrayRef<AffineExpr> index);
  /// A scalar value, which must be a constant.
  FailureOr<Element> resolveScalar(Operation *user, Value value);

  IndexSpace &space;
  Value given;
};
} // namespace

FailureOr<Element> Resolver::resolveScalar(Operation *user, Value value) {
  Element element(Element::Kind::Constant, value.getType());
  Attribute constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return user->emitOpError(
        "expected a constant, since kernels of GPUs take no scalars");
  element.constant = cast<TypedAttr>(constant);
  return element;
}

FailureOr<Element> Resolver::resolveSlice(tensor::ExtractSliceOp op,
                                          ArrayRef<AffineExpr> index) {
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<AffineExpr> source;
  for (auto [dim, offset] : llvm::enumerate(op.getMixedOffsets())) {
    AffineExpr position = space.express(offset);
    std::optional<int64_t> stride =
        getConstantIntValue(op.getMixedStrides()[dim]);
    if (!position || !stride)
      return op.emitOpError("expected a slice at affine offsets");
    if (!dropped[dim]) {
      position = position + index.front() * *stride;
      index = index.drop_front();
    }
    source.push_back(position);
  }
  return resolve(op.getSource(), source);
}

FailureOr<Element> Resolver::resolvePad(tensor::PadOp op,
                                        ArrayRef<AffineExpr> index) {
  Element element(Element::Kind::Guarded, op.getType().getElementType());
  Value padding = op.getConstantPaddingValue();
  if (!padding)
    return op.emitOpError("expected one value for all of the padding");
  SmallVector<AffineExpr> source;
  bool isPossible = true;
  for (auto [dim, low] : llvm::enumerate(op.getMixedLowPad())) {
    AffineExpr offset = space.express(low);
    bool isDynamic = op.getSourceType().isDynamicDim(dim);
    if (isDynamic && isZeroInteger(low) &&
        isZeroInteger(op.getMixedHighPad()[dim])) {
      source.push_back(index[dim]);
      continue;
    }
    if (!offset || isDynamic)
      return op.emitOpError("expected static padding");
    source.push_back(index[dim] - offset);
    isPossible &= requireInside(space, source.back(),
                                op.getSourceType().getDimSize(dim), element);
  }
  FailureOr<Element> outside = resolveScalar(op, padding);
  if (failed(outside) || !isPossible)
    return outside;
  FailureOr<Element> inside = resolve(op.getSource(), source);
  if (failed(inside) || element.inside.empty())
    return inside;
  element.parts = {*inside, *outside};
  return element;
}

FailureOr<Element> Resolver::resolveRows(Im2colOp op,
                                         ArrayRef<AffineExpr> index) {
  if (op.getWindow().hasPadding())
    return op.emitOpError("expected windows that stay in the input");
  Im2colLayoutAttr layout = op.getLayout();
  SmallVector<OpFoldResult> sizes =
      getMixedValues(op.getType().getShape(), op.getSizes(), op.getContext());
  SmallVector<AffineExpr> taps;
  for (auto [dim, letter] :
       llvm::enumerate(::convoy::spatialLetters(layout.getSpatialRank()))) {
    if (!op.getWindow().getDim(dim).reverse)
      continue;
    AffineExpr size = space.express(sizes[layout.getWindowDim(letter)]);
    if (!size)
      return op.emitOpError("expected affine numbers of reversed taps");
    taps.push_back(size);
  }
  SmallVector<AffineExpr> source;
  for (AffineExpr expr : op.getIndexMap().getResults())
    source.push_back(expr.replaceDimsAndSymbols(index, taps));
  return resolve(op.getInput(), source);
}

FailureOr<Element> Resolver::resolveExpand(tensor::ExpandShapeOp op,
                                           ArrayRef<AffineExpr> index) {
  SmallVector<AffineExpr> source;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    AffineExpr position = space.getConstant(0);
    for (int64_t dim : group) {
      // The size of a dimension matters where others stand before it.
      IndexSpace::Range before = space.getRange(position);
      bool isFirst = before.low == 0 && before.high == 0;
      if (!isFirst && op.getResultType().isDynamicDim(dim))
        return op.emitOpError("expected static sizes");
      position =
          isFirst ? index[dim]
                  : position * op.getResultType().getDimSize(dim) + index[dim];
    }
    source.push_back(position);
  }
  return resolve(op.getSrc(), source);
}

FailureOr<Element> Resolver::resolveCollapse(tensor::CollapseShapeOp op,
                                             ArrayRef<AffineExpr> index) {
  SmallVector<AffineExpr> source;
  for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
    SmallVector<AffineExpr> positions;
    AffineExpr rest = index[dim];
    auto hasSizeOne = [&](int64_t inner) {
      return op.getSrcType().getDimSize(inner) == 1;
    };
    for (int64_t inner : llvm::reverse(group)) {
      int64_t size = op.getSrcType().getDimSize(inner);
      bool isOutermost =
          llvm::all_of(llvm::seq(group.front(), inner), hasSizeOne);
      if (!isOutermost && ShapedType::isDynamic(size))
        return op.emitOpError("expected static sizes");
      positions.push_back(isOutermost ? rest : rest % size);
      rest = isOutermost ? space.getConstant(0) : rest.floorDiv(size);
    }
    source.append(positions.rbegin(), positions.rend());
  }
  return resolve(op.getSrc(), source);
}

FailureOr<Element> Resolver::resolveGeneric(linalg::GenericOp op,
                                            ArrayRef<AffineExpr> index) {
  Element element(Element::Kind::Computed,
                  getElementTypeOrSelf(op.getResultTypes()[0]));
  element.op = op;
  AffineMap result = op.getIndexingMapsArray().back();
  if (op.getNumResults() != 1 || !result.isProjectedPermutation())
    return op.emitOpError("expected one result, of which each element is "
                          "computed once");
  SmallVector<AffineExpr> loops(op.getNumLoops());
  for (auto [expr, position] : llvm::zip_equal(result.getResults(), index))
    loops[cast<AffineDimExpr>(expr).getPosition()] = position;
  for (auto [loop, size] : llvm::enumerate(op.getStaticLoopRanges())) {
    if (loops[loop])
      continue;
    element.kind = Element::Kind::Reduced;
    loops[loop] = space.add(space.getIndices(size == 0 ? 1 : size));
    element.loops.emplace_back(loops[loop], size);
  }
  for (OpOperand &operand : op->getOpOperands()) {
    if (op.getMatchingBlockArgument(&operand).use_empty()) {
      Element unused(Element::Kind::Constant,
                     getElementTypeOrSelf(operand.get().getType()));
      unused.constant = Builder(op.getContext()).getZeroAttr(unused.type);
      element.parts.push_back(unused);
      continue;
    }
    if (op.isScalar(&operand)) {
      FailureOr<Element> part = resolveScalar(op, operand.get());
      if (failed(part))
        return failure();
      element.parts.push_back(*part);
      continue;
    }
    SmallVector<AffineExpr> source;
    for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults())
      source.push_back(expr.replaceDims(loops));
    FailureOr<Element> part = resolve(operand.get(), source);
    if (failed(part))
      return failure();
    element.parts.push_back(*part);
  }
  return element;
}

/// Of a loop whose iterations each write one index of some dimensions, and all
/// of the others.
FailureOr<Element> Resolver::resolveLoop(scf::ForallOp op,
                                         ArrayRef<AffineExpr> index) {
  auto inserts = op.getTerminator().getYieldingOps();
  auto insert = llvm::hasSingleElement(inserts)
                    ? dyn_cast<tensor::ParallelInsertSliceOp>(*inserts.begin())
                    : nullptr;
  if (!insert || op.getNumResults() != 1)
    return op.emitOpError("expected one slice that is written");
  llvm::SmallBitVector dropped = insert.getDroppedDims();
  SmallVector<Value> numbers = op.getInductionVars();
  SmallVector<AffineExpr> source;
  for (auto [dim, offset] : llvm::enumerate(insert.getMixedOffsets())) {
    auto number = llvm::find(numbers, dyn_cast<Value>(offset));
    bool isWhole = isZeroInteger(offset);
    if (!isWhole && (number == numbers.end() || !dropped[dim]))
      return op.emitOpError("expected iterations that write one index each");
    if (!isWhole)
      space.bind(*number, index[dim]);
    if (!dropped[dim])
      source.push_back(index[dim]);
  }
  return compute(insert.getSource(), source);
}

FailureOr<Element> Resolver::load(Value tensor, ArrayRef<AffineExpr> index) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Element element(Element::Kind::Load, type.getElementType());
  element.base = tensor;
  element.address = getAddress(type, index);
  return element;
}

/// The value of all elements of `tensor`, if it is such a constant.
static TypedAttr getSplat(Value tensor) {
  DenseElementsAttr elements;
  if (tensor.getDefiningOp<tensor::EmptyOp>())
    return Builder(tensor.getContext())
        .getZeroAttr(getElementTypeOrSelf(tensor.getType()));
  if (matchPattern(tensor, m_Constant(&elements)) && elements.isSplat())
    return cast<TypedAttr>(elements.getSplatValue<Attribute>());
  return {};
}

FailureOr<Element> Resolver::compute(Value tensor, ArrayRef<AffineExpr> index) {
  if (TypedAttr splat = getSplat(tensor)) {
    Element element(Element::Kind::Constant, splat.getType());
    element.constant = splat;
    return element;
  }
  Operation *op = tensor.getDefiningOp();
  if (!op) {
    // What a loop over tiles writes to starts as its operand.
    auto argument = cast<BlockArgument>(tensor);
    if (auto tiles =
            dyn_cast<scf::ForallOp>(argument.getOwner()->getParentOp()))
      return resolve(tiles.getTiedOpOperand(argument)->get(), index);
    return load(tensor, index);
  }
  return TypeSwitch<Operation *, FailureOr<Element>>(op)
      .Case([&](tensor::ExtractSliceOp op) { return resolveSlice(op, index); })
      .Case([&](tensor::PadOp op) { return resolvePad(op, index); })
      .Case([&](Im2colOp op) { return resolveRows(op, index); })
      .Case([&](tensor::ExpandShapeOp op) { return resolveExpand(op, index); })
      .Case([&](tensor::CollapseShapeOp op) {
        return resolveCollapse(op, index);
      })
      .Case([&](linalg::FillOp op) {
        return resolveScalar(op, op.getInputs()[0]);
      })
      .Case([&](linalg::GenericOp op) { return resolveGeneric(op, index); })
      .Case([&](scf::ForallOp op) { return resolveLoop(op, index); })
      .Case([](arith::ConstantOp op) {
        return op.emitOpError("expected no constant tensor, since kernels of "
                              "GPUs take all data as arguments");
      })
      .Default([&](Operation *) { return load(tensor, index); });
}

FailureOr<Element> Resolver::resolve(Value tensor, ArrayRef<AffineExpr> index) {
  if (tensor == given) {
    Element element(Element::Kind::Given,
                    getElementTypeOrSelf(given.getType()));
    element.base = given;
    return element;
  }
  return isInlined(tensor) || isa<BlockArgument>(tensor)
             ? compute(tensor, index)
             : load(tensor, index);
}

FailureOr<Element> mlir::convoy::resolveElement(IndexSpace &space, Value tensor,
                                                ArrayRef<AffineExpr> index,
                                                Value given) {
  Resolver resolver(space, given);
  return tensor == given ? resolver.resolve(tensor, index)
                         : resolver.compute(tensor, index);
}
