//===- TensorBoundary.cpp - Buffers in the place of tensors -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorBoundary.h"
#include "StandIns.h"

#include "convoy/Transforms/KernelABI/KernelInterface.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

/// Whether `value` is of `type`, or a buffer of what a tensor of `type` holds.
static bool standsFor(Value value, Type type) {
  return value.getType() == type ||
         (isa<MemRefType>(value.getType()) && getTensorType(value) == type);
}

namespace {
/// Divides results between what is returned and arguments that they are left
/// in, in order.
class ResultPlaces {
public:
  explicit ResultPlaces(TypeRange results) : results(results) {}

  /// Goes through the ways to find all of `left` and `returned` a result from
  /// `number` on.
  void find(ValueRange left, ValueRange returned, size_t number = 0) {
    if (number == results.size()) {
      if (left.empty() && returned.empty() && ++numWays == 1)
        places = current;
      return;
    }
    std::pair<size_t, size_t> state(number, left.size());
    if (ends.contains(state))
      return;
    unsigned numBefore = numWays;
    Type result = results[number];
    auto take = [&](ValueRange &values) {
      if (numWays > 1 || values.empty() || !standsFor(values.front(), result))
        return;
      llvm::SaveAndRestore<ValueRange> saved(values);
      current.push_back(values.front());
      values = values.drop_front();
      find(left, returned, number + 1);
      current.pop_back();
    };
    if (isa<RankedTensorType>(result))
      take(left);
    take(returned);
    if (numWays == numBefore)
      ends.insert(state);
  }

  /// The places, if there is one way alone.
  std::optional<SmallVector<Value>> get() const {
    return numWays == 1 ? std::optional(places) : std::nullopt;
  }

private:
  TypeRange results;
  SmallVector<Value> current, places;
  /// Numbers of results and of arguments that are left from which there is no
  /// way.
  DenseSet<std::pair<size_t, size_t>> ends;
  unsigned numWays = 0;
};
} // namespace

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
  ResultPlaces places(type.getResults());
  places.find(body.getArguments().drop_front(type.getNumInputs()),
              body.getTerminator()->getOperands());
  std::optional<SmallVector<Value>> found = places.get();
  return found ? std::optional(TensorBoundary{type, std::move(*found)})
               : std::nullopt;
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
