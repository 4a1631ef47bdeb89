//===- WordPlan.cpp - How convolutions are multiplied in words --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WordPlan.h"

#include "convoy/Transforms/Costs/WideningCosts.h"
#include "convoy/Transforms/Utils/Divisibility.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Operand;

/// The zero point of the operand with this number, zero where `op` has none;
/// nothing where it is known as the kernel runs alone.
static std::optional<int64_t> getZeroPoint(ConvOp op, unsigned number) {
  if (op.getZeroPoints().empty())
    return 0;
  APInt value;
  if (!matchPattern(op.getZeroPoints()[number], m_ConstantInt(&value)))
    return std::nullopt;
  return value.getSExtValue();
}

namespace {
/// Integers from `least` to `greatest`.
struct Bounds {
  int64_t least, greatest;

  bool contain(int64_t value) const {
    return least <= value && value <= greatest;
  }
  bool fit(unsigned bits, bool isUnsigned) const {
    return isUnsigned
               ? least >= 0 && llvm::isUIntN(bits, greatest)
               : llvm::isIntN(bits, least) && llvm::isIntN(bits, greatest);
  }
  Bounds operator-(int64_t value) const {
    return {least - value, greatest - value};
  }
};
} // namespace

/// What elements of `factor` lie between; nothing where they may not fit words.
static std::optional<Bounds> getBounds(const WordFactor &factor) {
  unsigned bits =
      getElementTypeOrSelf(factor.tensor.getType()).getIntOrFloatBitWidth();
  if (bits > 16)
    return std::nullopt;
  int64_t least = factor.isUnsigned ? 0 : -(int64_t(1) << (bits - 1));
  return Bounds{least, least + (int64_t(1) << bits) - 1};
}

/// Lets words of the factors of `plan`, whose elements are `input` and
/// `filter`, hold `parts` of integers; returns whether they fit. If only a
/// multiple of the filter's sums makes it so, `canShift` must allow it.
static bool planParts(WordPlan &plan, WordParts parts, Bounds input,
                      Bounds filter, bool canShift) {
  plan.parts = parts;
  plan.input.subtracted = plan.input.zeroPoint;
  plan.filter.subtracted = plan.filter.zeroPoint;
  unsigned bits = parts.type.getIntOrFloatBitWidth();
  if (!(filter - plan.filter.subtracted).fit(bits, parts.bUnsigned))
    return false;
  if ((input - plan.input.subtracted).fit(bits, parts.aUnsigned))
    return true;
  plan.input.subtracted =
      input.least + (parts.aUnsigned ? 0 : int64_t(1) << (bits - 1));
  int64_t rest = plan.input.getRest();
  return canShift &&
         (input - plan.input.subtracted).fit(bits, parts.aUnsigned) &&
         Bounds{rest, rest}.fit(bits, parts.aUnsigned);
}

/// Whether `op` is multiplied by tiles of words of `parts` along its channels:
/// they lie side by side, and tiles have some rows and some words in each.
static bool canMultiplyTiles(ConvolutionOpInterface op, WordParts parts,
                             TargetAttr target) {
  constexpr int64_t kLeastRows = 8, kLeastWords = 4;
  ::convoy::ConvLayouts layouts = op.getLayout().getLayouts();
  if (!findTileInstruction(parts, target) ||
      layouts.input.letters().back() != 'c' ||
      llvm::is_contained(layouts.input.letters(), 'g'))
    return false;
  int64_t rows = 1;
  for (char letter : layouts.input.letters())
    if (letter != 'c')
      rows *= std::max<int64_t>(0, op.getSize(Operand::Output, letter));
  int64_t channels = op.getSize(Operand::Filter, 'c');
  SmallVector<int64_t> divisors =
      getDivisors(llvm::divideCeil(channels, parts.count()));
  return rows >= kLeastRows && llvm::any_of(divisors, [](int64_t terms) {
           return terms >= kLeastWords && terms <= ::convoy::kTileWords;
         });
}

/// Parts of integers that instructions of `target` multiply for `op`, as many
/// as can be in a word of 32 bits first.
static SmallVector<WordParts> getIntegerParts(ConvolutionOpInterface op,
                                              TargetAttr target) {
  SmallVector<WordParts> all;
  for (unsigned bits : {8u, 16u})
    for (auto [aUnsigned, bUnsigned] : {std::pair{false, false},
                                        {true, true},
                                        {true, false},
                                        {false, true}}) {
      WordParts parts = {IntegerType::get(target.getContext(), bits), aUnsigned,
                         bUnsigned};
      if (findDotInstruction(parts, target, target.getVectorBytes()) ||
          canMultiplyTiles(op, parts, target))
        all.push_back(parts);
    }
  return all;
}

/// Sets what words of the factors of `plan`, of integers, hold; returns whether
/// they fit.
static bool planIntegers(WordPlan &plan, ArrayRef<WordParts> allParts) {
  std::optional<Bounds> input = getBounds(plan.input);
  std::optional<Bounds> filter = getBounds(plan.filter);
  if (!input || !filter)
    return false;
  auto fit = [&](unsigned bits, bool canShift) {
    return llvm::any_of(allParts, [&](const WordParts &parts) {
      return parts.type.isInteger(bits) &&
             planParts(plan, parts, *input, *filter, canShift);
    });
  };
  return fit(8, false) || fit(8, true) || fit(16, false);
}

/// `plan` of the parts of `op`, which sums in f32 or i32; or why there is none.
static std::optional<Choice> planFactors(ConvOp op, TargetAttr target,
                                         WordPlan &plan) {
  auto conv = cast<ConvolutionOpInterface>(*op);
  if (conv.getAccumulatorType().isF32()) {
    if (!getElementTypeOrSelf(op.getInput()).isBF16() ||
        !getElementTypeOrSelf(op.getFilter()).isBF16())
      return Choice::NotBF16;
    plan.parts = {BFloat16Type::get(op.getContext())};
    return findDotInstruction(plan.parts, target, target.getVectorBytes())
               ? std::nullopt
               : std::optional(Choice::NoBF16Instruction);
  }
  SmallVector<WordParts> allParts = getIntegerParts(conv, target);
  if (allParts.empty())
    return Choice::NoWordInstruction;
  std::optional<int64_t> zeroPoints[] = {getZeroPoint(op, 0),
                                         getZeroPoint(op, 1)};
  if (!zeroPoints[0] || !zeroPoints[1])
    return Choice::ZeroPointsVary;
  plan.input.zeroPoint = *zeroPoints[0];
  plan.filter.zeroPoint = *zeroPoints[1];
  return planIntegers(plan, allParts) ? std::nullopt
                                      : std::optional(Choice::FactorsTooWide);
}

/// Whether `op`, multiplied as `plan` says, can have words of neighbours along
/// the spatial dimension `letter`: what its windows read is copied, with
/// padding in it.
static bool canJoinTaps(ConvolutionOpInterface op, const WordPlan &plan,
                        char letter) {
  ::convoy::WindowDim window = op.getWindow().getDim(
      ::convoy::spatialLetters(op.getLayout().getSpatialRank()).find(letter));
  if (window.inputDilation != 1)
    return false;
  for (Operand operand : {Operand::Input, Operand::Filter, Operand::Output})
    if (op.getSize(operand, letter) < 1) // dynamic sizes are negative
      return false;
  std::optional<Bounds> bounds = getBounds(plan.input);
  return (window.padLow <= 0 && window.padHigh <= 0) || !bounds ||
         isa<FloatType>(plan.parts.type) ||
         bounds->contain(plan.input.zeroPoint);
}

/// The dimensions along which `op`, multiplied as `plan` says, can have words.
static std::string getWordDims(ConvolutionOpInterface op,
                               const WordPlan &plan) {
  std::string dims = "c";
  for (char letter : ::convoy::spatialLetters(op.getLayout().getSpatialRank()))
    if (canJoinTaps(op, plan, letter))
      dims.push_back(letter);
  llvm::erase_if(
      dims, [&](char dim) { return op.getSize(Operand::Filter, dim) < 2; });
  return dims;
}

std::optional<Choice> mlir::convoy::planWords(ConvOp op, TargetAttr target,
                                              WordPlan &plan) {
  auto conv = cast<ConvolutionOpInterface>(*op);
  if (!conv.getAccumulatorType().isInteger(32) &&
      !conv.getAccumulatorType().isF32())
    return Choice::SumsOfOtherType;
  plan.input = {op.getInput(), op.getNumerics().getInputUnsigned()};
  plan.filter = {op.getFilter(), op.getNumerics().getFilterUnsigned()};
  if (std::optional<Choice> reason = planFactors(op, target, plan))
    return reason;
  std::string dims = getWordDims(conv, plan);
  if (dims.empty())
    return Choice::NoNeighbours;
  double least = getProductCycles(conv, target);
  plan.dim = 0;
  WordParts parts = plan.parts;
  for (unsigned bits : {32u, 64u}) {
    parts.bits = bits;
    bool isOfVectors =
        findDotInstruction(parts, target, target.getVectorBytes());
    if (!isOfVectors && !canMultiplyTiles(conv, parts, target))
      continue;
    for (char dim : isOfVectors ? dims : std::string("c"))
      if (double cycles = getWordCycles(conv, parts, dim, target);
          cycles < least) {
        least = cycles;
        plan.dim = dim;
        plan.parts = parts;
      }
  }
  return plan.dim ? std::nullopt : std::optional(Choice::ProductsAreFaster);
}
