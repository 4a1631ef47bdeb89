//===- WordChains.h - Sums of products of words through loops ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_CONVERSION_UTILS_WORDCHAINS_H
#define CONVOY_CONVERSION_UTILS_WORDCHAINS_H

#include "convoy/Transforms/Utils/WordProducts.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"

#include <vector>

namespace mlir::convoy {

/// What `op`, the last op of a sum of products of words or one before it, adds
/// to.
OpOperand &getAddend(Operation *op);

/// A step on the way of sums that are added to: a loop that carries them, or a
/// sum of products of words.
struct WordStep {
  mutable scf::ForOp loop;    ///< or null
  unsigned number = 0;        ///< of the sums among what the loop carries
  std::vector<WordStep> body; ///< of the loop
  Operation *first = nullptr, *sum = nullptr; ///< what computes it
  WordSum words;

  Operation *getOp() const { return loop ? loop.getOperation() : sum; }
};

/// Sums from where they start to where they are used otherwise.
struct WordChain {
  std::vector<WordStep> steps;
  Value end;

  /// What the first step starts from.
  Value getStart() const;
};

/// Follows sums through loops.
class WordChainFinder {
public:
  /// Those in `root` of which `match` finds the steps by the last op of each.
  WordChainFinder(Operation *root,
                  function_ref<std::optional<WordSum>(Operation *)> match);

  SmallVector<WordChain> find();

private:
  /// Adds the chain that starts with `use`, if there is one, to `chains`.
  void addChain(OpOperand &use, SmallVector<WordChain> &chains);
  /// The step that takes sums by `use`.
  std::optional<WordStep> getStep(OpOperand &use);
  /// Adds the steps of `value` to `steps`; what the last one results in.
  Value follow(Value value, std::vector<WordStep> &steps);
  void markTaken(ArrayRef<WordStep> steps);

  Operation *root;
  llvm::MapVector<Operation *, WordStep> sums; ///< by what computes them first
  DenseSet<OpOperand *> taken;
};

/// Erases what in `root` is used no more.
void eraseUnused(Operation *root);

} // namespace mlir::convoy

#endif // CONVOY_CONVERSION_UTILS_WORDCHAINS_H
