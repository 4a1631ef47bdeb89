//===- Words.cpp - Numbers in the bits of an integer ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Words.h"
#include "FloatBits.h"
#include "Widenings.h"
#include "ZeroSigns.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

static unsigned getBits(const ExprRef &expr) {
  return expr->type.getIntOrFloatBitWidth();
}

static std::optional<APInt> getConstant(const Expr &expr) {
  auto value = expr.kind == Expr::Kind::Constant
                   ? dyn_cast<IntegerAttr>(expr.constant)
                   : IntegerAttr();
  return value ? std::optional(value.getValue()) : std::nullopt;
}

static std::optional<uint64_t> getShift(const ExprRef &expr) {
  std::optional<APInt> value = getConstant(*expr);
  return value ? std::optional(value->getLimitedValue()) : std::nullopt;
}

namespace {
/// A number in the bits of a word from `shift` on.
struct WordPart {
  ExprRef number; ///< of as many bits as it takes; null for none
  uint64_t shift = 0;

  uint64_t end() const { return shift + getBits(number); }
  /// What of it lies in the bits of a word from `begin` to `end`: all of it; of
  /// a constant all these bits, if one is not zero; or nothing.
  WordPart cut(uint64_t begin, uint64_t end) const;
};
} // namespace

WordPart WordPart::cut(uint64_t begin, uint64_t end) const {
  if (end <= shift || this->end() <= begin)
    return {};
  std::optional<APInt> value = getConstant(*number);
  if (!value)
    return *this;
  APInt word = value->zext(std::max(this->end(), end)).shl(shift);
  APInt bits = word.extractBits(end - begin, begin);
  auto type = IntegerType::get(number->type.getContext(), bits.getBitWidth());
  return bits.isZero()
             ? WordPart()
             : WordPart{makeConstant(IntegerAttr::get(type, bits)), begin};
}

/// Whether bits of `part` lie where such of `other` lie in a word.
static bool overlaps(const WordPart &part, const WordPart &other) {
  return part.cut(other.shift, other.end()).number &&
         other.cut(part.shift, part.end()).number;
}

/// The parts that `expr` is put together from, which do not overlap, zero
/// between them; nothing if it is not put together.
static std::optional<SmallVector<WordPart>> matchWord(const ExprRef &expr) {
  if (isZero(expr))
    return SmallVector<WordPart>();
  if (std::optional<APInt> value = getConstant(*expr))
    return SmallVector<WordPart>{
        WordPart{expr}.cut(value->countr_zero(), value->getActiveBits())};
  if (isApply(expr, "arith.extui"))
    return SmallVector<WordPart>{{expr->operands[0], 0}};
  if (std::optional<unsigned> bits = getUnsignedBits(expr)) {
    auto type = IntegerType::get(expr->type.getContext(), *bits);
    return SmallVector<WordPart>{
        {makeApply("arith.trunci", expr->attributes, type, {expr}, nullptr),
         0}};
  }
  if (isApply(expr, "arith.shli")) {
    std::optional<uint64_t> shift = getShift(expr->operands[1]);
    auto parts = matchWord(expr->operands[0]);
    if (!shift || *shift >= getBits(expr))
      return std::nullopt;
    // The highest may be all that is shifted, so that bits of it are lost.
    if (!parts)
      return SmallVector<WordPart>{{expr->operands[0], *shift}};
    for (WordPart &part : *parts)
      part.shift += *shift;
    return parts;
  }
  if (!isApply(expr, "arith.ori"))
    return std::nullopt;
  auto parts = matchWord(expr->operands[0]);
  auto others = matchWord(expr->operands[1]);
  if (!parts || !others)
    return std::nullopt;
  for (const WordPart &other : *others)
    if (llvm::any_of(*parts, [&](const WordPart &part) {
          return overlaps(part, other);
        }))
      return std::nullopt;
  parts->append(*others);
  return parts;
}

/// Whether `expr` has bits wherever what it reads has them, be they of a number
/// or not. No op on floating point loses them that makes no promises.
static bool hasBits(const ExprRef &expr) {
  if (isFinite(expr))
    return true;
  if (expr->kind == Expr::Kind::Sum && isa<FloatType>(expr->type))
    return llvm::all_of(expr->families, [](const Family &family) {
      return hasBits(family.term);
    });
  bool keepsBits =
      expr->kind == Expr::Kind::Apply && expr->attributes.empty() &&
      (isa<FloatType>(expr->type) || expr->name == "arith.bitcast");
  return keepsBits && llvm::all_of(expr->operands, hasBits);
}

/// The one of `parts` that lies in the bits from `begin` to `end` of a word,
/// whole, where the others lie outside and have bits. None where there is none;
/// nothing where it is not known what is there.
static std::optional<WordPart> findPart(ArrayRef<WordPart> parts,
                                        uint64_t begin, uint64_t end) {
  WordPart found;
  for (const WordPart &whole : parts) {
    WordPart part = whole.cut(begin, end);
    if (!part.number) {
      if (!hasBits(whole.number))
        return std::nullopt;
      continue;
    }
    if (found.number || part.shift != begin || part.end() > end)
      return std::nullopt;
    found = part;
  }
  return found;
}

static ExprRef apply(StringRef name, Type type, const ExprRef &expr) {
  return makeApply(name, type, expr, nullptr);
}

/// `expr` in `type`, which has as many bits or more.
static ExprRef extend(StringRef name, Type type, const ExprRef &expr) {
  return expr->type == type ? expr : apply(name, type, expr);
}

ExprRef certify::takeLow(Type type, const ExprRef &word) {
  if (isApply(word, "arith.extsi") && word->operands[0]->type == type)
    return word->operands[0];
  ExprRef whole = word;
  uint64_t begin = 0;
  if (isApply(word, "arith.shrui")) {
    std::optional<uint64_t> shift = getShift(word->operands[1]);
    if (!shift || *shift >= getBits(word))
      return nullptr;
    whole = word->operands[0];
    begin = *shift;
  }
  // A difference by itself is no word.
  if (begin == 0 && getUnsignedBits(whole))
    return nullptr;
  auto parts = matchWord(whole);
  // Bits that were shifted out of the word are lost; zero follows its last.
  uint64_t end =
      std::min<uint64_t>(begin + type.getIntOrFloatBitWidth(), getBits(whole));
  auto part = parts ? findPart(*parts, begin, end) : std::nullopt;
  if (!part)
    return nullptr;
  return part->number ? extend("arith.extui", type, part->number)
                      : makeSum(type, {});
}

ExprRef certify::takeHigh(const ExprRef &word, const ExprRef &shift) {
  std::optional<uint64_t> begin = getShift(shift);
  auto parts = matchWord(word);
  if (!begin || *begin >= getBits(word) || !parts)
    return nullptr;
  // Where it goes up to the last bit of the word, its sign is the word's.
  auto part = findPart(*parts, *begin, getBits(word));
  if (!part)
    return nullptr;
  if (!part->number)
    return makeSum(word->type, {});
  bool hasSign = part->end() == getBits(word);
  return extend(hasSign ? "arith.extsi" : "arith.extui", word->type,
                part->number);
}

ExprRef certify::castBits(Type type, const ExprRef &value) {
  if (isApply(value, "arith.bitcast") && value->operands[0]->type == type)
    return hideZeros(value->operands[0]);
  if (type.isBF16())
    if (ExprRef number = matchRoundedBF16(value))
      return apply("arith.truncf", type, number);
  // The upper half of the bits of a float is a number of bf16.
  auto parts = type.isF32() ? matchWord(value) : std::nullopt;
  if (parts && parts->size() == 1 && parts->front().shift == 16 &&
      parts->front().end() == 32)
    return apply("arith.extf", type,
                 apply("arith.bitcast", BFloat16Type::get(type.getContext()),
                       parts->front().number));
  // All bits of the positive zero are zero.
  bool isNoFloat = isa<IntegerType>(value->type) && isZero(value);
  return isNoFloat ? makeSum(type, {}) : nullptr;
}
