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

/// `element`, or a vector of it where `words` is one.
static Type getTypeLike(Value words, Type element) {
  auto vector = dyn_cast<VectorType>(words.getType());
  return vector ? Type(vector.clone(element)) : element;
}

/// `bits` in each element of `type`.
static Value createShift(OpBuilder &builder, Location loc, Type type,
                         int64_t bits) {
  TypedAttr number = builder.getIntegerAttr(getElementTypeOrSelf(type), bits);
  if (auto vector = dyn_cast<VectorType>(type))
    number = DenseElementsAttr::get(vector, number);
  return arith::ConstantOp::create(builder, loc, number);
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
           unsigned(instruction->wordBits) == parts.bits &&
           signs == std::minmax(parts.aUnsigned, parts.bUnsigned) &&
           !instruction->getIntrinsic(bytes).empty();
  };
  SmallVector<const CPUDotInstruction *> all = target.getDotInstructions();
  const auto *found = llvm::find_if(all, multiplies);
  return found == all.end() ? nullptr : *found;
}

const CPUDotInstruction *
mlir::convoy::findTileInstruction(const WordParts &parts, TargetAttr target) {
  SmallVector<const CPUDotInstruction *> all = target.getDotInstructions();
  const auto *found =
      llvm::find_if(all, [&](const CPUDotInstruction *instruction) {
        return !instruction->tileIntrinsic.empty() &&
               getPartType(*instruction, target.getContext()) == parts.type &&
               unsigned(instruction->wordBits) == parts.bits &&
               instruction->aUnsigned == parts.aUnsigned &&
               instruction->bUnsigned == parts.bUnsigned;
      });
  return found == all.end() ? nullptr : *found;
}

bool mlir::convoy::multipliesTilesOf(Type part, TargetAttr target) {
  return llvm::any_of(
      target.getDotInstructions(), [&](const CPUDotInstruction *instruction) {
        return !instruction->tileIntrinsic.empty() &&
               getPartType(*instruction, target.getContext()) == part;
      });
}

//===----------------------------------------------------------------------===//
// Creating
//===----------------------------------------------------------------------===//

Value mlir::convoy::createWord(OpBuilder &builder, Location loc, Type type,
                               ValueRange parts) {
  Value word;
  int64_t bits = parts[0].getType().getIntOrFloatBitWidth();
  for (auto [number, part] : llvm::enumerate(parts)) {
    Value wide = part;
    if (isa<FloatType>(wide.getType()))
      wide = arith::BitcastOp::create(builder, loc,
                                      builder.getIntegerType(bits), wide);
    wide = arith::ExtUIOp::create(builder, loc, type, wide);
    if (number > 0)
      wide = arith::ShLIOp::create(
          builder, loc, wide,
          createShift(builder, loc, type, int64_t(number) * bits));
    word = word ? arith::OrIOp::create(builder, loc, word, wide) : wide;
  }
  return word;
}

/// Part `number` of `word`, or of each of a vector of words, of `type`, as it
/// is multiplied.
static Value createPart(OpBuilder &builder, Location loc, Type type,
                        bool isUnsigned, Value word, int64_t number) {
  int64_t bits = type.getIntOrFloatBitWidth();
  if (number > 0)
    word = arith::ShRUIOp::create(
        builder, loc, word,
        createShift(builder, loc, word.getType(), number * bits));
  Value part = arith::TruncIOp::create(
      builder, loc, getTypeLike(word, builder.getIntegerType(bits)), word);
  if (isa<FloatType>(type)) {
    part =
        arith::BitcastOp::create(builder, loc, getTypeLike(word, type), part);
    return arith::ExtFOp::create(builder, loc,
                                 getTypeLike(word, builder.getF32Type()), part);
  }
  Type wide = getTypeLike(word, builder.getI32Type());
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

/// The maps of a product of matrices: of rows, columns and terms.
static SmallVector<AffineMap> getMatrixMaps(MLIRContext *context) {
  AffineExpr row, column, term;
  bindDims(context, row, column, term);
  return {AffineMap::get(3, 0, {row, term}, context),
          AffineMap::get(3, 0, {term, column}, context),
          AffineMap::get(3, 0, {row, column}, context)};
}

Value mlir::convoy::createMatrixSum(OpBuilder &builder, Location loc,
                                    WordParts parts, Value a, Value b,
                                    Value sum) {
  ArrayAttr maps =
      builder.getAffineMapArrayAttr(getMatrixMaps(builder.getContext()));
  auto toAttribute = [&](vector::IteratorType type) -> Attribute {
    return vector::IteratorTypeAttr::get(builder.getContext(), type);
  };
  ArrayAttr iterators =
      builder.getArrayAttr({toAttribute(vector::IteratorType::parallel),
                            toAttribute(vector::IteratorType::parallel),
                            toAttribute(vector::IteratorType::reduction)});
  for (int64_t number = parts.count(); number-- > 0;) {
    Value x = createPart(builder, loc, parts.type, parts.aUnsigned, a, number);
    Value y = createPart(builder, loc, parts.type, parts.bUnsigned, b, number);
    sum = vector::ContractionOp::create(builder, loc, x, y, sum, maps,
                                        iterators, vector::CombiningKind::ADD);
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
  unsigned wordBits;
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

static bool isWord(Value value) {
  Type type = getElementTypeOrSelf(value.getType());
  return type.isInteger(32) || type.isInteger(64);
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
      !isWord(low.getIn()))
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
  unsigned wordBits = getElementTypeOrSelf(word).getIntOrFloatBitWidth();
  return WordPart{type, wordBits, isa<arith::ExtUIOp>(extension), word, number};
}

/// The terms of `op`, where its factors are matrices.
static std::optional<MultiplyAdd> matchMatrixProduct(Operation *op) {
  auto product = dyn_cast_or_null<vector::ContractionOp>(op);
  if (!product || product.getKind() != vector::CombiningKind::ADD ||
      product.getIndexingMapsArray() != getMatrixMaps(op->getContext()))
    return std::nullopt;
  return MultiplyAdd{product.getLhs(), product.getRhs(), product.getAcc()};
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

/// The operands of the sum that `op` ends, where `match` finds each product.
static std::optional<WordSum>
matchSum(Operation *op,
         function_ref<std::optional<MultiplyAdd>(Operation *)> match) {
  std::optional<WordSum> whole;
  for (int64_t number = 0; !whole || number < whole->parts.count(); ++number) {
    std::optional<MultiplyAdd> term = match(op);
    std::optional<WordPart> a = term ? matchPart(term->a) : std::nullopt;
    std::optional<WordPart> b = term ? matchPart(term->b) : std::nullopt;
    if (!a || !b || a->type != b->type || a->number != number ||
        b->number != number)
      return std::nullopt;
    WordSum sum = {{a->type, a->isUnsigned, b->isUnsigned, a->wordBits},
                   a->word,
                   b->word,
                   term->sum};
    if (b->wordBits != a->wordBits)
      return std::nullopt;
    if (whole &&
        (sum.parts != whole->parts || sum.a != whole->a || sum.b != whole->b))
      return std::nullopt;
    whole = sum;
    op = sum.sum.getDefiningOp();
  }
  return whole;
}

std::optional<WordSum> mlir::convoy::matchWordSum(Operation *op) {
  return matchSum(op, matchMultiplyAdd);
}

std::optional<WordSum> mlir::convoy::matchMatrixSum(Operation *op) {
  return matchSum(op, matchMatrixProduct);
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
    ScaledWordSum sum = {
        {part->type, part->isUnsigned, /*bUnsigned=*/false, part->wordBits},
        *factor,
        part->word,
        term->sum};
    if (whole && (sum.parts != whole->parts || sum.factor != whole->factor ||
                  sum.word != whole->word))
      return std::nullopt;
    whole = sum;
    count = sum.parts.count();
    op = sum.sum.getDefiningOp();
  }
  return whole;
}

/// The number whose bits `word` holds from `shift` on, alone; null if there is
/// none.
static Value matchBits(Value word, int64_t shift) {
  if (shift != 0) {
    auto high = word.getDefiningOp<arith::ShLIOp>();
    if (!high || getNumber(high.getRhs()) != shift)
      return {};
    word = high.getLhs();
  }
  auto wide = word.getDefiningOp<arith::ExtUIOp>();
  if (!wide)
    return {};
  auto bits = wide.getIn().getDefiningOp<arith::BitcastOp>();
  bool isFloat =
      bits && isa<FloatType>(getElementTypeOrSelf(bits.getIn().getType()));
  return isFloat ? bits.getIn() : wide.getIn();
}

SmallVector<Value> mlir::convoy::matchWord(Operation *op) {
  if (isa<arith::ExtUIOp>(op))
    return {matchBits(op->getResult(0), 0)};
  auto both = dyn_cast<arith::OrIOp>(op);
  if (!both)
    return {};
  Operation *lower = both.getLhs().getDefiningOp();
  if (!lower)
    return {};
  SmallVector<Value> parts = matchWord(lower);
  if (parts.empty())
    return {};
  Type type = parts[0].getType();
  int64_t bits = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  Value next = matchBits(both.getRhs(), int64_t(parts.size()) * bits);
  if (!next || next.getType() != type)
    return {};
  parts.push_back(next);
  return parts;
}

SmallVector<Value> mlir::convoy::matchFloatWord(Operation *op) {
  SmallVector<Value> parts = matchWord(op);
  bool areFloats = !parts.empty() &&
                   isa<FloatType>(getElementTypeOrSelf(parts[0].getType()));
  return areFloats ? parts : SmallVector<Value>();
}

Value mlir::convoy::matchFloatPart(Operation *op) {
  if (!isa<arith::ExtFOp>(op))
    return {};
  std::optional<WordPart> part = matchPart(op->getResult(0));
  return part ? part->word : Value();
}
