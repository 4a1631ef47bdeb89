//===- Results.cpp - What a function gives its caller -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Results.h"
#include "BufferUse.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/KernelABI/KernelInterface.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

/// The name under which result `number` of `function` is traced, or nothing.
static std::string getTraceOfResult(FunctionOpInterface function,
                                    unsigned number) {
  DictionaryAttr attributes = function.getResultAttrDict(number);
  if (!attributes || !attributes.contains(kTracedAttrName))
    return "";
  auto name = attributes.getAs<StringAttr>(kNameAttrName);
  return name ? name.str() : "";
}

/// The names under which the buffers among the arguments of `function` are
/// traced; empty for those that are not.
static SmallVector<std::string>
getTracesOfBuffers(FunctionOpInterface function) {
  SmallVector<std::string> traces(function.getNumArguments());
  if (auto known = function->getAttrOfType<ArrayAttr>(kArgumentsAttrName))
    for (auto [trace, argument] : llvm::zip(traces, getKernelArguments(known)))
      if (argument.isTraced)
        trace = argument.name;
  return traces;
}

FailureOr<FunctionResults> certify::findResults(FunctionOpInterface function,
                                                FirstObstacle &obstacle) {
  Block &body = function.getFunctionBody().front();
  FunctionResults results;
  for (OpOperand &returned : body.getTerminator()->getOpOperands())
    results.push_back(
        {returned.get(),
         {},
         getTraceOfResult(function, returned.getOperandNumber())});
  for (auto [argument, trace] :
       llvm::zip_equal(function.getArguments(), getTracesOfBuffers(function))) {
    if (!isa<BaseMemRefType>(argument.getType()))
      continue;
    FailureOr<BufferUse> use = BufferUse::find(argument, obstacle);
    if (failed(use))
      return failure();
    if (!use->written)
      return obstacle.undecided(function, "a buffer that is not written");
    results.push_back({use->written, argument, trace});
  }
  for (auto trace : body.getOps<TraceOp>())
    results.push_back({trace.getResult(), {}, trace.getName().str()});
  return results;
}

std::optional<SmallVector<std::pair<FunctionResult, FunctionResult>, 0>>
certify::pairResults(const FunctionResults &before,
                     const FunctionResults &after) {
  SmallVector<std::pair<FunctionResult, FunctionResult>, 0> pairs;
  auto isOwn = [](const FunctionResult &result) {
    return result.trace.empty();
  };
  if (llvm::count_if(before, isOwn) != llvm::count_if(after, isOwn))
    return std::nullopt;
  for (auto [first, second] :
       llvm::zip_equal(llvm::make_filter_range(before, isOwn),
                       llvm::make_filter_range(after, isOwn)))
    pairs.emplace_back(first, second);
  for (const FunctionResult &first : before)
    for (const FunctionResult &second : after)
      if (!isOwn(first) && first.trace == second.trace)
        pairs.emplace_back(first, second);
  if (llvm::any_of(pairs, [](const auto &pair) {
        return pair.first.value.getType() != pair.second.value.getType();
      }))
    return std::nullopt;
  return pairs;
}
