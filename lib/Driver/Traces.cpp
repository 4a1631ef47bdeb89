//===- Traces.cpp - Values that tools record --------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/Traces.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/KernelABI/Passes.h"
#include "convoy/Transforms/TensorOps/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::convoy;

static bool hasTraces(ModuleOp module) {
  return module.walk([](TraceOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Erases the traces of `module` but `names`, each of which is there.
static LogicalResult keepTraces(ModuleOp module, ArrayRef<std::string> names) {
  llvm::SetVector<StringRef> known;
  SmallVector<TraceOp> others;
  module.walk([&](TraceOp trace) {
    known.insert(trace.getName());
    if (!llvm::is_contained(names, trace.getName()))
      others.push_back(trace);
  });
  for (StringRef name : names)
    if (!known.contains(name))
      return emitError(UnknownLoc::get(module.getContext()))
             << "expected one of " << llvm::join(known, ", ")
             << " as the name of a trace, but got '" << name << "'";
  for (TraceOp trace : others) {
    trace.replaceAllUsesWith(trace.getValue());
    trace.erase();
  }
  return success();
}

LogicalResult mlir::convoy::chooseTraces(
    ModuleOp module, ArrayRef<std::string> names,
    const std::function<LogicalResult(PassManager &)> &configure) {
  if (names.empty() && !hasTraces(module))
    return success();
  PassManager pm(module.getContext());
  if (configure && failed(configure(pm)))
    return failure();
  pm.addPass(createInlinerPass());
  pm.addPass(createSymbolDCEPass());
  if (!names.empty())
    pm.addNestedPass<func::FuncOp>(createInsertTracePass());
  if (failed(pm.run(module)))
    return failure();
  if (names.empty() || llvm::is_contained(names, kAllTraces))
    return success();
  return keepTraces(module, names);
}

LogicalResult mlir::convoy::lowerTraces(
    ModuleOp module,
    const std::function<LogicalResult(PassManager &)> &configure) {
  if (!hasTraces(module))
    return success();
  PassManager pm(module.getContext());
  if (configure && failed(configure(pm)))
    return failure();
  pm.addPass(createLowerTracesPass());
  return pm.run(module);
}
