//===- FoldRows.cpp - Windows added up row by row ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FoldRows.h"

#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "convoy/Transforms/Utils/Copies.h"
#include "convoy/Transforms/Utils/Fills.h"
#include "convoy/Transforms/Utils/GatheredSums.h"
#include "convoy/Transforms/Utils/TensorSlice.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringExtras.h"
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
         !rows.isDynamicDim(op.getLayout().getSharedDim('c')) &&
         rows.getDimSize(op.getLayout().getWindowDim('w')) <= MostTaps;
}

namespace {
/// Emits the loops.
class FoldRowEmitter {
public:
  FoldRowEmitter(RewriterBase &rewriter, Col2imOp op)
      : rewriter(rewriter), loc(op.getLoc()), op(op), layout(op.getLayout()),
        spatial(::convoy::spatialLetters(layout.getSpatialRank())),
        copiesTaps(getCopiesTaps()), phases(getPhases()), order(getOrder()),
        sumType(getGatheredSumType(op.getType().getElementType())) {}

  Value emit();

private:
  /// Whether the positions of windows lie side by side, and not their channels.
  bool areSideBySide() const {
    return layout.getPositionDim('w') > layout.getWindowDim('c');
  }
  /// Whether vectors of channels would be short.
  bool hasFewChannels() {
    constexpr int64_t FewestLanes = 8;
    return getImageSize('c') < FewestLanes;
  }
  /// Whether the sums of a row go along its positions.
  bool goAlongPositions() {
    return areSideBySide() || (copiesTaps && hasFewChannels());
  }
  /// What the members of these names are.
  bool getCopiesTaps();
  int64_t getPhases();
  std::string getOrder();
  /// Whether dimension `letter` of the image is one of the sums'.
  bool isSummed(char letter) const { return StringRef(order).contains(letter); }
  /// The size of dimension `letter` of the sums.
  int64_t getSumsSize(char letter) {
    if (letter == 'p')
      return phases;
    int64_t size = getImageSize(letter);
    return letter == 'w' ? llvm::divideCeil(size, phases) : size;
  }
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
  /// Adds the windows' parts of the row to `sums`, in loops over the taps of
  /// the spatial dimensions from number `dim` on.
  Value addTaps(Value sums, int64_t dim);
  /// Adds those of tap `tap` along the row, all at once.
  Value addTap(Value sums, int64_t tap);
  /// What the windows have of the row, but for what `order` leaves of w and c
  /// and for the taps along w.
  TensorSlice getWindows();
  /// A copy of it, the taps first, then w and c as the sums have them.
  Value copyTaps();
  /// The part of tap `tap` that `count` windows from number `first` on have.
  Value getPart(int64_t tap, int64_t first, int64_t count);
  /// Copies `sums` to `destination`, of dimensions `to`.
  Value place(Value sums, Value destination, StringRef to);
  /// Copies the first `count` phases of `size` elements from number `begin` on.
  Value placePhases(Value sums, Value destination, StringRef to, int64_t begin,
                    int64_t size, int64_t count);

  RewriterBase &rewriter;
  Location loc;
  Col2imOp op;
  Im2colLayoutAttr layout;
  StringRef spatial;
  /// Whether the sums have another dimension innermost than what is added, so
  /// that taps of a row are copied in the order of the sums first, all at once:
  /// they lie side by side.
  bool copiesTaps;
  /// Where positions lie side by side, windows that are so many elements apart
  /// are to be added to sums that do so, too: element w of a row is number
  /// w / phases of phase w % phases.
  int64_t phases;
  /// The dimensions of the sums of a row, as the windows have them, `p` for the
  /// phases if there are some.
  std::string order;
  Type sumType;
  llvm::SmallDenseMap<char, Value> indices; ///< of the loops over the image
  /// The taps and positions along spatial dimensions other than w.
  llvm::SmallDenseMap<char, Value> taps, positions;
  /// Where the taps along w are copied to, if they are, and their copy.
  Value forTaps, copied;
};
} // namespace

bool FoldRowEmitter::getCopiesTaps() {
  // Longer rows would take room without end.
  constexpr int64_t MostBytes = 1 << 20;
  if (areSideBySide() ||
      !(hasFewChannels() || layout.getWindow().ends_with("w")))
    return false;
  double bytes = getElementBytes(op.getType().getElementType());
  for (int64_t size : {getTaps('w'), getPositions('w'), getImageSize('c')})
    bytes *= double(size);
  return bytes <= MostBytes;
}

int64_t FoldRowEmitter::getPhases() {
  if (!goAlongPositions())
    return 1;
  // A row has no more of them than elements.
  return std::min(op.getWindow().getDim(int64_t(spatial.size()) - 1).stride,
                  getImageSize('w'));
}

std::string FoldRowEmitter::getOrder() {
  if (!goAlongPositions())
    return "wc";
  // Channels that lie apart are rows of their own.
  StringRef image = layout.getInput();
  bool lieApart = areSideBySide() && image.find('c') < image.find('w');
  return std::string(lieApart ? "" : "c") + (phases > 1 ? "pw" : "w");
}

TensorSlice FoldRowEmitter::getWindows() {
  TensorSlice rows(rewriter, loc, op.getInput());
  for (auto [letter, index] : indices)
    if (!spatial.contains(letter))
      rows.pick(layout.getSharedDim(letter), index);
  for (auto [letter, place] : positions) {
    rows.pick(layout.getPositionDim(letter), place);
    rows.pick(layout.getWindowDim(letter), taps.at(letter));
  }
  return rows;
}

/// `order` without phases.
static std::string dropPhases(StringRef order) {
  return llvm::join(llvm::split(order, 'p'), "");
}

Value FoldRowEmitter::copyTaps() {
  // Where taps are copied positions stand before their window.
  std::string from = "w", to = "k" + dropPhases(order);
  for (char letter : layout.getWindow())
    if (letter == 'w' || letter == 'c')
      from += letter == 'w' ? 'k' : 'c';
  return createCopy(rewriter, loc, getWindows().extract(),
                    getLetterMap(from, to, rewriter.getContext()), forTaps)
      .getResult(0);
}

Value FoldRowEmitter::getPart(int64_t tap, int64_t first, int64_t count) {
  OpFoldResult index = rewriter.getIndexAttr(tap);
  if (copied) {
    TensorSlice part(rewriter, loc, copied);
    part.pick(0, index);
    part.narrow(1 + dropPhases(order).find('w'), first, count);
    return part.extract();
  }
  TensorSlice part = getWindows();
  part.pick(layout.getWindowDim('w'), index);
  part.narrow(layout.getPositionDim('w'), first, count);
  return part.extract();
}

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
  TensorSlice part(rewriter, loc, sums);
  int64_t at = stride * first + begin;
  if (phases > 1) {
    part.pick(order.find('p'), rewriter.getIndexAttr(at % phases));
    part.narrow(order.find('w'), at / phases, end - first);
  } else {
    part.narrow(order.find('w'), at, end - first, stride);
  }
  Value old = part.extract();
  int64_t rank = cast<RankedTensorType>(old.getType()).getRank();
  SmallVector<AffineMap> maps(2, rewriter.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  auto added = linalg::GenericOp::create(
      rewriter, loc, old.getType(), getPart(tap, first, end - first), old, maps,
      iterators, [](OpBuilder &builder, Location loc, ValueRange arguments) {
        Value sum = addGatheredTerm(builder, loc, arguments[1], arguments[0]);
        linalg::YieldOp::create(builder, loc, sum);
      });
  return part.insert(added.getResult(0));
}

Value FoldRowEmitter::addTaps(Value sums, int64_t dim) {
  char letter = spatial[dim];
  if (letter == 'w') {
    copied = forTaps ? copyTaps() : Value();
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

Value FoldRowEmitter::placePhases(Value sums, Value destination, StringRef to,
                                  int64_t begin, int64_t size, int64_t count) {
  if (size * count == 0)
    return destination;
  TensorSlice from(rewriter, loc, sums);
  from.narrow(order.find('p'), 0, count);
  from.narrow(order.find('w'), begin, size);
  TensorSlice part(rewriter, loc, destination);
  int64_t along = to.find('w');
  part.narrow(along, begin * phases, size * count);
  Value old = part.extract();
  auto type = cast<RankedTensorType>(old.getType());
  // w becomes w and p.
  SmallVector<int64_t> shape(type.getShape());
  shape[along] = size;
  shape.insert(shape.begin() + along + 1, count);
  std::string letters = to.str();
  letters.insert(along + 1, "p");
  SmallVector<ReassociationIndices> dims;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (dim == along)
      dims.push_back({dim, dim + 1});
    else
      dims.push_back({dim < along ? dim : dim + 1});
  Value expanded = tensor::ExpandShapeOp::create(rewriter, loc,
                                                 type.clone(shape), old, dims);
  Value copied =
      createCopy(rewriter, loc, from.extract(),
                 getLetterMap(order, letters, rewriter.getContext()), expanded)
          .getResult(0);
  return part.insert(
      tensor::CollapseShapeOp::create(rewriter, loc, type, copied, dims));
}

Value FoldRowEmitter::place(Value sums, Value destination, StringRef to) {
  if (phases == 1)
    return createCopy(rewriter, loc, sums,
                      getLetterMap(order, to, rewriter.getContext()),
                      destination)
        .getResult(0);
  // What all phases have, and the element more that the first ones have.
  int64_t size = getImageSize('w'), whole = size / phases;
  destination = placePhases(sums, destination, to, 0, whole, phases);
  return placePhases(sums, destination, to, whole, 1, size % phases);
}

void FoldRowEmitter::emitRow(scf::ForallOp loop) {
  StringRef image = layout.getInput();
  auto letters = llvm::make_filter_range(
      image, [&](char letter) { return !isSummed(letter); });
  for (auto [letter, index] : llvm::zip(letters, loop.getInductionVars()))
    indices[letter] = index;
  rewriter.setInsertionPoint(loop.getTerminator());
  TensorSlice slice(rewriter, loc, loop.getRegionIterArgs().front());
  for (auto [letter, index] : indices)
    slice.pick(image.find(letter), index);
  Value destination = slice.extract();
  std::string imageOrder;
  llvm::copy_if(image, std::back_inserter(imageOrder),
                [&](char letter) { return isSummed(letter); });
  Type element = op.getType().getElementType();
  Value sums = destination;
  if (imageOrder != order || sumType != element) {
    SmallVector<int64_t> sizes = llvm::map_to_vector(
        order, [&](char letter) { return getSumsSize(letter); });
    sums = tensor::EmptyOp::create(rewriter, loc, sizes, sumType);
  }
  Value zero =
      arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(sumType));
  sums = linalg::FillOp::create(rewriter, loc, zero, sums).getResult(0);
  if (copiesTaps) {
    SmallVector<int64_t> sizes = {getTaps('w')};
    for (char letter : dropPhases(order))
      sizes.push_back(letter == 'w' ? getPositions('w') : getImageSize('c'));
    forTaps = tensor::EmptyOp::create(rewriter, loc, sizes, element);
  }
  sums = convertElements(rewriter, loc, addTaps(sums, 0), element);
  if (imageOrder != order)
    sums = place(sums, destination, imageOrder);
  slice.insert(sums, loop);
}

Value FoldRowEmitter::emit() {
  SmallVector<OpFoldResult> sizes = getResultSizes(rewriter, op), lower, upper,
                            steps;
  for (auto [letter, size] : llvm::zip_equal(layout.getInput(), sizes)) {
    if (isSummed(letter))
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
