//===- MaterializedConv.cpp - Convolution by explicit zeros ---------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MaterializedConv.h"

#include <algorithm>
#include <array>

namespace convoy {

LogicalArray::LogicalArray(const LogicalIndex &sizes) : sizes(sizes) {
  size_t count = 1;
  for (int64_t size : sizes)
    count *= static_cast<size_t>(size);
  values.resize(count);
}

size_t LogicalArray::place(const LogicalIndex &index) const {
  size_t result = 0;
  for (size_t dim = 0; dim < sizes.size(); ++dim)
    result = result * static_cast<size_t>(sizes[dim]) +
             static_cast<size_t>(index[dim]);
  return result;
}

//===----------------------------------------------------------------------===//
// Planes
//===----------------------------------------------------------------------===//

using Triple = std::array<int64_t, 3>;

namespace {

/// The spatial part of an operand: d, h, w.
struct Plane {
  Triple sizes;
  std::vector<double> values;

  explicit Plane(Triple wanted) : sizes(wanted) {
    for (int64_t &size : sizes)
      size = std::max<int64_t>(size, 0);
    values.resize(static_cast<size_t>(sizes[0] * sizes[1] * sizes[2]));
  }

  double &at(int64_t d, int64_t h, int64_t w) {
    return values[static_cast<size_t>((d * sizes[1] + h) * sizes[2] + w)];
  }

  template <typename Function>
  void forEach(Function function) {
    for (int64_t d = 0; d < sizes[0]; ++d)
      for (int64_t h = 0; h < sizes[1]; ++h)
        for (int64_t w = 0; w < sizes[2]; ++w)
          function(d, h, w);
  }
};

} // namespace

static Plane takePlane(const LogicalArray &array, LogicalIndex index) {
  Plane plane({array.sizes[4], array.sizes[5], array.sizes[6]});
  plane.forEach([&](int64_t d, int64_t h, int64_t w) {
    index[4] = d;
    index[5] = h;
    index[6] = w;
    plane.at(d, h, w) = array.at(index);
  });
  return plane;
}

/// Puts factor - 1 zeros between neighbours.
static Plane dilate(Plane plane, Triple factor) {
  Triple sizes;
  for (size_t dim = 0; dim < 3; ++dim)
    sizes[dim] = (plane.sizes[dim] - 1) * factor[dim] + 1;
  if (plane.values.empty())
    return Plane({0, 0, 0});
  Plane result(sizes);
  plane.forEach([&](int64_t d, int64_t h, int64_t w) {
    result.at(d * factor[0], h * factor[1], w * factor[2]) = plane.at(d, h, w);
  });
  return result;
}

/// Adds zeros on both sides; cuts off where negative.
static Plane pad(Plane plane, Triple low, Triple high) {
  Triple sizes;
  for (size_t dim = 0; dim < 3; ++dim)
    sizes[dim] = plane.sizes[dim] + low[dim] + high[dim];
  Plane result(sizes);
  plane.forEach([&](int64_t d, int64_t h, int64_t w) {
    Triple place = {d + low[0], h + low[1], w + low[2]};
    for (size_t dim = 0; dim < 3; ++dim)
      if (place[dim] < 0 || place[dim] >= result.sizes[dim])
        return;
    result.at(place[0], place[1], place[2]) = plane.at(d, h, w);
  });
  return result;
}

static Plane flip(Plane plane, std::array<bool, 3> which) {
  Plane result(plane.sizes);
  plane.forEach([&](int64_t d, int64_t h, int64_t w) {
    result.at(which[0] ? plane.sizes[0] - 1 - d : d,
              which[1] ? plane.sizes[1] - 1 - h : h,
              which[2] ? plane.sizes[2] - 1 - w : w) = plane.at(d, h, w);
  });
  return result;
}

/// Slides `filter` along `image` in single steps, wherever it fits.
static Plane correlate(Plane image, Plane filter) {
  Triple sizes;
  for (size_t dim = 0; dim < 3; ++dim)
    sizes[dim] = image.sizes[dim] - filter.sizes[dim] + 1;
  if (filter.values.empty())
    return Plane({0, 0, 0});
  Plane result(sizes);
  result.forEach([&](int64_t d, int64_t h, int64_t w) {
    filter.forEach([&](int64_t kd, int64_t kh, int64_t kw) {
      result.at(d, h, w) +=
          image.at(d + kd, h + kh, w + kw) * filter.at(kd, kh, kw);
    });
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

namespace {

/// One window parameter of every dimension, d h w.
struct Windows {
  Triple stride, dilation, low, high, inputDilation;
  std::array<bool, 3> reverse;

  explicit Windows(const ConvShape &shape) {
    size_t absent = 3 - shape.spatial.size();
    for (size_t dim = 0; dim < 3; ++dim) {
      WindowDim window =
          dim < absent ? WindowDim() : shape.spatial[dim - absent].window;
      stride[dim] = window.stride;
      dilation[dim] = window.dilation;
      low[dim] = window.padLow;
      high[dim] = window.padHigh;
      inputDilation[dim] = window.inputDilation;
      reverse[dim] = window.reverse;
    }
  }
};

} // namespace

LogicalArray materializedForward(const ConvShape &shape,
                                 const LogicalArray &input,
                                 const LogicalArray &filter) {
  Windows windows(shape);
  LogicalArray output(logicalOperandIndex(shape, Operand::Output).sizes);
  Triple sizes = {output.sizes[4], output.sizes[5], output.sizes[6]};
  for (int64_t n = 0; n < shape.batch; ++n)
    for (int64_t g = 0; g < shape.groups; ++g)
      for (int64_t f = 0; f < shape.outputChannels; ++f)
        for (int64_t c = 0; c < shape.inputChannels; ++c) {
          Plane image = takePlane(input, {n, g, c, 0, 0, 0, 0});
          Plane taps = takePlane(filter, {0, g, c, f, 0, 0, 0});
          Plane all =
              correlate(pad(dilate(image, windows.inputDilation), windows.low,
                            windows.high),
                        dilate(flip(taps, windows.reverse), windows.dilation));
          Plane(sizes).forEach([&](int64_t d, int64_t h, int64_t w) {
            output.at({n, g, 0, f, d, h, w}) +=
                all.at(d * windows.stride[0], h * windows.stride[1],
                       w * windows.stride[2]);
          });
        }
  return output;
}

static double dot(const LogicalArray &left, const LogicalArray &right) {
  double sum = 0;
  for (size_t i = 0; i < left.values.size(); ++i)
    sum += left.values[i] * right.values[i];
  return sum;
}

LogicalArray materializedConv(const ConvShape &shape, Direction direction,
                              const LogicalArray &input,
                              const LogicalArray &filter,
                              const LogicalArray &output) {
  if (direction == Direction::Forward)
    return materializedForward(shape, input, filter);
  bool isData = direction == Direction::BackwardData;
  LogicalArray result = isData ? input : filter;
  LogicalArray unit(result.sizes);
  for (size_t i = 0; i < unit.values.size(); ++i) {
    unit.values[i] = 1;
    result.values[i] =
        dot(output, materializedForward(shape, isData ? unit : input,
                                        isData ? filter : unit));
    unit.values[i] = 0;
  }
  return result;
}

int64_t placeInLayout(const LogicalIndex &sizes, const LogicalIndex &index,
                      const std::string &layout, char flat) {
  bool hasGroups = layout.find('g') != std::string::npos;
  int64_t place = 0;
  for (char letter : layout) {
    int64_t size = sizes[logicalDim(letter)];
    int64_t position = index[logicalDim(letter)];
    if (letter == flat && !hasGroups) {
      position += index[logicalDim('g')] * size;
      size *= sizes[logicalDim('g')];
    }
    place = place * size + position;
  }
  return place;
}

} // namespace convoy
