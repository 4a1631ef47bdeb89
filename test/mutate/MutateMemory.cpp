//===- MutateMemory.cpp - Faults in vectors and memory ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::convoy::test;

/// Changes of the lists of numbers that `op` has: positions, offsets, lanes.
static void mutatePositions(Operation *op, Mutations &mutations) {
  for (NamedAttribute attribute : op->getAttrs()) {
    auto numbers = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
    if (!numbers)
      continue;
    for (size_t place = 0; place < size_t(numbers.size()); ++place)
      for (int64_t delta : {-1, 1}) {
        if (ShapedType::isDynamic(numbers[place]))
          continue;
        SmallVector<int64_t> changed(numbers.asArrayRef());
        changed[place] += delta;
        StringAttr name = attribute.getName();
        mutations.push_back(
            {"change a position",
             (name.strref() + "[" + Twine(place) + "] by " + Twine(delta))
                 .str(),
             op, [=] {
               op->setAttr(name,
                           DenseI64ArrayAttr::get(op->getContext(), changed));
             }});
      }
  }
}

/// Flags for each dimension, such as that a vector lies within memory.
static void mutateFlags(Operation *op, Mutations &mutations) {
  for (NamedAttribute attribute : op->getAttrs()) {
    auto flags = dyn_cast<ArrayAttr>(attribute.getValue());
    if (!flags || !llvm::all_of(flags, llvm::IsaPred<BoolAttr>))
      continue;
    for (size_t place = 0; place < flags.size(); ++place) {
      SmallVector<Attribute> changed(flags.getValue());
      changed[place] = BoolAttr::get(op->getContext(),
                                     !cast<BoolAttr>(flags[place]).getValue());
      StringAttr name = attribute.getName();
      mutations.push_back(
          {"change a flag", (name.strref() + "[" + Twine(place) + "]").str(),
           op, [=] {
             op->setAttr(name, ArrayAttr::get(op->getContext(), changed));
           }});
    }
  }
}

/// Other values of the same type in the place of operands: those that the ops
/// before it in its block make, and arguments of the block.
static void mutateOperands(Operation *op, Mutations &mutations) {
  constexpr unsigned MostOthers = 3;
  for (OpOperand &operand : op->getOpOperands()) {
    SmallVector<Value> others;
    auto add = [&](Value value) {
      if (others.size() < MostOthers && value != operand.get() &&
          value.getType() == operand.get().getType())
        others.push_back(value);
    };
    for (Operation *before = op->getPrevNode(); before;
         before = before->getPrevNode())
      llvm::for_each(before->getResults(), add);
    llvm::for_each(op->getBlock()->getArguments(), add);
    unsigned number = operand.getOperandNumber();
    for (Value other : others)
      mutations.push_back({"take another value",
                           "as operand " + std::to_string(number), op,
                           [=] { op->setOperand(number, other); }});
  }
}

/// Whether `op` itself does something to memory, or waits for others.
static bool touchesMemory(Operation *op) {
  return op->getNumRegions() == 0 && !op->hasTrait<OpTrait::IsTerminator>() &&
         !isMemoryEffectFree(op);
}

void mlir::convoy::test::findMemoryMutations(Operation *op,
                                             Mutations &mutations) {
  mutatePositions(op, mutations);
  mutateFlags(op, mutations);
  mutateOperands(op, mutations);
  if (!touchesMemory(op))
    return;
  if (op->getNumResults() == 0)
    mutations.push_back({"drop an effect", "", op, [=] { op->erase(); }});
  Operation *next = op->getNextNode();
  bool isApart = next && touchesMemory(next) &&
                 llvm::none_of(op->getUsers(),
                               [&](Operation *user) { return user == next; });
  if (isApart)
    mutations.push_back(
        {"exchange two effects", "", op, [=] { op->moveAfter(next); }});
}
