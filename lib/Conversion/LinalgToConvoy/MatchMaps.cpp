//===- MatchMaps.cpp - Recognises the maps of a convolution -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Match.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::WindowDim;

namespace {
/// No loop, or no dimension.
constexpr int64_t kNone = -1;

/// The dimension of each operand that a loop runs along, and its letter.
struct Loop {
  int64_t filter = kNone;
  int64_t output = kNone;
  bool indexesInput = false;
  char letter = 0;
};

/// One dimension of the input: stride * position + dilation * tap + constant,
/// where position and tap are loops or absent. The dilation may be negative.
struct InputIndex {
  int64_t position = kNone, tap = kNone;
  int64_t stride = 1, dilation = 1, constant = 0;
  /// Whether this is a loop's own dimension: n, g or c.
  bool isPlain = false;
  char letter = 0;
};

/// Derives the letters of one op's dimensions.
class MapMatcher {
public:
  MapMatcher(linalg::LinalgOp op, OpOperand &input, OpOperand &filter,
             Refuse refuse)
      : op(op), input(input), filter(filter), output(*op.getDpsInitOperand(0)),
        refuse(refuse), loops(op.getNumLoops()) {}

  FailureOr<ConvolutionDims> match();

private:
  LogicalResult collectPlainMap(OpOperand &operand, int64_t Loop::*dim);
  LogicalResult checkIterators();
  FailureOr<InputIndex> parseInputIndex(AffineExpr expr);
  LogicalResult addToWindow(int64_t loop, int64_t coefficient,
                            InputIndex &index);
  LogicalResult collectInputMap();
  LogicalResult nameGroup();
  void nameBatchAndChannel();
  LogicalResult nameFilterLoops();
  LogicalResult nameWindows();
  FailureOr<WindowDim> getWindow(const InputIndex &index, int64_t inputSize);
  /// Size along dimension `dim` of `operand`; 1 where `dim` is none.
  int64_t getSize(OpOperand &operand, int64_t dim);
  std::string getWord(OpOperand &operand);

  linalg::LinalgOp op;
  OpOperand &input, &filter, &output;
  Refuse refuse;
  SmallVector<Loop> loops;
  /// One for each dimension of the input.
  SmallVector<InputIndex> indices;
  SmallVector<WindowDim> windows;
};
} // namespace

static std::string nameLoop(size_t loop) { return ("d" + Twine(loop)).str(); }

int64_t MapMatcher::getSize(OpOperand &operand, int64_t dim) {
  return dim == kNone
             ? 1
             : cast<ShapedType>(operand.get().getType()).getDimSize(dim);
}

/// Notes which loop each dimension of the filter or the output runs along.
LogicalResult MapMatcher::collectPlainMap(OpOperand &operand,
                                          int64_t Loop::*dim) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!map.isProjectedPermutation())
    return refuse(
        "expected a loop of its own for each dimension of operand #" +
        Twine(operand.getOperandNumber()) + ", but got " +
        debugString(*llvm::find_if(map.getResults(), [&](AffineExpr expr) {
          return !isa<AffineDimExpr>(expr) ||
                 llvm::count(map.getResults(), expr) != 1;
        })));
  for (auto [index, expr] : llvm::enumerate(map.getResults()))
    loops[cast<AffineDimExpr>(expr).getPosition()].*dim = index;
  return success();
}

/// The loops that do not index the output are those that sum.
LogicalResult MapMatcher::checkIterators() {
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray())) {
    bool indexesOutput = loops[loop].output != kNone;
    if (indexesOutput != (iterator == utils::IteratorType::parallel))
      return refuse(
          "expected " + nameLoop(loop) + " to be a " +
          (indexesOutput ? "parallel" : "reduction") + " loop, as it " +
          (indexesOutput ? "indexes" : "does not index") + " the output");
  }
  return success();
}

/// Adds `coefficient` * `loop` to `index`, as position or as tap.
LogicalResult MapMatcher::addToWindow(int64_t loop, int64_t coefficient,
                                      InputIndex &index) {
  if (loops[loop].indexesInput)
    return refuse("expected each loop once in the input's map, but got " +
                  nameLoop(loop) + " twice");
  loops[loop].indexesInput = true;
  bool isPosition = loops[loop].output != kNone;
  int64_t &slot = isPosition ? index.position : index.tap;
  if (slot != kNone)
    return refuse("expected a window over one output and one filter dimension, "
                  "but got both " +
                  nameLoop(slot) + " and " + nameLoop(loop) + " as " +
                  (isPosition ? "positions" : "taps"));
  slot = loop;
  if (isPosition && coefficient < 0)
    return refuse("expected a positive stride, but got " + Twine(coefficient));
  (isPosition ? index.stride : index.dilation) = coefficient;
  return success();
}

FailureOr<InputIndex> MapMatcher::parseInputIndex(AffineExpr expr) {
  SmallVector<int64_t> terms;
  if (failed(getFlattenedAffineExpr(expr, loops.size(), 0, &terms)) ||
      terms.size() != loops.size() + 1)
    return refuse("expected linear indices, but got " + debugString(expr));
  InputIndex index;
  index.constant = terms.back();
  index.isPlain = isa<AffineDimExpr>(expr);
  for (size_t loop = 0; loop < loops.size(); ++loop)
    if (terms[loop] != 0 && failed(addToWindow(loop, terms[loop], index)))
      return failure();
  if (index.tap != kNone && loops[index.tap].filter == kNone)
    return refuse("expected sums over products, but " + nameLoop(index.tap) +
                  " sums the input alone");
  if (!index.isPlain && index.position != kNone &&
      loops[index.position].filter != kNone)
    return refuse("expected a filter that is the same at each position, but " +
                  nameLoop(index.position) + " indexes it");
  return index;
}

LogicalResult MapMatcher::collectInputMap() {
  for (AffineExpr expr : op.getMatchingIndexingMap(&input).getResults()) {
    FailureOr<InputIndex> index = parseInputIndex(expr);
    if (failed(index))
      return failure();
    indices.push_back(*index);
  }
  return success();
}

/// g is in all three operands.
LogicalResult MapMatcher::nameGroup() {
  int64_t group = kNone;
  for (InputIndex &index : indices) {
    if (!index.isPlain || index.position == kNone ||
        loops[index.position].filter == kNone)
      continue;
    if (group != kNone)
      return refuse("expected at most one group dimension, but got " +
                    nameLoop(group) + " and " + nameLoop(index.position));
    group = index.position;
    index.letter = loops[group].letter = 'g';
  }
  return success();
}

/// n is in input and output alone: the outermost such dimension of the output.
/// c is in input and filter alone: the innermost such dimension of the input.
/// Others of their kind stay unnamed and become windows: of one tap or, where
/// they are summed, of one position.
void MapMatcher::nameBatchAndChannel() {
  InputIndex *batch = nullptr;
  InputIndex *channel = nullptr;
  for (InputIndex &index : indices) {
    if (!index.isPlain || index.letter)
      continue;
    if (index.tap != kNone)
      channel = &index;
    else if (!batch ||
             loops[index.position].output < loops[batch->position].output)
      batch = &index;
  }
  if (batch)
    batch->letter = loops[batch->position].letter = 'n';
  if (channel)
    channel->letter = loops[channel->tap].letter = 'c';
}

/// f is in filter and output alone.
LogicalResult MapMatcher::nameFilterLoops() {
  int64_t outputChannel = kNone;
  for (auto [number, loop] : llvm::enumerate(loops)) {
    if (loop.indexesInput)
      continue;
    if (loop.filter == kNone)
      return refuse("expected input or filter to vary along each dimension of "
                    "the output, but " +
                    nameLoop(number) + " indexes neither");
    if (loop.output == kNone)
      return refuse("expected sums over products, but " + nameLoop(number) +
                    " sums the filter alone");
    if (outputChannel != kNone)
      return refuse("expected at most one output channel dimension, but got " +
                    nameLoop(outputChannel) + " and " + nameLoop(number));
    outputChannel = number;
    loop.letter = 'f';
  }
  return success();
}

/// The window that makes `index` out of positions and taps, exactly.
FailureOr<WindowDim> MapMatcher::getWindow(const InputIndex &index,
                                           int64_t inputSize) {
  int64_t taps =
      getSize(filter, index.tap == kNone ? kNone : loops[index.tap].filter);
  int64_t positions = getSize(
      output, index.position == kNone ? kNone : loops[index.position].output);
  WindowDim window;
  window.stride = index.stride;
  window.reverse = index.dilation < 0;
  if (window.reverse && ShapedType::isDynamic(taps))
    return refuse("expected a static number of taps for " +
                  nameLoop(index.tap) + ", which runs backwards");
  // s*o + d*(K-1-k) - pl is s*o - d*k + constant.
  int64_t reach = 0;
  bool overflows = false;
  window.dilation = index.dilation;
  if (window.reverse)
    overflows =
        llvm::SubOverflow(int64_t(0), index.dilation, window.dilation) ||
        llvm::MulOverflow(window.dilation, taps - 1, reach);
  if (overflows || llvm::SubOverflow(reach, index.constant, window.padLow))
    return refuse("expected a window that reaches less than 64 bits");
  if (window.padLow > 0)
    return refuse("expected reads inside of the input, but the window begins " +
                  Twine(window.padLow) + " before it");
  if (ShapedType::isDynamic(inputSize) || ShapedType::isDynamic(taps) ||
      ShapedType::isDynamic(positions))
    return window;
  if (::convoy::outputSize(inputSize, taps, window) != positions)
    window.padHigh = ::convoy::padHighFor(inputSize, taps, positions, window);
  if (::convoy::outputSize(inputSize, taps, window) != positions)
    return refuse("expected " + Twine(positions) +
                  " positions of a window of " + Twine(taps) + " taps");
  return window;
}

/// What is left in the input's map are windows, outermost first.
LogicalResult MapMatcher::nameWindows() {
  auto isWindow = [](const InputIndex &index) { return !index.letter; };
  size_t rank = llvm::count_if(indices, isWindow);
  if (rank > 3)
    return refuse("expected at most 3 window dimensions, but got " +
                  Twine(rank));
  std::string_view letters = ::convoy::spatialLetters(rank);
  for (auto [dim, index] : llvm::enumerate(indices)) {
    if (!isWindow(index))
      continue;
    FailureOr<WindowDim> window = getWindow(index, getSize(input, dim));
    if (failed(window))
      return failure();
    char letter = letters[windows.size()];
    windows.push_back(*window);
    for (int64_t loop : {index.position, index.tap})
      if (loop != kNone)
        loops[loop].letter = letter;
    index.letter = letter;
  }
  return success();
}

std::string MapMatcher::getWord(OpOperand &operand) {
  std::string word;
  for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults())
    word.push_back(loops[cast<AffineDimExpr>(expr).getPosition()].letter);
  return word;
}

FailureOr<ConvolutionDims> MapMatcher::match() {
  if (failed(collectPlainMap(filter, &Loop::filter)) ||
      failed(collectPlainMap(output, &Loop::output)) ||
      failed(checkIterators()) || failed(collectInputMap()) ||
      failed(nameGroup()))
    return failure();
  nameBatchAndChannel();
  if (failed(nameFilterLoops()) || failed(nameWindows()))
    return failure();
  ConvolutionDims dims;
  for (const InputIndex &index : indices)
    dims.input.push_back(index.letter);
  dims.filter = getWord(filter);
  dims.output = getWord(output);
  dims.window = windows;
  return dims;
}

bool mlir::convoy::hasWindow(AffineMap map) {
  return llvm::any_of(map.getResults(), llvm::IsaPred<AffineBinaryOpExpr>);
}

FailureOr<ConvolutionDims>
mlir::convoy::matchConvolutionMaps(linalg::LinalgOp op, OpOperand &input,
                                   OpOperand &filter, Refuse refuse) {
  return MapMatcher(op, input, filter, refuse).match();
}
