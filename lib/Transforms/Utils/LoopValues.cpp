//===- LoopValues.cpp - What a loop's variable runs through -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/LoopValues.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;

std::optional<LoopValues> mlir::convoy::getLoopValues(Value variable) {
  auto argument = dyn_cast<BlockArgument>(variable);
  auto loop = argument ? dyn_cast_or_null<LoopLikeOpInterface>(
                             argument.getOwner()->getParentOp())
                       : LoopLikeOpInterface();
  if (!loop)
    return std::nullopt;
  std::optional<SmallVector<Value>> variables = loop.getLoopInductionVars();
  std::optional<SmallVector<OpFoldResult>> lower = loop.getLoopLowerBounds(),
                                           upper = loop.getLoopUpperBounds(),
                                           steps = loop.getLoopSteps();
  if (!variables || !lower || !upper || !steps)
    return std::nullopt;
  const auto *it = llvm::find(*variables, variable);
  if (it == variables->end())
    return std::nullopt;
  unsigned number = it - variables->begin();
  std::optional<int64_t> first = getConstantIntValue((*lower)[number]),
                         end = getConstantIntValue((*upper)[number]),
                         step = getConstantIntValue((*steps)[number]);
  if (!first || !end || !step || *step <= 0)
    return std::nullopt;
  int64_t range;
  if (llvm::SubOverflow(*end, *first, range))
    return std::nullopt;
  int64_t count = range > 0 ? llvm::divideCeil(range, *step) : 0;
  return LoopValues{*first, *step, count};
}

/// The results of `map` that are constant where those of `operands` that are
/// `known` are.
static SmallVector<int64_t> getConstants(AffineMap map, ValueRange operands,
                                         const KnownIndices &known) {
  Builder builder(map.getContext());
  SmallVector<Attribute> values =
      llvm::map_to_vector(operands, [&](Value operand) -> Attribute {
        auto value = known.find(operand);
        return value == known.end() ? Attribute()
                                    : builder.getIndexAttr(value->second);
      });
  SmallVector<int64_t> constants;
  for (AffineExpr result : map.partialConstantFold(values).getResults())
    if (auto constant = dyn_cast<AffineConstantExpr>(result))
      constants.push_back(constant.getValue());
  return constants;
}

std::optional<int64_t> mlir::convoy::getMostOf(OpFoldResult index,
                                               const KnownIndices &known) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return constant;
  auto least = cast<Value>(index).getDefiningOp<affine::AffineMinOp>();
  if (!least)
    return std::nullopt;
  SmallVector<int64_t> constants =
      getConstants(least.getMap(), least.getOperands(), known);
  return constants.empty() ? std::nullopt
                           : std::optional(*llvm::min_element(constants));
}

std::optional<int64_t> mlir::convoy::getLeastOf(OpFoldResult index,
                                                const KnownIndices &known) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return constant;
  auto most = cast<Value>(index).getDefiningOp<affine::AffineMaxOp>();
  if (!most)
    return std::nullopt;
  SmallVector<int64_t> constants =
      getConstants(most.getMap(), most.getOperands(), known);
  return constants.empty() ? std::nullopt
                           : std::optional(*llvm::max_element(constants));
}

std::optional<uint64_t> mlir::convoy::getMostIterations(scf::ForOp loop) {
  std::optional<int64_t> first = getLeastOf(loop.getLowerBound()),
                         end = getMostOf(loop.getUpperBound()),
                         step = getConstantIntValue(loop.getStep());
  int64_t range;
  if (!first || !end || !step || *step <= 0 || loop.getUnsignedCmp() ||
      llvm::SubOverflow(*end, *first, range))
    return std::nullopt;
  return range > 0 ? llvm::divideCeil(uint64_t(range), uint64_t(*step)) : 0;
}

uint64_t mlir::convoy::countIterations(Region &region, uint64_t unknown) {
  uint64_t all = 0;
  for (Operation &op : region.getOps()) {
    uint64_t inner = 0;
    for (Region &nested : op.getRegions())
      inner = llvm::SaturatingAdd(inner, countIterations(nested, unknown));
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      uint64_t steps = getMostIterations(loop).value_or(unknown);
      inner = llvm::SaturatingAdd(llvm::SaturatingMultiply(inner, steps), steps,
                                  uint64_t(1));
    }
    all = llvm::SaturatingAdd(all, inner);
  }
  return all;
}
