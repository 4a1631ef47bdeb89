//===- IreeMeaning.cpp - IREE's im2col in its generic form ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attributes are those that IREE 3.13 prints and documents: result
// dimension j is dimension output_perm[j] of the canonical order batch, m, k;
// each canonical dimension is a number whose digits have the sizes of
// output_sizes. The digits of the k dimensions, digit input_k_perm[i] for i =
// 0, 1, .., are the places in the window, one for each of m_pos, and the
// channels, one for each of k_pos.
//
//===----------------------------------------------------------------------===//

#include "Denoter.h"

#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

namespace {
/// The attributes of one op.
class Im2colAttributes {
public:
  explicit Im2colAttributes(Operation *op)
      : properties(
            dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute())),
        discardable(op->getAttrDictionary()) {}

  Attribute find(StringRef name) {
    if (properties)
      if (Attribute value = properties.get(name))
        return value;
    return discardable.get(name);
  }
  ArrayRef<int64_t> getArray(StringRef name) {
    if (auto array = dyn_cast_or_null<DenseI64ArrayAttr>(find(name)))
      return array;
    isComplete = false;
    return {};
  }
  /// The sizes of the digits of each canonical dimension.
  SmallVector<ArrayRef<int64_t>> getOutputSizes() {
    SmallVector<ArrayRef<int64_t>> sizes;
    auto list = dyn_cast_or_null<ArrayAttr>(find("static_output_sizes"));
    isComplete &= list != nullptr;
    for (Attribute digits : list ? list.getValue() : ArrayRef<Attribute>()) {
      auto array = dyn_cast<DenseI64ArrayAttr>(digits);
      isComplete &= array != nullptr;
      sizes.push_back(array ? array.asArrayRef() : ArrayRef<int64_t>());
    }
    return sizes;
  }
  bool isEmpty(StringRef name) {
    auto array = dyn_cast_or_null<DenseI64ArrayAttr>(find(name));
    return !array || array.empty();
  }

  /// Whether all attributes asked for were there.
  bool isComplete = true;

private:
  DictionaryAttr properties, discardable;
};
} // namespace

/// The digits of `number`, outermost first, as new unknowns.
static SmallVector<LinearExpr> getDigits(Solver &solver, LinearExpr number,
                                         ArrayRef<int64_t> sizes, Part &where) {
  SmallVector<LinearExpr> digits(sizes.size(), 0);
  for (size_t digit = sizes.size(); digit-- > 1;) {
    if (sizes[digit] == 1)
      continue;
    where.locals.push_back(solver.makeVar());
    LinearExpr quotient = LinearExpr::var(where.locals.back());
    digits[digit] = number - quotient * DynamicAPInt(sizes[digit]);
    where.domain.addRange(0, digits[digit], sizes[digit]);
    number = quotient;
  }
  digits[0] = number;
  return digits;
}

FailureOr<Pieces> Denoter::readForeignIm2col(Operation *op,
                                             ArrayRef<LinearExpr> at,
                                             const System &context) {
  Im2colAttributes attributes(op);
  ArrayRef<int64_t> batch = attributes.getArray("batch_pos"),
                    positions = attributes.getArray("m_pos"),
                    channels = attributes.getArray("k_pos"),
                    strides = attributes.getArray("strides"),
                    dilations = attributes.getArray("dilations"),
                    inputPerm = attributes.getArray("input_k_perm"),
                    outputPerm = attributes.getArray("output_perm"),
                    offsets = attributes.getArray("static_offsets");
  SmallVector<ArrayRef<int64_t>> sizes = attributes.getOutputSizes();
  if (!attributes.isComplete || op->getNumOperands() != 2)
    return undecided(op, "an im2col of another version, or with dynamic sizes");
  for (StringRef pad : {"static_input_pad_low", "static_input_pad_high",
                        "static_output_pad_low", "static_output_pad_high"})
    if (!attributes.isEmpty(pad))
      return undecided(op, "an im2col that pads");
  size_t rank = cast<RankedTensorType>(op->getOperand(0).getType()).getRank();
  bool fits = llvm::all_of(offsets, [](int64_t offset) { return offset == 0; });
  fits &= outputPerm.size() == at.size() && sizes.size() == at.size() &&
          strides.size() == positions.size() &&
          dilations.size() == positions.size() &&
          batch.size() + positions.size() + channels.size() == rank;
  if (!fits)
    return undecided(op,
                     "an im2col with offsets, or with lists of other sizes");
  // All digits, in the canonical order.
  Part where;
  SmallVector<LinearExpr> canonical(at.size(), 0), digits;
  for (auto [dim, place] : llvm::enumerate(outputPerm))
    canonical[place] = at[dim];
  for (auto [number, digitSizes] : llvm::zip_equal(canonical, sizes))
    llvm::append_range(digits, getDigits(solver, number, digitSizes, where));
  if (digits.size() != rank + positions.size() ||
      inputPerm.size() != positions.size() + channels.size())
    return undecided(op, "an im2col with digits that no dimension takes");
  ArrayRef<LinearExpr> outputs =
      ArrayRef(digits).slice(batch.size(), positions.size());
  ArrayRef<LinearExpr> inner =
      ArrayRef(digits).drop_front(batch.size() + positions.size());
  SmallVector<LinearExpr> indices(rank, 0);
  for (auto [dim, digit] : llvm::zip(batch, digits))
    indices[dim] = digit;
  for (auto [number, dim] : llvm::enumerate(positions))
    indices[dim] = outputs[number] * DynamicAPInt(strides[number]) +
                   inner[inputPerm[number]] * DynamicAPInt(dilations[number]);
  for (auto [number, dim] : llvm::enumerate(channels))
    indices[dim] = inner[inputPerm[positions.size() + number]];
  System inCase = context & where.domain;
  FailureOr<System> bounds = getBounds(op->getOperand(0), indices);
  if (failed(bounds))
    return failure();
  for (const Constraint &bound : bounds->getConstraints())
    if (!solver.implies(inCase, bound))
      return undecided(op, "an im2col that may read outside its input");
  FailureOr<Pieces> elements = readAt(op->getOperand(0), indices, inCase);
  if (failed(elements))
    return failure();
  return restrict(std::move(*elements), where);
}
