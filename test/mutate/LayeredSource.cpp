//===- LayeredSource.cpp - Functions of two convolutions --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MutantSource.h"

#include "convoy/Support/RandomNumbers.h"

#include "mlir/Parser/Parser.h"
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

/// A tensor's type: `spatial` is the letter of what `w` stands for in it.
static std::string printType(const Layer &layer, StringRef layout,
                             char spatial) {
  std::string type = "tensor<";
  for (char letter : layout)
    type +=
        llvm::formatv("{0}x", layer.sizes.at(letter == 'w' ? spatial : letter));
  return type + "f32>";
}

static std::string drawLayout(RandomNumbers &random, std::string letters) {
  for (size_t left = letters.size(); left > 1; --left)
    std::swap(letters[left - 1], letters[random.below(int64_t(left))]);
  return letters;
}

/// `convoy.conv` on `input` and the filter `filter`, from zeros.
static std::string getConv(const Layer &layer, StringRef number,
                           StringRef input, StringRef layouts,
                           ArrayRef<std::string> types) {
  return llvm::formatv(
      "  %z{0} = arith.constant dense<0.0> : {4}\n"
      "  %y{0} = convoy.conv ins(%{1}, %w{0} : {2}, {3}) outs(%z{0} : {4}) "
      "layout({5}) window(stride = [{6}], pad = [[{7}, {8}]])\n",
      number, input, types[0], types[1], types[2], layouts, layer.stride,
      layer.padLow, layer.padHigh);
}

std::string test::drawLayers(int64_t number, uint64_t seed) {
  RandomNumbers random(RandomNumbers(seed).next() + uint64_t(number));
  int64_t batch = 1 + random.below(2);
  int64_t channels = 1 + random.below(3);
  Layer first = drawLayer(random, batch, channels, 3 + random.below(4));
  Layer second =
      drawLayer(random, first.sizes['n'], first.sizes['f'], first.sizes['o']);
  std::string input = drawLayout(random, "nwc"),
              filter = drawLayout(random, "wcf"),
              middle = drawLayout(random, "nwf"),
              secondFilter = drawLayout(random, "wcf"),
              output = drawLayout(random, "nwf");
  std::string secondInput = middle;
  std::replace(secondInput.begin(), secondInput.end(), 'f', 'c');
  std::string x = printType(first, input, 'w'),
              w0 = printType(first, filter, 'k'),
              y = printType(first, middle, 'o'),
              w1 = printType(second, secondFilter, 'k'),
              result = printType(second, output, 'o');
  static constexpr const char *Between[] = {
      "  %r = arith.addf %y0, %b : {0}\n",
      "  %r = arith.maximumf %y0, %z0 : {0}\n",
      "  %r = arith.mulf %y0, %b : {0}\n",
      "  %s = arith.addf %y0, %b : {0}\n  %r = arith.maximumf %s, %z0 : {0}\n"};
  std::string body = getConv(
      first, "0", "x", input + " x " + filter + " -> " + middle, {x, w0, y});
  body += llvm::formatv(Between[random.below(std::size(Between))], y);
  body += getConv(second, "1", "r",
                  secondInput + " x " + secondFilter + " -> " + output,
                  {y, w1, result});
  return llvm::formatv("func.func @layers(%x: {0}, %w0: {1}, %b: {2}, %w1: "
                       "{3}) -> {4} {{\n{5}  return %y1 : {4}\n}\n",
                       x, w0, y, w1, result, body);
}

OwningOpRef<ModuleOp> test::buildLayers(MLIRContext *context, StringRef text) {
  return parseSourceString<ModuleOp>(text, context);
}
