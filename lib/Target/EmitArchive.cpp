//===- EmitArchive.cpp - From LLVM IR to static archives --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Target/EmitArchive.h"

#include "convoy/Target/EmitObject.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace mlir;
using namespace mlir::convoy;

/// `global`, a function or what is called before all of them, and all that it
/// needs and that has no symbol: constants and private functions.
static llvm::SetVector<const llvm::Constant *>
collectParts(const llvm::GlobalObject &global) {
  llvm::SetVector<const llvm::Constant *> parts;
  auto addOperands = [&](const llvm::User &user) {
    for (const llvm::Use &use : user.operands()) {
      auto *constant = dyn_cast<llvm::Constant>(use.get());
      auto *symbol = dyn_cast_or_null<llvm::GlobalValue>(constant);
      if (constant && (!symbol || symbol->hasLocalLinkage()))
        parts.insert(constant);
    }
  };
  parts.insert(&global);
  for (size_t next = 0; next < parts.size(); ++next) {
    addOperands(*parts[next]);
    if (auto *code = dyn_cast<llvm::Function>(parts[next]))
      for (const llvm::Instruction &instruction : llvm::instructions(code))
        addOperands(instruction);
  }
  return parts;
}

FailureOr<std::string>
mlir::convoy::emitArchive(const llvm::Module &module,
                          llvm::TargetMachine &machine,
                          function_ref<InFlightDiagnostic()> emitError) {
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> objects;
  std::vector<llvm::NewArchiveMember> members;
  for (const llvm::Function &function : module) {
    if (function.isDeclaration() || function.hasLocalLinkage())
      continue;
    llvm::SetVector<const llvm::Constant *> parts = collectParts(function);
    if (const llvm::GlobalVariable *constructors =
            module.getNamedGlobal("llvm.global_ctors"))
      parts.insert_range(collectParts(*constructors));
    llvm::ValueToValueMapTy map;
    std::unique_ptr<llvm::Module> part =
        llvm::CloneModule(module, map, [&](const llvm::GlobalValue *value) {
          return parts.contains(value);
        });
    SmallVector<char, 0> bytes;
    llvm::raw_svector_ostream os(bytes);
    if (failed(emitMachineCode(
            *part, machine, llvm::CodeGenFileType::ObjectFile, os, emitError)))
      return failure();
    objects.push_back(std::make_unique<llvm::SmallVectorMemoryBuffer>(
        std::move(bytes), (function.getName() + ".o").str(),
        /*RequiresNullTerminator=*/false));
    members.emplace_back(objects.back()->getMemBufferRef());
  }
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> archive =
      llvm::writeArchiveToBuffer(members, llvm::SymtabWritingMode::NormalSymtab,
                                 llvm::object::Archive::getDefaultKindForTriple(
                                     machine.getTargetTriple()),
                                 /*Deterministic=*/true, /*Thin=*/false);
  if (!archive)
    return emitError() << "could not write an archive: "
                       << llvm::toString(archive.takeError());
  return (*archive)->getBuffer().str();
}
