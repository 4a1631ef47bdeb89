//===- ShareWorkgroupVariables.cpp - Variables of kernels -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkgroupMemory.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::convoy;

/// The array that a variable of the workgroup is; null for other variables.
static spirv::ArrayType getArray(spirv::GlobalVariableOp variable) {
  if (variable.storageClass() != spirv::StorageClass::Workgroup)
    return nullptr;
  Type type = cast<spirv::PointerType>(variable.getType()).getPointeeType();
  auto members = dyn_cast<spirv::StructType>(type);
  if (!members || members.getNumElements() != 1 || members.hasOffset())
    return nullptr;
  return dyn_cast<spirv::ArrayType>(members.getElementType(0));
}

namespace {
/// A variable of one function, and where it takes its address.
struct Variable {
  spirv::GlobalVariableOp op;
  spirv::FuncOp function;
  SmallVector<spirv::AddressOfOp> addresses;
  bool isOfSeveral = false; ///< functions
  unsigned count = 0;       ///< of elements

  /// Makes this `other`, which is as large or larger.
  void become(spirv::GlobalVariableOp other) {
    for (spirv::AddressOfOp address : addresses) {
      address.setVariable(other.getSymName());
      address.getPointer().setType(other.getType());
    }
    op.erase();
  }
};
} // namespace

/// The variables that others can take the place of, in their order.
static SmallVector<Variable> findVariables(spirv::ModuleOp module) {
  llvm::MapVector<StringRef, Variable> variables;
  for (auto op : module.getOps<spirv::GlobalVariableOp>())
    if (getArray(op))
      variables[op.getSymName()].op = op;
  module.walk([&](spirv::AddressOfOp address) {
    auto found = variables.find(address.getVariable());
    if (found == variables.end())
      return;
    Variable &variable = found->second;
    auto function = address->getParentOfType<spirv::FuncOp>();
    variable.isOfSeveral |= variable.function && variable.function != function;
    variable.function = function;
    variable.addresses.push_back(address);
    variable.isOfSeveral |=
        !llvm::all_of(address->getUsers(), [](Operation *user) {
          return isa<spirv::AccessChainOp>(user);
        });
  });
  SmallVector<Variable> result;
  for (auto &[name, variable] : variables)
    if (variable.function && !variable.isOfSeveral) {
      variable.count = getArray(variable.op).getNumElements();
      result.push_back(std::move(variable));
    }
  return result;
}

void mlir::convoy::shareWorkgroupVariables(spirv::ModuleOp module) {
  // A function that another one calls runs in kernels of that one's memory.
  if (module.walk([](spirv::FunctionCallOp) { return WalkResult::interrupt(); })
          .wasInterrupted())
    return;
  SmallVector<Variable> variables = findVariables(module);
  llvm::stable_sort(variables, [](const Variable &a, const Variable &b) {
    return a.count > b.count;
  });
  /// By type and by how many variables of the type the function has before it.
  llvm::MapVector<std::pair<Type, unsigned>, spirv::GlobalVariableOp> slots;
  llvm::MapVector<std::pair<Type, Operation *>, unsigned> counts;
  for (Variable &variable : variables) {
    Type element = getArray(variable.op).getElementType();
    unsigned slot = counts[{element, variable.function}]++;
    auto [place, isNew] = slots.insert({{element, slot}, variable.op});
    if (!isNew)
      variable.become(place->second);
  }
}

/// The bytes of `type`, of which memory is made.
static int64_t getBytes(Type type) {
  if (auto array = dyn_cast<spirv::ArrayType>(type))
    return array.getNumElements() * getBytes(array.getElementType());
  if (auto members = dyn_cast<spirv::StructType>(type)) {
    int64_t bytes = 0;
    for (Type member : members.getElementTypes())
      bytes += getBytes(member);
    return bytes;
  }
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * getBytes(vector.getElementType());
  return type.isIntOrFloat() ? llvm::divideCeil(type.getIntOrFloatBitWidth(), 8)
                             : 0;
}

LogicalResult mlir::convoy::checkWorkgroupVariables(spirv::ModuleOp module,
                                                    VulkanProfileAttr profile) {
  int64_t bytes = 0;
  for (auto variable : module.getOps<spirv::GlobalVariableOp>())
    if (variable.storageClass() == spirv::StorageClass::Workgroup)
      bytes += getBytes(
          cast<spirv::PointerType>(variable.getType()).getPointeeType());
  int64_t limit = profile.getLimits().workgroupBytes;
  if (bytes > limit)
    return module.emitError()
           << "the kernels cannot run with profile " << profile.getProfileName()
           << ": together they have " << bytes
           << " bytes of workgroup memory, but up to " << limit
           << " are possible"
           << (llvm::hasSingleElement(module.getOps<spirv::EntryPointOp>())
                   ? ""
                   : "; compile fewer of them to one module");
  return success();
}
