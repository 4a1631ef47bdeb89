//===- CheckProblem.cpp - Runs a kernel and checks its numbers --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/CheckProblem.h"

#include "convoy/Runtime/GuardedBuffer.h"
#include "convoy/Runtime/Poison.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"

#include <chrono>

using namespace mlir;
using namespace mlir::convoy;
using namespace ::convoy;

namespace {
/// The buffers of one run, in the order of the kernel's arguments.
class Run {
public:
  Run(const Problem &problem, const CheckOptions &options)
      : problem(problem), options(options),
        numerics(convNumerics(problem)),
        roles(directionRoles(problem.direction)),
        generator(options.data, options.seed, problem.direction, problem.shape,
                  numerics) {}

  /// Makes and fills all buffers; nothing where memory is short.
  bool allocate(const KernelInterface &kernel);
  void call(void *function, CheckResult &result);
  void findFaults(CheckResult &result);
  void compare(CheckResult &result);

private:
  bool addOperand(Operand operand);
  bool addBias();
  bool addBuffer(StringRef name, int64_t bytes);
  OperandIndex getIndex(Operand operand) const {
    return operandIndex(problem.shape, operand, problem.layouts[operand]);
  }

  const Problem &problem;
  const CheckOptions &options;
  ConvNumerics numerics;
  DirectionRoles roles;
  DataGenerator generator;
  std::vector<GuardedBuffer> buffers;
  std::vector<std::string> names;
  size_t resultNumber = 0;
};
} // namespace

bool Run::addBuffer(StringRef name, int64_t bytes) {
  std::optional<GuardedBuffer> buffer = GuardedBuffer::create(bytes);
  if (!buffer)
    return false;
  buffers.push_back(std::move(*buffer));
  names.push_back(name.str());
  return true;
}

bool Run::addOperand(Operand operand) {
  OperandIndex index = getIndex(operand);
  std::string_view name = operandName(operand);
  if (!addBuffer({name.data(), name.size()},
                 index.elementCount() * scalarSize(numerics.type(operand))))
    return false;
  if (operand != roles.result)
    generator.fill(operand, index, buffers.back().data());
  return true;
}

bool Run::addBias() {
  ScalarType type = numerics.type(roles.result);
  int64_t channels = problem.shape.groups * problem.shape.outputChannels;
  if (!addBuffer("bias", channels * scalarSize(type)))
    return false;
  generator.fill(roles.result, biasIndex(problem.shape),
                 buffers.back().data());
  return true;
}

/// The op's operands in their order.
static std::pair<Operand, Operand> getFactors(Direction direction) {
  switch (direction) {
  case Direction::Forward:
    return {Operand::Input, Operand::Filter};
  case Direction::BackwardData:
    return {Operand::Output, Operand::Filter};
  case Direction::BackwardFilter:
    return {Operand::Input, Operand::Output};
  }
  llvm_unreachable("unknown direction");
}

bool Run::allocate(const KernelInterface &kernel) {
  auto [first, second] = getFactors(problem.direction);
  if (!addOperand(first) || !addOperand(second) ||
      (problem.bias && !addBias()))
    return false;
  resultNumber = buffers.size();
  return addOperand(roles.result) &&
         addBuffer("workspace", kernel.workspaceBytes.value_or(0));
}

/// Calls a kernel that takes pointers only.
static int callKernel(void *function, ArrayRef<void *> p) {
  switch (p.size()) {
  case 4:
    return reinterpret_cast<int (*)(void *, void *, void *, void *)>(function)(
        p[0], p[1], p[2], p[3]);
  case 5:
    return reinterpret_cast<int (*)(void *, void *, void *, void *, void *)>(
        function)(p[0], p[1], p[2], p[3], p[4]);
  default:
    llvm_unreachable("kernels of problems have two or three inputs");
  }
}

void Run::call(void *function, CheckResult &result) {
  SmallVector<void *> pointers;
  for (GuardedBuffer &buffer : buffers)
    pointers.push_back(buffer.data());
  result.seconds = std::numeric_limits<double>::infinity();
  for (int run = 0; run < std::max(1, options.runs); ++run) {
    fillWithPoison(numerics.type(roles.result),
                   buffers[resultNumber].payload());
    fillWithPoison(numerics.type(roles.result), buffers.back().payload());
    auto start = std::chrono::steady_clock::now();
    int status = callKernel(function, pointers);
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - start;
    result.seconds = std::min(result.seconds, time.count());
    if (status != 0) {
      result.faults.push_back("the kernel returned " + std::to_string(status));
      return;
    }
  }
}

void Run::findFaults(CheckResult &result) {
  for (auto [buffer, name] : llvm::zip_equal(buffers, names))
    for (const GuardViolation &violation : buffer.check())
      result.faults.push_back("guard of the " + name + ": " +
                              ::convoy::toString(violation));
}

void Run::compare(CheckResult &result) {
  ReferenceProblem reference;
  reference.direction = problem.direction;
  reference.shape = problem.shape;
  reference.numerics = numerics;
  auto [first, second] = getFactors(problem.direction);
  reference.operands[size_t(first)] = {buffers[0].data(), getIndex(first)};
  reference.operands[size_t(second)] = {buffers[1].data(), getIndex(second)};
  if (problem.bias)
    reference.init = OperandData{buffers[2].data(), biasIndex(problem.shape)};
  ReferenceOptions referenceOptions;
  referenceOptions.threads = options.threads;
  CompareOptions compareOptions;
  compareOptions.exact = generator.isExact();
  result.report = compareWithReference(
      computeReference(reference, referenceOptions), problem.direction,
      numerics, getIndex(roles.result), buffers[resultNumber].data(),
      compareOptions);
}

CheckResult mlir::convoy::checkProblem(const Problem &problem,
                                       const KernelInterface &kernel,
                                       void *function,
                                       const CheckOptions &options) {
  CheckResult result;
  Run run(problem, options);
  if (!run.allocate(kernel)) {
    result.faults.push_back("not enough memory for the buffers");
    return result;
  }
  run.call(function, result);
  run.findFaults(result);
  if (result.faults.empty() && options.compare)
    run.compare(result);
  return result;
}
