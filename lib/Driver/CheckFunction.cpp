//===- CheckFunction.cpp - A function, and what it should give --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/CheckFunction.h"

#include "CheckElements.h"
#include "DrawNumbers.h"
#include "RandomSums.h"

#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"
#include "convoy/Driver/Memory.h"
#include "convoy/Driver/RunKernel.h"
#include "convoy/Interpreter/Interpreter.h"
#include "convoy/Runtime/Poison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::CompareReport;
using ::convoy::DataKind;
using ::convoy::ElementCheck;
using ::convoy::ElementPlace;
using ::convoy::HostArray;
using ::convoy::ScalarType;

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

namespace {
struct IntegerLimits {
  int64_t low, high;
};
} // namespace

/// What the zero points of channels that `argument` has may be; nothing where
/// it has something else.
static std::optional<IntegerLimits> getZeroPointLimits(BlockArgument argument) {
  for (OpOperand &use : argument.getUses()) {
    auto op = dyn_cast<ConvolutionOpInterface>(use.getOwner());
    if (!op || !op.hasZeroPointsPerChannel() ||
        op.getZeroPoints().back() != argument)
      continue;
    unsigned width =
        getElementTypeOrSelf(op->getOperand(1)).getIntOrFloatBitWidth();
    if (width > 16)
      continue;
    int64_t half = int64_t(1) << (width - 1);
    return op.getNumerics().getFilterUnsigned()
               ? IntegerLimits{0, 2 * half - 1}
               : IntegerLimits{-half, half - 1};
  }
  return std::nullopt;
}

/// Scalars may be zero points, of which those of bytes have 8 bits.
static int64_t getInteger(ScalarType type, bool isScalar,
                          std::optional<IntegerLimits> limits,
                          const DrawnPlace &place) {
  DrawnNumbers numbers(place);
  if (limits)
    return numbers.whole(limits->low, limits->high);
  if (isScalar)
    return numbers.whole(-8, 8);
  int64_t bytes = ::convoy::scalarSize(type);
  if (bytes > 2)
    return numbers.whole(-1000, 1000);
  int64_t half = int64_t(1) << (8 * bytes - 1);
  return type == ScalarType::U8 ? numbers.whole(0, 255)
                                : numbers.whole(-half, half - 1);
}

std::optional<std::vector<HostArray>>
mlir::convoy::generateInputs(func::FuncOp function,
                             const ArgumentShapes &shapes,
                             const CheckOptions &options, std::string &error) {
  auto fail = [&](const Twine &sentence) {
    error = sentence.str();
    return std::nullopt;
  };
  if (options.data == DataKind::Special)
    return fail("special data is for problems, not for functions");
  std::vector<HostArray> inputs;
  for (auto [number, argument] :
       llvm::enumerate(llvm::zip_equal(function.getArgumentTypes(), shapes))) {
    auto [argumentType, shape] = argument;
    std::optional<ScalarType> type =
        getScalarType(getElementTypeOrSelf(argumentType));
    if (!type)
      return fail("expected elements of f64, f32, f16, bf16, i8, i16, i32 or "
                  "i64 for argument " +
                  Twine(number));
    auto count = ::convoy::checkedElementCount(*type, shape);
    if (auto shortage = checkMemory(2.0 * double(count.value_or(INT64_MAX)) *
                                        double(::convoy::scalarSize(*type)),
                                    "argument " + std::to_string(number)))
      return fail(*shortage);
    HostArray &array = inputs.emplace_back(*type, shape);
    std::optional<IntegerLimits> limits =
        getZeroPointLimits(function.getArgument(number));
    for (int64_t i = 0; i < array.elementCount(); ++i) {
      DrawnPlace place = {options.seed, number, uint64_t(i)};
      array.set(i,
                ::convoy::isFloat(*type)
                    ? drawFloat(options.data, place)
                    : double(getInteger(*type, shape.empty(), limits, place)));
    }
  }
  return inputs;
}

namespace {
/// The numbers that an argument may hold.
struct DeclaredRange {
  double low, high, smallest;

  explicit DeclaredRange(DenseF64ArrayAttr range)
      : low(range[0]), high(range[1]),
        smallest(range.size() == 3 ? range[2] : 0) {}

  bool has(double value) const {
    return !std::isfinite(value) ||
           (value >= low && value <= high &&
            (value == 0 || std::abs(value) >= smallest));
  }
  /// A number whose logarithm is anywhere with the same chance.
  double draw(DrawnNumbers &numbers) const {
    double largest = std::max(std::abs(low), std::abs(high));
    if (largest == 0)
      return 0;
    double least = std::max({smallest, low, -high, largest * 0x1p-20});
    double place = (numbers.uniform() + 1) / 2;
    double value = least * std::pow(largest / least, place);
    bool isNegative = high <= 0 || (low < 0 && numbers.uniform() < 0);
    return std::clamp(isNegative ? -value : value, low, high);
  }
  /// The ends of its negative and of its positive numbers.
  SmallVector<double, 4> getEnds() const {
    SmallVector<double, 4> ends;
    if (high > 0 && high >= smallest)
      ends.append({high, std::max(low, smallest)});
    if (low < 0 && -low >= smallest)
      ends.append({low, std::min(high, -smallest)});
    llvm::erase(ends, 0.0);
    return ends;
  }
};

/// Which end of a range each element of an argument is.
class EndDrawer {
public:
  EndDrawer(const DeclaredRange &range, uint64_t seed, uint64_t argument)
      : ends(range.getEnds()), seed(seed), argument(argument) {
    // All alike, so that sums are as large, or as small, as they can be, in two
    // of three arguments.
    DrawnNumbers numbers({seed, argument, ~uint64_t(0)});
    areAlike = numbers.whole(0, 2) != 0;
    common = numbers.next();
  }

  /// The end for element `i`; nothing where there is none but zero.
  std::optional<double> draw(int64_t i) const {
    if (ends.empty())
      return std::nullopt;
    uint64_t word =
        areAlike ? common : DrawnNumbers({seed, argument, uint64_t(i)}).next();
    return ends[word % ends.size()];
  }

private:
  SmallVector<double, 4> ends;
  uint64_t seed, argument, common;
  bool areAlike;
};
} // namespace

/// Puts the number of `range` nearest to `end` that the array's type has in the
/// place of element `i`; false where that is none close to it.
static bool setEnd(HostArray &array, int64_t i, const DeclaredRange &range,
                   std::optional<double> end) {
  if (!end)
    return false;
  // It is rounded, perhaps out of the range: the next ones are in it.
  constexpr double NextNumbers[] = {0, 0x1p-11, -0x1p-11, 0x1p-8, -0x1p-8};
  return llvm::any_of(NextNumbers, [&](double part) {
    array.set(i, *end * (1 + part));
    return range.has(array.at(i)) && array.at(i) != 0;
  });
}

/// Puts a number of `range` that the array's type has in the place of element
/// `i`; false where none is found.
static bool drawElement(HostArray &array, int64_t i, const DeclaredRange &range,
                        DrawnNumbers numbers) {
  constexpr int MostTrials = 64;
  for (int trial = 0; trial < MostTrials; ++trial) {
    array.set(i, range.draw(numbers));
    // It is rounded, perhaps out of the range.
    if (range.has(array.at(i)))
      return true;
  }
  return false;
}

/// Keeps the integer that element `i` is where `range` has it, or puts another
/// one there; false where that has none.
static bool setInteger(HostArray &array, int64_t i, const DeclaredRange &range,
                       DrawnNumbers numbers) {
  if (range.has(array.at(i)))
    return true;
  double drawn = range.draw(numbers);
  return llvm::any_of(std::array{std::floor(drawn), std::ceil(drawn)},
                      [&](double integer) {
                        array.set(i, integer);
                        return integer == array.at(i) && range.has(integer);
                      });
}

/// What argument `number` of `function` declares, or null.
static DenseF64ArrayAttr getDeclaredRange(func::FuncOp function,
                                          unsigned number) {
  return function.getArgAttrOfType<DenseF64ArrayAttr>(number, kRangeAttrName);
}

void mlir::convoy::noteDeclaredRanges(func::FuncOp function,
                                      CheckOptions &options) {
  for (unsigned number : llvm::seq(function.getNumArguments()))
    if (DenseF64ArrayAttr range = getDeclaredRange(function, number)) {
      options.areRedrawn = true;
      options.areLopsided |= range[0] != -range[1];
    }
}

bool mlir::convoy::keepDeclaredRanges(func::FuncOp function,
                                      std::vector<HostArray> &inputs,
                                      const CheckOptions &options,
                                      std::string &error) {
  for (auto [number, array] : llvm::enumerate(inputs)) {
    if (number >= function.getNumArguments())
      break;
    DenseF64ArrayAttr declared = getDeclaredRange(function, number);
    if (!declared)
      continue;
    DeclaredRange range(declared);
    EndDrawer ends(range, options.seed, number);
    auto draw = [&](int64_t i) {
      DrawnNumbers numbers({options.seed, number, uint64_t(i)});
      bool isEdge = options.data == DataKind::Edge,
           isInteger = options.data == DataKind::Int;
      return (isEdge && setEnd(array, i, range, ends.draw(i))) ||
             (isInteger && setInteger(array, i, range, numbers)) ||
             drawElement(array, i, range, numbers);
    };
    for (int64_t i = 0; i < array.elementCount(); ++i) {
      if (options.areGiven ? range.has(array.at(i)) : draw(i))
        continue;
      error = ("expected numbers in the convoy.range of argument " +
               Twine(number) + ", but got " + std::to_string(array.at(i)))
                  .str();
      return false;
    }
  }
  return true;
}

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
                  ArrayRef<Index> shapes, TargetMath target) {
  auto randomSums = findRandomSums(function);
  if (randomSums.empty() || !target.arithmetic.roundsToNearest)
    return {};
  ProbableNumbers numbers(inputs, target, randomSums);
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
  BoundedNumbers numbers(inputs, target);
  Interpreter interpreter(numbers);
  FailureOr<std::vector<Tensor>> results = interpreter.run(function, shapes);
  if (failed(results)) {
    known->refusal = "there is no reference: " + interpreter.getFault().message;
    return *known;
  }
  known->results = std::move(*results);
  if (isDrawn)
    known->probable = interpretProbable(function, inputs, shapes, target);
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

/// An array of `type` with one element, a number of an interpreter's.
static HostArray makeElement(ScalarType type, const Scalar &number) {
  HostArray element(type, {1});
  if (::convoy::isFloat(type))
    element.set(0, BoundedFloat(number).value);
  else
    std::memcpy(element.data(), &number.number, element.bytes.size());
  return element;
}

/// Compares result `number`, of which either has bounds of its own.
static CompareReport compareBounded(const Tensor &actual, const Tensor &wanted,
                                    ScalarType type, size_t number) {
  ::convoy::ReportBuilder builder(type);
  bool isKnown = true;
  for (int64_t i = 0; i < wanted.size(); ++i) {
    Scalar own = (*actual.elements)[i], expected = (*wanted.elements)[i];
    isKnown &= std::isfinite(own.error) || !std::isfinite(expected.error);
    expected.error += own.error;
    builder.add(checkElement(type, makeElement(type, own).data(), 0, expected),
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
  std::vector<CompareReport> reports;
  for (auto [one, other] : llvm::zip_equal(wanted.results, actual.results))
    if (one.shape != other.shape)
      report.refusal = "expected another shape";
  if (!report.refusal.empty())
    return report;
  for (auto [number, type] : llvm::enumerate(function.getResultTypes()))
    reports.push_back(
        compareBounded(actual.results[number], wanted.results[number],
                       *getScalarType(getElementTypeOrSelf(type)), number));
  return mergeReports(std::move(reports));
}
