//===- Contracts.cpp - What ops take for granted ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Denoter.h"
#include "Window.h"

#include "llvm/ADT/SmallVectorExtras.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

LogicalResult Denoter::assumeContracts(FunctionOpInterface function) {
  assumeZeroPoints(function.getFunctionBody().front());
  // An op inside a loop or a branch may never run, or on sizes of its own.
  for (Operation &op : function.getFunctionBody().front()) {
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      if (failed(assumeEqualSizes(linalgOp)))
        return failure();
    if (auto im2col = dyn_cast<Im2colOp>(op))
      if (failed(assumeLetters(im2col)))
        return failure();
    if (auto convolution = dyn_cast<ConvolutionOpInterface>(op))
      if (failed(assumeWindows(convolution)))
        return failure();
  }
  return success();
}

LogicalResult Denoter::assumeEqualSizes(linalg::LinalgOp op) {
  FailureOr<SmallVector<Size>> sizes = getLoopSizes(op);
  if (failed(sizes))
    return failure();
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop)
        continue;
      FailureOr<Size> size = getSize(operand.get(), dim);
      if (failed(size))
        return failure();
      const Size &other = (*sizes)[loop.getPosition()];
      // Of a minimum nothing is assumed.
      if (size->size() > 1 || other.size() > 1)
        continue;
      if (!size->front().isConstant() || !other.front().isConstant())
        arguments.sizes.addEqual(size->front(), other.front());
    }
  }
  return success();
}

LogicalResult Denoter::assumeLetters(Im2colOp op) {
  Im2colLayoutAttr layout = op.getLayout();
  std::string letters = (layout.getPositions() + layout.getWindow()).str();
  for (auto [dim, letter] : llvm::enumerate(layout.getInput())) {
    if (ConvRoles::isSpatial(letter))
      continue;
    FailureOr<Size> size = getSize(op.getInput(), dim);
    FailureOr<Size> other = getSize(op.getResult(), letters.find(letter));
    if (failed(size) || failed(other))
      return failure();
    if (size->size() == 1 && other->size() == 1 && !(*size == *other))
      arguments.sizes.addEqual(size->front(), other->front());
  }
  return success();
}

LogicalResult Denoter::assumeWindows(ConvolutionOpInterface op) {
  ConvRoles roles(op);
  std::array<DenseMap<char, LinearExpr>, 3> sizes;
  for (unsigned role : {ConvRoles::Input, ConvRoles::Filter, ConvRoles::Output})
    for (auto [dim, letter] : llvm::enumerate(roles.layouts[role])) {
      FailureOr<LinearExpr> size = getSingleSize(roles.tensors[role], dim);
      if (failed(size))
        return failure();
      sizes[role][letter] = *size;
    }
  for (auto [first, second] :
       {std::pair(0, 1), std::pair(0, 2), std::pair(1, 2)})
    for (const auto &[letter, size] : sizes[first]) {
      auto other = sizes[second].find(letter);
      if (ConvRoles::isSpatial(letter) || other == sizes[second].end() ||
          (size.isConstant() && other->second.isConstant()))
        continue;
      arguments.sizes.addEqual(size, other->second);
    }
  unsigned spatialDim = 0;
  for (char letter : StringRef("dhw")) {
    if (!sizes[ConvRoles::Filter].contains(letter))
      continue;
    Window window(op.getWindow(), spatialDim++);
    LinearExpr input = sizes[ConvRoles::Input][letter];
    LinearExpr output = sizes[ConvRoles::Output][letter];
    LinearExpr taps = sizes[ConvRoles::Filter][letter];
    bool isStatic =
        input.isConstant() && output.isConstant() && taps.isConstant();
    if (isStatic || window.inputDilation != 1)
      continue;
    // The last tap of the last window.
    LinearExpr last = window.getDilatedInput(output - 1, taps - 1, taps);
    if (window.reverse)
      last = window.getDilatedInput(output - 1, 0, taps);
    arguments.sizes.addAtMost(last + 1, input + LinearExpr(window.padHigh));
  }
  return success();
}

/// Whether the body of `loop` runs at least once.
static bool runsAtLeastOnce(scf::ForOp loop) {
  std::optional<APInt> count = loop.getStaticTripCount();
  return count && !count->isZero();
}

void Denoter::assumeZeroPoints(Block &block) {
  for (Operation &op : block) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (loop && runsAtLeastOnce(loop))
      assumeZeroPoints(*loop.getBody());
    if (auto convolution = dyn_cast<ConvolutionOpInterface>(op))
      assumeZeroPoints(convolution);
  }
}

void Denoter::assumeZeroPoints(ConvolutionOpInterface op) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  std::array<bool, 2> isUnsigned = {op.getNumerics().getInputUnsigned(),
                                    op.getNumerics().getFilterUnsigned()};
  for (auto [number, zeroPoint] : llvm::enumerate(op.getZeroPoints()))
    if (auto argument = dyn_cast<BlockArgument>(zeroPoint))
      if (argument.getOwner()->getParentOp() == function)
        arguments.zeroPoints[argument.getArgNumber()] =
            isUnsigned[number] ? "arith.extui" : "arith.extsi";
}

ExprRef certify::applyContracts(const ExprRef &expr,
                                const Arguments &arguments) {
  if (arguments.zeroPoints.empty())
    return expr;
  if (expr->kind == Expr::Kind::Sum) {
    Families families = expr->families;
    for (Family &family : families)
      family.term = applyContracts(family.term, arguments);
    return makeSum(expr->type, families);
  }
  if (expr->kind != Expr::Kind::Apply)
    return expr;
  SmallVector<ExprRef> operands =
      llvm::map_to_vector(expr->operands, [&](const ExprRef &operand) {
        return applyContracts(operand, arguments);
      });
  const ExprRef &narrow = operands[0];
  if (narrow->kind == Expr::Kind::Apply && narrow->name == "arith.trunci" &&
      narrow->operands[0]->kind == Expr::Kind::Read &&
      narrow->operands[0]->indices.empty() &&
      narrow->operands[0]->type == expr->type) {
    auto it =
        arguments.zeroPoints.find(narrow->operands[0]->argument.getArgNumber());
    if (it != arguments.zeroPoints.end() && it->second == expr->name)
      return narrow->operands[0];
  }
  return makeApply(expr->name, expr->attributes, expr->type, operands, nullptr);
}
