//===- GridGradient.cpp - Gradients of grids --------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampleGradients.h"
#include "SampleRows.h"

#include "convoy/Transforms/Sampling/SamplePosition.h"
#include "convoy/Transforms/Utils/Fills.h"
#include "convoy/Transforms/Utils/TensorSlice.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// Emits the gradient of a part of the positions, or of all of them.
class GridGradientEmitter {
public:
  /// Of the positions whose indices of `letters`, some of the grid's without c,
  /// are any; `fixed` has the others.
  GridGradientEmitter(OpBuilder &builder, GridSampleBackwardGridOp op,
                      StringRef letters)
      : builder(builder), loc(op.getLoc()), op(op), layout(op.getLayout()),
        spatial(getSpatialLetters(layout)), rule(SampleRule::get(op)),
        letters(letters) {}

  /// The index of a dimension of which there is one.
  llvm::SmallDenseMap<char, Value> fixed;
  /// The first of `part` positions along w, if that is no whole row.
  Value first;
  OpFoldResult part;

  /// The slice at hand of a tensor with dimensions called `names`: of its c
  /// what is `channel`.
  TensorSlice getSlice(Value tensor, StringRef names,
                       std::optional<int64_t> channel);

  /// The gradient, in the order of the grid's dimensions.
  Value emit(Value init);

private:
  OpFoldResult index(int64_t value) { return builder.getIndexAttr(value); }
  OpFoldResult getImageSize(OpBuilder &builder, size_t dim) {
    return tensor::getMixedSize(builder, loc, op.getInput(),
                                layout.getInput().find(spatial[dim]));
  }
  /// Of a tensor with dimensions called `names`, those that are loops; c is the
  /// one behind them.
  AffineMap getMap(StringRef names);
  Value readElement(OpBuilder &builder, const SampleElement &element);
  /// Sums over the channels for each coordinate, outermost dimension first.
  SmallVector<Value> emitSums();
  /// The value for one coordinate, which is `c`, of those in `sums`.
  Value emitCoordinate(OpBuilder &builder, ValueRange sums, Value c);

  OpBuilder &builder;
  Location loc;
  GridSampleBackwardGridOp op;
  SampleLayoutAttr layout;
  StringRef spatial;
  SampleRule rule;
  StringRef letters;
};
} // namespace

TensorSlice GridGradientEmitter::getSlice(Value tensor, StringRef names,
                                          std::optional<int64_t> channel) {
  TensorSlice slice(builder, loc, tensor);
  for (auto [dim, name] : llvm::enumerate(names)) {
    if (name == 'c' && channel)
      slice.pick(dim, index(*channel));
    else if (name == 'w' && first)
      slice.narrow(dim, first, part);
    else if (name != 'c' && !letters.contains(name))
      slice.pick(dim, fixed.at(name));
  }
  return slice;
}

AffineMap GridGradientEmitter::getMap(StringRef names) {
  SmallVector<AffineExpr> dims;
  for (char name : names) {
    if (name == 'c')
      dims.push_back(builder.getAffineDimExpr(letters.size()));
    else if (letters.contains(name))
      dims.push_back(builder.getAffineDimExpr(letters.find(name)));
  }
  return AffineMap::get(letters.size() + 1, 0, dims, builder.getContext());
}

Value GridGradientEmitter::readElement(OpBuilder &builder,
                                       const SampleElement &element) {
  SmallVector<Value> place;
  for (char letter : layout.getInput()) {
    size_t dim = spatial.find(letter);
    if (dim != StringRef::npos)
      place.push_back(arith::IndexCastOp::create(
          builder, loc, builder.getIndexType(), element.place[dim]));
    else if (letter == 'n' && !letters.contains('n'))
      place.push_back(fixed.at('n'));
    else
      place.push_back(linalg::IndexOp::create(
          builder, loc, letter == 'c' ? letters.size() : letters.find('n')));
  }
  Value read = tensor::ExtractOp::create(builder, loc, op.getInput(), place);
  return emitInside(builder, loc, element.isInside, read);
}

SmallVector<Value> GridGradientEmitter::emitSums() {
  SmallVector<Value> inputs, sums;
  SmallVector<AffineMap> maps;
  SmallVector<OpFoldResult> imageSizes;
  std::string positions = layout.getGrid().str();
  llvm::erase(positions, 'c');
  for (size_t dim = 0; dim < spatial.size(); ++dim) {
    imageSizes.push_back(getImageSize(builder, dim));
    inputs.push_back(getSlice(op.getGrid(), layout.getGrid(),
                              int64_t(spatial.size() - 1 - dim))
                         .extract());
    maps.push_back(getMap(positions));
    sums.push_back(createZeros(
        builder, loc, tensor::getMixedSizes(builder, loc, inputs.back()),
        builder.getF32Type()));
  }
  inputs.push_back(
      getSlice(op.getOutputGradient(), layout.getOutput(), std::nullopt)
          .extract());
  maps.push_back(getMap(layout.getOutput()));
  maps.append(sums.size(), getMap(positions));
  SmallVector<utils::IteratorType> iterators(letters.size(),
                                             utils::IteratorType::parallel);
  iterators.push_back(utils::IteratorType::reduction);
  auto build = [&](OpBuilder &builder, Location loc, ValueRange arguments) {
    SmallVector<SamplePosition> positions = emitGridPositions(
        builder, loc, rule, arguments.take_front(spatial.size()), imageSizes);
    SmallVector<Value> slopes = emitSlopes(
        builder, loc, rule, positions, imageSizes,
        [&](const SampleElement &one) { return readElement(builder, one); });
    Value gradient = emitWide(builder, loc, arguments[spatial.size()]);
    SmallVector<Value> results;
    for (auto [slope, sum] :
         llvm::zip_equal(slopes, arguments.take_back(spatial.size()))) {
      Value product = arith::MulFOp::create(builder, loc, gradient, slope);
      results.push_back(arith::AddFOp::create(builder, loc, sum, product));
    }
    linalg::YieldOp::create(builder, loc, results);
  };
  auto generic =
      linalg::GenericOp::create(builder, loc, TypeRange(ValueRange(sums)),
                                inputs, sums, maps, iterators, build);
  return SmallVector<Value>(generic.getResults());
}

Value GridGradientEmitter::emitCoordinate(OpBuilder &builder, ValueRange sums,
                                          Value c) {
  Value result;
  for (size_t dim = 0; dim < spatial.size(); ++dim) {
    Value scale =
        emitPositionScale(builder, loc, rule, getImageSize(builder, dim));
    Value gradient = arith::MulFOp::create(builder, loc, sums[dim], scale);
    if (!result) {
      result = gradient;
      continue;
    }
    Value number =
        arith::ConstantIndexOp::create(builder, loc, spatial.size() - 1 - dim);
    Value isThis = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                         c, number);
    result = arith::SelectOp::create(builder, loc, isThis, gradient, result);
  }
  Type type = op.getType().getElementType();
  if (type == result.getType())
    return result;
  return arith::TruncFOp::create(builder, loc, type, result);
}

Value GridGradientEmitter::emit(Value init) {
  SmallVector<Value> sums = emitSums();
  std::string positions = layout.getGrid().str();
  llvm::erase(positions, 'c');
  SmallVector<AffineMap> maps(sums.size(), getMap(positions));
  maps.push_back(getMap(layout.getGrid()));
  SmallVector<utils::IteratorType> iterators(letters.size() + 1,
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, init.getType(), sums, init, maps, iterators,
             [&](OpBuilder &builder, Location loc, ValueRange arguments) {
               Value c = linalg::IndexOp::create(builder, loc, letters.size());
               linalg::YieldOp::create(
                   builder, loc,
                   emitCoordinate(builder, arguments.drop_back(), c));
             })
      .getResult(0);
}

/// Emits loops over the rows of the grid, or over parts of them of one size.
static Value emitGradientRows(RewriterBase &rewriter,
                              GridSampleBackwardGridOp op) {
  Location loc = op.getLoc();
  StringRef letters = op.getLayout().getGrid();
  int64_t width = op.getType().getDimSize(letters.find('w'));
  // Rows of any length have parts of one position.
  int64_t part = ShapedType::isDynamic(width) ? 1 : getRowPart(width);
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, getResultSizes(rewriter, op),
                              op.getType().getElementType());
  SmallVector<OpFoldResult> lower, upper, steps;
  std::string loops = letters.str();
  llvm::erase(loops, 'c');
  for (char letter : loops) {
    lower.push_back(rewriter.getIndexAttr(0));
    upper.push_back(tensor::getMixedSize(rewriter, loc, op.getGrid(),
                                         letters.find(letter)));
    steps.push_back(rewriter.getIndexAttr(letter == 'w' ? part : 1));
  }
  auto loop = scf::ForallOp::create(rewriter, loc, lower, upper, steps, empty,
                                    /*mapping=*/std::nullopt);
  OpBuilder::InsertionGuard restore(rewriter);
  rewriter.setInsertionPoint(loop.getTerminator());
  GridGradientEmitter emitter(rewriter, op, "w");
  for (auto [letter, variable] :
       llvm::zip_equal(loops, loop.getInductionVars()))
    (letter == 'w' ? emitter.first : emitter.fixed[letter]) = variable;
  emitter.part = rewriter.getIndexAttr(part);
  Value whole = loop.getRegionIterArgs().front();
  TensorSlice slice = emitter.getSlice(whole, letters, std::nullopt);
  slice.insert(emitter.emit(slice.extract()), loop);
  return loop.getResult(0);
}

Value mlir::convoy::emitGridGradient(RewriterBase &rewriter,
                                     GridSampleBackwardGridOp op, bool byRows) {
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> sizes = getResultSizes(rewriter, op);
  if (op.getMode() == SampleMode::Nearest)
    return createZeros(rewriter, loc, sizes, op.getType().getElementType());
  if (byRows)
    return emitGradientRows(rewriter, op);
  std::string letters = op.getLayout().getGrid().str();
  llvm::erase(letters, 'c');
  Value empty = tensor::EmptyOp::create(rewriter, loc, sizes,
                                        op.getType().getElementType());
  return GridGradientEmitter(rewriter, op, letters).emit(empty);
}
