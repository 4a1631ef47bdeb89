//===- PackConstants.cpp - What kernels take packed -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackConstants.h"

#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "convoy/Target/CPUModule.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::convoy;

/// The functions `names` of `module`, with all that they need.
static OwningOpRef<ModuleOp> copyFunctions(ModuleOp module,
                                           ArrayRef<std::string> names) {
  SymbolTable symbols(module);
  llvm::SetVector<Operation *> needed;
  for (const std::string &name : names)
    needed.insert(symbols.lookup(name));
  OwningOpRef<ModuleOp> copy = ModuleOp::create(module.getLoc());
  for (size_t next = 0; next < needed.size(); ++next) {
    std::optional<SymbolTable::UseRange> uses =
        SymbolTable::getSymbolUses(needed[next]);
    for (SymbolTable::SymbolUse use : *uses)
      needed.insert(symbols.lookup(use.getSymbolRef().getRootReference()));
    copy->push_back(needed[next]->clone());
  }
  return copy;
}

/// What the kernel `name`, which packs one argument, makes of `bytes`.
static AsmResourceBlob pack(const CPUModule &functions, StringRef name,
                            ArrayRef<char> bytes) {
  const KernelInterface &kernel =
      *llvm::find_if(functions.getKernels(), [&](const KernelInterface &one) {
        return one.name == name;
      });
  auto type = cast<RankedTensorType>(kernel.arguments.back().type);
  int64_t size = type.getNumElements() * getElementBytes(type.getElementType());
  AsmResourceBlob packed =
      HeapAsmResourceBlob::allocate(size, kWorkspaceAlignment);
  AsmResourceBlob workspace = HeapAsmResourceBlob::allocate(
      kernel.workspaceBytes.value_or(0), kWorkspaceAlignment);
  auto *function = reinterpret_cast<int (*)(const char *, char *, char *)>(
      functions.lookup(name));
  // What it leaves out is the same in every file.
  llvm::fill(packed.getMutableData(), 0);
  [[maybe_unused]] int code =
      function(bytes.data(), packed.getMutableData().data(),
               workspace.getMutableData().data());
  assert(code == kKernelOk && "the pointers are aligned, the sizes static");
  return packed;
}

FailureOr<std::vector<AsmResourceBlob>>
mlir::convoy::packConstants(ModuleOp module,
                            ArrayRef<PackedConstant> constants) {
  SmallVector<std::string> packers;
  for (const PackedConstant &constant : constants)
    if (!constant.packer.empty() &&
        !llvm::is_contained(packers, constant.packer))
      packers.push_back(constant.packer);
  std::optional<CPUModule> functions;
  if (!packers.empty()) {
    OwningOpRef<ModuleOp> packing = copyFunctions(module, packers);
    FailureOr<CPUModule> loaded =
        CPUModule::load(*packing, {kHostCPU.str()}, /*optLevel=*/1);
    if (failed(loaded))
      return failure();
    functions.emplace(std::move(*loaded));
  }
  std::vector<AsmResourceBlob> blobs;
  for (const PackedConstant &constant : constants) {
    std::vector<char> bytes =
        getConstantBytes(constant.elements).value_or(std::vector<char>());
    blobs.push_back(constant.packer.empty()
                        ? HeapAsmResourceBlob::allocateAndCopyWithAlign(
                              bytes, kWorkspaceAlignment)
                        : pack(*functions, constant.packer, bytes));
  }
  return blobs;
}
