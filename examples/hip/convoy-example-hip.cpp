//===- convoy-example-hip.cpp - Run compiled convolutions by HIP ----------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs convolutions that convoy-compile made, with HIP alone: no compiler and no
// runtime of Convoy's, and compares their numbers with those of a plain loop:
//
//   convoy-compile mb1_ic5ih9iw7_oc6oh7ow5_kh3kw3ph0pw0 --target=rocm
//       --chip=gfx942 -o conv.hsaco --manifest conv.json
//   convoy-example-hip conv.hsaco conv.json [DEVICE [BATCH]]
//
// A kernel takes a pointer for each binding of its launch, to bytes of an
// argument or of the workspace, then the batch if it depends on that. BATCH is
// for convolutions that were compiled for any (1 by default). Which
// convolutions it takes is in Tensor.h.
//
//===----------------------------------------------------------------------===//

#include "Tensor.h"

#include "convoy/Support/Sha256.h"

#define __HIP_PLATFORM_AMD__
#include <hip/hip_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>

//===----------------------------------------------------------------------===//
// HIP
//===----------------------------------------------------------------------===//

namespace {
/// A call of HIP that has failed.
struct Failure : std::runtime_error {
  Failure(const std::string &call, hipError_t error)
      : std::runtime_error(call + ": " + hipGetErrorName(error)),
        isNoDevice(error == hipErrorNoDevice ||
                   error == hipErrorInvalidDevice) {}

  bool isNoDevice;
};
} // namespace

#define CHECK(CALL, ...)                                                       \
  do {                                                                         \
    if (hipError_t error = CALL(__VA_ARGS__); error != hipSuccess)             \
      throw Failure(#CALL, error);                                             \
  } while (false)

/// Owns an object of HIP; the second argument releases it.
template <typename Object>
using Owner = std::unique_ptr<Object, hipError_t (*)(Object *)>;

using Memory = Owner<void>;
using Stream = Owner<ihipStream_t>;
using Event = Owner<ihipEvent_t>;
using Module = Owner<ihipModule_t>;

static Memory allocate(size_t bytes) {
  void *memory = nullptr;
  if (bytes > 0) // a kernel may need no workspace
    CHECK(hipMalloc, &memory, bytes);
  return {memory, hipFree};
}

static Stream createStream() {
  hipStream_t stream = nullptr;
  CHECK(hipStreamCreateWithFlags, &stream, hipStreamNonBlocking);
  return {stream, hipStreamDestroy};
}

static Event createEvent() {
  hipEvent_t event = nullptr;
  CHECK(hipEventCreate, &event);
  return {event, hipEventDestroy};
}

/// Loads the file `path`, which has this SHA-256.
static Module loadModule(const std::string &path, const std::string &sha256) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> image{std::istreambuf_iterator<char>(file), {}};
  // HIP believes what it is given.
  if (std::string(image.begin(), image.begin() + std::min<size_t>(
                                                     4, image.size())) !=
      "\x7f"
      "ELF")
    throw std::runtime_error("'" + path + "' is no code object");
  if (convoy::sha256(std::as_bytes(std::span(image))) != sha256)
    throw std::runtime_error("'" + path +
                             "' is not the file that the manifest was written "
                             "with: its SHA-256 is another one");
  hipModule_t module = nullptr;
  CHECK(hipModuleLoadData, &module, image.data());
  return {module, hipModuleUnload};
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// Puts `launch` onto `stream`. `arguments` and `workspace` are where its
/// bindings are.
static void enqueue(const Launch &launch, const Module &module,
                    const std::vector<Memory> &arguments,
                    const Memory &workspace, int32_t batch,
                    const Stream &stream) {
  hipFunction_t function = nullptr;
  CHECK(hipModuleGetFunction, &function, module.get(), launch.symbol.c_str());
  std::vector<char *> pointers;
  for (const Binding &binding : launch.bindings) {
    const Memory &memory =
        binding.argument ? arguments[*binding.argument] : workspace;
    pointers.push_back(static_cast<char *>(memory.get()) + binding.offset);
  }
  // HIP copies the arguments from where these point to.
  std::vector<void *> parameters;
  for (char *&pointer : pointers)
    parameters.push_back(&pointer);
  if (launch.takesBatch)
    parameters.push_back(&batch);
  CHECK(hipModuleLaunchKernel, function, launch.grid[0], launch.grid[1],
        launch.grid[2], launch.workgroup[0], launch.workgroup[1],
        launch.workgroup[2], /*sharedMemBytes=*/0, stream.get(),
        parameters.data(), /*extra=*/nullptr);
}

/// Runs `entry` and prints how it went; whether all numbers are right.
static bool run(const Module &module, const Entry &entry, size_t batch) {
  Stream stream = createStream();
  Event start = createEvent(), stop = createEvent();
  std::vector<Tensor> tensors = makeTensors(entry);
  std::vector<Memory> arguments;
  for (const Tensor &tensor : tensors) {
    const Memory &memory = arguments.emplace_back(allocate(tensor.bytes()));
    if (!tensor.argument.isWritten)
      CHECK(hipMemcpyAsync, memory.get(), tensor.values.data(), tensor.bytes(),
            hipMemcpyHostToDevice, stream.get());
  }
  Memory workspace = allocate(entry.workspaceBytes);
  CHECK(hipEventRecord, start.get(), stream.get());
  for (const Launch &launch : entry.launches)
    enqueue(launch, module, arguments, workspace, int32_t(batch), stream);
  CHECK(hipEventRecord, stop.get(), stream.get());
  Tensor &output = tensors.back();
  CHECK(hipMemcpyAsync, output.values.data(), arguments.back().get(),
        output.bytes(), hipMemcpyDeviceToHost, stream.get());
  CHECK(hipStreamSynchronize, stream.get());
  float milliseconds = 0;
  CHECK(hipEventElapsedTime, &milliseconds, start.get(), stop.get());
  return judge(entry, tensors, 1e-3 * milliseconds);
}

/// Runs all kernels of the code object `binary`; whether all numbers are right.
static bool runAll(const char *binary, const char *manifest, int device,
                   size_t batch) {
  Manifest described = readManifest(manifest, "rocm", batch);
  CHECK(hipSetDevice, device);
  Module module = loadModule(binary, described.sha256);
  bool isRight = true;
  for (const Entry &entry : described.entries)
    isRight &= run(module, entry, batch);
  return isRight;
}

int main(int argc, char **argv) {
  auto fail = [](const char *text, int code) {
    std::fprintf(stderr, "convoy-example-hip: %s\n", text);
    return code;
  };
  if (argc < 3 || argc > 5)
    return fail("expected FILE.hsaco MANIFEST [DEVICE [BATCH]]", 1);
  try {
    int device = argc > 3 ? std::atoi(argv[3]) : 0;
    size_t batch = readBatch(argc > 4 ? argv[4] : "1");
    bool isRight = runAll(argv[1], argv[2], device, batch);
    if (std::fflush(stdout) != 0)
      return fail("cannot write standard output", 1);
    return isRight ? 0 : 2;
  } catch (const Failure &failure) {
    return fail(failure.what(), failure.isNoDevice ? 3 : 1);
  } catch (const std::exception &error) {
    return fail(error.what(), 1);
  }
}
