//===- ParallelCheck.cpp - Iterations in any order --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParallelCheck.h"
#include "Comparison/ResultComparison.h"
#include "Readers/Slices.h"
#include "Readers/VectorReaders.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

namespace {
/// Elements of a tensor that an op accesses: those at `place` for each point of
/// `domain`, of which the iteration is a part.
struct Access {
  Operation *op;
  bool isWrite;
  System domain;
  SmallVector<LinearExpr> place;
};

/// Where the elements of a slice lie in a whole tensor.
struct View {
  System domain;
  SmallVector<LinearExpr> offsets;
  SmallVector<DynamicAPInt> strides;
  /// The dimension of the whole that each of the slice is.
  SmallVector<int64_t> dims;

  SmallVector<LinearExpr> getPlace(ArrayRef<LinearExpr> inSlice) const {
    SmallVector<LinearExpr> place = offsets;
    for (auto [dim, index] : llvm::zip_equal(dims, inSlice))
      place[dim] += index * strides[dim];
    return place;
  }
};

/// A tensor that is a part of the shared one, as it is or as ops changed it.
struct Followed {
  SmallVector<View, 1> views;
  tensor::ExtractSliceOp slice; ///< null of the whole
};
using FollowedRef = std::shared_ptr<const Followed>;

/// What the iterations of one loop access of one tensor that they share.
class SharedAccesses {
public:
  SharedAccesses(SymbolicEvaluator &evaluator, Operation *loop,
                 BlockArgument shared)
      : evaluator(evaluator), solver(evaluator.getSolver()),
        scopes(evaluator.getScopes()), loop(loop), shared(shared) {}

  /// Finds the accesses to the tensor and to what iterations make of it, which
  /// `left` is in the end.
  LogicalResult find(Value left);
  /// Finds the slices that are inserted into the tensor.
  LogicalResult findInserted(scf::ForallOp op);
  /// An access to what another iteration writes, or null.
  Operation *findConflict();

private:
  FollowedRef getWhole() const;
  void follow(Value tensor, FollowedRef known);
  /// Follows what `use`, of what is `known`, makes of it.
  LogicalResult followUse(OpOperand &use, FollowedRef known);
  LogicalResult addUse(OpOperand &use, FollowedRef known);
  LogicalResult addInsert(OpOperand &use, tensor::InsertSliceOp op,
                          FollowedRef known);
  /// Adds what yields in `op`, of which some result is `known`, replace.
  LogicalResult addYielded(Operation *op, unsigned number, FollowedRef known);
  bool isWhole(Value tensor) const {
    FollowedRef known = followed.lookup(tensor);
    return known && !known->slice;
  }
  /// Whether `a` and `b`, which may be null, are slices of one place.
  bool areSameSlice(tensor::ExtractSliceOp a, tensor::ExtractSliceOp b);
  bool isPutBack(tensor::InsertSliceOp op, FollowedRef known);
  /// The slices that `op` names, of tensors that are `known`.
  FailureOr<SmallVector<View, 1>> getViews(OffsetSizeAndStrideOpInterface op,
                                           const llvm::SmallBitVector &dropped,
                                           FollowedRef known);
  LogicalResult addBox(OffsetSizeAndStrideOpInterface op, FollowedRef known);
  LogicalResult addElement(tensor::ExtractOp op, FollowedRef known);
  LogicalResult addTransfer(VectorTransferOpInterface op, bool isWrite,
                            FollowedRef known);
  /// Any element of `tensor`.
  LogicalResult addAll(Operation *op, Value tensor, bool isWrite,
                       FollowedRef known);
  /// Adds the places in `domain` wherever `op` runs.
  void add(Operation *op, bool isWrite, const System &domain,
           ArrayRef<LinearExpr> place, FollowedRef known);
  /// Whether no two iterations access one element by `first` and `second`.
  bool areApart(const Access &first, const Access &second);
  /// What `access` is in another iteration.
  Access moveToOther(const Access &access, DenseMap<Var, LinearExpr> &values);

  SymbolicEvaluator &evaluator;
  Solver &solver;
  Scopes &scopes;
  Operation *loop;
  BlockArgument shared;
  llvm::MapVector<Value, FollowedRef> followed;
  SmallVector<Access, 0> accesses;
};
} // namespace

static constexpr bool IsRead = false, IsWrite = true;

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

FollowedRef SharedAccesses::getWhole() const {
  int64_t rank = cast<RankedTensorType>(shared.getType()).getRank();
  View view{{},
            SmallVector<LinearExpr>(rank, LinearExpr(0)),
            SmallVector<DynamicAPInt>(rank, DynamicAPInt(1)),
            llvm::to_vector(llvm::seq(rank))};
  return std::make_shared<const Followed>(Followed{{view}, {}});
}

void SharedAccesses::add(Operation *op, bool isWrite, const System &domain,
                         ArrayRef<LinearExpr> place, FollowedRef known) {
  for (const System &scope : scopes.getScopes(op))
    for (const View &view : known->views)
      accesses.push_back(
          {op, isWrite, scope & domain & view.domain, view.getPlace(place)});
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
      View &view = views.emplace_back(whole);
      view.domain.append(box.domain);
      view.offsets = whole.getPlace(box.value.offsets);
      view.dims.clear();
      for (auto [number, dim] : llvm::enumerate(whole.dims)) {
        view.strides[dim] *= DynamicAPInt(op.getStaticStrides()[number]);
        if (!dropped[number])
          view.dims.push_back(dim);
      }
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
      std::make_shared<const Followed>(Followed{std::move(*views), {}}));
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

bool SharedAccesses::areSameSlice(tensor::ExtractSliceOp a,
                                  tensor::ExtractSliceOp b) {
  if (!a || !b)
    return a == b;
  return a.getMixedOffsets() == b.getMixedOffsets() &&
         a.getMixedSizes() == b.getMixedSizes() &&
         a.getMixedStrides() == b.getMixedStrides() &&
         areSameSlice(followed.lookup(a.getSource())->slice,
                      followed.lookup(b.getSource())->slice);
}

/// Whether `op` puts a slice of what is `known` back, whose changes are known.
bool SharedAccesses::isPutBack(tensor::InsertSliceOp op, FollowedRef known) {
  FollowedRef source = followed.lookup(op.getSource());
  tensor::ExtractSliceOp slice = source ? source->slice : nullptr;
  return slice && slice.getMixedOffsets() == op.getMixedOffsets() &&
         slice.getMixedSizes() == op.getMixedSizes() &&
         slice.getMixedStrides() == op.getMixedStrides() &&
         slice.getDroppedDims() == op.getDroppedDims() &&
         areSameSlice(followed.lookup(slice.getSource())->slice, known->slice);
}

void SharedAccesses::follow(Value tensor, FollowedRef known) {
  followed.try_emplace(tensor, std::move(known));
}

LogicalResult SharedAccesses::followUse(OpOperand &use, FollowedRef known) {
  Operation *op = use.getOwner();
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    FailureOr<SmallVector<View, 1>> views =
        getViews(slice, slice.getDroppedDims(), known);
    if (failed(views))
      return failure();
    follow(slice.getResult(), std::make_shared<const Followed>(
                                  Followed{std::move(*views), slice}));
    return success();
  }
  auto insert = dyn_cast<tensor::InsertSliceOp>(op);
  if ((insert && &use == &insert.getDestMutable()) ||
      isa<tensor::CastOp, vector::TransferWriteOp>(op))
    follow(op->getResult(0), known);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
      linalgOp && linalgOp.isDpsInit(&use))
    follow(linalgOp.getTiedOpResult(&use), known);
  // A slice would be of another iteration behind the loop.
  bool isLeft = isa<scf::YieldOp>(op) && op->getParentOp() == loop;
  if (known->slice || isLeft)
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
        return known->slice ? addAll(op, tensor, IsWrite, known) : success();
      })
      .Default(
          [&](Operation *op) { return addAll(op, tensor, IsWrite, known); });
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
      if (failed(followUse(use, known)))
        return failure();
  }
  for (const auto &[tensor, known] : followed) {
    for (OpOperand &use : tensor.getUses())
      if (failed(addUse(use, known)))
        return failure();
    Operation *op = tensor.getDefiningOp();
    if (isa_and_nonnull<scf::ForOp, scf::IfOp>(op) &&
        failed(addYielded(op, cast<OpResult>(tensor).getResultNumber(), known)))
      return failure();
  }
  // What is made of something else is written as a whole.
  if (isWhole(left))
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

//===----------------------------------------------------------------------===//
// Iterations
//===----------------------------------------------------------------------===//

static void collectVars(const LinearExpr &expr, DenseSet<Var> &vars) {
  for (const auto &[var, factor] : expr.getTerms())
    vars.insert(var);
}

static DenseSet<Var> getVars(const System &system) {
  DenseSet<Var> vars;
  for (const Constraint &constraint : system.getConstraints())
    collectVars(constraint.expr, vars);
  return vars;
}

Access SharedAccesses::moveToOther(const Access &access,
                                   DenseMap<Var, LinearExpr> &values) {
  DenseSet<Var> vars = getVars(access.domain);
  for (const LinearExpr &index : access.place)
    collectVars(index, vars);
  vars.insert_range(scopes.getIterations(loop).getUnknowns());
  // All but what is the same outside of the loop.
  for (Var outside : getVars(scopes.getScope(loop)))
    vars.erase(outside);
  for (Var var : vars)
    values[var] = LinearExpr::var(solver.makeVar());
  Access other = access;
  other.domain = access.domain.substitute(values);
  for (LinearExpr &index : other.place)
    index = index.substitute(values);
  return other;
}

bool SharedAccesses::areApart(const Access &first, const Access &second) {
  DenseMap<Var, LinearExpr> values;
  Access other = moveToOther(second, values);
  System both = first.domain & other.domain;
  for (auto [a, b] : llvm::zip_equal(first.place, other.place))
    both.addEqual(a, b);
  for (Var number : scopes.getIterations(loop).numbers)
    for (bool isLater : {true, false}) {
      System points = both;
      LinearExpr here = LinearExpr::var(number), there = values.at(number);
      points.addAtMost(isLater ? here + 1 : there + 1, isLater ? there : here);
      if (!solver.isEmpty(points))
        return false;
    }
  return true;
}

Operation *SharedAccesses::findConflict() {
  for (const Access &write : accesses)
    if (write.isWrite)
      for (const Access &access : accesses)
        if (!areApart(write, access))
          return access.op;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static Certificate checkShared(SharedAccesses &accesses, bool isFound,
                               SymbolicEvaluator &evaluator) {
  if (!isFound)
    return getUndecided(evaluator.getObstacle().get());
  if (Operation *op = accesses.findConflict())
    return getUndecided(
        {op, "an element that an iteration in parallel may write meanwhile"});
  return Certificate();
}

static Certificate checkLoop(Operation *op, SymbolicEvaluator &evaluator) {
  if (auto forall = dyn_cast<scf::ForallOp>(op)) {
    for (BlockArgument shared : forall.getRegionIterArgs()) {
      SharedAccesses accesses(evaluator, op, shared);
      bool isFound = succeeded(accesses.findInserted(forall));
      Certificate one = checkShared(accesses, isFound, evaluator);
      if (one.verdict != Certificate::Verdict::Certified)
        return one;
    }
    return Certificate();
  }
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop || !loop->hasAttr(kInParallelAttrName))
    return Certificate();
  for (auto [shared, left] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues())) {
    SharedAccesses accesses(evaluator, op, shared);
    bool isFound = succeeded(accesses.find(left));
    Certificate one = checkShared(accesses, isFound, evaluator);
    if (one.verdict != Certificate::Verdict::Certified)
      return one;
  }
  return Certificate();
}

Certificate certify::checkParallel(FunctionOpInterface function,
                                   SymbolicEvaluator &evaluator) {
  Certificate certificate;
  function->walk([&](Operation *op) {
    certificate = checkLoop(op, evaluator);
    return certificate.verdict == Certificate::Verdict::Certified
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  return certificate;
}
