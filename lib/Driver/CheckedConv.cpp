//===- CheckedConv.cpp - A kernel that is one convolution -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/CheckedConv.h"

#include "DrawNumbers.h"

#include "convoy/Runtime/WinogradBound.h"

#include <algorithm>
#include <cmath>

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

std::optional<ScalarType> CheckedConv::getType(unsigned number) const {
  if (std::optional<Operand> operand = getOperand(number))
    return numerics.type(*operand);
  if (filterZeroPoints && filterZeroPoints->argument == number)
    return filterZeroPoints->type;
  for (const CheckedOperand &operand : epilogueOperands)
    if (operand.argument == number)
      return operand.type;
  return std::nullopt;
}

ConvNumerics CheckedConv::getSumNumerics() const {
  ConvNumerics sums = numerics;
  if (epilogue)
    sums.types[static_cast<size_t>(directionRoles(direction).result)] =
        numerics.accumulator;
  return sums;
}

ElementPlace CheckedConv::getPlace(int64_t number) const {
  std::vector<int64_t> sizes =
      shape.shape(directionRoles(direction).result, resultLayout);
  ElementPlace place{{}, resultLayout.letters(), sizes};
  for (size_t dim = sizes.size(); dim-- > 0;) {
    place.index[dim] = number % sizes[dim];
    number /= sizes[dim];
  }
  for (auto [letter, position] : llvm::zip_equal(place.layout, place.index)) {
    if (!place.text.empty())
      place.text += ' ';
    place.text += letter;
    place.text += '=' + std::to_string(position);
  }
  return place;
}

/// Adds the zero points of channels of `problem`, if it has any, as argument
/// `number`.
static void addZeroPoints(const Problem &problem, unsigned &number,
                          CheckedConv &conv) {
  std::optional<KernelOperand> operand = problem.filterZeroPoints();
  if (!operand)
    return;
  Operand result = problem.resultOperand();
  // They lie in the same way for each index of the filter.
  OperandIndex index = partialIndex(problem.shape, result, operand->layout);
  index.sizes = logicalSizes(problem.shape, Operand::Filter);
  conv.filterZeroPoints = {number++, dataScalarType(operand->type), index};
  conv.shapes.push_back(problem.shape.shape(result, operand->layout));
}

/// Adds what the epilogue of `problem` takes, from argument `number` on.
static void addEpilogue(const Problem &problem, unsigned &number,
                        CheckedConv &conv) {
  if (problem.epilogue.isEmpty())
    return;
  conv.epilogue = problem;
  // A check knows all sizes.
  conv.epilogue->dynamic.clear();
  Operand result = problem.resultOperand();
  for (const KernelOperand &operand : problem.epilogueOperands()) {
    conv.epilogueOperands.push_back(
        {number++, dataScalarType(operand.type),
         partialIndex(problem.shape, result, operand.layout)});
    conv.shapes.push_back(problem.shape.shape(result, operand.layout));
  }
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
    if (number == 2) {
      addZeroPoints(problem, number, conv);
      if (problem.bias && !problem.addsBiasToScaledSums()) {
        conv.init = CheckedInit{number++, 0, biasIndex(problem.shape)};
        conv.shapes.push_back(
            {problem.shape.groups * problem.shape.outputChannels});
      }
      addEpilogue(problem, number, conv);
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

/// Draws an element of `operand`, which is called `name`. Scales bring sums of
/// bytes near to bytes, by powers of 2 where data are exact.
static double drawElement(const CheckedConv &conv, const std::string &name,
                          ScalarType type, DataKind kind,
                          const DrawnPlace &place) {
  DrawnNumbers numbers(place);
  if (name.ends_with("_scales")) {
    double length =
        double(std::max<int64_t>(1, productCount(conv.direction, conv.shape)));
    constexpr double UsualProduct = 5000, UsualByte = 64;
    double usual = name.starts_with("filter")
                       ? UsualByte / (UsualProduct * std::sqrt(length))
                       : 1;
    double scale =
        std::exp2(std::round(std::log2(usual)) + double(numbers.whole(-1, 1)));
    return kind == DataKind::Int ? scale
                                 : scale * (1.5 + numbers.uniform() / 4);
  }
  if (!isFloat(type))
    return double(type == ScalarType::U8 ? numbers.whole(0, 9)
                                         : numbers.whole(-9, 9));
  double value = drawFloat(kind, place);
  return value == 0 && name.starts_with("div") ? 1 : value;
}

/// Fills the zero points of channels with numbers of the filter's type.
static void fillZeroPoints(const CheckedConv &conv, const CheckOptions &options,
                           std::vector<HostArray> &arrays) {
  if (!conv.filterZeroPoints)
    return;
  unsigned number = conv.filterZeroPoints->argument;
  int64_t low =
      conv.numerics.type(Operand::Filter) == ScalarType::U8 ? 0 : -128;
  HostArray &array = arrays[number];
  array = HostArray(conv.filterZeroPoints->type, conv.shapes[number]);
  for (int64_t i = 0; i < array.elementCount(); ++i)
    array.set(i, double(DrawnNumbers({options.seed, number, uint64_t(i)})
                            .whole(low, low + 255)));
}

/// Fills what the epilogue takes: a value follows from the seed, the argument
/// and the logical index.
static void fillEpilogueOperands(const CheckedConv &conv,
                                 const CheckOptions &options,
                                 std::vector<HostArray> &arrays) {
  if (!conv.epilogue)
    return;
  // What is special of sums says nothing of these.
  DataKind kind =
      options.data == DataKind::Special ? DataKind::Uniform : options.data;
  for (auto [known, operand] : llvm::zip_equal(
           conv.epilogue->epilogueOperands(), conv.epilogueOperands)) {
    HostArray &array = arrays[operand.argument];
    array = HostArray(operand.type, conv.shapes[operand.argument]);
    uint64_t position = 0;
    forEachIndex(operand.index.sizes, [&](const LogicalIndex &index) {
      // Dimensions that it lacks are at their beginning.
      bool isOwn = true;
      for (size_t dim = 0; dim < index.size(); ++dim)
        isOwn &= index[dim] == 0 || operand.index.strides[dim] != 0;
      if (isOwn)
        array.set(operand.index.offset(index),
                  drawElement(conv, known.name, operand.type, kind,
                              {options.seed, operand.argument, position}));
      position += isOwn;
    });
  }
}

std::vector<HostArray>
mlir::convoy::generateArguments(const CheckedConv &conv,
                                const CheckOptions &options) {
  DirectionRoles roles = directionRoles(conv.direction);
  // Sums of bytes are i32 whatever becomes of them.
  bool isOfBytes = conv.numerics.accumulator == ScalarType::I32;
  DataGenerator generator(options.data, options.seed, conv.direction,
                          conv.shape,
                          isOfBytes ? conv.getSumNumerics() : conv.numerics);
  size_t count = conv.arguments.size();
  bool hasInitArgument = conv.init && conv.init->argument;
  std::vector<HostArray> arrays(count + (conv.filterZeroPoints ? 1 : 0) +
                                (hasInitArgument ? 1 : 0) +
                                conv.epilogueOperands.size());
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
  fillZeroPoints(conv, options, arrays);
  fillEpilogueOperands(conv, options, arrays);
  return arrays;
}

/// The problem of `conv` and `arguments` for the reference, with `start` to
/// hold what its sums start from.
static ReferenceProblem
getReferenceProblem(const CheckedConv &conv,
                    const std::vector<HostArray> &arguments, HostArray &start) {
  ReferenceProblem reference;
  reference.direction = conv.direction;
  reference.shape = conv.shape;
  reference.numerics = conv.getSumNumerics();
  ScalarType sumType =
      reference.numerics.type(directionRoles(conv.direction).result);
  for (size_t place = 0; place < conv.arguments.size(); ++place)
    reference.operands[place] = {arguments[conv.arguments[place]].data(),
                                 conv.indices[place]};
  if (conv.filterZeroPoints)
    reference.filterZeroPoints =
        OperandData{arguments[conv.filterZeroPoints->argument].data(),
                    conv.filterZeroPoints->index};
  start = HostArray(sumType, {1});
  if (conv.init && conv.init->argument) {
    // Sums that go on to an epilogue are wider than the bias.
    const HostArray &given = arguments[*conv.init->argument];
    start = HostArray(sumType, given.shape);
    for (int64_t i = 0; i < given.elementCount(); ++i)
      start.set(i, given.at(i));
  } else if (conv.init) {
    start.set(0, conv.init->constant);
  }
  if (conv.init)
    reference.init = OperandData{start.data(), conv.init->index};
  return reference;
}

ReferenceResult
mlir::convoy::computeReferenceOf(const CheckedConv &conv,
                                 const std::vector<HostArray> &arguments,
                                 int threads, bool flushed) {
  HostArray start;
  return computeReference(getReferenceProblem(conv, arguments, start),
                          {.threads = threads, .operandSums = flushed});
}

ReferenceResult
mlir::convoy::takeWinogradTile(const CheckedConv &conv,
                               const std::vector<HostArray> &arguments,
                               const ReferenceResult &reference,
                               const std::vector<int64_t> &tile, int threads) {
  ReferenceResult result = reference;
  HostArray start;
  takeWinogradSums(getReferenceProblem(conv, arguments, start), tile, result,
                   {.threads = threads});
  return result;
}
