//===- Arguments.h - What is known of functions' arguments ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_TERMS_ARGUMENTS_H
#define CONVOY_LIB_CERTIFY_TERMS_ARGUMENTS_H

#include "../Linear/Cases.h"

#include "mlir/IR/Value.h"

#include <map>

namespace mlir::convoy::certify {

/// The arguments that all functions compared share: unknowns for their sizes
/// and for those that are indices, and what is assumed of these.
class Arguments {
public:
  explicit Arguments(Solver &solver) : solver(solver) {}

  // Unknowns.
  LinearExpr getSize(BlockArgument argument, int64_t dim);
  /// The value with a sign of an index, or of an integer of at most 64 bits.
  LinearExpr getIndex(BlockArgument argument);
  /// The unknown that an argument is as an index, if anything asked for it.
  std::optional<Var> findIndex(BlockArgument argument) const;
  SmallVector<Var> getUnknowns() const;
  /// Whether an unknown is a size.
  bool hasSizes() const;
  /// Whether `size` depends on no argument.
  bool isKnown(const Size &size) const;
  /// Whether they alone settle which case it is, and its value.
  bool settle(const Case<LinearExpr> &one) const;

  // Assumptions.
  void assumeEqual(const LinearExpr &a, const LinearExpr &b);
  /// a <= b.
  void assumeAtMost(const LinearExpr &a, const LinearExpr &b);
  /// Defines `quotients` of the unknowns, which count as such from now on.
  void define(ArrayRef<Var> quotients, const System &definitions);
  const System &getAssumptions() const { return assumptions; }
  /// That no size is 0, whatever the case.
  void assumeElements() { isNowhereEmpty = true; }
  /// What holds everywhere: the assumptions, that no size is negative, or 0 if
  /// elements are assumed, and that integers fit their types.
  System getScope() const;

  // Proofs by cases.
  /// Forgets the assumptions but for those that make the case.
  void beginCase(const System &assumed);
  /// Asks for proofs in `cases` apart, unless others were asked for before:
  /// no answer was found that holds in all of them.
  void splitInto(const IndexCases &cases);
  /// The same where what is to be assumed differs from case to case.
  void assumeIn(const IndexCases &cases);
  /// Whether more is to be assumed than is, which only cases tell.
  bool lacksAssumptions() const { return isIncomplete; }
  ArrayRef<System> getSplits() const { return splits; }

  // Zero points.
  /// That `argument` is what the op `widening` makes of it in `width` bits.
  void addZeroPoint(BlockArgument argument, StringRef widening, unsigned width);
  /// Whether it is that in `width` bits, too.
  bool isWidened(BlockArgument argument, StringRef widening,
                 unsigned width) const;
  bool hasZeroPoints() const { return !widenings.empty(); }

  // Leftovers.
  /// That what a function never writes in a buffer may be what it left there in
  /// another: it is not as good as anything.
  void assumeLeftovers() { hasLeftovers = true; }
  bool mayHaveLeftovers() const { return hasLeftovers; }

private:
  LinearExpr getUnknown(BlockArgument argument, int64_t dim);
  bool isUnknown(Var var) const;

  Solver &solver;
  /// By argument and dimension; an index is its own dimension -1.
  std::map<std::pair<unsigned, int64_t>, Var> unknowns;
  llvm::DenseSet<Var> quotients;
  /// Of integers narrower than an index.
  System ranges;
  System assumptions;
  SmallVector<System> splits;
  bool isIncomplete = false;
  bool isNowhereEmpty = false;
  bool hasLeftovers = false;
  /// The fewest bits that an argument is widened from, by its number and op.
  std::map<std::pair<unsigned, StringRef>, unsigned> widenings;
};

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_TERMS_ARGUMENTS_H
