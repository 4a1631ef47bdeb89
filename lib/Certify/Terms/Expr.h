//===- Expr.h - Elements as symbolic expressions ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_TERMS_EXPR_H
#define CONVOY_LIB_CERTIFY_TERMS_EXPR_H

#include "convoy/Certify/Linear/LinearSystem.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

#include <memory>

namespace mlir::convoy::certify {

struct CommonValue;
struct Expr;
struct Family;
using ExprRef = std::shared_ptr<const Expr>;
using Families = SmallVector<Family, 0>;

/// One term for each point of `domain`: unknowns of `instance` are bound here,
/// all others are the surroundings'. Terms of two points count twice even if
/// they are equal.
struct Family {
  SmallVector<Var> instance;
  System domain;
  ExprRef term;
  Operation *origin = nullptr; ///< the op that adds the terms
};

/// Zeros that were added to a value and left out of its expression, since they
/// change no number. They may change the sign of a zero.
struct LeftOut {
  enum class Zero {
    None,     ///< or -0, which changes nothing
    Positive, ///< 0, so that the value is never -0
    Unknown,  ///< of either sign, or not everywhere
  };
  Zero zero = Zero::None;
  /// Whether one was zero times a number that was computed: if that overflows,
  /// it was none.
  bool isOfComputed = false;

  bool isNothing() const { return zero == Zero::None && !isOfComputed; }
  /// Adds `other`.
  void add(const LeftOut &other);
};

/// The text that `getShape` has found of an expression: of that alone, not of
/// copies, which are made to be changed.
struct FoundShape {
  std::optional<std::string> text;

  FoundShape() = default;
  FoundShape(const FoundShape &) {}
  FoundShape &operator=(const FoundShape &) { return *this; }
};

/// The value of one element as a function of the unknowns of its surroundings.
struct Expr {
  enum class Kind {
    Undefined, ///< never written
    Constant,  ///< `constant`
    Read,      ///< an element at `indices`: of an argument, of a constant, or
               ///< of a value that two functions have in common
    Apply,     ///< the scalar op `name` on `operands`; of a maximum or minimum
               ///< there may be more than two
    Number,    ///< the one of `indices`, cut to the bits of its type
    Gather,    ///< an element, of what Read reads, at the places `operands`:
               ///< one for each dimension, integers with a sign
    Sum,       ///< of the terms of all `families`, in any order
    Extremum,  ///< of them, by the scalar op `name`: not all are everywhere
  };

  Kind kind;
  Type type;
  TypedAttr constant;     ///< one number; of Read a tensor, or null
  BlockArgument argument; ///< null where something else is read
  std::shared_ptr<const CommonValue> common;
  SmallVector<LinearExpr> indices;
  StringRef name;
  DictionaryAttr attributes;
  SmallVector<ExprRef> operands;
  Families families;
  LeftOut leftOut;
  /// Leaves and ops in it, each as often as it is written.
  uint64_t size = 1;
  /// Whether it is made of a number of floating point that was cut off to an
  /// integer, as places that are computed are.
  bool isOfCut = false;
  mutable FoundShape shape;
};

/// A tensor that has a name: what is made of it may take it for one more
/// argument. Two functions were shown to have it in common, whatever their
/// arguments, or it is one function's and stands for its elements.
struct CommonValue {
  Operation *origin; ///< the first function's op that makes it
  bool isNumber;     ///< whether its elements are numbers where arguments are
  bool hasSameZeros; ///< whether a zero has the same sign in both functions
  SmallVector<Var> indices;
  /// The element at `indices` is the term of the one family with a point.
  Families elements;
  /// Whose it is: of one function a tensor, or a vector within an iteration,
  /// is equal to others where its elements are.
  enum class Owner { Both, Tensor, Vector };
  Owner owner = Owner::Both;
};

ExprRef makeUndefined(Type type);
ExprRef makeConstant(TypedAttr value);
ExprRef makeRead(BlockArgument argument, ArrayRef<LinearExpr> indices);
/// An element of a tensor that is constant.
ExprRef makeRead(ElementsAttr constant, ArrayRef<LinearExpr> indices);
ExprRef makeRead(std::shared_ptr<const CommonValue> common, Type type,
                 ArrayRef<LinearExpr> indices);
/// `value` as an index, or cut to the bits of an integer.
ExprRef makeNumber(const LinearExpr &value, Type type);
/// The element at `places` of what `tensor`, a Read or a Gather, reads.
ExprRef makeGather(const Expr &tensor, ArrayRef<ExprRef> places);
/// The scalar op `op` on `operands`, simplified where the result is the same
/// for all finite values: sums of sums are one sum, a product of a number with
/// zero is zero, the narrowing of a widening is nothing, widenings in steps and
/// behind exact products are one, and what MLIR folds is folded.
ExprRef makeApply(Operation *op, ArrayRef<ExprRef> operands);
/// The same for an op that does not stand in the IR, here without attributes.
ExprRef makeApply(StringRef name, Type type, ArrayRef<ExprRef> operands,
                  Operation *origin);
/// The same for an op with `attributes`.
ExprRef makeApply(StringRef name, DictionaryAttr attributes, Type type,
                  ArrayRef<ExprRef> operands, Operation *origin);
/// Terms of one sum within a sum become its own; zeros vanish.
ExprRef makeSum(Type type, ArrayRef<Family> families);

/// The greatest or least term, as the scalar op `name` takes it of two. Terms
/// of the same extremum become its own; each counts once.
ExprRef makeExtremum(StringRef name, Type type, ArrayRef<Family> families);

/// Whether `a` and `b` are written in the same way.
bool areSame(const ExprRef &a, const ExprRef &b);

/// Whether `expr` is the scalar op `name`, without attributes, on operands.
bool isApply(const ExprRef &expr, StringRef name);

/// The attribute of ops on floating point whose results are those of these ops
/// in this order, bit for bit: they are no sums and products of exact numbers.
constexpr llvm::StringLiteral kInOrder = "convoy.uncontracted";

/// What multiplies its one operand by the fraction `numerator` / `denominator`.
/// No op in the IR does.
constexpr llvm::StringLiteral kMultiple = "convoy.multiple";

/// Whether `expr` is an element of `argument`.
bool isReadOf(const ExprRef &expr, BlockArgument argument);

/// Whether `a` and `b`, each a Read or each a Gather, read one tensor: of two
/// functions, arguments with the same number are the same.
bool isSameTensor(const Expr &a, const Expr &b);

/// The sum or extremum `expr` with `families` in the place of its own.
ExprRef remake(const Expr &expr, ArrayRef<Family> families);
/// The scalar op or element at computed places `expr` with `operands` in the
/// place of its own.
ExprRef remake(const ExprRef &expr, ArrayRef<ExprRef> operands);

/// `expr` and zeros that are left out of it.
ExprRef addZeros(const ExprRef &expr, const LeftOut &zeros);
/// The terms of a sum, and a zero that stands for those left out of `expr`.
Families getTermsAndZeros(const ExprRef &expr);

bool isZero(const ExprRef &expr);
/// The zeros that adding `zero`, which is zero, is adding.
LeftOut getZeros(const ExprRef &zero);
/// Whether `expr` is a number for all finite values of what it reads, but for
/// overflow of computed values.
bool isFinite(const ExprRef &expr);
/// Whether `expr` or something in it fulfils `predicate`, terms included.
bool contains(const ExprRef &expr,
              llvm::function_ref<bool(const Expr &)> predicate);

/// The unknowns in `expr`, those of its sums included.
llvm::SmallDenseSet<Var> getUnknowns(const ExprRef &expr);
/// The unknowns in `families` that these do not bind, in order.
SmallVector<Var> getFreeUnknowns(const Families &families);

/// New unknowns for `vars`, which `values` maps to them.
SmallVector<Var> renameVars(Solver &solver, ArrayRef<Var> vars,
                            DenseMap<Var, LinearExpr> &values);
/// `expr` with `values` in the place of unknowns.
ExprRef substitute(const ExprRef &expr,
                   const DenseMap<Var, LinearExpr> &values);
/// `expr` with `value` in the place of every read of `argument`.
ExprRef replaceReads(const ExprRef &expr, BlockArgument argument,
                     const ExprRef &value);
/// `expr` with all of its floating point in f64, without conversions.
ExprRef dropPrecision(const ExprRef &expr);
/// `expr` with `places` in the place of unknowns that are indices; null if some
/// index is made of one, or a sum ranges over what they say.
ExprRef bindPlaces(const ExprRef &expr, const DenseMap<Var, ExprRef> &places);
/// `family` with new unknowns for its instance.
Family renameInstance(Solver &solver, const Family &family);

/// Calls `callback` with all reads at known places and all numbers in `expr` in
/// a fixed order, those of sums included.
void walkReads(const ExprRef &expr,
               llvm::function_ref<void(const Expr &)> callback);

/// `expr` as text without the indices of its reads: what two terms have in
/// common that differ only in which elements they read. Nothing if it holds a
/// sum, or a zero whose sign matters and is not known.
std::optional<std::string> getShape(const ExprRef &expr);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_TERMS_EXPR_H
