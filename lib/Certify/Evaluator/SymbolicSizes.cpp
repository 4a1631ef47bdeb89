//===- SymbolicSizes.cpp - Sizes as linear expressions ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SymbolicSizes.h"
#include "../Buffers/BufferUse.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

SmallVector<Value> certify::getElementwiseOperands(Operation *op) {
  SmallVector<Value> tensors;
  if (OpTrait::hasElementwiseMappableTraits(op))
    llvm::copy_if(
        op->getOperands(), std::back_inserter(tensors),
        [](Value operand) { return isa<RankedTensorType>(operand.getType()); });
  return tensors;
}

SmallVector<Value> certify::getSizeOperands(Operation *op) {
  return llvm::TypeSwitch<Operation *, SmallVector<Value>>(op)
      .Case<tensor::EmptyOp, bufferization::AllocTensorOp>(
          [](auto op) { return op.getDynamicSizes(); })
      .Case([](tensor::ExpandShapeOp op) { return op.getOutputShape(); })
      .Case([](Im2colOp op) { return op.getSizes(); })
      .Case([](OffsetSizeAndStrideOpInterface op) {
        SmallVector<Value> sizes;
        for (OpFoldResult size : op.getMixedSizes())
          if (auto value = dyn_cast<Value>(size))
            sizes.push_back(value);
        return sizes;
      })
      .Default(SmallVector<Value>());
}

/// Those values of `cases` whose least is the value everywhere within `scope`,
/// or nothing. Of values below `floor`, if there is one, no more is asked than
/// that the least is not above it.
static std::optional<Size> getLeastOf(Solver &solver, const IndexCases &cases,
                                      const System &scope,
                                      std::optional<int64_t> floor) {
  Size bounds;
  for (const Case<LinearExpr> &candidate : cases) {
    bool isBound = llvm::all_of(cases, [&](const Case<LinearExpr> &one) {
      System inCase = scope & one.domain;
      if (floor)
        inCase.addAtMost(*floor + 1, one.value);
      inCase.addAtMost(candidate.value + 1, one.value);
      return solver.isEmpty(inCase);
    });
    if (isBound && !llvm::is_contained(bounds, candidate.value))
      bounds.push_back(candidate.value);
  }
  auto isReached = [&](const Case<LinearExpr> &one) {
    System inCase = scope & one.domain;
    for (const LinearExpr &bound : bounds)
      inCase.addAtMost(one.value + 1, bound);
    if (floor)
      for (const LinearExpr &bound : bounds)
        inCase.addAtMost(*floor + 1, bound);
    return solver.isEmpty(inCase);
  };
  if (bounds.empty() || !llvm::all_of(cases, isReached))
    return std::nullopt;
  return bounds;
}

void SymbolicSizes::keepWithin(const System &scope, IndexCases &cases) {
  if (cases.size() > 1)
    llvm::erase_if(cases, [&](const Case<LinearExpr> &one) {
      return solver.isEmpty(scope & one.domain);
    });
}

FailureOr<Size> SymbolicSizes::findLeast(Value value, Operation *op,
                                         std::optional<int64_t> floor,
                                         bool isSingle) {
  FailureOr<IndexCases> cases = indices.evaluate(value);
  if (failed(cases))
    return failure();
  // Cases to ask apart are all that there are anywhere in the function.
  auto function = op->getParentOfType<FunctionOpInterface>();
  keepWithin(scopes.getScope(function), *cases);
  IndexCases everywhere = *cases;
  bool isOfSizes = llvm::all_of(
      everywhere, [&](const auto &one) { return arguments.settle(one); });
  // What holds where the value is made holds wherever it is used.
  Operation *maker = value.getDefiningOp();
  System scope = scopes.getScope(maker ? maker : op);
  keepWithin(scope, *cases);
  if (cases->empty())
    return Size{0}; // it never runs
  bool hasLocals =
      llvm::any_of(*cases, [](const auto &one) { return !one.locals.empty(); });
  if (everywhere.size() == 1 && hasLocals && isOfSizes) {
    arguments.define(everywhere[0].locals, everywhere[0].domain);
    hasLocals = false;
  }
  if (cases->size() == 1 && !hasLocals) {
    if (isOfSizes)
      indices.bind(value, cases->front().value);
    return Size{cases->front().value};
  }
  if (!isSingle && !hasLocals)
    if (auto bounds = getLeastOf(solver, *cases, scope, floor))
      return *bounds;
  if (isOfSizes && everywhere.size() > 1)
    arguments.splitInto(everywhere);
  return obstacle.undecided(
      op, cases->size() == 1 ? "a loop bound or size that is a quotient"
                             : "a loop bound or size with several cases");
}

FailureOr<Size> SymbolicSizes::evaluateUpperBound(OpFoldResult value,
                                                  Operation *op) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return Size{*constant};
  return findLeast(cast<Value>(value), op, /*floor=*/std::nullopt,
                   /*isSingle=*/false);
}

FailureOr<Size> SymbolicSizes::evaluateSize(OpFoldResult value, Operation *op) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return Size{*constant};
  auto operand = cast<Value>(value);
  if (auto it = sizes.find(operand); it != sizes.end())
    return it->second;
  FailureOr<Size> size =
      findLeast(operand, op, /*floor=*/0, /*isSingle=*/false);
  if (succeeded(size))
    sizes[operand] = *size;
  return size;
}

FailureOr<LinearExpr> SymbolicSizes::evaluateSingle(OpFoldResult value,
                                                    Operation *op) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return LinearExpr(*constant);
  FailureOr<Size> size = findLeast(cast<Value>(value), op,
                                   /*floor=*/std::nullopt, /*isSingle=*/true);
  if (failed(size))
    return failure();
  return size->front();
}

/// Whether `a` <= `b` wherever `domain` holds.
static bool isAtMost(Solver &solver, const Size &a, const Size &b,
                     const System &domain) {
  return llvm::all_of(b, [&](const LinearExpr &upper) {
    System above = domain;
    for (const LinearExpr &value : a) {
      above.addAtMost(upper + 1, value);
      above.addAtMost(1, value);
    }
    return solver.isEmpty(above);
  });
}

bool certify::areEqualSizes(Solver &solver, const Size &a, const Size &b,
                            const System &domain) {
  return a == b ||
         (isAtMost(solver, a, b, domain) && isAtMost(solver, b, a, domain));
}

int64_t certify::evaluateSize(const Size &size,
                              const DenseMap<Var, int64_t> &point) {
  int64_t least = size.front().evaluate(point);
  for (const LinearExpr &value : size)
    least = std::min(least, value.evaluate(point));
  return std::max<int64_t>(least, 0);
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

FailureOr<Size> SymbolicSizes::getSize(Value shaped, int64_t dim) {
  if (isa<BaseMemRefType>(shaped.getType()))
    return findBufferSize(cast<BlockArgument>(shaped), dim);
  auto type = cast<ShapedType>(shaped.getType());
  if (!type.isDynamicDim(dim))
    return Size{type.getDimSize(dim)};
  auto known = sizesOfTensors.find({shaped, dim});
  if (known != sizesOfTensors.end())
    return known->second;
  FailureOr<Size> size = findSize(shaped, dim);
  if (succeeded(size))
    sizesOfTensors[{shaped, dim}] = *size;
  return size;
}

FailureOr<Size> SymbolicSizes::findBufferSize(BlockArgument buffer,
                                              int64_t dim) {
  auto type = cast<ShapedType>(buffer.getType());
  if (!type.isDynamicDim(dim))
    return Size{type.getDimSize(dim)};
  FailureOr<BufferUse> use = BufferUse::find(buffer, obstacle);
  if (failed(use))
    return failure();
  if (use->start)
    return getSize(use->start, dim);
  return Size{arguments.getSize(buffer, dim)};
}

/// The dimension of the source that `dim` of the result is, if those that it is
/// expanded to beside have one element.
static std::optional<int64_t> getOnlySource(tensor::ExpandShapeOp op,
                                            int64_t dim) {
  ArrayRef<int64_t> shape = op.getResultType().getShape();
  for (auto [source, group] : llvm::enumerate(op.getReassociationIndices()))
    if (llvm::is_contained(group, dim) &&
        llvm::all_of(group, [&](int64_t other) {
          return other == dim || shape[other] == 1;
        }))
      return source;
  return std::nullopt;
}

FailureOr<Size> SymbolicSizes::findSizeOfArgument(BlockArgument argument,
                                                  int64_t dim) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto loop = dyn_cast<scf::ForOp>(parent))
    return getSize(loop.getTiedLoopInit(argument)->get(), dim);
  if (auto loop = dyn_cast<scf::ForallOp>(parent))
    return getSize(loop.getTiedOpOperand(argument)->get(), dim);
  if (!isa<FunctionOpInterface>(parent))
    return obstacle.undecided(parent, "a size that a loop carries");
  return Size{arguments.getSize(argument, dim)};
}

FailureOr<Size> SymbolicSizes::findPaddedSize(tensor::PadOp op, int64_t dim) {
  FailureOr<LinearExpr> low = evaluateSingle(op.getMixedLowPad()[dim], op);
  FailureOr<LinearExpr> high = evaluateSingle(op.getMixedHighPad()[dim], op);
  FailureOr<Size> size = getSize(op.getSource(), dim);
  if (failed(low) || failed(high) || failed(size))
    return failure();
  System scope = scopes.getScope(op);
  for (LinearExpr &value : *size) {
    if (size->size() > 1 && !solver.implies(scope, {value, false}))
      return obstacle.undecided(op, "padding of what may be empty");
    value += *low + *high;
  }
  return size;
}

FailureOr<Size> SymbolicSizes::findCollapsedSize(tensor::CollapseShapeOp op,
                                                 int64_t dim) {
  Size size = {1};
  DynamicAPInt factor(1);
  ReassociationIndices sources = op.getReassociationIndices()[dim];
  for (int64_t source : sources) {
    int64_t known = op.getSrcType().getDimSize(source);
    if (ShapedType::isStatic(known)) {
      factor *= DynamicAPInt(known);
      continue;
    }
    FailureOr<Size> one = getSize(op.getSrc(), source);
    if (failed(one))
      return failure();
    if (size.size() > 1 || !size.front().isConstant())
      return obstacle.undecided(op, "a product of dynamic sizes");
    size = *one;
  }
  for (LinearExpr &bound : size)
    bound = bound * factor;
  return size;
}

FailureOr<Size> SymbolicSizes::findChosenSize(scf::IfOp op, unsigned number,
                                              int64_t dim) {
  FailureOr<ConditionCases> conditions =
      indices.evaluateCondition(op.getCondition());
  if (failed(conditions))
    return failure();
  IndexCases cases;
  bool isTaken[2] = {};
  for (const Case<bool> &one : *conditions)
    if (!solver.isEmpty(scopes.getScope(op) & one.domain)) {
      cases.push_back({one.locals, one.domain, one.value});
      isTaken[one.value] = true;
    }
  // Of one branch, or of both if these have the same.
  std::optional<Size> chosen;
  for (bool isThen : {false, true}) {
    if (!isTaken[isThen])
      continue;
    Value yielded =
        (isThen ? op.thenYield() : op.elseYield()).getOperand(number);
    FailureOr<Size> size = getSize(yielded, dim);
    if (failed(size))
      return failure();
    bool isOther =
        chosen && !areEqualSizes(solver, *chosen, *size, scopes.getScope(op));
    if (isOther && llvm::all_of(cases, [&](const Case<LinearExpr> &one) {
          return arguments.settle(one);
        }))
      arguments.splitInto(cases);
    if (isOther)
      return obstacle.undecided(op, "a size that depends on a condition");
    chosen = *size;
  }
  return chosen.value_or(Size{0}); // it never runs
}

FailureOr<Size> SymbolicSizes::findSize(Value tensor, int64_t dim) {
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    return findSizeOfArgument(argument, dim);
  auto result = cast<OpResult>(tensor);
  Operation *op = result.getOwner();
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return evaluateSize(empty.getMixedSizes()[dim], op);
  if (auto alloc = dyn_cast<bufferization::AllocTensorOp>(op)) {
    if (alloc.getCopy())
      return getSize(alloc.getCopy(), dim);
    return evaluateSize(getMixedValues(alloc.getType().getShape(),
                                       alloc.getDynamicSizes(),
                                       op->getContext())[dim],
                        op);
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    for (int64_t from = 0, to = 0;; ++from)
      if (!dropped[from] && to++ == dim)
        return evaluateSize(slice.getMixedSizes()[from], op);
  }
  if (auto destination = dyn_cast<DestinationStyleOpInterface>(op))
    return getSize(
        destination.getDpsInitOperand(result.getResultNumber())->get(), dim);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return getSize(loop.getInitArgs()[result.getResultNumber()], dim);
  if (auto loop = dyn_cast<scf::ForallOp>(op))
    return getSize(loop.getOutputs()[result.getResultNumber()], dim);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return findChosenSize(branch, result.getResultNumber(), dim);
  if (auto im2col = dyn_cast<Im2colOp>(op))
    return evaluateSize(
        im2col.getSizes()[im2col.getType().getDynamicDimIndex(dim)], op);
  if (auto col2im = dyn_cast<Col2imOp>(op))
    return getSize(col2im.getInput(), col2im.getLayout().getSharedDim(
                                          col2im.getLayout().getInput()[dim]));
  // Only sizes that are static are padded.
  if (isa<PadOp, PadBackwardOp>(op))
    return getSize(op->getOperand(0), dim);
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return getSize(cast.getSource(), dim);
  if (auto trace = dyn_cast<TraceOp>(op))
    return getSize(trace.getValue(), dim);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    if (std::optional<int64_t> source = getOnlySource(expand, dim))
      return getSize(expand.getSrc(), *source);
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return findCollapsedSize(collapse, dim);
  if (auto buffer = dyn_cast<bufferization::ToTensorOp>(op))
    if (auto argument = dyn_cast<BlockArgument>(buffer.getBuffer()))
      return findBufferSize(argument, dim);
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return findPaddedSize(pad, dim);
  if (SmallVector<Value> tensors = getElementwiseOperands(op); !tensors.empty())
    return getSize(tensors.front(), dim);
  return obstacle.undecided(op, "a dynamic size whose value is not known");
}

FailureOr<LinearExpr> SymbolicSizes::getSingleSize(Value tensor, int64_t dim) {
  FailureOr<Size> size = getSize(tensor, dim);
  if (failed(size))
    return failure();
  if (size->size() == 1)
    return size->front();
  return obstacle.undecided(tensor.getParentRegion()->getParentOp(),
                            "a size with several cases");
}

FailureOr<System> SymbolicSizes::getBounds(Value tensor,
                                           ArrayRef<LinearExpr> element) {
  System bounds;
  for (auto [dim, index] : llvm::enumerate(element)) {
    FailureOr<Size> size = getSize(tensor, dim);
    if (failed(size))
      return failure();
    bounds.addRange(0, index, *size);
  }
  return bounds;
}

FailureOr<SmallVector<Size>> SymbolicSizes::getLoopSizes(linalg::LinalgOp op) {
  SmallVector<Size> loopSizes(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop || !loopSizes[loop.getPosition()].empty())
        continue;
      FailureOr<Size> size = getSize(operand.get(), dim);
      if (failed(size))
        return failure();
      loopSizes[loop.getPosition()] = *size;
    }
  }
  if (llvm::any_of(loopSizes, [](const Size &size) { return size.empty(); }))
    return obstacle.undecided(op, "a loop whose size no operand gives");
  return loopSizes;
}

void SymbolicSizes::findSizes(Operation *op) {
  SmallVector<Value> values(op->getOperands());
  llvm::append_range(values, op->getResults());
  obstacle.ignoreIn([&] {
    for (Value value : values)
      if (auto type = dyn_cast<RankedTensorType>(value.getType()))
        for (int64_t dim = 0; dim < type.getRank(); ++dim)
          (void)getSize(value, dim);
    if (auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(op))
      for (OpFoldResult size : slice.getMixedSizes())
        (void)evaluateSize(size, op);
  });
}
