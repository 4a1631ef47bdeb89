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

/// The number `name`, and what there is of it for each image.
static size_t readBytes(const json &object, const std::string &name,
                        size_t batch) {
  return object.at(name).get<size_t>() +
         object.value(name + "_of_image", size_t(0)) * batch;
}

static Argument readArgument(const json &object, size_t batch) {
  Argument argument;
  argument.name = object.at("name");
  argument.type = object.at("type");
  argument.layout = object.at("layout");
  for (const json &size : object.at("shape"))
    argument.shape.push_back(size.is_null() ? batch : size.get<size_t>());
  argument.isWritten = object.at("access") == "write";
  return argument;
}

static Binding readBinding(const json &object,
                           const std::vector<Argument> &arguments,
                           size_t batch) {
  Binding binding;
  binding.offset = readBytes(object, "offset", batch);
  binding.bytes = readBytes(object, "bytes", batch);
  if (object.contains("argument")) {
    auto found = std::ranges::find(arguments,
                                   object["argument"].get<std::string>(),
                                   &Argument::name);
    if (found == arguments.end())
      throw std::runtime_error("a launch binds an argument that is not there");
    binding.argument = size_t(found - arguments.begin());
  }
  return binding;
}

static Launch readLaunch(const json &object,
                         const std::vector<Argument> &arguments,
                         size_t batch) {
  Launch launch;
  launch.symbol = object.at("symbol");
  launch.grid = object.at("grid").get<std::array<uint32_t, 3>>();
  launch.workgroup =
      object.at("workgroup_size").get<std::array<uint32_t, 3>>();
  for (const json &binding : object.at("bindings"))
    launch.bindings.push_back(readBinding(binding, arguments, batch));
  launch.takesBatch = object.value("takes_batch", false);
  if (object.contains("groups")) {
    size_t times = object["groups"].at("times");
    size_t divide = object["groups"].at("divide");
    launch.grid[2] *= uint32_t((batch * times + divide - 1) / divide);
  }
  return launch;
}

static Entry readEntry(const json &object, size_t batch) {
  Entry entry;
  entry.name = object.at("entry");
  size_t largest = object.value("largest_batch", batch);
  if (batch > largest)
    throw std::runtime_error("'" + entry.name + "' takes a batch of at most " +
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

std::vector<Entry> readManifest(const std::string &path,
                                const std::string &target, size_t batch) {
  std::ifstream file(path);
  if (!file)
    throw std::runtime_error("cannot read '" + path + "'");
  try {
    json manifest = json::parse(file);
    if (manifest.at("target") != target)
      throw std::runtime_error("'" + path + "' is not for " + target);
    std::vector<Entry> entries;
    for (const json &kernel : manifest.at("kernels"))
      entries.push_back(readEntry(kernel, batch));
    return entries;
  } catch (const json::exception &error) {
    throw std::runtime_error("'" + path + "' is no manifest: " + error.what());
  }
}
