//===- Tensor.cpp - Values of convolutions, and their sums ----------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tensor.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

/// The most elements of a tensor: what a plain loop computes with in some time.
static constexpr size_t MaxElements = size_t(1) << 28;

/// Throws where the dimensions of `tensor` are not `letters`, in any order.
static void checkLetters(const Tensor &tensor, std::string letters) {
  std::string layout = tensor.argument.layout;
  std::sort(layout.begin(), layout.end());
  std::sort(letters.begin(), letters.end());
  if (layout != letters)
    throw std::runtime_error("expected the dimensions " + letters + " of '" +
                             tensor.argument.name + "', but got the layout " +
                             tensor.argument.layout);
}

Tensor::Tensor(const Argument &argument) : argument(argument) {
  if (argument.type != "f32" || argument.layout.size() != 4 ||
      argument.shape.size() != 4)
    throw std::runtime_error("expected f32 in 2-D, but got " + argument.type +
                             " in layout " + argument.layout + " for '" +
                             argument.name + "'");
  size_t count = 1;
  for (size_t size : argument.shape)
    count *= size;
  if (count > MaxElements)
    throw std::runtime_error("expected at most " + std::to_string(MaxElements) +
                             " elements for '" + argument.name +
                             "', but got " + std::to_string(count));
  values.resize(count);
}

size_t Tensor::size(char letter) const {
  size_t place = argument.layout.find(letter);
  if (place == std::string::npos)
    throw std::runtime_error("'" + argument.name + "' has no dimension " +
                             letter);
  return argument.shape[place];
}

float &Tensor::at(const char *letters, std::array<size_t, 4> position) {
  size_t offset = 0;
  for (size_t dim = 0; dim < 4; ++dim) {
    size_t number = std::string(letters).find(argument.layout[dim]);
    offset = offset * argument.shape[dim] + position.at(number);
  }
  return values[offset];
}

static void fill(Tensor &tensor, unsigned seed) {
  for (float &value : tensor.values) {
    seed = seed * 1664525u + 1013904223u;
    value = float(int(seed >> 24) % 9 - 4);
  }
}

/// Throws where these are not of one convolution that `judge` knows.
static void checkShapes(const Tensor &input, const Tensor &filter,
                        const Tensor &output) {
  checkLetters(input, "nchw");
  checkLetters(filter, "fchw");
  checkLetters(output, "nfhw");
  if (input.size('n') != output.size('n') ||
      input.size('c') != filter.size('c') ||
      filter.size('f') != output.size('f'))
    throw std::runtime_error("expected input, filter and output of one "
                             "convolution without groups");
  for (char letter : {'h', 'w'})
    if (filter.size(letter) == 0 ||
        input.size(letter) != output.size(letter) + filter.size(letter) - 1)
      throw std::runtime_error("expected stride 1 and no padding");
}

std::vector<Tensor> makeTensors(const Entry &entry) {
  std::vector<Tensor> tensors;
  for (const Argument &argument : entry.arguments) {
    Tensor &tensor = tensors.emplace_back(argument);
    if (!argument.isWritten)
      fill(tensor, unsigned(tensors.size()));
  }
  if (tensors.size() != 3 || tensors[0].argument.isWritten ||
      tensors[1].argument.isWritten || !tensors[2].argument.isWritten)
    throw std::runtime_error("expected input, filter and output of '" +
                             entry.name + "'");
  checkShapes(tensors[0], tensors[1], tensors[2]);
  return tensors;
}

/// The element of the output at these positions, by its definition.
static float convolve(Tensor &input, Tensor &filter, size_t n, size_t f,
                      size_t oh, size_t ow) {
  float sum = 0;
  for (size_t c = 0; c < filter.size('c'); ++c)
    for (size_t kh = 0; kh < filter.size('h'); ++kh)
      for (size_t kw = 0; kw < filter.size('w'); ++kw)
        sum += input.at("nchw", {n, c, oh + kh, ow + kw}) *
               filter.at("fchw", {f, c, kh, kw});
  return sum;
}

/// The number of elements of `output` that differ from their definition.
static size_t countWrong(Tensor &input, Tensor &filter, Tensor &output) {
  size_t wrong = 0;
  for (size_t n = 0; n < output.size('n'); ++n)
    for (size_t f = 0; f < output.size('f'); ++f)
      for (size_t oh = 0; oh < output.size('h'); ++oh)
        for (size_t ow = 0; ow < output.size('w'); ++ow)
          wrong += output.at("nfhw", {n, f, oh, ow}) !=
                   convolve(input, filter, n, f, oh, ow);
  return wrong;
}

bool judge(const Entry &entry, std::vector<Tensor> &tensors, double seconds) {
  size_t wrong = countWrong(tensors[0], tensors[1], tensors[2]);
  std::printf("%s: %zu launches, %.3f ms, %zu of %zu elements wrong\n",
              entry.name.c_str(), entry.launches.size(), 1e3 * seconds, wrong,
              tensors[2].values.size());
  return wrong == 0;
}
