//===- ConvFixture.cpp - Convolutions for the tests -----------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvFixture.h"

namespace convoy {

ConvFixture::ConvFixture(Direction direction, const ConvShape &shape,
                         const ConvLayouts &layouts, ElementType type) {
  Problem described;
  described.direction = direction;
  described.type = type;
  problem.direction = direction;
  problem.shape = shape;
  problem.numerics = convNumerics(described);
  for (Operand operand : AllOperands)
    problem.operands[static_cast<size_t>(operand)].index =
        operandIndex(shape, operand, layouts[operand]);
  allocate();
}

void ConvFixture::setNumerics(const ConvNumerics &numerics) {
  problem.numerics = numerics;
  allocate();
}

void ConvFixture::allocate() {
  for (Operand operand : AllOperands) {
    size_t place = static_cast<size_t>(operand);
    OperandData &data = problem.operands[place];
    arrays[place] =
        HostArray(numerics().type(operand), {data.index.elementCount()});
    data.data = arrays[place].data();
  }
}

void ConvFixture::generate(DataKind kind, uint64_t seed, bool withInit) {
  DataGenerator generator(kind, seed, problem.direction, problem.shape,
                          numerics());
  for (Operand operand : AllOperands)
    if (operand != resultOperand())
      generator.fill(operand, index(operand), array(operand).data());
  if (!withInit)
    return;
  init = HostArray(numerics().type(resultOperand()),
                   {index(resultOperand()).elementCount()});
  generator.fill(resultOperand(), index(resultOperand()), init.data());
  problem.init = OperandData{init.data(), index(resultOperand())};
}

} // namespace convoy
