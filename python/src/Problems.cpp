//===- Problems.cpp - Problems and their operands ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Problems.h"

#include "Error.h"

#include "convoy/Conversion/ProblemToConvoy.h"
#include "convoy/Driver/CheckProblem.h"
#include "convoy/Driver/CheckedConv.h"
#include "convoy/Driver/Import.h"

#include <cstring>
#include <optional>

using namespace convoy;
using namespace convoy::python;
using mlir::convoy::CheckedConv;
using mlir::convoy::ProblemRoles;

Problem python::parseProblem(const std::string &text,
                             const std::vector<std::string> &flags) {
  ProblemDefaults defaults;
  std::string error;
  for (const std::string &flag : flags)
    if (parseProblemFlag(flag, defaults, error) != FlagStatus::Accepted)
      throwError(error.empty()
                     ? "expected a flag of problems, but got '" + flag + "'"
                     : error);
  std::optional<std::vector<Problem>> problems =
      mlir::convoy::readProblems(text, defaults, error);
  if (!problems)
    throwError(error);
  if (problems->size() != 1)
    throwError("expected one problem, but '" + text + "' is " +
               std::to_string(problems->size()));
  if (!problems->front().dynamic.empty())
    throwError("expected known sizes, but got '--dynamic=" +
               problems->front().dynamic + "'");
  return problems->front();
}

std::vector<Argument> python::describeArguments(const Problem &problem) {
  ProblemRoles roles = mlir::convoy::getProblemRoles(problem.direction);
  ConvNumerics numerics = convNumerics(problem);
  auto describe = [&](Operand operand, llvm::StringRef name, bool isWritten) {
    const Layout &layout = problem.layouts[operand];
    return Argument{name.str(), numerics.type(operand), layout.letters(),
                    problem.shape.shape(operand, layout), isWritten};
  };
  std::vector<Argument> arguments = {
      describe(roles.first, roles.firstName, false),
      describe(roles.second, roles.secondName, false)};
  if (problem.bias)
    arguments.push_back({"bias",
                         resultScalarType(problem.type),
                         "f",
                         {problem.shape.groups * problem.shape.outputChannels},
                         false});
  arguments.push_back(describe(roles.result, roles.resultName, true));
  return arguments;
}

std::vector<Argument> python::fillSizes(std::vector<Argument> arguments,
                                        const Sizes &sizes) {
  size_t expected = 0;
  for (Argument &argument : arguments)
    for (int64_t &size : argument.shape)
      if (size == kDynamicSize && expected++ < sizes.size())
        size = sizes[expected - 1];
  if (expected != sizes.size())
    throwError("expected " + std::to_string(expected) +
               " dynamic sizes, but got " + std::to_string(sizes.size()));
  return arguments;
}

std::vector<size_t> python::countBytes(const std::vector<Argument> &arguments) {
  std::vector<size_t> bytes;
  for (const Argument &argument : arguments) {
    size_t count = scalarSize(argument.type);
    for (int64_t size : argument.shape)
      count *= size;
    bytes.push_back(count);
  }
  return bytes;
}

std::vector<HostArray>
python::copyArguments(const std::vector<Argument> &arguments,
                      const Addresses &addresses) {
  std::vector<HostArray> arrays;
  for (size_t number = 0; number < arguments.size(); ++number) {
    HostArray &array = arrays.emplace_back(arguments[number].makeArray());
    if (!arguments[number].isWritten && !array.bytes.empty())
      std::memcpy(array.data(),
                  reinterpret_cast<const void *>(addresses[number]),
                  array.bytes.size());
  }
  return arrays;
}

DataKind python::parseData(const std::string &name) {
  std::optional<DataKind> kind = parseDataKind(name);
  if (!kind)
    throwError("expected int, uniform, normal, range, cancel, edge or "
               "special for 'data', but got '" +
               name + "'");
  return *kind;
}

/// Throws where there is not enough memory for `conv` and its reference.
static void checkMemoryOf(const CheckedConv &conv) {
  if (std::optional<std::string> shortage =
          mlir::convoy::checkMemoryFor(conv, /*compare=*/true))
    throwError(*shortage);
}

void python::generate(const Problem &problem, const std::string &data,
                      uint64_t seed, const Addresses &addresses) {
  mlir::convoy::CheckOptions options;
  options.data = parseData(data);
  options.seed = seed;
  std::vector<HostArray> arrays = mlir::convoy::generateArguments(
      mlir::convoy::describeProblem(problem), options);
  for (size_t number = 0; number + 1 < arrays.size(); ++number)
    if (!arrays[number].bytes.empty())
      std::memcpy(reinterpret_cast<void *>(addresses[number]),
                  arrays[number].data(), arrays[number].bytes.size());
}

void python::computeReference(const Problem &problem,
                              const Addresses &addresses) {
  CheckedConv conv = mlir::convoy::describeProblem(problem);
  checkMemoryOf(conv);
  ReferenceResult reference = mlir::convoy::computeReferenceOf(
      conv, copyArguments(describeArguments(problem), addresses),
      /*threads=*/0);
  Operand result = directionRoles(problem.direction).result;
  const OperandIndex &index = conv.indices[static_cast<size_t>(result)];
  void *output = reinterpret_cast<void *>(addresses.back());
  forEachIndex(index.sizes, [&](const LogicalIndex &at) {
    int64_t from = reference.index.offset(at), to = index.offset(at);
    if (isFloat(reference.type))
      static_cast<double *>(output)[to] = reference.value[from];
    else // the sum modulo 2^32, as kernels compute it
      static_cast<int32_t *>(output)[to] =
          static_cast<int32_t>(reference.integer[from]);
  });
}
