//===- CheckFunction.cpp - A function, and what it should give --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/CheckFunction.h"

#include "convoy/Driver/Memory.h"
#include "convoy/Driver/RunKernel.h"
#include "convoy/Interpreter/Interpreter.h"
#include "convoy/Runtime/Poison.h"

#include <cmath>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::CompareReport;
using ::convoy::DataKind;
using ::convoy::HostArray;
using ::convoy::ScalarType;

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

namespace {
/// Numbers that follow from where they are (SplitMix64).
class Numbers {
public:
  Numbers(uint64_t seed, uint64_t argument, uint64_t position)
      : state(mix(mix(mix(seed) + argument) + position)) {}

  uint64_t next() { return state = mix(state); }
  /// From `low` to `high`, both included.
  int64_t whole(int64_t low, int64_t high) {
    return low + int64_t(next() % uint64_t(high - low + 1));
  }
  /// From -1 to 1.
  double uniform() { return double(next() >> 11) * 0x1p-52 - 1; }

private:
  static uint64_t mix(uint64_t state) {
    state += 0x9E3779B97F4A7C15;
    state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9;
    state = (state ^ (state >> 27)) * 0x94D049BB133111EB;
    return state ^ (state >> 31);
  }

  uint64_t state;
};

/// Where a value stands.
struct Place {
  uint64_t seed, argument, position;
};
} // namespace

/// Half the sum of 12 uniform numbers: mean 0, variance 1.
static double getNormal(Numbers &numbers) {
  double sum = 0;
  for (int i = 0; i < 12; ++i)
    sum += numbers.uniform();
  return sum / 2;
}

static double getFloat(DataKind kind, const Place &place) {
  Numbers numbers(place.seed, place.argument, place.position);
  switch (kind) {
  case DataKind::Int:
    return double(numbers.whole(-3, 3));
  case DataKind::Uniform:
    return numbers.uniform();
  case DataKind::Normal:
    return getNormal(numbers);
  case DataKind::Range:
    return std::ldexp(numbers.uniform(), int(numbers.whole(-12, 12)));
  case DataKind::Cancel: {
    // Each number is followed by almost its negative.
    if (place.position % 2 == 0)
      return numbers.uniform();
    double before =
        Numbers(place.seed, place.argument, place.position - 1).uniform();
    return -before * (1 + numbers.uniform() * 0x1p-12);
  }
  case DataKind::Special:
    break;
  }
  llvm_unreachable("no such data for functions");
}

/// Scalars may be zero points, of which those of bytes have 8 bits.
static int64_t getInteger(ScalarType type, bool isScalar, const Place &place) {
  Numbers numbers(place.seed, place.argument, place.position);
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
    return fail("'--data=special' is for functions that are one convolution");
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
    for (int64_t i = 0; i < array.elementCount(); ++i) {
      Place place = {options.seed, number, uint64_t(i)};
      array.set(i, ::convoy::isFloat(*type)
                       ? getFloat(options.data, place)
                       : double(getInteger(*type, shape.empty(), place)));
    }
  }
  return inputs;
}

//===----------------------------------------------------------------------===//
// The reference
//===----------------------------------------------------------------------===//

struct FunctionReference::Expected {
  std::vector<Tensor> results;
  SmallVector<Type> types; ///< of their elements
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
  for (Type type : function.getResultTypes())
    known->types.push_back(getElementTypeOrSelf(type));
  return *known;
}

/// `result 0 [1,2,3]`
static std::string getPlaceText(size_t result, int64_t position,
                                ArrayRef<int64_t> shape) {
  SmallVector<int64_t> index(shape.size());
  for (size_t dim = shape.size(); dim-- > 0;) {
    index[dim] = position % shape[dim];
    position /= shape[dim];
  }
  std::string text = "result " + std::to_string(result) + " [";
  llvm::raw_string_ostream os(text);
  llvm::interleave(index, os, ",");
  os << ']';
  return text;
}

namespace {
/// One element of a result beside what it should be.
struct Comparison {
  double actual = 0, expected = 0, bound = 0;
  /// |actual - expected|; NaN where their classes are not comparable.
  double error = 0;
  bool isBounded = true, isRight = true;
};
} // namespace

static Comparison compareFloats(double actual, const BoundedFloat &wanted,
                                double ulp) {
  Comparison result = {actual, wanted.value, wanted.error};
  // The reference's last place, where it is not exact.
  if (wanted.error > 0)
    result.bound += ulp * 0x1p-20;
  result.isBounded = std::isfinite(wanted.error);
  result.error = std::abs(actual - wanted.value);
  if (!result.isBounded)
    return result;
  if (std::isnan(wanted.value))
    result.isRight = std::isnan(actual);
  else if (std::isinf(wanted.value))
    result.isRight = actual == wanted.value;
  else
    result.isRight = result.error <= result.bound;
  return result;
}

static Comparison compareIntegers(int64_t actual, const Scalar &wanted,
                                  Type type) {
  unsigned width = type.getIntOrFloatBitWidth();
  actual = llvm::SignExtend64(uint64_t(actual), width);
  int64_t value = llvm::SignExtend64(uint64_t(wanted.number), width);
  Comparison result = {double(actual), double(value), wanted.error};
  result.error = actual == value
                     ? 0
                     : std::max(1.0, std::abs(double(actual) - double(value)));
  result.isBounded = std::isfinite(wanted.error);
  result.isRight = !result.isBounded || result.error <= wanted.error;
  return result;
}

/// Counts one comparison at `place`.
static void add(CompareReport &report, const Comparison &comparison, double ulp,
                llvm::function_ref<std::string()> place) {
  ++report.elements;
  report.nans += std::isnan(comparison.actual);
  report.infinities += std::isinf(comparison.actual);
  if (!comparison.isBounded) {
    ++report.overflows;
    return;
  }
  report.wrong += !comparison.isRight;
  double ratio = comparison.isRight && comparison.error == 0 ? 0
                 : comparison.bound > 0 && std::isfinite(comparison.error)
                     ? comparison.error / comparison.bound
                 : comparison.isRight ? 0
                                      : HUGE_VAL;
  if (std::isfinite(comparison.error)) {
    report.maxError = std::max(report.maxError, comparison.error);
    report.maxUlp = std::max(report.maxUlp, comparison.error / ulp);
  }
  if (!report.worstIndex.empty() && ratio <= report.worstRatio)
    return;
  report.worstRatio = ratio;
  report.worstIndex = place();
  report.worstActual = comparison.actual;
  report.worstExpected = comparison.expected;
  report.worstBound = comparison.bound;
}

CompareReport FunctionReference::compare(const std::vector<HostArray> &inputs,
                                         const std::vector<HostArray> &results,
                                         TargetMath target) {
  CompareReport report;
  const Expected &wanted = evaluate(inputs, target);
  report.refusal = wanted.refusal;
  if (!report.refusal.empty())
    return report;
  for (auto [number, tensor] : llvm::enumerate(wanted.results)) {
    const HostArray &actual = results[number];
    if (ArrayRef(actual.shape) != ArrayRef(tensor.shape)) {
      report.refusal =
          "expected another shape of result " + std::to_string(number);
      return report;
    }
    Type type = wanted.types[number];
    for (int64_t i = 0; i < tensor.size(); ++i) {
      const Scalar &element = (*tensor.elements)[i];
      double ulp = 1;
      Comparison comparison;
      if (isa<FloatType>(type)) {
        BoundedFloat number(element);
        if (std::isfinite(number.value))
          ulp = ::convoy::floatFormat(actual.type).ulp(number.value);
        comparison = compareFloats(actual.at(i), number, ulp);
      } else {
        comparison = compareIntegers(
            ::convoy::loadInteger(actual.type, actual.data(), i), element,
            type);
      }
      add(report, comparison, ulp,
          [&] { return getPlaceText(number, i, tensor.shape); });
    }
  }
  if (report.elements > 0 && report.overflows == report.elements)
    report.refusal = "no element has a bound: sums are too long for their "
                     "type, or numbers overflow";
  return report;
}
