//===- WordProducts.h - Sums of products of words ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A word is an i32 that holds two numbers of bf16 or i16, or four of i8, or an
// i64 that holds twice as many, the first in its lowest bits. The product of
// two words is the sum of the products of their parts, which instructions of
// CPUs compute: of words of 64 bits those that multiply matrices of two rows
// and two columns, of words of 32 bits those of AMX, too.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_UTILS_WORDPRODUCTS_H
#define CONVOY_TRANSFORMS_UTILS_WORDPRODUCTS_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::convoy {

/// What the words of two factors hold.
struct WordParts {
  Type type;                                 ///< of each part: bf16, i16 or i8
  bool aUnsigned = false, bUnsigned = false; ///< of integers
  unsigned bits = 32;                        ///< of a word, or 64

  int64_t count() const { return bits / type.getIntOrFloatBitWidth(); }
  bool areOfMatrices() const { return bits == 64; }
  Type getWordType() const { return IntegerType::get(type.getContext(), bits); }

  bool operator==(const WordParts &) const = default;
};

/// The type of parts that `instruction` multiplies.
Type getPartType(const ::convoy::CPUDotInstruction &instruction,
                 MLIRContext *context);

/// The instruction of `target` that multiplies words of `parts` for results of
/// so many bytes, or, where only one factor's parts are unsigned, with the
/// factors exchanged; null where there is none.
const ::convoy::CPUDotInstruction *
findDotInstruction(const WordParts &parts, TargetAttr target, int64_t bytes);

/// The instruction of `target` that multiplies tiles of words of `parts`, or
/// null.
const ::convoy::CPUDotInstruction *findTileInstruction(const WordParts &parts,
                                                       TargetAttr target);

/// Whether `target` multiplies tiles of words of such parts, at least of some
/// signs.
bool multipliesTilesOf(Type part, TargetAttr target);

/// A word of `type` with `parts`; those that are missing are zero.
Value createWord(OpBuilder &builder, Location loc, Type type, ValueRange parts);

/// `sum` and the products of all parts of the words `a` and `b`, added one
/// after the other, the last part's first: of f32 where parts are floats, else
/// of i32, wrapping around.
Value createWordSum(OpBuilder &builder, Location loc, WordParts parts, Value a,
                    Value b, Value sum);

/// The same for matrices: `a` is a vector of rows of words, `b` has as many
/// rows as those have words, and `sum` the sums of each row of `a` and each
/// column of `b`.
Value createMatrixSum(OpBuilder &builder, Location loc, WordParts parts,
                      Value a, Value b, Value sum);

/// The operands of createWordSum() or createMatrixSum().
struct WordSum {
  WordParts parts;
  Value a, b, sum;
};

/// What `op` computes, if it is the last op that createWordSum() makes, on
/// vectors with multiply-adds as `vector.fma`; else nothing.
std::optional<WordSum> matchWordSum(Operation *op);

/// The same for createMatrixSum().
std::optional<WordSum> matchMatrixSum(Operation *op);

/// The operands of createWordSum() where parts are integers and one factor is
/// one constant in each part.
struct ScaledWordSum {
  WordParts parts; ///< `a` is the word that is not constant
  int64_t factor;
  Value word, sum;
};

/// The same where one factor is a constant word of equal integers.
std::optional<ScaledWordSum> matchScaledWordSum(Operation *op);

/// The numbers that `op`, the last op that createWord() makes, puts together;
/// empty for other ops.
SmallVector<Value> matchWord(Operation *op);

/// The same where they are floats.
SmallVector<Value> matchFloatWord(Operation *op);

/// The word that `op` takes a float out of as createWordSum() does, or null.
Value matchFloatPart(Operation *op);

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_UTILS_WORDPRODUCTS_H
