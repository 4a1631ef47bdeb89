//===- CheckedConv.h - A kernel that is one convolution ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_CHECKEDCONV_H
#define CONVOY_DRIVER_CHECKEDCONV_H

#include "convoy/Driver/RunKernel.h"
#include "convoy/Runtime/Compare.h"
#include "convoy/Runtime/Generate.h"
#include "convoy/Support/Problem.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace mlir::convoy {

/// Where a convolution's sums start: at the elements of an argument, or at one
/// constant.
struct CheckedInit {
  std::optional<unsigned> argument;
  double constant = 0; ///< where there is no argument
  ::convoy::OperandIndex index;
};

/// What a kernel takes besides the operands of a convolution and its init.
struct CheckedOperand {
  unsigned argument;
  ::convoy::ScalarType type;
  /// As if it had all dimensions of the result or, of zero points, the filter.
  ::convoy::OperandIndex index;
};

/// What the reference must know of a kernel whose only result is a convolution
/// of its arguments, or what an epilogue makes of one.
struct CheckedConv {
  ::convoy::Direction direction = ::convoy::Direction::Forward;
  ::convoy::ConvShape shape;
  ::convoy::ConvNumerics numerics;
  /// By operand: the kernel's argument and how it lies in memory.
  std::array<unsigned, 3> arguments = {};
  std::array<::convoy::OperandIndex, 3> indices;
  /// The shape of each argument of a problem's kernel, the result's among them.
  std::vector<std::vector<int64_t>> shapes;
  ::convoy::Layout resultLayout;
  std::optional<CheckedInit> init;
  /// Of a filter whose channels have a zero point each.
  std::optional<CheckedOperand> filterZeroPoints;
  /// The problem, where it has an epilogue, and what that takes.
  std::optional<::convoy::Problem> epilogue;
  std::vector<CheckedOperand> epilogueOperands;

  /// The operand that argument `number` plays, or nothing for the init, for
  /// zero points and for what the epilogue takes.
  std::optional<::convoy::Operand> getOperand(unsigned number) const;
  /// The type of the elements of argument `number`, or nothing for the init.
  std::optional<::convoy::ScalarType> getType(unsigned number) const;
  /// The types of the convolution itself, whose sums an epilogue takes in the
  /// accumulator's.
  ::convoy::ConvNumerics getSumNumerics() const;
  /// Where element `number` of the result stands, in memory's order.
  ::convoy::ElementPlace getPlace(int64_t number) const;
};

/// Whose divisions and functions made a result, and so how exact they are
/// (docs/Numerics.md).
enum class FunctionMath {
  Own,    ///< Convoy's vectors, C's libraries
  Vulkan, ///< what Vulkan allows a device
  Peer,   ///< as inexact as Vulkan allows, and subnormal numbers are zero
};

/// How a problem's kernel is checked.
struct CheckOptions {
  ::convoy::DataKind data = ::convoy::DataKind::Normal;
  uint64_t seed = 0;
  /// The arguments are a user's, not generated.
  bool areGiven = false;
  /// Arguments were drawn anew, from their declared ranges: sums of integers
  /// among them need not be exact.
  bool areRedrawn = false;
  /// Some of these ranges are not the same above zero as below it: what is lost
  /// of many small terms of one sign has a mean that is not zero.
  bool areLopsided = false;
  /// Threads of the reference; 0: one for each processor.
  int threads = 0;
  /// Without, the kernel runs on the data and its result is not looked at,
  /// except for what it did not write and where it should not have written.
  bool compare = true;
  /// Runs of which the shortest is reported.
  int runs = 1;
  /// Whether kernels run on drawn integers, too (IdentityTest.h).
  bool identity = false;
  /// Whether reports have a survey of the errors.
  bool survey = false;

  /// Whether sums are exact, so that results are compared bit for bit.
  bool isExact() const {
    return !areGiven && !areRedrawn && data == ::convoy::DataKind::Int;
  }
  /// Whether rounding errors are as good as random: those of numbers that are
  /// all alike, or of one sign, are not.
  bool isDrawn() const {
    return !areGiven && !areLopsided && !isExact() &&
           data != ::convoy::DataKind::Edge;
  }
  /// Whether the elements of arguments have signs that are random, each its
  /// own: not those whose neighbours nearly cancel them.
  bool hasRandomSigns() const {
    return isDrawn() && !areRedrawn && data != ::convoy::DataKind::Cancel;
  }
  /// How results are compared of a kernel that sums by `levels`.
  ::convoy::CompareOptions
  getCompareOptions(::convoy::TargetArithmetic arithmetic,
                    std::vector<::convoy::SumLevel> levels) const {
    return {.target = arithmetic,
            .sums = std::move(levels),
            .exact = isExact(),
            .drawn = isDrawn(),
            .survey = survey,
            .threads = threads};
  }
};

/// The kernel that `buildProblem` makes.
CheckedConv describeProblem(const ::convoy::Problem &problem);

/// The convolution that `function` computes, possibly through reshapes, from
/// its arguments and an init which is an argument, a constant, or a bias for
/// each output channel. Otherwise nothing, and one sentence in `reason`.
std::optional<CheckedConv> matchConvolution(func::FuncOp function,
                                            std::string &reason);

/// The kernel's arguments with generated data, in order; zeros for the result.
std::vector<::convoy::HostArray> generateArguments(const CheckedConv &conv,
                                                   const CheckOptions &options);

/// What `conv` should give for `arguments`, up to its epilogue, with all that
/// the bounds of targets need that flush subnormal numbers, where they are
/// `flushed`.
::convoy::ReferenceResult
computeReferenceOf(const CheckedConv &conv,
                   const std::vector<::convoy::HostArray> &arguments,
                   int threads, bool flushed = false);

/// `reference` with what the bounds of a kernel need that computes tiles of
/// these sizes, one for each spatial dimension, by Winograd's algorithm.
::convoy::ReferenceResult
takeWinogradTile(const CheckedConv &conv,
                 const std::vector<::convoy::HostArray> &arguments,
                 const ::convoy::ReferenceResult &reference,
                 const std::vector<int64_t> &tile, int threads);

/// What the epilogue of `conv` makes of `reference` and `arguments`, in the
/// layout of the result: of f64, or of i32 where the result is of integers.
/// Where that is not known, zeros, and one sentence in `error`.
::convoy::HostArray computeEpilogueOf(
    const CheckedConv &conv, const std::vector<::convoy::HostArray> &arguments,
    const ::convoy::ReferenceResult &reference, std::string &error);

/// Compares `result`, which lies as `conv` says, with `reference` and what the
/// epilogue makes of it and of `arguments`, and names elements by its layout. A
/// reference of the same problem in other layouts will do. `options` say
/// what the arithmetic of sums is, and `math` how exact functions are;
/// `winogradTile`, if it is not empty, that the result was made of such tiles.
::convoy::CompareReport compareWithReferenceOf(
    const CheckedConv &conv, const std::vector<::convoy::HostArray> &arguments,
    const ::convoy::ReferenceResult &reference, const void *result,
    ::convoy::CompareOptions options, FunctionMath math = FunctionMath::Own,
    const std::vector<int64_t> &winogradTile = {});

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_CHECKEDCONV_H
