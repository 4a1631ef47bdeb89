//===- LinalgMeaning.cpp - linalg's ops and their bodies --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Denoter.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

bool certify::isElementwise(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) && isPure(op) &&
         op->getNumRegions() == 0 && op->getNumResults() == 1;
}

/// Whether `condition` is about indices alone, not about data.
static bool isOfIndices(Value condition) {
  Operation *op = condition.getDefiningOp();
  if (auto compare = dyn_cast_or_null<arith::CmpIOp>(op))
    return compare.getLhs().getType().isIndex();
  return isa_and_nonnull<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op) &&
         llvm::all_of(op->getOperands(), [](Value operand) {
           return isOfIndices(operand) ||
                  operand.getDefiningOp<arith::ConstantOp>();
         });
}

FailureOr<Pieces> Denoter::getScalar(Value value, const Body &body,
                                     const System &context) {
  if (auto it = body.arguments.find(value); it != body.arguments.end())
    return Pieces{{{}, {}, it->second}};
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (isa<FunctionOpInterface>(argument.getOwner()->getParentOp()))
      return Pieces{{{}, {}, makeRead(argument, {})}};
    return undecided(argument.getOwner()->getParentOp(),
                     "a scalar that a loop carries");
  }
  Operation *op = value.getDefiningOp();
  TypedAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return Pieces{{{}, {}, makeConstant(constant)}};
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return getExtracted(extract, body, context);
  if (auto select = dyn_cast<arith::SelectOp>(op);
      select && isOfIndices(select.getCondition()))
    return getSelectedScalar(select, body, context);
  if (!isElementwise(op) || llvm::any_of(op->getOperandTypes(), [](Type type) {
        return type.isIndex() || isa<ShapedType>(type);
      }))
    return undecided(op, "a scalar op whose meaning is not known");
  return combine(
      op->getOperands(),
      [&](Value operand) { return getScalar(operand, body, context); },
      [&](ArrayRef<ExprRef> values) { return makeApply(op, values); });
}

FailureOr<Pieces> Denoter::readElementwise(Operation *op,
                                           ArrayRef<LinearExpr> at,
                                           const System &context) {
  return combine(
      op->getOperands(),
      [&](Value operand) {
        return isa<RankedTensorType>(operand.getType())
                   ? readAt(operand, at, context)
                   : getScalar(operand, Body(), context);
      },
      [&](ArrayRef<ExprRef> values) { return makeApply(op, values); });
}

FailureOr<Pieces>
Denoter::combine(ValueRange operands,
                 function_ref<FailureOr<Pieces>(Value)> read,
                 function_ref<ExprRef(ArrayRef<ExprRef>)> apply) {
  SmallVector<Case<SmallVector<ExprRef>>, 0> combined(1);
  for (Value operand : operands) {
    FailureOr<Pieces> pieces = read(operand);
    if (failed(pieces))
      return failure();
    SmallVector<Case<SmallVector<ExprRef>>, 0> longer;
    for (const auto &combination : combined)
      for (const Piece &piece : *pieces) {
        longer.push_back(combination);
        llvm::append_range(longer.back().locals, piece.locals);
        longer.back().domain.append(piece.domain);
        longer.back().value.push_back(piece.value);
      }
    combined = std::move(longer);
  }
  return llvm::map_to_vector<0>(combined, [&](const auto &values) {
    return Piece{values.locals, values.domain, apply(values.value)};
  });
}

FailureOr<Pieces> Denoter::getExtracted(tensor::ExtractOp op, const Body &body,
                                        const System &context) {
  FailureOr<IndicesCases> cases =
      getIndices(getAsOpFoldResult(op.getIndices()), &body);
  if (failed(cases))
    return failure();
  auto read = [&](ArrayRef<LinearExpr> indices,
                  const System &inCase) -> FailureOr<Pieces> {
    FailureOr<System> bounds = getBounds(op.getTensor(), indices);
    if (failed(bounds))
      return failure();
    if (solver.isEmpty(inCase))
      return Pieces();
    for (const Constraint &bound : bounds->getConstraints())
      if (!solver.implies(inCase, bound))
        return undecided(op, "an element that may lie outside its tensor");
    return readAt(op.getTensor(), indices, inCase);
  };
  return readCases(*cases, context, read);
}

FailureOr<Pieces> Denoter::getSelectedScalar(arith::SelectOp op,
                                             const Body &body,
                                             const System &context) {
  auto conditions = getCondition(op.getCondition(), &body);
  if (failed(conditions))
    return failure();
  return readCases(
      *conditions, context, [&](bool isTrue, const System &inCase) {
        return getScalar(isTrue ? op.getTrueValue() : op.getFalseValue(), body,
                         inCase);
      });
}

//===----------------------------------------------------------------------===//
// Iteration spaces
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Size>> Denoter::getLoopSizes(linalg::LinalgOp op) {
  SmallVector<Size> sizes(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop || !sizes[loop.getPosition()].empty())
        continue;
      FailureOr<Size> size = getSize(operand.get(), dim);
      if (failed(size))
        return failure();
      sizes[loop.getPosition()] = *size;
    }
  }
  if (llvm::any_of(sizes, [](const Size &size) { return size.empty(); }))
    return undecided(op, "a loop whose size no operand gives");
  return sizes;
}

//===----------------------------------------------------------------------===//
// linalg's ops
//===----------------------------------------------------------------------===//

FailureOr<Pieces> Denoter::getBody(linalg::LinalgOp op, OpOperand *init,
                                   ArrayRef<LinearExpr> loops,
                                   const System &context) {
  // All combinations of the cases of what the body reads.
  SmallVector<std::pair<Part, Body>> combined(1);
  combined[0].second.loops.assign(loops.begin(), loops.end());
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (argument.use_empty())
      continue;
    if (op.isDpsInit(&operand)) {
      if (&operand != init)
        return undecided(op, "a body that reads another result");
      for (auto &combination : combined)
        combination.second.arguments[argument] = makeRead(argument, {});
      continue;
    }
    std::vector<std::pair<Part, Body>> longer;
    for (const auto &[where, body] : combined) {
      System inCase = context & where.domain;
      FailureOr<Pieces> elements = readOperand(op, operand, loops, inCase);
      if (failed(elements))
        return failure();
      for (const Piece &element : *elements) {
        auto &[longerWhere, longerBody] = longer.emplace_back(where, body);
        llvm::append_range(longerWhere.locals, element.locals);
        longerWhere.domain.append(element.domain);
        longerBody.arguments[argument] = element.value;
      }
    }
    combined.assign(longer.begin(), longer.end());
  }
  Value yielded = op.getBlock()->getTerminator()->getOperand(
      init->getOperandNumber() - op.getNumDpsInputs());
  Pieces pieces;
  for (const auto &[where, body] : combined) {
    System inCase = context & where.domain;
    FailureOr<Pieces> values = getScalar(yielded, body, inCase);
    if (failed(values))
      return failure();
    llvm::append_range(pieces, restrict(std::move(*values), where));
  }
  return pieces;
}

FailureOr<Pieces> Denoter::readOperand(linalg::LinalgOp op, OpOperand &operand,
                                       ArrayRef<LinearExpr> loops,
                                       const System &context) {
  if (!isa<RankedTensorType>(operand.get().getType()))
    return getScalar(operand.get(), Body(), context);
  Part where;
  SmallVector<LinearExpr> indices;
  for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults()) {
    FailureOr<LinearExpr> index =
        addAffine(expr, loops, {}, where.locals, where.domain, op);
    if (failed(index))
      return failure();
    indices.push_back(*index);
  }
  System inCase = context & where.domain;
  FailureOr<Pieces> elements = readAt(operand.get(), indices, inCase);
  if (failed(elements))
    return failure();
  return restrict(std::move(*elements), where);
}

FailureOr<Pieces> Denoter::readLinalg(linalg::LinalgOp op, OpOperand *init,
                                      ArrayRef<LinearExpr> at,
                                      const System &context) {
  if (!op.getBlock())
    return undecided(op, "an op of linalg without a body");
  FailureOr<SmallVector<Size>> sizes = getLoopSizes(op);
  if (failed(sizes))
    return failure();
  AffineMap map = op.getMatchingIndexingMap(init);
  if (!map.isProjectedPermutation())
    return undecided(op, "a result that is not indexed by its loops");
  // Loops are the result's indices, or summed over; of one iteration, known.
  SmallVector<std::optional<LinearExpr>> known(op.getNumLoops());
  for (auto [dim, index] : llvm::enumerate(at))
    known[map.getDimPosition(dim)] = index;
  SmallVector<LinearExpr> loops;
  SmallVector<Var> reduced;
  System domain;
  for (auto [loop, size] : llvm::enumerate(*sizes)) {
    if (!known[loop] && size == Size{1})
      known[loop] = LinearExpr(0);
    if (!known[loop]) {
      reduced.push_back(solver.makeVar());
      known[loop] = LinearExpr::var(reduced.back());
      domain.addRange(0, *known[loop], size);
    }
    loops.push_back(*known[loop]);
  }
  System inLoops = context & domain;
  FailureOr<Pieces> bodies = getBody(op, init, loops, inLoops);
  if (failed(bodies))
    return failure();
  if (!reduced.empty())
    return readSum(op, init, std::move(*bodies), reduced, domain, at, context);
  return replaceInit(op, init, std::move(*bodies), at, context);
}

FailureOr<Pieces> Denoter::replaceInit(linalg::LinalgOp op, OpOperand *init,
                                       Pieces bodies, ArrayRef<LinearExpr> at,
                                       const System &context) {
  BlockArgument argument = op.getMatchingBlockArgument(init);
  if (argument.use_empty())
    return bodies;
  Pieces pieces;
  for (const Piece &body : bodies) {
    System inBody = context & body.domain;
    FailureOr<Pieces> inits = readAt(init->get(), at, inBody);
    if (failed(inits))
      return failure();
    for (Piece &start : *inits) {
      start.value = replaceReads(body.value, argument, start.value);
      pieces.push_back(std::move(start));
    }
    // Each start holds where its body does.
    for (Piece &piece : MutableArrayRef(pieces).take_back(inits->size())) {
      llvm::append_range(piece.locals, body.locals);
      piece.domain.append(body.domain);
    }
  }
  return pieces;
}

/// The terms that `body` adds to the value of `argument`: nothing if it does
/// something else with it.
static std::optional<Families> getAddends(const ExprRef &body,
                                          BlockArgument argument) {
  auto isArgument = [&](const ExprRef &expr) {
    return expr->kind == Expr::Kind::Read && expr->argument == argument;
  };
  if (isArgument(body))
    return Families();
  unsigned numReads = 0, numStarts = 0;
  walkReads(body,
            [&](const Expr &read) { numReads += read.argument == argument; });
  // What is subtracted is added with the other sign.
  bool isDifference =
      body->kind == Expr::Kind::Apply &&
      (body->name == "arith.subf" || body->name == "arith.subi");
  if (isDifference && numReads == 1 && isArgument(body->operands[0])) {
    ExprRef zero =
        makeConstant(Builder(body->type.getContext()).getZeroAttr(body->type));
    return Families{{{},
                     {},
                     makeApply(body->name, body->attributes, body->type,
                               {zero, body->operands[1]}, nullptr)}};
  }
  if (body->kind != Expr::Kind::Sum)
    return std::nullopt;
  Families addends;
  for (const Family &family : body->families) {
    if (family.instance.empty() && family.domain.isUniverse() &&
        isArgument(family.term))
      ++numStarts;
    else
      addends.push_back(family);
  }
  if (numStarts != 1 || numReads != 1)
    return std::nullopt;
  return addends;
}

FailureOr<Pieces> Denoter::readSum(linalg::LinalgOp op, OpOperand *init,
                                   Pieces bodies, ArrayRef<Var> reduced,
                                   const System &domain,
                                   ArrayRef<LinearExpr> at,
                                   const System &context) {
  BlockArgument argument = op.getMatchingBlockArgument(init);
  Families terms;
  for (const Piece &body : bodies) {
    std::optional<Families> addends = getAddends(body.value, argument);
    if (!addends)
      return undecided(op, "a reduction other than a sum");
    for (Family &family : *addends) {
      llvm::append_range(family.instance, reduced);
      llvm::append_range(family.instance, body.locals);
      family.domain.append(domain);
      family.domain.append(body.domain);
      family.origin = op;
      terms.push_back(renameInstance(solver, family));
    }
  }
  FailureOr<Pieces> pieces = readAt(init->get(), at, context);
  if (failed(pieces))
    return failure();
  for (Piece &piece : *pieces) {
    Families families = {{{}, {}, piece.value, op}};
    llvm::append_range(families, terms);
    piece.value = makeSum(piece.value->type, families);
  }
  return pieces;
}
