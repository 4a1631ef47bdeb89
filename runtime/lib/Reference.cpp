//===- Reference.cpp - What a convolution should give ---------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/Reference.h"

#include "ConvolutionLoops.h"

#include <cmath>
#include <string>
#include <type_traits>

namespace convoy {

//===----------------------------------------------------------------------===//
// Index arithmetic
//===----------------------------------------------------------------------===//

// Products of 64-bit strides and positions are exact in 128 bits.
__extension__ typedef __int128 Wide;

/// position / step where that is a whole number within [0, size), else -1.
static int64_t exactPosition(Wide position, int64_t step, int64_t size) {
  if (position < 0 || position % step != 0 || position / step >= size)
    return -1;
  return static_cast<int64_t>(position / step);
}

int64_t firstPosition(Direction direction, const SpatialDim &dim,
                      int64_t result, int64_t second) {
  // e*i = s*o + d*k' - pl, solved for the position that is not given.
  const WindowDim &window = dim.window;
  auto tapOffset = [&](int64_t tap) {
    int64_t ordered = window.reverse ? dim.filter - 1 - tap : tap;
    return Wide(window.dilation) * ordered - window.padLow;
  };
  switch (direction) {
  case Direction::Forward:
    return exactPosition(Wide(window.stride) * result + tapOffset(second),
                         window.inputDilation, dim.input);
  case Direction::BackwardData:
    return exactPosition(Wide(window.inputDilation) * result -
                             tapOffset(second),
                         window.stride, dim.output);
  case Direction::BackwardFilter:
    return exactPosition(Wide(window.stride) * second + tapOffset(result),
                         window.inputDilation, dim.input);
  }
  return -1;
}

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

/// The elements of an operand as doubles or, less the zero point and those of
/// channels, if there are any, as integers, dense with the strides `packed`.
template <typename Element>
static std::vector<Element>
pack(ScalarType type, const OperandData &operand, int32_t zeroPoint,
     const OperandData *zeroPoints, const LogicalIndex &packed) {
  std::vector<Element> elements(
      static_cast<size_t>(operand.index.elementCount()));
  OperandIndex target{operand.index.sizes, packed};
  forEachIndex(target.sizes, [&](const LogicalIndex &index) {
    int64_t source = operand.index.offset(index);
    Element &element = elements[static_cast<size_t>(target.offset(index))];
    if constexpr (std::is_same_v<Element, double>)
      element = loadDouble(type, operand.data, source);
    else
      element = loadInteger(type, operand.data, source) - zeroPoint -
                (zeroPoints ? loadInteger(ScalarType::I32, zeroPoints->data,
                                          zeroPoints->index.offset(index))
                            : 0);
  });
  return elements;
}

template <typename Element>
static PackedConvolution<Element>
packConvolution(const ReferenceProblem &problem) {
  DirectionRoles roles = directionRoles(problem.direction);
  PackedConvolution<Element> conv;
  conv.direction = problem.direction;
  const std::vector<SpatialDim> &spatial = problem.shape.spatial;
  std::copy(spatial.begin(), spatial.end(),
            conv.spatial.end() - spatial.size());
  conv.result = logicalOperandIndex(problem.shape, roles.result);
  conv.row = roles.row;
  conv.column = roles.column;
  conv.reduced = roles.reduced;

  auto packOperand = [&](Operand operand, const std::string &order,
                         OperandIndex &index) {
    index.sizes = logicalSizes(problem.shape, operand);
    index.strides = denseStrides(index.sizes, order);
    bool hasZeroPoints = operand == Operand::Filter && problem.filterZeroPoints;
    return pack<Element>(problem.numerics.type(operand),
                         problem.operands[static_cast<size_t>(operand)],
                         problem.numerics.zeroPoint(operand),
                         hasZeroPoints ? &*problem.filterZeroPoints : nullptr,
                         index.strides);
  };
  conv.first = packOperand(roles.first,
                           std::string("g") + roles.row + "dhw" + roles.reduced,
                           conv.firstIndex);
  conv.second = packOperand(roles.second,
                            std::string("gdhw") + roles.reduced + roles.column,
                            conv.secondIndex);
  return conv;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

namespace {

/// What all sums share: the lanes' init, and where their results go.
class LaneSums {
public:
  LaneSums(ReferenceResult &result, const std::vector<double> &init,
           size_t lanes)
      : result(&result), init(&init), lanes(lanes) {}

  void addPadding(const void *, int64_t) {}

protected:
  /// The init of the element at `place`: 0 where there is none.
  double initAt(int64_t place) const {
    return init->empty() ? 0.0 : (*init)[static_cast<size_t>(place)];
  }

  /// Calls `function(lane, place of the lane in the result)` for every lane.
  template <typename Function>
  void forEachLane(int64_t offset, int64_t stride, Function function) const {
    for (size_t lane = 0; lane < lanes; ++lane)
      function(lane, static_cast<size_t>(offset) +
                         lane * static_cast<size_t>(stride));
  }

  /// Calls `function(lane, first factor, second factor)` for every lane of each
  /// of `count` terms.
  template <typename Element, typename Function>
  void forEachProduct(const Element *first, const Element *second,
                      int64_t count, Function function) const {
    for (int64_t term = 0; term < count; ++term, second += lanes)
      for (size_t lane = 0; lane < lanes; ++lane)
        function(lane, first[term], second[lane]);
  }

  void storeLength(size_t place, int64_t terms) const {
    result->length[place] = terms + (result->hasInit ? 1 : 0);
  }

  ReferenceResult *result;
  const std::vector<double> *init;
  size_t lanes;
};

/// y and S in double.
class DoubleSums : public LaneSums {
public:
  using LaneSums::LaneSums;

  void start(int64_t offset, int64_t stride) {
    value.resize(lanes);
    magnitude.resize(lanes);
    forEachLane(offset, stride, [&](size_t lane, size_t place) {
      value[lane] = initAt(place);
      magnitude[lane] = std::abs(value[lane]);
    });
  }

  void addTerms(const double *first, const double *second, int64_t count) {
    // Several terms at a time, so that sums are loaded and stored less often.
    constexpr int64_t step = 4;
    for (; count >= step; count -= step, first += step, second += step * lanes)
      addProducts<step>(first, second);
    for (; count > 0; --count, ++first, second += lanes)
      addProducts<1>(first, second);
  }

  void finish(int64_t offset, int64_t stride, int64_t terms) {
    forEachLane(offset, stride, [&](size_t lane, size_t place) {
      result->value[place] = value[lane];
      result->magnitude[place] = magnitude[lane];
      storeLength(place, terms);
    });
  }

private:
  template <int64_t terms>
  void addProducts(const double *first, const double *second) {
    // Local names, so that the loop becomes vector code.
    double *values = value.data(), *magnitudes = magnitude.data();
    for (size_t lane = 0, count = lanes; lane < count; ++lane) {
      double sum = values[lane], sumOfMagnitudes = magnitudes[lane];
      for (size_t term = 0; term < terms; ++term) {
        double product = first[term] * second[term * count + lane];
        sum += product;
        sumOfMagnitudes += std::abs(product);
      }
      values[lane] = sum;
      magnitudes[lane] = sumOfMagnitudes;
    }
  }

  std::vector<double> value, magnitude;
};

/// y as the sum of two doubles, S in double.
class CompensatedSums : public LaneSums {
public:
  using LaneSums::LaneSums;

  void start(int64_t offset, int64_t stride) {
    value.resize(lanes);
    low.assign(lanes, 0.0);
    magnitude.resize(lanes);
    forEachLane(offset, stride, [&](size_t lane, size_t place) {
      value[lane] = initAt(place);
      magnitude[lane] = std::abs(value[lane]);
    });
  }

  void addTerms(const double *first, const double *second, int64_t count) {
    forEachProduct(first, second, count, [&](size_t lane, double a, double b) {
      double product = a * b;
      double productError = std::fma(a, b, -product);
      double old = value[lane];
      double sum = old + product;
      double added = sum - old;
      double sumError = (old - (sum - added)) + (product - added);
      value[lane] = sum;
      low[lane] += productError + sumError;
      magnitude[lane] += std::abs(product);
    });
  }

  void finish(int64_t offset, int64_t stride, int64_t terms) {
    forEachLane(offset, stride, [&](size_t lane, size_t place) {
      result->value[place] = value[lane];
      // The errors of sums that are not finite have no meaning.
      result->valueLow[place] = std::isfinite(value[lane]) ? low[lane] : 0.0;
      result->magnitude[place] = magnitude[lane];
      storeLength(place, terms);
    });
  }

private:
  std::vector<double> value, low, magnitude;
};

/// The sum modulo 2^64.
class IntegerSums : public LaneSums {
public:
  using LaneSums::LaneSums;

  void start(int64_t offset, int64_t stride) {
    value.resize(lanes);
    forEachLane(offset, stride, [&](size_t lane, size_t place) {
      value[lane] = static_cast<uint64_t>(static_cast<int64_t>(initAt(place)));
    });
  }

  void addTerms(const int64_t *first, const int64_t *second, int64_t count) {
    forEachProduct(
        first, second, count,
        [&](size_t lane, uint64_t a, uint64_t b) { value[lane] += a * b; });
  }

  void finish(int64_t offset, int64_t stride, int64_t terms) {
    forEachLane(offset, stride, [&](size_t lane, size_t place) {
      result->integer[place] = static_cast<int64_t>(value[lane]);
      storeLength(place, terms);
    });
  }

private:
  std::vector<uint64_t> value;
};

/// The sum of |x| + |w|.
class OperandSums : public LaneSums {
public:
  using LaneSums::LaneSums;

  void start(int64_t, int64_t) { sum.assign(lanes, 0.0); }

  void addTerms(const double *first, const double *second, int64_t count) {
    forEachProduct(first, second, count, [&](size_t lane, double a, double b) {
      sum[lane] += std::abs(a) + std::abs(b);
    });
  }

  void finish(int64_t offset, int64_t stride, int64_t) {
    forEachLane(offset, stride, [&](size_t lane, size_t place) {
      result->operandSum[place] = sum[lane];
    });
  }

private:
  std::vector<double> sum;
};

/// The flags, and S over finite terms alone.
class SpecialSums : public LaneSums {
public:
  /// `firstNormal` and `secondNormal`: the operands' smallest normal numbers.
  SpecialSums(ReferenceResult &result, const std::vector<double> &init,
              size_t lanes, double firstNormal, double secondNormal)
      : LaneSums(result, init, lanes), firstNormal(firstNormal),
        secondNormal(secondNormal) {}

  void start(int64_t offset, int64_t stride) {
    magnitude.assign(lanes, 0.0);
    flags.assign(lanes, 0);
    forEachLane(offset, stride, [&](size_t lane, size_t place) {
      double value = initAt(place);
      if (std::isfinite(value))
        magnitude[lane] = std::abs(value);
      else
        flags[lane] = NonFiniteTerm;
    });
  }

  void addTerms(const double *first, const double *second, int64_t count) {
    forEachProduct(first, second, count, [&](size_t lane, double a, double b) {
      if (std::isfinite(a) && std::isfinite(b)) {
        magnitude[lane] += std::abs(a * b);
        return;
      }
      flags[lane] |= NonFiniteTerm;
      if ((std::isinf(a) && isSubnormal(b, secondNormal)) ||
          (std::isinf(b) && isSubnormal(a, firstNormal)))
        flags[lane] |= InfinityTimesSubnormal;
    });
  }

  /// `factors` holds one row of lanes for each of several terms.
  void addPadding(const double *factors, int64_t count) {
    for (size_t i = 0; i < static_cast<size_t>(count); ++i)
      if (!std::isfinite(factors[i]))
        flags[i % lanes] |= NonFinitePadding;
  }

  void addBeyond(const double *factors, int64_t count) {
    if (std::all_of(factors, factors + count,
                    [](double value) { return std::isfinite(value); }))
      return;
    for (uint8_t &flag : flags)
      flag |= NonFinitePadding;
  }

  void finish(int64_t offset, int64_t stride, int64_t) {
    forEachLane(offset, stride, [&](size_t lane, size_t place) {
      result->magnitude[place] = magnitude[lane];
      result->flags[place] = flags[lane];
    });
  }

private:
  static bool isSubnormal(double value, double smallestNormal) {
    return value != 0 && std::abs(value) < smallestNormal;
  }

  double firstNormal, secondNormal;
  std::vector<double> magnitude;
  std::vector<uint8_t> flags;
};

} // namespace

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static bool allFinite(const std::vector<double> &values) {
  return std::all_of(values.begin(), values.end(),
                     [](double value) { return std::isfinite(value); });
}

static void sumFloats(const ReferenceProblem &problem,
                      const ReferenceOptions &options,
                      const std::vector<double> &init, int threads,
                      ReferenceResult &result) {
  auto conv = packConvolution<double>(problem);
  DirectionRoles roles = directionRoles(problem.direction);
  ScalarType firstType = problem.numerics.type(roles.first);
  ScalarType secondType = problem.numerics.type(roles.second);
  size_t lanes =
      static_cast<size_t>(conv.result.sizes[logicalDim(conv.column)]);
  size_t count = result.length.size();
  result.value.resize(count);
  result.magnitude.resize(count);
  // Products of two 24-bit significands are exact in double, others are not.
  if (firstType == ScalarType::F64 || secondType == ScalarType::F64) {
    result.valueLow.resize(count);
    sumAllRows(conv, CompensatedSums(result, init, lanes), threads);
  } else {
    sumAllRows(conv, DoubleSums(result, init, lanes), threads);
  }
  if (options.operandSums) {
    result.operandSum.resize(count);
    sumAllRows(conv, OperandSums(result, init, lanes), threads);
  }
  if (allFinite(conv.first) && allFinite(conv.second) && allFinite(init))
    return;
  result.flags.resize(count);
  sumAllRows(conv,
             SpecialSums(result, init, lanes,
                         floatFormat(firstType).smallestNormal(),
                         floatFormat(secondType).smallestNormal()),
             threads);
}

double referenceBytes(Direction direction, const ConvShape &shape) {
  auto count = [&](Operand operand) {
    double product = 1;
    for (int64_t size : logicalSizes(shape, operand))
      product *= static_cast<double>(size);
    return product;
  };
  // Both sources are packed; a result has at most its value in two parts, init,
  // magnitude, operand sum, length and flags.
  DirectionRoles roles = directionRoles(direction);
  return sizeof(double) * (count(roles.first) + count(roles.second)) +
         (5 * sizeof(double) + sizeof(int64_t) + sizeof(uint8_t)) *
             count(roles.result);
}

int getReferenceThreads(const ReferenceProblem &problem,
                        const ReferenceOptions &options) {
  // A small problem is not worth a second one.
  static constexpr double ProductsPerThread = 1 << 18;
  double wanted =
      options.threads ? options.threads : std::thread::hardware_concurrency();
  double useful = problem.shape.multiplyAdds() / ProductsPerThread;
  return static_cast<int>(std::max(1.0, std::min(wanted, useful)));
}

ReferenceResult computeReference(const ReferenceProblem &problem,
                                 const ReferenceOptions &options) {
  DirectionRoles roles = directionRoles(problem.direction);
  ReferenceResult result;
  result.index = logicalOperandIndex(problem.shape, roles.result);
  result.type = problem.numerics.type(roles.result);
  result.hasInit = problem.init.has_value();
  result.length.resize(static_cast<size_t>(result.index.elementCount()));
  int threads = getReferenceThreads(problem, options);

  std::vector<double> init;
  if (problem.init)
    init = pack<double>(result.type, *problem.init, 0, nullptr,
                        result.index.strides);
  if (isFloat(problem.numerics.type(roles.first))) {
    sumFloats(problem, options, init, threads, result);
    return result;
  }
  result.integer.resize(result.length.size());
  auto conv = packConvolution<int64_t>(problem);
  size_t lanes =
      static_cast<size_t>(conv.result.sizes[logicalDim(conv.column)]);
  sumAllRows(conv, IntegerSums(result, init, lanes), threads);
  return result;
}

} // namespace convoy
