//===- ProblemInputs.h - Data for problems that are functions ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_PROBLEMINPUTS_H
#define CONVOY_DRIVER_PROBLEMINPUTS_H

#include "convoy/Runtime/Generate.h"
#include "convoy/Runtime/HostArray.h"
#include "convoy/Support/AnyProblem.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::convoy {

/// Data for the arguments of `function`, which `problem`, that is no
/// convolution, was made into. DataKind::Special is special of the positions of
/// samples alone; else it is uniform. On failure returns nothing and puts one
/// sentence into `error`.
std::optional<std::vector<::convoy::HostArray>>
generateProblemInputs(const ::convoy::AnyProblem &problem,
                      func::FuncOp function, ::convoy::DataKind kind,
                      uint64_t seed, std::string &error);

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_PROBLEMINPUTS_H
