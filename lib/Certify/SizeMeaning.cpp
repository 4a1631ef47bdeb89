//===- SizeMeaning.cpp - Sizes of tensors and bounds of loops ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Denoter.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

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

FailureOr<Size> Denoter::findLeast(Value value, Operation *op,
                                   std::optional<int64_t> floor,
                                   bool isSingle) {
  FailureOr<IndexCases> cases = getIndex(value);
  if (failed(cases))
    return failure();
  auto keepWithin = [&](const System &scope) {
    if (cases->size() > 1)
      llvm::erase_if(*cases, [&](const Case<LinearExpr> &one) {
        return solver.isEmpty(scope & one.domain);
      });
  };
  // Cases to ask apart are all that there are anywhere in the function.
  keepWithin(getScope(op->getParentOfType<FunctionOpInterface>()));
  IndexCases everywhere = *cases;
  bool isOfSizes = llvm::all_of(
      everywhere, [&](const auto &one) { return isOfArguments(one); });
  // What holds where the value is made holds wherever it is used.
  Operation *maker = value.getDefiningOp();
  System scope = getScope(maker ? maker : op);
  keepWithin(scope);
  if (cases->empty())
    return Size{0}; // it never runs
  bool hasLocals =
      llvm::any_of(*cases, [](const auto &one) { return !one.locals.empty(); });
  if (everywhere.size() == 1 && hasLocals && isOfSizes) {
    arguments.quotients.insert(everywhere[0].locals.begin(),
                               everywhere[0].locals.end());
    arguments.sizes.append(everywhere[0].domain);
    hasLocals = false;
  }
  if (cases->size() == 1 && !hasLocals) {
    if (isOfSizes)
      singleValues[value] = cases->front().value;
    return Size{cases->front().value};
  }
  if (!isSingle && !hasLocals)
    if (auto bounds = getLeastOf(solver, *cases, scope, floor))
      return *bounds;
  bool isSplit = isOfSizes && everywhere.size() > 1;
  if (isSplit && arguments.splits.empty())
    for (const Case<LinearExpr> &one : everywhere)
      arguments.splits.push_back(one.domain);
  return undecided(op, cases->size() == 1
                           ? "a loop bound or size that is a quotient"
                           : "a loop bound or size with several cases");
}

FailureOr<Size> Denoter::getUpperBound(OpFoldResult value, Operation *op) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return Size{*constant};
  return findLeast(cast<Value>(value), op, /*floor=*/std::nullopt,
                   /*isSingle=*/false);
}

FailureOr<Size> Denoter::getSize(OpFoldResult value, Operation *op) {
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

FailureOr<LinearExpr> Denoter::getSingle(OpFoldResult value, Operation *op) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return LinearExpr(*constant);
  FailureOr<Size> size = findLeast(cast<Value>(value), op,
                                   /*floor=*/std::nullopt, /*isSingle=*/true);
  if (failed(size))
    return failure();
  return size->front();
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

LinearExpr Denoter::getSymbol(BlockArgument argument, int64_t dim) {
  auto [it, isNew] =
      arguments.symbols.try_emplace({argument.getArgNumber(), dim}, 0);
  if (isNew)
    it->second = solver.makeVar();
  return LinearExpr::var(it->second);
}

FailureOr<Size> Denoter::getSize(Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return Size{type.getDimSize(dim)};
  auto known = sizesOfTensors.find({tensor, dim});
  if (known != sizesOfTensors.end())
    return known->second;
  FailureOr<Size> size = findSize(tensor, dim);
  if (succeeded(size))
    sizesOfTensors[{tensor, dim}] = *size;
  return size;
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

FailureOr<Size> Denoter::findSize(Value tensor, int64_t dim) {
  if (auto argument = dyn_cast<BlockArgument>(tensor)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      return getSize(loop.getTiedLoopInit(argument)->get(), dim);
    if (auto loop = dyn_cast<scf::ForallOp>(parent))
      return getSize(loop.getTiedOpOperand(argument)->get(), dim);
    if (!isa<FunctionOpInterface>(parent))
      return undecided(parent, "a size that a loop carries");
    return Size{getSymbol(argument, dim)};
  }
  auto result = cast<OpResult>(tensor);
  Operation *op = result.getOwner();
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return getSize(empty.getMixedSizes()[dim], op);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    for (int64_t from = 0, to = 0;; ++from)
      if (!dropped[from] && to++ == dim)
        return getSize(slice.getMixedSizes()[from], op);
  }
  if (auto destination = dyn_cast<DestinationStyleOpInterface>(op))
    return getSize(
        destination.getDpsInitOperand(result.getResultNumber())->get(), dim);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return getSize(loop.getInitArgs()[result.getResultNumber()], dim);
  if (auto loop = dyn_cast<scf::ForallOp>(op))
    return getSize(loop.getOutputs()[result.getResultNumber()], dim);
  if (auto im2col = dyn_cast<Im2colOp>(op))
    return getSize(im2col.getSizes()[im2col.getType().getDynamicDimIndex(dim)],
                   op);
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return getSize(cast.getSource(), dim);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    if (std::optional<int64_t> source = getOnlySource(expand, dim))
      return getSize(expand.getSrc(), *source);
  if (auto buffer = dyn_cast<bufferization::ToTensorOp>(op))
    if (auto argument = dyn_cast<BlockArgument>(buffer.getBuffer()))
      return getBufferSize(argument, dim);
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    FailureOr<LinearExpr> low = getSingle(pad.getMixedLowPad()[dim], op);
    FailureOr<LinearExpr> high = getSingle(pad.getMixedHighPad()[dim], op);
    FailureOr<Size> size = getSize(pad.getSource(), dim);
    if (failed(low) || failed(high) || failed(size))
      return failure();
    System scope = getScope(op);
    for (LinearExpr &value : *size) {
      if (size->size() > 1 && !solver.implies(scope, {value, false}))
        return undecided(op, "padding of what may be empty");
      value += *low + *high;
    }
    return size;
  }
  return undecided(op, "a dynamic size whose value is not known");
}

FailureOr<LinearExpr> Denoter::getSingleSize(Value tensor, int64_t dim) {
  FailureOr<Size> size = getSize(tensor, dim);
  if (failed(size))
    return failure();
  if (size->size() == 1)
    return size->front();
  return undecided(tensor.getParentRegion()->getParentOp(),
                   "a size with several cases");
}

void Denoter::findSizes(Operation *op) {
  // What is not understood here is in nobody's way yet.
  Obstacle before = obstacle;
  SmallVector<Value> values(op->getOperands());
  llvm::append_range(values, op->getResults());
  for (Value value : values)
    if (auto type = dyn_cast<RankedTensorType>(value.getType()))
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        (void)getSize(value, dim);
  if (auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(op))
    for (OpFoldResult size : slice.getMixedSizes())
      (void)getSize(size, op);
  obstacle = before;
}

/// Whether `var` is a size of an argument, or a quotient of such.
static bool isOfArguments(Var var, const Arguments &arguments) {
  return arguments.quotients.contains(var) ||
         llvm::any_of(arguments.symbols,
                      [&](const auto &symbol) { return symbol.second == var; });
}

bool Denoter::isKnown(const Size &size) const {
  return llvm::all_of(size, [&](const LinearExpr &value) {
    return llvm::none_of(value.getTerms(), [&](const auto &term) {
      return ::isOfArguments(term.first, arguments);
    });
  });
}

bool Denoter::isOfArguments(const Case<LinearExpr> &one) const {
  auto areOfArguments = [&](const LinearExpr &expr) {
    return llvm::all_of(expr.getTerms(), [&](const auto &term) {
      return llvm::is_contained(one.locals, term.first) ||
             ::isOfArguments(term.first, arguments);
    });
  };
  return areOfArguments(one.value) &&
         llvm::all_of(one.domain.getConstraints(),
                      [&](const Constraint &constraint) {
                        return areOfArguments(constraint.expr);
                      });
}
