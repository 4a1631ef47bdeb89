//===- EpilogueTest.cpp - Runs that tell sums apart -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EpilogueTest.h"

#include "DrawNumbers.h"
#include "IdentityDraws.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::convoy;
using namespace ::convoy;

using Role = EpilogueChain::Role;
using Triple = EpilogueChain::Triple;

//===----------------------------------------------------------------------===//
// Draws
//===----------------------------------------------------------------------===//

/// The whole numbers that are drawn of an operand that is added, or compared.
static Interval getAdded(ScalarType type, int64_t limit) {
  switch (type) {
  case ScalarType::U8:
    return {0, std::min<int64_t>(2 * limit, 255)};
  case ScalarType::I8:
    return {-std::min<int64_t>(limit, 128), std::min<int64_t>(limit, 127)};
  case ScalarType::I32:
    return {-limit, limit};
  default: {
    int64_t most = int64_t(1) << std::min(floatFormat(type).precision, 30);
    return {-std::min(limit, most), std::min(limit, most)};
  }
  }
}

static bool isAdded(Role role) {
  return role == Role::Added || role == Role::Byte;
}

/// How far the next numbers of an operand lie from one, where they are added.
static double getUnit(ScalarType type, const IdentityTest::Data &data) {
  return isFloat(type) ? std::ldexp(1.0, data.unit) : 1;
}

/// The same of sums.
static double getSumUnit(const CheckedConv &conv,
                         const IdentityTest::Data &data) {
  return isFloat(conv.numerics.accumulator) ? std::ldexp(1.0, data.unit)
                                            : double(data.step * data.step);
}

double mlir::convoy::drawEpilogueOperand(const CheckedConv &conv, Role role,
                                         unsigned number,
                                         const IdentityTest::Data &data,
                                         uint64_t seed, uint64_t position) {
  const CheckedOperand &operand = conv.epilogueOperands[number];
  DrawnNumbers numbers({seed, operand.argument, position});
  if (isAdded(role)) {
    Interval added = getAdded(operand.type, data.limit);
    double middle = role == Role::Byte ? 128 : 0;
    return middle + double(numbers.whole(added.low, added.high)) *
                        getUnit(operand.type, data);
  }
  int exponent = int(numbers.whole(0, data.factors - 1));
  if (role == Role::Divisor && isFloat(operand.type))
    exponent = -exponent;
  return std::ldexp(1.0, exponent + (role == Role::Scale ? data.scale : 0));
}

/// `value`, an element of operand `number`, with the next numbers.
static Triple getNeighbours(const CheckedConv &conv, Role role, unsigned number,
                            const IdentityTest::Data &data, double value) {
  if (!isAdded(role))
    return {value / 2, value, value * 2};
  double unit = getUnit(conv.epilogueOperands[number].type, data);
  return {value - unit, value, value + unit};
}

/// The greatest probability that one run takes another element of operand
/// `number` for the right one.
static double boundOperandMissed(const CheckedConv &conv, Role role,
                                 unsigned number,
                                 const IdentityTest::Data &data) {
  if (!isAdded(role))
    return 1 / double(data.factors);
  Interval added = getAdded(conv.epilogueOperands[number].type, data.limit);
  return 1.0 / double(added.high - added.low + 1);
}

/// What becomes of `sum`, whose next numbers lie `unit` away, and of `operands`
/// that are each three times the same. Calls `visit` with 0 and whether it is
/// told from other sums, and with each operand's number and 1 and whether that
/// is told from others.
static EpilogueChain::Outcome
tellApart(const CheckedConv &conv, const EpilogueChain &chain,
          const IdentityTest::Data &data, double sum, double unit,
          MutableArrayRef<Triple> operands,
          function_ref<void(size_t, bool)> visit) {
  EpilogueChain::Outcome outcome =
      chain.apply({sum - unit, sum, sum + unit}, operands);
  visit(0, outcome.tells);
  for (auto [number, role] : llvm::enumerate(chain.getRoles())) {
    Triple same = operands[number];
    operands[number] =
        getNeighbours(conv, role, unsigned(number), data, same[1]);
    visit(number + 1, chain.apply({sum, sum, sum}, operands).tells);
    operands[number] = same;
  }
  return outcome;
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

namespace {
/// Sums that are drawn as those of a run are, without a convolution.
class DrawnSums {
public:
  DrawnSums(const CheckedConv &conv, const IdentityTest::Data &data)
      : conv(conv), data(data) {
    DirectionRoles roles = directionRoles(conv.direction);
    for (Operand operand : {roles.first, roles.second}) {
      Interval drawn = getInterval(conv, conv.arguments[size_t(operand)], data);
      double low = double(drawn.low), high = double(drawn.high);
      double count = high - low + 1, middle = (low + high) / 2;
      mean *= middle;
      square *= middle * middle + (count * count - 1) / 12;
    }
  }

  /// One of `count` products, about as they are distributed.
  double draw(double count, DrawnNumbers &numbers) const {
    double sum =
        count * mean + std::sqrt(count * std::max(0.0, square - mean * mean)) *
                           numbers.normal();
    bool hasInit = conv.init && conv.init->argument;
    if (hasInit)
      sum += double(numbers.whole(-data.limit, data.limit));
    else if (conv.init)
      sum += conv.init->constant;
    return std::round(sum);
  }

private:
  const CheckedConv &conv;
  const IdentityTest::Data &data;
  double mean = 1, square = 1; ///< of a product, and of its square
};

/// Finds the fewest runs that are likely to do for one problem.
class Planner {
public:
  Planner(const CheckedConv &conv, const EpilogueChain &chain)
      : conv(conv), chain(chain) {}

  std::optional<IdentityTest> plan() const;

private:
  std::vector<IdentityTest::Data> getChoices() const;
  std::vector<double> findTold(const IdentityTest::Data &data,
                               double count) const;
  bool choose(const std::vector<double> &told, IdentityTest &test) const;

  const CheckedConv &conv;
  const EpilogueChain &chain;
};
} // namespace

/// The data to choose from, without what it misses.
std::vector<IdentityTest::Data> Planner::getChoices() const {
  int64_t most = getMostExact(conv);
  std::vector<int64_t> limits;
  for (int64_t limit = 1; limit <= most; limit *= 2) {
    limits.push_back(limit);
    if (limit > 1 && limit + limit / 2 <= most)
      limits.push_back(limit + limit / 2);
  }
  const Epilogue &epilogue = conv.epilogue->epilogue;
  // Scales of channels make up for the others.
  double others = epilogue.inputScale.value / epilogue.resultScale.value;
  int scale = others > 0 ? int(std::ceil(-std::log2(others))) : 0;
  bool isOfFloats = isFloat(conv.numerics.accumulator);
  bool hasFactors =
      llvm::any_of(chain.getRoles(), [](Role role) { return !isAdded(role); });
  std::vector<IdentityTest::Data> choices;
  for (int64_t limit : limits)
    for (int unit : {0, -3, -6, -9, -12})
      for (int64_t factors : {2, 3, 5, 9})
        if ((isOfFloats || unit == 0) && (hasFactors || factors == 2))
          choices.push_back({limit, 1, unit, 1, factors, scale});
  // Where other scales are small, bytes lie so far apart that their products
  // are none the less told from each other.
  double all = others * epilogue.filterScale.value;
  bool isSmall = !isOfFloats && !epilogue.filterScale.isPerChannel &&
                 !conv.filterZeroPoints && all > 0 && all < 1;
  int64_t step = isSmall ? int64_t(std::ceil(std::sqrt(1 / all))) : 1;
  for (int64_t limit : limits)
    if (step > 1 && 2 * limit * step <= 254 && limit * step <= most)
      choices.push_back({limit, 1, 0, step, 3, scale});
  return choices;
}

/// In which part of runs with `data` sums of `count` products, and operands,
/// are told from others.
std::vector<double> Planner::findTold(const IdentityTest::Data &data,
                                      double count) const {
  constexpr unsigned Draws = 2048;
  ArrayRef<Role> roles = chain.getRoles();
  std::vector<double> told(roles.size() + 1);
  DrawnSums sums(conv, data);
  double unit = getSumUnit(conv, data);
  for (unsigned draw = 0; draw < Draws; ++draw) {
    DrawnNumbers numbers({draw, 0, 0});
    double sum = sums.draw(count, numbers) * unit;
    std::vector<Triple> operands;
    for (auto [number, role] : llvm::enumerate(roles))
      operands.emplace_back().fill(
          drawEpilogueOperand(conv, role, unsigned(number), data, draw, draw));
    tellApart(conv, chain, data, sum, unit, operands,
              [&](size_t number, bool tells) { told[number] += tells; });
  }
  // Draws may not show what is seldom.
  constexpr double MostTold = 0.995;
  for (double &part : told)
    part = std::min(part / Draws, MostTold);
  return told;
}

/// Chooses the fewest runs that tell enough; false where they are too many.
bool Planner::choose(const std::vector<double> &told,
                     IdentityTest &test) const {
  // Elements are so many that some are told seldom.
  constexpr double Deviations = 6;
  // All kinds of runs take their turn.
  unsigned step = test.interval * unsigned(test.data.size() - 1);
  for (test.runs = step; test.runs <= MostRuns; test.runs += step) {
    bool suffices = true;
    unsigned main = test.countMain();
    for (auto [part, one] : llvm::zip_equal(told, test.told)) {
      double least =
          main * part - Deviations * std::sqrt(main * part * (1 - part));
      one.least = unsigned(std::max(0.0, least));
      suffices &= one.least > main * one.missed;
      suffices = suffices &&
                 getTailExponent(main, one.missed, one.least) <= EnoughExponent;
    }
    if (suffices)
      return true;
  }
  return false;
}

std::optional<IdentityTest> Planner::plan() const {
  double most = countProducts(conv);
  // At a border there may be one tap.
  double taps = 1;
  for (const SpatialDim &dim : conv.shape.spatial)
    taps *= double(std::max<int64_t>(1, dim.filter));
  double fewest = conv.direction == Direction::BackwardFilter
                      ? most
                      : std::max(1.0, most / taps);
  std::optional<IdentityTest> best;
  for (IdentityTest::Data data : getChoices()) {
    IdentityTest test;
    test.interval = 8;
    data.missed = 2 / double(2 * data.limit + 1);
    test.told = {{data.missed, 0}};
    for (auto [number, role] : llvm::enumerate(chain.getRoles()))
      test.told.push_back(
          {boundOperandMissed(conv, role, unsigned(number), data), 0});
    test.data.assign(3, data);
    test.data[1].limit = 1;
    test.data[2].limit = getMostExact(conv);
    test.data[2].step = 1; // of numbers so large, no multiples
    std::vector<double> told = findTold(data, most);
    for (auto [part, other] : llvm::zip_equal(told, findTold(data, fewest)))
      part = std::min(part, other);
    if (choose(told, test) && (!best || test.runs < best->runs))
      best = test;
  }
  return best;
}

std::optional<IdentityTest>
mlir::convoy::planEpilogueTest(const CheckedConv &conv, std::string &reason) {
  std::optional<EpilogueChain> chain =
      EpilogueChain::create(*conv.epilogue, reason);
  if (!chain) {
    reason = "an epilogue with " + reason;
    return std::nullopt;
  }
  std::optional<IdentityTest> test = Planner(conv, *chain).plan();
  if (!test)
    reason = llvm::formatv("sums of {0} products of which this epilogue tells "
                           "too few from others",
                           productCount(conv.direction, conv.shape));
  return test;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

static EpilogueChain getChain(const CheckedConv &conv) {
  std::string reason;
  return *EpilogueChain::create(*conv.epilogue, reason);
}

EpilogueRuns::EpilogueRuns(const CheckedConv &conv, const IdentityTest &test)
    : conv(conv), test(test), chain(getChain(conv)), counts(test.told.size()) {}

void EpilogueRuns::take(const std::vector<HostArray> &arguments,
                        const ReferenceResult &reference,
                        const IdentityTest::Data &data) {
  bool isCounted = &data == test.data.data();
  bool isOfFloats = reference.integer.empty();
  int64_t count = reference.index.elementCount(), element = 0;
  expected.assign(count, {});
  for (std::vector<unsigned> &ofOne : counts)
    ofOne.resize(count);
  double unit = getSumUnit(conv, data);
  std::vector<Triple> operands(conv.epilogueOperands.size());
  ::convoy::forEachIndex(reference.index.sizes, [&](const LogicalIndex &index) {
    double sum = isOfFloats ? reference.value[element]
                            : double(int32_t(reference.integer[element]));
    for (auto [triple, operand] :
         llvm::zip_equal(operands, conv.epilogueOperands))
      triple.fill(arguments[operand.argument].at(operand.index.offset(index)));
    expected[element] = tellApart(
        conv, chain, data, sum, unit, operands, [&](size_t number, bool tells) {
          counts[number][element] += isCounted && tells;
        });
    ++element;
  });
}

std::string EpilogueRuns::findWrong(const HostArray &actual) const {
  const OperandIndex &lies =
      conv.indices[size_t(directionRoles(conv.direction).result)];
  std::string wrong;
  int64_t element = 0;
  ::convoy::forEachIndex(lies.sizes, [&](const LogicalIndex &index) {
    const EpilogueChain::Outcome &outcome = expected[element++];
    if (!wrong.empty() || !outcome.isKnown)
      return;
    double found = actual.at(lies.offset(index));
    if (found >= outcome.least && found <= outcome.most)
      return;
    wrong = llvm::formatv(
        "{0} is {1}, but {2} in the reference",
        ::convoy::toString(index, lies.sizes), found,
        outcome.least == outcome.most
            ? llvm::formatv("{0}", outcome.least).str()
            : llvm::formatv("from {0} to {1}", outcome.least, outcome.most)
                  .str());
  });
  return wrong;
}

std::string EpilogueRuns::findUntold() const {
  const OperandIndex &lies =
      conv.indices[size_t(directionRoles(conv.direction).result)];
  std::string untold;
  int64_t element = 0;
  ::convoy::forEachIndex(lies.sizes, [&](const LogicalIndex &index) {
    for (size_t number = 0; number < counts.size() && untold.empty(); ++number)
      if (counts[number][element] < test.told[number].least)
        untold = llvm::formatv(
            "the epilogue tells {0} of {1} from others in {2} of {3} runs on "
            "integers, where {4} are needed",
            number == 0 ? "the sum"
                        : "its operand " + std::to_string(number - 1),
            ::convoy::toString(index, lies.sizes), counts[number][element],
            test.countMain(), test.told[number].least);
    ++element;
  });
  return untold;
}
