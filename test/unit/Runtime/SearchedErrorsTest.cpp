//===- SearchedErrorsTest.cpp - Searches for errors beyond the bounds -----===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A search climbs to data on which right sums err as much as they can: they
// stay within their bounds. Right sums of drawn data are never suspicious.
// CONVOY_SEARCHED_STEPS and CONVOY_DRAWN_CASES ask for more than a test has
// time for.
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/Compare.h"

#include "SimulatedSums.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <map>

using namespace convoy;

/// The number that the environment has for `name`, or `usual`.
static int64_t getCount(const char *name, int64_t usual) {
  const char *text = std::getenv(name);
  return text ? std::strtoll(text, nullptr, 10) : usual;
}

static std::string describe(const SumTarget &target, SumMethod method) {
  return std::to_string(target.length) + " terms of " +
         std::string(scalarTypeName(target.operands)) + " in " +
         std::string(scalarTypeName(target.accumulator)) + " to " +
         std::string(scalarTypeName(target.result)) + ", order " +
         std::to_string(method.order) + (method.fused ? ", fused" : "");
}

/// Against the bound of sums that are formed by `method`.
static CompareReport compare(ConvFixture &conv, const SumTarget &target,
                             SumMethod method, bool drawn) {
  CompareOptions options;
  options.target = target.arithmetic;
  options.sums = getSumLevels(target, method, conv.problem.init.has_value());
  options.drawn = drawn;
  return compareWithReference(
      conv.reference(target.arithmetic.flushesSubnormals), Direction::Forward,
      conv.numerics(), conv.index(Operand::Output),
      conv.array(Operand::Output).data(), options);
}

//===----------------------------------------------------------------------===//
// The worst case
//===----------------------------------------------------------------------===//

namespace {

/// Changes data until a sum errs as much as the search can reach.
class Climber {
public:
  Climber(const SumTarget &target, SumMethod method, uint64_t seed)
      : target(target), method(method), random(seed),
        conv(makeSums(target, 1)) {
    static constexpr DataKind Kinds[] = {DataKind::Normal, DataKind::Cancel,
                                         DataKind::Range, DataKind::Uniform};
    conv.generate(Kinds[seed % std::size(Kinds)], seed, /*init=*/seed % 3 == 0);
  }

  /// The largest error/bound of `steps` changes, each kept if it does not make
  /// less of it.
  double climb(int64_t steps) {
    double best = evaluate();
    for (int64_t step = 0; step < steps && best <= 1; ++step) {
      std::vector<HostArray> before = {conv.array(Operand::Input),
                                       conv.array(Operand::Filter)};
      change();
      double ratio = evaluate();
      if (ratio >= best) {
        best = ratio;
        continue;
      }
      restore(Operand::Input, before[0]);
      restore(Operand::Filter, before[1]);
    }
    return best;
  }

  std::string describeWorst() {
    return toString(compare(conv, target, method, false));
  }

private:
  int64_t draw(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }

  /// Error/bound, but infinite where the result is of the wrong class.
  double evaluate() {
    // Every shuffle of one set of terms is the same.
    std::mt19937 order(1);
    simulate(conv, SimulatedSum(target, method, order));
    return compare(conv, target, method, false).worstRatio;
  }

  // In place: the reference has the arrays' addresses.
  void restore(Operand operand, const HostArray &array) {
    std::copy(array.bytes.begin(), array.bytes.end(),
              conv.array(operand).bytes.begin());
  }

  /// Changes one element, or makes two terms of a sum cancel.
  void change() {
    Operand operand = draw(0, 1) ? Operand::Input : Operand::Filter;
    HostArray &array = conv.array(operand);
    FloatFormat format = floatFormat(array.type);
    int64_t place = draw(0, array.elementCount() - 1);
    double value = array.at(place);
    switch (draw(0, 7)) {
    case 0: // A neighbour.
      value += format.ulp(value) * (draw(0, 1) ? 1 : -1);
      break;
    case 1:
      value = -value;
      break;
    case 2: // A binade nearby.
      value = std::ldexp(value, static_cast<int>(draw(-3, 3)));
      break;
    case 3: // Any binade.
      value = std::ldexp(value, static_cast<int>(draw(-99, 99)));
      break;
    case 4: // Any significand.
      value = std::ldexp(1 + std::ldexp(draw(0, 1 << 20), -20),
                         std::ilogb(value == 0 ? 1 : value));
      break;
    case 5: // Subnormal.
      value = static_cast<double>(draw(-7, 7)) * format.smallestSubnormal();
      break;
    case 6: // Half of a unit of something near 1.
      value = std::ldexp(draw(1, 3),
                         static_cast<int>(-draw(0, 2) * target.length / 8) -
                             floatFormat(target.accumulator).precision);
      break;
    case 7: // What another term takes away.
      value = -array.at(draw(0, array.elementCount() - 1));
      break;
    }
    double largest = getLargestFactor();
    array.set(place, std::clamp(value, -largest, largest));
  }

  /// The sum of products of such factors does not overflow.
  double getLargestFactor() const {
    int exponent = floatFormat(target.accumulator).maxExponent;
    for (ScalarType type : {target.operands, target.result})
      exponent = std::min(exponent, floatFormat(type).maxExponent);
    return std::ldexp(1.0, exponent / 2 - 3);
  }

  SumTarget target;
  SumMethod method;
  std::mt19937 random;
  ConvFixture conv;
};

} // namespace

/// Types that policies choose, and sums in the narrow types.
static std::vector<SumTarget> allTargets(TargetArithmetic arithmetic) {
  constexpr ScalarType F32 = ScalarType::F32, F16 = ScalarType::F16,
                       BF16 = ScalarType::BF16;
  return {{F32, F32, F32, arithmetic, 0},   {F16, F32, F16, arithmetic, 0},
          {BF16, F32, BF16, arithmetic, 0}, {F16, F32, F32, arithmetic, 0},
          {F16, F16, F16, arithmetic, 0},   {BF16, BF16, BF16, arithmetic, 0}};
}

TEST(SearchedErrorsTest, NoRightSumIsBeyondItsBound) {
  int64_t steps = getCount("CONVOY_SEARCHED_STEPS", 40), climbs = 0;
  std::map<int64_t, double> worst; ///< by length
  for (TargetArithmetic arithmetic :
       {TargetArithmetic{true, false}, TargetArithmetic{false, false},
        TargetArithmetic{true, true}, TargetArithmetic{false, true}})
    for (SumTarget target : allTargets(arithmetic))
      for (int64_t length : {1, 2, 3, 6, 14})
        for (SumMethod method : allSumMethods()) {
          target.length = length;
          Climber climber(target, method, static_cast<uint64_t>(climbs++));
          double ratio = climber.climb(steps);
          ASSERT_LE(ratio, 1)
              << describe(target, method) << ": " << climber.describeWorst();
          worst[length] = std::max(worst[length], ratio);
        }
  RecordProperty("Climbs", std::to_string(climbs));
  for (auto [length, ratio] : worst) {
    RecordProperty("WorstOf" + std::to_string(length), std::to_string(ratio));
    EXPECT_GT(ratio, 0.3) << "the search finds less than it can";
  }
}

//===----------------------------------------------------------------------===//
// Drawn data
//===----------------------------------------------------------------------===//

TEST(SearchedErrorsTest, NoRightSumOfDrawnDataIsSuspicious) {
  static constexpr DataKind Kinds[] = {DataKind::Normal, DataKind::Uniform,
                                       DataKind::Range, DataKind::Cancel,
                                       DataKind::Special};
  int64_t cases = getCount("CONVOY_DRAWN_CASES", 2000), elements = 0;
  std::vector<SumTarget> targets = allTargets({});
  targets.push_back({ScalarType::F64, ScalarType::F64, ScalarType::F64, {}, 0});
  std::vector<SumMethod> methods = allSumMethods();
  std::mt19937 random(1);
  double nearest = 0;
  for (int64_t number = 0; number < cases; ++number) {
    auto choose = [&](const auto &list) {
      return list[random() % std::size(list)];
    };
    SumTarget target = choose(targets);
    SumMethod method = choose(methods);
    // Up to 4,096 terms, half of them to fewer than 64, as far as the
    // accumulator has a bound.
    double most = target.accumulator == ScalarType::F16    ? 7.9
                  : target.accumulator == ScalarType::BF16 ? 4.9
                                                           : 12;
    target.length = static_cast<int64_t>(
        std::exp2(std::uniform_real_distribution<>(0, most)(random)));
    ConvFixture conv = makeSums(target, 4);
    conv.generate(choose(Kinds), static_cast<uint64_t>(number));
    simulate(conv, SimulatedSum(target, method, random));
    CompareReport report = compare(conv, target, method, true);
    ASSERT_LE(report.verdict(), Verdict::Explained)
        << describe(target, method) << ": " << toString(report);
    elements += report.compared;
    // The rounding of a narrower result alone comes close to any bound.
    if (target.accumulator == target.result &&
        report.worst.probableBound < report.worst.bound)
      nearest =
          std::max(nearest, report.worst.error / report.worst.probableBound);
  }
  RecordProperty("Cases", std::to_string(cases));
  RecordProperty("Elements", std::to_string(elements));
  RecordProperty("NearestToSuspicious", std::to_string(nearest));
}
