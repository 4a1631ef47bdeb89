//===- WordProducts.cpp - Sums of products of words -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/WordProducts.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::CPUDotInstruction;

static Value createShift(OpBuilder &builder, Location loc, int64_t bits) {
  return arith::ConstantIntOp::create(builder, loc, builder.getI32Type(), bits);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

Type mlir::convoy::getPartType(const CPUDotInstruction &instruction,
                               MLIRContext *context) {
  switch (instruction.part) {
  case CPUDotInstruction::Part::I8:
    return IntegerType::get(context, 8);
  case CPUDotInstruction::Part::I16:
    return IntegerType::get(context, 16);
  case CPUDotInstruction::Part::BF16:
    return BFloat16Type::get(context);
  }
  llvm_unreachable("unknown part");
}

const CPUDotInstruction *
mlir::convoy::findDotInstruction(const WordParts &parts, TargetAttr target,
                                 int64_t bytes) {
  auto multiplies = [&](const CPUDotInstruction *instruction) {
    auto signs = std::minmax(instruction->aUnsigned, instruction->bUnsigned);
    return getPartType(*instruction, target.getContext()) == parts.type &&
           signs == std::minmax(parts.aUnsigned, parts.bUnsigned) &&
           !instruction->getIntrinsic(bytes).empty();
  };
  SmallVector<const CPUDotInstruction *> all = target.getDotInstructions();
  const auto *found = llvm::find_if(all, multiplies);
  return found == all.end() ? nullptr : *found;
}

//===----------------------------------------------------------------------===//
// Creating
//===----------------------------------------------------------------------===//

Value mlir::convoy::createWord(OpBuilder &builder, Location loc,
                               ValueRange parts) {
  Value word;
  int64_t bits = parts[0].getType().getIntOrFloatBitWidth();
  for (auto [number, part] : llvm::enumerate(parts)) {
    Value wide = part;
    if (isa<FloatType>(wide.getType()))
      wide = arith::BitcastOp::create(builder, loc,
                                      builder.getIntegerType(bits), wide);
    wide = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), wide);
    if (number > 0)
      wide = arith::ShLIOp::create(
          builder, loc, wide,
          createShift(builder, loc, int64_t(number) * bits));
    word = word ? arith::OrIOp::create(builder, loc, word, wide) : wide;
  }
  return word;
}

/// Part `number` of `word`, of `type`, as it is multiplied.
static Value createPart(OpBuilder &builder, Location loc, Type type,
                        bool isUnsigned, Value word, int64_t number) {
  int64_t bits = type.getIntOrFloatBitWidth();
  if (number > 0)
    word = arith::ShRUIOp::create(builder, loc, word,
                                  createShift(builder, loc, number * bits));
  Value part =
      arith::TruncIOp::create(builder, loc, builder.getIntegerType(bits), word);
  if (isa<FloatType>(type)) {
    part = arith::BitcastOp::create(builder, loc, type, part);
    return arith::ExtFOp::create(builder, loc, builder.getF32Type(), part);
  }
  Type wide = builder.getI32Type();
  return isUnsigned ? Value(arith::ExtUIOp::create(builder, loc, wide, part))
                    : arith::ExtSIOp::create(builder, loc, wide, part);
}

Value mlir::convoy::createWordSum(OpBuilder &builder, Location loc,
                                  WordParts parts, Value a, Value b,
                                  Value sum) {
  for (int64_t number = parts.count(); number-- > 0;) {
    Value x = createPart(builder, loc, parts.type, parts.aUnsigned, a, number);
    Value y = createPart(builder, loc, parts.type, parts.bUnsigned, b, number);
    if (isa<FloatType>(parts.type)) {
      Value product = arith::MulFOp::create(builder, loc, x, y);
      sum = arith::AddFOp::create(builder, loc, sum, product);
    } else {
      Value product = arith::MulIOp::create(builder, loc, x, y);
      sum = arith::AddIOp::create(builder, loc, sum, product);
    }
  }
  return sum;
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

namespace {
/// What createPart() takes.
struct WordPart {
  Type type;
  bool isUnsigned;
  Value word;
  int64_t number;
};

/// a*b + sum
struct MultiplyAdd {
  Value a, b, sum;
};
} // namespace

/// The number that `value`, or each of its elements, is.
static std::optional<int64_t> getNumber(Value value) {
  if (auto spread = value.getDefiningOp<vector::BroadcastOp>())
    value = spread.getSource();
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)))
    return std::nullopt;
  return number.getSExtValue();
}

static std::optional<WordPart> matchPart(Value value) {
  Operation *extension = value.getDefiningOp();
  if (!isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(
          extension))
    return std::nullopt;
  Value narrow = extension->getOperand(0);
  Type type = getElementTypeOrSelf(narrow.getType());
  if (auto cast = narrow.getDefiningOp<arith::BitcastOp>())
    narrow = cast.getIn();
  auto low = narrow.getDefiningOp<arith::TruncIOp>();
  int64_t bits = type.getIntOrFloatBitWidth();
  if (!low || !getElementTypeOrSelf(low.getType()).isInteger(bits) ||
      !getElementTypeOrSelf(low.getIn().getType()).isInteger(32))
    return std::nullopt;
  Value word = low.getIn();
  int64_t number = 0;
  if (auto high = word.getDefiningOp<arith::ShRUIOp>()) {
    std::optional<int64_t> shift = getNumber(high.getRhs());
    if (!shift || *shift % bits != 0)
      return std::nullopt;
    word = high.getLhs();
    number = *shift / bits;
  }
  return WordPart{type, isa<arith::ExtUIOp>(extension), word, number};
}

static std::optional<MultiplyAdd> matchMultiplyAdd(Operation *op) {
  if (auto fused = dyn_cast_or_null<vector::FMAOp>(op))
    return MultiplyAdd{fused.getLhs(), fused.getRhs(), fused.getAcc()};
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(op))
    return std::nullopt;
  Operation *product = op->getOperand(1).getDefiningOp();
  if (!isa_and_nonnull<arith::MulFOp, arith::MulIOp>(product))
    return std::nullopt;
  return MultiplyAdd{product->getOperand(0), product->getOperand(1),
                     op->getOperand(0)};
}

std::optional<WordSum> mlir::convoy::matchWordSum(Operation *op) {
  std::optional<WordSum> whole;
  for (int64_t number = 0; !whole || number < whole->parts.count(); ++number) {
    std::optional<MultiplyAdd> term = matchMultiplyAdd(op);
    std::optional<WordPart> a = term ? matchPart(term->a) : std::nullopt;
    std::optional<WordPart> b = term ? matchPart(term->b) : std::nullopt;
    if (!a || !b || a->type != b->type || a->number != number ||
        b->number != number)
      return std::nullopt;
    WordSum sum = {
        {a->type, a->isUnsigned, b->isUnsigned}, a->word, b->word, term->sum};
    if (whole &&
        (sum.parts != whole->parts || sum.a != whole->a || sum.b != whole->b))
      return std::nullopt;
    whole = sum;
    op = sum.sum.getDefiningOp();
  }
  return whole;
}

std::optional<ScaledWordSum> mlir::convoy::matchScaledWordSum(Operation *op) {
  std::optional<ScaledWordSum> whole;
  for (int64_t number = 0, count = 1; number < count; ++number) {
    std::optional<MultiplyAdd> term = matchMultiplyAdd(op);
    std::optional<int64_t> factor = term ? getNumber(term->b) : std::nullopt;
    std::optional<WordPart> part = term ? matchPart(term->a) : std::nullopt;
    if (!factor || !part || part->number != number ||
        !isa<IntegerType>(part->type))
      return std::nullopt;
    ScaledWordSum sum = {part->type, part->isUnsigned, *factor, part->word,
                         term->sum};
    if (whole &&
        (sum.type != whole->type || sum.isUnsigned != whole->isUnsigned ||
         sum.factor != whole->factor || sum.word != whole->word))
      return std::nullopt;
    whole = sum;
    count = WordParts{part->type}.count();
    op = sum.sum.getDefiningOp();
  }
  return whole;
}

/// The float whose bits `word` holds from `shift` on, alone; null if there is
/// none.
static Value matchFloatBits(Value word, int64_t shift) {
  if (shift != 0) {
    auto high = word.getDefiningOp<arith::ShLIOp>();
    if (!high || getNumber(high.getRhs()) != shift)
      return {};
    word = high.getLhs();
  }
  auto wide = word.getDefiningOp<arith::ExtUIOp>();
  auto bits = wide ? wide.getIn().getDefiningOp<arith::BitcastOp>()
                   : arith::BitcastOp();
  bool isFloat =
      bits && isa<FloatType>(getElementTypeOrSelf(bits.getIn().getType()));
  return isFloat ? bits.getIn() : Value();
}

SmallVector<Value> mlir::convoy::matchFloatWord(Operation *op) {
  if (isa<arith::ExtUIOp>(op))
    if (Value low = matchFloatBits(op->getResult(0), 0))
      return {low};
  auto both = dyn_cast<arith::OrIOp>(op);
  if (!both)
    return {};
  Value low = matchFloatBits(both.getLhs(), 0);
  int64_t bits =
      low ? getElementTypeOrSelf(low.getType()).getIntOrFloatBitWidth() : 0;
  Value high = low ? matchFloatBits(both.getRhs(), bits) : Value();
  return high && high.getType() == low.getType() ? SmallVector<Value>{low, high}
                                                 : SmallVector<Value>();
}

Value mlir::convoy::matchFloatPart(Operation *op) {
  if (!isa<arith::ExtFOp>(op))
    return {};
  std::optional<WordPart> part = matchPart(op->getResult(0));
  return part ? part->word : Value();
}
