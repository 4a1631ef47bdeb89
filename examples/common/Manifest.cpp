//===- Manifest.cpp - What a manifest says of kernels ---------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Manifest.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

using nlohmann::json;

static Argument readArgument(const json &object) {
  Argument argument;
  argument.name = object.at("name");
  argument.type = object.at("type");
  argument.layout = object.at("layout");
  argument.shape = object.at("shape").get<std::vector<size_t>>();
  argument.isWritten = object.at("access") == "write";
  return argument;
}

static Binding readBinding(const json &object,
                           const std::vector<Argument> &arguments) {
  Binding binding;
  binding.offset = object.at("offset");
  binding.bytes = object.at("bytes");
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
                         const std::vector<Argument> &arguments) {
  Launch launch;
  launch.symbol = object.at("symbol");
  launch.grid = object.at("grid").get<std::array<uint32_t, 3>>();
  launch.workgroup =
      object.at("workgroup_size").get<std::array<uint32_t, 3>>();
  for (const json &binding : object.at("bindings"))
    launch.bindings.push_back(readBinding(binding, arguments));
  return launch;
}

static Entry readEntry(const json &object) {
  Entry entry;
  entry.name = object.at("entry");
  entry.workspaceBytes = object.at("workspace").at("bytes");
  for (const json &argument : object.at("arguments"))
    entry.arguments.push_back(readArgument(argument));
  for (const json &launch : object.at("launches"))
    entry.launches.push_back(readLaunch(launch, entry.arguments));
  return entry;
}

std::vector<Entry> readManifest(const std::string &path,
                                const std::string &target) {
  std::ifstream file(path);
  if (!file)
    throw std::runtime_error("cannot read '" + path + "'");
  try {
    json manifest = json::parse(file);
    if (manifest.at("target") != target)
      throw std::runtime_error("'" + path + "' is not for " + target);
    std::vector<Entry> entries;
    for (const json &kernel : manifest.at("kernels"))
      entries.push_back(readEntry(kernel));
    return entries;
  } catch (const json::exception &error) {
    throw std::runtime_error("'" + path + "' is no manifest: " + error.what());
  }
}
