//===- LayeredSource.cpp - Functions of two convolutions --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MutantSource.h"

#include "convoy/Support/RandomNumbers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <map>

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::test;
using ::convoy::RandomNumbers;

namespace {
/// The sizes of a 1-D convolution's dimensions, by letter: `w` of the input,
/// `k` of the filter, `o` of the output.
struct Layer {
  std::map<char, int64_t> sizes;
  int64_t stride, padLow, padHigh;
};

/// The elements of factors and of sums.
struct Elements {
  StringRef factor, sum;

  bool isInteger() const { return sum == "i32"; }
  StringRef getZero() const { return isInteger() ? "0" : "0.0"; }
  /// What narrow floats are summed in.
  StringRef getNumerics() const {
    bool isNarrow = factor == "f16" || factor == "bf16";
    return isNarrow ? " numerics(accumulator = f32)" : "";
  }
};
} // namespace

static Layer drawLayer(RandomNumbers &random, int64_t batch, int64_t channels,
                       int64_t width) {
  Layer layer;
  layer.stride = 1 + random.below(2);
  layer.padLow = random.below(3);
  layer.padHigh = random.below(2);
  int64_t padded = width + layer.padLow + layer.padHigh;
  int64_t taps = 1 + random.below(std::min<int64_t>(3, padded));
  layer.sizes = {
      {'n', batch}, {'c', channels}, {'f', 1 + random.below(3)},
      {'w', width}, {'k', taps},     {'o', (padded - taps) / layer.stride + 1}};
  return layer;
}

/// The sizes of a tensor in `layout`: `spatial` is the letter of what `w`
/// stands for in it.
static SmallVector<int64_t> getSizes(const Layer &layer, StringRef layout,
                                     char spatial) {
  SmallVector<int64_t> sizes;
  for (char letter : layout)
    sizes.push_back(layer.sizes.at(letter == 'w' ? spatial : letter));
  return sizes;
}

static std::string printType(ArrayRef<int64_t> sizes, StringRef element) {
  std::string type = "tensor<";
  for (int64_t size : sizes)
    type += llvm::formatv("{0}x", size);
  return type + element.str() + ">";
}

static std::string drawLayout(RandomNumbers &random, std::string letters) {
  for (size_t left = letters.size(); left > 1; --left)
    std::swap(letters[left - 1], letters[random.below(int64_t(left))]);
  return letters;
}

/// `convoy.conv` on `input` and the filter `filter`, from zeros.
static std::string getConv(const Layer &layer, StringRef number,
                           StringRef input, StringRef layouts,
                           ArrayRef<std::string> types,
                           const Elements &elements) {
  return llvm::formatv(
      "  %z{0} = arith.constant dense<{9}> : {4}\n"
      "  %y{0} = convoy.conv ins(%{1}, %w{0} : {2}, {3}) outs(%z{0} : {4}) "
      "layout({5}) window(stride = [{6}], pad = [[{7}, {8}]]){10}\n",
      number, input, types[0], types[1], types[2], layouts, layer.stride,
      layer.padLow, layer.padHigh, elements.getZero(), elements.getNumerics());
}

/// Elementwise ops from `%y0` to `%r`, tensors of type `type`, with `%b` and
/// zeros.
static std::string drawElementwise(RandomNumbers &random, StringRef type,
                                   const Elements &elements) {
  static constexpr const char *OfIntegers[] = {
      "  %r = arith.addi %y0, %b : {0}\n",
      "  %r = arith.maxsi %y0, %z0 : {0}\n",
      "  %r = arith.muli %y0, %b : {0}\n",
      "  %s = arith.addi %y0, %b : {0}\n  %r = arith.maxsi %s, %z0 : {0}\n"};
  static constexpr const char *OfFloats[] = {
      "  %r = arith.addf %y0, %b : {0}\n",
      "  %r = arith.maximumf %y0, %z0 : {0}\n",
      "  %r = arith.mulf %y0, %b : {0}\n",
      "  %s = arith.addf %y0, %b : {0}\n  %r = arith.maximumf %s, %z0 : {0}\n",
      "  %r = arith.divf %y0, %b : {0}\n",
      "  %s = arith.divf %y0, %b : {0}\n  %r = arith.addf %s, %y0 : {0}\n"};
  const char *ops = elements.isInteger()
                        ? OfIntegers[random.below(std::size(OfIntegers))]
                        : OfFloats[random.below(std::size(OfFloats))];
  return llvm::formatv(ops, type);
}

/// Lets dimensions `first` of `%INPUT` and the next exchange their sizes, but
/// not their elements, and gives `%shaped`. Changes `sizes`.
static std::string reshape(StringRef input, unsigned first, StringRef element,
                           SmallVector<int64_t> &sizes) {
  SmallVector<int64_t> flat = sizes;
  flat[first] *= flat[first + 1];
  flat.erase(flat.begin() + first + 1);
  std::string before = printType(sizes, element);
  std::swap(sizes[first], sizes[first + 1]);
  StringRef groups = first == 0 ? "[[0, 1], [2]]" : "[[0], [1, 2]]";
  return llvm::formatv(
      "  %flat = tensor.collapse_shape %{0} {1} : {2} into {3}\n"
      "  %shaped = tensor.expand_shape %flat {1} output_shape [{4}, {5}, {6}] "
      ": {3} into {7}\n",
      input, groups, before, printType(flat, element), sizes[0], sizes[1],
      sizes[2], printType(sizes, element));
}

static Elements drawElements(RandomNumbers &random) {
  static constexpr Elements All[] = {
      {"f32", "f32"}, {"f16", "f16"}, {"bf16", "bf16"}, {"i8", "i32"}};
  return All[random.below(std::size(All))];
}

std::string test::drawLayers(int64_t number, uint64_t seed) {
  RandomNumbers random(RandomNumbers(seed).next() + uint64_t(number));
  Elements elements = drawElements(random);
  int64_t batch = 1 + random.below(2);
  int64_t channels = 1 + random.below(3);
  Layer first = drawLayer(random, batch, channels, 3 + random.below(4));
  std::string input = drawLayout(random, "nwc"),
              filter = drawLayout(random, "wcf"),
              middle = drawLayout(random, "nwf"),
              secondFilter = drawLayout(random, "wcf"),
              output = drawLayout(random, "nwf");
  SmallVector<int64_t> sizes = getSizes(first, middle, 'o');
  std::string x = printType(getSizes(first, input, 'w'), elements.factor),
              w0 = printType(getSizes(first, filter, 'k'), elements.factor),
              y = printType(sizes, elements.sum);
  std::string body =
      getConv(first, "0", "x", input + " x " + filter + " -> " + middle,
              {x, w0, y}, elements);
  body += drawElementwise(random, y, elements);
  std::string last = "r";
  if (elements.isInteger()) {
    body += llvm::formatv("  %narrow = arith.trunci %r : {0} to {1}\n", y,
                          printType(sizes, elements.factor));
    last = "narrow";
  }
  if (random.below(2) != 0) {
    body += reshape(last, unsigned(random.below(2)), elements.factor, sizes);
    last = "shaped";
  }
  Layer second = drawLayer(random, sizes[middle.find('n')],
                           sizes[middle.find('f')], sizes[middle.find('w')]);
  std::string secondInput = middle;
  std::replace(secondInput.begin(), secondInput.end(), 'f', 'c');
  std::string w1 = printType(getSizes(second, secondFilter, 'k'),
                             elements.factor),
              result = printType(getSizes(second, output, 'o'), elements.sum);
  body += getConv(second, "1", last,
                  secondInput + " x " + secondFilter + " -> " + output,
                  {printType(sizes, elements.factor), w1, result}, elements);
  return llvm::formatv("func.func @layers(%x: {0}, %w0: {1}, %b: {2}, %w1: "
                       "{3}) -> {4} {{\n{5}  return %y1 : {4}\n}\n",
                       x, w0, y, w1, result, body);
}
