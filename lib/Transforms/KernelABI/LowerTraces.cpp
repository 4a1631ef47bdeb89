//===- LowerTraces.cpp - Traced values as results ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"
#include "convoy/Transforms/KernelABI/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_LOWERTRACESPASS
#include "convoy/Transforms/KernelABI/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

namespace {
struct LowerTracesPass final
    : mlir::convoy::impl::LowerTracesPassBase<LowerTracesPass> {
  using Base::Base;

  void runOnOperation() override {
    llvm::MapVector<func::FuncOp, SmallVector<TraceOp>> traces;
    WalkResult walked = getOperation().walk([&](TraceOp trace) {
      auto function = dyn_cast<func::FuncOp>(trace->getParentOp());
      if (function && function.getBody().hasOneBlock()) {
        traces[function].push_back(trace);
        return WalkResult::advance();
      }
      trace.emitOpError("expected a trace in the only block of a function");
      return WalkResult::interrupt();
    });
    if (walked.wasInterrupted())
      return signalPassFailure();
    if (traces.empty())
      return markAllAnalysesPreserved();
    for (auto &[function, ofFunction] : traces) {
      if (failed(checkFunction(function, ofFunction.front())) ||
          failed(checkNames(function, ofFunction)))
        return signalPassFailure();
      addResults(function, ofFunction);
    }
  }

private:
  /// Checks that what `function` returns goes to a caller outside alone.
  LogicalResult checkFunction(func::FuncOp function, TraceOp trace);
  /// Checks that names differ from each other and from those of results.
  static LogicalResult checkNames(func::FuncOp function,
                                  ArrayRef<TraceOp> traces);
  /// Puts results of `function` in the place of `traces`.
  static void addResults(func::FuncOp function, ArrayRef<TraceOp> traces);
};
} // namespace

LogicalResult LowerTracesPass::checkFunction(func::FuncOp function,
                                             TraceOp trace) {
  if (function.isPublic() &&
      SymbolTable::symbolKnownUseEmpty(function, getOperation()))
    return success();
  return trace.emitOpError() << "expected a trace in a public function that "
                                "nothing calls, but got one in '"
                             << function.getSymName() << "'";
}

LogicalResult LowerTracesPass::checkNames(func::FuncOp function,
                                          ArrayRef<TraceOp> traces) {
  llvm::StringMap<Location> places;
  for (unsigned result = 0; result < function.getNumResults(); ++result)
    if (auto name =
            function.getResultAttrOfType<StringAttr>(result, kNameAttrName))
      places.try_emplace(name, function.getLoc());
  for (TraceOp trace : traces) {
    auto [place, isNew] = places.try_emplace(trace.getName(), trace.getLoc());
    if (isNew)
      continue;
    InFlightDiagnostic error = trace.emitOpError()
                               << "expected a name that no other trace or "
                                  "result has, but got "
                               << trace.getNameAttr();
    error.attachNote(place->second) << "the first of that name is here";
    return error;
  }
  return success();
}

void LowerTracesPass::addResults(func::FuncOp function,
                                 ArrayRef<TraceOp> traces) {
  Operation *terminator = function.front().getTerminator();
  Builder builder(function);
  SmallVector<Type> types(function.getResultTypes());
  SmallVector<Attribute> attributes;
  if (ArrayAttr known = function.getAllResultAttrs())
    attributes.append(known.begin(), known.end());
  attributes.resize(types.size(), builder.getDictionaryAttr({}));
  for (TraceOp trace : traces) {
    types.push_back(trace.getType());
    attributes.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr(kNameAttrName, trace.getNameAttr()),
         builder.getNamedAttr(kTracedAttrName, builder.getUnitAttr())}));
    terminator->insertOperands(terminator->getNumOperands(), trace.getValue());
    trace.replaceAllUsesWith(trace.getValue());
    trace.erase();
  }
  function.setType(builder.getFunctionType(function.getArgumentTypes(), types));
  function.setAllResultAttrs(attributes);
}
