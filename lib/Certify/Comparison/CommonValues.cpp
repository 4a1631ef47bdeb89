//===- CommonValues.cpp - What two functions both compute -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommonValues.h"
#include "../Terms/ZeroSigns.h"

#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SmallVectorExtras.h"

#include <set>

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

/// Whether `expr` has terms, and is no place.
static bool isSum(const Expr &expr) {
  bool isPlace = expr.isOfCut && isa<IntegerType>(expr.type);
  return !expr.families.empty() && !isPlace;
}

static bool isNestedSum(const Expr &expr) {
  return llvm::any_of(expr.families, [](const Family &family) {
    return contains(family.term, isSum);
  });
}

static bool hasAny(const CommonValue &value, bool (*predicate)(const Expr &)) {
  return llvm::any_of(value.elements, [&](const Family &family) {
    return contains(family.term, predicate);
  });
}

/// What `value` reads: numbers of arguments, and what stands for others.
static std::set<std::pair<unsigned, const void *>>
getSources(const CommonValue &value) {
  std::set<std::pair<unsigned, const void *>> sources;
  for (const Family &family : value.elements)
    contains(family.term, [&](const Expr &part) {
      if (part.argument)
        sources.emplace(part.argument.getArgNumber(), nullptr);
      else if (part.common)
        sources.emplace(0, part.common.get());
      return false;
    });
  return sources;
}

/// The tensors that `op` reads, those of its regions included, and that are
/// made by ops of its own block.
static SmallVector<Value> getOperandsOfBlock(Operation *op) {
  llvm::SetVector<Value> operands(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), operands);
  operands.remove_if([&](Value value) {
    Operation *maker = value.getDefiningOp();
    return !isa<RankedTensorType>(value.getType()) || !maker ||
           maker->getBlock() != op->getBlock();
  });
  return operands.takeVector();
}

std::optional<CommonValue> CommonValues::read(SymbolicEvaluator &evaluator,
                                              Value tensor) {
  return evaluator.getObstacle().ignoreIn([&]() -> std::optional<CommonValue> {
    CommonValue value{tensor.getDefiningOp(),
                      /*isNumber=*/true,
                      /*hasSameZeros=*/true,
                      {},
                      {}};
    SmallVector<LinearExpr> element;
    for (int64_t dim = 0;
         dim < cast<RankedTensorType>(tensor.getType()).getRank(); ++dim) {
      value.indices.push_back(solver.makeVar());
      element.push_back(LinearExpr::var(value.indices.back()));
    }
    FailureOr<Pieces> pieces = evaluator.readAt(tensor, element, {});
    if (failed(pieces))
      return std::nullopt;
    for (const Piece &piece : *pieces) {
      value.elements.push_back({piece.locals, piece.domain, piece.value});
      value.isNumber = value.isNumber && isFinite(piece.value);
    }
    return value;
  });
}

bool CommonValues::hasNestedSums(Value tensor) {
  std::optional<CommonValue> value = read(evaluatorBefore, tensor);
  return value && hasAny(*value, isNestedSum);
}

/// The elements of `value`, as ops see them that tell 0 from -0.
static SmallVector<ExprRef> showZeros(const CommonValue &value) {
  return llvm::map_to_vector(value.elements, [](const Family &family) {
    return certify::showZeros(family.term);
  });
}

/// Whether zeros that `a` and `b` have, which are equal as numbers, have the
/// same signs as well: all of both are 0, or made of the same zeros.
static bool haveSameZeros(const CommonValue &a, const CommonValue &b) {
  SmallVector<ExprRef> elements = showZeros(a);
  llvm::append_range(elements, showZeros(b));
  return llvm::all_of(elements, isNeverMinusZero) ||
         llvm::none_of(elements, dependsOnZeros);
}

static Pieces getPieces(const CommonValue &value) {
  Pieces pieces;
  for (const Family &family : value.elements)
    pieces.push_back({family.instance, family.domain, family.term});
  return pieces;
}

std::shared_ptr<const CommonValue>
CommonValues::findKnown(Value tensor, const CommonValue &value) {
  SmallVector<LinearExpr> element;
  for (Var var : value.indices)
    element.push_back(LinearExpr::var(var));
  FailureOr<System> bounds = evaluatorBefore.getObstacle().ignoreIn(
      [&] { return evaluatorBefore.getSizes().getBounds(tensor, element); });
  if (failed(bounds))
    return nullptr;
  bounds->append(arguments.getScope());
  if (!comparison.coverAll(getPieces(value), *bounds))
    return nullptr;
  auto sources = getSources(value);
  for (const auto &[other, common] : known) {
    // Sizes that types do not tell are not compared.
    if (other.getType() != tensor.getType() || getSources(*common) != sources ||
        !cast<RankedTensorType>(tensor.getType()).hasStaticShape())
      continue;
    DenseMap<Var, LinearExpr> values;
    for (auto [theirs, ours] : llvm::zip_equal(common->indices, element))
      values[theirs] = ours;
    Pieces pieces;
    for (const Piece &piece : getPieces(*common))
      pieces.push_back(instantiate(solver, piece, values));
    if (comparison.compare(getPieces(value), pieces, element, *bounds)
                .verdict == Certificate::Verdict::Certified &&
        (!common->hasSameZeros || haveSameZeros(value, *common)))
      return common;
  }
  return nullptr;
}

void CommonValues::findEqual(Value tensor, const CommonValue &value,
                             Certificate &all) {
  if (std::shared_ptr<const CommonValue> same = findKnown(tensor, value)) {
    evaluatorBefore.setCommon(tensor, same);
    return;
  }
  auto sources = getSources(value);
  SmallVector<Value *> equal;
  auto common = std::make_shared<CommonValue>(value);
  for (Value &candidate : candidates) {
    if (!candidate || candidate.getType() != tensor.getType())
      continue;
    std::optional<CommonValue> other = read(evaluatorAfter, candidate);
    if (!other || getSources(*other) != sources)
      continue;
    Certificate certificate = evaluatorBefore.getObstacle().ignoreIn([&] {
      return evaluatorAfter.getObstacle().ignoreIn(
          [&] { return comparison.compare(tensor, candidate); });
    });
    if (solver.hasExpired())
      return;
    if (certificate.verdict != Certificate::Verdict::Certified)
      continue;
    all.addConditions(certificate);
    all.numPieces += certificate.numPieces;
    all.numFamilies += certificate.numFamilies;
    common->hasSameZeros &= haveSameZeros(value, *other);
    equal.push_back(&candidate);
  }
  if (equal.empty())
    return;
  evaluatorBefore.setCommon(tensor, common);
  known.emplace_back(tensor, common);
  // All of them: the second function may compute it several times.
  for (Value *candidate : equal)
    evaluatorAfter.setCommon(std::exchange(*candidate, nullptr), common);
}

void CommonValues::findOperand(Value tensor, Certificate &all) {
  // What is tried again was not found, or is known.
  if (!tried.insert(tensor).second || solver.hasExpired())
    return;
  // From the top: what is made of something known without a sum of its own,
  // as a slice or a ReLU, need not be known, and may be fused in the second.
  for (Value operand : getOperandsOfBlock(tensor.getDefiningOp()))
    findOperand(operand, all);
  std::optional<CommonValue> value = read(evaluatorBefore, tensor);
  if (!value || !hasAny(*value, isSum))
    return;
  bool isWritten = !hasAny(*value, [](const Expr &expr) {
    return expr.kind == Expr::Kind::Undefined;
  });
  if (isWritten)
    findEqual(tensor, *value, all);
}

void CommonValues::find(FunctionOpInterface before, FunctionOpInterface after,
                        Certificate &all) {
  for (Operation &op : after.getFunctionBody().front())
    for (Value result : op.getResults())
      if (isa<RankedTensorType>(result.getType()))
        candidates.push_back(result);
  for (Operation &op : before.getFunctionBody().front()) {
    bool isLayer = llvm::any_of(op.getResults(), [&](Value result) {
      return isa<RankedTensorType>(result.getType()) && hasNestedSums(result);
    });
    if (isLayer)
      for (Value operand : getOperandsOfBlock(&op))
        findOperand(operand, all);
  }
  // Who asks for what has no elements is to be told why.
  evaluatorBefore.forgetFailures();
  evaluatorAfter.forgetFailures();
}
