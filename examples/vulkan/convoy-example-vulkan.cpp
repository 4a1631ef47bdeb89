//===- convoy-example-vulkan.cpp - Run compiled convolutions --------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs convolutions that convoy-compile made, with Convoy's runtime and no
// compiler, and compares their numbers with those of a plain loop:
//
//   convoy-compile mb1_ic5ih9iw7_oc6oh7ow5_kh3kw3ph0pw0 --target=vulkan
//       -o conv.spv --manifest conv.json
//   convoy-example-vulkan conv.spv conv.json [DEVICE [BATCH]]
//
// The manifest says all that a program must know: shapes, types and layouts of
// the arguments, the workspace, and what is to be launched on which bytes. BATCH
// is for convolutions that were compiled for any (1 by default). Which
// convolutions it takes is in Tensor.h.
//
//===----------------------------------------------------------------------===//

#include "Tensor.h"

#include "convoy/Runtime/Device.h"

#include <cstdio>
#include <stdexcept>

using namespace convoy;

namespace {
/// A call of the runtime that has failed.
struct Failure : std::runtime_error {
  explicit Failure(const Status &status)
      : std::runtime_error(status.text), code(status.code) {}

  int code;
};
} // namespace

static void check(const Status &status) {
  if (!status.ok())
    throw Failure(status);
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// Launches all that `entry` asks for, on `buffers` and a workspace.
static void launch(const Device &device, const Module &module,
                   const Entry &entry, int64_t batch,
                   const std::vector<Buffer> &buffers) {
  Buffer workspace;
  check(device.createBuffer(entry.workspaceBytes, workspace));
  size_t count = entry.launches.size();
  std::vector<convoy_step> steps(count);
  std::vector<std::vector<convoy_buffer *>> operands(count);
  std::vector<std::vector<convoy_range>> ranges(count);
  for (size_t number = 0; number < count; ++number) {
    const Launch &launch = entry.launches[number];
    Kernel kernel;
    check(module.findKernel(launch.symbol, kernel));
    for (const Binding &binding : launch.bindings) {
      operands[number].push_back(
          (binding.argument ? buffers[*binding.argument] : workspace).get());
      ranges[number].push_back({binding.offset, binding.bytes});
    }
    convoy_launch &step = steps[number].launch;
    steps[number].kernel = kernel.get();
    step.buffers = operands[number].data();
    step.buffer_count = operands[number].size();
    step.ranges = ranges[number].data();
    step.sizes = &batch;
    step.size_count = launch.takesBatch ? 1 : 0;
    step.most_groups = launch.mostGroups;
    for (size_t dim = 0; dim < 3; ++dim) {
      step.grid[dim] = launch.grid[dim];
      step.block[dim] = launch.workgroup[dim];
    }
  }
  check(device.run(steps));
  for (const Buffer &buffer : buffers)
    check(buffer.check());
  check(workspace.check());
}

/// Runs `entry` and prints how it went; whether all numbers are right.
static bool run(const Device &device, const Module &module,
                const Entry &entry, size_t batch) {
  std::vector<Tensor> tensors = makeTensors(entry);
  std::vector<Buffer> buffers(tensors.size());
  for (size_t number = 0; number < tensors.size(); ++number) {
    const Tensor &tensor = tensors[number];
    check(device.createBuffer(tensor.bytes(), buffers[number]));
    if (!tensor.argument.isWritten)
      check(buffers[number].write(std::as_bytes(std::span(tensor.values))));
  }
  launch(device, module, entry, int64_t(batch), buffers);
  double seconds = 0;
  check(device.seconds(seconds));
  Tensor &output = tensors.back();
  check(buffers.back().read(std::as_writable_bytes(std::span(output.values))));
  return judge(entry, tensors, seconds);
}

/// Runs all kernels of the module `binary`; whether all numbers are right.
static bool runAll(const char *binary, const char *manifest,
                   const char *deviceName, size_t batch) {
  Device device;
  Module module;
  check(Device::open(deviceName, device));
  Manifest described = readManifest(manifest, "vulkan", batch);
  check(device.loadFile(binary, described.sha256, module));
  bool isRight = true;
  for (const Entry &entry : described.entries)
    isRight &= run(device, module, entry, batch);
  return isRight;
}

int main(int argc, char **argv) {
  auto fail = [](const char *text, int code) {
    std::fprintf(stderr, "convoy-example-vulkan: %s\n", text);
    return code;
  };
  if (argc < 3 || argc > 5)
    return fail("expected FILE.spv MANIFEST [DEVICE [BATCH]]", CONVOY_INVALID);
  try {
    bool isRight = runAll(argv[1], argv[2], argc > 3 ? argv[3] : "vulkan",
                          readBatch(argc > 4 ? argv[4] : "1"));
    if (std::fflush(stdout) != 0)
      return fail("cannot write standard output", CONVOY_INVALID);
    return isRight ? CONVOY_OK : CONVOY_WRONG;
  } catch (const Failure &failure) {
    return fail(failure.what(), failure.code);
  } catch (const std::exception &error) {
    return fail(error.what(), CONVOY_INVALID);
  }
}
