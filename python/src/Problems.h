//===- Problems.h - Problems and their operands -----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_PYTHON_SRC_PROBLEMS_H
#define CONVOY_PYTHON_SRC_PROBLEMS_H

#include "convoy/Runtime/Generate.h"
#include "convoy/Runtime/HostArray.h"
#include "convoy/Support/AnyProblem.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <cstdint>
#include <string>
#include <vector>

namespace convoy::python {

/// In the place of a size in a shape: calls say what it is.
constexpr int64_t kDynamicSize = -1;

/// One operand of a kernel.
struct Argument {
  std::string name;   ///< as in the header that convoy-compile writes
  ScalarType type;    ///< of its elements
  std::string layout; ///< a letter for each dimension
  /// With kDynamicSize for each size that calls give.
  std::vector<int64_t> shape;
  bool isWritten = false;

  /// An array of zeros.
  HostArray makeArray() const { return HostArray(type, shape); }
};

/// Where arrays of Python's lie, one for each argument in order; each is dense,
/// aligned, and of the argument's type and shape. The caller has checked that.
using Addresses = std::vector<uintptr_t>;

/// The one problem that `text` is, where `flags` are the defaults, such as
/// `--dir=BWD_D`. Throws.
AnyProblem parseProblem(const std::string &text,
                        const std::vector<std::string> &flags);

/// The arguments of the kernel, in order; the result is the last.
std::vector<Argument> describeArguments(const AnyProblem &problem);

/// The dynamic sizes of arguments, dimension by dimension of each in order,
/// results included.
using Sizes = std::vector<int64_t>;

/// `arguments` of static shapes: with `sizes` in the place of dynamic ones.
/// Throws where these are not as many.
std::vector<Argument> fillSizes(std::vector<Argument> arguments,
                                const Sizes &sizes);

/// How many bytes the array of each argument has, all of static shapes.
std::vector<size_t> countBytes(const std::vector<Argument> &arguments);

/// Copies of the arrays that are read, and zeros for those that are written.
std::vector<HostArray> copyArguments(const std::vector<Argument> &arguments,
                                     const Addresses &addresses);

/// Data of a kind that its name says. Throws.
DataKind parseData(const std::string &name);

/// Generated data for the arguments that are read, of a problem that is no
/// convolution, as which `function` was made. Throws.
std::vector<HostArray> generateOther(const AnyProblem &problem,
                                     mlir::func::FuncOp function, DataKind kind,
                                     uint64_t seed);

/// Writes generated data into the arrays that are read. Throws.
void generate(const AnyProblem &problem, const std::string &data, uint64_t seed,
              const Addresses &addresses);

/// Writes what `problem` should give into the last of the arrays, which has
/// elements of f64, or of i32 where sums are integers. Throws.
void computeReference(const AnyProblem &problem, const Addresses &addresses);

} // namespace convoy::python

#endif // CONVOY_PYTHON_SRC_PROBLEMS_H
