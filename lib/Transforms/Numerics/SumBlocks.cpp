//===- SumBlocks.cpp - Sums in blocks of reduced channels -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SumBlocks.h"

#include "SumHazards.h"

#include "convoy/Support/SumStages.h"
#include "convoy/Transforms/Utils/Choices.h"
#include "convoy/Transforms/Utils/Copies.h"
#include "convoy/Transforms/Utils/Fills.h"
#include "convoy/Transforms/Utils/TensorSlice.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Operand;

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

/// Whether sums in `blocks` of all that is `whole` stay numbers of `type`,
/// however they are rounded.
static bool staysIn(FloatType type, const SumRange &whole,
                    const SumBlocks &blocks) {
  // Twice the unit roundoff, for targets that do not round to nearest.
  double gamma = ::convoy::getGamma(double(blocks.terms),
                                    2 * getUnitRoundoff(blocks.narrow));
  constexpr double RoundingsInF32 = 0x1p-16;
  double peak = whole.magnitude * (1 + gamma) * (1 + RoundingsInF32) +
                2 * whole.length * getSmallest(blocks.narrow);
  return peak < NumberRange::allOf(type).high;
}

SmallVector<SumBlocks> mlir::convoy::findSumBlocks(ConvolutionOpInterface op,
                                                   FloatType narrow,
                                                   RangeAnalysis &ranges) {
  // Each is computed on its own, and adds to all of the result.
  constexpr int64_t MostBlocks = 8;
  SmallVector<SumBlocks> found;
  if (!op.hasStaticSizes() || op.hasEmptyTensor())
    return found;
  auto lookup = [&](Value value) { return ranges.getRange(value); };
  OperandRoles roles = getOperandRoles(op.getDirection());
  int64_t channels = op.getSize(roles.first, roles.reduced);
  for (int64_t count = 2; count <= std::min(channels, MostBlocks); ++count) {
    int64_t size = llvm::divideCeil(channels, count);
    // Some numbers of blocks leave none for the last.
    if (int64_t(llvm::divideCeil(channels, size)) != count)
      continue;
    SumPart part{size, channels};
    if (!findSumHazard(op, narrow, ranges, part).empty())
      continue;
    SumRange whole = *getSumRange(op, lookup);
    SumRange sum = part.take(whole);
    SumBlocks blocks = {narrow, size, count, sum.length, sum.getPeak(narrow)};
    auto type = cast<FloatType>(getElementTypeOrSelf(op.getInit().getType()));
    if (staysIn(type, whole, blocks))
      found.push_back(blocks);
  }
  return found;
}

std::string mlir::convoy::describeSums(const SumChoice &choice) {
  if (!choice.blocks)
    return "sums in " + getTypeText(choice.type);
  return "sums " + std::to_string(choice.blocks->count) +
         getWords(Choice::SumsInBlocks).str() +
         getNumberText(choice.blocks->terms) + " products in " +
         getTypeText(choice.blocks->narrow) + ", and these in " +
         getTypeText(choice.type);
}

//===----------------------------------------------------------------------===//
// The rewrite
//===----------------------------------------------------------------------===//

/// The sums of `size` of the channels from `first` on.
static Value sumBlock(OpBuilder &builder, ConvolutionOpInterface op,
                      Value zeros, int64_t first, int64_t size) {
  OperandRoles roles = getOperandRoles(op.getDirection());
  SmallVector<Value> operands;
  for (Operand factor : {roles.first, roles.second}) {
    TensorSlice slice(builder, op.getLoc(), op.getOperandFor(factor));
    int64_t dim = op.getLayout().getLayouts()[factor].position(roles.reduced);
    slice.narrow(dim, first, size);
    operands.push_back(slice.extract());
  }
  operands.push_back(zeros);
  auto block = cast<ConvolutionOpInterface>(builder.clone(*op));
  block->setOperands(operands);
  block->getResult(0).setType(zeros.getType());
  NumericsAttr numerics = op.getNumerics().withPolicy(Policy::Low);
  block.setNumericsAttr(
      numerics.withAccumulator(getElementTypeOrSelf(zeros.getType())));
  return block->getResult(0);
}

/// sum + ext(part), element by element.
static Value addPart(OpBuilder &builder, Location loc, Value sum, Value part) {
  auto type = cast<RankedTensorType>(sum.getType());
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> parallel(type.getRank(),
                                            utils::IteratorType::parallel);
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  return linalg::GenericOp::create(
             builder, loc, type, ValueRange{sum, part}, empty,
             ArrayRef<AffineMap>{identity, identity, identity}, parallel,
             [](OpBuilder &b, Location loc, ValueRange args) {
               Value wide =
                   arith::ExtFOp::create(b, loc, args[0].getType(), args[1]);
               Value added = arith::AddFOp::create(b, loc, args[0], wide);
               linalg::YieldOp::create(b, loc, added);
             })
      .getResult(0);
}

void mlir::convoy::sumInBlocks(ConvolutionOpInterface op,
                               const SumBlocks &blocks) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Type element = getElementTypeOrSelf(op.getInit().getType());
  auto wide = builder.getF32Type();
  OperandRoles roles = getOperandRoles(op.getDirection());
  int64_t channels = op.getSize(roles.first, roles.reduced);
  Value zeros = createZeros(builder, loc,
                            tensor::getMixedSizes(builder, loc, op.getInit()),
                            blocks.narrow);
  Value sum = convertElements(builder, loc, op.getInit(), wide);
  for (int64_t first = 0; first < channels; first += blocks.channels) {
    int64_t size = std::min(blocks.channels, channels - first);
    Value part = sumBlock(builder, op, zeros, first, size);
    sum = addPart(builder, loc, sum, part);
  }
  sum = convertElements(builder, loc, sum, element);
  op->replaceAllUsesWith(ValueRange{sum});
  op->erase();
}
