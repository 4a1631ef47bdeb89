//===- Mutations.h - Small faults for correct IR ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_MUTATE_MUTATIONS_H
#define CONVOY_TEST_MUTATE_MUTATIONS_H

#include "convoy/Support/RandomNumbers.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mlir::convoy::test {

/// One change of a function. It may leave IR that does not verify, and may
/// change nothing that counts.
struct Mutation {
  StringRef kind; ///< few words, the same for all changes of a kind
  std::string text;
  Operation *op;
  std::function<void()> apply;
  /// Whether the function means the same after it.
  bool keepsMeaning = false;
};

using Mutations = std::vector<Mutation>;

/// One of `mutations`, if there are any: of a kind that `random` chooses, so
/// that kinds with many are not chosen more often.
std::optional<Mutation> chooseMutation(const Mutations &mutations,
                                       ::convoy::RandomNumbers &random);

/// What `mutation` changes, before it does.
std::string describe(const Mutation &mutation);
/// `op` as text.
std::string print(Operation *op, OpPrintingFlags flags = OpPrintingFlags());

/// Every fault that we know of, or with `keepsMeaning` every other form of the
/// same; each is for the function as it is now.
Mutations findMutations(func::FuncOp function, bool keepsMeaning = false);

/// Changes of indices: maps, slices, padding, loop bounds.
void findIndexMutations(Operation *op, Mutations &mutations);
/// Changes of ops: windows, layouts, bodies; ops dropped and done twice.
void findOpMutations(Operation *op, Mutations &mutations);
/// Changes of what works on vectors and memory: positions, flags, operands;
/// effects dropped and exchanged.
void findMemoryMutations(Operation *op, Mutations &mutations);
/// Other forms of the same: ops tiled, split and generalized, loops peeled,
/// shifted and unrolled, tensors and scalars changed there and back.
void findForms(Operation *op, Mutations &mutations);

} // namespace mlir::convoy::test

#endif // CONVOY_TEST_MUTATE_MUTATIONS_H
