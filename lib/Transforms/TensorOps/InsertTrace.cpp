//===- InsertTrace.cpp - Trace what ops compute -----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/TensorOps/Passes.h"
#include "convoy/Transforms/Utils/KernelElements.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_INSERTTRACEPASS
#include "convoy/Transforms/TensorOps/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

/// The names in `loc`, outermost first.
static SmallVector<StringRef> getNames(Location loc) {
  SmallVector<StringRef> names;
  loc->walk([&](Location part) {
    if (auto name = dyn_cast<NameLoc>(part))
      names.push_back(name.getName());
    return WalkResult::advance();
  });
  return names;
}

/// `name` with `_` for what no identifier has.
static std::string toIdentifier(StringRef name) {
  std::string identifier = name.str();
  for (char &c : identifier)
    if (!llvm::isAlnum(c))
      c = '_';
  return identifier.empty() || llvm::isDigit(identifier.front())
             ? "_" + identifier
             : identifier;
}

/// Whether a kernel can give `value`, and what it holds means something.
static bool isTraceable(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && !value.getDefiningOp<tensor::EmptyOp>() &&
         isKernelElement(type.getElementType());
}

/// Whether a trace of `value` would say what no other says.
static bool isUntraced(Value value) {
  return isTraceable(value) && !value.getDefiningOp<TraceOp>() &&
         llvm::none_of(value.getUsers(),
                       [](Operation *user) { return isa<TraceOp>(user); });
}

namespace {
/// The values that depend on arguments of a function.
class DependentValues {
public:
  explicit DependentValues(func::FuncOp function) {
    values.insert_range(function.getArguments());
  }
  /// Whether `op`, all operands of which were asked for, is one of them.
  bool add(Operation *op) {
    bool depends = false;
    op->walk([&](Operation *part) {
      depends |= llvm::any_of(part->getOperands(), [&](Value operand) {
        return values.contains(operand);
      });
    });
    if (depends)
      values.insert_range(op->getResults());
    return depends;
  }

private:
  DenseSet<Value> values;
};

struct InsertTracePass final
    : mlir::convoy::impl::InsertTracePassBase<InsertTracePass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    // One pass runs on several functions, each of which has its own names.
    taken.clear();
    function.walk([&](TraceOp trace) { taken.insert(trace.getName()); });
    SmallVector<Operation *> chosen;
    DependentValues dependent(function);
    bool meetsTraced = false;
    for (Operation &op : function.getBody().getOps()) {
      if (!dependent.add(&op) || !isAskedFor(&op))
        continue;
      if (llvm::any_of(op.getResults(), isUntraced))
        chosen.push_back(&op);
      else
        meetsTraced |= llvm::any_of(op.getResults(), isTraceable);
    }
    for (auto [number, op] : llvm::enumerate(chosen))
      if (every != 0 && (number + 1) % every == 0)
        for (OpResult result : op->getResults())
          if (isUntraced(result))
            trace(result);
    if (chosen.empty() && (!ops.empty() || !names.empty()))
      function.emitRemark()
          << "traces nothing: "
          << (meetsTraced ? "traced already is what is called '"
                          : "no op whose value depends on an argument is "
                            "called '")
          << llvm::join(ops.empty() ? names : ops, "' or '") << '\'';
  }

private:
  /// Whether the options name `op`.
  bool isAskedFor(Operation *op) const;
  /// A name for the trace of a value of `op` that no other has.
  std::string makeName(Operation *op);
  void trace(OpResult result);

  llvm::StringSet<> taken;
};
} // namespace

bool InsertTracePass::isAskedFor(Operation *op) const {
  if (isa<TraceOp>(op))
    return false;
  StringRef name = op->getName().getStringRef();
  StringRef dialect = op->getName().getDialectNamespace();
  if (!ops.empty() && !llvm::is_contained(ops, name) &&
      !llvm::is_contained(ops, dialect))
    return false;
  return names.empty() ||
         llvm::any_of(getNames(op->getLoc()), [&](StringRef loc) {
           return llvm::is_contained(names, loc);
         });
}

std::string InsertTracePass::makeName(Operation *op) {
  SmallVector<StringRef> inLocation = getNames(op->getLoc());
  std::string stem = toIdentifier(
      inLocation.empty() ? op->getName().stripDialect() : inLocation.front());
  if (!inLocation.empty() && taken.insert(stem).second)
    return stem;
  for (unsigned number = 0;; ++number)
    if (std::string name = stem + "_" + std::to_string(number);
        taken.insert(name).second)
      return name;
}

void InsertTracePass::trace(OpResult result) {
  Operation *op = result.getOwner();
  OpBuilder builder(&getContext());
  builder.setInsertionPointAfter(op);
  auto trace = TraceOp::create(builder, op->getLoc(), makeName(op), result);
  result.replaceAllUsesExcept(trace, trace);
}
