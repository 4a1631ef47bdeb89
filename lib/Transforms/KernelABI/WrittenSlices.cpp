//===- WrittenSlices.cpp - Whether slices are all of a tensor ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WrittenSlices.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace mlir;
using namespace mlir::convoy;

void WrittenSlices::add(ShapedType type, SliceAttr slice) {
  if (!slice) {
    isWhole = true;
    return;
  }
  auto *known = llvm::find_if(
      byType, [&](const auto &entry) { return entry.first == type; });
  if (known == byType.end())
    known = byType.insert(known, {type, {}});
  known->second.push_back(slice);
}

/// Whether `slices`, which have the indices before `dim`, have each of those
/// that follow. Indices that the same slices have are looked at once.
static bool coverFrom(int64_t dim, ShapedType type,
                      ArrayRef<SliceAttr> slices) {
  if (slices.empty() || dim == type.getRank())
    return !slices.empty();
  // All slices have all images of a batch.
  if (type.isDynamicDim(dim))
    return coverFrom(dim + 1, type, slices);
  std::set<std::vector<unsigned>> seen;
  for (int64_t index = 0; index < type.getDimSize(dim); ++index) {
    std::vector<unsigned> numbers;
    SmallVector<SliceAttr> here;
    for (auto [number, slice] : llvm::enumerate(slices))
      if (slice.contains(dim, index)) {
        numbers.push_back(number);
        here.push_back(slice);
      }
    if (seen.insert(std::move(numbers)).second &&
        !coverFrom(dim + 1, type, here))
      return false;
  }
  return true;
}

bool WrittenSlices::coverAll() const {
  return isWhole || llvm::any_of(byType, [](const auto &entry) {
           return coverFrom(/*dim=*/0, entry.first, entry.second);
         });
}
