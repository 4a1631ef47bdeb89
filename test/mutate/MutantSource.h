//===- MutantSource.h - Problems and what they are lowered to ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_MUTATE_MUTANTSOURCE_H
#define CONVOY_TEST_MUTATE_MUTANTSOURCE_H

#include "convoy/Support/Problem.h"
#include "convoy/Support/RandomNumbers.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

#include <string>
#include <vector>

namespace mlir::convoy::test {

/// Small problem `number` of those that `seed` draws: 1-D and 2-D, any layouts,
/// direction and element type.
::convoy::Problem drawProblem(int64_t number, uint64_t seed);
/// One for whose sums GPUs with matrix units use these.
::convoy::Problem drawMatrixProblem(::convoy::RandomNumbers &random);

/// Function `number` of those that `seed` draws, as IR: two 1-D convolutions in
/// any layouts, and elementwise ops between them.
std::string drawLayers(int64_t number, uint64_t seed);
/// Function `number` of those that `seed` draws: a named convolution of linalg
/// between padding, a bias and something elementwise, as frameworks write it.
std::string drawNamed(int64_t number, uint64_t seed);
/// The module that holds the function of `text`.
OwningOpRef<ModuleOp> parseFunction(MLIRContext *context, llvm::StringRef text);

/// A function after a pass.
struct Stage {
  std::string pass;
  OwningOpRef<ModuleOp> module;
};

/// The function of `problem`. Zero points are arguments in every other one.
OwningOpRef<ModuleOp> buildFunction(MLIRContext *context,
                                    const ::convoy::Problem &problem,
                                    bool symbolicZeroPoints);

/// `module` as it is, and after each pass of those that `build` adds that
/// changes it; no stages if a pass fails.
std::vector<Stage> lower(ModuleOp module,
                         llvm::function_ref<void(OpPassManager &)> build);

/// The function of `module` as it is, and after each pass that changes it, from
/// linalg's convolutions down to the tiled form; no stages if a pass fails.
std::vector<Stage> lowerToTiles(ModuleOp module);

} // namespace mlir::convoy::test

#endif // CONVOY_TEST_MUTATE_MUTANTSOURCE_H
