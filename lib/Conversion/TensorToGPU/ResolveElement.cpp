//===- ResolveElement.cpp - Follows elements back to memory -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Element.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/Utils/PadSizes.h"
#include "convoy/Transforms/Utils/Reassociation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::convoy;

/// Whether `op` computes with elements, and may compute with vectors of them.
/// Divisions do, since no element is computed that the function does not ask
/// for.
static bool isElementwise(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) && isMemoryEffectFree(op) &&
         op->getNumRegions() == 0;
}

static Element makeConstant(TypedAttr value) {
  Element element(Element::Kind::Constant, value.getType());
  element.constant = value;
  return element;
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

  FailureOr<Element> resolveBody(linalg::GenericOp op,
                                 ArrayRef<AffineExpr> loops);

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
  FailureOr<Element> resolveGeneric(linalg::GenericOp op, unsigned number,
                                    ArrayRef<AffineExpr> index);
  FailureOr<Element> resolveOperand(linalg::GenericOp op, OpOperand &operand,
                                    ArrayRef<AffineExpr> loops);
  FailureOr<Element> resolveLoop(scf::ForallOp op, ArrayRef<AffineExpr> index);
  /// A number that is the same for all that `user` computes.
  FailureOr<Element> resolveScalar(Operation *user, Value value);
  /// An element of a tensor at a place that a body computes.
  FailureOr<Element> resolveGathered(tensor::ExtractOp op);
  Element makeIndex(AffineExpr expr) {
    Element index(Element::Kind::Index, IndexType::get(expr.getContext()));
    index.address = expr;
    return index;
  }

  IndexSpace &space;
  Value given;
};
} // namespace

FailureOr<Element> Resolver::resolveScalar(Operation *user, Value value) {
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant)))
    return makeConstant(cast<TypedAttr>(constant));
  if (value.getType().isIndex()) {
    Element index(Element::Kind::Index, value.getType());
    index.address = space.express(value);
    if (index.address)
      return index;
  }
  Operation *op = value.getDefiningOp();
  Element element(Element::Kind::Scalar, value.getType());
  element.base = value;
  element.op = op;
  if (auto extract = dyn_cast_or_null<tensor::ExtractOp>(op)) {
    SmallVector<AffineExpr> index;
    for (Value position : extract.getIndices()) {
      index.push_back(space.express(position));
      if (!index.back())
        return op->emitOpError("expected an element at an affine place");
    }
    FailureOr<Element> part = resolve(extract.getTensor(), index);
    if (failed(part))
      return failure();
    element.parts.push_back(std::move(*part));
    return element;
  }
  if (!op || !isElementwise(op))
    return user->emitOpError("expected numbers that are constants, elements "
                             "of tensors, or computed from such");
  element.result = cast<OpResult>(value).getResultNumber();
  for (Value operand : op->getOperands()) {
    FailureOr<Element> part = resolveScalar(user, operand);
    if (failed(part))
      return failure();
    element.parts.push_back(std::move(*part));
  }
  return element;
}

FailureOr<Element> Resolver::resolveGathered(tensor::ExtractOp op) {
  Element element(Element::Kind::Gathered, op.getType());
  element.op = op;
  for (int64_t size : op.getTensor().getType().getShape())
    element.place.push_back(space.add(space.getIndices(size)));
  FailureOr<Element> part = resolve(op.getTensor(), element.place);
  if (failed(part))
    return failure();
  element.parts.push_back(std::move(*part));
  return element;
}

FailureOr<Element> Resolver::resolveBody(linalg::GenericOp op,
                                         ArrayRef<AffineExpr> loops) {
  Element element(Element::Kind::Computed, Type());
  element.op = op;
  Block *body = op.getBody();
  auto capture = [&](Value value, FailureOr<Element> part) {
    if (failed(part))
      return failure();
    element.captured.push_back(value);
    element.parts.push_back(std::move(*part));
    return success();
  };
  for (Operation &inner : *body) {
    LogicalResult isKnown = success();
    if (auto extract = dyn_cast<tensor::ExtractOp>(inner))
      isKnown = capture(extract, resolveGathered(extract));
    else if (auto index = dyn_cast<linalg::IndexOp>(inner);
             index && index.getDim() < loops.size())
      isKnown = capture(index, makeIndex(loops[index.getDim()]));
    else if (auto constant = dyn_cast<arith::ConstantOp>(inner))
      isKnown = capture(constant, makeConstant(constant.getValue()));
    else if (!isElementwise(&inner) && !isa<linalg::YieldOp>(inner))
      return inner.emitOpError("expected arithmetic on elements, of which "
                               "kernels of GPUs are made");
    if (failed(isKnown))
      return failure();
    for (Value operand : inner.getOperands())
      if (operand.getParentBlock() != body &&
          !isa<TensorType>(operand.getType()) &&
          !llvm::is_contained(element.captured, operand) &&
          failed(capture(operand, resolveScalar(op, operand))))
        return failure();
  }
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
  if (!hasAllSizes(op))
    return op.emitOpError("expected an operand for each dynamic size of "
                          "padding");
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
  element.parts.push_back(std::move(*inside));
  element.parts.push_back(std::move(*outside));
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
  for (const ReassociationIndices &group : getDimGroups(op)) {
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
  for (auto [dim, group] : llvm::enumerate(getDimGroups(op))) {
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

FailureOr<Element> Resolver::resolveOperand(linalg::GenericOp op,
                                            OpOperand &operand,
                                            ArrayRef<AffineExpr> loops) {
  Type type = getElementTypeOrSelf(operand.get().getType());
  // A reduction of nothing leaves its init, even one that its body overwrites.
  bool isLeft = op.isDpsInit(&operand) && op.getNumReductionLoops() > 0;
  if (op.getMatchingBlockArgument(&operand).use_empty() && !isLeft)
    return makeConstant(Builder(op.getContext()).getZeroAttr(type));
  if (op.isScalar(&operand))
    return resolveScalar(op, operand.get());
  SmallVector<AffineExpr> source;
  for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults())
    source.push_back(expr.replaceDims(loops));
  return resolve(operand.get(), source);
}

FailureOr<Element> Resolver::resolveGeneric(linalg::GenericOp op,
                                            unsigned number,
                                            ArrayRef<AffineExpr> index) {
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  SmallVector<AffineExpr> loops(op.getNumLoops());
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(number));
  // Each result is written by the iterations of all loops that are not summed.
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap written = op.getMatchingIndexingMap(&init);
    if (!written.isProjectedPermutation() ||
        written.getNumResults() != op.getNumParallelLoops() ||
        llvm::any_of(written.getResults(), [&](AffineExpr expr) {
          return iterators[cast<AffineDimExpr>(expr).getPosition()] !=
                 utils::IteratorType::parallel;
        }))
      return op.emitOpError("expected results of which each element is "
                            "computed once");
  }
  for (auto [expr, position] : llvm::zip_equal(map.getResults(), index))
    loops[cast<AffineDimExpr>(expr).getPosition()] = position;
  SmallVector<std::pair<AffineExpr, int64_t>> summed;
  for (auto [loop, size] : llvm::enumerate(op.getStaticLoopRanges())) {
    if (loops[loop])
      continue;
    loops[loop] = space.add(space.getIndices(size == 0 ? 1 : size));
    summed.emplace_back(loops[loop], size);
  }
  FailureOr<Element> element = resolveBody(op, loops);
  if (failed(element))
    return failure();
  element->type = getElementTypeOrSelf(op.getResultTypes()[number]);
  element->result = number;
  element->loops = std::move(summed);
  if (!element->loops.empty())
    element->kind = Element::Kind::Reduced;
  std::vector<Element> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    FailureOr<Element> part = resolveOperand(op, operand, loops);
    if (failed(part))
      return failure();
    operands.push_back(std::move(*part));
  }
  element->parts.insert(element->parts.begin(),
                        std::make_move_iterator(operands.begin()),
                        std::make_move_iterator(operands.end()));
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
  if (TypedAttr splat = getSplat(tensor))
    return makeConstant(splat);
  Operation *op = tensor.getDefiningOp();
  if (!op) {
    // What a loop over tiles writes to starts as its operand.
    auto argument = cast<BlockArgument>(tensor);
    if (auto tiles =
            dyn_cast<scf::ForallOp>(argument.getOwner()->getParentOp()))
      return resolve(tiles.getTiedOpOperand(argument)->get(), index);
    Operation *parent = argument.getOwner()->getParentOp();
    if (!isa<FunctionOpInterface>(parent))
      return parent->emitOpError("expected no loop that carries tensors");
    return load(tensor, index);
  }
  if (isInMemory(tensor) && !isInlined(tensor))
    return load(tensor, index);
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
      .Case(
          [&](tensor::SplatOp op) { return resolveScalar(op, op.getInput()); })
      .Case([&](linalg::GenericOp op) {
        return resolveGeneric(op, cast<OpResult>(tensor).getResultNumber(),
                              index);
      })
      .Case([&](scf::ForallOp op) { return resolveLoop(op, index); })
      .Case([&](arith::ConstantOp op) { return load(tensor, index); })
      .Default([](Operation *op) {
        return op->emitOpError("expected an op whose elements are known one by "
                               "one");
      });
}

FailureOr<Element> Resolver::resolve(Value tensor, ArrayRef<AffineExpr> index) {
  if (tensor == given) {
    Element element(Element::Kind::Given,
                    getElementTypeOrSelf(given.getType()));
    element.base = given;
    return element;
  }
  if (isInlined(tensor) || isa<BlockArgument>(tensor))
    return compute(tensor, index);
  if (!isInMemory(tensor))
    return tensor.getDefiningOp()->emitOpError(
        "expected a tensor that a kernel has written");
  return load(tensor, index);
}

FailureOr<Element> mlir::convoy::resolveElement(IndexSpace &space, Value tensor,
                                                ArrayRef<AffineExpr> index,
                                                Value given) {
  Resolver resolver(space, given);
  return tensor == given ? resolver.resolve(tensor, index)
                         : resolver.compute(tensor, index);
}

FailureOr<Element> mlir::convoy::resolveBody(IndexSpace &space,
                                             linalg::GenericOp op,
                                             ArrayRef<AffineExpr> loops) {
  return Resolver(space, /*given=*/{}).resolveBody(op, loops);
}
