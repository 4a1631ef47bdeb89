//===- LoopMeaning.cpp - What loops leave, in closed form -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Denoter.h"

#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

//===----------------------------------------------------------------------===//
// Iterations
//===----------------------------------------------------------------------===//

template <typename Op>
static Op getDefiningOp(OpFoldResult value) {
  auto operand = dyn_cast<Value>(value);
  return operand ? operand.getDefiningOp<Op>() : Op();
}

LogicalResult Denoter::addLimits(AffineMap map, ValueRange operands,
                                 bool areUpper, const LinearExpr &index,
                                 System &range, Operation *op) {
  SmallVector<LinearExpr> values;
  for (Value operand : operands) {
    FailureOr<LinearExpr> value = getSingle(operand, op);
    if (failed(value))
      return failure();
    values.push_back(*value);
  }
  auto dims = ArrayRef(values).take_front(map.getNumDims());
  auto symbols = ArrayRef(values).drop_front(map.getNumDims());
  for (AffineExpr limit : map.getResults()) {
    // ⌈e/c⌉ <= i where e <= c*i, and i < ⌈e/c⌉ where c*i < e; ⌊e/c⌋ is
    // ⌈(e - c + 1)/c⌉.
    int64_t divisor = 1;
    if (auto quotient = dyn_cast<AffineBinaryOpExpr>(limit))
      if (auto constant = dyn_cast<AffineConstantExpr>(quotient.getRHS());
          constant && constant.getValue() > 0 &&
          (quotient.getKind() == AffineExprKind::CeilDiv ||
           quotient.getKind() == AffineExprKind::FloorDiv)) {
        divisor = constant.getValue();
        limit = quotient.getLHS();
        if (quotient.getKind() == AffineExprKind::FloorDiv)
          limit = limit - (divisor - 1);
      }
    SmallVector<Var> locals;
    FailureOr<LinearExpr> value =
        addAffine(limit, dims, symbols, locals, range, op);
    if (failed(value))
      return failure();
    if (!locals.empty())
      return undecided(op, "a loop bound that is a sum of quotients");
    LinearExpr multiple = index * DynamicAPInt(divisor);
    areUpper ? range.addAtMost(multiple + 1, *value)
             : range.addAtMost(*value, multiple);
  }
  return success();
}

LogicalResult Denoter::enterLoop(Operation *op) {
  if (loops.contains(op) || isa<scf::IfOp>(op))
    return success();
  if (auto loop = dyn_cast<scf::ForOp>(op); loop && loop.getUnsignedCmp())
    return undecided(op, "a loop whose bounds are unsigned");
  auto loop = cast<LoopLikeOpInterface>(op);
  std::optional<SmallVector<Value>> inductionValues =
      loop.getLoopInductionVars();
  std::optional<SmallVector<OpFoldResult>> lower = loop.getLoopLowerBounds(),
                                           upper = loop.getLoopUpperBounds(),
                                           steps = loop.getLoopSteps();
  if (!inductionValues || !lower || !upper || !steps)
    return undecided(op, "a loop without bounds");
  SmallVector<Var> iterations;
  System range;
  for (auto [value, from, to, by] :
       llvm::zip_equal(*inductionValues, *lower, *upper, *steps)) {
    std::optional<int64_t> step = getConstantIntValue(by);
    if (!step || *step < 1)
      return undecided(op, "a loop whose step is not a positive constant");
    iterations.push_back(solver.makeVar());
    LinearExpr number = LinearExpr::var(iterations.back());
    auto max = getDefiningOp<affine::AffineMaxOp>(from);
    auto min = getDefiningOp<affine::AffineMinOp>(to);
    if (max && min && *step == 1) {
      // Each value within the limits is an iteration.
      if (failed(addLimits(max.getMap(), max.getOperands(), /*areUpper=*/false,
                           number, range, op)) ||
          failed(addLimits(min.getMap(), min.getOperands(), /*areUpper=*/true,
                           number, range, op)))
        return failure();
      inductionVars[value] = number;
      continue;
    }
    FailureOr<LinearExpr> start = getSingle(from, op);
    FailureOr<Size> end = getUpperBound(to, op);
    if (failed(start) || failed(end))
      return failure();
    LinearExpr index = *start + number * DynamicAPInt(*step);
    range.addAtMost(0, number);
    for (const LinearExpr &upper : *end)
      range.addAtMost(index + 1, upper);
    inductionVars[value] = index;
  }
  loops[op] = {iterations, range};
  return success();
}

FailureOr<System> Denoter::getIterations(Operation *loop,
                                         const System &context) {
  if (failed(enterLoop(loop)))
    return failure();
  return context & loops.lookup(loop).second;
}

//===----------------------------------------------------------------------===//
// The closed form
//===----------------------------------------------------------------------===//

static bool isReadOf(const ExprRef &expr, BlockArgument argument) {
  return expr->kind == Expr::Kind::Read && expr->argument == argument;
}

FailureOr<SmallVector<Denoter::Change, 0>>
Denoter::getChanges(Operation *loop, BlockArgument carried, const Pieces &next,
                    ArrayRef<LinearExpr> at, const System &context) {
  SmallVector<Change, 0> changes;
  for (const Piece &piece : next) {
    System there = context & piece.domain;
    if (solver.isEmpty(there))
      continue;
    bool readsOthers = false;
    unsigned numReads = 0, numStarts = 0;
    bool readsAnother = false;
    walkReads(piece.value, [&](const Expr &read) {
      if (read.argument != carried) {
        readsAnother |= read.argument.getOwner() == carried.getOwner();
        return;
      }
      ++numReads;
      for (auto [index, own] : llvm::zip_equal(read.indices, at))
        readsOthers |=
            !(index == own) && !solver.implies(there, {index - own, true});
    });
    if (readsAnother)
      return undecided(loop, "an iteration that mixes tensors of the loop");
    if (readsOthers)
      return undecided(loop, "an iteration that reads elements of the loop's "
                             "tensor other than the one it makes");
    if (isReadOf(piece.value, carried))
      continue;
    for (const Family &family : piece.value->families)
      numStarts += family.instance.empty() && family.domain.isUniverse() &&
                   isReadOf(family.term, carried);
    changes.push_back({piece, numReads > 0, numReads == 1 && numStarts == 1});
  }
  return changes;
}

bool Denoter::areDisjoint(ArrayRef<Change> changes, ArrayRef<Var> iterations,
                          const System &range, const System &context) {
  DenseMap<Var, LinearExpr> later;
  for (Var iteration : iterations)
    later[iteration] = LinearExpr::var(solver.makeVar());
  for (const Change &first : changes)
    for (const Change &second : changes) {
      System both = context & range & first.piece.domain;
      both.append(range.substitute(later));
      both.append(instantiate(solver, second.piece, later).domain);
      for (Var iteration : iterations) {
        System apart = both;
        apart.addAtMost(LinearExpr::var(iteration) + 1, later[iteration]);
        if (!solver.isEmpty(apart))
          return false;
      }
    }
  return true;
}

FailureOr<Pieces>
Denoter::sumChanges(ArrayRef<Change> changes, BlockArgument carried, Value init,
                    ArrayRef<Var> iterations, const System &range,
                    ArrayRef<LinearExpr> at, const System &context) {
  Families terms;
  for (const Change &change : changes)
    for (Family family : change.piece.value->families) {
      if (isReadOf(family.term, carried))
        continue;
      llvm::append_range(family.instance, change.piece.locals);
      llvm::append_range(family.instance, iterations);
      family.domain.append(change.piece.domain);
      family.domain.append(range);
      terms.push_back(renameInstance(solver, family));
    }
  FailureOr<Pieces> pieces = readAt(init, at, context);
  if (failed(pieces))
    return failure();
  for (Piece &piece : *pieces) {
    Families families = {Family{{}, {}, piece.value}};
    llvm::append_range(families, terms);
    piece.value = makeSum(piece.value->type, families);
  }
  return pieces;
}

FailureOr<Pieces>
Denoter::applyChanges(Operation *loop, ArrayRef<Change> changes,
                      BlockArgument carried, Value init,
                      ArrayRef<Var> iterations, const System &range,
                      ArrayRef<LinearExpr> at, const System &context) {
  FailureOr<Pieces> untouched = readAt(init, at, context);
  if (failed(untouched))
    return failure();
  Pieces pieces;
  for (const Change &change : changes) {
    // In the one iteration that touches the element.
    Piece once = change.piece;
    llvm::append_range(once.locals, iterations);
    once.domain.append(range);
    once = instantiate(solver, once, DenseMap<Var, LinearExpr>());
    System there = context & once.domain;
    Pieces starts(1);
    if (change.readsOld) {
      FailureOr<Pieces> read = readAt(init, at, there);
      if (failed(read))
        return failure();
      starts = std::move(*read);
    }
    for (Piece &start : starts)
      start.value = change.readsOld
                        ? replaceReads(once.value, carried, start.value)
                        : once.value;
    llvm::append_range(pieces, restrict(std::move(starts), once));
    // What no iteration touches so far.
    untouched = dropWhere(std::move(*untouched), {once.locals, once.domain},
                          context, loop);
    if (failed(untouched))
      return failure();
  }
  llvm::append_range(pieces, *untouched);
  return pieces;
}

FailureOr<Pieces> Denoter::readLoop(Operation *loop, BlockArgument carried,
                                    Value init, const Pieces &next,
                                    ArrayRef<LinearExpr> at,
                                    const System &context) {
  // A copy: the map grows.
  auto [iterations, range] = loops.lookup(loop);
  System inLoop = context & range;
  FailureOr<SmallVector<Change, 0>> changes =
      getChanges(loop, carried, next, at, inLoop);
  if (failed(changes))
    return failure();
  // Iterations of a forall do not see what others add.
  bool isSum =
      !isa<scf::ForallOp>(loop) &&
      llvm::all_of(*changes, [](const Change &change) { return change.adds; });
  if (isSum)
    return sumChanges(*changes, carried, init, iterations, range, at, context);
  if (!areDisjoint(*changes, iterations, range, context)) {
    bool areOverwritten = isa<scf::ForallOp>(loop) ||
                          llvm::none_of(*changes, [](const Change &change) {
                            return change.readsOld;
                          });
    return undecided(loop,
                     areOverwritten
                         ? "iterations that overwrite each other's elements"
                         : "iterations that do more to one element than add");
  }
  return applyChanges(loop, *changes, carried, init, iterations, range, at,
                      context);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

FailureOr<Pieces> Denoter::readFor(scf::ForOp op, unsigned number,
                                   ArrayRef<LinearExpr> at,
                                   const System &context) {
  FailureOr<System> inLoop = getIterations(op, context);
  if (failed(inLoop))
    return failure();
  FailureOr<Pieces> next = readAt(op.getYieldedValues()[number], at, *inLoop);
  if (failed(next))
    return failure();
  return readLoop(op, op.getRegionIterArg(number), op.getInitArgs()[number],
                  *next, at, context);
}

FailureOr<Pieces> Denoter::readForall(scf::ForallOp op, unsigned number,
                                      ArrayRef<LinearExpr> at,
                                      const System &context) {
  FailureOr<System> inLoop = getIterations(op, context);
  if (failed(inLoop))
    return failure();
  BlockArgument shared = op.getRegionIterArgs()[number];
  tensor::ParallelInsertSliceOp insert;
  for (Operation &yielding : op.getTerminator().getYieldingOps()) {
    auto candidate = dyn_cast<tensor::ParallelInsertSliceOp>(yielding);
    if (!candidate)
      return undecided(&yielding, "an op whose meaning is not known");
    if (candidate.getDest() != shared)
      continue;
    if (insert)
      return undecided(op, "iterations that insert several slices");
    insert = candidate;
  }
  if (!insert)
    return readAt(op.getOutputs()[number], at, context);
  FailureOr<Pieces> next = readInserted(insert, insert.getSource(), shared,
                                        insert.getDroppedDims(), at, *inLoop);
  if (failed(next))
    return failure();
  return readLoop(op, shared, op.getOutputs()[number], *next, at, context);
}

FailureOr<Pieces> Denoter::readIf(scf::IfOp op, unsigned number,
                                  ArrayRef<LinearExpr> at,
                                  const System &context) {
  auto conditions = getCondition(op.getCondition());
  if (failed(conditions))
    return failure();
  return readCases(
      *conditions, context, [&](bool isTrue, const System &inCase) {
        scf::YieldOp yield = isTrue ? op.thenYield() : op.elseYield();
        return readAt(yield.getOperand(number), at, inCase);
      });
}
