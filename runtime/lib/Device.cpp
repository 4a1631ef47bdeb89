//===- Device.cpp - Entry points of the runtime ---------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/Device.h"
#include "DeviceBackend.h"

#include "convoy/Runtime/FileIO.h"
#include "convoy/Support/Sha256.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

using namespace convoy;

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static thread_local std::string errorText;

int convoy::fail(convoy_status status, std::string sentence) {
  errorText = std::move(sentence);
  return status;
}

int convoy::report(const std::vector<GuardViolation> &violations) {
  std::string sentence;
  for (const GuardViolation &violation : violations)
    sentence += (sentence.empty() ? "" : "; ") + toString(violation);
  return sentence.empty() ? CONVOY_OK : fail(CONVOY_WRONG, std::move(sentence));
}

int convoy_device::loadFile(const std::string &path, convoy_module **module) {
  std::string error;
  std::optional<std::vector<std::byte>> image =
      readFile(path, error, kMaxModuleBytes);
  if (!image)
    return fail(CONVOY_INVALID, "cannot load the module: " + error);
  return loadImage(*image, module);
}

int convoy_device::wrapBuffer(std::span<std::byte> memory,
                              convoy_buffer **buffer) {
  return fail(CONVOY_INVALID, "expected the device 'cpu' for a buffer of the "
                              "caller's memory, but got another");
}

std::vector<std::byte> convoy::repeat(std::span<const std::byte> pattern,
                                      size_t size) {
  size_t copies = std::max<size_t>(1, size / pattern.size());
  std::vector<std::byte> bytes(copies * pattern.size());
  for (size_t place = 0; place < bytes.size(); ++place)
    bytes[place] = pattern[place % pattern.size()];
  return bytes;
}

/// Refuses null arguments: the first of `arguments` that is null is named.
struct Argument {
  const void *value;
  std::string_view name;
};

static int checkArguments(std::initializer_list<Argument> arguments) {
  for (const Argument &argument : arguments)
    if (!argument.value)
      return fail(CONVOY_INVALID, "expected a " + std::string(argument.name) +
                                      ", but got null");
  return CONVOY_OK;
}

/// Refuses bytes that a buffer does not have.
static int checkRange(const convoy_buffer &buffer, size_t offset,
                      const void *data, size_t size) {
  if (offset > buffer.size() || size > buffer.size() - offset)
    return fail(CONVOY_INVALID, "expected bytes within a buffer of " +
                                    std::to_string(buffer.size()) +
                                    ", but got " + std::to_string(size) +
                                    " from " + std::to_string(offset) + " on");
  return size == 0 ? CONVOY_OK : checkArguments({{data, "pointer to bytes"}});
}

const char *convoy_error_text(void) { return errorText.c_str(); }

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

/// A kind of device that this build has.
struct DeviceKind {
  std::string_view name;
  int (*open)(std::string_view choice, convoy_device **device);
};

static constexpr std::array<DeviceKind, 6> DeviceKinds = {{
    {"cpu", openCpuDevice},
    {"hip", openHipDevice},
    {"qemu", openQemuDevice},
    {"rocm-sim", openSimulatedDevice},
    {"vulkan", openVulkanDevice},
    {"vulkan-sim", openSimulatedVulkanDevice},
}};

int convoy_device_open(const char *name, convoy_device **device) {
  if (int status = checkArguments({{name, "name"}, {device, "result"}}))
    return status;
  std::string_view kindName = name, choice;
  if (size_t colon = kindName.find(':'); colon != std::string_view::npos) {
    choice = kindName.substr(colon + 1);
    kindName = kindName.substr(0, colon);
  }
  std::string known;
  for (const DeviceKind &kind : DeviceKinds) {
    if (kind.name == kindName)
      return kind.open(choice, device);
    known += (known.empty() ? "" : ", ") + std::string(kind.name);
  }
  return fail(CONVOY_NO_DEVICE, "there is no device '" + std::string(name) +
                                    "', expected one of: " + known);
}

/// Deletes `object`, unless its device works on with it.
template <typename Object>
static void release(Object *object) {
  if (object && !object->isStuck())
    delete object;
}

void convoy_device_close(convoy_device *device) { release(device); }

int convoy_device_arithmetic(const convoy_device *device,
                             convoy_arithmetic *arithmetic) {
  if (int status = checkArguments({{device, "device"}, {arithmetic, "result"}}))
    return status;
  *arithmetic = device->arithmetic();
  return CONVOY_OK;
}

std::optional<VulkanProfile>
convoy::getVulkanProfile(const convoy_device &device) {
  return device.vulkanProfile();
}

const RocmChip *convoy::getRocmChip(const convoy_device &device) {
  return device.rocmChip();
}

std::optional<std::string> convoy::getEmulatedCpu(const convoy_device &device) {
  return device.emulatedCpu();
}

std::string convoy::describeDevice(const convoy_device &device) {
  return device.description();
}

int convoy_device_seconds(const convoy_device *device, double *seconds) {
  if (int status = checkArguments({{device, "device"}, {seconds, "result"}}))
    return status;
  *seconds = device->seconds();
  return CONVOY_OK;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

int convoy_buffer_create(convoy_device *device, size_t size,
                         convoy_buffer **buffer) {
  if (int status = checkArguments({{device, "device"}, {buffer, "result"}}))
    return status;
  return device->createBuffer(size, buffer);
}

int convoy_buffer_wrap(convoy_device *device, void *data, size_t size,
                       convoy_buffer **buffer) {
  if (int status = checkArguments({{device, "device"}, {buffer, "result"}}))
    return status;
  if (size != 0)
    if (int status = checkArguments({{data, "pointer to bytes"}}))
      return status;
  return device->wrapBuffer({static_cast<std::byte *>(data), size}, buffer);
}

void convoy_buffer_destroy(convoy_buffer *buffer) { release(buffer); }

int convoy_buffer_write(convoy_buffer *buffer, size_t offset,
                        const void *source, size_t size) {
  if (int status = checkArguments({{buffer, "buffer"}}))
    return status;
  if (int status = checkRange(*buffer, offset, source, size))
    return status;
  return buffer->write(offset, {static_cast<const std::byte *>(source), size});
}

int convoy_buffer_read(const convoy_buffer *buffer, size_t offset, void *target,
                       size_t size) {
  if (int status = checkArguments({{buffer, "buffer"}}))
    return status;
  if (int status = checkRange(*buffer, offset, target, size))
    return status;
  return buffer->read(offset, {static_cast<std::byte *>(target), size});
}

int convoy_buffer_fill(convoy_buffer *buffer, const void *pattern,
                       size_t size) {
  if (int status = checkArguments({{buffer, "buffer"}, {pattern, "pattern"}}))
    return status;
  if (size == 0)
    return fail(CONVOY_INVALID, "expected a pattern of at least 1 byte");
  return buffer->fill({static_cast<const std::byte *>(pattern), size});
}

int convoy_buffer_check(const convoy_buffer *buffer) {
  if (int status = checkArguments({{buffer, "buffer"}}))
    return status;
  return buffer->check();
}

//===----------------------------------------------------------------------===//
// Modules and kernels
//===----------------------------------------------------------------------===//

int convoy_module_load_file(convoy_device *device, const char *path,
                            convoy_module **module) {
  if (int status = checkArguments(
          {{device, "device"}, {path, "path"}, {module, "result"}}))
    return status;
  return device->loadFile(path, module);
}

int convoy_module_load_file_of(convoy_device *device, const char *path,
                               const char *sha256, convoy_module **module) {
  if (int status = checkArguments({{device, "device"},
                                   {path, "path"},
                                   {sha256, "digest"},
                                   {module, "result"}}))
    return status;
  std::string error;
  std::optional<std::vector<std::byte>> image =
      readFile(path, error, kMaxModuleBytes);
  if (!image)
    return fail(CONVOY_INVALID, "cannot load the module: " + error);
  if (std::string found = convoy::sha256(*image); found != sha256)
    return fail(CONVOY_INVALID,
                "cannot load the module: '" + std::string(path) +
                    "' is not the file that its manifest or header was written "
                    "with: expected the SHA-256 " +
                    sha256 + ", but got " + found);
  // A shared object is loaded by its name.
  return device->loadFile(path, module);
}

int convoy_module_load_image(convoy_device *device, const void *image,
                             size_t size, convoy_module **module) {
  if (int status = checkArguments(
          {{device, "device"}, {image, "image"}, {module, "result"}}))
    return status;
  return device->loadImage({static_cast<const std::byte *>(image), size},
                           module);
}

int convoy_module_from_functions(convoy_device *device,
                                 const convoy_function *functions, size_t count,
                                 convoy_module **module) {
  if (int status = checkArguments({{device, "device"}, {module, "result"}}))
    return status;
  if (count && checkArguments({{functions, "list of functions"}}))
    return CONVOY_INVALID;
  for (const convoy_function &function : std::span(functions, count))
    if (int status = checkArguments({{function.name, "function's name"},
                                     {function.address, "function"}}))
      return status;
  return device->fromFunctions({functions, count}, module);
}

void convoy_module_unload(convoy_module *module) { release(module); }

int convoy_module_kernel(convoy_module *module, const char *name,
                         convoy_kernel **kernel) {
  if (int status = checkArguments(
          {{module, "module"}, {name, "name"}, {kernel, "result"}}))
    return status;
  return module->findKernel(name, kernel);
}

int convoy_kernel_arithmetic(const convoy_kernel *kernel,
                             convoy_arithmetic *arithmetic) {
  if (int status = checkArguments({{kernel, "kernel"}, {arithmetic, "result"}}))
    return status;
  *arithmetic = kernel->arithmetic();
  return CONVOY_OK;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

size_t convoy::countOperands(const convoy_launch &launch) {
  return launch.buffer_count + (launch.workspace ? 1 : 0);
}

BoundBuffer convoy::getOperand(const convoy_launch &launch, size_t number) {
  bool isWorkspace = number == launch.buffer_count;
  convoy_buffer *buffer =
      isWorkspace ? launch.workspace : launch.buffers[number];
  if (isWorkspace || !launch.ranges)
    return {buffer, 0, buffer->size()};
  return {buffer, launch.ranges[number].offset, launch.ranges[number].size};
}

/// Checks buffer `number` of `launch` and its range for a kernel on `device`.
static int checkBuffer(const convoy_launch &launch, size_t number,
                       const convoy_device *device) {
  const convoy_buffer *buffer = launch.buffers[number];
  if (int status = checkArguments({{buffer, "buffer"}}))
    return status;
  if (buffer->device() != device)
    return fail(CONVOY_INVALID, "a buffer belongs to another device");
  if (!launch.ranges)
    return CONVOY_OK;
  const convoy_range &range = launch.ranges[number];
  return checkRange(*buffer, range.offset, buffer, range.size);
}

static int checkStep(const convoy_step &step, const convoy_device *device) {
  const convoy_launch &launch = step.launch;
  if (int status = checkArguments({{step.kernel, "kernel"}}))
    return status;
  if (step.kernel->device() != device)
    return fail(CONVOY_INVALID, "a kernel belongs to another device");
  if (launch.buffer_count &&
      checkArguments({{launch.buffers, "list of buffers"}}))
    return CONVOY_INVALID;
  if (launch.size_count && checkArguments({{launch.sizes, "list of sizes"}}))
    return CONVOY_INVALID;
  for (size_t number = 0; number < launch.buffer_count; ++number)
    if (int status = checkBuffer(launch, number, device))
      return status;
  if (launch.workspace && launch.workspace->device() != device)
    return fail(CONVOY_INVALID, "the workspace belongs to another device");
  return CONVOY_OK;
}

int convoy_kernel_launch(convoy_kernel *kernel, const convoy_launch *launch) {
  if (int status = checkArguments({{kernel, "kernel"}, {launch, "launch"}}))
    return status;
  convoy_step step = {kernel, *launch};
  return convoy_device_run(kernel->device(), &step, 1);
}

int convoy_device_run(convoy_device *device, const convoy_step *steps,
                      size_t count) {
  if (int status = checkArguments({{device, "device"}}))
    return status;
  if (count && checkArguments({{steps, "list of steps"}}))
    return CONVOY_INVALID;
  for (const convoy_step &step : std::span(steps, count))
    if (int status = checkStep(step, device))
      return status;
  return device->run({steps, count});
}
