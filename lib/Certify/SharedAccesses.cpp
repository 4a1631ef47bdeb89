//===- SharedAccesses.cpp - What iterations access --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedAccesses.h"
#include "Readers/Slices.h"
#include "Readers/VectorReaders.h"
#include "SameValues.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

static constexpr bool IsRead = false, IsWrite = true;

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

FollowedRef SharedAccesses::getWhole() const {
  View view;
  int64_t rank = cast<RankedTensorType>(shared.getType()).getRank();
  for (int64_t dim = 0; dim < rank; ++dim) {
    view.indices.push_back(solver.makeVar());
    view.place.push_back(LinearExpr::var(view.indices.back()));
  }
  return std::make_shared<const Followed>(Followed{{view}, nullptr, nullptr});
}

void SharedAccesses::add(Operation *op, bool isWrite, const System &domain,
                         ArrayRef<LinearExpr> place, FollowedRef known) {
  for (const System &scope : scopes.getScopes(op))
    for (const View &view : known->views) {
      auto [inView, inWhole] = view.locate(place);
      accesses.push_back({op, isWrite, scope & domain & inView, inWhole});
    }
}

FailureOr<SmallVector<View, 1>>
SharedAccesses::getViews(OffsetSizeAndStrideOpInterface op,
                         const llvm::SmallBitVector &dropped,
                         FollowedRef known) {
  FailureOr<BoxCases> boxes = getBoxes(evaluator, op);
  if (failed(boxes))
    return failure();
  if (llvm::any_of(op.getStaticStrides(), ShapedType::isDynamic))
    return evaluator.undecided(op, "a slice with a dynamic stride");
  SmallVector<View, 1> views;
  for (const Case<Box> &box : *boxes)
    for (const View &whole : known->views) {
      View &view = views.emplace_back();
      SmallVector<LinearExpr> at = box.value.offsets;
      for (auto [dim, index] : llvm::enumerate(at)) {
        if (dropped[dim])
          continue;
        view.indices.push_back(solver.makeVar());
        index += LinearExpr::var(view.indices.back()) *
                 DynamicAPInt(op.getStaticStrides()[dim]);
      }
      std::tie(view.domain, view.place) = whole.locate(at);
      view.domain.append(box.domain);
    }
  return views;
}

LogicalResult SharedAccesses::addBox(OffsetSizeAndStrideOpInterface op,
                                     FollowedRef known) {
  llvm::SmallBitVector none(op.getStaticStrides().size());
  FailureOr<SmallVector<View, 1>> views = getViews(op, none, known);
  if (failed(views))
    return failure();
  System inBox;
  SmallVector<LinearExpr> place;
  for (OpFoldResult value : op.getMixedSizes()) {
    FailureOr<Size> size = evaluator.getSizes().evaluateSize(value, op);
    if (failed(size))
      return failure();
    place.push_back(LinearExpr::var(solver.makeVar()));
    inBox.addRange(0, place.back(), *size);
  }
  add(op, IsWrite, inBox, place,
      std::make_shared<const Followed>(
          Followed{std::move(*views), nullptr, nullptr}));
  return success();
}

LogicalResult SharedAccesses::addElement(tensor::ExtractOp op,
                                         FollowedRef known) {
  FailureOr<IndicesCases> places =
      evaluator.getIndices().evaluateAll(getAsOpFoldResult(op.getIndices()));
  if (failed(places))
    return failure();
  for (const Case<SmallVector<LinearExpr>> &one : *places)
    add(op, IsRead, one.domain, one.value, known);
  return success();
}

LogicalResult SharedAccesses::addTransfer(VectorTransferOpInterface op,
                                          bool isWrite, FollowedRef known) {
  FailureOr<IndicesCases> starts =
      evaluator.getIndices().evaluateAll(getAsOpFoldResult(op.getIndices()));
  if (failed(starts))
    return failure();
  SmallVector<LinearExpr> inVector;
  System inShape;
  for (int64_t size : op.getVectorType().getShape()) {
    inVector.push_back(LinearExpr::var(solver.makeVar()));
    inShape.addRange(0, inVector.back(), LinearExpr(size));
  }
  FailureOr<ConditionCases> masks = getMaskCases(evaluator, op, inVector);
  if (failed(masks))
    return failure();
  for (const Case<SmallVector<LinearExpr>> &start : *starts) {
    SmallVector<LinearExpr> place = getAccessed(op, start.value, inVector);
    FailureOr<System> bounds =
        evaluator.getSizes().getBounds(op.getBase(), place);
    if (failed(bounds))
      return failure();
    for (const Case<bool> &mask : *masks)
      if (mask.value)
        add(op, isWrite, start.domain & inShape & mask.domain & *bounds, place,
            known);
  }
  return success();
}

LogicalResult SharedAccesses::addAll(Operation *op, Value tensor, bool isWrite,
                                     FollowedRef known) {
  SmallVector<LinearExpr> place;
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  for (int64_t dim = 0; dim < rank; ++dim)
    place.push_back(LinearExpr::var(solver.makeVar()));
  FailureOr<System> bounds = evaluator.getSizes().getBounds(tensor, place);
  if (failed(bounds))
    return failure();
  add(op, isWrite, *bounds, place, known);
  return success();
}

//===----------------------------------------------------------------------===//
// What is made of the tensor
//===----------------------------------------------------------------------===//

static bool areSameSlice(OffsetSizeAndStrideOpInterface a,
                         OffsetSizeAndStrideOpInterface b) {
  return a.getMixedOffsets() == b.getMixedOffsets() &&
         a.getMixedSizes() == b.getMixedSizes() &&
         a.getMixedStrides() == b.getMixedStrides();
}

/// Whether `a` and `b` are the same part of the shared tensor.
static bool areSamePart(const Followed &a, const Followed &b) {
  if (!a.maker || !b.maker)
    return a.maker == b.maker;
  if (a.maker->getName() != b.maker->getName() ||
      a.maker->getResultTypes() != b.maker->getResultTypes() ||
      !areSamePart(*a.whole, *b.whole))
    return false;
  auto slice = dyn_cast<tensor::ExtractSliceOp>(a.maker);
  return slice ? areSameSlice(slice, cast<tensor::ExtractSliceOp>(b.maker))
               : getAllAttributes(a.maker) == getAllAttributes(b.maker);
}

/// Whether `op` puts a slice of what is `known` back, whose changes are known.
bool SharedAccesses::isPutBack(tensor::InsertSliceOp op, FollowedRef known) {
  FollowedRef source = followed.lookup(op.getSource());
  auto slice = source ? dyn_cast_or_null<tensor::ExtractSliceOp>(source->maker)
                      : tensor::ExtractSliceOp();
  return slice && areSameSlice(slice, op) &&
         slice.getDroppedDims() == op.getDroppedDims() &&
         areSamePart(*source->whole, *known);
}

void SharedAccesses::follow(Value tensor, FollowedRef known) {
  followed.try_emplace(tensor, std::move(known));
}

LogicalResult SharedAccesses::followSlice(tensor::ExtractSliceOp op,
                                          FollowedRef known) {
  FailureOr<SmallVector<View, 1>> views =
      getViews(op, op.getDroppedDims(), known);
  if (failed(views))
    return failure();
  follow(op.getResult(), std::make_shared<const Followed>(
                             Followed{std::move(*views), op, known}));
  return success();
}

/// Whether `op`, which makes what is `known`, and `other` undo each other.
static bool isUndone(Operation *op, Operation *other) {
  auto undoes = [](auto outer, auto inner) {
    return outer && inner &&
           outer.getResult().getType() == inner.getSrc().getType() &&
           outer.getReassociationIndices() == inner.getReassociationIndices();
  };
  using Expand = tensor::ExpandShapeOp;
  using Collapse = tensor::CollapseShapeOp;
  return undoes(dyn_cast<Expand>(other), dyn_cast_or_null<Collapse>(op)) ||
         undoes(dyn_cast<Collapse>(other), dyn_cast_or_null<Expand>(op));
}

void SharedAccesses::followReshape(Operation *op, RankedTensorType expanded,
                                   ArrayRef<ReassociationIndices> groups,
                                   FollowedRef known) {
  if (isUndone(known->maker, op))
    return follow(op->getResult(0), known->whole);
  bool isExpanding = op->getResult(0).getType() == expanded;
  SmallVector<View, 1> views;
  for (const View &whole : known->views) {
    View &view = views.emplace_back();
    System inShape;
    SmallVector<Var> digits;
    for (int64_t size : expanded.getShape()) {
      digits.push_back(solver.makeVar());
      inShape.addRange(0, LinearExpr::var(digits.back()), LinearExpr(size));
    }
    SmallVector<LinearExpr> at;
    for (const ReassociationIndices &group : groups) {
      LinearExpr number;
      for (int64_t dim : group)
        number = number * DynamicAPInt(expanded.getDimSize(dim)) +
                 LinearExpr::var(digits[dim]);
      if (isExpanding) {
        at.push_back(number);
        continue;
      }
      view.indices.push_back(solver.makeVar());
      inShape.addEqual(number, LinearExpr::var(view.indices.back()));
      for (int64_t dim : group)
        at.push_back(LinearExpr::var(digits[dim]));
    }
    if (isExpanding)
      view.indices = digits;
    std::tie(view.domain, view.place) = whole.locate(at);
    view.domain.append(inShape);
  }
  follow(op->getResult(0), std::make_shared<const Followed>(
                               Followed{std::move(views), op, known}));
}

/// Whether `op` is a reshape between static sizes.
static bool isStaticReshape(Operation *op) {
  return isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op) &&
         cast<RankedTensorType>(op->getOperand(0).getType()).hasStaticShape() &&
         cast<RankedTensorType>(op->getResult(0).getType()).hasStaticShape();
}

/// The tensor that `op` makes of `use`, as that is or as the op changes it;
/// null if it makes none.
static Value getChanged(Operation *op, OpOperand &use) {
  auto insert = dyn_cast<tensor::InsertSliceOp>(op);
  if ((insert && &use == &insert.getDestMutable()) ||
      isa<tensor::CastOp, vector::TransferWriteOp>(op))
    return op->getResult(0);
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.isDpsInit(&use) ? linalgOp.getTiedOpResult(&use)
                                              : Value();
}

LogicalResult SharedAccesses::followUse(OpOperand &use, FollowedRef known) {
  Operation *op = use.getOwner();
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return followSlice(slice, known);
  if (auto reshape = dyn_cast<tensor::CollapseShapeOp>(op);
      reshape && isStaticReshape(op))
    followReshape(op, reshape.getSrcType(), reshape.getReassociationIndices(),
                  known);
  if (auto reshape = dyn_cast<tensor::ExpandShapeOp>(op);
      reshape && isStaticReshape(op))
    followReshape(op, reshape.getResultType(),
                  reshape.getReassociationIndices(), known);
  if (Value changed = getChanged(op, use))
    follow(changed, known);
  // A slice would be of another iteration behind the loop.
  bool isLeft = isa<scf::YieldOp>(op) && op->getParentOp() == loop;
  if (known->maker || isLeft)
    return success();
  if (auto inner = dyn_cast<scf::ForOp>(op)) {
    follow(inner.getTiedLoopRegionIterArg(&use), known);
    follow(inner.getTiedLoopResult(&use), known);
  }
  unsigned number = use.getOperandNumber();
  Operation *parent = op->getParentOp();
  if (!isa<scf::YieldOp>(op) || !isa<scf::ForOp, scf::IfOp>(parent))
    return success();
  follow(parent->getResult(number), known);
  if (auto inner = dyn_cast<scf::ForOp>(parent))
    follow(inner.getRegionIterArg(number), known);
  return success();
}

LogicalResult SharedAccesses::addInsert(OpOperand &use,
                                        tensor::InsertSliceOp op,
                                        FollowedRef known) {
  if (&use == &op.getDestMutable())
    return isPutBack(op, known) ? success() : addBox(op, known);
  FollowedRef whole = followed.lookup(op.getDest());
  return whole && isPutBack(op, whole) ? success()
                                       : addAll(op, use.get(), IsRead, known);
}

LogicalResult SharedAccesses::addUse(OpOperand &use, FollowedRef known) {
  Value tensor = use.get();
  return llvm::TypeSwitch<Operation *, LogicalResult>(use.getOwner())
      .Case<tensor::DimOp, tensor::ExtractSliceOp, tensor::CastOp>(
          [&](auto) { return success(); })
      .Case([&](tensor::ExtractOp op) { return addElement(op, known); })
      .Case([&](tensor::InsertSliceOp op) { return addInsert(use, op, known); })
      .Case([&](VectorTransferOpInterface op) {
        bool isWrite = isa<vector::TransferWriteOp>(*op);
        return addTransfer(op, isWrite, known);
      })
      .Case([&](linalg::LinalgOp op) {
        return addAll(op, tensor, op.isDpsInit(&use), known);
      })
      .Case<scf::ForOp, scf::YieldOp>([&](Operation *op) {
        // What loops and branches carry, all of it is followed.
        return known->maker ? addAll(op, tensor, IsWrite, known) : success();
      })
      .Default([&](Operation *op) {
        return isStaticReshape(op) ? success()
                                   : addAll(op, tensor, IsWrite, known);
      });
}

LogicalResult SharedAccesses::addYielded(Operation *op, unsigned number,
                                         FollowedRef known) {
  for (Region &region : op->getRegions()) {
    Operation *yield = region.front().getTerminator();
    Value yielded = yield->getOperand(number);
    if (!isWhole(yielded) && failed(addAll(yield, yielded, IsWrite, known)))
      return failure();
  }
  return success();
}

LogicalResult SharedAccesses::find(Value left) {
  FollowedRef whole = getWhole();
  follow(shared, whole);
  for (size_t next = 0; next < followed.size(); ++next) {
    auto [tensor, known] = followed.begin()[next];
    for (OpOperand &use : tensor.getUses())
      if (loop->isProperAncestor(use.getOwner()) &&
          failed(followUse(use, known)))
        return failure();
  }
  for (const auto &[tensor, known] : followed) {
    for (OpOperand &use : tensor.getUses())
      if (loop->isProperAncestor(use.getOwner()) && failed(addUse(use, known)))
        return failure();
    Operation *op = tensor.getDefiningOp();
    if (isa_and_nonnull<scf::ForOp, scf::IfOp>(op) &&
        loop->isProperAncestor(op) &&
        failed(addYielded(op, cast<OpResult>(tensor).getResultNumber(), known)))
      return failure();
  }
  // What is made of something else is written as a whole.
  if (!left || isWhole(left))
    return success();
  return addAll(loop->getRegion(0).front().getTerminator(), shared, IsWrite,
                whole);
}

LogicalResult SharedAccesses::findInserted(scf::ForallOp op) {
  for (Operation &yielding : op.getTerminator().getYieldingOps()) {
    auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(yielding);
    if (!insert)
      return evaluator.undecided(&yielding, "an op whose meaning is not known");
    if (insert.getDest() == shared && failed(addBox(insert, getWhole())))
      return failure();
  }
  return success();
}
