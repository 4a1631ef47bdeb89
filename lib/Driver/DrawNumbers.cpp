//===- DrawNumbers.cpp - Numbers that follow from their place ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DrawNumbers.h"

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
