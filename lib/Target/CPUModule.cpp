//===- CPUModule.cpp - Kernels in memory, ready to be called ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Target/CPUModule.h"

#include "ObjectCache.h"
#include "OpenMPRuntime.h"

#include "convoy/Target/CPUTarget.h"
#include "convoy/Target/EmitInterface.h"
#include "convoy/Target/EmitObject.h"

#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::convoy;

CPUModule::CPUModule(std::unique_ptr<llvm::orc::LLJIT> jit,
                     SmallVector<KernelInterface> kernels, int64_t codeBytes)
    : jit(std::move(jit)), kernels(std::move(kernels)), codeBytes(codeBytes) {}
CPUModule::CPUModule(CPUModule &&) = default;
CPUModule &CPUModule::operator=(CPUModule &&) = default;
CPUModule::~CPUModule() = default;

/// Bytes of machine code in an object.
static int64_t countCode(const llvm::object::ObjectFile &object) {
  int64_t count = 0;
  for (const llvm::object::SectionRef &section : object.sections())
    if (section.isText())
      count += section.getSize();
  return count;
}

/// Lets objects in `jit` call `functions`.
static llvm::Error define(llvm::orc::LLJIT &jit,
                          ArrayRef<HostFunction> functions) {
  llvm::orc::SymbolMap symbols;
  for (const HostFunction &function : functions)
    symbols[jit.mangleAndIntern(function.name)] = {
        llvm::orc::ExecutorAddr::fromPtr(function.address),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  return jit.getMainJITDylib().define(
      llvm::orc::absoluteSymbols(std::move(symbols)));
}

/// Loads `object` into this process, with the library that its threads need and
/// the functions that it calls.
static llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>>
link(const llvm::object::ObjectFile &object,
     std::unique_ptr<llvm::MemoryBuffer> bytes,
     ArrayRef<HostFunction> functions) {
  llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>> jit =
      llvm::orc::LLJITBuilder().create();
  if (!jit)
    return jit;
  if (callsOpenMP(object))
    if (llvm::Error error = addOpenMP(**jit))
      return error;
  if (llvm::Error error = define(**jit, functions))
    return error;
  if (llvm::Error error = (*jit)->addObjectFile(std::move(bytes)))
    return error;
  return jit;
}

/// The object of `module`, which is made only where there is none from before.
static FailureOr<std::unique_ptr<llvm::MemoryBuffer>>
makeObject(ModuleOp module, llvm::TargetMachine &machine, unsigned optLevel) {
  llvm::LLVMContext context;
  FailureOr<std::unique_ptr<llvm::Module>> translated =
      translateFor(module, context, machine);
  if (failed(translated))
    return failure();
  std::optional<ObjectCache> cache = ObjectCache::fromEnvironment();
  std::string key;
  if (cache) {
    key = ObjectCache::getKey(**translated, machine, optLevel);
    if (std::unique_ptr<llvm::MemoryBuffer> known = cache->find(key))
      return known;
  }
  if (failed(optimizeFor(**translated, machine, optLevel)))
    return module.emitError("interrupted");
  SmallVector<char, 0> object;
  llvm::raw_svector_ostream os(object);
  if (failed(emitMachineCode(**translated, machine,
                             llvm::CodeGenFileType::ObjectFile, os,
                             [&] { return module.emitError(); })))
    return failure();
  if (cache)
    cache->add(key, StringRef(object.data(), object.size()));
  return std::unique_ptr<llvm::MemoryBuffer>(
      std::make_unique<llvm::SmallVectorMemoryBuffer>(std::move(object),
                                                      "convoy", false));
}

FailureOr<CPUModule> CPUModule::load(ModuleOp module, const CPUChoice &cpu,
                                     unsigned optLevel,
                                     ArrayRef<HostFunction> functions) {
  auto emitError = [&] { return module.emitError(); };
  FailureOr<std::unique_ptr<llvm::TargetMachine>> machine =
      createCPUTargetMachine(cpu, emitError);
  if (failed(machine))
    return failure();
  if (std::string other = findOtherMachine(cpu); !other.empty())
    return emitError() << "expected kernels for this machine to run, but got "
                          "some for "
                       << other;
  (*machine)->setOptLevel(
      static_cast<llvm::CodeGenOptLevel>(std::min<unsigned>(optLevel, 3)));
  SmallVector<KernelInterface> kernels = getKernelInterfaces(module);
  FailureOr<std::unique_ptr<llvm::MemoryBuffer>> bytes =
      makeObject(module, **machine, optLevel);
  if (failed(bytes))
    return failure();
  return loadObject(std::move(*bytes), std::move(kernels), emitError,
                    functions);
}

FailureOr<CPUModule>
CPUModule::loadObject(std::unique_ptr<llvm::MemoryBuffer> bytes,
                      SmallVector<KernelInterface> kernels,
                      function_ref<InFlightDiagnostic()> emitError,
                      ArrayRef<HostFunction> functions) {
  auto report = [&](llvm::Error error) {
    return emitError() << "could not load the object: "
                       << llvm::toString(std::move(error));
  };
  llvm::Expected<std::unique_ptr<llvm::object::ObjectFile>> file =
      llvm::object::ObjectFile::createObjectFile(bytes->getMemBufferRef());
  if (!file)
    return report(file.takeError());
  int64_t codeBytes = countCode(**file);
  llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>> jit =
      link(**file, std::move(bytes), functions);
  if (!jit)
    return report(jit.takeError());
  return CPUModule(std::move(*jit), std::move(kernels), codeBytes);
}

void *CPUModule::lookup(StringRef name) const {
  llvm::Expected<llvm::orc::ExecutorAddr> address = jit->lookup(name);
  if (!address) {
    llvm::consumeError(address.takeError());
    return nullptr;
  }
  return address->toPtr<void *>();
}
