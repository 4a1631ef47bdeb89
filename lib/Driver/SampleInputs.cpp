//===- SampleInputs.cpp - Images and positions to sample --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/SampleInputs.h"

#include "DrawNumbers.h"

#include "convoy/Driver/Memory.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/bit.h"

#include <cmath>
#include <functional>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::DataKind;
using ::convoy::Direction;
using ::convoy::HostArray;
using ::convoy::SampleProblem;
using ::convoy::ScalarType;

namespace {
/// Draws coordinates along one dimension of an image.
class CoordinateDrawer {
public:
  CoordinateDrawer(const SampleProblem &problem, int64_t size, DataKind kind)
      : alignCorners(problem.alignCorners), size(size), kind(kind),
        fractionBits(getFractionBits(problem)),
        type(::convoy::operandScalarType(problem.gridType)) {}

  double draw(DrawnNumbers numbers) const;

private:
  /// Of positions for which weights and sums are exact in f32.
  static int getFractionBits(const SampleProblem &problem);
  /// The coordinate that stands for `position`.
  double getCoordinate(double position) const;
  double drawExact(DrawnNumbers &numbers) const;
  double drawEdge(DrawnNumbers &numbers) const;
  double drawSpecial(DrawnNumbers &numbers) const;

  bool alignCorners;
  int64_t size;
  DataKind kind;
  int fractionBits;
  ScalarType type;
};
} // namespace

/// How many bits behind the point a product of weights, or a slope, has if the
/// position has `bits` along each dimension.
static int countWeightBits(const SampleProblem &problem, int bits) {
  int dims = problem.spatialRank();
  bool isSlope = problem.direction == Direction::BackwardFilter;
  // Weights of cubic samples are polynomials of degree 3 with quarters, and
  // their slopes of degree 2.
  bool isCubic = problem.mode == ::convoy::SampleMode::Cubic;
  int perWeight = isCubic ? 3 * bits + 2 : bits;
  int perSlope = isCubic ? 2 * bits + 2 : 0;
  return isSlope ? (dims - 1) * perWeight + perSlope : dims * perWeight;
}

/// How many bits before the point the sums of a gradient may have, for which
/// those behind it leave room.
static int countSumBits(const SampleProblem &problem) {
  double most;
  if (problem.direction == Direction::BackwardData) {
    // All samples may be of one element; output gradients are at most 3.
    most = 3;
    for (int64_t size : problem.samples)
      most *= double(std::max<int64_t>(size, 1));
  } else {
    // Slopes are at most 6, of linear samples, and then times half a size.
    most = 18 * double(std::max<int64_t>(problem.channels, 1)) *
           double(*llvm::max_element(problem.image));
    if (problem.mode == ::convoy::SampleMode::Cubic)
      most *= 2;
  }
  return std::ilogb(most) + 1;
}

int CoordinateDrawer::getFractionBits(const SampleProblem &problem) {
  if (problem.mode == ::convoy::SampleMode::Nearest)
    return 8;
  int bits = problem.mode == ::convoy::SampleMode::Cubic ? 2
             : problem.spatialRank() == 2                ? 6
                                                         : 4;
  if (problem.direction == Direction::Forward)
    return bits;
  int room = 24 - countSumBits(problem);
  while (bits > 1 && countWeightBits(problem, bits) > room)
    --bits;
  return bits;
}

double CoordinateDrawer::getCoordinate(double position) const {
  if (alignCorners)
    return size == 1 ? position : 2 * position / double(size - 1) - 1;
  return (2 * position + 1) / double(size) - 1;
}

/// A coordinate k/2^b - 1 for a position k*size/2^(b+1), less a half or not,
/// that has as many bits behind the point as it may.
double CoordinateDrawer::drawExact(DrawnNumbers &numbers) const {
  int64_t steps = alignCorners ? size - 1 : size;
  int evenBits = steps == 0 ? 8 : llvm::countr_zero(uint64_t(steps));
  int mostBits = ::convoy::floatFormat(type).precision - 1;
  int bits = std::min(fractionBits + evenBits - 1, mostBits);
  int64_t unit = int64_t(1) << bits, margin = unit / 4 + 1;
  int64_t k = numbers.whole(-margin, 2 * unit + margin);
  return double(k) / double(unit) - 1;
}

/// Near elements, halfway between them, and at the ends of the image.
double CoordinateDrawer::drawEdge(DrawnNumbers &numbers) const {
  const double ends[] = {
      -1, -0.5, 0, double(size - 1), double(size) - 0.5, double(size)};
  double position = double(numbers.whole(-1, size));
  switch (numbers.whole(0, 2)) {
  case 0:
    position += 0.5;
    break;
  case 1:
    position = ends[numbers.whole(0, 5)];
    break;
  default:
    break;
  }
  double coordinate = ::convoy::roundTo(type, getCoordinate(position));
  // The next numbers of the type, too.
  double ulp = ::convoy::floatFormat(type).ulp(coordinate);
  return coordinate + double(numbers.whole(-2, 2)) * ulp;
}

double CoordinateDrawer::drawSpecial(DrawnNumbers &numbers) const {
  const double special[] = {NAN,     HUGE_VAL, -HUGE_VAL, 0x1p31,  -0x1p31,
                            0x1p127, -0x1p127, 0x1p14,    -0x1p14, 0.0,
                            -0.0,    0x1p-140, -1.0,      1.0};
  uint64_t number = numbers.next() % 32;
  return number < std::size(special) ? special[number]
                                     : numbers.uniform() * 1.25;
}

double CoordinateDrawer::draw(DrawnNumbers numbers) const {
  switch (kind) {
  case DataKind::Int:
    return drawExact(numbers);
  case DataKind::Uniform:
  case DataKind::Cancel:
    return numbers.uniform() * 1.25;
  case DataKind::Normal:
    return numbers.normal() / 2;
  case DataKind::Range: {
    double part = numbers.uniform();
    return std::ldexp(part, int(numbers.whole(-20, 40)));
  }
  case DataKind::Edge:
    return drawEdge(numbers);
  case DataKind::Special:
    return drawSpecial(numbers);
  }
  llvm_unreachable("all are named");
}

/// What the arguments and the result take, on the host and on a device.
static double getAllBytes(const SampleProblem &problem) {
  ScalarType type = ::convoy::operandScalarType(problem.type);
  double grid = getBytes(::convoy::operandScalarType(problem.gridType),
                         problem.gridShape());
  // The gradient of the grid is beside all of them.
  if (problem.direction == Direction::BackwardFilter)
    grid *= 2;
  return 2 * (getBytes(type, problem.imageShape()) +
              getBytes(type, problem.sampleShape()) + grid);
}

std::optional<std::vector<HostArray>>
mlir::convoy::generateSampleInputs(const SampleProblem &problem, DataKind kind,
                                   uint64_t seed, std::string &error) {
  if (auto shortage = checkMemory(getAllBytes(problem), "the samples")) {
    error = *shortage;
    return std::nullopt;
  }
  std::string letters = "n";
  letters.append(::convoy::spatialLetters(problem.spatialRank())).append("c");
  // What is special of images says nothing of positions.
  DataKind plain = kind == DataKind::Special ? DataKind::Uniform : kind;
  ScalarType type = ::convoy::operandScalarType(problem.type);
  std::vector<HostArray> inputs;
  auto addPlain = [&](const ::convoy::Layout &layout,
                      std::vector<int64_t> shape, uint64_t argument) {
    fillByPlace(inputs.emplace_back(type, std::move(shape)), layout.letters(),
                letters, [&](uint64_t position) {
                  return drawFloat(plain, {seed, argument, position});
                });
  };
  if (problem.direction != Direction::Forward)
    addPlain(problem.sampleLayout, problem.sampleShape(), 2);
  if (problem.direction != Direction::BackwardData)
    addPlain(problem.imageLayout, problem.imageShape(), 0);
  HostArray &grid = inputs.emplace_back(
      ::convoy::operandScalarType(problem.gridType), problem.gridShape());
  SmallVector<CoordinateDrawer> drawers;
  for (int64_t size : llvm::reverse(problem.image))
    drawers.emplace_back(problem, size, kind);
  // Coordinates are the last of the letters.
  fillByPlace(grid, problem.gridLayout.letters(), letters,
              [&](uint64_t position) {
                return drawers[position % drawers.size()].draw(
                    DrawnNumbers({seed, 1, position}));
              });
  return inputs;
}
