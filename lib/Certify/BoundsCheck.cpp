//===- BoundsCheck.cpp - Accesses within tensors ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BoundsCheck.h"
#include "Buffers/StandIns.h"
#include "Comparison/ResultComparison.h"
#include "Readers/Gathers.h"
#include "Readers/OpReaders.h"
#include "Readers/Slices.h"
#include "Readers/VectorReaders.h"
#include "SizesCheck.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using Verdict = Certificate::Verdict;

namespace {
/// Checks every access of a function in every iteration.
class BoundsCheck : public SizesCheck {
public:
  BoundsCheck(SymbolicEvaluator &evaluator, const Arguments &arguments)
      : SizesCheck(evaluator, arguments) {}

  WalkResult check(Operation *op) {
    if (isa<scf::ForOp, scf::ForallOp>(op) && failed(evaluator.enterLoop(op)))
      return stop(op);
    bool isAccess = isa<tensor::ExtractSliceOp, tensor::InsertSliceOp,
                        tensor::ParallelInsertSliceOp, tensor::InsertOp,
                        linalg::LinalgOp, VectorTransferOpInterface>(op);
    bool isStating = statesSizes(op);
    if (!isAccess && !isStating)
      return WalkResult::advance();
    sizes.findSizes(op);
    for (const System &scope : scopes.getScopes(op))
      if ((isStating && checkStated(scope, op).wasInterrupted()) ||
          checkAccess(scope, op).wasInterrupted())
        return WalkResult::interrupt();
    return WalkResult::advance();
  }

private:
  /// Checks what `op` accesses where `scope` holds.
  WalkResult checkAccess(const System &scope, Operation *op) {
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      return checkSlice(scope, slice, slice.getSource());
    if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
      return checkInsert(scope, slice, slice.getSource(), slice.getDest(),
                         slice.getDroppedDims());
    if (auto slice = dyn_cast<tensor::ParallelInsertSliceOp>(op))
      return checkInsert(scope, slice, slice.getSource(), slice.getDest(),
                         slice.getDroppedDims());
    if (auto insert = dyn_cast<tensor::InsertOp>(op))
      return checkElement(scope, insert);
    if (auto transfer = dyn_cast<VectorTransferOpInterface>(op))
      return checkTransfer(scope, transfer);
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      return checkLinalg(scope, linalgOp);
    return WalkResult::advance();
  }

  /// Requires 0 <= index < size of `tensor` in dimension `dim` where `domain`
  /// holds.
  WalkResult require(Operation *op, const System &domain,
                     const LinearExpr &index, Value tensor, int64_t dim) {
    FailureOr<Size> size = sizes.getSize(tensor, dim);
    if (failed(size))
      return stop(op);
    System bounds;
    bounds.addRange(0, index, *size);
    for (const Constraint &bound : bounds.getConstraints())
      for (const Constraint &outside : negate(bound)) {
        if (solver.excludes(domain, outside))
          continue;
        System points = domain;
        points.add(outside);
        reportOutside(op, points, index, *size, dim);
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  }

  void reportOutside(Operation *op, const System &points,
                     const LinearExpr &index, const Size &size, int64_t dim) {
    bool isCertain = arguments.isKnown(size) && scopes.isScopeKnown(op) &&
                     !op->hasAttr(kMayBeOutsideAttrName);
    certificate.verdict = isCertain ? Verdict::Different : Verdict::Undecided;
    certificate.op = op;
    auto point = solver.findPoint(points);
    if (!isCertain || !point) {
      certificate.verdict = Verdict::Undecided;
      certificate.message =
          ("dimension " + Twine(dim) + " of a tensor may be accessed outside")
              .str();
      if (point)
        certificate.message +=
            (", as at index " + Twine(index.evaluate(*point)) +
             " where its size is " + Twine(evaluateSize(size, *point)))
                .str();
      return;
    }
    certificate.message =
        ("index " + Twine(index.evaluate(*point)) +
         " is accessed in dimension " + Twine(dim) +
         " of a tensor, whose size is " + Twine(evaluateSize(size, *point)))
            .str();
  }

  /// Requires that what is inserted has the sizes of its place.
  WalkResult checkInsert(const System &scope, OffsetSizeAndStrideOpInterface op,
                         Value source, Value whole,
                         const llvm::SmallBitVector &droppedDims) {
    FailureOr<BoxCases> boxes = getBoxes(evaluator, op);
    if (failed(boxes))
      return stop(op);
    // There are none where the op never runs; in all others sizes are the same.
    if (boxes->empty())
      return WalkResult::advance();
    int64_t next = 0;
    for (auto [dim, size] : llvm::enumerate(boxes->front().value.sizes))
      if (!droppedDims[dim] &&
          requireSize(op, scope, {source, next++}, size).wasInterrupted())
        return WalkResult::interrupt();
    return checkSlice(scope, op, whole);
  }

  WalkResult checkSlice(const System &scope, OffsetSizeAndStrideOpInterface op,
                        Value whole) {
    FailureOr<BoxCases> boxes = getBoxes(evaluator, op);
    if (failed(boxes))
      return stop(op);
    for (const Case<Box> &box : *boxes) {
      // Some element of the slice, which may have none.
      System domain = scope & box.domain;
      SmallVector<LinearExpr> places;
      for (auto [dim, offset, size] :
           llvm::enumerate(box.value.offsets, box.value.sizes)) {
        int64_t stride = op.getStaticStrides()[dim];
        if (ShapedType::isDynamic(stride)) {
          (void)evaluator.undecided(op, "a slice with a dynamic stride");
          return stop(op);
        }
        LinearExpr inSlice = LinearExpr::var(solver.makeVar());
        domain.addRange(0, inSlice, size);
        places.push_back(offset + inSlice * DynamicAPInt(stride));
      }
      if (solver.isEmpty(domain))
        continue;
      for (auto [dim, place] : llvm::enumerate(places))
        if (require(op, domain, place, whole, dim).wasInterrupted())
          return WalkResult::interrupt();
    }
    return WalkResult::advance();
  }

  WalkResult checkElement(const System &scope, tensor::InsertOp op) {
    FailureOr<IndicesCases> places =
        evaluator.getIndices().evaluateAll(getAsOpFoldResult(op.getIndices()));
    if (failed(places))
      return stop(op);
    for (const Case<SmallVector<LinearExpr>> &place : *places)
      for (auto [dim, index] : llvm::enumerate(place.value))
        if (require(op, scope & place.domain, index, op.getDest(), dim)
                .wasInterrupted())
          return WalkResult::interrupt();
    return WalkResult::advance();
  }

  /// Requires that `op` accesses what it has, but for the dimensions in which
  /// it says that it may not.
  WalkResult checkTransfer(const System &scope, VectorTransferOpInterface op) {
    FailureOr<IndicesCases> starts =
        evaluator.getIndices().evaluateAll(getAsOpFoldResult(op.getIndices()));
    if (failed(starts))
      return stop(op);
    for (const Case<SmallVector<LinearExpr>> &start : *starts) {
      System domain = scope & start.domain;
      SmallVector<LinearExpr> place;
      for (int64_t size : op.getVectorType().getShape()) {
        place.push_back(LinearExpr::var(solver.makeVar()));
        domain.addRange(0, place.back(), LinearExpr(size));
      }
      FailureOr<ConditionCases> masks = getMaskCases(evaluator, op, place);
      if (failed(masks))
        return stop(op);
      SmallVector<LinearExpr> indices = getAccessed(op, start.value, place);
      for (const Case<bool> &mask : *masks)
        if (mask.value &&
            checkAccessed(domain & mask.domain, op, indices).wasInterrupted())
          return WalkResult::interrupt();
    }
    return WalkResult::advance();
  }

  WalkResult checkAccessed(const System &domain, VectorTransferOpInterface op,
                           ArrayRef<LinearExpr> indices) {
    if (solver.isEmpty(domain))
      return WalkResult::advance();
    SmallVector<bool> mayBeOutside(indices.size(), false);
    for (auto [number, expr] :
         llvm::enumerate(op.getPermutationMap().getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        mayBeOutside[dim.getPosition()] = !op.isDimInBounds(number);
    for (auto [dim, index] : llvm::enumerate(indices))
      if (!mayBeOutside[dim] &&
          require(op, domain, index, op.getBase(), dim).wasInterrupted())
        return WalkResult::interrupt();
    return WalkResult::advance();
  }

  WalkResult checkLinalg(const System &scope, linalg::LinalgOp op) {
    FailureOr<SmallVector<Size>> loopSizes = sizes.getLoopSizes(op);
    if (failed(loopSizes))
      return stop(op);
    System domain = scope;
    SmallVector<LinearExpr> loops;
    for (const Size &size : *loopSizes) {
      loops.push_back(LinearExpr::var(solver.makeVar()));
      domain.addRange(0, loops.back(), size);
    }
    if (solver.isEmpty(domain))
      return WalkResult::advance();
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<RankedTensorType>(operand.get().getType()))
        continue;
      AffineMap map = op.getMatchingIndexingMap(&operand);
      for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
        Part where = {{}, domain};
        FailureOr<LinearExpr> index =
            evaluator.getIndices().evaluateAffine(expr, loops, {}, where, op);
        if (failed(index))
          return stop(op);
        if (require(op, where.domain, *index, operand.get(), dim)
                .wasInterrupted())
          return WalkResult::interrupt();
      }
    }
    return WalkResult::advance();
  }
};
} // namespace

static Certificate checkBounds(FunctionOpInterface function,
                               SymbolicEvaluator &evaluator,
                               const Arguments &arguments) {
  BoundsCheck check(evaluator, arguments);
  function->walk<WalkOrder::PreOrder>(
      [&](Operation *op) { return check.check(op); });
  return check.getCertificate();
}

Certificate certify::checkBounds(FunctionOpInterface before,
                                 SymbolicEvaluator &evaluatorBefore,
                                 FunctionOpInterface after,
                                 SymbolicEvaluator &evaluatorAfter,
                                 const Arguments &arguments) {
  Certificate certificate = ::checkBounds(before, evaluatorBefore, arguments);
  if (certificate.verdict == Verdict::Different)
    certificate.verdict = Verdict::Undecided;
  return certificate.verdict == Verdict::Certified
             ? ::checkBounds(after, evaluatorAfter, arguments)
             : certificate;
}

/// Where the body of linalg around `op`, if there is one, runs, and the indices
/// of its iterations.
static FailureOr<Case<SmallVector<LinearExpr>>>
getIterations(Operation *op, SymbolicEvaluator &evaluator) {
  Case<SmallVector<LinearExpr>> iterations;
  auto around = op->getParentOfType<linalg::LinalgOp>();
  if (!around)
    return iterations;
  FailureOr<SmallVector<Size>> sizes =
      evaluator.getSizes().getLoopSizes(around);
  if (failed(sizes))
    return failure();
  for (const Size &size : *sizes) {
    LinearExpr index = LinearExpr::var(evaluator.getSolver().makeVar());
    iterations.domain.addRange(0, index, size);
    iterations.value.push_back(index);
  }
  return iterations;
}

/// Whether all of `indices` are at least 0 and below `sizes` where `op` runs.
static Certificate checkIndices(Operation *op, ArrayRef<OpFoldResult> indices,
                                ArrayRef<Size> sizes, StringRef reason,
                                SymbolicEvaluator &evaluator) {
  auto iterations = getIterations(op, evaluator);
  if (failed(iterations))
    return getUndecided(evaluator.getObstacle().get());
  FailureOr<IndicesCases> cases =
      evaluator.getIndices().evaluateAll(indices, iterations->value);
  if (failed(cases))
    return getUndecided(evaluator.getObstacle().get());
  for (const System &scope : evaluator.getScopes().getScopes(op))
    for (const Case<SmallVector<LinearExpr>> &one : *cases) {
      System bounds, domain = scope & iterations->domain & one.domain;
      for (auto [index, size] : llvm::zip_equal(one.value, sizes))
        bounds.addRange(0, index, size);
      if (evaluator.getSolver().isEmpty(domain))
        continue;
      for (const Constraint &bound : bounds.getConstraints())
        if (!evaluator.getSolver().implies(domain, bound))
          return getUndecided({op, reason.str()});
    }
  return Certificate();
}

/// Whether the element that `op` reads at a computed place is inside, in every
/// iteration: its reader knows.
static Certificate checkGather(tensor::ExtractOp op,
                               SymbolicEvaluator &evaluator) {
  auto iterations = getIterations(op, evaluator);
  if (failed(iterations))
    return getUndecided(evaluator.getObstacle().get());
  for (const System &scope : evaluator.getScopes().getScopes(op)) {
    System domain = scope & iterations->domain;
    if (!evaluator.getSolver().isEmpty(domain) &&
        failed(
            readInBody(evaluator, op.getResult(), iterations->value, domain)))
      return getUndecided(evaluator.getObstacle().get());
  }
  return Certificate();
}

/// Whether `op` says that its integers wrap around nowhere even without a sign,
/// so that none is negative.
static bool statesNoSign(Operation *op) {
  auto flagged = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  return flagged && flagged.hasNoUnsignedWrap();
}

/// Whether `op` says that its quotient has no remainder.
static bool statesNoRemainder(Operation *op) {
  auto isExact = [](auto quotient) {
    return quotient && quotient.getIsExact();
  };
  return isExact(dyn_cast<arith::DivUIOp>(op)) ||
         isExact(dyn_cast<arith::DivSIOp>(op));
}

/// Adds what the flags of `op` say of its operands, `numbers`, and of its
/// result.
static void addFlags(Operation *op, ArrayRef<LinearExpr> numbers,
                     const LinearExpr &result, System &stated) {
  if (statesNoSign(op)) {
    for (const LinearExpr &number : numbers)
      stated.addAtMost(0, number);
    stated.addAtMost(0, result);
  }
  // Divisors are constant where quotients are known.
  if (statesNoRemainder(op))
    stated.addEqual(numbers[0], result * numbers[1].getConstant());
}

/// Whether `op`, if it computes an index, is what its flags say where it runs.
/// Those of other numbers are a part of the term.
static Certificate checkFlags(Operation *op, SymbolicEvaluator &evaluator) {
  bool isIndexOp =
      op->getNumResults() == 1 && (op->getResult(0).getType().isIndex() ||
                                   op->getResult(0).getType().isInteger(64));
  if (!isIndexOp || (!statesNoSign(op) && !statesNoRemainder(op)))
    return Certificate();
  SmallVector<OpFoldResult> values = getAsOpFoldResult(op->getOperands());
  values.push_back(op->getResult(0));
  auto iterations = getIterations(op, evaluator);
  FailureOr<IndicesCases> cases =
      evaluator.getObstacle().ignoreIn([&]() -> FailureOr<IndicesCases> {
        if (failed(iterations))
          return failure();
        return evaluator.getIndices().evaluateAll(values, iterations->value);
      });
  if (failed(cases))
    return op->getResult(0).getType().isIndex()
               ? getUndecided({op, "flags that may not hold"})
               : Certificate();
  for (const System &scope : evaluator.getScopes().getScopes(op))
    for (const Case<SmallVector<LinearExpr>> &one : *cases) {
      System stated, domain = scope & iterations->domain & one.domain;
      addFlags(op, ArrayRef(one.value).drop_back(), one.value.back(), stated);
      if (evaluator.getSolver().isEmpty(domain))
        continue;
      for (const Constraint &constraint : stated.getConstraints())
        if (!evaluator.getSolver().implies(domain, constraint))
          return getUndecided({op, "flags that may not hold"});
    }
  return Certificate();
}

namespace {
/// Indices, which an op takes for less than some sizes and none negative.
struct Position {
  SmallVector<OpFoldResult> indices;
  SmallVector<int64_t> sizes;
  StringRef reason; ///< why it is undecided where they may not be
};
} // namespace

/// Digits, a number of a known number of digits, or what part of a vector `op`
/// takes or puts in, by indices that are no constants.
static std::optional<Position> getPosition(Operation *op) {
  auto get = [](auto op, VectorType whole) -> std::optional<Position> {
    if (!op.hasDynamicPosition())
      return std::nullopt;
    SmallVector<OpFoldResult> indices = op.getMixedPosition();
    return Position{indices,
                    to_vector(whole.getShape().take_front(indices.size())),
                    "a position that may lie outside of a vector"};
  };
  if (auto extract = dyn_cast<vector::ExtractOp>(op))
    return get(extract, extract.getSourceVectorType());
  if (auto insert = dyn_cast<vector::InsertOp>(op))
    return get(insert, insert.getDestVectorType());
  if (auto number = dyn_cast<affine::AffineLinearizeIndexOp>(op);
      number && number.getDisjoint()) {
    ArrayRef<int64_t> sizes = number.getStaticBasis();
    return Position{
        getAsOpFoldResult(number.getMultiIndex().take_back(sizes.size())),
        to_vector(sizes), "a digit that may not be one"};
  }
  if (auto digits = dyn_cast<affine::AffineDelinearizeIndexOp>(op);
      digits && digits.hasOuterBound()) {
    // Of sizes that are not known none is large enough.
    int64_t size = digits.getDynamicBasis().empty()
                       ? llvm::product_of(digits.getStaticBasis())
                       : 0;
    return Position{{digits.getLinearIndex()},
                    {size},
                    "a number that may have more digits"};
  }
  return std::nullopt;
}

Certificate certify::checkElements(FunctionOpInterface function,
                                   SymbolicEvaluator &evaluator) {
  Certificate certificate;
  auto check = [&](Operation *op, ArrayRef<OpFoldResult> indices,
                   ArrayRef<Size> sizes, StringRef reason) {
    certificate = checkIndices(op, indices, sizes, reason, evaluator);
    return certificate.verdict == Verdict::Certified ? WalkResult::advance()
                                                     : WalkResult::interrupt();
  };
  function->walk([&](Operation *op) {
    certificate = checkFlags(op, evaluator);
    if (certificate.verdict != Verdict::Certified)
      return WalkResult::interrupt();
    SmallVector<Size> sizes;
    if (std::optional<Position> position = getPosition(op)) {
      for (int64_t size : position->sizes)
        sizes.push_back(Size{size});
      return check(op, position->indices, sizes, position->reason);
    }
    auto extract = dyn_cast<tensor::ExtractOp>(op);
    if (!extract)
      return WalkResult::advance();
    if (isGather(extract)) {
      certificate = checkGather(extract, evaluator);
      return certificate.verdict == Verdict::Certified
                 ? WalkResult::advance()
                 : WalkResult::interrupt();
    }
    for (int64_t dim = 0; dim < extract.getTensor().getType().getRank(); ++dim)
      if (FailureOr<Size> size =
              evaluator.getSizes().getSize(extract.getTensor(), dim);
          succeeded(size))
        sizes.push_back(*size);
    if (sizes.size() != extract.getIndices().size()) {
      certificate = getUndecided(evaluator.getObstacle().get());
      return WalkResult::interrupt();
    }
    return check(op, getAsOpFoldResult(extract.getIndices()), sizes,
                 "an element that may lie outside its tensor");
  });
  return certificate;
}
