//===- MutateIndices.cpp - Faults in maps, slices and loops -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::convoy::test;

//===----------------------------------------------------------------------===//
// Affine expressions
//===----------------------------------------------------------------------===//

/// `expr` with one part changed by one, or with one sign flipped.
static SmallVector<AffineExpr> getVariants(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    MLIRContext *context = expr.getContext();
    SmallVector<AffineExpr> variants = {
        getAffineConstantExpr(constant.getValue() + 1, context),
        getAffineConstantExpr(constant.getValue() - 1, context)};
    if (constant.getValue() < 0)
      variants.push_back(getAffineConstantExpr(-constant.getValue(), context));
    return variants;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return {};
  SmallVector<AffineExpr> variants;
  AffineExpr lhs = binary.getLHS(), rhs = binary.getRHS();
  for (AffineExpr variant : getVariants(lhs))
    variants.push_back(getAffineBinaryOpExpr(expr.getKind(), variant, rhs));
  bool divides = expr.getKind() != AffineExprKind::Add &&
                 expr.getKind() != AffineExprKind::Mul;
  for (AffineExpr variant : getVariants(rhs)) {
    auto constant = dyn_cast<AffineConstantExpr>(variant);
    if (divides && (!constant || constant.getValue() < 1))
      continue;
    variants.push_back(getAffineBinaryOpExpr(expr.getKind(), lhs, variant));
  }
  return variants;
}

/// `-x + c` without the reversal: `x`; null for another expression.
static AffineExpr dropReversal(AffineExpr expr) {
  auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!sum || sum.getKind() != AffineExprKind::Add ||
      !isa<AffineConstantExpr>(sum.getRHS()))
    return {};
  auto product = dyn_cast<AffineBinaryOpExpr>(sum.getLHS());
  if (!product || product.getKind() != AffineExprKind::Mul)
    return {};
  auto factor = dyn_cast<AffineConstantExpr>(product.getRHS());
  return factor && factor.getValue() < 0 ? product.getLHS() * -factor.getValue()
                                         : AffineExpr();
}

static AffineMap replaceResult(AffineMap map, unsigned number,
                               AffineExpr expr) {
  SmallVector<AffineExpr> results(map.getResults());
  results[number] = expr;
  return AffineMap::get(map.getNumDims(), map.getNumSymbols(), results,
                        map.getContext());
}

static std::string toString(AffineMap map) {
  std::string text;
  llvm::raw_string_ostream(text) << map;
  return text;
}

/// Changes of the map that `op` holds as `name`.
static void mutateAffineOp(Operation *op, StringRef name, AffineMap map,
                           Mutations &mutations) {
  auto add = [&](StringRef kind, unsigned number, AffineExpr expr) {
    AffineMap changed = replaceResult(map, number, expr);
    mutations.push_back(
        {kind, toString(map) + " to " + toString(changed), op,
         [=] { op->setAttr(name, AffineMapAttr::get(changed)); }});
  };
  for (auto [number, expr] : llvm::enumerate(map.getResults())) {
    for (AffineExpr variant : getVariants(expr))
      add("change an index", number, variant);
    for (int64_t delta : {-1, 1})
      add("change an index", number, expr + delta);
    if (AffineExpr straight = dropReversal(expr))
      add("drop a reversal", number, straight);
  }
  if (map.getNumResults() > 1)
    for (unsigned number = 0; number < map.getNumResults(); ++number) {
      AffineMap changed = map.dropResult(number);
      mutations.push_back(
          {"drop a bound", toString(map) + " to " + toString(changed), op,
           [=] { op->setAttr(name, AffineMapAttr::get(changed)); }});
    }
}

//===----------------------------------------------------------------------===//
// linalg's maps
//===----------------------------------------------------------------------===//

/// `map` with two of its loops exchanged.
static AffineMap swapLoops(AffineMap map, unsigned a, unsigned b) {
  SmallVector<AffineExpr> dims;
  for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
    dims.push_back(getAffineDimExpr(dim == a   ? b
                                    : dim == b ? a
                                               : dim,
                                    map.getContext()));
  return map.replaceDimsAndSymbols(dims, {}, map.getNumDims(), 0);
}

static void mutateMaps(linalg::LinalgOp op, Mutations &mutations) {
  if (!op->hasAttr("indexing_maps"))
    return;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto add = [&](StringRef kind, unsigned number, AffineMap map) {
    if (map == maps[number])
      return;
    SmallVector<AffineMap> changed = maps;
    changed[number] = map;
    Operation *target = op;
    mutations.push_back({kind,
                         "operand " + std::to_string(number) + ": " +
                             toString(maps[number]) + " to " + toString(map),
                         op, [=] {
                           target->setAttr(
                               "indexing_maps",
                               Builder(target).getAffineMapArrayAttr(changed));
                         }});
  };
  for (auto [number, map] : llvm::enumerate(maps)) {
    for (unsigned a = 0; a < map.getNumResults(); ++a)
      for (unsigned b = a + 1; b < map.getNumResults(); ++b) {
        SmallVector<AffineExpr> results(map.getResults());
        std::swap(results[a], results[b]);
        add("swap two results of a map", number,
            AffineMap::get(map.getNumDims(), 0, results, map.getContext()));
      }
    for (unsigned a = 0; a < map.getNumDims(); ++a)
      for (unsigned b = a + 1; b < map.getNumDims(); ++b)
        add("swap two loops of a map", number, swapLoops(map, a, b));
    for (auto [result, expr] : llvm::enumerate(map.getResults()))
      for (AffineExpr variant : getVariants(expr))
        add("change an index", number, replaceResult(map, result, variant));
  }
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// `value` plus `delta`, made before `op`.
static OpFoldResult add(Operation *op, OpFoldResult value, int64_t delta) {
  OpBuilder builder(op);
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return builder.getIndexAttr(*constant + delta);
  AffineExpr sum = builder.getAffineDimExpr(0) + delta;
  return affine::AffineApplyOp::create(builder, op->getLoc(), sum,
                                       ValueRange{cast<Value>(value)})
      .getResult();
}

namespace {
struct Slice {
  SmallVector<OpFoldResult> offsets, sizes, strides;
};
} // namespace

static Slice getSlice(OffsetSizeAndStrideOpInterface op) {
  return {op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides()};
}

/// Replaces `op` by one of the same kind at `slice`.
static void setSlice(OffsetSizeAndStrideOpInterface op, const Slice &slice,
                     Value source = nullptr) {
  OpBuilder builder(op);
  auto [offsets, sizes, strides] = slice;
  Location loc = op->getLoc();
  if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op.getOperation()))
    extract.replaceAllUsesWith(tensor::ExtractSliceOp::create(
                                   builder, loc, extract.getType(),
                                   extract.getSource(), offsets, sizes, strides)
                                   .getResult());
  else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op.getOperation()))
    insert.replaceAllUsesWith(
        tensor::InsertSliceOp::create(builder, loc,
                                      source ? source : insert.getSource(),
                                      insert.getDest(), offsets, sizes, strides)
            .getResult());
  else if (auto insert =
               dyn_cast<tensor::ParallelInsertSliceOp>(op.getOperation()))
    tensor::ParallelInsertSliceOp::create(builder, loc, insert.getSource(),
                                          insert.getDest(), offsets, sizes,
                                          strides);
  op->erase();
}

/// Inserts all but the last of dimension `dim`.
static void shrinkInsert(tensor::InsertSliceOp op, unsigned dim) {
  OpBuilder builder(op);
  Slice slice = getSlice(op);
  slice.sizes[dim] = add(op, slice.sizes[dim], -1);
  SmallVector<OpFoldResult> zeros(slice.sizes.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(slice.sizes.size(), builder.getIndexAttr(1));
  Value part = tensor::ExtractSliceOp::create(
      builder, op.getLoc(), op.getSource(), zeros, slice.sizes, ones);
  setSlice(op, slice, part);
}

static void mutateSlice(OffsetSizeAndStrideOpInterface op,
                        Mutations &mutations) {
  // A slice that stands in a loop's terminator cannot compute its offsets.
  bool isParallel = isa<tensor::ParallelInsertSliceOp>(op.getOperation());
  Slice slice = getSlice(op);
  for (unsigned dim = 0; dim < slice.offsets.size(); ++dim) {
    std::string where = "dimension " + std::to_string(dim);
    for (int64_t delta : {-1, 1}) {
      std::string text = where + (delta > 0 ? " plus 1" : " minus 1");
      auto change = [=](SmallVector<OpFoldResult> Slice::*list) {
        return [=] {
          Slice changed = getSlice(op);
          OpFoldResult &value = (changed.*list)[dim];
          value = add(isParallel ? op->getParentOp() : op, value, delta);
          setSlice(op, changed);
        };
      };
      mutations.push_back(
          {"change an offset", text, op, change(&Slice::offsets)});
      mutations.push_back(
          {"change a slice's stride", text, op, change(&Slice::strides)});
      if (!getConstantIntValue(slice.sizes[dim]))
        mutations.push_back(
            {"change a slice's size", text, op, change(&Slice::sizes)});
    }
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op.getOperation());
        insert && insert.getDroppedDims().none() &&
        getConstantIntValue(slice.sizes[dim]).value_or(2) > 0)
      mutations.push_back({"change a slice's size", where + " minus 1", op,
                           [=] { shrinkInsert(insert, dim); }});
    for (unsigned other = dim + 1; other < slice.offsets.size(); ++other)
      if (slice.offsets[dim] != slice.offsets[other])
        mutations.push_back({"swap two offsets",
                             where + " and " + std::to_string(other), op, [=] {
                               Slice changed = getSlice(op);
                               std::swap(changed.offsets[dim],
                                         changed.offsets[other]);
                               setSlice(op, changed);
                             }});
    for (Operation *parent = op->getParentOp(); parent;
         parent = parent->getParentOp())
      if (auto loop = dyn_cast<scf::ForOp>(parent)) {
        Value induction = loop.getInductionVar();
        if (!getConstantIntValue(slice.offsets[dim]) &&
            slice.offsets[dim] != OpFoldResult(induction))
          mutations.push_back({"take another loop's index", where, op, [=] {
                                 Slice changed = getSlice(op);
                                 changed.offsets[dim] = induction;
                                 setSlice(op, changed);
                               }});
      }
  }
}

static void mutatePad(tensor::PadOp op, Mutations &mutations) {
  if (!op.getLow().empty() || !op.getHigh().empty())
    return;
  for (unsigned dim = 0; dim < op.getStaticLow().size(); ++dim)
    for (int64_t delta : {-1, 1})
      mutations.push_back({"move padding to the other side",
                           "dimension " + std::to_string(dim) + ", low by " +
                               std::to_string(delta),
                           op, [=]() mutable {
                             SmallVector<int64_t> low(op.getStaticLow());
                             SmallVector<int64_t> high(op.getStaticHigh());
                             low[dim] += delta;
                             high[dim] -= delta;
                             op.setStaticLow(low);
                             op.setStaticHigh(high);
                           }});
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static Value toValue(Operation *op, OpFoldResult value) {
  OpBuilder builder(op);
  return getValueOrCreateConstantIndexOp(builder, op->getLoc(), value);
}

static void mutateFor(scf::ForOp op, Mutations &mutations) {
  auto shift = [&](StringRef kind, StringRef text, unsigned operand,
                   int64_t delta) {
    mutations.push_back({kind, text.str(), op, [=] {
                           Value bound = op->getOperand(operand);
                           op->setOperand(operand,
                                          toValue(op, add(op, bound, delta)));
                         }});
  };
  shift("change a loop's bound", "lower plus 1", 0, 1);
  shift("change a loop's bound", "upper plus 1", 1, 1);
  shift("change a loop's bound", "upper minus 1", 1, -1);
  std::optional<int64_t> step = getConstantIntValue(op.getStep());
  if (!step)
    return;
  shift("change a loop's step", "plus 1", 2, 1);
  if (*step > 1)
    shift("change a loop's step", "minus 1", 2, -1);
  shift("skip a tile", "the first", 0, *step);
  shift("skip a tile", "the last", 1, -*step);
  if (auto outer = dyn_cast<scf::ForOp>(op->getParentOp()))
    mutations.push_back(
        {"swap two loops' indices", "with the loop around", op, [=]() mutable {
           Value a = outer.getInductionVar();
           Value b = op.getInductionVar();
           SmallVector<OpOperand *> uses;
           for (OpOperand &use : b.getUses())
             uses.push_back(&use);
           a.replaceUsesWithIf(b, [&](OpOperand &use) {
             return op->isProperAncestor(use.getOwner());
           });
           for (OpOperand *use : uses)
             use->set(a);
         }});
}

static void mutateForall(scf::ForallOp op, Mutations &mutations) {
  for (unsigned dim = 0; dim < op.getStaticUpperBound().size(); ++dim) {
    if (ShapedType::isDynamic(op.getStaticUpperBound()[dim]))
      continue;
    for (int64_t delta : {-1, 1})
      mutations.push_back(
          {"change a loop's bound", "upper by " + std::to_string(delta), op,
           [=]() mutable {
             SmallVector<int64_t> bounds(op.getStaticUpperBound());
             bounds[dim] += delta;
             op.setStaticUpperBound(bounds);
           }});
  }
}

void mlir::convoy::test::findIndexMutations(Operation *op,
                                            Mutations &mutations) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](affine::AffineApplyOp op) {
        mutateAffineOp(op, "map", op.getAffineMap(), mutations);
      })
      .Case<affine::AffineMinOp, affine::AffineMaxOp>(
          [&](auto op) { mutateAffineOp(op, "map", op.getMap(), mutations); })
      .Case([&](linalg::LinalgOp op) { mutateMaps(op, mutations); })
      .Case<tensor::ExtractSliceOp, tensor::InsertSliceOp,
            tensor::ParallelInsertSliceOp>(
          [&](auto op) { mutateSlice(op, mutations); })
      .Case([&](tensor::PadOp op) { mutatePad(op, mutations); })
      .Case([&](scf::ForOp op) { mutateFor(op, mutations); })
      .Case([&](scf::ForallOp op) { mutateForall(op, mutations); });
}
