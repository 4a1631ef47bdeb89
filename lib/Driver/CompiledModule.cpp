//===- CompiledModule.cpp - Kernels compiled for a target -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/CompiledModule.h"

#include "llvm/ADT/STLExtras.h"

#include <utility>

using namespace mlir;
using namespace mlir::convoy;
using namespace ::convoy;

CompiledModule::CompiledModule(CPUModule functions)
    : target("cpu"), areLaunches(false), functions(std::move(functions)),
      kernels(this->functions->getKernels()) {}

CompiledModule::CompiledModule(std::string target, std::vector<std::byte> image,
                               SmallVector<KernelInterface> kernels)
    : target(std::move(target)), areLaunches(true), image(std::move(image)),
      kernels(std::move(kernels)) {}

CompiledModule::CompiledModule(std::string target, std::vector<std::byte> image,
                               SmallVector<KernelInterface> kernels,
                               std::optional<CPUModule> sizeFunctions)
    : target(std::move(target)), areLaunches(false),
      functions(std::move(sizeFunctions)), image(std::move(image)),
      kernels(std::move(kernels)) {}

CompiledModule::CompiledModule(std::string target, CPUModule functions,
                               SmallVector<KernelInterface> kernels)
    : target(std::move(target)), areLaunches(true),
      functions(std::move(functions)), kernels(std::move(kernels)) {}

const KernelInterface &CompiledModule::getKernel(StringRef name) const {
  auto found = llvm::find_if(kernels, [&](const KernelInterface &kernel) {
    return kernel.name == name;
  });
  assert(found != kernels.end() && "the module has no kernel of this name");
  return *found;
}

KernelInterface
CompiledModule::getUnpacked(const KernelInterface &kernel) const {
  KernelInterface unpacked = kernel;
  for (KernelArgument &argument : unpacked.arguments)
    if (!argument.packer.empty())
      argument = getKernel(argument.packer).arguments.front();
  return unpacked;
}

int64_t CompiledModule::getCodeBytes() const {
  return image.empty() ? functions->getCodeBytes() : int64_t(image.size());
}

Status CompiledModule::load(const Device &device, Module &module) const {
  if (!image.empty())
    return device.loadImage(image, module);
  std::vector<std::string> names;
  for (const KernelInterface &kernel : kernels) {
    if (!areLaunches)
      names.push_back(kernel.name);
    for (const KernelLaunch &launch : kernel.launches)
      llvm::append_values(names, launch.kernel, launch.kernel + ".layout");
  }
  std::vector<convoy_function> entries;
  for (const std::string &name : names)
    entries.push_back({name.c_str(), functions->lookup(name)});
  return device.fromFunctions(entries, module);
}

/// Calls a function of as many sizes as `sizes` has.
template <size_t... I>
static int64_t callWithSizes(void *function, ArrayRef<int64_t> sizes,
                             std::index_sequence<I...>) {
  constexpr size_t MaxSizes = 24;
  if constexpr (sizeof...(I) < MaxSizes)
    if (sizes.size() > sizeof...(I))
      return callWithSizes(function, sizes,
                           std::make_index_sequence<sizeof...(I) + 1>());
  auto callee =
      reinterpret_cast<int64_t (*)(decltype(int64_t(I))...)>(function);
  return callee(sizes[I]...);
}

std::optional<int64_t>
CompiledModule::getWorkspaceBytes(const KernelInterface &kernel,
                                  ArrayRef<int64_t> sizes) const {
  void *function = nullptr;
  if (functions && !kernel.workspaceBytes)
    function = functions->lookup(kernel.getSizeFunctionName());
  if (!function)
    return kernel.workspaceBytes;
  int64_t bytes = callWithSizes(function, sizes, std::index_sequence<>());
  if (bytes < 0)
    return std::nullopt;
  return bytes;
}
