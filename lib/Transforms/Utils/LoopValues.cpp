//===- LoopValues.cpp - What a loop's variable runs through -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/LoopValues.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
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
