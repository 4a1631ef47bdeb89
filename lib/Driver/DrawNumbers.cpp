//===- DrawNumbers.cpp - Numbers that follow from their place ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DrawNumbers.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/ErrorHandling.h"

#include <cmath>

using namespace mlir::convoy;
using ::convoy::DataKind;

double DrawnNumbers::normal() {
  double sum = 0;
  for (int i = 0; i < 12; ++i)
    sum += uniform();
  return sum / 2;
}

double mlir::convoy::drawFloat(DataKind kind, const DrawnPlace &place) {
  DrawnNumbers numbers(place);
  switch (kind) {
  case DataKind::Int:
    return double(numbers.whole(-3, 3));
  case DataKind::Uniform:
    return numbers.uniform();
  case DataKind::Normal:
    return numbers.normal();
  case DataKind::Range: {
    double part = numbers.uniform();
    return std::ldexp(part, int(numbers.whole(-12, 12)));
  }
  case DataKind::Cancel: {
    // Each number is followed by almost its negative.
    if (place.position % 2 == 0)
      return numbers.uniform();
    double before =
        DrawnNumbers({place.seed, place.argument, place.position - 1})
            .uniform();
    return -before * (1 + numbers.uniform() * 0x1p-12);
  }
  case DataKind::Edge:
    return numbers.uniform() < 0 ? -1 : 1;
  case DataKind::Special:
    break;
  }
  llvm_unreachable("no such data for functions");
}

void mlir::convoy::fillByPlace(
    ::convoy::HostArray &array, llvm::StringRef layout, llvm::StringRef letters,
    llvm::function_ref<double(uint64_t position)> draw) {
  llvm::SmallVector<int64_t> index(array.shape.size(), 0);
  for (int64_t i = 0; i < array.elementCount(); ++i) {
    uint64_t position = 0;
    for (char letter : letters) {
      size_t dim = layout.find(letter);
      if (dim != llvm::StringRef::npos)
        position = position * uint64_t(array.shape[dim]) + uint64_t(index[dim]);
    }
    array.set(i, draw(position));
    for (size_t dim = index.size();
         dim-- > 0 && ++index[dim] == array.shape[dim];)
      index[dim] = 0;
  }
}

double mlir::convoy::getBytes(::convoy::ScalarType type,
                              const std::vector<int64_t> &shape) {
  double bytes = double(::convoy::scalarSize(type));
  for (int64_t size : shape)
    bytes *= double(size);
  return bytes;
}
