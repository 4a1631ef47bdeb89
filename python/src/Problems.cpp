//===- Problems.cpp - Problems and their operands ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Problems.h"

#include "Error.h"

#include "convoy/Conversion/ProblemToConvoy.h"
#include "convoy/Driver/CheckFunction.h"
#include "convoy/Driver/CheckProblem.h"
#include "convoy/Driver/CheckedConv.h"
#include "convoy/Driver/Compile.h"
#include "convoy/Driver/Import.h"
#include "convoy/Driver/ProblemInputs.h"

#include "llvm/Support/ErrorHandling.h"

#include <cstring>
#include <optional>

using namespace convoy;
using namespace convoy::python;
using mlir::convoy::CheckedConv;
using mlir::convoy::ProblemRoles;

AnyProblem python::parseProblem(const std::string &text,
                                const std::vector<std::string> &flags) {
  ProblemDefaults defaults;
  std::string error;
  for (const std::string &flag : flags)
    if (parseProblemFlag(flag, defaults, error) != FlagStatus::Accepted)
      throwError(error.empty()
                     ? "expected a flag of problems, but got '" + flag + "'"
                     : error);
  std::optional<std::vector<AnyProblem>> problems =
      mlir::convoy::readAnyProblems(text, defaults, error);
  if (!problems)
    throwError(error);
  if (problems->size() != 1)
    throwError("expected one problem, but '" + text + "' is " +
               std::to_string(problems->size()));
  const auto *conv = std::get_if<Problem>(&problems->front());
  if (conv && !conv->dynamic.empty())
    throwError("expected known sizes, but got '--dynamic=" + conv->dynamic +
               "'");
  return problems->front();
}

static std::vector<Argument> describe(const SampleProblem &problem) {
  ScalarType type = operandScalarType(problem.type);
  Argument image = {"input", type, problem.imageLayout.letters(),
                    problem.imageShape()};
  Argument grid = {"grid", operandScalarType(problem.gridType),
                   problem.gridLayout.letters(), problem.gridShape()};
  Argument samples = {"output", type, problem.sampleLayout.letters(),
                      problem.sampleShape()};
  auto asResult = [](Argument argument, const char *suffix) {
    argument.name += suffix;
    argument.isWritten = true;
    return argument;
  };
  Argument gradient = samples;
  gradient.name += "_gradient";
  switch (problem.direction) {
  case Direction::Forward:
    return {image, grid, asResult(samples, "")};
  case Direction::BackwardData:
    return {gradient, grid, asResult(image, "_gradient")};
  case Direction::BackwardFilter:
    return {gradient, image, grid, asResult(grid, "_gradient")};
  }
  llvm_unreachable("unknown direction");
}

static std::vector<Argument> describe(const FoldProblem &problem) {
  ScalarType type = operandScalarType(problem.type);
  Argument rows = {"", type, "", problem.rowsShape()};
  Argument image = {"", type, problem.imageLayout.letters(),
                    problem.imageShape()};
  Argument input = problem.isUnfold ? image : rows;
  Argument output = problem.isUnfold ? rows : image;
  input.name = "input";
  output.name = "output";
  output.isWritten = true;
  return {input, output};
}

static std::vector<Argument> describe(const Problem &problem) {
  ProblemRoles roles = mlir::convoy::getProblemRoles(problem.direction);
  ConvNumerics numerics = convNumerics(problem);
  auto describeOne = [&](Operand operand, llvm::StringRef name,
                         bool isWritten) {
    const Layout &layout = problem.layouts[operand];
    return Argument{name.str(), numerics.type(operand), layout.letters(),
                    problem.shape.shape(operand, layout), isWritten};
  };
  std::vector<Argument> arguments = {
      describeOne(roles.first, roles.firstName, false),
      describeOne(roles.second, roles.secondName, false)};
  auto add = [&](const KernelOperand &operand) {
    arguments.push_back(
        {operand.name, dataScalarType(operand.type), operand.layout.letters(),
         problem.shape.shape(roles.result, operand.layout), false});
  };
  if (std::optional<KernelOperand> zeroPoints = problem.filterZeroPoints())
    add(*zeroPoints);
  if (problem.bias && !problem.addsBiasToScaledSums())
    arguments.push_back({"bias",
                         resultScalarType(problem.type),
                         "f",
                         {problem.shape.groups * problem.shape.outputChannels},
                         false});
  llvm::for_each(problem.epilogueOperands(), add);
  arguments.push_back(describeOne(roles.result, roles.resultName, true));
  return arguments;
}

/// The plain convolution that computes what `problem` does, without offsets.
static Problem getPlain(const DeformProblem &problem) {
  Problem plain = problem.conv;
  if (problem.direction != DeformDirection::Forward)
    plain.direction = problem.direction == DeformDirection::Input
                          ? Direction::BackwardData
                          : Direction::BackwardFilter;
  return plain;
}

static std::vector<Argument> describe(const DeformProblem &problem) {
  // Offset and mask stand behind the operands of the convolution.
  std::vector<Argument> arguments = describe(getPlain(problem));
  ScalarType type = operandScalarType(problem.offsetType);
  const std::string &layout = problem.offsetLayout.letters();
  Argument offset = {"offset", type, layout, problem.offsetShape(), false};
  Argument mask = {"mask", type, layout, problem.maskShape(), false};
  bool isOfOffset = problem.direction == DeformDirection::Offset,
       isOfMask = problem.direction == DeformDirection::Mask;
  std::vector<Argument> inserted = {offset};
  if (problem.hasMask && !isOfMask)
    inserted.push_back(mask);
  if (isOfOffset || isOfMask) {
    // The filter, and not its gradient.
    Argument filter = arguments.back();
    filter.name = "filter";
    filter.isWritten = false;
    inserted.insert(inserted.begin(), filter);
    arguments.back() = isOfMask ? mask : offset;
    arguments.back().name += "_gradient";
    arguments.back().isWritten = true;
  }
  arguments.insert(arguments.begin() + 2, inserted.begin(), inserted.end());
  return arguments;
}

static std::vector<Argument> describe(const PaddedProblem &problem) {
  return describe(problem.conv);
}

std::vector<Argument> python::describeArguments(const AnyProblem &problem) {
  return std::visit([](const auto &one) { return describe(one); }, problem);
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

namespace {
/// A problem that is no convolution as a function.
struct ProblemFunction {
  explicit ProblemFunction(const AnyProblem &problem)
      : context(mlir::convoy::makeRegistry(),
                mlir::MLIRContext::Threading::DISABLED),
        module(mlir::convoy::buildNamedModule(&context, problem,
                                              std::string("problem"))),
        function(*module->getOps<mlir::func::FuncOp>().begin()) {}

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
};
} // namespace

static std::vector<HostArray> makeData(const Problem &problem, DataKind kind,
                                       uint64_t seed) {
  mlir::convoy::CheckOptions options;
  options.data = kind;
  options.seed = seed;
  std::vector<HostArray> arrays = mlir::convoy::generateArguments(
      mlir::convoy::describeProblem(problem), options);
  arrays.pop_back(); // the result
  return arrays;
}

std::vector<HostArray> python::generateOther(const AnyProblem &problem,
                                             mlir::func::FuncOp function,
                                             DataKind kind, uint64_t seed) {
  std::string error;
  std::optional<std::vector<HostArray>> arrays =
      mlir::convoy::generateProblemInputs(problem, function, kind, seed, error);
  if (!arrays)
    throwError(error);
  return std::move(*arrays);
}

void python::generate(const AnyProblem &problem, const std::string &data,
                      uint64_t seed, const Addresses &addresses) {
  DataKind kind = parseData(data);
  const auto *conv = std::get_if<Problem>(&problem);
  std::vector<HostArray> arrays =
      conv ? makeData(*conv, kind, seed)
           : generateOther(problem, ProblemFunction(problem).function, kind,
                           seed);
  for (auto [array, address] : llvm::zip(arrays, addresses))
    if (!array.bytes.empty())
      std::memcpy(reinterpret_cast<void *>(address), array.data(),
                  array.bytes.size());
}

/// Of a problem that is no convolution, by the interpreter of functions.
static void computeReferenceOfOther(const AnyProblem &problem,
                                    const Addresses &addresses) {
  ProblemFunction made(problem);
  mlir::convoy::FunctionReference reference(made.function);
  std::string error;
  std::optional<std::vector<double>> values = reference.compute(
      copyArguments(describeArguments(problem), addresses), error);
  if (!values)
    throwError(error);
  void *output = reinterpret_cast<void *>(addresses.back());
  if (isFloat(describeArguments(problem).back().type))
    llvm::copy(*values, static_cast<double *>(output));
  else
    llvm::copy(*values, static_cast<int32_t *>(output));
}

static void computeReferenceOf(const Problem &problem,
                               const Addresses &addresses) {
  CheckedConv conv = mlir::convoy::describeProblem(problem);
  checkMemoryOf(conv);
  std::vector<HostArray> arguments =
      copyArguments(describe(problem), addresses);
  ReferenceResult reference =
      mlir::convoy::computeReferenceOf(conv, arguments, /*threads=*/0);
  if (conv.epilogue) {
    std::string error;
    HostArray values =
        mlir::convoy::computeEpilogueOf(conv, arguments, reference, error);
    if (!error.empty())
      throwError(error);
    if (!values.bytes.empty())
      std::memcpy(reinterpret_cast<void *>(addresses.back()), values.data(),
                  values.bytes.size());
    return;
  }
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

void python::computeReference(const AnyProblem &problem,
                              const Addresses &addresses) {
  if (const auto *conv = std::get_if<Problem>(&problem))
    return computeReferenceOf(*conv, addresses);
  computeReferenceOfOther(problem, addresses);
}
