//===- DeviceLibrary.cpp - ROCm's functions for kernels ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceLibrary.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/TargetParser/TargetParser.h"

#include <cstdlib>

using namespace mlir;
using namespace mlir::convoy;

/// Names the folder of the library's bitcode.
static constexpr const char *kFolderVariable = "CONVOY_ROCM_DEVICE_LIBRARY";
/// Where Debian and AMD install it.
static constexpr StringRef kFolders[] = {
    "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode", "/opt/rocm/amdgcn/bitcode"};
static constexpr StringRef kPrefix = "__ocml_";

/// The functions of the library that `kernels` call.
static SmallVector<LLVM::LLVMFuncOp> findCalled(gpu::GPUModuleOp kernels) {
  return llvm::filter_to_vector(
      kernels.getOps<LLVM::LLVMFuncOp>(), [](LLVM::LLVMFuncOp function) {
        return function.isExternal() && function.getName().starts_with(kPrefix);
      });
}

/// The folder that the variable names; empty where it names none.
static StringRef getNamedFolder() {
  const char *folder = std::getenv(kFolderVariable);
  return folder ? folder : "";
}

/// The library's file, or nothing.
static std::optional<std::string> findLibrary() {
  auto folders = llvm::to_vector(ArrayRef<StringRef>(kFolders));
  if (StringRef folder = getNamedFolder(); !folder.empty())
    folders = {folder};
  for (StringRef folder : folders) {
    SmallString<128> path(folder);
    llvm::sys::path::append(path, "ocml.bc");
    if (llvm::sys::fs::exists(path))
      return path.str().str();
  }
  return std::nullopt;
}

/// Defines what the library's functions ask for of the chip and of precision,
/// so that they become what this chip needs. (Its own definitions are files for
/// each value, and lack chips that are newer.)
static void defineOptions(llvm::Module &module,
                          const ::convoy::RocmChip &chip) {
  llvm::AMDGPU::IsaVersion isa =
      llvm::AMDGPU::getIsaVersion(StringRef(chip.name));
  const std::pair<StringRef, unsigned> options[] = {
      {"__oclc_ISA_version", isa.Major * 1000 + isa.Minor * 100 + isa.Stepping},
      {"__oclc_correctly_rounded_sqrt32", 1},
      {"__oclc_daz_opt", 0},
      {"__oclc_finite_only_opt", 0},
      {"__oclc_unsafe_math_opt", 0},
      {"__oclc_wavefrontsize64", chip.wave == 64}};
  for (auto [name, value] : options) {
    llvm::GlobalVariable *option = module.getNamedGlobal(name);
    if (!option || !option->isDeclaration())
      continue;
    option->setInitializer(
        llvm::ConstantInt::get(option->getValueType(), value));
    option->setLinkage(llvm::GlobalValue::InternalLinkage);
  }
}

/// Reports at `function` that there is no library.
static LogicalResult reportMissing(LLVM::LLVMFuncOp function) {
  InFlightDiagnostic error = function.emitError()
                             << "'" << function.getName()
                             << "' of ROCm's device library is needed, but "
                                "there is no ocml.bc in ";
  if (StringRef folder = getNamedFolder(); !folder.empty())
    return error << "'" << folder << "', which " << kFolderVariable << " names";
  return error << llvm::join(ArrayRef<StringRef>(kFolders), " or ")
               << ": install rocm-device-libs, or set " << kFolderVariable
               << " to its folder";
}

LogicalResult mlir::convoy::linkDeviceLibrary(gpu::GPUModuleOp kernels,
                                              llvm::Module &module,
                                              const ::convoy::RocmChip &chip) {
  SmallVector<LLVM::LLVMFuncOp> called = findCalled(kernels);
  if (called.empty())
    return success();
  std::optional<std::string> path = findLibrary();
  if (!path)
    return reportMissing(called.front());
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> library =
      llvm::parseIRFile(*path, problem, module.getContext());
  if (!library)
    return called.front().emitError()
           << "cannot read '" << *path << "': " << problem.getMessage();
  defineOptions(*library, chip);
  library->setDataLayout(module.getDataLayout());
  library->setTargetTriple(module.getTargetTriple());
  auto internalize = [](llvm::Module &linked, const llvm::StringSet<> &names) {
    for (StringRef name : names.keys()) {
      llvm::GlobalValue *value = linked.getNamedValue(name);
      value->setVisibility(llvm::GlobalValue::DefaultVisibility);
      value->setLinkage(llvm::GlobalValue::InternalLinkage);
    }
  };
  if (llvm::Linker::linkModules(module, std::move(library),
                                llvm::Linker::LinkOnlyNeeded, internalize))
    return called.front().emitError() << "cannot link '" << *path << "'";
  for (LLVM::LLVMFuncOp function : called)
    if (module.getFunction(function.getName())->isDeclaration())
      return function.emitError() << "'" << *path << "' has no function '"
                                  << function.getName() << "'";
  return success();
}
