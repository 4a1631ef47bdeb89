//===- MeasureSums.cpp - Count the roundings of results ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"
#include "convoy/Dialect/Convoy/IR/WinogradTile.h"
#include "convoy/Transforms/KernelABI/KernelInterface.h"
#include "convoy/Transforms/KernelABI/Passes.h"
#include "convoy/Transforms/Utils/IndependentLoops.h"
#include "convoy/Transforms/Utils/SumDepth.h"
#include "convoy/Transforms/Utils/WordProducts.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_MEASURESUMSPASS
#include "convoy/Transforms/KernelABI/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

/// The roundings of `value`, or null where they are not known.
static DictionaryAttr getSums(const SumDepth &depth, Value value) {
  std::optional<Roundings> roundings = depth.getRoundings(value);
  if (!roundings || !roundings->haveBounds() ||
      !isa<FloatType>(getElementTypeOrSelf(value.getType())))
    return {};
  return roundings->toAttribute(value.getContext());
}

/// The tensor that is written to `buffer`, an argument; null where that is not
/// one.
static Value findWritten(BlockArgument buffer) {
  Value written;
  for (Operation *user : buffer.getUsers()) {
    auto write = dyn_cast<bufferization::MaterializeInDestinationOp>(user);
    if (!write || write.getDest() != buffer)
      continue;
    if (written)
      return {};
    written = write.getSource();
  }
  return written;
}

/// Checks that terms of a kernel's result are rounded to no type below f32 that
/// those of the function that it was made of are not.
static LogicalResult verifyTypes(func::FuncOp function,
                                 const KernelArgument &argument,
                                 DictionaryAttr sums) {
  for (StringRef type : {"f16", "bf16"})
    if (sums.contains(type) && !argument.sums.contains(type))
      return function.emitOpError()
             << "expected no terms of '" << argument.name
             << "' to be rounded to " << type << ", but got "
             << cast<IntegerAttr>(sums.get(type)).getInt() << " roundings";
  return success();
}

/// Checks the loops that are marked as independent: users write such marks,
/// too.
static LogicalResult verifyMarks(func::FuncOp function) {
  auto verify = [](scf::ForOp loop) {
    return loop->hasAttr(kIndependentAttrName) &&
                   failed(verifyIndependent(loop))
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  return failure(function.walk(verify).wasInterrupted());
}

/// What an entry of `convoy.sums` says of the instructions that `function` is
/// made for: those for words of bf16 take subnormal numbers for zeros, and some
/// round to odd.
static SmallVector<StringRef> getRoundingNames(func::FuncOp function) {
  WordParts parts;
  function.walk([&](Operation *op) {
    std::optional<WordSum> words = matchWordSum(op);
    if (!words)
      words = matchMatrixSum(op);
    if (!words || !words->parts.type.isBF16())
      return WalkResult::advance();
    parts = words->parts;
    return WalkResult::interrupt();
  });
  if (!parts.type)
    return {};
  TargetAttr target = TargetAttr::lookup(function);
  const ::convoy::CPUDotInstruction *instruction =
      findDotInstruction(parts, target, target.getVectorBytes());
  SmallVector<StringRef> names = {kFlushesName};
  if (instruction && instruction->roundsToOdd)
    names.push_back(kRoundsToOddName);
  return names;
}

namespace {
struct MeasureSumsPass final
    : mlir::convoy::impl::MeasureSumsPassBase<MeasureSumsPass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isPrivate() || !function.getBody().hasOneBlock())
      return;
    if (failed(verifyMarks(function)))
      return signalPassFailure();
    SumDepth depth(function.front());
    if (!function->hasAttr(kArgumentsAttrName))
      return measureResults(depth);
    if (failed(measureArguments(depth)))
      return signalPassFailure();
    function.walk(
        [](scf::ForOp loop) { loop->removeAttr(kIndependentAttrName); });
  }

private:
  void measureResults(const SumDepth &depth) {
    func::FuncOp function = getOperation();
    Operation *terminator = function.front().getTerminator();
    for (auto [number, result] : llvm::enumerate(terminator->getOperands()))
      if (DictionaryAttr sums = getSums(depth, result))
        function.setResultAttr(number, kSumsAttrName, sums);
      else // What is known no more.
        function.removeResultAttr(
            number, StringAttr::get(&getContext(), kSumsAttrName));
  }

  LogicalResult measureArguments(const SumDepth &depth) {
    func::FuncOp function = getOperation();
    SmallVector<StringRef> names = getRoundingNames(function);
    SmallVector<KernelArgument> arguments = getKernelArguments(
        function->getAttrOfType<ArrayAttr>(kArgumentsAttrName));
    for (auto [argument, buffer] :
         llvm::zip(arguments, function.getArguments())) {
      Value written = argument.isWritten ? findWritten(buffer) : Value();
      DictionaryAttr sums =
          written ? getSums(depth, written) : DictionaryAttr();
      if (sums && argument.sums &&
          failed(verifyTypes(function, argument, sums)))
        return failure();
      // Its transforms are no longer known as such.
      ArrayRef<int64_t> tile = getWinogradTile(argument.sums);
      argument.sums = sums || !tile.empty()
                          ? setWinogradTile(&getContext(), sums, tile)
                          : sums;
      if (names.empty() || !argument.isWritten)
        continue;
      NamedAttrList entries(argument.sums);
      for (StringRef name : names)
        entries.set(name, UnitAttr::get(&getContext()));
      argument.sums = entries.getDictionary(&getContext());
    }
    function->setAttr(kArgumentsAttrName,
                      toAttribute(&getContext(), arguments));
    return success();
  }
};
} // namespace
