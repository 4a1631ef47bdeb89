//===- TileGroups.cpp - Compute groups some at a time -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BorderParts.h"
#include "Copies.h"
#include "TensorSlice.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/Passes.h"
#include "convoy/Transforms/RegisterTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_TILEGROUPSPASS
#include "convoy/Transforms/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Layout;
using ::convoy::Operand;
using ::convoy::WindowDim;

static constexpr Operand kOperands[] = {Operand::Input, Operand::Filter,
                                        Operand::Output};

/// How many elements lie between those of two groups that follow each other.
static int64_t getGroupStride(ConvolutionOpInterface op, Operand operand) {
  int64_t position = op.getLayout().getLayouts()[operand].position('g');
  return llvm::product_of(
      op.getTypeFor(operand).getShape().drop_front(position + 1));
}

//===----------------------------------------------------------------------===//
// How many groups at a time, and in which order
//===----------------------------------------------------------------------===//

namespace {
/// How the groups of one convolution are taken.
struct GroupPlan {
  int64_t size; ///< how many at a time
  /// Whether what has other dimensions inside its groups is copied, so that
  /// groups lie side by side.
  bool transposed;
  /// The parts that each are a convolution, so that the input is not copied as
  /// a whole; nothing if it is, or has no padding.
  std::optional<BorderParts> borders;
};

/// The cost model for one convolution with groups and static sizes.
class GroupCosts {
public:
  GroupCosts(ConvolutionOpInterface op, TargetAttr target);

  /// How to take groups; nothing if all at once, as they lie, is as good.
  std::optional<GroupPlan> getPlan();

private:
  /// Elements of a group's input with its padding.
  int64_t countPadded();
  bool isPadded() const {
    return llvm::any_of(window, [](const WindowDim &dim) {
      return dim.padLow > 0 || dim.padHigh > 0;
    });
  }
  /// The parts to compute, if padding the borders alone takes less time than
  /// padding all.
  std::optional<BorderParts> getBorders();
  /// Multiply-adds for each group.
  double countSteps();
  /// Cycles for a vector of multiply-adds along the groups, copies included.
  double getTransposedCycles();
  /// The same along the best other dimension of the result.
  double getInPlaceCycles();
  /// The same along the dimension `letter`, the last in the result or not.
  double getInPlaceCycles(char letter, bool isLast);
  /// How much of their vectors `size` lanes fill, a rest being taken by vectors
  /// of powers of two.
  double getUsedLanes(int64_t size) const {
    int64_t vectors = size / lanes + llvm::popcount(uint64_t(size % lanes));
    return double(size) / double(vectors * lanes);
  }

  /// Cycles for reading or writing a vector of what is transposed.
  static constexpr double kTransposeCycles = 5;
  /// The most parts of a result: to compile five takes longer than a kernel
  /// may.
  static constexpr int64_t kMostParts = 3;
  /// How much longer borders take than they seem to, being short.
  static constexpr double kBorderCosts = 1.5;
  /// Cycles for padding a vector.
  static constexpr double kPadCycles = 3.5;
  /// Cycles for a multiply-add of vectors in the first cache.
  static constexpr double kStepCycles = 0.7;
  /// The same where vectors lie across the ends of cache lines, or come from
  /// the second cache.
  static constexpr double kSlowStepCycles = 1.4;
  /// The same where more than one vector comes from the second cache.
  static constexpr double kFarStepCycles = 3;
  /// Cycles for a vector of elements that lie apart.
  static constexpr double kGatherCycles = 4;

  ConvolutionOpInterface op;
  SmallVector<WindowDim> window;
  std::string_view spatial;
  int64_t elementBytes, lanes, cacheElements, groups;
};
} // namespace

GroupCosts::GroupCosts(ConvolutionOpInterface op, TargetAttr target)
    : op(op), window(op.getWindow().getDims(op.getLayout().getSpatialRank())),
      spatial(::convoy::spatialLetters(window.size())),
      elementBytes(llvm::divideCeil(
          getElementTypeOrSelf(op.getInit()).getIntOrFloatBitWidth(), 8)),
      lanes(target.getVectorLanes(getElementTypeOrSelf(op.getInit()))),
      cacheElements(target.getL1Bytes() / elementBytes),
      groups(op.getSize(Operand::Output, 'g')) {}

int64_t GroupCosts::countPadded() {
  int64_t elements =
      op.getSize(Operand::Input, 'n') * op.getSize(Operand::Input, 'c');
  for (auto [letter, dim] : llvm::zip_equal(spatial, window))
    elements *= op.getSize(Operand::Input, letter) +
                std::max<int64_t>(0, dim.padLow) +
                std::max<int64_t>(0, dim.padHigh);
  return elements;
}

double GroupCosts::countSteps() {
  double steps = double(op.getTypeFor(Operand::Output).getNumElements()) *
                 double(op.getTypeFor(Operand::Filter).getNumElements()) /
                 double(op.getSize(Operand::Output, 'f'));
  for (const WindowDim &dim : window)
    steps /= double(dim.inputDilation);
  return steps / (double(groups) * double(groups));
}

double GroupCosts::getTransposedCycles() {
  double moved = 0;
  for (Operand operand : kOperands)
    if (getGroupStride(op, operand) > 1)
      moved += double(op.getTypeFor(operand).getNumElements()) / double(groups);
  double cycles = kStepCycles;
  if (op.getSize(Operand::Input, 'c') * op.getSize(Operand::Output, 'f') > 1)
    cycles = kSlowStepCycles;
  // Many channels of as many groups do not stay in the first cache.
  if (lanes * std::min(op.getTypeFor(Operand::Filter).getNumElements(),
                       op.getTypeFor(Operand::Output).getNumElements()) >
      cacheElements * groups)
    cycles = kFarStepCycles;
  return (cycles + kTransposeCycles * moved / countSteps()) /
         getUsedLanes(groups);
}

double GroupCosts::getInPlaceCycles(char letter, bool isLast) {
  int64_t size = op.getSize(Operand::Output, letter);
  double inGroup =
      double(op.getTypeFor(Operand::Output).getNumElements()) / double(groups);
  // Cycles for what lies apart in the result.
  double stored = kScatteredCycles * double(lanes) * inGroup / countSteps();
  size_t dim = spatial.find(letter);
  if (dim == std::string_view::npos) {
    // A copy in the order of lanes serves all that the result has beside them.
    double packed = kStepCycles + kGatherCycles * double(size) / inGroup;
    return (isLast ? kStepCycles : packed + stored) / getUsedLanes(size);
  }
  int64_t dilation = window[dim].inputDilation;
  size = llvm::divideCeil(size, dilation);
  double inFilters = double(op.getSize(Operand::Output, 'f'));
  double step = window[dim].stride == 1 ? kSlowStepCycles : kGatherCycles;
  step = std::max(kStepCycles, step / inFilters) / getUsedLanes(size);
  // Lanes of what is packed go on from one row to the next.
  step = std::min(step, kStepCycles + kGatherCycles / inFilters);
  return step + (isLast && dilation == 1 ? 0 : stored);
}

double GroupCosts::getInPlaceCycles() {
  Layout output = op.getLayout().getLayouts().output;
  double least = std::numeric_limits<double>::infinity();
  bool isLast = true;
  for (char letter : llvm::reverse(output.letters())) {
    if (letter == 'g' || op.getSize(Operand::Output, letter) == 1)
      continue;
    least = std::min(least, getInPlaceCycles(letter, isLast));
    isLast = false;
  }
  return least;
}

std::optional<BorderParts> GroupCosts::getBorders() {
  if (llvm::any_of(window,
                   [](const WindowDim &dim) { return dim.inputDilation > 1; }))
    return std::nullopt;
  std::optional<BorderParts> borders = getBorderParts(op);
  if (!borders || (borders->operand == Operand::Output &&
                   int64_t(borders->parts.size()) > kMostParts))
    return std::nullopt;
  // A border reads, across it, as far as the window or the taps reach.
  bool splitsTaps = borders->operand == Operand::Filter;
  double all = 1, inner = 1, read = double(op.getSize(Operand::Input, 'c')),
         across = 1;
  for (auto [letter, dim, size] :
       llvm::zip_equal(spatial, window, borders->parts[0].sizes)) {
    all *= double(op.getSize(borders->operand, letter));
    inner *= double(size);
    read *= double(splitsTaps ? dim.dilation : dim.stride);
    across = std::max(
        across, double(op.getSize(
                    splitsTaps ? Operand::Output : Operand::Filter, letter)));
  }
  double outer = all - inner;
  double border = outer / all * countSteps() * kStepCycles +
                  outer * read * across * kPadCycles;
  if (border * kBorderCosts > double(countPadded()) * kPadCycles)
    return std::nullopt;
  return borders;
}

std::optional<GroupPlan> GroupCosts::getPlan() {
  bool apart = getGroupStride(op, Operand::Output) > 1;
  bool transposed = apart && getTransposedCycles() < getInPlaceCycles();
  if (!transposed && !isPadded())
    return std::nullopt;
  // At least the vectors along groups, or else a cache line.
  int64_t unit = lanes;
  if (apart && !transposed)
    unit = llvm::divideCeil(lanes, getGroupStride(op, Operand::Output));
  int64_t most = cacheElements / countPadded() / unit * unit;
  most = std::max(unit, most);
  if (most >= groups && !transposed)
    return std::nullopt;
  GroupPlan plan{std::min(groups, most), transposed, std::nullopt};
  // Where groups lie apart, several channels share what is padded.
  if (!apart)
    plan.borders = getBorders();
  // What divides the groups needs no code of its own for a rest.
  for (int64_t size = plan.size; size * 2 > plan.size; size -= unit)
    if (groups % size == 0) {
      plan.size = size;
      break;
    }
  return plan;
}

//===----------------------------------------------------------------------===//
// The rewrite
//===----------------------------------------------------------------------===//

namespace {
/// Rewrites one convolution as a plan says.
class GroupTiler {
public:
  GroupTiler(RewriterBase &rewriter, ConvOp op, const GroupPlan &plan)
      : rewriter(rewriter), loc(op.getLoc()), op(op), plan(plan),
        fill(op.getInit().getDefiningOp<linalg::FillOp>()) {
    if (fill && !fill->hasOneUse())
      fill = {};
  }

  void tile();

private:
  /// `init` with the sums of `size` groups from `first` on.
  Value computePanel(OpFoldResult first, int64_t size, Value init);
  /// The convolution of a panel, or of a part of it.
  Value createConv(Value input, Value filter, Value init, WindowAttr window);
  /// A panel as the convolutions of its parts.
  Value computeBorders(Value input, Value filter, Value init);
  /// The box of `part` in a panel's `tensor`, which plays `operand`.
  TensorSlice getBox(Value tensor, Operand operand, const BorderPart &part);
  /// `init`, filled if that is left to panels.
  Value fillOrKeep(Value init);
  /// The groups' part of `tensor`, which plays `operand`.
  TensorSlice getPanel(Value tensor, Operand operand, OpFoldResult first,
                       int64_t size);
  /// The layout of `operand` in the convolution of a panel.
  Layout getPanelLayout(Operand operand);
  /// A tensor for `panel` in the panel's layout.
  Value createEmpty(Value panel, Operand operand);
  /// `panel` in the panel's layout.
  Value transpose(Value panel, Operand operand);
  /// The way back, into `destination`.
  Value transposeBack(Value panel, Value destination);
  /// Where each dimension of `from` stands in `to`.
  AffineMap getOrder(const Layout &from, const Layout &to);

  RewriterBase &rewriter;
  Location loc;
  ConvOp op;
  GroupPlan plan;
  /// What gives the init, if it is one value: panels are filled one by one.
  linalg::FillOp fill;
};
} // namespace

Layout GroupTiler::getPanelLayout(Operand operand) {
  Layout layout = op.getLayout().getLayouts()[operand];
  if (!plan.transposed || getGroupStride(op, operand) == 1)
    return layout;
  std::string letters = layout.letters();
  llvm::erase(letters, 'g');
  return Layout::fromLetters(letters + 'g');
}

AffineMap GroupTiler::getOrder(const Layout &from, const Layout &to) {
  SmallVector<AffineExpr> order;
  for (char letter : from.letters())
    order.push_back(rewriter.getAffineDimExpr(to.position(letter)));
  return AffineMap::get(to.rank(), 0, order, rewriter.getContext());
}

TensorSlice GroupTiler::getPanel(Value tensor, Operand operand,
                                 OpFoldResult first, int64_t size) {
  TensorSlice panel(rewriter, loc, tensor);
  panel.narrow(op.getLayout().getLayouts()[operand].position('g'), first,
               rewriter.getIndexAttr(size));
  return panel;
}

Value GroupTiler::createEmpty(Value panel, Operand operand) {
  auto type = cast<RankedTensorType>(panel.getType());
  Layout layout = op.getLayout().getLayouts()[operand];
  SmallVector<int64_t> shape;
  Layout panelLayout = getPanelLayout(operand);
  for (char letter : panelLayout.letters())
    shape.push_back(type.getDimSize(layout.position(letter)));
  return tensor::EmptyOp::create(rewriter, loc, shape, type.getElementType());
}

Value GroupTiler::transpose(Value panel, Operand operand) {
  Layout layout = op.getLayout().getLayouts()[operand];
  Layout wanted = getPanelLayout(operand);
  if (layout == wanted)
    return panel;
  return createCopy(rewriter, loc, panel, getOrder(layout, wanted),
                    createEmpty(panel, operand))
      .getResult(0);
}

Value GroupTiler::transposeBack(Value panel, Value destination) {
  Layout layout = op.getLayout().getLayouts().output;
  return createCopy(rewriter, loc, panel,
                    getOrder(getPanelLayout(Operand::Output), layout),
                    destination)
      .getResult(0);
}

Value GroupTiler::createConv(Value input, Value filter, Value init,
                             WindowAttr window) {
  auto layout =
      ConvLayoutAttr::get(op.getContext(), {getPanelLayout(Operand::Input),
                                            getPanelLayout(Operand::Filter),
                                            getPanelLayout(Operand::Output)});
  return ConvOp::create(rewriter, loc, input, filter, init, op.getZeroPoints(),
                        layout, window, op.getNumerics());
}

Value GroupTiler::fillOrKeep(Value init) {
  if (!fill)
    return init;
  return linalg::FillOp::create(rewriter, loc, fill.getInputs(), init)
      .getResult(0);
}

TensorSlice GroupTiler::getBox(Value tensor, Operand operand,
                               const BorderPart &part) {
  TensorSlice box(rewriter, loc, tensor);
  Layout layout = getPanelLayout(operand);
  for (auto [letter, offset, size] :
       llvm::zip_equal(::convoy::spatialLetters(layout.spatialRank()),
                       part.offsets, part.sizes))
    box.narrow(layout.position(letter), offset, size);
  return box;
}

Value GroupTiler::computeBorders(Value input, Value filter, Value init) {
  const BorderParts &borders = *plan.borders;
  bool sumsParts = borders.operand == Operand::Filter;
  Value result = sumsParts ? fillOrKeep(init) : init;
  Type element = getElementTypeOrSelf(init.getType());
  Type accumulator = cast<ConvolutionOpInterface>(*op).getAccumulatorType();
  // A sum of all parts is rounded once.
  bool isWider = sumsParts && accumulator != element;
  if (isWider)
    result = convertElements(rewriter, loc, result, accumulator);
  for (const BorderPart &part : borders.parts) {
    auto window = WindowAttr::get(op.getContext(), part.window);
    if (sumsParts) {
      Value taps = getBox(filter, Operand::Filter, part).extract();
      result = createConv(input, taps, result, window);
      continue;
    }
    TensorSlice box = getBox(result, Operand::Output, part);
    result = box.insert(
        createConv(input, filter, fillOrKeep(box.extract()), window));
  }
  return isWider ? convertElements(rewriter, loc, result, element) : result;
}

Value GroupTiler::computePanel(OpFoldResult first, int64_t size, Value init) {
  TensorSlice slice = getPanel(init, Operand::Output, first, size);
  Value part = slice.extract();
  Value input =
      transpose(getPanel(op.getInput(), Operand::Input, first, size).extract(),
                Operand::Input);
  Value filter = transpose(
      getPanel(op.getFilter(), Operand::Filter, first, size).extract(),
      Operand::Filter);
  bool isApart =
      getPanelLayout(Operand::Output) != op.getLayout().getLayouts().output;
  Value sum = part;
  if (isApart)
    sum = fill ? createEmpty(part, Operand::Output)
               : transpose(part, Operand::Output);
  sum = plan.borders
            ? computeBorders(input, filter, sum)
            : createConv(input, filter, fillOrKeep(sum), op.getWindow());
  if (isApart)
    sum = transposeBack(sum, part);
  return slice.insert(sum);
}

void GroupTiler::tile() {
  rewriter.setInsertionPoint(op);
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  };
  auto conv = cast<ConvolutionOpInterface>(*op);
  int64_t groups = conv.getSize(Operand::Output, 'g');
  int64_t whole = groups / plan.size * plan.size;
  Value result = fill ? fill.getOutputs()[0] : op.getInit();
  auto loop = scf::ForOp::create(
      rewriter, loc, index(0), index(whole), index(plan.size), result,
      [&](OpBuilder &, Location, Value first, ValueRange results) {
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPointToEnd(first.getParentBlock());
        Value panel = computePanel(first, plan.size, results[0]);
        scf::YieldOp::create(rewriter, loc, panel);
      });
  result = loop.getResult(0);
  if (whole < groups)
    result = computePanel(rewriter.getIndexAttr(whole), groups - whole, result);
  rewriter.replaceOp(op, result);
}

namespace {
struct TileGroupsPass final
    : mlir::convoy::impl::TileGroupsPassBase<TileGroupsPass> {
  using Base::Base;

  void runOnOperation() override {
    TargetAttr target = TargetAttr::lookup(getOperation());
    // Workgroups divide the groups of a GPU, which has no such caches.
    if (target.isGPU())
      return;
    SmallVector<ConvOp> ops;
    getOperation()->walk([&](ConvOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (ConvOp op : ops) {
      auto conv = cast<ConvolutionOpInterface>(*op);
      if (!op.getLayout().getLayouts().output.hasGroups() ||
          !conv.hasStaticSizes() || conv.hasEmptyTensor())
        continue;
      if (std::optional<GroupPlan> plan = GroupCosts(conv, target).getPlan())
        GroupTiler(rewriter, op, *plan).tile();
    }
  }
};
} // namespace
