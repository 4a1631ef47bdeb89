//===- BoundedWinograd.cpp - Errors of Winograd's algorithm -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bound that docs/Numerics.md derives for sums of numbers without errors,
// of numbers with errors: these are at most |x| + e in magnitude, and what
// their errors add up to is what they do in the products.
//
//===----------------------------------------------------------------------===//

#include "Rounding.h"

#include "convoy/Interpreter/BoundedNumbers.h"
#include "convoy/Runtime/WinogradBound.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::HostArray;
using ::convoy::OperandData;
using ::convoy::ReferenceProblem;
using ::convoy::ReferenceResult;
using ::convoy::ScalarType;

/// The largest magnitudes that `numbers` may have.
static HostArray getMagnitudes(ArrayRef<Scalar> numbers) {
  HostArray magnitudes(ScalarType::F64, {int64_t(numbers.size())});
  for (auto [position, scalar] : llvm::enumerate(numbers)) {
    BoundedFloat number(scalar);
    magnitudes.set(int64_t(position), std::abs(number.value) + number.error);
  }
  return magnitudes;
}

/// What the bounds of `terms` depend on, in tiles of so many results.
static ReferenceResult takeSums(const ConvolutionTerms &terms,
                                ArrayRef<int64_t> tile) {
  ConvolutionOpInterface op = terms.op;
  ReferenceProblem problem;
  problem.direction = op.getDirection();
  problem.shape = op.getConvShape(terms.batch);
  problem.numerics.types.fill(ScalarType::F64);
  auto getIndex = [&](::convoy::Operand operand) {
    return operandIndex(problem.shape, operand,
                        op.getLayout().getLayouts()[operand]);
  };
  ::convoy::DirectionRoles roles = ::convoy::directionRoles(problem.direction);
  HostArray first = getMagnitudes(*terms.factors[0]);
  HostArray second = getMagnitudes(*terms.factors[1]);
  HostArray inits = getMagnitudes(terms.inits);
  problem.operands[size_t(roles.first)] = {first.data(), getIndex(roles.first)};
  problem.operands[size_t(roles.second)] = {second.data(),
                                            getIndex(roles.second)};
  problem.init = OperandData{inits.data(), getIndex(roles.result)};
  ReferenceResult sums;
  sums.index = problem.init->index;
  sums.type = ScalarType::F64;
  sums.hasInit = true;
  sums.magnitude.resize(terms.inits.size());
  takeWinogradSums(problem, tile.vec(), sums);
  return sums;
}

void BoundedNumbers::followWinograd(const ConvolutionTerms &terms,
                                    ArrayRef<int64_t> tile,
                                    MutableArrayRef<Scalar> sums) {
  if (!followsAlgorithms)
    return;
  ConvolutionOpInterface op = terms.op;
  Rounding rounding(Float32Type::get(op.getContext()), target);
  ReferenceResult known = takeSums(terms, tile);
  double lost = double(known.roundings) * rounding.unit;
  double gamma = lost / (1 - lost);
  for (auto [place, sum] : llvm::enumerate(sums)) {
    // The kernels are for CPUs, none of which flushes subnormal numbers.
    bool isKnown = known.flags[place] == 0 && lost < 0.125 &&
                   !rounding.flushes &&
                   known.peak[place] * (1 + gamma) <= rounding.largest;
    // What numbers in double are rounded to is a part of the unit.
    sum.error = isKnown ? sum.error + gamma * known.magnitude[place] +
                              known.underflows[place] * rounding.eta
                        : kUnknown;
  }
}
