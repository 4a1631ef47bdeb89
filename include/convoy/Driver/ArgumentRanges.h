//===- ArgumentRanges.h - What a user says of arguments ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_ARGUMENTRANGES_H
#define CONVOY_DRIVER_ARGUMENTRANGES_H

#include "convoy/Support/AnyProblem.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <string>

namespace mlir::convoy {

/// What a user says of the numbers that an argument of a function holds.
struct ArgumentRange {
  std::string argument; ///< its number, or its name (`convoy.name`)
  std::string path;     ///< of a .npy file of numbers that it held, or empty
  /// Else the least number and the largest, and perhaps the smallest magnitude
  /// but zero.
  SmallVector<double, 3> numbers;
};

/// Reads `ARGUMENT=FILE.npy`, or nothing where `text` is something else.
std::optional<ArgumentRange> parseCalibration(StringRef text);

/// Reads `ARGUMENT=LOW:HIGH` or `ARGUMENT=LOW:HIGH:LEAST`. Where `text` is
/// something else, returns nothing and puts into `error` what was expected.
std::optional<ArgumentRange> parseArgumentRange(StringRef text,
                                                std::string &error);

/// Declares for arguments of `function` that they hold no other numbers than
/// `ranges` say (`convoy.range`): from the least to the largest, and no
/// magnitude but zero below the smallest; of files, as all files of an argument
/// have them, rounded to its type. A file's array has the argument's rank and
/// any sizes, so that more may be recorded than goes through the function at
/// once. False, with one sentence in `error`, where there is no such argument,
/// it has a range already, its type lacks the numbers, or a file cannot be
/// read.
bool declareRanges(func::FuncOp function, ArrayRef<ArgumentRange> ranges,
                   std::string &error);

/// The same for the only public function of `module`; with no ranges there may
/// be others.
bool declareRanges(ModuleOp module, ArrayRef<ArgumentRange> ranges,
                   std::string &error);

/// The same of a problem's function, where those are left out that it has no
/// argument for: another problem has.
bool declareOwnRanges(func::FuncOp function, ArrayRef<ArgumentRange> ranges,
                      std::string &error);

/// A module with `problem` as its only function, called `symbol`, which
/// declares these. Null, with one sentence in `error`, where that fails.
OwningOpRef<ModuleOp> buildRangedModule(MLIRContext *context,
                                        const ::convoy::AnyProblem &problem,
                                        const std::string &symbol,
                                        ArrayRef<ArgumentRange> ranges,
                                        std::string &error);

/// Checks that for each of `ranges` one of `problems` has an argument, and that
/// they can be declared. Where not, returns false and puts one sentence into
/// `error`.
bool checkProblemRanges(MLIRContext *context,
                        ArrayRef<::convoy::AnyProblem> problems,
                        ArrayRef<ArgumentRange> ranges, std::string &error);

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_ARGUMENTRANGES_H
