//===- IntrinsicReaders.cpp - Sums of products of words ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instructions that multiply parts of words and add up the products of each, as
// Intel's and Arm's manuals describe them (PMADDWD, VPDPWSSD, VPDPBUSD; SDOT,
// UDOT, USDOT; SMMLA, UMMLA, USMMLA). All are exact modulo 2^32, in which they
// wrap around. Those on bf16 are missing: they round in their own ways.
//
//===----------------------------------------------------------------------===//

#include "IntrinsicReaders.h"

#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

namespace {
/// Element i of the result is the sum of a[k i + p] b[k i + p] for p < k, of
/// which there are as many as fit in a word. Where words are those of matrices
/// of two rows, element 2 i + j is the sum of a[k i + p] b[k j + p].
struct WordProduct {
  StringRef name; ///< what the intrinsic's begins with
  bool adds;      ///< to element i of its first operand
  StringRef widenA = "arith.extsi";
  StringRef widenB = "arith.extsi";
  bool areMatrices = false;
};
} // namespace

static constexpr StringLiteral kUnsigned = "arith.extui";
static constexpr StringLiteral kSigned = "arith.extsi";

static const WordProduct *findProduct(LLVM::CallIntrinsicOp op) {
  static const WordProduct products[] = {
      {"llvm.x86.sse2.pmadd.wd", false},
      {"llvm.x86.avx2.pmadd.wd", false},
      {"llvm.x86.avx512.pmaddw.d.512", false},
      {"llvm.x86.avx512.vpdpwssd.", true},
      {"llvm.x86.avx512.vpdpbusd.", true, kUnsigned},
      {"llvm.aarch64.neon.sdot.", true},
      {"llvm.aarch64.neon.udot.", true, kUnsigned, kUnsigned},
      {"llvm.aarch64.neon.usdot.", true, kUnsigned},
      {"llvm.aarch64.neon.smmla.", true, kSigned, kSigned, true},
      {"llvm.aarch64.neon.ummla.", true, kUnsigned, kUnsigned, true},
      {"llvm.aarch64.neon.usmmla.", true, kUnsigned, kSigned, true}};
  for (const WordProduct &product : products)
    if (op.getIntrin().starts_with(product.name))
      return &product;
  return nullptr;
}

/// How many products of parts `op`, as `product` has it, adds up for each
/// element of its result; 0 if its types do not fit.
static int64_t getNumParts(LLVM::CallIntrinsicOp op,
                           const WordProduct &product) {
  auto isWhole = [](Type type) {
    auto vector = dyn_cast<VectorType>(type);
    return vector && vector.getRank() == 1 && !vector.isScalable() &&
           isa<IntegerType>(vector.getElementType());
  };
  SmallVector<Type> types = llvm::to_vector(op->getOperandTypes());
  if (op->getNumResults() != 1 || types.size() != 2u + product.adds ||
      !isWhole(op->getResult(0).getType()) || !llvm::all_of(types, isWhole))
    return 0;
  auto sum = cast<VectorType>(op->getResult(0).getType());
  auto parts = cast<VectorType>(types.back());
  // Four results are those of two rows by two columns.
  int64_t words = product.areMatrices ? 2 : sum.getNumElements();
  bool fits = sum.getElementType().isInteger(32) &&
              types[types.size() - 2] == parts &&
              (!product.adds || types.front() == sum) &&
              (!product.areMatrices || sum.getNumElements() == 4) &&
              parts.getElementTypeBitWidth() * parts.getNumElements() ==
                  32 * sum.getNumElements();
  return fits ? parts.getNumElements() / words : 0;
}

bool certify::isKnownIntrinsic(Operation *op) {
  auto call = dyn_cast<LLVM::CallIntrinsicOp>(op);
  const WordProduct *product = call ? findProduct(call) : nullptr;
  return product && getNumParts(call, *product) > 0;
}

namespace {
/// Which words an element of a result is the product of, and what it is added
/// to.
struct WordsAt {
  LinearExpr a, b, sum;
};
} // namespace

/// The sum of the products of the `numParts` parts of two words, as `op` has
/// it.
static FailureOr<Pieces> readWords(SymbolicEvaluator &evaluator,
                                   LLVM::CallIntrinsicOp op,
                                   const WordProduct &product, int64_t numParts,
                                   const WordsAt &at, const System &context) {
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  auto apply = [&](StringRef name, ArrayRef<ExprRef> operands) {
    return makeApply(name, type, operands, op);
  };
  // The factors of each product, one after the other, and what they are added
  // to.
  SmallVector<Value> operands;
  for (int64_t part = 0; part < numParts; ++part)
    llvm::append_range(operands, op->getOperands().take_back(2));
  if (product.adds)
    operands.push_back(op->getOperand(0));
  int64_t next = 0;
  return combine(
      evaluator.getSolver(), context, operands,
      [&](Value operand) {
        int64_t part = next / 2;
        const LinearExpr &word = next++ % 2 == 0 ? at.a : at.b;
        LinearExpr index = at.sum;
        if (part < numParts)
          index = word * DynamicAPInt(numParts) + LinearExpr(part);
        return evaluator.readAt(operand, index, context);
      },
      [&](ArrayRef<ExprRef> values) {
        ExprRef sum = product.adds ? values.back() : nullptr;
        for (int64_t part = 0; part < numParts; ++part) {
          ExprRef a = apply(product.widenA, values[2 * part]);
          ExprRef b = apply(product.widenB, values[2 * part + 1]);
          ExprRef one = apply("arith.muli", {a, b});
          sum = sum ? apply("arith.addi", {sum, one}) : one;
        }
        return sum;
      });
}

FailureOr<Pieces> certify::readIntrinsic(SymbolicEvaluator &evaluator,
                                         LLVM::CallIntrinsicOp op,
                                         ArrayRef<LinearExpr> at,
                                         const System &context) {
  const WordProduct *product = findProduct(op);
  int64_t numParts = product ? getNumParts(op, *product) : 0;
  if (numParts == 0)
    return evaluator.undecided(op, "an intrinsic whose meaning is not known");
  if (!product->areMatrices)
    return readWords(evaluator, op, *product, numParts, {at[0], at[0], at[0]},
                     context);
  Pieces pieces;
  for (int64_t row : {0, 1}) {
    Part where;
    LinearExpr column = at[0] - LinearExpr(2 * row);
    where.domain.addRange(0, column, LinearExpr(2));
    System inRow = context & where.domain;
    if (evaluator.getSolver().isEmpty(inRow))
      continue;
    FailureOr<Pieces> sums = readWords(evaluator, op, *product, numParts,
                                       {LinearExpr(row), column, at[0]}, inRow);
    if (failed(sums))
      return failure();
    llvm::append_range(pieces, restrict(std::move(*sums), where));
  }
  return pieces;
}
