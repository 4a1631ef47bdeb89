//===- Roundings.cpp - Roundings by their types -----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/Roundings.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>

using namespace mlir;
using namespace mlir::convoy;

bool Roundings::isNone() const {
  return llvm::all_of(counts,
                      [](const auto &entry) { return entry.second == 0; });
}

bool Roundings::haveBounds() const {
  return llvm::all_of(counts, [](const auto &entry) {
    return isa<Float64Type, Float32Type, Float16Type, BFloat16Type>(
        entry.first);
  });
}

void Roundings::add(const Roundings &others, uint64_t times) {
  for (auto [type, number] : others.counts)
    counts[type] = llvm::SaturatingMultiplyAdd(number, times, counts[type]);
}

void Roundings::takeMost(const Roundings &others) {
  for (auto [type, number] : others.counts)
    counts[type] = std::max(counts[type], number);
}

DictionaryAttr Roundings::toAttribute(MLIRContext *context) const {
  Builder builder(context);
  SmallVector<NamedAttribute> entries;
  for (auto [type, number] : counts) {
    std::string name;
    llvm::raw_string_ostream(name) << type;
    if (number > 0)
      entries.push_back(builder.getNamedAttr(
          name, builder.getI64IntegerAttr(std::min<uint64_t>(
                    number, std::numeric_limits<int64_t>::max()))));
  }
  return builder.getDictionaryAttr(entries);
}
