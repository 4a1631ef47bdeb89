//===- Device.cpp - Entry points of the runtime ---------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceBackend.h"

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
  int (*open)(convoy_device **device);
};

static constexpr std::array<DeviceKind, 1> DeviceKinds = {{
    {"cpu", openCpuDevice},
}};

int convoy_device_open(const char *name, convoy_device **device) {
  if (int status = checkArguments({{name, "name"}, {device, "result"}}))
    return status;
  std::string known;
  for (const DeviceKind &kind : DeviceKinds) {
    if (kind.name == name)
      return kind.open(device);
    known += (known.empty() ? "" : ", ") + std::string(kind.name);
  }
  return fail(CONVOY_NO_DEVICE, "there is no device '" + std::string(name) +
                                    "', expected one of: " + known);
}

void convoy_device_close(convoy_device *device) { delete device; }

int convoy_device_arithmetic(const convoy_device *device,
                             convoy_arithmetic *arithmetic) {
  if (int status = checkArguments({{device, "device"}, {arithmetic, "result"}}))
    return status;
  *arithmetic = device->arithmetic();
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

void convoy_buffer_destroy(convoy_buffer *buffer) { delete buffer; }

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
  if (int status = checkArguments({{device, "device"},
                                   {functions, "list of functions"},
                                   {module, "result"}}))
    return status;
  for (const convoy_function &function : std::span(functions, count))
    if (int status = checkArguments({{function.name, "function's name"},
                                     {function.address, "function"}}))
      return status;
  return device->fromFunctions({functions, count}, module);
}

void convoy_module_unload(convoy_module *module) { delete module; }

int convoy_module_kernel(convoy_module *module, const char *name,
                         convoy_kernel **kernel) {
  if (int status = checkArguments(
          {{module, "module"}, {name, "name"}, {kernel, "result"}}))
    return status;
  return module->findKernel(name, kernel);
}

int convoy_kernel_launch(convoy_kernel *kernel, const convoy_launch *launch) {
  if (int status = checkArguments({{kernel, "kernel"}, {launch, "launch"}}))
    return status;
  if (launch->buffer_count &&
      checkArguments({{launch->buffers, "list of buffers"}}))
    return CONVOY_INVALID;
  if (launch->size_count && checkArguments({{launch->sizes, "list of sizes"}}))
    return CONVOY_INVALID;
  auto isForeign = [&](const convoy_buffer *buffer) {
    return buffer->device() != kernel->device();
  };
  for (convoy_buffer *buffer :
       std::span(launch->buffers, launch->buffer_count)) {
    if (int status = checkArguments({{buffer, "buffer"}}))
      return status;
    if (isForeign(buffer))
      return fail(CONVOY_INVALID, "a buffer belongs to another device");
  }
  if (launch->workspace && isForeign(launch->workspace))
    return fail(CONVOY_INVALID, "the workspace belongs to another device");
  return kernel->launch(*launch);
}
