//===- ShrinkSizes.cpp - Smaller tensors in functions -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dimensions that an op lets have one size are of one class, and windows make
// the size of one class follow from those of others. Where an op is not known,
// its dimensions are taken to go with those of its operands at the same place;
// whoever looks at the result verifies it.
//
//===----------------------------------------------------------------------===//

#include "ShrinkSizes.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/TypeSwitch.h"

#include <map>

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Operand;
using ::convoy::WindowDim;

namespace {
/// A dimension of a tensor, by numbers.
using Dim = std::pair<size_t, int64_t>;

/// Windows over a class of dimensions: as many positions as another has, and as
/// many taps as a third has or, without one, a single tap.
struct WindowRelation {
  Dim input, output;
  std::optional<Dim> filter;
  WindowDim window;
};

/// What is known of the sizes in a function.
class Sizes {
public:
  explicit Sizes(func::FuncOp function);

  std::vector<SizeChange> findChanges();

private:
  void visit(Operation *op);
  void visit(linalg::LinalgOp op);
  void visit(ConvolutionOpInterface op);
  void visit(tensor::PadOp op);
  /// Ties dimensions of operands and results of an op that is not known.
  void guess(Operation *op);
  /// Adds the windows of an indexing map's `expr`, of dimension `input`.
  void addWindow(AffineExpr expr, Dim input,
                 const std::map<unsigned, Dim> &dims);
  void tie(Dim a, Dim b) { classes.unionSets(a, b); }
  void tieAll(Value a, Value b);
  Dim getDim(Value value, int64_t dim) const {
    return {numbers.lookup(value), dim};
  }
  bool isKnown(Value value) const { return numbers.contains(value); }

  /// The shapes where the class of `dim` has `size`, or nothing.
  std::optional<SizeChange> change(Dim dim, int64_t size);

  SmallVector<Value> values;
  DenseMap<Value, size_t> numbers; ///< of tensors of static shapes
  llvm::EquivalenceClasses<Dim> classes;
  std::vector<WindowRelation> relations;
};
} // namespace

/// The values of `function` that shapes are kept of, in order.
static SmallVector<Value> getValues(func::FuncOp function) {
  SmallVector<Value> values(function.getArguments());
  for (Operation &op : function.front())
    llvm::append_range(values, op.getResults());
  return values;
}

void Sizes::visit(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<linalg::LinalgOp, ConvolutionOpInterface, tensor::PadOp>(
          [&](auto op) { visit(op); })
      .Default([&](Operation *op) { guess(op); });
}

void Sizes::tieAll(Value a, Value b) {
  if (!isKnown(a) || !isKnown(b))
    return;
  for (int64_t dim = 0; dim < cast<RankedTensorType>(a.getType()).getRank();
       ++dim)
    tie(getDim(a, dim), getDim(b, dim));
}

void Sizes::guess(Operation *op) {
  for (Value result : op->getResults())
    for (Value operand : op->getOperands()) {
      if (!isKnown(result) || !isKnown(operand))
        continue;
      auto of = cast<RankedTensorType>(result.getType()),
           from = cast<RankedTensorType>(operand.getType());
      for (int64_t dim = 0;
           of.getRank() == from.getRank() && dim < of.getRank(); ++dim)
        if (of.getDimSize(dim) == from.getDimSize(dim))
          tie(getDim(result, dim), getDim(operand, dim));
    }
}

void Sizes::addWindow(AffineExpr expr, Dim input,
                      const std::map<unsigned, Dim> &dims) {
  // Positions and taps, each with what it is multiplied with.
  SmallVector<std::pair<Dim, int64_t>> terms;
  auto addTerm = [&](AffineExpr term) {
    int64_t factor = 1;
    if (auto product = dyn_cast<AffineBinaryOpExpr>(term);
        product && product.getKind() == AffineExprKind::Mul)
      if (auto constant = dyn_cast<AffineConstantExpr>(product.getRHS())) {
        factor = constant.getValue();
        term = product.getLHS();
      }
    if (auto loop = dyn_cast<AffineDimExpr>(term))
      if (auto found = dims.find(loop.getPosition()); found != dims.end())
        terms.push_back({found->second, factor});
  };
  auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!sum || sum.getKind() != AffineExprKind::Add)
    return;
  addTerm(sum.getLHS());
  addTerm(sum.getRHS());
  if (terms.size() != 2)
    return;
  WindowDim window;
  window.stride = terms[0].second;
  window.dilation = terms[1].second;
  relations.push_back({input, terms[0].first, terms[1].first, window});
}

void Sizes::visit(linalg::LinalgOp op) {
  // The dimension that a loop runs over.
  std::map<unsigned, Dim> dims;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isKnown(operand.get()))
      continue;
    for (auto [place, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
        Dim dim = getDim(operand.get(), place);
        tie(dim, dims.try_emplace(loop.getPosition(), dim).first->second);
      }
  }
  for (OpOperand &operand : op->getOpOperands())
    if (isKnown(operand.get()))
      for (auto [place, expr] :
           llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
        addWindow(expr, getDim(operand.get(), place), dims);
  for (auto [init, result] : llvm::zip(op.getDpsInits(), op->getResults()))
    tieAll(init, result);
}

void Sizes::visit(ConvolutionOpInterface op) {
  std::map<std::pair<Operand, char>, Dim> dims;
  const ::convoy::ConvLayouts &layouts = op.getLayout().getLayouts();
  tieAll(op.getInit(), op->getResult(0));
  for (Operand operand : {Operand::Input, Operand::Filter, Operand::Output}) {
    Value value = op.getOperandFor(operand);
    if (!isKnown(value))
      return;
    for (auto [place, letter] : llvm::enumerate(layouts[operand].letters()))
      dims[{operand, letter}] = getDim(value, place);
  }
  auto tieLetter = [&](char letter, Operand a, Operand b) {
    if (dims.contains({a, letter}) && dims.contains({b, letter}))
      tie(dims[{a, letter}], dims[{b, letter}]);
  };
  tieLetter('n', Operand::Input, Operand::Output);
  tieLetter('c', Operand::Input, Operand::Filter);
  tieLetter('f', Operand::Filter, Operand::Output);
  tieLetter('g', Operand::Input, Operand::Filter);
  tieLetter('g', Operand::Input, Operand::Output);
  int rank = layouts.input.spatialRank();
  for (auto [letter, window] : llvm::zip_equal(::convoy::spatialLetters(rank),
                                               op.getWindow().getDims(rank)))
    relations.push_back({dims[{Operand::Input, letter}],
                         dims[{Operand::Output, letter}],
                         dims[{Operand::Filter, letter}], window});
}

void Sizes::visit(tensor::PadOp op) {
  if (!isKnown(op.getSource()) || !isKnown(op.getResult()))
    return;
  for (auto [dim, low, high] :
       llvm::enumerate(op.getStaticLow(), op.getStaticHigh())) {
    WindowDim window;
    window.padLow = low;
    window.padHigh = high;
    relations.push_back({getDim(op.getSource(), dim),
                         getDim(op.getResult(), dim), std::nullopt, window});
  }
}

namespace {
/// Sizes of classes that have changed.
class ChangedSizes {
public:
  ChangedSizes(const llvm::EquivalenceClasses<Dim> &classes,
               ArrayRef<Value> values)
      : classes(classes), values(values) {}

  bool has(Dim dim) const { return changed.contains(getLeader(dim)); }
  int64_t get(Dim dim) const {
    auto found = changed.find(getLeader(dim));
    if (found != changed.end())
      return found->second;
    return cast<RankedTensorType>(values[dim.first].getType())
        .getDimSize(dim.second);
  }
  void set(Dim dim, int64_t size) { changed[getLeader(dim)] = size; }
  /// Lets what follows by `relation` follow. Whether that changed anything.
  bool follow(const WindowRelation &relation);
  /// Whether `relation` holds, and there are sizes.
  bool holds(const WindowRelation &relation) const;

private:
  Dim getLeader(Dim dim) const { return classes.getLeaderValue(dim); }
  int64_t getTaps(const WindowRelation &relation) const {
    return relation.filter ? get(*relation.filter) : 1;
  }

  const llvm::EquivalenceClasses<Dim> &classes;
  ArrayRef<Value> values;
  std::map<Dim, int64_t> changed;
};
} // namespace

Sizes::Sizes(func::FuncOp function) : values(getValues(function)) {
  for (auto [number, value] : llvm::enumerate(values)) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || !type.hasStaticShape())
      continue;
    numbers[value] = number;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      classes.insert({number, dim});
  }
  for (Operation &op : function.front())
    visit(&op);
  ChangedSizes given(classes, values);
  llvm::erase_if(relations, [&](const WindowRelation &relation) {
    return !given.holds(relation);
  });
}

bool ChangedSizes::follow(const WindowRelation &relation) {
  bool hasInput = has(relation.input), hasOutput = has(relation.output),
       hasFilter = relation.filter && has(*relation.filter);
  int64_t input = get(relation.input), output = get(relation.output),
          taps = getTaps(relation);
  if (hasInput && !hasOutput) {
    set(relation.output, ::convoy::outputSize(input, taps, relation.window));
    return true;
  }
  // The input's remainder behind the last window stays away.
  if (!hasInput && (hasOutput || hasFilter)) {
    set(relation.input,
        ::convoy::transposedSize(output, taps, relation.window));
    return true;
  }
  return false;
}

bool ChangedSizes::holds(const WindowRelation &relation) const {
  int64_t input = get(relation.input), output = get(relation.output),
          taps = getTaps(relation);
  return input > 0 && output > 0 && taps > 0 &&
         ::convoy::outputSize(input, taps, relation.window) == output;
}

std::optional<SizeChange> Sizes::change(Dim dim, int64_t size) {
  ChangedSizes changed(classes, values);
  changed.set(dim, size);
  // Each step changes a class that has not changed before.
  while (llvm::any_of(relations, [&](const WindowRelation &relation) {
    return changed.follow(relation);
  }))
    ;
  if (!llvm::all_of(relations, [&](const WindowRelation &relation) {
        return changed.holds(relation);
      }))
    return std::nullopt;
  SizeChange shapes;
  for (auto [number, value] : llvm::enumerate(values)) {
    SmallVector<int64_t> &shape = shapes.emplace_back();
    if (!isKnown(value))
      continue;
    shape = llvm::to_vector(cast<RankedTensorType>(value.getType()).getShape());
    for (auto [place, size] : llvm::enumerate(shape))
      size = changed.get({number, place});
  }
  return shapes;
}

std::vector<SizeChange> Sizes::findChanges() {
  std::vector<SizeChange> changes;
  for (const auto *member : classes) {
    if (!member->isLeader())
      continue;
    Dim dim = member->getData();
    int64_t size = cast<RankedTensorType>(values[dim.first].getType())
                       .getDimSize(dim.second);
    SmallVector<int64_t> smaller = {1, size / 2, size - 1};
    smaller.erase(llvm::unique(smaller), smaller.end());
    for (int64_t one : smaller)
      if (one >= 1 && one < size)
        if (std::optional<SizeChange> changed = change(dim, one))
          changes.push_back(std::move(*changed));
  }
  return changes;
}

std::vector<SizeChange> mlir::convoy::findSizeChanges(func::FuncOp function) {
  return Sizes(function).findChanges();
}

/// The first elements of `elements` along each dimension.
static DenseElementsAttr crop(DenseElementsAttr elements,
                              RankedTensorType type) {
  if (elements.isSplat())
    return elements.resizeSplat(type);
  SmallVector<Attribute> kept;
  SmallVector<int64_t> index(type.getRank(), 0);
  ArrayRef<int64_t> all = elements.getType().getShape();
  auto given = elements.getValues<Attribute>();
  for (int64_t left = type.getNumElements(); left > 0; --left) {
    int64_t place = 0;
    for (auto [at, size] : llvm::zip_equal(index, all))
      place = place * size + at;
    kept.push_back(given[place]);
    for (int64_t dim = type.getRank(); dim-- > 0;) {
      if (++index[dim] < type.getDimSize(dim))
        break;
      index[dim] = 0;
    }
  }
  return DenseElementsAttr::get(type, kept);
}

void mlir::convoy::changeSizes(func::FuncOp function,
                               const SizeChange &change) {
  for (auto [value, shape] : llvm::zip_equal(getValues(function), change)) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || shape.empty() || type.getShape() == ArrayRef(shape))
      continue;
    RankedTensorType changed = type.clone(shape);
    value.setType(changed);
    auto constant = value.getDefiningOp<arith::ConstantOp>();
    if (!constant)
      continue;
    if (auto elements = dyn_cast<DenseElementsAttr>(constant.getValue()))
      constant.setValueAttr(crop(elements, changed));
  }
}
