//===- Oracle.cpp - Whether two functions are equal, by running -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::test;

Oracle::Oracle(func::FuncOp function, uint64_t seed) : numbers(seed) {
  function.walk([&](ConvolutionOpInterface op) {
    bool isUnsigned[] = {op.getNumerics().getInputUnsigned(),
                         op.getNumerics().getFilterUnsigned()};
    for (auto [number, zeroPoint] : llvm::enumerate(op.getZeroPoints()))
      if (auto argument = dyn_cast<BlockArgument>(zeroPoint)) {
        unsigned width = getElementTypeOrSelf(op->getOperand(number).getType())
                             .getIntOrFloatBitWidth();
        terms.assumeZeroPoint(argument.getArgNumber(), isUnsigned[number]);
        numbers.assumeZeroPoint(argument.getArgNumber(), isUnsigned[number],
                                width);
      }
  });
  Fault fault;
  FailureOr<std::vector<Tensor>> inTerms = run(terms, function, fault);
  FailureOr<std::vector<Tensor>> inNumbers = run(numbers, function, fault);
  if (failed(inTerms) || failed(inNumbers)) {
    error = fault.message;
    return;
  }
  expectedTerms = std::move(*inTerms);
  expectedNumbers = std::move(*inNumbers);
}

FailureOr<std::vector<Tensor>>
Oracle::run(Algebra &algebra, func::FuncOp function, Fault &fault) {
  Interpreter interpreter(algebra);
  FailureOr<std::vector<Tensor>> results = interpreter.run(function);
  fault = interpreter.getFault();
  if (succeeded(results) && &algebra == &terms)
    for (Tensor &result : *results) {
      result = copy(result);
      for (Scalar &element : *result.elements)
        element = terms.normalize(element);
    }
  return results;
}

/// The first place where `actual` is not `expected`, as a result's number and
/// an element's.
static std::optional<std::pair<size_t, size_t>>
findDifference(const std::vector<Tensor> &expected,
               const std::vector<Tensor> &actual) {
  for (size_t result = 0; result < expected.size(); ++result) {
    const std::vector<Scalar> &a = *expected[result].elements;
    const std::vector<Scalar> &b = *actual[result].elements;
    auto [first, second] =
        std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    if (first != a.end() || second != b.end())
      return std::pair(result, size_t(first - a.begin()));
  }
  return std::nullopt;
}

Oracle::Verdict Oracle::judge(func::FuncOp function) {
  Verdict verdict;
  Fault fault;
  FailureOr<std::vector<Tensor>> inTerms = run(terms, function, fault);
  FailureOr<std::vector<Tensor>> inNumbers = failure();
  if (succeeded(inTerms))
    inNumbers = run(numbers, function, fault);
  if (failed(inTerms) || failed(inNumbers)) {
    (fault.kind == Fault::Kind::Illegal ? verdict.message : verdict.error) =
        fault.message;
    verdict.areEqual = false;
    return verdict;
  }
  verdict.areNumbersEqual = !findDifference(expectedNumbers, *inNumbers);
  auto difference = findDifference(expectedTerms, *inTerms);
  verdict.areEqual = !difference;
  if (difference) {
    auto [result, element] = *difference;
    verdict.message = llvm::formatv(
        "element {0} of result {1} is {2} in place of {3}", element, result,
        terms.toString((*(*inTerms)[result].elements)[element]),
        terms.toString((*expectedTerms[result].elements)[element]));
  }
  return verdict;
}
