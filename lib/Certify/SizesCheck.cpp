//===- SizesCheck.cpp - Sizes that ops take for equal -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SizesCheck.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using Verdict = Certificate::Verdict;

//===----------------------------------------------------------------------===//
// Which ops
//===----------------------------------------------------------------------===//

static bool isOpen(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return tensor && !tensor.hasStaticShape();
}

/// Whether `op` is one of TOSA's that work on more than single elements, and
/// has sizes that are not static.
static bool isOpenTosa(Operation *op) {
  return isa_and_nonnull<tosa::TosaDialect>(op->getDialect()) &&
         !op->hasTrait<OpTrait::ResultsBroadcastableShape>() &&
         (llvm::any_of(op->getOperandTypes(), isOpen) ||
          llvm::any_of(op->getResultTypes(), isOpen));
}

/// Whether `op` says of a tensor of unknown rank what it is.
static bool isOfUnknownRank(Operation *op) {
  auto cast = dyn_cast<tensor::CastOp>(op);
  return cast && (isa<UnrankedTensorType>(cast.getSource().getType()) ||
                  isa<UnrankedTensorType>(cast.getType()));
}

bool SizesCheck::statesSizes(Operation *op) {
  return isa<tensor::PadOp, tensor::ExpandShapeOp, ConvolutionOpInterface>(
             op) ||
         isOpenTosa(op) || isOfUnknownRank(op) || !getEqualDims(op).empty();
}

//===----------------------------------------------------------------------===//
// Verdicts
//===----------------------------------------------------------------------===//

WalkResult SizesCheck::stop(Operation *op) {
  certificate.verdict = Verdict::Undecided;
  certificate.message = evaluator.getObstacle().get().reason;
  certificate.op = evaluator.getObstacle().get().op;
  return WalkResult::interrupt();
}

WalkResult SizesCheck::refuse(Operation *op, bool isCertain,
                              const Twine &reason) {
  certificate.verdict = isCertain && scopes.isScopeKnown(op)
                            ? Verdict::Different
                            : Verdict::Undecided;
  certificate.op = op;
  certificate.message = reason.str();
  return WalkResult::interrupt();
}

WalkResult SizesCheck::requireSize(Operation *op, const System &domain,
                                   const Dimension &dim, const Size &stated) {
  FailureOr<Size> size = sizes.getSize(dim.tensor, dim.number);
  if (failed(size))
    return stop(op);
  if (areEqualSizes(solver, *size, stated, domain))
    return WalkResult::advance();
  return refuse(op, arguments.isKnown(*size) && arguments.isKnown(stated),
                "sizes of operands that do not agree, in dimension " +
                    Twine(dim.number));
}

//===----------------------------------------------------------------------===//
// What ops say
//===----------------------------------------------------------------------===//

WalkResult SizesCheck::checkPadded(const System &scope, tensor::PadOp op,
                                   int64_t dim) {
  FailureOr<IndicesCases> pads = evaluator.getIndices().evaluateAll(
      {op.getMixedLowPad()[dim], op.getMixedHighPad()[dim]});
  FailureOr<Size> size = sizes.getSize(op.getSource(), dim);
  if (failed(pads) || failed(size))
    return stop(op);
  LinearExpr stated = op.getResultType().getDimSize(dim);
  for (const Case<SmallVector<LinearExpr>> &pad : *pads) {
    System domain = scope & pad.domain;
    LinearExpr rest = stated - pad.value[0] - pad.value[1];
    System isLess = domain;
    isLess.addAtMost(rest, -1);
    if (areEqualSizes(solver, *size, {rest}, domain) && solver.isEmpty(isLess))
      continue;
    bool isCertain = pad.locals.empty() && arguments.isKnown(*size) &&
                     arguments.isKnown({rest});
    return refuse(op, isCertain,
                  "a tensor of another size than its type says, in dimension " +
                      Twine(dim));
  }
  return WalkResult::advance();
}

WalkResult SizesCheck::checkPad(const System &scope, tensor::PadOp op) {
  for (int64_t dim = 0; dim < op.getResultType().getRank(); ++dim)
    if (isStated(op, dim) && checkPadded(scope, op, dim).wasInterrupted())
      return WalkResult::interrupt();
  return WalkResult::advance();
}

WalkResult SizesCheck::checkExpand(const System &scope,
                                   tensor::ExpandShapeOp op) {
  auto expanded = getExpandedSizes(op, sizes, evaluator.getObstacle());
  if (failed(expanded))
    return stop(op);
  for (const auto &[dim, product] : *expanded)
    if (requireSize(op, scope, dim, product).wasInterrupted())
      return WalkResult::interrupt();
  return WalkResult::advance();
}

FailureOr<System> SizesCheck::getNotEmpty(ConvolutionOpInterface op) {
  ConvRoles roles(op);
  System notEmpty;
  for (Value tensor : roles.tensors)
    for (int64_t dim = 0;
         dim < cast<RankedTensorType>(tensor.getType()).getRank(); ++dim) {
      FailureOr<Size> size = sizes.getSize(tensor, dim);
      if (failed(size))
        return failure();
      for (const LinearExpr &bound : *size)
        notEmpty.addAtMost(1, bound);
    }
  return notEmpty;
}

WalkResult SizesCheck::checkWindows(const System &scope,
                                    ConvolutionOpInterface op) {
  FailureOr<SmallVector<OpenWindow, 0>> windows = getOpenWindows(op, sizes);
  FailureOr<System> notEmpty = getNotEmpty(op);
  if (failed(windows) || failed(notEmpty))
    return stop(op);
  for (const OpenWindow &window : *windows) {
    LinearExpr output = LinearExpr::var(solver.makeVar());
    LinearExpr input = LinearExpr::var(solver.makeVar());
    System inBoth = scope & *notEmpty;
    inBoth.addRange(0, output, window.output);
    inBoth.addRange(0, input, window.input);
    for (const LinearExpr &bound : window.input) {
      System beyond = inBoth;
      beyond.addAtMost(bound + 1, window.getReach(output));
      if (!solver.isEmpty(beyond))
        return refuse(op, /*isCertain=*/false,
                      "a window that may reach further than the padding");
    }
    if (op.getDirection() != ::convoy::Direction::BackwardData)
      continue;
    for (const LinearExpr &bound : window.output) {
      System beyond = inBoth;
      beyond.addAtMost(window.getCovered(bound), input);
      if (!solver.isEmpty(beyond))
        return refuse(op, /*isCertain=*/false,
                      "a gradient that may have room for another window");
    }
  }
  return WalkResult::advance();
}

WalkResult SizesCheck::checkZeroPoints(const System &scope,
                                       ConvolutionOpInterface op) {
  if (!op.hasZeroPointsPerChannel())
    return WalkResult::advance();
  auto counts = getZeroPointCounts(op, sizes);
  if (failed(counts))
    return stop(op);
  if (*counts &&
      areEqualSizes(solver, {(*counts)->first}, {(*counts)->second}, scope))
    return WalkResult::advance();
  return refuse(op, /*isCertain=*/false,
                "zero points that may not be one for each channel");
}

WalkResult SizesCheck::checkStated(const System &scope, Operation *op) {
  if (isOpenTosa(op) || isOfUnknownRank(op)) {
    (void)evaluator.undecided(op, "a tensor whose sizes are not known");
    return stop(op);
  }
  for (const auto &[first, second] : getEqualDims(op)) {
    FailureOr<Size> size = sizes.getSize(first.tensor, first.number);
    if (failed(size))
      return stop(op);
    if (requireSize(op, scope, second, *size).wasInterrupted()) {
      // A dimension of one element is broadcast.
      if (op->hasTrait<OpTrait::ResultsBroadcastableShape>())
        certificate.verdict = Verdict::Undecided;
      return WalkResult::interrupt();
    }
  }
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return checkPad(scope, pad);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return checkExpand(scope, expand);
  auto convolution = dyn_cast<ConvolutionOpInterface>(op);
  if (!convolution)
    return WalkResult::advance();
  if (checkZeroPoints(scope, convolution).wasInterrupted())
    return WalkResult::interrupt();
  return checkWindows(scope, convolution);
}

//===----------------------------------------------------------------------===//
// Tensors that ops make
//===----------------------------------------------------------------------===//

/// Whether `size` is not negative where `scope` holds.
static Certificate checkSize(Operation *op, Value size, const System &scope,
                             SymbolicEvaluator &evaluator) {
  FailureOr<IndexCases> cases = evaluator.getIndices().evaluate(size);
  if (failed(cases))
    return getUndecided(evaluator.getObstacle().get());
  for (const Case<LinearExpr> &one : *cases) {
    System negative = scope & one.domain;
    negative.addAtMost(one.value, -1);
    if (evaluator.getSolver().isEmpty(negative))
      continue;
    std::string reason = "a size that may be negative";
    if (auto point = evaluator.getSolver().findPoint(negative))
      reason += ", as " + std::to_string(one.value.evaluate(*point));
    return getUndecided({op, reason});
  }
  return Certificate();
}

Certificate certify::checkSizes(FunctionOpInterface function,
                                SymbolicEvaluator &evaluator) {
  Certificate certificate;
  function->walk([&](Operation *op) {
    for (Value size : getSizeOperands(op))
      for (const System &scope : evaluator.getScopes().getScopes(op)) {
        certificate = checkSize(op, size, scope, evaluator);
        if (certificate.verdict != Verdict::Certified)
          return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return certificate;
}
