//===- EpilogueChain.h - What an epilogue tells of sums ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_DRIVER_EPILOGUECHAIN_H
#define CONVOY_LIB_DRIVER_EPILOGUECHAIN_H

#include "convoy/Runtime/ScalarType.h"
#include "convoy/Support/Problem.h"

#include "llvm/ADT/ArrayRef.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace mlir::convoy {

/// The steps of an epilogue, of which each goes up or down everywhere, or at
/// least above zero: what they make of the next smaller and the next greater
/// number then tells that no other number gives the same result.
class EpilogueChain {
public:
  /// A number with the next smaller and the next greater one, or three times
  /// the same.
  using Triple = std::array<double, 3>;

  /// What becomes of the number in the middle.
  struct Outcome {
    /// What a right kernel may return.
    double least = 0, most = 0;
    /// Whether it is known what that is.
    bool isKnown = false;
    /// Whether each number but the one in the middle gives another result.
    bool tells = false;
  };

  /// A step, and which operand it takes, if any.
  struct Step {
    ::convoy::PostOp::Kind kind;
    double alpha = 0, beta = 0;
    std::optional<unsigned> operand = std::nullopt;
  };

  enum class Role {
    Added,   ///< or compared
    Byte,    ///< the same of a byte without a sign
    Factor,  ///< multiplies, and so must be more than zero
    Scale,   ///< the same, of sums
    Divisor, ///< divides
  };

  /// Nothing, with what is in the way in `reason`, where a step goes up and
  /// down.
  static std::optional<EpilogueChain> create(const ::convoy::Problem &problem,
                                             std::string &reason);

  /// What becomes of `sum`, where `operands` has an element of each operand of
  /// the epilogue. One of all these is a number with its neighbours.
  Outcome apply(Triple sum, llvm::ArrayRef<Triple> operands) const;

  llvm::ArrayRef<Role> getRoles() const { return roles; }

private:
  EpilogueChain(::convoy::ScalarType compute, ::convoy::ScalarType result)
      : compute(compute), result(result) {}
  void addScales(const ::convoy::Problem &problem);
  void addPostOps(const ::convoy::Problem &problem);
  void addStep(::convoy::PostOp::Kind kind, double alpha, double beta);
  void addOperand(::convoy::PostOp::Kind kind, unsigned operand,
                  double alpha = 1, double beta = 0);

  ::convoy::ScalarType compute, result;
  std::vector<Step> steps;
  std::vector<Role> roles;
};

} // namespace mlir::convoy

#endif // CONVOY_LIB_DRIVER_EPILOGUECHAIN_H
