//===- FoldRows.cpp - Windows added up row by row ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FoldRows.h"

#include "convoy/Transforms/Utils/Copies.h"
#include "convoy/Transforms/Utils/Fills.h"
#include "convoy/Transforms/Utils/GatheredSums.h"
#include "convoy/Transforms/Utils/TensorSlice.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::WindowDim;

FoldPosition mlir::convoy::emitFoldPosition(OpBuilder &builder, Location loc,
                                            Value image, Value tap,
                                            const WindowDim &window,
                                            int64_t taps, int64_t positions) {
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  auto compare = [&](arith::CmpIPredicate predicate, Value value,
                     Value bound) -> Value {
    return arith::CmpIOp::create(builder, loc, predicate, value, bound);
  };
  // i + p - d*k as a sum, of which k' = K-1-k changes the sign and the rest.
  int64_t factor = window.reverse ? window.dilation : -window.dilation;
  int64_t rest =
      window.padLow - (window.reverse ? window.dilation * (taps - 1) : 0);
  Value step = arith::MulIOp::create(builder, loc, tap, number(factor));
  Value scaled = arith::AddIOp::create(builder, loc, image, number(rest));
  scaled = arith::AddIOp::create(builder, loc, scaled, step);
  Value found = scaled;
  if (window.stride > 1)
    found = arith::FloorDivSIOp::create(builder, loc, scaled,
                                        number(window.stride));
  Value isThere = compare(arith::CmpIPredicate::sge, found, number(0));
  isThere = arith::AndIOp::create(
      builder, loc, isThere,
      compare(arith::CmpIPredicate::slt, found, number(positions)));
  if (window.stride > 1) {
    Value back =
        arith::MulIOp::create(builder, loc, found, number(window.stride));
    isThere = arith::AndIOp::create(
        builder, loc, isThere, compare(arith::CmpIPredicate::eq, back, scaled));
  }
  Value place = arith::MaxSIOp::create(builder, loc, found, number(0));
  place = arith::MinSIOp::create(builder, loc, place, number(positions - 1));
  return {place, isThere};
}

bool mlir::convoy::hasFoldRows(Col2imOp op) {
  // Each is an addition in the code.
  constexpr int64_t MostTaps = 16;
  RankedTensorType rows = op.getInput().getType(), image = op.getType();
  return !llvm::is_contained(rows.getShape(), 0) &&
         !llvm::is_contained(image.getShape(), 0) &&
         !rows.isDynamicDim(op.getInputDim('c')) &&
         rows.getDimSize(op.getLayout().getWindowDim('w')) <= MostTaps;
}

namespace {
/// Emits the loops.
class FoldRowEmitter {
public:
  FoldRowEmitter(RewriterBase &rewriter, Col2imOp op)
      : rewriter(rewriter), loc(op.getLoc()), op(op), layout(op.getLayout()),
        spatial(::convoy::spatialLetters(layout.getSpatialRank())),
        sumType(getGatheredSumType(op.getType().getElementType())) {}

  Value emit();

private:
  int64_t getImageSize(char letter) {
    return op.getType().getDimSize(layout.getInput().find(letter));
  }
  int64_t getTaps(char letter) {
    return op.getInput().getType().getDimSize(layout.getWindowDim(letter));
  }
  int64_t getPositions(char letter) {
    return op.getInput().getType().getDimSize(layout.getPositionDim(letter));
  }
  /// The body of `loop`: a row of the image.
  void emitRow(scf::ForallOp loop);
  /// Adds the windows' parts of the row to `sums`, [w, c], in loops over the
  /// taps of the spatial dimensions from number `dim` on.
  Value addTaps(Value sums, int64_t dim);
  /// Adds those of tap `tap` along the row, all at once.
  Value addTap(Value sums, int64_t tap);

  RewriterBase &rewriter;
  Location loc;
  Col2imOp op;
  Im2colLayoutAttr layout;
  StringRef spatial;
  Type sumType;
  llvm::SmallDenseMap<char, Value> indices; ///< of the loops over the image
  /// The taps and positions along spatial dimensions other than w.
  llvm::SmallDenseMap<char, Value> taps, positions;
};
} // namespace

Value FoldRowEmitter::addTap(Value sums, int64_t tap) {
  WindowDim window = op.getWindow().getDim(int64_t(spatial.size()) - 1);
  int64_t stride = window.stride, size = getImageSize('w');
  // The window at position o has element s*o + begin of the row at this tap.
  int64_t begin =
      window.dilation * (window.reverse ? getTaps('w') - 1 - tap : tap) -
      window.padLow;
  int64_t first = begin < 0 ? int64_t(llvm::divideCeil(-begin, stride)) : 0;
  int64_t end =
      begin < size ? int64_t(llvm::divideCeil(size - begin, stride)) : 0;
  end = std::min(end, getPositions('w'));
  if (first >= end)
    return sums;
  // What is left of the rows is w and c: positions stand before their window.
  TensorSlice rows(rewriter, loc, op.getInput());
  for (auto [letter, index] : indices)
    if (!spatial.contains(letter))
      rows.pick(op.getInputDim(letter), index);
  for (auto [letter, place] : positions) {
    rows.pick(layout.getPositionDim(letter), place);
    rows.pick(layout.getWindowDim(letter), taps.at(letter));
  }
  rows.pick(layout.getWindowDim('w'), rewriter.getIndexAttr(tap));
  rows.narrow(layout.getPositionDim('w'), first, end - first);
  TensorSlice part(rewriter, loc, sums);
  part.narrow(0, stride * first + begin, end - first, stride);
  SmallVector<AffineMap> maps(2, rewriter.getMultiDimIdentityMap(2));
  SmallVector<utils::IteratorType> iterators(2, utils::IteratorType::parallel);
  Value old = part.extract();
  auto added = linalg::GenericOp::create(
      rewriter, loc, old.getType(), rows.extract(), old, maps, iterators,
      [](OpBuilder &builder, Location loc, ValueRange arguments) {
        Value sum = addGatheredTerm(builder, loc, arguments[1], arguments[0]);
        linalg::YieldOp::create(builder, loc, sum);
      });
  return part.insert(added.getResult(0));
}

Value FoldRowEmitter::addTaps(Value sums, int64_t dim) {
  char letter = spatial[dim];
  if (letter == 'w') {
    for (int64_t tap = 0; tap < getTaps('w'); ++tap)
      sums = addTap(sums, tap);
    return sums;
  }
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  };
  auto loop = scf::ForOp::create(rewriter, loc, index(0),
                                 index(getTaps(letter)), index(1), sums);
  OpBuilder::InsertionGuard restore(rewriter);
  rewriter.setInsertionPointToStart(loop.getBody());
  FoldPosition position = emitFoldPosition(
      rewriter, loc, indices.at(letter), loop.getInductionVar(),
      op.getWindow().getDim(dim), getTaps(letter), getPositions(letter));
  taps[letter] = loop.getInductionVar();
  positions[letter] = position.place;
  Value before = loop.getRegionIterArg(0);
  auto branch = scf::IfOp::create(rewriter, loc, before.getType(),
                                  position.isThere, /*withElseRegion=*/true);
  scf::YieldOp::create(rewriter, loc, branch.getResults());
  rewriter.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(rewriter, loc, before);
  rewriter.setInsertionPointToStart(branch.thenBlock());
  Value after = addTaps(before, dim + 1);
  scf::YieldOp::create(rewriter, loc, after);
  return loop.getResult(0);
}

void FoldRowEmitter::emitRow(scf::ForallOp loop) {
  StringRef image = layout.getInput();
  auto letters = llvm::make_filter_range(
      image, [](char letter) { return letter != 'w' && letter != 'c'; });
  for (auto [letter, index] : llvm::zip(letters, loop.getInductionVars()))
    indices[letter] = index;
  rewriter.setInsertionPoint(loop.getTerminator());
  TensorSlice slice(rewriter, loc, loop.getRegionIterArgs().front());
  for (auto [letter, index] : indices)
    slice.pick(image.find(letter), index);
  Value destination = slice.extract();
  bool isLast = image.find('w') < image.find('c');
  Type element = op.getType().getElementType();
  Value sums = destination;
  if (!isLast || sumType != element)
    sums = tensor::EmptyOp::create(
        rewriter, loc, {getImageSize('w'), getImageSize('c')}, sumType);
  Value zero =
      arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(sumType));
  sums = linalg::FillOp::create(rewriter, loc, zero, sums).getResult(0);
  sums = convertElements(rewriter, loc, addTaps(sums, 0), element);
  if (!isLast)
    sums =
        createCopy(rewriter, loc, sums,
                   getLetterMap("wc", "cw", rewriter.getContext()), destination)
            .getResult(0);
  slice.insert(sums, loop);
}

Value FoldRowEmitter::emit() {
  SmallVector<OpFoldResult> sizes = getResultSizes(rewriter, op), lower, upper,
                            steps;
  for (auto [letter, size] : llvm::zip_equal(layout.getInput(), sizes)) {
    if (letter == 'w' || letter == 'c')
      continue;
    lower.push_back(rewriter.getIndexAttr(0));
    upper.push_back(size);
    steps.push_back(rewriter.getIndexAttr(1));
  }
  Value empty = tensor::EmptyOp::create(rewriter, loc, sizes,
                                        op.getType().getElementType());
  auto loop = scf::ForallOp::create(rewriter, loc, lower, upper, steps, empty,
                                    /*mapping=*/std::nullopt);
  OpBuilder::InsertionGuard restore(rewriter);
  emitRow(loop);
  return loop.getResult(0);
}

Value mlir::convoy::emitFoldRows(RewriterBase &rewriter, Col2imOp op) {
  return FoldRowEmitter(rewriter, op).emit();
}
