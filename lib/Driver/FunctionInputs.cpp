//===- FunctionInputs.cpp - Data for arguments of functions ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/FunctionInputs.h"

#include "DrawNumbers.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"
#include "convoy/Driver/Memory.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::DataKind;
using ::convoy::HostArray;
using ::convoy::ScalarType;

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
