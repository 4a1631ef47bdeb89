//===- ConvFixture.h - Convolutions for the tests ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_UNIT_RUNTIME_CONVFIXTURE_H
#define CONVOY_TEST_UNIT_RUNTIME_CONVFIXTURE_H

#include "convoy/Runtime/Generate.h"
#include "convoy/Runtime/HostArray.h"
#include "convoy/Runtime/Reference.h"

#include <array>
#include <string>
#include <vector>

namespace convoy {

inline constexpr std::array<Direction, 3> AllDirections = {
    Direction::Forward, Direction::BackwardData, Direction::BackwardFilter};
inline constexpr std::array<Operand, 3> AllOperands = {
    Operand::Input, Operand::Filter, Operand::Output};

/// A spatial dimension whose output size follows from the rest.
inline SpatialDim makeSpatial(int64_t input, int64_t filter,
                              WindowDim window = {}) {
  return {input, filter, outputSize(input, filter, window), window};
}

inline ConvShape makeShape(int64_t batch, int64_t groups, int64_t inputChannels,
                           int64_t outputChannels,
                           std::vector<SpatialDim> spatial) {
  return {batch, groups, inputChannels, outputChannels, std::move(spatial)};
}

inline ConvLayouts makeLayouts(const std::string &input,
                               const std::string &filter,
                               const std::string &output) {
  return {Layout::fromLetters(input), Layout::fromLetters(filter),
          Layout::fromLetters(output)};
}

/// Dense layouts in logical order, groups explicit.
inline ConvLayouts logicalLayouts(int spatialRank) {
  std::string letters(spatialLetters(spatialRank));
  return makeLayouts("ngc" + letters, "gcf" + letters, "ngf" + letters);
}

/// A convolution with memory for its operands and, where wanted, its init.
class ConvFixture {
public:
  ConvFixture(Direction direction, const ConvShape &shape,
              const ConvLayouts &layouts, ElementType type = ElementType::F32);

  Operand resultOperand() const {
    return directionRoles(problem.direction).result;
  }
  const OperandIndex &index(Operand operand) const {
    return problem.operands[static_cast<size_t>(operand)].index;
  }
  HostArray &array(Operand operand) {
    return arrays[static_cast<size_t>(operand)];
  }
  const ConvNumerics &numerics() const { return problem.numerics; }

  /// Changes the types after construction; the elements are lost.
  void setNumerics(const ConvNumerics &numerics);

  /// Fills both sources and, with `init`, an init.
  void generate(DataKind kind, uint64_t seed, bool init = false);

  ReferenceResult reference(bool operandSums = false) const {
    return computeReference(problem, {1, operandSums});
  }

  ReferenceProblem problem;

private:
  void allocate();

  std::array<HostArray, 3> arrays;
  HostArray init;
};

} // namespace convoy

#endif // CONVOY_TEST_UNIT_RUNTIME_CONVFIXTURE_H
