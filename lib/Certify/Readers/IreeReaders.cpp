//===- IreeReaders.cpp - IREE's im2col in its generic form ------*- C++ -*-===//
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

#include "OpReaders.h"

#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

namespace {
/// One op, read from its attributes.
struct ForeignIm2col {
  ArrayRef<int64_t> batch, positions, channels; ///< dimensions of the input
  ArrayRef<int64_t> strides, dilations, inputPerm, outputPerm, offsets;
  /// The sizes of the digits of each canonical dimension.
  SmallVector<ArrayRef<int64_t>> sizes;
  size_t inputRank, resultRank;

  /// Reads `op`; returns what is wrong with it, or nothing.
  StringRef read(Operation *op);
  /// The input's element for element `at` of the result.
  SmallVector<LinearExpr> getIndices(Solver &solver, ArrayRef<LinearExpr> at,
                                     Part &where) const;

private:
  bool readLists(Operation *op);
  bool fitsTogether() const;
};
} // namespace

/// An attribute of an op whose dialect is not known.
static Attribute findAttribute(Operation *op, StringRef name) {
  if (auto properties =
          dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute()))
    if (Attribute value = properties.get(name))
      return value;
  return op->getAttr(name);
}

static bool readArray(Attribute attribute, ArrayRef<int64_t> &array) {
  auto dense = dyn_cast_or_null<DenseI64ArrayAttr>(attribute);
  if (dense)
    array = dense;
  return dense != nullptr;
}

bool ForeignIm2col::readLists(Operation *op) {
  std::pair<StringRef, ArrayRef<int64_t> *> lists[] = {
      {"batch_pos", &batch},        {"m_pos", &positions},
      {"k_pos", &channels},         {"strides", &strides},
      {"dilations", &dilations},    {"input_k_perm", &inputPerm},
      {"output_perm", &outputPerm}, {"static_offsets", &offsets}};
  for (auto [name, list] : lists)
    if (!readArray(findAttribute(op, name), *list))
      return false;
  auto all =
      dyn_cast_or_null<ArrayAttr>(findAttribute(op, "static_output_sizes"));
  for (Attribute digits : all ? all.getValue() : ArrayRef<Attribute>())
    if (!readArray(digits, sizes.emplace_back()))
      return false;
  return all != nullptr;
}

static bool isPermutation(ArrayRef<int64_t> list, size_t size) {
  SmallVector<int64_t> sorted(list);
  llvm::sort(sorted);
  return llvm::equal(sorted, llvm::seq<int64_t>(0, size));
}

bool ForeignIm2col::fitsTogether() const {
  SmallVector<int64_t> dims(batch);
  dims.append(positions.begin(), positions.end());
  dims.append(channels.begin(), channels.end());
  size_t numDigits = 0;
  for (ArrayRef<int64_t> digits : sizes) {
    numDigits += digits.size();
    if (digits.empty() ||
        llvm::any_of(digits, [](int64_t size) { return size < 1; }))
      return false;
  }
  return isPermutation(dims, inputRank) &&
         isPermutation(outputPerm, resultRank) && sizes.size() == resultRank &&
         isPermutation(inputPerm, positions.size() + channels.size()) &&
         strides.size() == positions.size() &&
         dilations.size() == positions.size() &&
         numDigits == inputRank + positions.size();
}

StringRef ForeignIm2col::read(Operation *op) {
  bool hasTensors = op->getNumOperands() == 2 && op->getNumResults() == 1 &&
                    isa<RankedTensorType>(op->getOperand(0).getType());
  if (!hasTensors || !readLists(op))
    return "an im2col of another version, or with dynamic sizes";
  for (StringRef name : {"static_input_pad_low", "static_input_pad_high",
                         "static_output_pad_low", "static_output_pad_high"}) {
    ArrayRef<int64_t> pad;
    if (readArray(findAttribute(op, name), pad) && !pad.empty())
      return "an im2col that pads";
  }
  inputRank = cast<RankedTensorType>(op->getOperand(0).getType()).getRank();
  resultRank = cast<RankedTensorType>(op->getResult(0).getType()).getRank();
  if (!fitsTogether())
    return "an im2col whose lists do not fit together";
  if (llvm::any_of(offsets, [](int64_t offset) { return offset != 0; }))
    return "an im2col with offsets";
  return "";
}

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

SmallVector<LinearExpr> ForeignIm2col::getIndices(Solver &solver,
                                                  ArrayRef<LinearExpr> at,
                                                  Part &where) const {
  SmallVector<LinearExpr> canonical(resultRank, 0), digits;
  for (auto [dim, place] : llvm::enumerate(outputPerm))
    canonical[place] = at[dim];
  for (auto [number, digitSizes] : llvm::zip_equal(canonical, sizes))
    llvm::append_range(digits, getDigits(solver, number, digitSizes, where));
  ArrayRef<LinearExpr> outputs = ArrayRef(digits).drop_front(batch.size());
  ArrayRef<LinearExpr> inner = outputs.drop_front(positions.size());
  SmallVector<LinearExpr> indices(inputRank, 0);
  for (auto [dim, digit] : llvm::zip(batch, digits))
    indices[dim] = digit;
  for (auto [number, dim] : llvm::enumerate(positions))
    indices[dim] = outputs[number] * DynamicAPInt(strides[number]) +
                   inner[inputPerm[number]] * DynamicAPInt(dilations[number]);
  for (auto [number, dim] : llvm::enumerate(channels))
    indices[dim] = inner[inputPerm[positions.size() + number]];
  return indices;
}

FailureOr<Pieces> certify::readIreeIm2col(SymbolicEvaluator &evaluator,
                                          Operation *op,
                                          ArrayRef<LinearExpr> at,
                                          const System &context) {
  ForeignIm2col im2col;
  if (StringRef fault = im2col.read(op); !fault.empty())
    return evaluator.undecided(op, fault);
  Solver &solver = evaluator.getSolver();
  Part where;
  SmallVector<LinearExpr> indices = im2col.getIndices(solver, at, where);
  System inCase = context & where.domain;
  FailureOr<System> bounds =
      evaluator.getSizes().getBounds(op->getOperand(0), indices);
  if (failed(bounds))
    return failure();
  for (const Constraint &bound : bounds->getConstraints())
    if (!solver.implies(inCase, bound))
      return evaluator.undecided(op,
                                 "an im2col that may read outside its input");
  FailureOr<Pieces> elements =
      evaluator.readAt(op->getOperand(0), indices, inCase);
  if (failed(elements))
    return failure();
  return restrict(std::move(*elements), where);
}
