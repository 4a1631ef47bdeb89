//===- RunKernel.h - Runs a kernel between guards ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_DRIVER_RUNKERNEL_H
#define CONVOY_DRIVER_RUNKERNEL_H

#include "convoy/Driver/CompiledModule.h"
#include "convoy/Runtime/HostArray.h"
#include "convoy/Support/ExitCode.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::convoy {

/// What one kernel did.
struct KernelOutcome {
  /// The results, in the order of the kernel's written arguments.
  std::vector<::convoy::HostArray> results;
  /// What went wrong, each a sentence: a guard that was touched, an error
  /// returned, elements that were not written.
  std::vector<std::string> faults;
  /// Why the kernel could not be run at all, or its device failed; else empty.
  std::string error;
  /// What tools end with where there is an error.
  ::convoy::ExitCode errorCode = ::convoy::ExitCode::BadInput;
  double seconds = 0; ///< of the shortest run, as the device counts them
  /// What the kernel promises.
  ::convoy::TargetArithmetic arithmetic;
};

/// The type of elements in memory, or nothing for types that no tool can read.
/// Integers are signed unless `isUnsigned`, which matters for i8 only.
std::optional<::convoy::ScalarType> getScalarType(Type type,
                                                  bool isUnsigned = false);

/// How the first result of `kernel` is summed, as far as that is known.
std::vector<::convoy::SumLevel> getSumLevels(const KernelInterface &kernel);

/// How many results of each spatial dimension `kernel` computes together by
/// Winograd's algorithm; empty where it does not.
std::vector<int64_t> getWinogradTile(const KernelInterface &kernel);

/// Whether `kernel` computes any result by it.
bool usesWinograd(const KernelInterface &kernel);

/// A kernel with its buffers, ready to run any number of times. Every buffer
/// lies between guard zones.
class KernelRun {
public:
  /// `kernel` and `arguments` outlive this. Of the arguments that are written
  /// only type and shape count. Of a kernel that is launches there may be
  /// several `copies` of all that it reads and writes, which runs go through in
  /// turn.
  KernelRun(const LoadedKernel &kernel,
            const std::vector<::convoy::HostArray> &arguments,
            size_t copies = 1)
      : kernel(kernel), arguments(arguments), copies(copies) {}

  /// Makes the buffers and fills those that are read.
  ::convoy::Status prepare();
  /// Poisons what the kernel writes, workspace included.
  ::convoy::Status poison();
  /// Runs the kernel once, on the first copy.
  ::convoy::Status launch();
  /// Runs the kernel `count` times, on the next copies, in as few submissions
  /// as the device takes; the seconds that they took there.
  ::convoy::Status launch(int64_t count, double &seconds);
  /// Seconds that the last run took on the device.
  ::convoy::Status getSeconds(double &seconds) const {
    return kernel.module.getDevice().seconds(seconds);
  }
  /// What all that the kernel runs promises.
  ::convoy::Status getArithmetic(::convoy::TargetArithmetic &arithmetic) const;

  int64_t getWorkspaceBytes() const { return workspaceBytes; }
  size_t getCopies() const { return copies; }
  ::convoy::Status readResults(std::vector<::convoy::HostArray> &results,
                               size_t copy = 0);
  /// Adds a sentence for each guard zone that was written to.
  void findTouchedGuards(std::vector<std::string> &faults);

private:
  /// Finds out how many images there are, where the kernel is launches that
  /// depend on that.
  ::convoy::Status findBatch();
  ::convoy::Status findWorkspaceBytes();
  ::convoy::Status createBuffers();
  /// What the kernel takes for its packed `argument`, made by that kernel's
  /// packer of `original`.
  ::convoy::Status pack(const KernelArgument &argument,
                        const ::convoy::HostArray &original,
                        ::convoy::HostArray &packed);
  ::convoy::Status findSteps();
  /// Makes a buffer that has all copies of `size` bytes.
  ::convoy::Status createBuffer(size_t size, ::convoy::Buffer &buffer) const;
  const ::convoy::Buffer &getBuffer(const KernelBinding &binding) const;
  /// Bytes between the copies of what `binding` is a part of.
  size_t getStride(const KernelBinding &binding) const;
  /// Makes a step of `launch` on copy number `copy`, which runs `step`.
  void fillStep(const KernelLaunch &launch, const std::array<int64_t, 3> &grid,
                size_t copy, convoy_step &step);
  /// Appends a step for each launch on copy number `copy`.
  ::convoy::Status addLaunches(size_t copy);

  const LoadedKernel &kernel;
  const std::vector<::convoy::HostArray> &arguments;
  size_t copies;
  size_t nextCopy = 0;
  std::vector<::convoy::Buffer> buffers, constants;
  ::convoy::Buffer workspace;
  std::vector<size_t> bufferBytes; ///< of one copy
  int64_t workspaceBytes = 0;
  std::vector<int64_t> sizes;
  std::vector<std::string> packingFaults;
  int64_t batch = 0; ///< that all sizes are, where there are launches
  /// What is launched, copy by copy, and what each launch points to.
  std::vector<convoy_step> steps;
  std::vector<std::vector<convoy_buffer *>> pointers;
  std::vector<std::vector<convoy_range>> ranges;
  /// Type that the workspace is poisoned with: that of a result.
  ::convoy::ScalarType poisonType = ::convoy::ScalarType::F32;
};

/// Runs `kernel` at least once and at most `runs` times. `arguments` has one
/// array for each of its arguments, in order; of those that are written only
/// type and shape count. Results, workspace and the CPU's vector registers are
/// poisoned before each run, and every buffer lies between guard zones.
KernelOutcome runKernel(const LoadedKernel &kernel,
                        const std::vector<::convoy::HostArray> &arguments,
                        int runs);

/// Adds a fault for each floating-point result that still holds poison.
void findUnwritten(KernelOutcome &outcome);

} // namespace mlir::convoy

#endif // CONVOY_DRIVER_RUNKERNEL_H
