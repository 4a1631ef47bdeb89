//===- VectorReaders.cpp - Elements of vectors ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A vector is read as a tensor of static sizes. Of what moves elements around,
// each element of the result is one of an operand, in cases of its indices.
//
//===----------------------------------------------------------------------===//

#include "VectorReaders.h"
#include "../Terms/Reduction.h"
#include "ScalarReaders.h"

#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

//===----------------------------------------------------------------------===//
// Elements that move
//===----------------------------------------------------------------------===//

static FailureOr<Pieces> readBroadcast(SymbolicEvaluator &evaluator,
                                       vector::BroadcastOp op,
                                       ArrayRef<LinearExpr> at,
                                       const System &context) {
  auto type = dyn_cast<VectorType>(op.getSourceType());
  SmallVector<LinearExpr> indices;
  if (type)
    for (auto [index, size] :
         llvm::zip_equal(at.take_back(type.getRank()), type.getShape()))
      indices.push_back(size == 1 ? LinearExpr(0) : index);
  return readValue(evaluator, op.getSource(), indices, context);
}

/// The position of `op` as indices, if each is one number or another index.
template <typename Op>
static FailureOr<SmallVector<LinearExpr>>
getPosition(SymbolicEvaluator &evaluator, Op op) {
  FailureOr<IndicesCases> cases =
      evaluator.getIndices().evaluateAll(op.getMixedPosition());
  if (failed(cases))
    return failure();
  bool isPoison = llvm::is_contained(op.getStaticPosition(), Op::kPoisonIndex);
  if (isPoison || cases->size() != 1 || !cases->front().locals.empty())
    return evaluator.undecided(op, "a position in a vector that is not known");
  return cases->front().value;
}

/// What `op` extracts may be a scalar.
static FailureOr<Pieces> readExtractOp(SymbolicEvaluator &evaluator,
                                       vector::ExtractOp op,
                                       ArrayRef<LinearExpr> at,
                                       const System &context) {
  FailureOr<SmallVector<LinearExpr>> indices = getPosition(evaluator, op);
  if (failed(indices))
    return failure();
  llvm::append_range(*indices, at);
  return evaluator.readAt(op.getSource(), *indices, context);
}

static FailureOr<Pieces> readInsertOp(SymbolicEvaluator &evaluator,
                                      vector::InsertOp op,
                                      ArrayRef<LinearExpr> at,
                                      const System &context) {
  FailureOr<SmallVector<LinearExpr>> position = getPosition(evaluator, op);
  if (failed(position))
    return failure();
  System inside;
  for (auto [index, chosen] : llvm::zip(at, *position))
    inside.addEqual(index, chosen);
  return readReplaced(evaluator, op.getValueToStore(),
                      at.drop_front(position->size()), inside, op.getDest(), at,
                      context);
}

static SmallVector<int64_t> getNumbers(ArrayAttr numbers) {
  return llvm::map_to_vector(
      numbers.getAsRange<IntegerAttr>(),
      [](IntegerAttr number) { return number.getInt(); });
}

static FailureOr<Pieces> readSlice(SymbolicEvaluator &evaluator,
                                   vector::ExtractStridedSliceOp op,
                                   ArrayRef<LinearExpr> at,
                                   const System &context) {
  SmallVector<LinearExpr> indices(at);
  SmallVector<int64_t> strides = getNumbers(op.getStrides());
  for (auto [dim, offset] : llvm::enumerate(getNumbers(op.getOffsets())))
    indices[dim] = at[dim] * DynamicAPInt(strides[dim]) + LinearExpr(offset);
  return evaluator.readAt(op.getSource(), indices, context);
}

static FailureOr<Pieces> readSlice(SymbolicEvaluator &evaluator,
                                   vector::InsertStridedSliceOp op,
                                   ArrayRef<LinearExpr> at,
                                   const System &context) {
  if (op.hasNonUnitStrides())
    return evaluator.undecided(op, "a slice of a vector with strides");
  ArrayRef<int64_t> shape = op.getSourceVectorType().getShape();
  unsigned numOuter = at.size() - shape.size();
  System inside;
  SmallVector<LinearExpr> place;
  for (auto [dim, offset] : llvm::enumerate(getNumbers(op.getOffsets()))) {
    LinearExpr index = at[dim] - LinearExpr(offset);
    if (dim < numOuter) {
      inside.addEqual(index, 0);
      continue;
    }
    inside.addRange(0, index, LinearExpr(shape[dim - numOuter]));
    place.push_back(index);
  }
  return readReplaced(evaluator, op.getValueToStore(), place, inside,
                      op.getDest(), at, context);
}

namespace {
/// Lanes of a shuffle, `step` apart, that take elements of one operand which
/// are equally far apart as well.
struct LaneRun {
  int64_t first, step, count = 1;
  int64_t from;         ///< the element's number in both operands; -1: none
  int64_t distance = 0; ///< to the next lane's element

  /// Adds the lane that follows, if it takes the element `next`.
  bool add(int64_t next, int64_t numFirst) {
    int64_t last = from + distance * (count - 1);
    bool isOfOperand =
        from < 0 ? next < 0
                 : next >= 0 && (from < numFirst) == (next < numFirst);
    bool isFar = count > 1 && next - last != distance;
    if (!isOfOperand || isFar)
      return false;
    distance = next - last;
    ++count;
    return true;
  }
};
} // namespace

/// The runs that the lanes of `mask` make which are `step` apart, where the
/// first operand has `numFirst` elements.
static SmallVector<LaneRun> findRuns(ArrayRef<int64_t> mask, int64_t step,
                                     int64_t numFirst) {
  SmallVector<LaneRun> runs;
  for (int64_t start = 0; start < step; ++start) {
    bool isOpen = false;
    for (int64_t lane = start, end = mask.size(); lane < end; lane += step) {
      if (isOpen && runs.back().add(mask[lane], numFirst))
        continue;
      runs.push_back({.first = lane, .step = step, .from = mask[lane]});
      isOpen = true;
    }
  }
  return runs;
}

/// The runs that the lanes of `mask` make: those of parts side by side follow
/// each other, those of a long interleaving are several apart. Short ones stay
/// single lanes, which become one piece again where their sources are.
static SmallVector<LaneRun> findRuns(ArrayRef<int64_t> mask, int64_t numFirst) {
  constexpr size_t LeastGain = 4;
  SmallVector<LaneRun> runs = findRuns(mask, 1, numFirst);
  for (int64_t step = 2, end = mask.size(); step < end; ++step)
    if (SmallVector<LaneRun> apart = findRuns(mask, step, numFirst);
        apart.size() * LeastGain <= runs.size())
      return apart;
  return runs;
}

static FailureOr<Pieces> readShuffled(SymbolicEvaluator &evaluator,
                                      vector::ShuffleOp op,
                                      ArrayRef<LinearExpr> at,
                                      const System &context) {
  VectorType type = op.getV1VectorType();
  // Of rank 0 it is one element.
  int64_t numFirst = type.getRank() == 0 ? 1 : type.getDimSize(0);
  Solver &solver = evaluator.getSolver();
  Pieces pieces;
  for (const LaneRun &run : findRuns(op.getMask(), numFirst)) {
    Part where;
    LinearExpr number = at[0] - LinearExpr(run.first);
    if (run.step != 1 && run.count != 1) {
      where.locals.push_back(solver.makeVar());
      number = LinearExpr::var(where.locals.back());
      where.domain.addEqual(at[0], number * DynamicAPInt(run.step) +
                                       LinearExpr(run.first));
    }
    where.domain.addRange(0, number, LinearExpr(run.count));
    System inCase = context & where.domain;
    if (solver.isEmpty(inCase))
      continue;
    if (run.from < 0) {
      pieces.push_back(
          {where.locals, where.domain, makeUndefined(type.getElementType())});
      continue;
    }
    bool isFirst = run.from < numFirst;
    SmallVector<LinearExpr> indices;
    if (type.getRank() > 0) {
      indices.assign(at.begin(), at.end());
      indices[0] = number * DynamicAPInt(run.distance) +
                   LinearExpr(isFirst ? run.from : run.from - numFirst);
    }
    FailureOr<Pieces> elements =
        evaluator.readAt(isFirst ? op.getV1() : op.getV2(), indices, inCase);
    if (failed(elements))
      return failure();
    llvm::append_range(pieces, restrict(std::move(*elements), where));
  }
  return pieces;
}

static FailureOr<Pieces> readShapeCast(SymbolicEvaluator &evaluator,
                                       vector::ShapeCastOp op,
                                       ArrayRef<LinearExpr> at,
                                       const System &context) {
  LinearExpr rest = getNumber(at, op.getResultVectorType().getShape());
  VectorType type = op.getSourceVectorType();
  SmallVector<LinearExpr> indices(type.getRank(), LinearExpr(0));
  Part where;
  int64_t base = type.getNumElements();
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    base /= size;
    if (size == 1)
      continue;
    if (base == 1) {
      indices[dim] = rest;
      continue;
    }
    where.locals.push_back(evaluator.getSolver().makeVar());
    indices[dim] = LinearExpr::var(where.locals.back());
    rest = rest - indices[dim] * DynamicAPInt(base);
    where.domain.addRange(0, rest, LinearExpr(base));
  }
  FailureOr<Pieces> elements =
      evaluator.readAt(op.getSource(), indices, context & where.domain);
  if (failed(elements))
    return failure();
  return restrict(std::move(*elements), where);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// The op that adds, or takes the extremum, as `kind` does; nothing of others.
static StringRef getOp(vector::CombiningKind kind) {
  switch (kind) {
  case vector::CombiningKind::MAXIMUMF:
    return "arith.maximumf";
  case vector::CombiningKind::MINIMUMF:
    return "arith.minimumf";
  case vector::CombiningKind::MAXNUMF:
    return "arith.maxnumf";
  case vector::CombiningKind::MINNUMF:
    return "arith.minnumf";
  case vector::CombiningKind::MAXSI:
    return "arith.maxsi";
  case vector::CombiningKind::MINSI:
    return "arith.minsi";
  case vector::CombiningKind::MAXUI:
    return "arith.maxui";
  case vector::CombiningKind::MINUI:
    return "arith.minui";
  default:
    return "";
  }
}

/// What `op`, of `kind`, makes of `start` and of `elements` for all values of
/// `reduced` in `domain`.
static FailureOr<Pieces> reduce(SymbolicEvaluator &evaluator, Operation *op,
                                vector::CombiningKind kind, Pieces starts,
                                const Pieces &elements, ArrayRef<Var> reduced,
                                const System &domain) {
  Reduction all{getOp(kind), {}, {}};
  if (all.extremum.empty() && kind != vector::CombiningKind::ADD)
    return evaluator.undecided(
        op, "a reduction other than a sum, a maximum or a minimum");
  for (const Piece &element : elements) {
    Family family{element.locals, element.domain & domain, element.value, op};
    llvm::append_range(family.instance, reduced);
    all.terms.push_back(renameInstance(evaluator.getSolver(), family));
  }
  for (Piece &start : starts)
    start.value = all.apply(start.value, op);
  return starts;
}

static FailureOr<Pieces> readReduced(SymbolicEvaluator &evaluator,
                                     vector::MultiDimReductionOp op,
                                     ArrayRef<LinearExpr> at,
                                     const System &context) {
  SmallVector<Var> reduced;
  System domain;
  SmallVector<LinearExpr> indices;
  SmallVector<bool> isReduced = op.getReductionMask();
  unsigned next = 0;
  for (auto [dim, size] :
       llvm::enumerate(op.getSourceVectorType().getShape())) {
    if (!isReduced[dim]) {
      indices.push_back(at[next++]);
      continue;
    }
    reduced.push_back(evaluator.getSolver().makeVar());
    indices.push_back(LinearExpr::var(reduced.back()));
    domain.addRange(0, indices.back(), LinearExpr(size));
  }
  FailureOr<Pieces> elements =
      evaluator.readAt(op.getSource(), indices, context & domain);
  FailureOr<Pieces> starts = readValue(evaluator, op.getAcc(), at, context);
  if (failed(elements) || failed(starts))
    return failure();
  return reduce(evaluator, op, op.getKind(), std::move(*starts), *elements,
                reduced, domain);
}

/// What `op` begins with: a number that is given, or what changes nothing, zero
/// of a sum and one of the elements of an extremum.
static FailureOr<Pieces> readStart(SymbolicEvaluator &evaluator,
                                   vector::ReductionOp op,
                                   ArrayRef<LinearExpr> at,
                                   const System &context) {
  if (op.getAcc())
    return readValue(evaluator, op.getAcc(), at, context);
  if (op.getKind() != vector::CombiningKind::ADD)
    return evaluator.readAt(op.getVector(), LinearExpr(0), context);
  Builder builder(op.getContext());
  return Pieces{
      {{}, {}, makeConstant(builder.getZeroAttr(op.getDest().getType()))}};
}

static FailureOr<Pieces> readReduced(SymbolicEvaluator &evaluator,
                                     vector::ReductionOp op,
                                     ArrayRef<LinearExpr> at,
                                     const System &context) {
  auto promises =
      arith::FastMathFlags::fast &
      ~(arith::FastMathFlags::reassoc | arith::FastMathFlags::contract);
  if (bitEnumContainsAny(op.getFastmath(), promises))
    return evaluator.undecided(
        op, "a reduction that promises what its numbers are");
  Var reduced = evaluator.getSolver().makeVar();
  LinearExpr lane = LinearExpr::var(reduced);
  System domain;
  domain.addRange(0, lane, LinearExpr(op.getSourceVectorType().getDimSize(0)));
  FailureOr<Pieces> elements =
      evaluator.readAt(op.getVector(), lane, context & domain);
  FailureOr<Pieces> starts = readStart(evaluator, op, at, context);
  if (failed(elements) || failed(starts))
    return failure();
  return reduce(evaluator, op, op.getKind(), std::move(*starts), *elements,
                reduced, domain);
}

static FailureOr<Pieces> readContraction(SymbolicEvaluator &evaluator,
                                         vector::ContractionOp op,
                                         ArrayRef<LinearExpr> at,
                                         const System &context) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<int64_t> sizes;
  op.getIterationBounds(sizes);
  SmallVector<LinearExpr> loops(sizes.size());
  SmallVector<Var> reduced;
  System domain;
  for (auto [loop, size] : llvm::enumerate(sizes)) {
    auto position =
        maps[2].getResultPosition(getAffineDimExpr(loop, op.getContext()));
    if (position) {
      loops[loop] = at[*position];
      continue;
    }
    reduced.push_back(evaluator.getSolver().makeVar());
    loops[loop] = LinearExpr::var(reduced.back());
    domain.addRange(0, loops[loop], LinearExpr(size));
  }
  auto getIndices = [&](AffineMap map) {
    return llvm::map_to_vector(map.getResults(), [&](AffineExpr expr) {
      return loops[cast<AffineDimExpr>(expr).getPosition()];
    });
  };
  System inLoops = context & domain;
  Type type = getElementTypeOrSelf(op.getAccType());
  // Operands that are narrower are widened as their types say.
  if (getElementTypeOrSelf(op.getLhsType()) != type ||
      getElementTypeOrSelf(op.getRhsType()) != type)
    return evaluator.undecided(op, "a contraction that widens its operands");
  DictionaryAttr none = DictionaryAttr::get(op.getContext());
  FailureOr<Pieces> products = combine(
      {op.getLhs(), op.getRhs()},
      [&](Value operand) {
        return evaluator.readAt(
            operand, getIndices(maps[operand == op.getLhs() ? 0 : 1]), inLoops);
      },
      [&](ArrayRef<ExprRef> factors) {
        return makeApply(isa<FloatType>(type) ? "arith.mulf" : "arith.muli",
                         none, type, factors, op);
      });
  FailureOr<Pieces> starts = readValue(evaluator, op.getAcc(), at, context);
  if (failed(products) || failed(starts))
    return failure();
  return reduce(evaluator, op, op.getKind(), std::move(*starts), *products,
                reduced, domain);
}

/// A product and what it is added to, which is rounded once.
static FailureOr<Pieces> readFMA(SymbolicEvaluator &evaluator, vector::FMAOp op,
                                 ArrayRef<LinearExpr> at,
                                 const System &context) {
  DictionaryAttr none = DictionaryAttr::get(op.getContext());
  Type type = op.getVectorType().getElementType();
  return combine(
      op->getOperands(),
      [&](Value operand) { return evaluator.readAt(operand, at, context); },
      [&](ArrayRef<ExprRef> values) {
        ExprRef product =
            makeApply("arith.mulf", none, type, values.take_front(2), op);
        return makeApply("arith.addf", none, type, {product, values[2]}, op);
      });
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

bool certify::isKnownVectorOp(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect != "vector")
    return dialect == "arith" || dialect == "math" || dialect == "scf" ||
           dialect == "func" || dialect == "ub";
  return isa<vector::TransferReadOp, vector::TransferWriteOp,
             vector::BroadcastOp, vector::ExtractOp, vector::InsertOp,
             vector::ExtractStridedSliceOp, vector::InsertStridedSliceOp,
             vector::ShuffleOp, vector::FromElementsOp, vector::ShapeCastOp,
             vector::BitCastOp, vector::TransposeOp, vector::FMAOp,
             vector::ContractionOp, vector::MultiDimReductionOp,
             vector::ReductionOp, vector::ConstantMaskOp, vector::CreateMaskOp,
             vector::YieldOp>(op);
}

FailureOr<Pieces> certify::readVectorOp(SymbolicEvaluator &evaluator,
                                        Operation *op, ArrayRef<LinearExpr> at,
                                        const System &context) {
  using OpSwitch = llvm::TypeSwitch<Operation *, FailureOr<Pieces>>;
  return OpSwitch(op)
      .Case<vector::TransferReadOp, vector::TransferWriteOp>(
          [&](auto op) { return readTransfer(evaluator, op, at, context); })
      .Case([&](vector::BroadcastOp op) {
        return readBroadcast(evaluator, op, at, context);
      })
      .Case([&](vector::ExtractOp op) {
        return readExtractOp(evaluator, op, at, context);
      })
      .Case([&](vector::InsertOp op) {
        return readInsertOp(evaluator, op, at, context);
      })
      .Case<vector::ExtractStridedSliceOp, vector::InsertStridedSliceOp>(
          [&](auto op) { return readSlice(evaluator, op, at, context); })
      .Case([&](vector::ShuffleOp op) {
        return readShuffled(evaluator, op, at, context);
      })
      .Case([&](vector::FromElementsOp op) {
        return readFromElements(evaluator, op.getType(), op.getElements(), at,
                                context);
      })
      .Case([&](vector::ShapeCastOp op) {
        return readShapeCast(evaluator, op, at, context);
      })
      .Case<vector::ConstantMaskOp, vector::CreateMaskOp>(
          [&](auto op) { return readMask(evaluator, op, at, context); })
      .Case([&](vector::BitCastOp op) {
        return readBitCast(evaluator, op, at, context);
      })
      .Case([&](vector::TransposeOp op) {
        SmallVector<LinearExpr> indices(at);
        for (auto [to, from] : llvm::enumerate(op.getPermutation()))
          indices[from] = at[to];
        return evaluator.readAt(op.getVector(), indices, context);
      })
      .Case(
          [&](vector::FMAOp op) { return readFMA(evaluator, op, at, context); })
      .Case([&](vector::ContractionOp op) {
        return readContraction(evaluator, op, at, context);
      })
      .Case<vector::MultiDimReductionOp, vector::ReductionOp>(
          [&](auto op) { return readReduced(evaluator, op, at, context); })
      .Default([&](Operation *op) {
        return evaluator.undecided(op, "an op whose meaning is not known");
      });
}
