//===- TensorBoundary.cpp - Buffers in the place of tensors -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorBoundary.h"
#include "StandIns.h"

#include "convoy/Transforms/KernelABI/KernelInterface.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

/// Whether `value` is of `type`, or a buffer of what a tensor of `type` holds.
static bool standsFor(Value value, Type type) {
  return value.getType() == type ||
         (isa<MemRefType>(value.getType()) && getTensorType(value) == type);
}

std::optional<TensorBoundary> TensorBoundary::find(FunctionOpInterface function,
                                                   FunctionType type) {
  bool isOwn = !type || function.getFunctionType() == type ||
               function->hasAttr(kArgumentsAttrName);
  auto isBuffer = llvm::IsaPred<BaseMemRefType>;
  if (isOwn || !isa<FunctionType>(function.getFunctionType()) ||
      llvm::any_of(type.getInputs(), isBuffer) ||
      llvm::any_of(type.getResults(), isBuffer))
    return std::nullopt;
  Block &body = function.getFunctionBody().front();
  if (body.getNumArguments() < type.getNumInputs())
    return std::nullopt;
  for (auto [argument, input] :
       llvm::zip(body.getArguments(), type.getInputs()))
    if (!standsFor(argument, input))
      return std::nullopt;
  TensorBoundary boundary{type, {}};
  ValueRange left = body.getArguments().drop_front(type.getNumInputs());
  ValueRange returned = body.getTerminator()->getOperands();
  bool areLeft = !left.empty();
  for (Type result : type.getResults()) {
    bool isLeft = areLeft && isa<RankedTensorType>(result);
    ValueRange &values = isLeft ? left : returned;
    if (values.empty() || !standsFor(values.front(), result))
      return std::nullopt;
    boundary.results.push_back(values.front());
    values = values.drop_front();
  }
  bool areAll = left.empty() && returned.empty();
  return areAll ? std::optional(std::move(boundary)) : std::nullopt;
}

void TensorBoundary::restore(FunctionOpInterface function) const {
  SmallVector<DictionaryAttr> attributes;
  for (unsigned number = 0; number < type.getNumInputs(); ++number)
    attributes.push_back(function.getArgAttrDict(number));
  bool hasOtherResults = function.getNumResults() != type.getNumResults();
  function.setType(type);
  function.setAllArgAttrs(attributes);
  if (hasOtherResults)
    function.setAllResultAttrs(
        SmallVector<DictionaryAttr>(type.getNumResults()));
}
