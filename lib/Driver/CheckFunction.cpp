//===- CheckFunction.cpp - A function, and what it should give --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/CheckFunction.h"

#include "CheckElements.h"
#include "RandomSums.h"

#include "convoy/Driver/Memory.h"
#include "convoy/Interpreter/Interpreter.h"
#include "convoy/Runtime/Poison.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::CompareReport;
using ::convoy::ElementCheck;
using ::convoy::ElementPlace;
using ::convoy::HostArray;
using ::convoy::ScalarType;

//===----------------------------------------------------------------------===//
// The reference
//===----------------------------------------------------------------------===//

struct FunctionReference::Expected {
  std::vector<Tensor> results;
  /// With errors that are exceeded by a rare chance; none where these are not
  /// known.
  std::vector<Tensor> probable;
  std::string refusal;
};

/// What a value of each op takes, with its error.
static double getReferenceBytes(func::FuncOp function) {
  double bytes = 0;
  auto add = [&](Type type) {
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      if (tensor.hasStaticShape())
        bytes += double(sizeof(Scalar)) * double(tensor.getNumElements());
  };
  llvm::for_each(function.getArgumentTypes(), add);
  function.walk(
      [&](Operation *op) { llvm::for_each(op->getResultTypes(), add); });
  return bytes;
}

/// The results with errors that are exceeded by a rare chance.
static std::vector<Tensor>
interpretProbable(func::FuncOp function, const std::vector<HostArray> &inputs,
                  ArrayRef<Index> shapes, TargetMath target,
                  bool followsAlgorithms, ArrayRef<bool> drawn) {
  auto randomSums = findRandomSums(function, drawn);
  if (randomSums.empty() || !target.arithmetic.roundsToNearest)
    return {};
  ProbableNumbers numbers(inputs, target, followsAlgorithms, randomSums);
  FailureOr<std::vector<Tensor>> results =
      Interpreter(numbers).run(function, shapes);
  return succeeded(results) ? std::move(*results) : std::vector<Tensor>();
}

const FunctionReference::Expected &
FunctionReference::evaluate(const std::vector<HostArray> &inputs,
                            TargetMath target) {
  std::shared_ptr<Expected> &known =
      expected[{target.arithmetic.roundsToNearest,
                target.arithmetic.flushesSubnormals, target.isVulkan}];
  if (known)
    return *known;
  known = std::make_shared<Expected>();
  if (auto shortage = checkMemory(getReferenceBytes(function),
                                  "the function's reference")) {
    known->refusal = *shortage;
    return *known;
  }
  SmallVector<Index> shapes;
  for (size_t number = 0; number < function.getNumArguments(); ++number)
    shapes.emplace_back(ArrayRef(inputs[number].shape));
  BoundedNumbers numbers(inputs, target, followsAlgorithms);
  Interpreter interpreter(numbers);
  FailureOr<std::vector<Tensor>> results = interpreter.run(function, shapes);
  if (failed(results)) {
    known->refusal = "there is no reference: " + interpreter.getFault().message;
    return *known;
  }
  known->results = std::move(*results);
  known->probable = interpretProbable(function, inputs, shapes, target,
                                      followsAlgorithms, drawn);
  return *known;
}

ElementPlace mlir::convoy::getResultPlace(size_t result, int64_t position,
                                          ArrayRef<int64_t> shape) {
  ElementPlace place;
  place.index.resize(shape.size());
  for (size_t dim = shape.size(); dim-- > 0;) {
    place.index[dim] = position % shape[dim];
    position /= shape[dim];
  }
  llvm::raw_string_ostream os(place.text);
  os << "result " << result << " [";
  llvm::interleave(place.index, os, ",");
  os << ']';
  return place;
}

/// The dimensions of a result, which are called by their numbers.
static std::vector<::convoy::ErrorAxis> getAxes(ArrayRef<int64_t> shape) {
  std::vector<::convoy::ErrorAxis> axes;
  for (auto [number, size] : llvm::enumerate(shape))
    axes.push_back({std::to_string(number), size});
  return axes;
}

/// Compares result `number`; `probable` has probable errors and may be null.
static CompareReport compareResult(const HostArray &actual,
                                   const Tensor &wanted, const Tensor *probable,
                                   size_t number, bool survey) {
  ::convoy::ReportBuilder builder(actual.type);
  if (survey)
    builder.survey(getAxes(wanted.shape));
  for (int64_t i = 0; i < wanted.size(); ++i) {
    ElementCheck check =
        checkElement(actual.type, actual.data(), i, (*wanted.elements)[i]);
    if (probable && ::convoy::isFloat(actual.type))
      check.probableBound =
          checkElement(actual.type, actual.data(), i, (*probable->elements)[i])
              .bound;
    builder.add(check, [&] { return getResultPlace(number, i, wanted.shape); });
  }
  return builder.finish();
}

std::vector<CompareReport>
FunctionReference::compareEach(const std::vector<HostArray> &inputs,
                               const std::vector<HostArray> &results,
                               TargetMath target, bool survey) {
  std::vector<CompareReport> reports(function.getNumResults());
  const Expected &wanted = evaluate(inputs, target);
  for (auto [number, report] : llvm::enumerate(reports)) {
    report.refusal = wanted.refusal;
    if (!report.refusal.empty())
      continue;
    const Tensor &tensor = wanted.results[number];
    const HostArray &actual = results[number];
    if (ArrayRef(actual.shape) == ArrayRef(tensor.shape))
      report = compareResult(actual, tensor,
                             wanted.probable.empty() ? nullptr
                                                     : &wanted.probable[number],
                             number, survey);
    else
      report.refusal = "expected another shape";
  }
  return reports;
}

std::optional<std::vector<double>>
FunctionReference::compute(const std::vector<HostArray> &inputs,
                           std::string &error) {
  const Expected &wanted = evaluate(inputs, TargetMath());
  if (!wanted.refusal.empty()) {
    error = wanted.refusal;
    return std::nullopt;
  }
  assert(wanted.results.size() == 1 && "there is one result");
  Type type = getElementTypeOrSelf(function.getResultTypes().front());
  std::vector<double> values;
  for (const Scalar &element : *wanted.results.front().elements)
    values.push_back(isa<FloatType>(type) ? BoundedFloat(element).value
                                          : double(llvm::SignExtend64(
                                                uint64_t(element.number),
                                                type.getIntOrFloatBitWidth())));
  return values;
}

/// What there is to say of a function whose results have these reports.
static CompareReport mergeReports(std::vector<CompareReport> reports) {
  CompareReport all;
  for (auto [number, one] : llvm::enumerate(reports)) {
    if (reports.size() > 1)
      for (std::string *sentence : {&one.refusal, &one.vacuity})
        if (!sentence->empty())
          *sentence = "result " + std::to_string(number) + ": " + *sentence;
    if (all.refusal.empty())
      all.refusal = one.refusal;
    all.merge(one);
  }
  // What is wrong counts more than what cannot be judged.
  if (all.wrong > 0)
    all.refusal.clear();
  return all;
}

CompareReport FunctionReference::compare(const std::vector<HostArray> &inputs,
                                         const std::vector<HostArray> &results,
                                         TargetMath target, bool survey) {
  CompareReport report;
  report.refusal = evaluate(inputs, target).refusal;
  if (!report.refusal.empty())
    return report;
  return mergeReports(compareEach(inputs, results, target, survey));
}

/// The numbers of an interpreter's `tensor`, whose elements are of `type`.
static HostArray makeArray(ScalarType type, const Tensor &tensor) {
  HostArray array(type, {tensor.size()});
  auto elementBytes = size_t(::convoy::scalarSize(type));
  for (auto [i, number] : llvm::enumerate(*tensor.elements))
    if (::convoy::isFloat(type))
      array.set(int64_t(i), BoundedFloat(number).value);
    else
      std::memcpy(&array.bytes[i * elementBytes], &number.number, elementBytes);
  return array;
}

/// Compares result `number`, of which either has bounds of its own.
static CompareReport compareBounded(const Tensor &actual, const Tensor &wanted,
                                    ScalarType type, size_t number) {
  ::convoy::ReportBuilder builder(type);
  HostArray numbers = makeArray(type, actual);
  bool isKnown = true;
  for (int64_t i = 0; i < wanted.size(); ++i) {
    double error = (*actual.elements)[i].error;
    Scalar expected = (*wanted.elements)[i];
    isKnown &= std::isfinite(error) || !std::isfinite(expected.error);
    expected.error += error;
    builder.add(checkElement(type, numbers.data(), i, expected),
                [&] { return getResultPlace(number, i, wanted.shape); });
  }
  CompareReport report = builder.finish();
  if (!isKnown && report.refusal.empty())
    report.refusal = "it is not known how far off its numbers may be";
  return report;
}

CompareReport
FunctionReference::compareWith(func::FuncOp other,
                               const std::vector<HostArray> &inputs) {
  FunctionReference otherReference(other);
  const Expected &wanted = evaluate(inputs, TargetMath());
  const Expected &actual = otherReference.evaluate(inputs, TargetMath());
  CompareReport report;
  report.refusal = wanted.refusal.empty() ? actual.refusal : wanted.refusal;
  if (!report.refusal.empty())
    return report;
  for (auto [before, after] : llvm::zip_equal(wanted.results, actual.results))
    if (before.shape != after.shape)
      report.refusal = "expected another shape";
  if (!report.refusal.empty())
    return report;
  std::vector<CompareReport> reports;
  for (auto [number, type] : llvm::enumerate(function.getResultTypes()))
    reports.push_back(
        compareBounded(actual.results[number], wanted.results[number],
                       *getScalarType(getElementTypeOrSelf(type)), number));
  return mergeReports(std::move(reports));
}
