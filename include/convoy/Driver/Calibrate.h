//===- Calibrate.h - Ranges of recorded numbers -----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_CALIBRATE_H
#define CONVOY_DRIVER_CALIBRATE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <string>

namespace mlir::convoy {

/// A file of numbers that an argument of a function held once.
struct Calibration {
  unsigned argument = 0;
  std::string path; ///< of a .npy file
};

/// Reads `NUMBER=FILE.npy`, or nothing where `text` is something else.
std::optional<Calibration> parseCalibration(StringRef text);

/// Declares for arguments of `function` that they hold no other numbers than
/// were recorded (`convoy.range`): from the least to the largest of all files
/// of an argument, rounded to its type, and no magnitude below their smallest
/// but zero. A file's array has the argument's rank and any sizes, so that more
/// may be recorded than goes through the function at once. False, with one
/// sentence in `error`, where a file cannot be read or does not fit its
/// argument, or the argument has a range already.
bool calibrate(func::FuncOp function, ArrayRef<Calibration> calibrations,
               std::string &error);

/// The same for the only public function of `module`; with no calibrations
/// there may be others.
bool calibrate(ModuleOp module, ArrayRef<Calibration> calibrations,
               std::string &error);

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_CALIBRATE_H
