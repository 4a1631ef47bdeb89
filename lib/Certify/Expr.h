//===- Expr.h - Elements as symbolic expressions ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_EXPR_H
#define CONVOY_LIB_CERTIFY_EXPR_H

#include "convoy/Certify/LinearSystem.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

#include <memory>

namespace mlir::convoy::certify {

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

/// The value of one element as a function of the unknowns of its surroundings.
struct Expr {
  enum class Kind {
    Undefined, ///< never written
    Constant,  ///< `constant`
    Read,      ///< an element of an argument or of a constant, at `indices`
    Apply,     ///< the scalar op `name` on `operands`
    Sum,       ///< of the terms of all `families`, in any order
  };

  Kind kind;
  Type type;
  TypedAttr constant;     ///< one number; of Read a tensor, or null
  BlockArgument argument; ///< null where a constant is read
  SmallVector<LinearExpr> indices;
  StringRef name;
  DictionaryAttr attributes;
  SmallVector<ExprRef> operands;
  Families families;
  /// Leaves and ops in it, each as often as it is written.
  uint64_t size = 1;
};

ExprRef makeUndefined(Type type);
ExprRef makeConstant(TypedAttr value);
ExprRef makeRead(BlockArgument argument, ArrayRef<LinearExpr> indices);
/// An element of a tensor that is constant.
ExprRef makeRead(ElementsAttr constant, ArrayRef<LinearExpr> indices);
/// The scalar op `op` on `operands`, simplified where the result is the same
/// for all finite values: sums of sums are one sum, a product of a number with
/// zero is zero, the narrowing of a widening is nothing, widenings in steps and
/// behind exact products are one, and constants are widened and added.
ExprRef makeApply(Operation *op, ArrayRef<ExprRef> operands);
/// The same for an op that does not stand in the IR.
ExprRef makeApply(StringRef name, DictionaryAttr attributes, Type type,
                  ArrayRef<ExprRef> operands, Operation *origin);
/// Terms of one sum within a sum become its own; zeros vanish.
ExprRef makeSum(Type type, ArrayRef<Family> families);

bool isZero(const ExprRef &expr);

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
/// `family` with new unknowns for its instance.
Family renameInstance(Solver &solver, const Family &family);

/// Calls `callback` with all reads in `expr` in a fixed order, those of sums
/// included.
void walkReads(const ExprRef &expr,
               llvm::function_ref<void(const Expr &)> callback);

/// `expr` as text without the indices of its reads: what two terms have in
/// common that differ only in which elements they read. Nothing if it holds a
/// sum.
std::optional<std::string> getShape(const ExprRef &expr);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_EXPR_H
