//===- Workspace.cpp - Buffers that share a workspace -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a view starts is a multiple of the number of a thread, and a constant.
// Views that start at the same multiple of the same number lie as far apart in
// each thread, so that constants tell whether two share bytes. For all others
// it is asked where they may lie at all.
//
//===----------------------------------------------------------------------===//

#include "Workspace.h"
#include "BufferRoots.h"
#include "IndexRanges.h"

#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using llvm::ConstantRange;

namespace {
/// A view, which begins at byte `start`, and all that reads or writes it.
struct WorkspaceView {
  memref::ViewOp op;
  IndexSum start;
  int64_t numBytes;
  SmallVector<Operation *> uses;

  /// The loop whose iterations each have such a view, or null.
  Operation *getLoop() const {
    Operation *parent = op->getParentOp();
    if (isa<memref::AllocaScopeOp>(parent))
      parent = parent->getParentOp();
    return isa<FunctionOpInterface>(parent) ? nullptr : parent;
  }
  /// Whether its loop runs again and again, so that it has bytes that it had
  /// before.
  bool isRepeated() const {
    Operation *loop = getLoop();
    return loop && !isa<FunctionOpInterface>(loop->getParentOp());
  }
  /// The bytes behind the multiples that it starts at.
  ConstantRange getBytes() const {
    return {APInt(64, start.constant, /*isSigned=*/true),
            APInt(64, start.constant + numBytes, /*isSigned=*/true)};
  }
};

/// The views of one workspace that have bytes.
class WorkspaceViews {
public:
  explicit WorkspaceViews(FirstObstacle &obstacle) : obstacle(obstacle) {}

  LogicalResult add(memref::ViewOp op);
  /// Makes a view of its own for each turn of a view. Leaves the uses that are
  /// known out of date.
  void splitByTurns();
  /// Whether all lie within `numBytes`.
  LogicalResult checkBounds(int64_t numBytes);
  /// Whether none changes what another holds that is still read.
  LogicalResult checkApart();
  /// Whether some use the same bytes, one behind the other, or one does again.
  bool haveTurns() const { return hasTurns; }

private:
  LogicalResult addUses(Value memref, WorkspaceView &view);
  void splitByTurns(const WorkspaceView &view);
  /// The bytes that `view` may have in any iteration of any loop.
  ConstantRange getAllBytes(const WorkspaceView &view);
  bool areApart(const WorkspaceView &a, const WorkspaceView &b);
  bool takeTurns(const WorkspaceView &a, const WorkspaceView &b);

  FirstObstacle &obstacle;
  IndexRanges ranges;
  SmallVector<WorkspaceView, 0> views;
  bool hasTurns = false;
};
} // namespace

LogicalResult WorkspaceViews::addUses(Value memref, WorkspaceView &view) {
  auto holdsMemory = llvm::IsaPred<BaseMemRefType, TensorType>;
  for (Operation *user : memref.getUsers()) {
    if (BufferRoots::isView(user)) {
      if (failed(addUses(user->getResult(0), view)))
        return failure();
      continue;
    }
    if (llvm::any_of(user->getResultTypes(), holdsMemory) ||
        user->hasTrait<OpTrait::IsTerminator>())
      return obstacle.undecided(user, "an op that passes on a part of a "
                                      "workspace");
    view.uses.push_back(user);
  }
  return success();
}

/// The bytes of a buffer of `type`, or nothing where they are not known.
static std::optional<int64_t> countBytes(MemRefType type) {
  Type element = type.getElementType();
  unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() || bits == 0 ||
      bits % 8 != 0)
    return std::nullopt;
  int64_t numBytes = bits / 8;
  for (int64_t size : type.getShape())
    if (llvm::MulOverflow(numBytes, size, numBytes))
      return std::nullopt;
  return numBytes;
}

/// Whether `op` has run before it runs again.
static bool runsInTurn(Operation *op) {
  for (Operation *around = op->getParentOp(); !isa<FunctionOpInterface>(around);
       around = around->getParentOp())
    if (!isa<scf::ForOp, scf::IfOp>(around))
      return false;
  return true;
}

LogicalResult WorkspaceViews::add(memref::ViewOp op) {
  std::optional<int64_t> numBytes = countBytes(op.getType());
  if (!numBytes)
    return obstacle.undecided(op, "a part of a workspace whose size is not "
                                  "known");
  if (*numBytes == 0)
    return success();
  int64_t bytes = op.getType().getElementTypeBitWidth() / 8;
  IndexSum start = IndexSum::get(OpFoldResult(op.getByteShift()));
  bool isAligned = start.constant % bytes == 0 &&
                   llvm::all_of(start.factors, [&](const auto &term) {
                     return term.second % bytes == 0;
                   });
  if (!isAligned)
    return obstacle.undecided(op, "a part of a workspace whose elements may "
                                  "not be aligned");
  WorkspaceView &view =
      views.emplace_back(WorkspaceView{op, std::move(start), *numBytes, {}});
  // It is done with its part before it runs again.
  if (Operation *loop = view.getLoop(); loop && !runsInTurn(loop))
    return obstacle.undecided(op, "a part of a workspace in a loop that "
                                  "others run beside");
  hasTurns |= view.isRepeated();
  return addUses(op.getResult(), view);
}

ConstantRange WorkspaceViews::getAllBytes(const WorkspaceView &view) {
  return ranges.get(view.start)
      .sadd_sat(ConstantRange(APInt(64, 0), APInt(64, view.numBytes)));
}

LogicalResult WorkspaceViews::checkBounds(int64_t numBytes) {
  for (const WorkspaceView &view : views) {
    ConstantRange bytes = getAllBytes(view);
    if (bytes.getSignedMin().isNegative() || bytes.getSignedMax().sge(numBytes))
      return obstacle.undecided(view.op,
                                "a part of a workspace that may lie outside");
  }
  return success();
}

/// Whether `a` and `b`, which stand in one loop, share no byte in two
/// iterations: each has bytes of its own, as many as its number is multiplied
/// by.
static bool areApartInOthers(const WorkspaceView &a, const WorkspaceView &b) {
  auto loop = dyn_cast<LoopLikeOpInterface>(a.getLoop());
  auto indices = loop ? loop.getLoopInductionVars() : std::nullopt;
  if (!indices || indices->size() != 1 || !a.start.hasSameFactors(b.start) ||
      a.start.factors.size() != 1)
    return false;
  auto [index, numOwn] = a.start.factors.front();
  ConstantRange both =
      a.getBytes().unionWith(b.getBytes(), ConstantRange::Signed);
  bool hasOverflowed = false;
  APInt reach = both.getSignedMax().ssub_ov(both.getSignedMin(), hasOverflowed);
  return index == indices->front() && numOwn > 0 && !hasOverflowed &&
         reach.slt(numOwn);
}

bool WorkspaceViews::areApart(const WorkspaceView &a, const WorkspaceView &b) {
  bool isOfOneRun = a.getLoop() == b.getLoop() &&
                    (!a.getLoop() || areApartInOthers(a, b)) &&
                    a.start.hasSameFactors(b.start);
  return (isOfOneRun &&
          a.getBytes().intersectWith(b.getBytes()).isEmptySet()) ||
         getAllBytes(a).intersectWith(getAllBytes(b)).isEmptySet();
}

/// Whether all ops of `before` have run, in each run of `block`, before any of
/// `after` does.
static bool allRunBefore(ArrayRef<Operation *> before,
                         ArrayRef<Operation *> after, Block *block) {
  return llvm::all_of(before, [&](Operation *first) {
    return llvm::all_of(after, [&](Operation *second) {
      return runsBefore(first, second, block);
    });
  });
}

bool WorkspaceViews::takeTurns(const WorkspaceView &a, const WorkspaceView &b) {
  auto runInTurn = [&](Block *block) {
    return allRunBefore(a.uses, b.uses, block) ||
           allRunBefore(b.uses, a.uses, block);
  };
  Operation *loop = a.getLoop();
  auto function = a.op->getParentOfType<FunctionOpInterface>();
  return runInTurn(&function.getFunctionBody().front()) ||
         (loop && loop == b.getLoop() && areApartInOthers(a, b) &&
          runInTurn(a.op->getBlock()));
}

/// Lets `ops`, of the block that `view` stands in, use another such view.
static void cloneView(memref::ViewOp view, ArrayRef<Operation *> ops) {
  Block *block = view->getBlock();
  OpBuilder builder(view.getContext());
  SmallVector<Operation *> originals = {view};
  IRMapping mapping;
  for (size_t next = 0; next < originals.size(); ++next) {
    // Not before what tells where a part begins.
    bool isLater = ops.front()->isBeforeInBlock(originals[next]);
    builder.setInsertionPoint(isLater ? originals[next] : ops.front());
    builder.clone(*originals[next], mapping);
    for (Operation *user : originals[next]->getResult(0).getUsers())
      if (user->getBlock() == block && BufferRoots::isView(user))
        originals.push_back(user);
  }
  for (Operation *original : originals)
    for (Value result : original->getResults())
      result.replaceUsesWithIf(mapping.lookup(result), [&](OpOperand &use) {
        return llvm::is_contained(
            ops, block->findAncestorOpInBlock(*use.getOwner()));
      });
}

void WorkspaceViews::splitByTurns(const WorkspaceView &view) {
  Block *block = view.op->getBlock();
  auto isBefore = [](Operation *a, Operation *b) {
    return a->isBeforeInBlock(b);
  };
  SetVector<Operation *> others, own;
  for (const WorkspaceView &other : views)
    if (&other != &view && !areApart(view, other))
      for (Operation *use : other.uses)
        others.insert(block->findAncestorOpInBlock(*use));
  for (Operation *use : view.uses)
    own.insert(block->findAncestorOpInBlock(*use));
  SmallVector<Operation *> ops = own.takeVector();
  llvm::sort(ops, isBefore);
  for (size_t last = ops.size(), first = last; first > 1;) {
    --first;
    bool begins = llvm::any_of(others, [&](Operation *other) {
      return isBefore(ops[first - 1], other) && isBefore(other, ops[first]);
    });
    if (!begins)
      continue;
    cloneView(view.op, ArrayRef(ops).slice(first, last - first));
    last = first;
  }
}

void WorkspaceViews::splitByTurns() {
  for (const WorkspaceView &view : views)
    if (!view.getLoop())
      splitByTurns(view);
}

LogicalResult WorkspaceViews::checkApart() {
  for (auto [number, a] : llvm::enumerate(views)) {
    if (a.getLoop() && !areApartInOthers(a, a))
      return obstacle.undecided(
          a.op, "a part of a workspace that iterations may share");
    for (const WorkspaceView &b : ArrayRef(views).drop_front(number + 1)) {
      if (areApart(a, b))
        continue;
      hasTurns = true;
      if (!takeTurns(a, b))
        return obstacle.undecided(
            b.op, "a part of a workspace that another may change");
    }
  }
  return success();
}

LogicalResult certify::separateWorkspace(FunctionOpInterface function,
                                         FirstObstacle &obstacle) {
  auto numBytes = function->getAttrOfType<IntegerAttr>(kWorkspaceAttrName);
  unsigned numArguments = function.getNumArguments();
  if (!numBytes)
    return success();
  if (function->hasAttr(kImageWorkspaceAttrName) || numArguments == 0)
    return obstacle.undecided(function, "a workspace whose size is not known");
  BlockArgument workspace = function.getArgument(numArguments - 1);
  auto addAll = [&](WorkspaceViews &views) -> LogicalResult {
    for (Operation *user : workspace.getUsers()) {
      auto view = dyn_cast<memref::ViewOp>(user);
      if (!view)
        return obstacle.undecided(user, "a workspace that is no views alone");
      if (failed(views.add(view)))
        return failure();
    }
    return success();
  };
  WorkspaceViews whole(obstacle), views(obstacle);
  if (failed(addAll(whole)))
    return failure();
  whole.splitByTurns();
  if (failed(addAll(views)) || failed(views.checkBounds(numBytes.getInt())) ||
      failed(views.checkApart()))
    return failure();
  if (views.haveTurns())
    function->setAttr(kLeftoversAttrName, UnitAttr::get(function.getContext()));
  for (Operation *user : llvm::make_early_inc_range(workspace.getUsers())) {
    OpBuilder builder(user);
    auto view = cast<memref::ViewOp>(user);
    view.replaceAllUsesWith(
        memref::AllocOp::create(builder, view.getLoc(), view.getType())
            .getResult());
    view.erase();
  }
  if (failed(function.eraseArgument(numArguments - 1)))
    return failure();
  function->removeAttr(kWorkspaceAttrName);
  return success();
}
