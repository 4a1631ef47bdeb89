//===- Kernels.cpp - Kernels of the stand-in for HIP ----------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A code object cannot be executed. What it was made of can: the last stage of
// its lowering that still launches its kernels.
//
//===----------------------------------------------------------------------===//

#include "StandIn.h"

#include "convoy/Driver/Import.h"
#include "convoy/Target/EmitHsaco.h"
#include "convoy/Target/EmitInterface.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace convoy;
using namespace convoy::standin;
using namespace mlir;
using namespace mlir::convoy;

/// Whether the stage with `text` launches all of `kernels` on `chip`.
static bool launches(StringRef text, StringRef chip,
                     ArrayRef<KernelResources> kernels) {
  if (!text.contains(("convoy.rocm_chip = \"" + chip + "\"").str()))
    return false;
  return llvm::all_of(kernels, [&](const KernelResources &kernel) {
    return text.contains("convoy.launch @kernels::@" + kernel.symbol + " ");
  });
}

/// The last stage in the folder that launches all of `kernels` on `chip`, or an
/// empty text. Files are named by how the names of their kernels begin.
static std::string findStage(StringRef chip,
                             ArrayRef<KernelResources> kernels) {
  std::string folder = ::convoy::standin::readVariable("KERNELS", ".");
  std::string last;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator file(folder, error), end;
       file != end && !error; file.increment(error)) {
    StringRef path = file->path(), name = llvm::sys::path::filename(path);
    if (!name.ends_with(".mlir") || path.str() <= last ||
        !StringRef(kernels.front().symbol).starts_with(name.split('.').first))
      continue;
    auto text = llvm::MemoryBuffer::getFile(path);
    if (text && launches((*text)->getBuffer(), chip, kernels))
      last = path.str();
  }
  return last;
}

/// Whether `kernels`, those of a stage, are those of a code object.
static bool areSame(ArrayRef<KernelInterface> kernels,
                    ArrayRef<KernelResources> resources) {
  size_t count = 0;
  for (const KernelInterface &kernel : kernels)
    for (const KernelLaunch &launch : kernel.launches) {
      auto found = llvm::find_if(resources, [&](const auto &entry) {
        return entry.symbol == launch.kernel;
      });
      int64_t items =
          launch.workgroup[0] * launch.workgroup[1] * launch.workgroup[2];
      if (found == resources.end() || found->workgroupItems != items ||
          found->argumentBytes <
              int64_t(launch.bindings.size() * sizeof(void *) +
                      (launch.takesBatch ? sizeof(int32_t) : 0)))
        return false;
      ++count;
    }
  return count == resources.size();
}

std::string Kernels::fill(StringRef object, const ::convoy::Device &device) {
  FirstErrorHandler errors(&context);
  OwningOpRef<ModuleOp> empty = ModuleOp::create(UnknownLoc::get(&context));
  FailureOr<std::vector<KernelResources>> resources =
      readResources(*empty, object);
  if (failed(resources) || resources->empty())
    return "a code object has no kernels";
  std::string path = findStage(device.rocmChip()->name, *resources);
  if (path.empty())
    return ""; // Nothing of it can be run.
  OwningOpRef<ModuleOp> module = readModule(&context, path);
  if (!module)
    return errors.getError();
  SmallVector<KernelInterface> kernels = getKernelInterfaces(*module);
  if (!areSame(kernels, *resources))
    return "a code object is not made of the kernels in " + path;
  CompileOptions options;
  options.optLevel = 1;
  FailureOr<CompiledModule> made =
      compileForSimulator(*module, std::move(kernels), options);
  if (failed(made))
    return errors.getError();
  compiled.emplace(std::move(*made));
  for (const KernelInterface &kernel : compiled->getKernels())
    for (const KernelLaunch &launch : kernel.launches)
      arguments[launch.kernel] = {launch.bindings.size(),
                                  launch.takesBatch ? 1u : 0u};
  return compiled->load(device, this->module).text;
}

std::unique_ptr<Kernels> Kernels::load(StringRef object,
                                       const ::convoy::Device &device) {
  auto kernels = std::make_unique<Kernels>();
  std::string error = kernels->fill(object, device);
  if (error.empty())
    return kernels;
  (void)::convoy::standin::refuse(error, hipErrorInvalidImage);
  return nullptr;
}

bool Kernels::find(const std::string &name, Arguments &itsArguments,
                   ::convoy::Kernel &kernel) const {
  auto found = arguments.find(name);
  if (found == arguments.end()) {
    (void)::convoy::standin::refuse("no stage launches the kernel " + name,
                                    hipErrorNotFound);
    return false;
  }
  itsArguments = found->second;
  return this->module.findKernel(name, kernel).ok();
}
