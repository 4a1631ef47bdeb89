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
//   convoy-example-vulkan conv.spv conv.json [DEVICE]
//
// The manifest says all that a program must know: shapes, types and layouts of
// the arguments, the workspace, and what is to be launched on which bytes. It
// takes forward convolutions in f32, 2-D and without groups, of stride 1 and
// without padding, in any layout.
//
//===----------------------------------------------------------------------===//

#include "Manifest.h"
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
// Tensors
//===----------------------------------------------------------------------===//

namespace {
/// An argument with its values.
struct Tensor {
  const Argument &argument;
  std::vector<float> values;

  explicit Tensor(const Argument &argument) : argument(argument) {
    if (argument.type != "f32" || argument.layout.size() != 4)
      throw std::runtime_error("expected f32 in 2-D, but got " + argument.type +
                               " in layout " + argument.layout + " for '" +
                               argument.name + "'");
    size_t count = 1;
    for (size_t size : argument.shape)
      count *= size;
    values.resize(count);
  }

  size_t size(char letter) const {
    size_t place = argument.layout.find(letter);
    if (place == std::string::npos)
      throw std::runtime_error("'" + argument.name + "' has no dimension " +
                               letter);
    return argument.shape[place];
  }

  /// The element at `first` along the first of `letters`, and so on.
  float &at(const char *letters, std::array<size_t, 4> position) {
    size_t offset = 0;
    for (size_t dim = 0; dim < 4; ++dim) {
      size_t number = std::string(letters).find(argument.layout[dim]);
      offset = offset * argument.shape[dim] + position.at(number);
    }
    return values[offset];
  }
};
} // namespace

/// Small integers, so that the sums are exact in any order.
static void fill(Tensor &tensor, unsigned seed) {
  for (float &value : tensor.values) {
    seed = seed * 1664525u + 1013904223u;
    value = float(int(seed >> 24) % 9 - 4);
  }
}

/// The element of the output at these positions, by its definition.
static float convolve(Tensor &input, Tensor &filter, size_t n, size_t f,
                      size_t oh, size_t ow) {
  float sum = 0;
  for (size_t c = 0; c < filter.size('c'); ++c)
    for (size_t kh = 0; kh < filter.size('h'); ++kh)
      for (size_t kw = 0; kw < filter.size('w'); ++kw)
        sum += input.at("nchw", {n, c, oh + kh, ow + kw}) *
               filter.at("fchw", {f, c, kh, kw});
  return sum;
}

/// The number of elements of `output` that differ from their definition.
static size_t countWrong(Tensor &input, Tensor &filter, Tensor &output) {
  for (char letter : {'h', 'w'})
    if (input.size(letter) != output.size(letter) + filter.size(letter) - 1)
      throw std::runtime_error("expected stride 1 and no padding");
  size_t wrong = 0;
  for (size_t n = 0; n < output.size('n'); ++n)
    for (size_t f = 0; f < output.size('f'); ++f)
      for (size_t oh = 0; oh < output.size('h'); ++oh)
        for (size_t ow = 0; ow < output.size('w'); ++ow)
          wrong += output.at("nfhw", {n, f, oh, ow}) !=
                   convolve(input, filter, n, f, oh, ow);
  return wrong;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// Launches all that `entry` asks for, on `buffers` and a workspace.
static void launch(const Device &device, const Module &module,
                   const Entry &entry, const std::vector<Buffer> &buffers) {
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
                const Entry &entry) {
  std::vector<Tensor> tensors;
  std::vector<Buffer> buffers(entry.arguments.size());
  for (const Argument &argument : entry.arguments) {
    Tensor &tensor = tensors.emplace_back(argument);
    Buffer &buffer = buffers[tensors.size() - 1];
    check(device.createBuffer(tensor.values.size() * sizeof(float), buffer));
    if (argument.isWritten)
      continue;
    fill(tensor, unsigned(tensors.size()));
    check(buffer.write(std::as_bytes(std::span(tensor.values))));
  }
  if (tensors.size() != 3 || !tensors[2].argument.isWritten)
    throw std::runtime_error("expected input, filter and output of '" +
                             entry.name + "'");
  launch(device, module, entry, buffers);
  double seconds = 0;
  check(device.seconds(seconds));
  check(buffers[2].read(std::as_writable_bytes(std::span(tensors[2].values))));
  size_t wrong = countWrong(tensors[0], tensors[1], tensors[2]);
  std::printf("%s: %zu launches, %.3f ms, %zu of %zu elements wrong\n",
              entry.name.c_str(), entry.launches.size(), 1e3 * seconds, wrong,
              tensors[2].values.size());
  return wrong == 0;
}

/// Runs all kernels of the module `binary`; whether all numbers are right.
static bool runAll(const char *binary, const char *manifest,
                   const char *deviceName) {
  Device device;
  Module module;
  check(Device::open(deviceName, device));
  check(device.loadFile(binary, module));
  bool isRight = true;
  for (const Entry &entry : readManifest(manifest))
    isRight &= run(device, module, entry);
  return isRight;
}

int main(int argc, char **argv) {
  auto fail = [](const char *text, int code) {
    std::fprintf(stderr, "convoy-example-vulkan: %s\n", text);
    return code;
  };
  if (argc < 3 || argc > 4)
    return fail("expected FILE.spv MANIFEST [DEVICE]", CONVOY_INVALID);
  try {
    bool isRight = runAll(argv[1], argv[2], argc > 3 ? argv[3] : "vulkan");
    return isRight ? CONVOY_OK : CONVOY_WRONG;
  } catch (const Failure &failure) {
    return fail(failure.what(), failure.code);
  } catch (const std::exception &error) {
    return fail(error.what(), CONVOY_INVALID);
  }
}
