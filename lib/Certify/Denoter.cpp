//===- Denoter.cpp - Finds out what a function computes ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Denoter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

LogicalResult Denoter::undecided(Operation *op, const Twine &reason) {
  if (!obstacle.op)
    obstacle = {op, reason.str()};
  return failure();
}

Pieces Denoter::prune(Pieces pieces, const System &context) {
  llvm::erase_if(pieces, [&](const Piece &piece) {
    System system = context & piece.domain;
    return solver.isEmpty(system);
  });
  return pieces;
}

FailureOr<System> Denoter::getBounds(Value tensor,
                                     ArrayRef<LinearExpr> indices) {
  System bounds;
  for (auto [dim, index] : llvm::enumerate(indices)) {
    FailureOr<Size> size = getSize(tensor, dim);
    if (failed(size))
      return failure();
    bounds.addRange(0, index, *size);
  }
  return bounds;
}

System Denoter::getScope(Operation *op) {
  System scope = arguments.sizes;
  for (const auto &symbol : arguments.symbols)
    if (symbol.first.second >= 0)
      scope.addAtMost(0, LinearExpr::var(symbol.second));
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp()) {
    if (auto it = loops.find(parent); it != loops.end())
      scope.append(it->second.second);
    auto branch = dyn_cast<scf::IfOp>(parent);
    if (!branch)
      continue;
    FailureOr<ConditionCases> cases = getBranchCases(branch, op);
    if (succeeded(cases) && cases->empty())
      scope.addAtMost(1, 0); // it never runs
    if (succeeded(cases) && cases->size() == 1)
      scope.append(cases->front().domain);
  }
  return scope;
}

SmallVector<System> Denoter::getScopes(Operation *op) {
  SmallVector<System> scopes = {getScope(op)};
  for (auto branch = op->getParentOfType<scf::IfOp>(); branch;
       branch = branch->getParentOfType<scf::IfOp>()) {
    FailureOr<ConditionCases> cases = getBranchCases(branch, op);
    if (failed(cases) || cases->size() < 2)
      continue;
    SmallVector<System> finer;
    for (const System &scope : scopes)
      for (const Case<bool> &one : *cases)
        finer.push_back(scope & one.domain);
    scopes = std::move(finer);
  }
  return scopes;
}

bool Denoter::isScopeKnown(Operation *op) {
  for (auto branch = op->getParentOfType<scf::IfOp>(); branch;
       branch = branch->getParentOfType<scf::IfOp>())
    if (failed(getBranchCases(branch, op)))
      return false;
  return true;
}

/// The tensors that `tensor` is made of in its block and that `isKnown` does
/// not hold for, each after those that it is made of itself.
static SmallVector<Value> getInputs(Value tensor,
                                    function_ref<bool(Value)> isKnown) {
  llvm::SetVector<Value> inputs;
  inputs.insert(tensor);
  for (size_t next = 0; next < inputs.size(); ++next) {
    Operation *op = inputs[next].getDefiningOp();
    for (Value operand : op->getOperands()) {
      auto result = dyn_cast<OpResult>(operand);
      if (result && isa<RankedTensorType>(result.getType()) &&
          result.getOwner()->getBlock() == op->getBlock() && !isKnown(result))
        inputs.insert(result);
    }
  }
  SmallVector<Value> order = inputs.takeVector();
  llvm::stable_sort(order, [](Value a, Value b) {
    return a.getDefiningOp()->isBeforeInBlock(b.getDefiningOp());
  });
  return order;
}

FailureOr<const Meaning *> Denoter::getMeaning(Value tensor) {
  auto isKnown = [&](Value value) { return meanings.contains(value); };
  // In the block's order, so that long chains of ops do not nest calls. One
  // that fails matters only if it is asked for.
  if (!isKnown(tensor) && isa<OpResult>(tensor))
    for (Value input : getInputs(tensor, isKnown))
      meanings[input] = makeMeaning(input);
  if (!isKnown(tensor))
    meanings[tensor] = makeMeaning(tensor);
  const Meaning *meaning = meanings[tensor].get();
  if (!meaning)
    return failure();
  return meaning;
}

/// Elements and ops in the expressions of one function: some hundred bytes
/// each.
static constexpr uint64_t kMostWritten = 2'000'000;

std::unique_ptr<Meaning> Denoter::makeMeaning(Value tensor) {
  auto meaning = std::make_unique<Meaning>();
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<LinearExpr> at;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    meaning->indices.push_back(solver.makeVar());
    at.push_back(LinearExpr::var(meaning->indices.back()));
  }
  if (auto argument = dyn_cast<BlockArgument>(tensor)) {
    meaning->pieces.push_back({{}, {}, makeRead(argument, at)});
    return meaning;
  }
  auto result = cast<OpResult>(tensor);
  // Loops around are entered from the outside.
  SmallVector<Operation *> around;
  for (Operation *parent = result.getOwner()->getParentOp();
       isa_and_nonnull<scf::ForOp, scf::ForallOp, scf::IfOp>(parent);
       parent = parent->getParentOp())
    around.push_back(parent);
  for (Operation *loop : llvm::reverse(around))
    if (failed(enterLoop(loop)))
      return nullptr;
  FailureOr<System> bounds = getBounds(tensor, at);
  if (failed(bounds))
    return nullptr;
  FailureOr<Pieces> pieces =
      read(result, at, getScope(result.getOwner()) & *bounds);
  if (failed(pieces))
    return nullptr;
  for (Piece &piece : *pieces) {
    written = llvm::SaturatingAdd(written, piece.value->size);
    if (written > kMostWritten || solver.hasExpired()) {
      (void)undecided(result.getOwner(), "expressions of more than " +
                                             Twine(kMostWritten) +
                                             " elements and ops in all");
      return nullptr;
    }
    DenseMap<Var, LinearExpr> values;
    if (!piece.domain.compact(piece.locals, values))
      continue;
    piece.value = substitute(piece.value, values);
    meaning->pieces.push_back(std::move(piece));
  }
  return meaning;
}

FailureOr<Pieces> Denoter::readAt(Value tensor, ArrayRef<LinearExpr> indices,
                                  const System &context) {
  FailureOr<const Meaning *> meaning = getMeaning(tensor);
  if (failed(meaning))
    return failure();
  DenseMap<Var, LinearExpr> values;
  for (auto [var, index] : llvm::zip_equal((*meaning)->indices, indices))
    values[var] = index;
  // Most pieces lie elsewhere: their values are not even looked at.
  bool isAlone = (*meaning)->pieces.size() == 1;
  Pieces pieces;
  for (const Piece &piece : (*meaning)->pieces) {
    DenseMap<Var, LinearExpr> renamed = values;
    SmallVector<Var> locals = renameVars(solver, piece.locals, renamed);
    System domain = piece.domain.substitute(renamed);
    if (isAlone || !solver.isEmpty(context & domain))
      pieces.push_back({locals, domain, substitute(piece.value, renamed)});
  }
  return pieces;
}

FailureOr<Pieces> Denoter::readConstant(Operation *op, ElementsAttr elements,
                                        ArrayRef<LinearExpr> at) {
  if (!elements)
    return undecided(op, "a constant that is no tensor");
  auto dense = dyn_cast<DenseElementsAttr>(elements);
  if (dense && dense.isSplat())
    return Pieces{{{}, {}, makeConstant(dense.getSplatValue<TypedAttr>())}};
  return Pieces{{{}, {}, makeRead(elements, at)}};
}

FailureOr<Pieces> Denoter::read(OpResult result, ArrayRef<LinearExpr> at,
                                const System &context) {
  Operation *op = result.getOwner();
  unsigned number = result.getResultNumber();
  return llvm::TypeSwitch<Operation *, FailureOr<Pieces>>(op)
      .Case([&](tensor::EmptyOp) {
        return Pieces{
            {{}, {}, makeUndefined(getElementTypeOrSelf(result.getType()))}};
      })
      .Case([&](arith::ConstantOp op) {
        return readConstant(op, dyn_cast<ElementsAttr>(op.getValue()), at);
      })
      .Case([&](tensor::SplatOp op) {
        return getScalar(op.getInput(), Body(), context);
      })
      .Case([&](bufferization::ToTensorOp op) {
        return readBuffer(op, at, context);
      })
      .Case([&](tensor::CastOp op) {
        return readAt(op.getSource(), at, context);
      })
      .Case(
          [&](tensor::ExtractSliceOp op) { return readSlice(op, at, context); })
      .Case([&](tensor::InsertSliceOp op) {
        return readInserted(op, op.getSource(), op.getDest(),
                            op.getDroppedDims(), at, context);
      })
      .Case([&](tensor::PadOp op) { return readPad(op, at, context); })
      .Case([&](tensor::ExpandShapeOp op) {
        return readReshaped(op.getSrc(), op.getReassociationIndices(), false,
                            result, at, context);
      })
      .Case([&](tensor::CollapseShapeOp op) {
        return readReshaped(op.getSrc(), op.getReassociationIndices(), true,
                            result, at, context);
      })
      .Case([&](linalg::LinalgOp op) {
        return readLinalg(op, op.getDpsInitOperand(number), at, context);
      })
      .Case([&](ConvolutionOpInterface op) {
        return readConvolution(op, at, context);
      })
      .Case([&](Im2colOp op) { return readIm2col(op, at, context); })
      .Case([&](scf::ForOp op) { return readFor(op, number, at, context); })
      .Case(
          [&](scf::ForallOp op) { return readForall(op, number, at, context); })
      .Case([&](scf::IfOp op) { return readIf(op, number, at, context); })
      .Default([&](Operation *op) -> FailureOr<Pieces> {
        if (op->getName().getStringRef() == "iree_linalg_ext.im2col")
          return readForeignIm2col(op, at, context);
        if (op->getName().getDialectNamespace() == "tosa")
          return readTosa(*this, result, at, context);
        if (isElementwise(op))
          return readElementwise(op, at, context);
        return undecided(op, "an op whose meaning is not known");
      });
}
