//===- MutateForms.cpp - Other forms of the same function -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's own rewrites where there are any: the oracle judges them, too.
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::convoy::test;

/// Adds `change` of `op`, which keeps the meaning.
static void add(StringRef kind, const Twine &text, Operation *op,
                std::function<void()> change, Mutations &mutations) {
  mutations.push_back(
      {kind, text.str(), op, std::move(change), /*keepsMeaning=*/true});
}

//===----------------------------------------------------------------------===//
// Ops with loops
//===----------------------------------------------------------------------===//

static void formLinalg(linalg::LinalgOp op, Mutations &mutations) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic) {
    add(
        "same: write a generic op", "", op,
        [=] {
          IRRewriter rewriter(op);
          (void)linalg::generalizeNamedOp(rewriter, op);
        },
        mutations);
    return;
  }
  for (unsigned a = 0; a < op.getNumLoops(); ++a)
    for (unsigned b = a + 1; b < op.getNumLoops(); ++b)
      add(
          "same: exchange loops", Twine(a) + " and " + Twine(b), op,
          [=]() mutable {
            auto order = llvm::to_vector(llvm::seq<unsigned>(op.getNumLoops()));
            std::swap(order[a], order[b]);
            IRRewriter rewriter(op);
            (void)linalg::interchangeGenericOp(rewriter, generic, order);
          },
          mutations);
}

/// Loops over tiles of `size` along loop `loop`, of scf.for or scf.forall.
static void tile(TilingInterface op, unsigned loop, int64_t size,
                 bool isParallel) {
  IRRewriter rewriter(op);
  SmallVector<OpFoldResult> sizes(op.getLoopIteratorTypes().size(),
                                  rewriter.getIndexAttr(0));
  sizes[loop] = rewriter.getIndexAttr(size);
  scf::SCFTilingOptions options;
  options.setTileSizes(sizes);
  if (isParallel)
    options.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
  FailureOr<scf::SCFTilingResult> tiled =
      scf::tileUsingSCF(rewriter, op, options);
  if (succeeded(tiled))
    rewriter.replaceOp(op, tiled->replacements);
}

static bool isEmpty(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && llvm::is_contained(tensor.getShape(), 0);
}

static void formTiles(TilingInterface op, Mutations &mutations) {
  // Upstream's tiling crashes on what is empty.
  if (llvm::any_of(op->getOperandTypes(), isEmpty) ||
      llvm::any_of(op->getResultTypes(), isEmpty))
    return;
  for (auto [loop, type] : llvm::enumerate(op.getLoopIteratorTypes())) {
    std::string where = "loop " + std::to_string(loop) + " by ";
    for (int64_t size : {1, 2, 3}) {
      add(
          "same: tile", where + Twine(size), op,
          [=, loop = loop] { tile(op, loop, size, /*isParallel=*/false); },
          mutations);
      if (type == utils::IteratorType::parallel)
        add(
            "same: tile in parallel", where + Twine(size), op,
            [=, loop = loop] { tile(op, loop, size, /*isParallel=*/true); },
            mutations);
    }
    // Upstream's splitOp lets the second part of another op, such as
    // tensor.pad, read the first part's result.
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op.getOperation());
    if (!linalgOp || linalgOp.getStaticLoopRanges()[loop] < 2)
      continue;
    add(
        "same: split an op", where + "1", op,
        [=, loop = loop] {
          IRRewriter rewriter(op);
          (void)linalg::splitOp(rewriter, op, loop, rewriter.getIndexAttr(1));
        },
        mutations);
  }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Lets the loop run from `delta` further, its body from where it did.
static void shift(scf::ForOp op, int64_t delta) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  AffineExpr dim = builder.getAffineDimExpr(0);
  auto move = [&](Value bound) -> Value {
    return affine::AffineApplyOp::create(builder, loc, dim + delta,
                                         ValueRange{bound});
  };
  op.setLowerBound(move(op.getLowerBound()));
  op.setUpperBound(move(op.getUpperBound()));
  builder.setInsertionPointToStart(op.getBody());
  auto place = affine::AffineApplyOp::create(builder, loc, dim - delta,
                                             ValueRange{op.getInductionVar()});
  op.getInductionVar().replaceAllUsesExcept(place, place);
}

static void formFor(scf::ForOp op, Mutations &mutations) {
  add(
      "same: peel the last iteration", "", op,
      [=] {
        IRRewriter rewriter(op);
        scf::ForOp rest;
        (void)scf::peelForLoopAndSimplifyBounds(rewriter, op, rest);
      },
      mutations);
  // MLIR lets the first iteration run in any case.
  std::optional<APInt> count = op.getStaticTripCount();
  if (count && !count->isZero())
    add(
        "same: peel the first iteration", "", op,
        [=] {
          IRRewriter rewriter(op);
          scf::ForOp first;
          (void)scf::peelForLoopFirstIteration(rewriter, op, first);
        },
        mutations);
  for (uint64_t factor : {2, 3})
    add(
        "same: unroll a loop", "by " + Twine(factor), op,
        [=] { (void)loopUnrollByFactor(op, factor); }, mutations);
  for (int64_t delta : {-3, 5})
    add(
        "same: shift a loop", "by " + Twine(delta), op,
        [=] { shift(op, delta); }, mutations);
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

using Change = std::function<Value(OpBuilder &, TypedValue<RankedTensorType>)>;

static SmallVector<OpFoldResult> repeat(OpBuilder &builder, size_t count,
                                        int64_t value) {
  return SmallVector<OpFoldResult>(count, builder.getIndexAttr(value));
}

static SmallVector<OpFoldResult> getSizes(OpBuilder &builder,
                                          RankedTensorType type) {
  return getAsIndexOpFoldResult(builder.getContext(), type.getShape());
}

/// `tensor` with dimensions `a` and `b` exchanged.
static Value exchange(OpBuilder &builder, Value tensor, unsigned a,
                      unsigned b) {
  auto type = cast<RankedTensorType>(tensor.getType());
  auto order = llvm::to_vector(llvm::seq<int64_t>(type.getRank()));
  std::swap(order[a], order[b]);
  SmallVector<int64_t> shape(type.getShape());
  std::swap(shape[a], shape[b]);
  Location loc = tensor.getLoc();
  Value empty =
      tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  return linalg::TransposeOp::create(builder, loc, tensor, empty, order)
      ->getResult(0);
}

static Value flattenAndBack(OpBuilder &builder,
                            TypedValue<RankedTensorType> tensor) {
  RankedTensorType type = tensor.getType();
  SmallVector<ReassociationIndices> all = {
      llvm::to_vector(llvm::seq<int64_t>(type.getRank()))};
  Value flat =
      tensor::CollapseShapeOp::create(builder, tensor.getLoc(), tensor, all);
  return tensor::ExpandShapeOp::create(builder, tensor.getLoc(), type, flat,
                                       all);
}

static Value castAndBack(OpBuilder &builder,
                         TypedValue<RankedTensorType> tensor) {
  RankedTensorType type = tensor.getType();
  SmallVector<int64_t> open(type.getRank(), ShapedType::kDynamic);
  auto openType = RankedTensorType::get(open, type.getElementType());
  Value cast =
      tensor::CastOp::create(builder, tensor.getLoc(), openType, tensor);
  return tensor::CastOp::create(builder, tensor.getLoc(), type, cast);
}

/// `tensor` padded by a one on each side, and cut to what it was.
static Value padAndCut(OpBuilder &builder,
                       TypedValue<RankedTensorType> tensor) {
  RankedTensorType type = tensor.getType();
  Location loc = tensor.getLoc();
  SmallVector<int64_t> ones(type.getRank(), 1), padded;
  for (int64_t size : type.getShape())
    padded.push_back(size + 2);
  Value one = arith::ConstantOp::create(
      builder, loc, builder.getOneAttr(type.getElementType()));
  auto pads = getAsIndexOpFoldResult(builder.getContext(), ones);
  Value wide = tensor::PadOp::create(
      builder, loc, RankedTensorType::get(padded, type.getElementType()),
      tensor, pads, pads, one);
  return tensor::ExtractSliceOp::create(
      builder, loc, type, wide, repeat(builder, type.getRank(), 1),
      getSizes(builder, type), repeat(builder, type.getRank(), 1));
}

/// `tensor` in two parts along `dim`, put into an empty one.
static Value cutAndJoin(OpBuilder &builder, TypedValue<RankedTensorType> tensor,
                        unsigned dim) {
  RankedTensorType type = tensor.getType();
  Location loc = tensor.getLoc();
  Value joined = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                         type.getElementType());
  int64_t size = type.getDimSize(dim), half = size / 2;
  // The second part first.
  for (auto [start, length] :
       {std::pair(half, size - half), {int64_t(0), half}}) {
    SmallVector<OpFoldResult> offsets = repeat(builder, type.getRank(), 0);
    SmallVector<OpFoldResult> sizes = getSizes(builder, type);
    SmallVector<OpFoldResult> strides = repeat(builder, type.getRank(), 1);
    offsets[dim] = builder.getIndexAttr(start);
    sizes[dim] = builder.getIndexAttr(length);
    Value part = tensor::ExtractSliceOp::create(builder, loc, tensor, offsets,
                                                sizes, strides);
    joined = tensor::InsertSliceOp::create(builder, loc, part, joined, offsets,
                                           sizes, strides);
  }
  return joined;
}

static void formTensor(TypedValue<RankedTensorType> tensor,
                       Mutations &mutations) {
  RankedTensorType type = tensor.getType();
  if (!type.hasStaticShape() || type.getRank() == 0 || isEmpty(type))
    return;
  auto change = [&](StringRef kind, const Twine &text, Change make) {
    add(
        kind, text, tensor.getDefiningOp(),
        [=] {
          SmallVector<OpOperand *> uses;
          for (OpOperand &use : tensor.getUses())
            uses.push_back(&use);
          OpBuilder builder(tensor.getContext());
          builder.setInsertionPointAfterValue(tensor);
          Value changed = make(builder, tensor);
          for (OpOperand *use : uses)
            use->set(changed);
        },
        mutations);
  };
  for (unsigned a = 0; a < type.getRank(); ++a) {
    for (unsigned b = a + 1; b < type.getRank(); ++b)
      change("same: transpose twice", Twine(a) + " and " + Twine(b),
             [=](OpBuilder &builder, TypedValue<RankedTensorType> tensor) {
               return exchange(builder, exchange(builder, tensor, a, b), a, b);
             });
    if (type.getDimSize(a) > 1)
      change("same: cut and join", "dimension " + Twine(a),
             [=](OpBuilder &builder, TypedValue<RankedTensorType> tensor) {
               return cutAndJoin(builder, tensor, a);
             });
  }
  change("same: flatten and back", "", flattenAndBack);
  change("same: cast and back", "", castAndBack);
  change("same: pad and cut", "", padAndCut);
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

static void formScalar(Operation *op, Mutations &mutations) {
  if (op->getNumResults() != 1 || !op->getBlock() ||
      !isa<linalg::LinalgOp>(op->getParentOp()))
    return;
  Value value = op->getResult(0);
  auto change = [&](StringRef kind, StringRef name, bool isOne) {
    add(
        kind, name, op,
        [=]() mutable {
          OpBuilder builder(op->getContext());
          builder.setInsertionPointAfter(op);
          TypedAttr number = isOne ? builder.getOneAttr(value.getType())
                                   : builder.getZeroAttr(value.getType());
          Value operand =
              arith::ConstantOp::create(builder, op->getLoc(), number);
          OperationState state(op->getLoc(), name, {value, operand},
                               {value.getType()});
          Operation *changed = builder.create(state);
          value.replaceAllUsesExcept(changed->getResult(0), changed);
        },
        mutations);
  };
  bool isFloat = isa<FloatType>(value.getType());
  // Conditions are no elements.
  if (!isFloat &&
      (!value.getType().isSignlessInteger() || value.getType().isInteger(1)))
    return;
  change("same: add zero", isFloat ? "arith.addf" : "arith.addi", false);
  change("same: subtract zero", isFloat ? "arith.subf" : "arith.subi", false);
  change("same: multiply by one", isFloat ? "arith.mulf" : "arith.muli", true);
}

void mlir::convoy::test::findForms(Operation *op, Mutations &mutations) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](linalg::LinalgOp op) { formLinalg(op, mutations); })
      .Case([&](scf::ForOp op) { formFor(op, mutations); });
  if (auto tiled = dyn_cast<TilingInterface>(op))
    formTiles(tiled, mutations);
  if (isa_and_nonnull<arith::ArithDialect>(op->getDialect()))
    formScalar(op, mutations);
  for (Value result : op->getResults())
    if (auto tensor = dyn_cast<TypedValue<RankedTensorType>>(result))
      formTensor(tensor, mutations);
}
