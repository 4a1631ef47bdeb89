//===- DeformInputs.cpp - Data of deformable convolutions -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/DeformInputs.h"

#include "DrawNumbers.h"

#include "convoy/Driver/Memory.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::DataKind;
using ::convoy::DeformDirection;
using ::convoy::DeformProblem;
using ::convoy::HostArray;
using ::convoy::Operand;
using ::convoy::ScalarType;

//===----------------------------------------------------------------------===//
// Offsets and masks
//===----------------------------------------------------------------------===//

/// On elements and halfway between them, and up to two numbers beside.
static double drawEdge(DrawnNumbers &numbers, ScalarType type) {
  double offset = double(numbers.whole(-6, 6)) / 2;
  return offset +
         double(numbers.whole(-2, 2)) * ::convoy::floatFormat(type).ulp(offset);
}

static double drawSpecial(DrawnNumbers &numbers) {
  constexpr double Special[] = {NAN,     HUGE_VAL, -HUGE_VAL, 0x1p31,
                                -0x1p31, 0x1p127,  -0x1p127,  0x1p14,
                                -0x1p14, 0x1p-140, -0x1p-140, -0.0};
  uint64_t number = numbers.next() % 24;
  return number < std::size(Special) ? Special[number] : numbers.uniform() * 2;
}

/// How far a tap is moved.
static double drawOffset(DataKind kind, ScalarType type, DrawnNumbers numbers) {
  switch (kind) {
  case DataKind::Int:
    // With two bits behind the point weights, samples and sums are exact.
    return double(numbers.whole(-9, 9)) / 4;
  case DataKind::Uniform:
  case DataKind::Cancel:
    return numbers.uniform() * 2;
  case DataKind::Normal:
    return numbers.normal() * 2;
  case DataKind::Range: {
    double part = numbers.uniform();
    return std::ldexp(part, int(numbers.whole(-20, 40)));
  }
  case DataKind::Edge:
    return drawEdge(numbers, type);
  case DataKind::Special:
    return drawSpecial(numbers);
  }
  llvm_unreachable("all are named");
}

static double drawMask(DataKind kind, DrawnNumbers numbers) {
  if (kind == DataKind::Int)
    return double(numbers.whole(0, 2)) / 2;
  return (numbers.uniform() + 1) / 2;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// What is multiplied, in the order of the arguments.
static std::vector<Operand> getOperands(DeformDirection direction) {
  switch (direction) {
  case DeformDirection::Forward:
    return {Operand::Input, Operand::Filter};
  case DeformDirection::Input:
    return {Operand::Output, Operand::Filter};
  case DeformDirection::Filter:
    return {Operand::Input, Operand::Output};
  case DeformDirection::Offset:
  case DeformDirection::Mask:
    return {Operand::Input, Operand::Output, Operand::Filter};
  }
  llvm_unreachable("all are named");
}

namespace {
/// What is drawn for an argument.
struct DrawnArgument {
  ScalarType type;
  std::vector<int64_t> shape;
  std::string letters;
  std::function<double(DrawnPlace)> draw;
};
} // namespace

/// The arguments of `problem`, as its function has them.
static std::vector<DrawnArgument>
describeArguments(const DeformProblem &problem, DataKind kind) {
  const ::convoy::Problem &conv = problem.conv;
  ScalarType type = ::convoy::operandScalarType(conv.type),
             offsetType = ::convoy::operandScalarType(problem.offsetType);
  // What is special of offsets says nothing of other numbers.
  DataKind plain = kind == DataKind::Special ? DataKind::Uniform : kind;
  auto drawPlain = [plain](DrawnPlace place) {
    return drawFloat(plain, place);
  };
  DeformDirection direction = problem.direction;
  std::vector<DrawnArgument> arguments;
  auto addOperand = [&](Operand operand) {
    arguments.push_back({type, conv.shape.shape(operand, conv.layouts[operand]),
                         conv.layouts[operand].letters(), drawPlain});
  };
  // As functions have them.
  for (Operand operand : getOperands(direction))
    addOperand(operand);
  arguments.push_back({offsetType, problem.offsetShape(),
                       problem.offsetLayout.letters(), [=](DrawnPlace place) {
                         return drawOffset(kind, offsetType,
                                           DrawnNumbers(place));
                       }});
  if (problem.hasMask && direction != DeformDirection::Mask)
    arguments.push_back({offsetType, problem.maskShape(),
                         problem.offsetLayout.letters(), [=](DrawnPlace place) {
                           return drawMask(kind, DrawnNumbers(place));
                         }});
  if (conv.bias)
    arguments.push_back({type,
                         {conv.shape.groups * conv.shape.outputChannels},
                         "f",
                         drawPlain});
  return arguments;
}

std::optional<std::vector<HostArray>>
mlir::convoy::generateDeformInputs(const DeformProblem &problem, DataKind kind,
                                   uint64_t seed, std::string &error) {
  const ::convoy::Problem &conv = problem.conv;
  ScalarType type = ::convoy::operandScalarType(conv.type);
  std::vector<DrawnArgument> arguments = describeArguments(problem, kind);
  double bytes = 0;
  for (const DrawnArgument &argument : arguments)
    bytes += getBytes(argument.type, argument.shape);
  // The result is one of those of the convolution, or as large as an argument.
  double largest = 0;
  for (Operand operand : {Operand::Input, Operand::Filter, Operand::Output})
    largest = std::max(
        largest,
        getBytes(type, conv.shape.shape(operand, conv.layouts[operand])));
  bytes += largest;
  if (auto shortage = checkMemory(2 * bytes, "the deformable convolution")) {
    error = *shortage;
    return std::nullopt;
  }
  std::vector<HostArray> inputs;
  for (auto [number, argument] : llvm::enumerate(arguments)) {
    HostArray &array = inputs.emplace_back(argument.type, argument.shape);
    fillByPlace(array, argument.letters, "ngfchw", [&](uint64_t position) {
      return argument.draw({seed, number, position});
    });
  }
  return inputs;
}
