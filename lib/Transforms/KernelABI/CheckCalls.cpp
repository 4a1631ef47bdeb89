//===- CheckCalls.cpp - Refuse calls of unknown code ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/KernelABI/Passes.h"

#include "mlir/Analysis/CallGraph.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SCCIterator.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_CHECKCALLSPASS
#include "convoy/Transforms/KernelABI/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;

/// Fails, with an error, where `op` would call what is not in the module.
static LogicalResult check(Operation *op) {
  if (isa<cf::AssertOp>(op))
    return op->emitOpError("asserts, but a kernel has nobody to tell");
  if (isa<memref::AllocOp, memref::ReallocOp>(op))
    return op->emitOpError("allocates, but a kernel has its workspace alone");
  auto call = dyn_cast<CallOpInterface>(op);
  if (!call)
    return success();
  auto callee = dyn_cast_or_null<FunctionOpInterface>(call.resolveCallable());
  if (!callee)
    return op->emitOpError("calls what is not known when compiling");
  if (callee.isExternal())
    return op->emitOpError()
           << "calls '" << callee.getName() << "', which has no body";
  return success();
}

/// Fails, with an error, where functions in `root` call themselves, or each
/// other in a circle: no kernel could end.
static LogicalResult checkEnds(Operation *root) {
  const CallGraph graph(root);
  for (auto scc = llvm::scc_begin(&graph); !scc.isAtEnd(); ++scc)
    if (scc.hasCycle())
      return (*scc).front()->getCallableRegion()->getParentOp()->emitOpError(
          "calls itself, so that no kernel of it would end");
  return success();
}

namespace {
struct CheckCallsPass final
    : mlir::convoy::impl::CheckCallsPassBase<CheckCallsPass> {
  using Base::Base;

  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](Operation *op) {
      return failed(check(op)) ? WalkResult::interrupt()
                               : WalkResult::advance();
    });
    if (result.wasInterrupted() || failed(checkEnds(getOperation())))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
