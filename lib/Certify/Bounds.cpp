//===- Bounds.cpp - Nothing outside a tensor is read or written -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Denoter.h"
#include "convoy/Certify/Certify.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using Verdict = Certificate::Verdict;

namespace {
/// Checks every access of a function in every iteration.
class BoundsCheck {
public:
  BoundsCheck(Denoter &denoter) : denoter(denoter) {}

  WalkResult check(Operation *op) {
    if (isa<scf::ForOp, scf::ForallOp>(op) && failed(denoter.enterLoop(op)))
      return stop(op);
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      return checkSlice(slice, slice.getSource());
    if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
      return checkInsert(slice, slice.getSource(), slice.getDest(),
                         slice.getDroppedDims());
    if (auto slice = dyn_cast<tensor::ParallelInsertSliceOp>(op))
      return checkInsert(slice, slice.getSource(), slice.getDest(),
                         slice.getDroppedDims());
    if (auto cast = dyn_cast<tensor::CastOp>(op))
      return checkCast(cast);
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      return checkLinalg(linalgOp);
    return WalkResult::advance();
  }

  const Certificate &getCertificate() const { return certificate; }

private:
  WalkResult stop(Operation *op) {
    certificate.verdict = Verdict::Undecided;
    certificate.message = denoter.getObstacle().reason;
    certificate.op = denoter.getObstacle().op;
    return WalkResult::interrupt();
  }

  /// Requires 0 <= index < size of `tensor` in dimension `dim` where `domain`
  /// holds.
  WalkResult require(Operation *op, const System &domain,
                     const LinearExpr &index, Value tensor, int64_t dim) {
    FailureOr<LinearExpr> size = denoter.getSize(tensor, dim);
    if (failed(size))
      return stop(op);
    System bounds;
    bounds.addRange(0, index, *size);
    Solver &solver = denoter.getSolver();
    for (const Constraint &bound : bounds.getConstraints())
      for (const Constraint &outside : negate(bound)) {
        if (solver.excludes(domain, outside))
          continue;
        System points = domain;
        points.add(outside);
        reportOutside(op, points, index, tensor, dim);
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  }

  void reportOutside(Operation *op, const System &points,
                     const LinearExpr &index, Value tensor, int64_t dim) {
    auto type = cast<RankedTensorType>(tensor.getType());
    // Whether the branch of a condition is taken is not asked.
    bool isCertain =
        !type.isDynamicDim(dim) && !op->getParentOfType<scf::IfOp>();
    certificate.verdict = isCertain ? Verdict::Different : Verdict::Undecided;
    certificate.op = op;
    auto point = denoter.getSolver().findPoint(points);
    if (!isCertain || !point) {
      certificate.verdict = Verdict::Undecided;
      certificate.message =
          ("dimension " + Twine(dim) + " of a tensor may be accessed outside")
              .str();
      return;
    }
    int64_t place = int64_t(index.getConstant());
    for (const auto &[var, factor] : index.getTerms())
      place += int64_t(factor) * point->lookup(var);
    certificate.message =
        ("index " + Twine(place) + " is accessed in dimension " + Twine(dim) +
         " of a tensor, whose size is " + Twine(type.getDimSize(dim)))
            .str();
  }

  /// Requires that dimension `dim` of `tensor` has the size `stated` where
  /// `domain` holds: nothing else is checked when the function runs.
  WalkResult requireSize(Operation *op, const System &domain, Value tensor,
                         int64_t dim, const LinearExpr &stated) {
    FailureOr<LinearExpr> size = denoter.getSize(tensor, dim);
    if (failed(size))
      return stop(op);
    LinearExpr difference = *size - stated;
    Solver &solver = denoter.getSolver();
    if (difference == LinearExpr(0) || solver.isEmpty(domain) ||
        solver.implies(domain, {difference, true}))
      return WalkResult::advance();
    certificate.verdict =
        difference.isConstant() && !op->getParentOfType<scf::IfOp>()
            ? Verdict::Different
            : Verdict::Undecided;
    certificate.op = op;
    certificate.message = "sizes of operands that do not agree";
    return WalkResult::interrupt();
  }

  WalkResult checkCast(tensor::CastOp op) {
    auto from = dyn_cast<RankedTensorType>(op.getSource().getType());
    auto to = dyn_cast<RankedTensorType>(op.getType());
    if (!from || !to)
      return WalkResult::advance();
    for (int64_t dim = 0; dim < to.getRank(); ++dim)
      if (from.isDynamicDim(dim) && !to.isDynamicDim(dim) &&
          requireSize(op, denoter.getScope(op), op.getSource(), dim,
                      to.getDimSize(dim))
              .wasInterrupted())
        return WalkResult::interrupt();
    return WalkResult::advance();
  }

  /// Requires that what is inserted has the sizes of its place.
  WalkResult checkInsert(OffsetSizeAndStrideOpInterface op, Value source,
                         Value whole, const llvm::SmallBitVector &droppedDims) {
    FailureOr<IndicesCases> cases = denoter.getIndices(op.getMixedSizes());
    if (failed(cases))
      return stop(op);
    for (const Case<SmallVector<LinearExpr>> &sizes : *cases) {
      System domain = denoter.getScope(op) & sizes.domain;
      int64_t next = 0;
      for (auto [dim, size] : llvm::enumerate(sizes.value))
        if (!droppedDims[dim] &&
            requireSize(op, domain, source, next++, size).wasInterrupted())
          return WalkResult::interrupt();
    }
    return checkSlice(op, whole);
  }

  WalkResult checkSlice(OffsetSizeAndStrideOpInterface op, Value whole) {
    SmallVector<OpFoldResult> values = op.getMixedOffsets();
    unsigned rank = values.size();
    llvm::append_range(values, op.getMixedSizes());
    FailureOr<IndicesCases> cases = denoter.getIndices(values);
    if (failed(cases))
      return stop(op);
    System scope = denoter.getScope(op);
    Solver &solver = denoter.getSolver();
    for (const Case<SmallVector<LinearExpr>> &box : *cases) {
      // Some element of the slice, which may have none.
      System domain = scope & box.domain;
      SmallVector<LinearExpr> places;
      for (unsigned dim = 0; dim < rank; ++dim) {
        int64_t stride = op.getStaticStrides()[dim];
        if (ShapedType::isDynamic(stride)) {
          (void)denoter.undecided(op, "a slice with a dynamic stride");
          return stop(op);
        }
        LinearExpr inSlice = LinearExpr::var(solver.makeVar());
        domain.addRange(0, inSlice, box.value[rank + dim]);
        places.push_back(box.value[dim] + inSlice * DynamicAPInt(stride));
      }
      if (solver.isEmpty(domain))
        continue;
      for (unsigned dim = 0; dim < rank; ++dim)
        if (require(op, domain, places[dim], whole, dim).wasInterrupted())
          return WalkResult::interrupt();
    }
    return WalkResult::advance();
  }

  /// Requires that all operands give a loop the same size.
  WalkResult checkLoopSizes(linalg::LinalgOp op, ArrayRef<LinearExpr> sizes) {
    System scope = denoter.getScope(op);
    for (OpOperand &operand : op->getOpOperands())
      for (auto [dim, expr] :
           llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
        if (auto loop = dyn_cast<AffineDimExpr>(expr);
            loop && requireSize(op, scope, operand.get(), dim,
                                sizes[loop.getPosition()])
                        .wasInterrupted())
          return WalkResult::interrupt();
    return WalkResult::advance();
  }

  WalkResult checkLinalg(linalg::LinalgOp op) {
    FailureOr<SmallVector<LinearExpr>> sizes = denoter.getLoopSizes(op);
    if (failed(sizes))
      return stop(op);
    if (checkLoopSizes(op, *sizes).wasInterrupted())
      return WalkResult::interrupt();
    Solver &solver = denoter.getSolver();
    System domain = denoter.getScope(op);
    SmallVector<LinearExpr> loops;
    for (const LinearExpr &size : *sizes) {
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
        SmallVector<Var> locals;
        System there = domain;
        FailureOr<LinearExpr> index =
            denoter.addAffine(expr, loops, {}, locals, there, op);
        if (failed(index))
          return stop(op);
        if (require(op, there, *index, operand.get(), dim).wasInterrupted())
          return WalkResult::interrupt();
      }
    }
    return WalkResult::advance();
  }

  Denoter &denoter;
  Certificate certificate;
};
} // namespace

Certificate certify::checkBounds(FunctionOpInterface function,
                                 Denoter &denoter) {
  BoundsCheck check(denoter);
  function->walk<WalkOrder::PreOrder>(
      [&](Operation *op) { return check.check(op); });
  return check.getCertificate();
}
