//===- CheckedConv.cpp - A kernel that is one convolution -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/CheckedConv.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::convoy;
using namespace ::convoy;

/// The op's operands in their order, then its result.
static std::array<Operand, 3> getOperands(Direction direction) {
  switch (direction) {
  case Direction::Forward:
    return {Operand::Input, Operand::Filter, Operand::Output};
  case Direction::BackwardData:
    return {Operand::Output, Operand::Filter, Operand::Input};
  case Direction::BackwardFilter:
    return {Operand::Input, Operand::Output, Operand::Filter};
  }
  llvm_unreachable("unknown direction");
}

std::optional<Operand> CheckedConv::getOperand(unsigned number) const {
  auto found = std::find(arguments.begin(), arguments.end(), number);
  if (found == arguments.end())
    return std::nullopt;
  return static_cast<Operand>(found - arguments.begin());
}

CheckedConv mlir::convoy::describeProblem(const Problem &problem) {
  CheckedConv conv;
  conv.direction = problem.direction;
  conv.shape = problem.shape;
  conv.numerics = convNumerics(problem);
  conv.resultLayout = problem.layouts[directionRoles(problem.direction).result];
  unsigned number = 0;
  for (Operand operand : getOperands(problem.direction)) {
    size_t place = static_cast<size_t>(operand);
    conv.indices[place] =
        operandIndex(problem.shape, operand, problem.layouts[operand]);
    if (problem.bias && number == 2) {
      conv.init = CheckedInit{number++, 0, biasIndex(problem.shape)};
      conv.shapes.push_back(
          {problem.shape.groups * problem.shape.outputChannels});
    }
    conv.arguments[place] = number++;
    conv.shapes.push_back(
        problem.shape.shape(operand, problem.layouts[operand]));
  }
  return conv;
}

/// Elements of memory that `index` addresses, each counted once.
static int64_t countStored(const OperandIndex &index) {
  int64_t count = 1;
  for (auto [size, stride] : llvm::zip_equal(index.sizes, index.strides))
    count *= stride == 0 ? std::min<int64_t>(size, 1) : size;
  return count;
}

std::vector<HostArray>
mlir::convoy::generateArguments(const CheckedConv &conv,
                                const CheckOptions &options) {
  DirectionRoles roles = directionRoles(conv.direction);
  DataGenerator generator(options.data, options.seed, conv.direction,
                          conv.shape, conv.numerics);
  size_t count = conv.arguments.size();
  bool hasInitArgument = conv.init && conv.init->argument;
  std::vector<HostArray> arrays(count + (hasInitArgument ? 1 : 0));
  auto add = [&](unsigned number, Operand operand, const OperandIndex &index) {
    std::vector<int64_t> shape = {countStored(index)};
    if (!conv.shapes.empty())
      shape = conv.shapes[number];
    arrays[number] = HostArray(conv.numerics.type(operand), std::move(shape));
    return arrays[number].data();
  };
  for (Operand operand : getOperands(conv.direction)) {
    size_t place = static_cast<size_t>(operand);
    void *data = add(conv.arguments[place], operand, conv.indices[place]);
    if (operand != roles.result)
      generator.fill(operand, conv.indices[place], data);
  }
  if (hasInitArgument)
    generator.fill(roles.result, conv.init->index,
                   add(*conv.init->argument, roles.result, conv.init->index));
  return arrays;
}

ReferenceResult
mlir::convoy::computeReferenceOf(const CheckedConv &conv,
                                 const std::vector<HostArray> &arguments,
                                 int threads, bool flushed) {
  ReferenceProblem reference;
  reference.direction = conv.direction;
  reference.shape = conv.shape;
  reference.numerics = conv.numerics;
  for (size_t place = 0; place < conv.arguments.size(); ++place)
    reference.operands[place] = {arguments[conv.arguments[place]].data(),
                                 conv.indices[place]};
  HostArray constant(conv.numerics.type(directionRoles(conv.direction).result),
                     {1});
  if (conv.init) {
    constant.set(0, conv.init->constant);
    const void *data = conv.init->argument
                           ? arguments[*conv.init->argument].data()
                           : constant.data();
    reference.init = OperandData{data, conv.init->index};
  }
  return computeReference(reference,
                          {.threads = threads, .operandSums = flushed});
}

CompareReport mlir::convoy::compareWithReferenceOf(
    const CheckedConv &conv, const ReferenceResult &reference,
    const void *result, CompareOptions options) {
  Operand resultRole = directionRoles(conv.direction).result;
  options.layout = conv.resultLayout;
  return compareWithReference(reference, conv.direction, conv.numerics,
                              conv.indices[static_cast<size_t>(resultRole)],
                              result, options);
}
