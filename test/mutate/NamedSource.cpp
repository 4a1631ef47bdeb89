//===- NamedSource.cpp - Functions of linalg's named ops --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MutantSource.h"

#include "convoy/Support/RandomNumbers.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::test;
using ::convoy::RandomNumbers;

namespace {
/// A named op of linalg and the letters of its operands' dimensions.
struct NamedOp {
  StringRef name, input, filter, output;
};

/// A convolution as frameworks write it: padded, from a bias or zeros, with
/// something elementwise behind it.
class NamedFunction {
public:
  explicit NamedFunction(RandomNumbers &random);
  std::string getText();

private:
  std::string getType(StringRef letters, char role) const;
  std::string getMap(StringRef letters) const;
  /// An op that goes over the output: `body` of `%in` and `%out`.
  std::string getGeneric(StringRef result, StringRef input, StringRef letters,
                         StringRef inputType, StringRef body) const;
  std::string getPadding() const;
  std::string getInit();
  std::string getEpilogue();
  std::string getList(const std::map<char, int64_t> &numbers) const;

  RandomNumbers &random;
  NamedOp op;
  StringRef spatial;
  bool isInteger;
  std::string factor, sum;
  /// By letter; `low` and `high` are padding.
  std::map<char, int64_t> inputs, taps, outputs, strides, dilations, low, high;
};
} // namespace

static constexpr NamedOp Ops[] = {
    {"conv_1d_nwc_wcf", "nwc", "wcf", "nwf"},
    {"conv_1d_ncw_fcw", "ncw", "fcw", "nfw"},
    {"conv_2d_nhwc_hwcf", "nhwc", "hwcf", "nhwf"},
    {"conv_2d_nchw_fchw", "nchw", "fchw", "nfhw"},
    {"conv_2d_nhwc_fhwc", "nhwc", "fhwc", "nhwf"},
    {"depthwise_conv_1d_nwc_wc", "nwc", "wc", "nwc"},
    {"depthwise_conv_2d_nhwc_hwc", "nhwc", "hwc", "nhwc"},
    {"depthwise_conv_2d_nchw_chw", "nchw", "chw", "nchw"}};

NamedFunction::NamedFunction(RandomNumbers &random) : random(random) {
  op = Ops[random.below(std::size(Ops))];
  spatial = StringRef(op.name).contains("1d") ? "w" : "hw";
  isInteger = random.below(3) == 0;
  factor = isInteger ? "i8" : "f32";
  sum = isInteger ? "i32" : "f32";
  // Of equal sizes, a fault in a map leaves legal types.
  bool isSquare = random.below(2) != 0;
  int64_t common = 2 + random.below(2);
  for (char letter : StringRef("ncf"))
    inputs[letter] = taps[letter] = outputs[letter] =
        isSquare ? common : 1 + random.below(3);
  for (char letter : spatial) {
    taps[letter] = 1 + random.below(3);
    outputs[letter] = isSquare ? common : 1 + random.below(4);
    strides[letter] = 1 + random.below(2);
    dilations[letter] = 1 + random.below(2);
    int64_t needed = (outputs[letter] - 1) * strides[letter] +
                     (taps[letter] - 1) * dilations[letter] + 1;
    low[letter] = random.below(2);
    high[letter] = random.below(2);
    inputs[letter] = std::max<int64_t>(
        needed - low[letter] - high[letter] + random.below(2), 1);
  }
}

std::string NamedFunction::getType(StringRef letters, char role) const {
  const std::map<char, int64_t> &sizes = role == 'i'   ? inputs
                                         : role == 'f' ? taps
                                                       : outputs;
  std::string text = "tensor<";
  for (char letter : letters)
    text += std::to_string(sizes.at(letter) +
                           (role == 'i' && spatial.contains(letter)
                                ? low.at(letter) + high.at(letter)
                                : 0)) +
            "x";
  return text + (role == 'o' ? sum : factor) + ">";
}

std::string NamedFunction::getMap(StringRef letters) const {
  SmallVector<std::string> dims, results;
  for (char letter : op.output)
    dims.push_back(std::string(1, letter));
  for (char letter : letters)
    results.push_back(std::string(1, letter));
  return "affine_map<(" + llvm::join(dims, ", ") + ") -> (" +
         llvm::join(results, ", ") + ")>";
}

std::string NamedFunction::getGeneric(StringRef result, StringRef input,
                                      StringRef letters, StringRef inputType,
                                      StringRef body) const {
  SmallVector<StringRef> iterators(op.output.size(), "\"parallel\"");
  std::string type = getType(op.output, 'o');
  return llvm::formatv(
      "  %{0} = linalg.generic {{indexing_maps = [{1}, {2}], iterator_types = "
      "[{3}]} ins(%{4} : {5}) outs(%e : {6}) {{\n"
      "  ^bb0(%in: {7}, %out: {7}):\n{8}  } -> {6}\n",
      result, getMap(letters), getMap(op.output), llvm::join(iterators, ", "),
      input, inputType, type, sum, body);
}

std::string NamedFunction::getPadding() const {
  std::string lows, highs, from = "tensor<", separator;
  for (char letter : op.input) {
    bool isSpatial = spatial.contains(letter);
    lows += separator + std::to_string(isSpatial ? low.at(letter) : 0);
    highs += separator + std::to_string(isSpatial ? high.at(letter) : 0);
    from += std::to_string(inputs.at(letter)) + "x";
    separator = ", ";
  }
  std::string indices;
  for (size_t dim = 0; dim < op.input.size(); ++dim)
    indices += (dim ? ", %i" : "%i") + std::to_string(dim) + ": index";
  return llvm::formatv("  %p = tensor.pad %x low[{0}] high[{1}] {{\n"
                       "  ^bb0({2}):\n    tensor.yield %zero : {3}\n"
                       "  } : {4}{3}> to {5}\n",
                       lows, highs, indices, factor, from,
                       getType(op.input, 'i'));
}

std::string NamedFunction::getInit() {
  std::string type = getType(op.output, 'o');
  switch (random.below(3)) {
  case 0:
    return llvm::formatv("  %s = linalg.fill ins(%start : {0}) outs(%e : {1}) "
                         "-> {1}\n",
                         sum, type);
  case 1: {
    StringRef channel = op.output.contains('f') ? "f" : "c";
    std::string biasType = "tensor<" +
                           std::to_string(outputs.at(channel.front())) + "x" +
                           sum + ">";
    return getGeneric("s", "b", channel, biasType,
                      "    linalg.yield %in : " + sum + "\n");
  }
  default:
    return llvm::formatv("  %s = tensor.cast %init : {0} to {0}\n", type);
  }
}

std::string NamedFunction::getEpilogue() {
  std::string yield = "    linalg.yield %r : " + sum + "\n";
  std::string type = getType(op.output, 'o');
  std::string maximum = isInteger ? "arith.maxsi" : "arith.maximumf";
  switch (random.below(4)) {
  case 0:
    return getGeneric("z", "y", op.output, type,
                      llvm::formatv("    %r = {0} %in, %start : {1}\n{2}",
                                    maximum, sum, yield)
                          .str());
  case 1: {
    std::string compare = isInteger ? "arith.cmpi sgt" : "arith.cmpf ugt";
    return getGeneric(
        "z", "y", op.output, type,
        llvm::formatv("    %c = {0}, %in, %start : {1}\n"
                      "    %r = arith.select %c, %in, %start : {1}\n{2}",
                      compare, sum, yield)
            .str());
  }
  case 2:
    return llvm::formatv("  %z = arith.{0} %y, %init : {1}\n",
                         isInteger ? "addi" : "addf", type);
  default:
    return llvm::formatv("  %z = tensor.cast %y : {0} to {0}\n", type);
  }
}

std::string
NamedFunction::getList(const std::map<char, int64_t> &numbers) const {
  SmallVector<std::string> list;
  for (char letter : spatial)
    list.push_back(std::to_string(numbers.at(letter)));
  return "dense<[" + llvm::join(list, ", ") + "]> : tensor<" +
         std::to_string(spatial.size()) + "xi64>";
}

std::string NamedFunction::getText() {
  std::string x = "tensor<";
  for (char letter : op.input)
    x += std::to_string(inputs.at(letter)) + "x";
  x += factor + ">";
  std::string w = getType(op.filter, 'f'), y = getType(op.output, 'o');
  char channel = op.output.contains('f') ? 'f' : 'c';
  std::string text = llvm::formatv(
      "func.func @named(%x: {0}, %w: {1}, %b: tensor<{2}x{3}>, %init: {4}) -> "
      "{4} {{\n  %zero = arith.constant {5} : {6}\n"
      "  %start = arith.constant {5} : {3}\n  %e = tensor.empty() : {4}\n",
      x, w, outputs.at(channel), sum, y, isInteger ? "0" : "0.0", factor);
  text += getPadding() + getInit();
  text += llvm::formatv(
      "  %y = linalg.{0} {{dilations = {1}, strides = {2}} ins(%p, %w : {3}, "
      "{4}) outs(%s : {5}) -> {5}\n",
      op.name, getList(dilations), getList(strides), getType(op.input, 'i'), w,
      y);
  text += getEpilogue();
  return text + "  return %z : " + y + "\n}\n";
}

std::string test::drawNamed(int64_t number, uint64_t seed) {
  RandomNumbers random(RandomNumbers(seed).next() + uint64_t(number));
  return NamedFunction(random).getText();
}
