//===- CompiledModule.h - Kernels compiled for a target ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_COMPILEDMODULE_H
#define CONVOY_DRIVER_COMPILEDMODULE_H

#include "convoy/Runtime/Device.h"
#include "convoy/Target/CPUModule.h"
#include "convoy/Transforms/KernelABI/KernelInterface.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace mlir::convoy {

/// Kernels compiled for one target: functions of this process, or of an image
/// that a device loads; or launches of what is in such an image, or of
/// functions of this process that a device calls for each work-item.
class CompiledModule {
public:
  /// Kernels for the CPU.
  explicit CompiledModule(CPUModule functions);
  /// Kernels of a GPU, with their launches.
  CompiledModule(std::string target, std::vector<std::byte> image,
                 SmallVector<KernelInterface> kernels);

  /// Functions of another machine, which a device emulates; of this process
  /// are only those that say how much workspace they need.
  CompiledModule(std::string target, std::vector<std::byte> image,
                 SmallVector<KernelInterface> kernels,
                 std::optional<CPUModule> sizeFunctions);

  /// Launches of functions of this process.
  CompiledModule(std::string target, CPUModule functions,
                 SmallVector<KernelInterface> kernels);

  StringRef getTarget() const { return target; }
  ArrayRef<KernelInterface> getKernels() const { return kernels; }
  /// The kernel of this name, which is there.
  const KernelInterface &getKernel(StringRef name) const;
  /// The interface of `kernel` with what users have in the place of what is
  /// packed of it.
  KernelInterface getUnpacked(const KernelInterface &kernel) const;
  /// Bytes of code, all kernels together.
  int64_t getCodeBytes() const;

  /// Whether kernels are launches, not functions.
  bool hasLaunches() const { return areLaunches; }
  /// Puts the kernels onto `device`. This outlives `module`.
  ::convoy::Status load(const ::convoy::Device &device,
                        ::convoy::Module &module) const;
  /// Bytes of workspace that `kernel` needs for its dynamic `sizes`; nothing
  /// where these contradict each other.
  std::optional<int64_t> getWorkspaceBytes(const KernelInterface &kernel,
                                           ArrayRef<int64_t> sizes) const;

private:
  std::string target;
  bool areLaunches;
  std::optional<CPUModule> functions;
  std::vector<std::byte> image;
  SmallVector<KernelInterface> kernels;
};

/// Compiled kernels on a device of their target.
class LoadedModule {
public:
  /// `compiled` and `device` outlive this.
  LoadedModule(const CompiledModule &compiled, const ::convoy::Device &device)
      : compiled(compiled), device(device) {}

  ::convoy::Status load() { return compiled.load(device, module); }

  const CompiledModule &getCompiled() const { return compiled; }
  const ::convoy::Device &getDevice() const { return device; }
  ::convoy::Status findKernel(const std::string &name,
                              ::convoy::Kernel &kernel) const {
    return module.findKernel(name, kernel);
  }

private:
  const CompiledModule &compiled;
  const ::convoy::Device &device;
  ::convoy::Module module;
};

/// One kernel of a loaded module, both of which outlive this.
struct LoadedKernel {
  const LoadedModule &module;
  const KernelInterface &interface;

  StringRef getTarget() const { return module.getCompiled().getTarget(); }
};

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_COMPILEDMODULE_H
