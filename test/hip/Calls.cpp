//===- Calls.cpp - Functions of the stand-in for HIP ----------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What HIP's headers declare; a wrong signature does not compile.
//
//===----------------------------------------------------------------------===//

#include "StandIn.h"

#include "convoy/Support/RocmChip.h"

#include "llvm/BinaryFormat/ELF.h"

#include <cstring>

using namespace convoy;
using namespace convoy::standin;

/// Leaves a function that fails, or is to fail.
#define CONVOY_TRY(...)                                                        \
  if (hipError_t error = __VA_ARGS__; error != hipSuccess)                     \
  return error

/// Objects that were made and are not yet released, for the log.
static int liveObjects = 0;

template <typename Object>
static void make(Object **result, Object *object) {
  *result = object;
  ++liveObjects;
}

template <typename Object>
static void destroy(Object *object) {
  delete object;
  log("objects left: " + std::to_string(--liveObjects));
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

hipError_t hipInit(unsigned int) {
  CONVOY_TRY(enter("hipInit"));
  return getDevices().empty() ? hipErrorNoDevice : hipSuccess;
}

hipError_t hipRuntimeGetVersion(int *version) {
  CONVOY_TRY(enter("hipRuntimeGetVersion"));
  *version = std::stoi(readVariable("VERSION", "60200000"));
  return hipSuccess;
}

hipError_t hipGetDeviceCount(int *count) {
  CONVOY_TRY(enter("hipGetDeviceCount"));
  *count = int(getDevices().size());
  return *count ? hipSuccess : hipErrorNoDevice;
}

hipError_t hipGetDeviceProperties(hipDeviceProp_t *properties, int number) {
  return describeDevice(*properties, "hipGetDeviceProperties", number);
}

hipError_t hipSetDevice(int number) {
  if (!setCurrentDevice(number))
    return hipErrorInvalidDevice;
  return enter("hipSetDevice", std::to_string(number));
}

hipError_t hipDeviceReset(void) {
  getCurrentDevice().lost = hipSuccess;
  return enter("hipDeviceReset");
}

const char *hipGetErrorName(hipError_t error) { return getName(error); }

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

/// Whether `stream` is one of the calling thread's device.
static bool isHere(hipStream_t stream) {
  return stream && &stream->device == &getCurrentDevice();
}

hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned int) {
  CONVOY_TRY(enter("hipStreamCreateWithFlags"));
  make(stream, new ihipStream_t{getCurrentDevice(), {}});
  return hipSuccess;
}

hipError_t hipStreamSynchronize(hipStream_t stream) {
  CONVOY_TRY(enter("hipStreamSynchronize"));
  return isHere(stream) ? stream->run() : hipErrorInvalidHandle;
}

hipError_t hipStreamDestroy(hipStream_t stream) {
  destroy(stream);
  return enter("hipStreamDestroy");
}

hipError_t hipEventCreate(hipEvent_t *event) {
  CONVOY_TRY(enter("hipEventCreate"));
  make(event, new ihipEvent_t);
  return hipSuccess;
}

hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  CONVOY_TRY(enter("hipEventRecord"));
  if (!isHere(stream))
    return hipErrorInvalidHandle;
  event->isRecorded = true;
  event->hasHappened = false;
  stream->waiting.push_back([event] {
    event->time = std::chrono::steady_clock::now();
    event->hasHappened = true;
    return hipSuccess;
  });
  return hipSuccess;
}

hipError_t hipEventElapsedTime(float *milliseconds, hipEvent_t start,
                               hipEvent_t stop) {
  CONVOY_TRY(enter("hipEventElapsedTime"));
  if (!start->isRecorded || !stop->isRecorded)
    return hipErrorInvalidHandle;
  if (!start->hasHappened || !stop->hasHappened)
    return hipErrorNotReady;
  std::chrono::duration<float, std::milli> time = stop->time - start->time;
  *milliseconds = time.count();
  return hipSuccess;
}

hipError_t hipEventDestroy(hipEvent_t event) {
  destroy(event);
  return enter("hipEventDestroy");
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

hipError_t hipMalloc(void **pointer, size_t size) {
  CONVOY_TRY(enter("hipMalloc", std::to_string(size)));
  void *address = getCurrentDevice().allocate(size);
  if (!address)
    return hipErrorOutOfMemory;
  *pointer = address;
  ++liveObjects;
  return hipSuccess;
}

hipError_t hipFree(void *pointer) {
  for (StandInDevice &device : getDevices())
    if (device.release(pointer)) {
      log("objects left: " + std::to_string(--liveObjects));
      return enter("hipFree");
    }
  return refuse("hipFree of what was not allocated",
                hipErrorInvalidDevicePointer);
}

/// The `size` bytes at `address` of the calling thread's device; no buffer
/// where it has no such bytes.
static Place findBytes(const void *address, size_t size) {
  Place place = getCurrentDevice().find(address);
  return place.size < size ? Place() : place;
}

/// Reads bytes of a device or, where `isHost`, of the host.
static std::vector<std::byte> readBytes(const void *source, size_t size,
                                        bool isHost) {
  std::vector<std::byte> bytes(size);
  if (isHost)
    std::memcpy(bytes.data(), source, size);
  else if (Place place = findBytes(source, size); place.buffer)
    (void)place.buffer->read(bytes, place.offset);
  return bytes;
}

static void writeBytes(void *target, std::span<const std::byte> bytes,
                       bool isHost) {
  if (isHost)
    std::memcpy(target, bytes.data(), bytes.size());
  else if (Place place = findBytes(target, bytes.size()); place.buffer)
    (void)place.buffer->write(bytes, place.offset);
}

hipError_t hipMemcpyAsync(void *target, const void *source, size_t size,
                          hipMemcpyKind kind, hipStream_t stream) {
  static const std::map<hipMemcpyKind, std::string> names = {
      {hipMemcpyHostToDevice, "to the device"},
      {hipMemcpyDeviceToHost, "to the host"},
      {hipMemcpyDeviceToDevice, "on the device"}};
  auto name = names.find(kind);
  if (name == names.end())
    return hipErrorInvalidValue;
  CONVOY_TRY(
      enter("hipMemcpyAsync", std::to_string(size) + " " + name->second));
  if (!isHere(stream))
    return hipErrorInvalidHandle;
  bool fromHost = kind == hipMemcpyHostToDevice;
  bool toHost = kind == hipMemcpyDeviceToHost;
  if ((!fromHost && !findBytes(source, size).buffer) ||
      (!toHost && !findBytes(target, size).buffer))
    return refuse("a copy reaches out of the device's memory",
                  hipErrorInvalidValue);
  stream->waiting.push_back([=] {
    writeBytes(target, readBytes(source, size, fromHost), toHost);
    return hipSuccess;
  });
  return hipSuccess;
}

hipError_t hipMemsetAsync(void *target, int value, size_t size,
                          hipStream_t stream) {
  CONVOY_TRY(enter("hipMemsetAsync", std::to_string(size)));
  if (!isHere(stream))
    return hipErrorInvalidHandle;
  if (!findBytes(target, size).buffer)
    return refuse("a fill reaches out of the device's memory",
                  hipErrorInvalidValue);
  stream->waiting.push_back([=] {
    writeBytes(target, std::vector<std::byte>(size, std::byte(value)), false);
    return hipSuccess;
  });
  return hipSuccess;
}

//===----------------------------------------------------------------------===//
// Modules and kernels
//===----------------------------------------------------------------------===//

/// A code object, whose own header tells where it ends.
static llvm::StringRef getCodeObject(const void *image) {
  llvm::ELF::Elf64_Ehdr header;
  std::memcpy(&header, image, sizeof(header));
  return {static_cast<const char *>(image),
          size_t(header.e_shoff) + header.e_shnum * header.e_shentsize};
}

hipError_t hipModuleLoadData(hipModule_t *module, const void *image) {
  CONVOY_TRY(enter("hipModuleLoadData"));
  StandInDevice &device = getCurrentDevice();
  std::unique_ptr<Kernels> kernels =
      Kernels::load(getCodeObject(image), device.getSimulator());
  if (!kernels)
    return hipErrorInvalidImage;
  make(module, new ihipModule_t{device, std::move(kernels), {}});
  return hipSuccess;
}

hipError_t hipModuleUnload(hipModule_t module) {
  destroy(module);
  return enter("hipModuleUnload");
}

hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module,
                                const char *name) {
  CONVOY_TRY(enter("hipModuleGetFunction", name));
  ihipModuleSymbol_t &symbol = module->functions[name];
  symbol.name = name;
  symbol.device = &module->device;
  if (!module->kernels->find(name, symbol.arguments, symbol.kernel))
    return hipErrorNotFound;
  *function = &symbol;
  return hipSuccess;
}

static std::string formatSizes(const uint32_t (&sizes)[3]) {
  return std::to_string(sizes[0]) + "x" + std::to_string(sizes[1]) + "x" +
         std::to_string(sizes[2]);
}

/// Runs `function` on the memory at `addresses` with these `sizes`.
static hipError_t execute(const ihipModuleSymbol_t &function,
                          convoy_launch launch,
                          const std::vector<void *> &addresses,
                          const std::vector<int64_t> &sizes) {
  std::vector<convoy_buffer *> buffers;
  std::vector<convoy_range> ranges;
  for (void *address : addresses) {
    Place place = function.device->find(address);
    if (!place.buffer)
      return refuse("kernel '" + function.name +
                        "' gets an address where there is no memory",
                    hipErrorIllegalAddress);
    buffers.push_back(place.buffer->get());
    ranges.push_back({place.offset, place.size});
  }
  launch.buffers = buffers.data();
  launch.buffer_count = buffers.size();
  launch.ranges = ranges.data();
  launch.sizes = sizes.data();
  launch.size_count = sizes.size();
  Status status = function.kernel.launch(launch);
  return status.ok() ? hipSuccess : refuse(status.text, hipErrorLaunchFailure);
}

hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned int gridX,
                                 unsigned int gridY, unsigned int gridZ,
                                 unsigned int blockX, unsigned int blockY,
                                 unsigned int blockZ, unsigned int sharedBytes,
                                 hipStream_t stream, void **parameters,
                                 void **extra) {
  convoy_launch launch = {};
  uint32_t grid[] = {gridX, gridY, gridZ}, block[] = {blockX, blockY, blockZ};
  std::copy_n(grid, 3, launch.grid);
  std::copy_n(block, 3, launch.block);
  launch.workgroup_bytes = sharedBytes;
  auto [pointers, numbers] = function->arguments;
  size_t count = pointers + numbers;
  CONVOY_TRY(enter("hipModuleLaunchKernel",
                   function->name + " grid " + formatSizes(grid) + " block " +
                       formatSizes(block) + ", " + std::to_string(count) +
                       " arguments"));
  if (!isHere(stream) || function->device != &stream->device)
    return hipErrorInvalidHandle;
  if (extra || (count && !parameters))
    return hipErrorInvalidValue;
  // The caller's arguments need not outlive the call.
  std::vector<void *> addresses;
  std::vector<int64_t> sizes;
  for (size_t number = 0; number < pointers; ++number)
    addresses.push_back(*static_cast<void **>(parameters[number]));
  for (size_t number = pointers; number < count; ++number)
    sizes.push_back(*static_cast<int32_t *>(parameters[number]));
  stream->waiting.push_back(
      [=] { return execute(*function, launch, addresses, sizes); });
  return hipSuccess;
}
