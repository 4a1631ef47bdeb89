//===- Words.cpp - Integers that are halves of another ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Words.h"

#include "mlir/IR/Attributes.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

static bool isApply(const ExprRef &expr, StringRef name) {
  return expr->kind == Expr::Kind::Apply && expr->name == name &&
         expr->attributes.empty();
}

static std::optional<uint64_t> getShift(const ExprRef &expr) {
  auto value = expr->kind == Expr::Kind::Constant
                   ? dyn_cast<IntegerAttr>(expr->constant)
                   : IntegerAttr();
  if (!value)
    return std::nullopt;
  return value.getValue().getLimitedValue();
}

static unsigned getBits(const ExprRef &expr) {
  return expr->type.getIntOrFloatBitWidth();
}

namespace {
/// What a word is put together from.
struct Word {
  ExprRef low;        ///< of fewer bits, extended by zeros
  ExprRef high;       ///< of as many as the word, null for zero
  uint64_t shift = 0; ///< of the high part, less than the word's bits
};
} // namespace

/// `expr` as the number in its low bits.
static ExprRef matchLow(const ExprRef &expr) {
  return isApply(expr, "arith.extui") ? expr->operands[0] : nullptr;
}

/// The parts of `expr`, which do not overlap; nothing if it is not put
/// together.
static std::optional<Word> matchWord(const ExprRef &expr) {
  if (ExprRef low = matchLow(expr))
    return Word{low, nullptr};
  if (!isApply(expr, "arith.ori"))
    return std::nullopt;
  for (unsigned number : {0, 1}) {
    ExprRef low = matchLow(expr->operands[number]);
    const ExprRef &high = expr->operands[1 - number];
    if (!low || !isApply(high, "arith.shli"))
      continue;
    std::optional<uint64_t> shift = getShift(high->operands[1]);
    if (shift && *shift >= getBits(low) && *shift < getBits(expr))
      return Word{low, high->operands[0], *shift};
  }
  return std::nullopt;
}

/// `expr` in `type`, which has as many bits or more.
static ExprRef extend(StringRef name, Type type, const ExprRef &expr) {
  if (expr->type == type)
    return expr;
  return makeApply(name, DictionaryAttr::get(type.getContext()), type, {expr},
                   nullptr);
}

ExprRef certify::takeLow(Type type, const ExprRef &word) {
  if (isApply(word, "arith.extsi") && word->operands[0]->type == type)
    return word->operands[0];
  std::optional<Word> parts = matchWord(word);
  unsigned bits = type.getIntOrFloatBitWidth();
  if (!parts || getBits(parts->low) > bits)
    return nullptr;
  // What is left out is known, and lies above.
  if (parts->high && (parts->shift < bits || !isFinite(parts->high)))
    return nullptr;
  return extend("arith.extui", type, parts->low);
}

ExprRef certify::takeHigh(const ExprRef &word, const ExprRef &shift) {
  std::optional<Word> parts = matchWord(word);
  std::optional<uint64_t> bits = getShift(shift);
  if (!parts || !bits || *bits < getBits(parts->low) ||
      *bits >= getBits(word) || !isFinite(parts->low))
    return nullptr;
  if (!parts->high)
    return makeSum(word->type, {});
  // Where it goes up to the last bit of the word, its sign is the word's.
  ExprRef high = matchLow(parts->high);
  if (!high || parts->shift != *bits || getBits(high) + *bits > getBits(word))
    return nullptr;
  bool hasSign = getBits(high) + *bits == getBits(word);
  return extend(hasSign ? "arith.extsi" : "arith.extui", word->type, high);
}
