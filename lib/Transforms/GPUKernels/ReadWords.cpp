//===- ReadWords.cpp - Several elements as one integer ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "convoy/Transforms/GPUKernels/Passes.h"
#include "convoy/Transforms/Utils/Divisibility.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_READWORDSPASS
#include "convoy/Transforms/GPUKernels/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

/// The longest vectors that SPIR-V has.
static constexpr int64_t kWordLanes = 4;
/// Bits of the longest reads that GPUs have.
static constexpr unsigned kLongBits = 128;

//===----------------------------------------------------------------------===//
// Vectors that SPIR-V has
//===----------------------------------------------------------------------===//

static Value advance(OpBuilder &builder, Location loc, Value index,
                     int64_t distance) {
  return builder.createOrFold<arith::AddIOp>(
      loc, index, arith::ConstantIndexOp::create(builder, loc, distance));
}

/// The part of 4 elements of `load` that `user` takes from, or nothing where it
/// takes from several.
static std::optional<int64_t> getPart(Operation *user) {
  if (auto extract = dyn_cast<vector::ExtractOp>(user)) {
    if (extract.getNumIndices() == 1 && !extract.hasDynamicPosition())
      return extract.getStaticPosition()[0] / kWordLanes;
    return std::nullopt;
  }
  auto slice = dyn_cast<vector::ExtractStridedSliceOp>(user);
  if (!slice || slice.hasNonUnitStrides())
    return std::nullopt;
  int64_t first = cast<IntegerAttr>(slice.getOffsets()[0]).getInt();
  int64_t size = slice.getType().getDimSize(0);
  if (first % kWordLanes + size > kWordLanes)
    return std::nullopt;
  return first / kWordLanes;
}

/// Whether `load` can become loads of 4 elements.
static bool canDivide(vector::LoadOp load) {
  VectorType type = load.getVectorType();
  return type.getRank() == 1 && !type.isScalable() &&
         canUnroll(type.getShape()) &&
         type.getNumElements() % kWordLanes == 0 &&
         (type.getNumElements() == kWordLanes ||
          llvm::all_of(load->getUsers(), [](Operation *user) {
            return getPart(user).has_value();
          }));
}

/// Gives the users of `load` its parts of 4 elements instead, and erases it.
static void replaceByParts(vector::LoadOp load, ArrayRef<Value> parts) {
  if (parts.size() == 1)
    load.replaceAllUsesWith(parts.front());
  for (Operation *user : llvm::make_early_inc_range(load->getUsers())) {
    OpBuilder builder(user);
    Value part = parts[*getPart(user)];
    Value taken;
    if (auto extract = dyn_cast<vector::ExtractOp>(user)) {
      taken = vector::ExtractOp::create(builder, user->getLoc(), part,
                                        extract.getStaticPosition()[0] %
                                            kWordLanes);
    } else {
      auto slice = cast<vector::ExtractStridedSliceOp>(user);
      int64_t first = cast<IntegerAttr>(slice.getOffsets()[0]).getInt();
      taken = builder.createOrFold<vector::ExtractStridedSliceOp>(
          user->getLoc(), part, ArrayRef<int64_t>{first % kWordLanes},
          slice.getType().getShape(), ArrayRef<int64_t>{1});
    }
    user->getResult(0).replaceAllUsesWith(taken);
    user->erase();
  }
  load.erase();
}

/// vector.load of 8 elements -> two of 4
static void divideLoad(vector::LoadOp load) {
  VectorType type = load.getVectorType();
  if (type.getNumElements() == kWordLanes || !canDivide(load))
    return;
  OpBuilder builder(load);
  Location loc = load.getLoc();
  auto partType = VectorType::get({kWordLanes}, type.getElementType());
  SmallVector<Value> parts, indices(load.getIndices());
  Value first = indices.back();
  for (int64_t lane = 0; lane < type.getNumElements(); lane += kWordLanes) {
    indices.back() = advance(builder, loc, first, lane);
    parts.push_back(vector::LoadOp::create(builder, loc, partType,
                                           load.getBase(), indices));
  }
  replaceByParts(load, parts);
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

namespace {
/// How the elements of a buffer are read.
struct WordLayout {
  int64_t elements; ///< of one access
  int64_t words;    ///< the same in words
  unsigned wordBits;

  int64_t getElementsOfWord() const { return elements / words; }
};
} // namespace

/// The most elements, up to a power of two, that all `loads` take at once, from
/// a multiple of as many on.
static int64_t countElements(MemRefType buffer, ArrayRef<vector::LoadOp> loads,
                             int64_t most) {
  auto areTaken = [&](int64_t elements) {
    if (buffer.hasStaticShape() && buffer.getDimSize(0) % elements != 0)
      return false;
    return llvm::all_of(loads, [&](vector::LoadOp load) {
      VectorType type = load.getVectorType();
      int64_t bytes = elements * getElementBits(type.getElementType()) / 8;
      return type.getNumElements() % elements == 0 &&
             (load.getAlignment().value_or(0) >= uint64_t(bytes) ||
              isMultipleOf(load.getIndices().back(), elements));
    });
  };
  int64_t elements = most;
  while (elements >= kWordLanes && !areTaken(elements))
    elements /= 2;
  return elements;
}

/// The layout of `buffer`, which `loads` read, in the largest words that hold
/// whole elements and that no more than 4 elements are taken out of; nothing
/// where it has none.
static std::optional<WordLayout> chooseLayout(MemRefType buffer,
                                              ArrayRef<vector::LoadOp> loads,
                                              bool has64Bits) {
  unsigned bits = getElementBits(buffer.getElementType());
  int64_t elements = countElements(buffer, loads, /*most=*/2 * kWordLanes);
  if (elements < kWordLanes)
    return std::nullopt;
  for (unsigned wordBits : {64u, 32u})
    if (bits < wordBits && wordBits % bits == 0 &&
        wordBits / bits <= kWordLanes && (wordBits == 32 || has64Bits))
      return WordLayout{elements, elements * bits / wordBits, wordBits};
  return std::nullopt;
}

/// The layout of `buffer` in accesses of 16 bytes, four words, where all
/// `loads` take as many and vectors of 4 elements are shorter.
static std::optional<WordLayout> getLongLayout(MemRefType buffer,
                                               ArrayRef<vector::LoadOp> loads) {
  constexpr unsigned wordBits = kLongBits / kWordLanes;
  unsigned bits = getElementBits(buffer.getElementType());
  int64_t elements = kLongBits / bits;
  if (bits >= wordBits || kLongBits % bits != 0 ||
      countElements(buffer, loads, elements) != elements)
    return std::nullopt;
  return WordLayout{elements, kWordLanes, wordBits};
}

/// The parts of 4 elements of `type` that the vectors `words` hold.
static SmallVector<Value> splitWords(OpBuilder &builder, Location loc,
                                     ArrayRef<Value> words, VectorType type,
                                     const WordLayout &layout) {
  auto partType = VectorType::get({kWordLanes}, type.getElementType());
  int64_t wordsOfPart = kWordLanes / layout.getElementsOfWord();
  SmallVector<Value> parts;
  for (Value vector : words)
    for (int64_t word = 0; word < layout.words; word += wordsOfPart) {
      auto slice = builder.createOrFold<vector::ExtractStridedSliceOp>(
          loc, vector, ArrayRef<int64_t>{word}, ArrayRef<int64_t>{wordsOfPart},
          ArrayRef<int64_t>{1});
      parts.push_back(vector::BitCastOp::create(builder, loc, partType, slice));
    }
  return parts;
}

/// vector.load of elements -> memref.load of `layout`'s vectors of words
static void readWords(vector::LoadOp load, const WordLayout &layout) {
  OpBuilder builder(load);
  Location loc = load.getLoc();
  Value number = arith::DivUIOp::create(
      builder, loc, load.getIndices().back(),
      arith::ConstantIndexOp::create(builder, loc, layout.elements));
  VectorType type = load.getVectorType();
  SmallVector<Value> words;
  for (int64_t next = 0; next < type.getNumElements() / layout.elements; ++next)
    words.push_back(memref::LoadOp::create(
        builder, loc, load.getBase(), advance(builder, loc, number, next)));
  replaceByParts(load, splitWords(builder, loc, words, type, layout));
}

/// The loads of `buffer`, if nothing else is done with it.
static std::optional<SmallVector<vector::LoadOp>>
getLoads(BlockArgument buffer) {
  SmallVector<vector::LoadOp> loads;
  for (Operation *user : buffer.getUsers()) {
    auto load = dyn_cast<vector::LoadOp>(user);
    if (!load || !canDivide(load))
      return std::nullopt;
    loads.push_back(load);
  }
  return loads;
}

/// Reads the argument `buffer` by words, if it can be: by any where shared
/// memory is slow, else by 16 bytes.
static void readWords(BlockArgument buffer, const VulkanLimits &limits) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type || type.getRank() != 1 || !type.getLayout().isIdentity() ||
      !type.getElementType().isIntOrFloat() || buffer.use_empty())
    return;
  std::optional<SmallVector<vector::LoadOp>> loads = getLoads(buffer);
  if (!loads)
    return;
  std::optional<WordLayout> layout =
      limits.slowSharedMemory ? chooseLayout(type, *loads, limits.i64)
                              : getLongLayout(type, *loads);
  if (!layout)
    return;
  int64_t size = type.hasStaticShape() ? type.getDimSize(0) / layout->elements
                                       : ShapedType::kDynamic;
  auto words = VectorType::get(
      {layout->words}, IntegerType::get(type.getContext(), layout->wordBits));
  buffer.setType(MemRefType::get({size}, words, MemRefLayoutAttrInterface(),
                                 type.getMemorySpace()));
  for (vector::LoadOp load : *loads)
    readWords(load, *layout);
}

namespace {
struct ReadWordsPass final
    : mlir::convoy::impl::ReadWordsPassBase<ReadWordsPass> {
  using Base::Base;

  void runOnOperation() override {
    auto profile = VulkanProfileAttr::lookup(getOperation());
    if (profile)
      getOperation()->walk([&](gpu::GPUFuncOp function) {
        readWordsOf(function, profile.getLimits());
      });
    SmallVector<vector::LoadOp> loads;
    getOperation()->walk([&](vector::LoadOp load) { loads.push_back(load); });
    llvm::for_each(loads, divideLoad);
  }

private:
  static void readWordsOf(gpu::GPUFuncOp function, const VulkanLimits &limits) {
    // Attributions are arguments of the body as well.
    auto buffers =
        function.getArguments().take_front(function.getNumArguments());
    for (BlockArgument buffer : buffers)
      readWords(buffer, limits);
    function.setType(
        FunctionType::get(function.getContext(), ValueRange(buffers).getTypes(),
                          function.getFunctionType().getResults()));
  }
};
} // namespace
