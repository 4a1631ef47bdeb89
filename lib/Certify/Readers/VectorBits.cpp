//===- VectorBits.cpp - Elements with the bits of others --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where bits are cast, several elements of the last dimension become one, or
// one becomes several. What comes first lies in the lower bits, as on all
// targets.
//
//===----------------------------------------------------------------------===//

#include "ScalarReaders.h"
#include "VectorReaders.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

/// The bits of `expr` as those of a number of `type`, which has as many.
static ExprRef castBits(const ExprRef &expr, Type type, Operation *origin) {
  return expr->type == type ? expr
                            : makeApply("arith.bitcast", type, {expr}, origin);
}

static IntegerType getBitsType(Type type) {
  return IntegerType::get(type.getContext(), type.getIntOrFloatBitWidth());
}

/// `expr`, an integer, shifted by `bits` as `name` does.
static ExprRef shift(StringRef name, const ExprRef &expr, unsigned bits,
                     Operation *origin) {
  if (bits == 0)
    return expr;
  ExprRef by = makeConstant(IntegerAttr::get(expr->type, bits));
  return makeApply(name, expr->type, {expr, by}, origin);
}

/// The number of `type` in the bits of those of `parts`, the lowest first.
static ExprRef joinBits(ArrayRef<ExprRef> parts, Type type, Operation *origin) {
  if (parts.size() == 1)
    return castBits(parts[0], type, origin);
  IntegerType word = getBitsType(type);
  ExprRef bits;
  for (auto [number, part] : llvm::enumerate(parts)) {
    IntegerType partType = getBitsType(part->type);
    ExprRef wide = makeApply("arith.extui", word,
                             {castBits(part, partType, origin)}, origin);
    ExprRef there =
        shift("arith.shli", wide, number * partType.getWidth(), origin);
    bits = bits ? makeApply("arith.ori", word, {bits, there}, origin) : there;
  }
  return castBits(bits, type, origin);
}

/// The part `number`, from the lowest, of the bits of `whole` that are a number
/// of `type`.
static ExprRef takeBits(const ExprRef &whole, unsigned number, Type type,
                        Operation *origin) {
  IntegerType part = getBitsType(type);
  ExprRef bits = castBits(whole, getBitsType(whole->type), origin);
  ExprRef shifted =
      shift("arith.shrui", bits, number * part.getWidth(), origin);
  return castBits(makeApply("arith.trunci", part, {shifted}, origin), type,
                  origin);
}

/// The elements of `op`'s operand that make one at `at` together.
static FailureOr<Pieces> readJoined(SymbolicEvaluator &evaluator,
                                    vector::BitCastOp op, unsigned ratio,
                                    ArrayRef<LinearExpr> at,
                                    const System &context) {
  SmallVector<Value> parts(ratio, op.getSource());
  LinearExpr next = at.back() * DynamicAPInt(ratio);
  return combine(
      evaluator.getSolver(), context, parts,
      [&](Value part) {
        SmallVector<LinearExpr> indices(at);
        indices.back() = next;
        next = next + LinearExpr(1);
        return evaluator.readAt(part, indices, context);
      },
      [&](ArrayRef<ExprRef> parts) {
        return joinBits(parts, op.getResultVectorType().getElementType(), op);
      });
}

/// The part of an element of `op`'s operand that is at `at`.
static FailureOr<Pieces> readPart(SymbolicEvaluator &evaluator,
                                  vector::BitCastOp op, unsigned ratio,
                                  ArrayRef<LinearExpr> at,
                                  const System &context) {
  Type type = op.getResultVectorType().getElementType();
  Part where;
  where.locals.push_back(evaluator.getSolver().makeVar());
  SmallVector<LinearExpr> indices(at);
  indices.back() = LinearExpr::var(where.locals.back());
  FailureOr<Pieces> elements = readEach(
      evaluator.getSolver(), at.back() - indices.back() * DynamicAPInt(ratio),
      ratio, context, [&](int64_t number, const System &inCase) {
        FailureOr<Pieces> words =
            evaluator.readAt(op.getSource(), indices, inCase);
        if (succeeded(words))
          for (Piece &word : *words)
            word.value = takeBits(word.value, number, type, op);
        return words;
      });
  if (failed(elements))
    return failure();
  return restrict(std::move(*elements), where);
}

FailureOr<Pieces> certify::readBitCast(SymbolicEvaluator &evaluator,
                                       vector::BitCastOp op,
                                       ArrayRef<LinearExpr> at,
                                       const System &context) {
  VectorType from = op.getSourceVectorType(), to = op.getResultVectorType();
  unsigned fromBits = from.getElementTypeBitWidth();
  unsigned toBits = to.getElementTypeBitWidth();
  bool isWhole = fromBits % toBits == 0 || toBits % fromBits == 0;
  if (from.isScalable() || from.getRank() == 0 || !isWhole)
    return evaluator.undecided(op, "a cast of bits of another kind");
  return fromBits <= toBits
             ? readJoined(evaluator, op, toBits / fromBits, at, context)
             : readPart(evaluator, op, fromBits / toBits, at, context);
}
