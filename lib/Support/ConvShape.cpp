//===- ConvShape.cpp - The geometry of a convolution ----------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/ConvShape.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>

namespace convoy {

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

// Sums and products of a few 64-bit numbers are exact in 128 bits.
__extension__ typedef __int128 Wide;

static constexpr int64_t MaxSize = std::numeric_limits<int64_t>::max();
static constexpr int64_t MinSize = std::numeric_limits<int64_t>::min();

static int64_t clamp(Wide value) {
  return static_cast<int64_t>(std::clamp<Wide>(value, MinSize, MaxSize));
}

static Wide magnitude(Wide value) { return value < 0 ? -value : value; }

/// The remainder of `value` in [0, modulus).
static int64_t floorMod(Wide value, int64_t modulus) {
  Wide remainder = value % modulus;
  return static_cast<int64_t>(remainder < 0 ? remainder + modulus : remainder);
}

/// value / divisor, rounded up.
static int64_t ceilQuotient(int64_t value, int64_t divisor) {
  return static_cast<int64_t>((Wide(value) + floorMod(-Wide(value), divisor)) /
                              divisor);
}

static Wide wideDilatedSize(int64_t size, int64_t dilation) {
  return size > 0 ? Wide(size - 1) * dilation + 1 : 0;
}

/// The product of factors that are not negative, or nothing where it passes
/// int64.
static std::optional<int64_t> product(const std::vector<int64_t> &factors) {
  if (std::find(factors.begin(), factors.end(), 0) != factors.end())
    return 0;
  Wide result = 1;
  for (int64_t factor : factors) {
    result *= factor;
    if (result > MaxSize)
      return std::nullopt;
  }
  return static_cast<int64_t>(result);
}

//===----------------------------------------------------------------------===//
// One dimension
//===----------------------------------------------------------------------===//

int64_t dilatedSize(int64_t size, int64_t dilation) {
  return clamp(wideDilatedSize(size, dilation));
}

int64_t outputSize(int64_t inputSize, int64_t filterSize,
                   const WindowDim &window) {
  if (filterSize == 0)
    return 0;
  Wide padded = wideDilatedSize(inputSize, window.inputDilation) +
                window.padLow + window.padHigh;
  Wide room = padded - wideDilatedSize(filterSize, window.dilation);
  return room < 0 ? 0 : clamp(room / window.stride + 1);
}

/// Positions that `outputSize` placements of the filter cover: (O-1)*s +
/// D(K,d).
static Wide coveredSize(int64_t filterSize, int64_t outputSize,
                        const WindowDim &window) {
  return Wide(outputSize - 1) * window.stride +
         wideDilatedSize(filterSize, window.dilation);
}

int64_t padHighFor(int64_t inputSize, int64_t filterSize, int64_t outputSize,
                   const WindowDim &window) {
  return clamp(coveredSize(filterSize, outputSize, window) -
               wideDilatedSize(inputSize, window.inputDilation) -
               window.padLow);
}

int64_t transposedSize(int64_t size, int64_t filterSize,
                       const WindowDim &forward) {
  return clamp(std::max<Wide>(coveredSize(filterSize, size, forward) -
                                  forward.padLow - forward.padHigh,
                              0));
}

WindowDim withOutputPad(WindowDim window, int64_t outputPad) {
  window.padHigh = clamp(Wide(window.padHigh) - outputPad);
  return window;
}

std::optional<int64_t> inputPosition(int64_t output, int64_t tap,
                                     int64_t inputSize, int64_t filterSize,
                                     const WindowDim &window) {
  int64_t placed = window.reverse ? filterSize - 1 - tap : tap;
  Wide dilated = Wide(window.stride) * output + Wide(window.dilation) * placed -
                 window.padLow;
  if (dilated < 0 || dilated % window.inputDilation != 0)
    return std::nullopt;
  Wide position = dilated / window.inputDilation;
  if (position >= inputSize)
    return std::nullopt;
  return static_cast<int64_t>(position);
}

WindowDim backwardDataWindow(int64_t filterSize, const WindowDim &forward) {
  Wide reach = Wide(forward.dilation) * (filterSize - 1);
  WindowDim window;
  window.stride = forward.inputDilation;
  window.dilation = forward.dilation;
  window.padLow = clamp(reach - forward.padLow);
  window.padHigh = clamp(reach - forward.padHigh + forward.stride - 1);
  window.inputDilation = forward.stride;
  window.reverse = !forward.reverse;
  return window;
}

WindowDim backwardDataWindow(int64_t inputSize, int64_t filterSize,
                             int64_t outputSize, const WindowDim &forward) {
  WindowDim window = backwardDataWindow(filterSize, forward);
  window.padHigh =
      clamp(wideDilatedSize(inputSize, forward.inputDilation) -
            wideDilatedSize(outputSize, forward.stride) + forward.padLow);
  return window;
}

WindowDim backwardFilterWindow(const WindowDim &forward) {
  WindowDim window;
  window.stride = forward.dilation;
  window.dilation = forward.stride;
  window.padLow = forward.padLow;
  window.padHigh = forward.padHigh;
  window.inputDilation = forward.inputDilation;
  return window;
}

WindowDim backwardFilterWindow(int64_t inputSize, int64_t filterSize,
                               int64_t outputSize, const WindowDim &forward) {
  WindowDim window = backwardFilterWindow(forward);
  window.padHigh =
      clamp(Wide(forward.dilation) * (filterSize - 1) +
            wideDilatedSize(outputSize, forward.stride) -
            wideDilatedSize(inputSize, forward.inputDilation) - forward.padLow);
  return window;
}

/// Fills in the taps and the dense window of the phase at `phase.firstOutput`,
/// whose padding is a bound.
static void solvePhase(WindowPhase &phase, int64_t filterSize,
                       const WindowDim &window) {
  int64_t e = window.inputDilation;
  int64_t common = std::gcd(window.dilation, e);
  phase.tapStep = e / common;

  // Position of the phase's first output in the dilated input, from its start.
  Wide base = Wide(window.stride) * phase.firstOutput - window.padLow;
  int64_t candidates = std::min(phase.tapStep, filterSize);
  int64_t first = 0;
  while (first < candidates &&
         floorMod(base + Wide(window.dilation) * first, e) != 0)
    ++first;
  if (first == candidates)
    return;

  phase.tapCount = (filterSize - 1 - first) / phase.tapStep + 1;
  int64_t last = first + phase.tapStep * (phase.tapCount - 1);
  phase.firstTap = window.reverse ? filterSize - 1 - last : first;

  WindowDim &dense = phase.window;
  dense.stride = window.stride / std::gcd(e, window.stride);
  dense.dilation = window.dilation / common;
  dense.reverse = window.reverse;
  dense.padLow = clamp(-(base + Wide(window.dilation) * first) / e);
  dense.padHigh = ceilQuotient(window.padHigh, e);
}

int64_t countPhases(const WindowDim &window) {
  return window.inputDilation / std::gcd(window.inputDilation, window.stride);
}

std::vector<WindowPhase> splitPhases(int64_t filterSize,
                                     const WindowDim &window) {
  int64_t step = countPhases(window);
  std::vector<WindowPhase> phases;
  for (int64_t rho = 0; rho < step; ++rho) {
    WindowPhase phase;
    phase.firstOutput = rho;
    phase.outputStep = step;
    solvePhase(phase, filterSize, window);
    phases.push_back(phase);
  }
  return phases;
}

std::vector<WindowPhase> splitPhases(int64_t inputSize, int64_t filterSize,
                                     int64_t outputSize,
                                     const WindowDim &window) {
  std::vector<WindowPhase> phases = splitPhases(filterSize, window);
  std::erase_if(phases, [&](const WindowPhase &phase) {
    return phase.firstOutput >= outputSize;
  });
  for (WindowPhase &phase : phases) {
    phase.outputCount =
        (outputSize - 1 - phase.firstOutput) / phase.outputStep + 1;
    if (phase.tapCount > 0)
      phase.window.padHigh = padHighFor(inputSize, phase.tapCount,
                                        phase.outputCount, phase.window);
  }
  return phases;
}

//===----------------------------------------------------------------------===//
// All dimensions
//===----------------------------------------------------------------------===//

static int64_t spatialSize(Operand operand, const SpatialDim &dim) {
  switch (operand) {
  case Operand::Input:
    return dim.input;
  case Operand::Filter:
    return dim.filter;
  case Operand::Output:
    return dim.output;
  }
  assert(false && "unknown operand");
  return 0;
}

/// The layout that names each dimension of `operand` once, `g` included.
static std::string allLetters(Operand operand, int spatialRank) {
  std::string letters = operand == Operand::Input    ? "ngc"
                        : operand == Operand::Filter ? "gfc"
                                                     : "ngf";
  return letters.append(spatialLetters(spatialRank));
}

int64_t ConvShape::size(Operand operand, char letter) const {
  switch (letter) {
  case 'n':
    return batch;
  case 'g':
    return groups;
  case 'c':
    return inputChannels;
  case 'f':
    return outputChannels;
  default:
    break;
  }
  size_t index = spatialLetters(spatialRank()).find(letter);
  assert(index != std::string_view::npos && "no such dimension");
  return spatialSize(operand, spatial[index]);
}

std::vector<int64_t> ConvShape::shape(Operand operand,
                                      const Layout &layout) const {
  std::vector<int64_t> sizes;
  for (char letter : layout.letters()) {
    bool holdsGroups =
        !layout.hasGroups() && letter == Layout::groupedLetter(operand);
    sizes.push_back(
        clamp(Wide(size(operand, letter)) * (holdsGroups ? groups : 1)));
  }
  return sizes;
}

std::optional<int64_t> ConvShape::elementCount(Operand operand) const {
  std::vector<int64_t> sizes;
  for (char letter : allLetters(operand, spatialRank()))
    sizes.push_back(size(operand, letter));
  return product(sizes);
}

int64_t ConvShape::reductionLength(Direction direction) const {
  bool overOutput = direction == Direction::BackwardFilter;
  std::vector<int64_t> factors = {
      direction == Direction::Forward        ? inputChannels
      : direction == Direction::BackwardData ? outputChannels
                                             : batch};
  for (const SpatialDim &dim : spatial)
    factors.push_back(overOutput ? dim.output : dim.filter);
  return product(factors).value_or(MaxSize);
}

double ConvShape::multiplyAdds() const {
  double count = static_cast<double>(batch) * static_cast<double>(groups) *
                 static_cast<double>(inputChannels) *
                 static_cast<double>(outputChannels);
  for (const SpatialDim &dim : spatial)
    count *= static_cast<double>(dim.output) * static_cast<double>(dim.filter);
  return count;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

using Fault = std::optional<std::string>;

static Fault checkAtLeast(const std::string &name, int64_t value,
                          int64_t least) {
  if (value >= least)
    return std::nullopt;
  return "expected " + name + " of at least " + std::to_string(least) +
         ", but got " + std::to_string(value);
}

/// True where the extents of input and filter, the padding and the stride sum
/// to no more than int64 holds. Each number derived from a window (its backward
/// windows and phases, and their extents) is bounded by this sum.
static bool fitsInt64(const SpatialDim &dim) {
  const WindowDim &window = dim.window;
  return wideDilatedSize(dim.input, window.inputDilation) +
             wideDilatedSize(dim.filter, window.dilation) +
             magnitude(window.padLow) + magnitude(window.padHigh) +
             window.stride + window.dilation <=
         MaxSize;
}

static std::string describe(const SpatialDim &dim) {
  const WindowDim &window = dim.window;
  std::string text = "input " + std::to_string(dim.input) + ", filter " +
                     std::to_string(dim.filter) + ", stride " +
                     std::to_string(window.stride) + ", dilation " +
                     std::to_string(window.dilation) + ", ";
  if (window.inputDilation != 1)
    text += "input dilation " + std::to_string(window.inputDilation) + ", ";
  return text + "padding " + std::to_string(window.padLow) + " and " +
         std::to_string(window.padHigh);
}

static Fault checkDim(char letter, const SpatialDim &dim) {
  std::string of = std::string(" of dimension ") + letter;
  const WindowDim &window = dim.window;
  for (const Fault &fault :
       {checkAtLeast("an input size" + of, dim.input, 0),
        checkAtLeast("a filter size" + of, dim.filter, 0),
        checkAtLeast("an output size" + of, dim.output, 0),
        checkAtLeast("a stride" + of, window.stride, 1),
        checkAtLeast("a dilation" + of, window.dilation, 1),
        checkAtLeast("an input dilation" + of, window.inputDilation, 1)})
    if (fault)
      return fault;
  if (!fitsInt64(dim))
    return "expected extents" + of + " within 64 bits, but got " +
           describe(dim);
  int64_t expected = outputSize(dim.input, dim.filter, window);
  if (dim.output != expected)
    return "expected an output size" + of + " of " + std::to_string(expected) +
           " from " + describe(dim) + ", but got " + std::to_string(dim.output);
  return std::nullopt;
}

std::optional<std::string> checkShape(const ConvShape &shape) {
  if (shape.spatial.empty() || shape.spatial.size() > 3)
    return "expected one to three spatial dimensions, but got " +
           std::to_string(shape.spatial.size());
  for (const Fault &fault :
       {checkAtLeast("a batch size", shape.batch, 0),
        checkAtLeast("a number of groups", shape.groups, 1),
        checkAtLeast("a number of input channels", shape.inputChannels, 0),
        checkAtLeast("a number of output channels", shape.outputChannels, 0)})
    if (fault)
      return fault;
  std::string_view letters = spatialLetters(shape.spatialRank());
  for (size_t i = 0; i < shape.spatial.size(); ++i)
    if (Fault fault = checkDim(letters[i], shape.spatial[i]))
      return fault;
  for (Operand operand : {Operand::Input, Operand::Filter, Operand::Output})
    if (!shape.elementCount(operand))
      return "expected an element count of the " +
             std::string(operandName(operand)) +
             " within 64 bits, but its sizes multiply to more";
  return std::nullopt;
}

} // namespace convoy
