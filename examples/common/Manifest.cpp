//===- Manifest.cpp - What a manifest says of kernels ---------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Manifest.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

using nlohmann::json;

/// The most bytes and elements: enough for any device, and far from where sums
/// and products of sizes overflow.
static constexpr size_t MaxCount = size_t(1) << 40;
/// The longest manifest; the constants of kernels are in it.
static constexpr std::streamoff MaxManifestBytes = std::streamoff(1) << 30;

[[noreturn]] static void refuse(const std::string &sentence) {
  throw std::runtime_error(sentence);
}

/// The number `value` from `least` to `most`; `name` is what it is.
static size_t readNumber(const json &value, const std::string &name,
                         size_t least, size_t most) {
  if (value.is_number_unsigned())
    if (auto number = value.get<uint64_t>(); number >= least && number <= most)
      return number;
  refuse("expected a number from " + std::to_string(least) + " to " +
         std::to_string(most) + " for '" + name + "', but got " +
         value.dump().substr(0, 40));
}

static size_t multiply(size_t a, size_t b, const std::string &name) {
  if (a != 0 && b > MaxCount / a)
    refuse("'" + name + "' is too large");
  return a * b;
}

/// The number `name`, and what there is of it for each image.
static size_t readBytes(const json &object, const std::string &name,
                        size_t batch) {
  size_t fixed = readNumber(object.at(name), name, 0, MaxCount);
  std::string ofImage = name + "_of_image";
  if (!object.contains(ofImage))
    return fixed;
  return fixed + multiply(readNumber(object[ofImage], ofImage, 0, MaxCount),
                          batch, ofImage);
}

static Argument readArgument(const json &object, size_t batch) {
  Argument argument;
  argument.name = object.at("name");
  argument.type = object.at("type");
  argument.layout = object.value("layout", "");
  size_t count = 1;
  for (const json &size : object.at("shape")) {
    argument.shape.push_back(
        size.is_null() ? batch : readNumber(size, "shape", 0, MaxCount));
    count = multiply(count, argument.shape.back(), "shape");
  }
  argument.isWritten = object.at("access") == "write";
  return argument;
}

static Binding readBinding(const json &object,
                           const std::vector<Argument> &arguments,
                           size_t batch) {
  Binding binding;
  binding.offset = readBytes(object, "offset", batch);
  binding.bytes = readBytes(object, "bytes", batch);
  if (object.contains("constant"))
    refuse("a launch binds a constant, which this program does not take");
  if (object.contains("argument")) {
    auto found = std::ranges::find(arguments,
                                   object["argument"].get<std::string>(),
                                   &Argument::name);
    if (found == arguments.end())
      refuse("a launch binds an argument that is not there");
    binding.argument = size_t(found - arguments.begin());
  } else if (!object.value("workspace", false)) {
    refuse("a launch binds what is no argument and no workspace");
  }
  return binding;
}

/// Three numbers, along x, y and z.
static std::array<uint32_t, 3> readSizes(const json &object,
                                         const std::string &name) {
  const json &values = object.at(name);
  if (!values.is_array() || values.size() != 3)
    refuse("expected three numbers for '" + name + "'");
  std::array<uint32_t, 3> sizes;
  for (size_t dim = 0; dim < 3; ++dim)
    sizes[dim] = uint32_t(readNumber(values[dim], name, 1, UINT32_MAX));
  return sizes;
}

/// The number `name`, or 0 where there is none.
static double readSeconds(const json &object, const std::string &name) {
  if (!object.contains(name))
    return 0;
  const json &value = object[name];
  if (!value.is_number() || value.get<double>() < 0)
    refuse("expected a positive number for '" + name + "', but got " +
           value.dump().substr(0, 40));
  return value.get<double>();
}

/// How many workgroups of a launch keep the device busy for a second: more at a
/// time might make it seem to hang.
static uint32_t readMostGroups(const json &object, size_t batch) {
  double seconds =
      readSeconds(object, "group_seconds") +
      readSeconds(object, "group_seconds_of_image") * double(batch);
  return seconds > 0
             ? uint32_t(std::clamp(1 / seconds, 1.0, double(UINT32_MAX)))
             : 0;
}

static Launch readLaunch(const json &object,
                         const std::vector<Argument> &arguments,
                         size_t batch) {
  Launch launch;
  launch.symbol = object.at("symbol");
  launch.grid = readSizes(object, "grid");
  launch.workgroup = readSizes(object, "workgroup_size");
  for (const json &binding : object.at("bindings"))
    launch.bindings.push_back(readBinding(binding, arguments, batch));
  launch.takesBatch = object.value("takes_batch", false);
  launch.mostGroups = readMostGroups(object, batch);
  if (object.contains("groups")) {
    const json &groups = object["groups"];
    size_t times = readNumber(groups.at("times"), "times", 1, UINT32_MAX);
    size_t divide = readNumber(groups.at("divide"), "divide", 1, UINT32_MAX);
    size_t count = (multiply(batch, times, "times") + divide - 1) / divide;
    count = multiply(count, launch.grid[2], "grid");
    if (count > UINT32_MAX)
      refuse("'" + launch.symbol + "' has too many workgroups");
    launch.grid[2] = uint32_t(count);
  }
  return launch;
}

static Entry readEntry(const json &object, size_t batch) {
  Entry entry;
  entry.name = object.at("entry");
  if (object.contains("constants"))
    refuse("'" + entry.name +
           "' has constants, which this program does not take");
  size_t largest = object.value("largest_batch", batch);
  if (batch > largest)
    refuse("'" + entry.name + "' takes a batch of at most " +
           std::to_string(largest));
  entry.workspaceBytes = readBytes(object.at("workspace"), "bytes", batch);
  for (const json &argument : object.at("arguments"))
    entry.arguments.push_back(readArgument(argument, batch));
  for (const json &launch : object.at("launches"))
    entry.launches.push_back(readLaunch(launch, entry.arguments, batch));
  return entry;
}

size_t readBatch(const std::string &text) {
  size_t batch = 0;
  const char *end = text.data() + text.size();
  auto result = std::from_chars(text.data(), end, batch);
  if (result.ec != std::errc() || result.ptr != end || batch == 0)
    throw std::runtime_error("expected a positive number of images, but got '" +
                             text + "'");
  return batch;
}

/// The text of the file `path`.
static std::string readText(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::string text;
  constexpr size_t ChunkBytes = size_t(1) << 16;
  while (file) {
    size_t size = text.size();
    text.resize(size + ChunkBytes);
    file.read(text.data() + size, ChunkBytes);
    text.resize(size + size_t(file.gcount()));
    if (std::streamoff(text.size()) > MaxManifestBytes)
      refuse("cannot read '" + path + "': it is longer than 1 GiB");
  }
  if (!file.eof())
    refuse("cannot read '" + path + "'");
  return text;
}

Manifest readManifest(const std::string &path, const std::string &target,
                      size_t batch) {
  std::string text = readText(path);
  try {
    json object = json::parse(text);
    if (object.at("target") != target)
      refuse("'" + path + "' is not for " + target);
    if (object.at("abi") != KernelABI)
      refuse("'" + path + "' is for programs of the ABI " +
             object.at("abi").dump() + ", this is one of " +
             std::to_string(KernelABI));
    Manifest manifest;
    manifest.sha256 = object.at("sha256");
    for (const json &kernel : object.at("kernels"))
      manifest.entries.push_back(readEntry(kernel, batch));
    return manifest;
  } catch (const json::exception &error) {
    refuse("'" + path + "' is no manifest: " + error.what());
  }
}
