//===- WinogradEpilogue.cpp - What sums become in vectors -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WinogradEpilogue.h"

#include "convoy/Transforms/Utils/Contractions.h"
#include "convoy/Transforms/Utils/Copies.h"
#include "convoy/Transforms/Utils/VectorBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::convoy;

/// Whether the body of `op` means the same on vectors.
static bool takesVectors(linalg::GenericOp op) {
  return llvm::all_of(op.getBody()->without_terminator(), [](Operation &inner) {
    return inner.hasTrait<OpTrait::ConstantLike>() ||
           (OpTrait::hasElementwiseMappableTraits(&inner) &&
            inner.getNumResults() == 1);
  });
}

std::optional<Choice> WinogradEpilogue::explainUse(ConvOp op) {
  Value sums = op.getResult();
  linalg::GenericOp user;
  for (Operation *other : sums.getUsers())
    if (auto generic = dyn_cast<linalg::GenericOp>(other))
      user = generic;
  // Ops that move elements finish nothing.
  if (!user)
    return std::nullopt;
  bool isAlone = llvm::all_of(sums.getUsers(),
                              [&](Operation *other) { return other == user; });
  if (!isAlone)
    return Choice::SumsReadElsewhere;
  if (user->getBlock() != op->getBlock())
    return Choice::OtherRegion;
  if (user.getNumDpsInits() != 1)
    return Choice::SeveralResults;
  if (user.hasIndexSemantics())
    return Choice::DependsOnPlace;
  bool readsElements = llvm::all_of(sums.getUses(), [&](OpOperand &use) {
    return user.isDpsInput(&use) &&
           user.getMatchingIndexingMap(&use).isIdentity();
  });
  if (!isElementwise(user) || !readsElements)
    return Choice::ReadsOtherwise;
  return takesVectors(user) ? std::nullopt
                            : std::optional(Choice::TakesNoVectors);
}

WinogradEpilogue::WinogradEpilogue(ConvOp op) : conv(op) {
  if (!op.getResult().use_empty() && !explainUse(op))
    finisher = dyn_cast<linalg::GenericOp>(*op.getResult().getUsers().begin());
  destination = finisher ? finisher.getDpsInits()[0] : op.getInit();
  findInit();
}

void WinogradEpilogue::findInit() {
  Value start = conv.getInit();
  MLIRContext *context = conv.getContext();
  auto type = cast<RankedTensorType>(start.getType());
  AffineMap identity =
      AffineMap::getMultiDimIdentityMap(type.getRank(), context);
  // What another op reads is there in any case.
  auto op = start.hasOneUse() ? start.getDefiningOp<linalg::LinalgOp>()
                              : linalg::LinalgOp();
  std::optional<Operand> made;
  if (auto fill = dyn_cast_or_null<linalg::FillOp>(op.getOperation()))
    made = Operand{fill.getInputs()[0], AffineMap()};
  else if (auto broadcast =
               dyn_cast_or_null<linalg::BroadcastOp>(op.getOperation()))
    made = Operand{broadcast.getInput(), broadcast.getMatchingIndexingMap(
                                             broadcast.getDpsInputOperand(0))};
  else if (auto copy = dyn_cast_or_null<linalg::GenericOp>(op.getOperation());
           copy && isCopy(copy) && isElementwise(copy))
    made = Operand{copy.getInputs()[0],
                   copy.getMatchingIndexingMap(copy.getDpsInputOperand(0))};
  if (!made && !finisher) {
    addsToDestination = true;
    return;
  }
  init = made ? *made : Operand{start, identity};
  if (!finisher)
    destination = op.getDpsInits()[0];
  if (matchPattern(init->value, m_AnyZeroFloat()))
    init.reset();
}

bool WinogradEpilogue::readsDestination() {
  return finisher &&
         finisher.payloadUsesValueFromOperand(finisher.getDpsInitOperand(0));
}

Value WinogradEpilogue::read(RewriterBase &rewriter, const Operand &operand,
                             ArrayRef<OpFoldResult> position, int64_t lanes) {
  Location loc = conv.getLoc();
  auto tensor = dyn_cast<RankedTensorType>(operand.value.getType());
  auto splat = [&](Value element) -> Value {
    return vector::BroadcastOp::create(
        rewriter, loc, VectorType::get({lanes}, element.getType()), element);
  };
  if (!tensor)
    return splat(operand.value);
  unsigned columns = conv.getLayout().getLayouts().output.position('f');
  SmallVector<OpFoldResult> at;
  std::optional<unsigned> along;
  for (auto [dim, expr] : llvm::enumerate(operand.map.getResults())) {
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    at.push_back(position[loop]);
    if (loop == columns)
      along = dim;
  }
  SmallVector<Value> indices =
      getValueOrCreateConstantIndexOp(rewriter, loc, at);
  if (!along)
    return splat(
        tensor::ExtractOp::create(rewriter, loc, operand.value, indices));
  AffineMap map =
      AffineMap::get(tensor.getRank(), 0, rewriter.getAffineDimExpr(*along));
  Type element = tensor.getElementType();
  Value pad =
      arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(element));
  return vector::TransferReadOp::create(
      rewriter, loc, VectorType::get({lanes}, element), operand.value, indices,
      pad, map, ArrayRef<bool>{true});
}

Value WinogradEpilogue::apply(RewriterBase &rewriter, Value sums,
                              ArrayRef<OpFoldResult> position, Value old) {
  int64_t lanes = cast<VectorType>(sums.getType()).getNumElements();
  if (init)
    sums = arith::AddFOp::create(rewriter, conv.getLoc(),
                                 read(rewriter, *init, position, lanes), sums);
  if (!finisher)
    return sums;
  SmallVector<Value> operands;
  for (OpOperand *operand : finisher.getDpsInputOperands())
    operands.push_back(
        operand->get() == conv.getResult()
            ? sums
            : read(rewriter,
                   {operand->get(), finisher.getMatchingIndexingMap(operand)},
                   position, lanes));
  operands.push_back(old);
  return computeOnVectors(rewriter, finisher, operands, lanes);
}
