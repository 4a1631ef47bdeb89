//===- FileIO.cpp - Whole files -------------------------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Runtime/FileIO.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <unistd.h>

namespace convoy {

namespace {

struct FileCloser {
  void operator()(std::FILE *file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

} // namespace

static std::string describe(const char *action, const std::string &path,
                            int code) {
  return std::string("cannot ") + action + " '" + path +
         "': " + std::strerror(code);
}

std::optional<std::vector<std::byte>> readFile(const std::string &path,
                                               std::string &error) {
  // Directories open, but do not read.
  File file(std::fopen(path.c_str(), "rb"));
  if (!file) {
    error = describe("read", path, errno);
    return std::nullopt;
  }
  static constexpr size_t ChunkSize = size_t(1) << 16;
  std::vector<std::byte> bytes;
  size_t count = 0;
  do {
    bytes.resize(count + ChunkSize);
    errno = 0;
    count += std::fread(bytes.data() + count, 1, ChunkSize, file.get());
  } while (count == bytes.size());
  if (std::ferror(file.get())) {
    error = describe("read", path, errno);
    return std::nullopt;
  }
  bytes.resize(count);
  return bytes;
}

/// Opens a new file beside `path`, and no other process or thread opens it;
/// `name` becomes its name.
static File createBeside(const std::string &path, std::string &name) {
  for (unsigned number = 0;; ++number) {
    name = path + ".tmp" + std::to_string(::getpid()) + "." +
           std::to_string(number);
    File file(std::fopen(name.c_str(), "wbx"));
    if (file || errno != EEXIST)
      return file;
  }
}

/// Writes all of `bytes`, closes `file`, and returns the system's error code,
/// or 0. Without a file it is what opening one has left.
static int writeWhole(File file, std::span<const std::byte> bytes) {
  if (!file)
    return errno;
  errno = 0;
  bool written =
      std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size() &&
      std::fflush(file.get()) == 0;
  return written ? 0 : errno;
}

bool writeFile(const std::string &path, std::span<const std::byte> bytes,
               std::string &error) {
  std::error_code ignored;
  std::filesystem::file_status status =
      std::filesystem::symlink_status(path, ignored);
  bool inPlace = std::filesystem::exists(status) &&
                 !std::filesystem::is_regular_file(status);
  std::string target = path;
  int code = writeWhole(inPlace ? File(std::fopen(path.c_str(), "wb"))
                                : createBeside(path, target),
                        bytes);
  if (code == 0 && !inPlace && std::rename(target.c_str(), path.c_str()) != 0)
    code = errno;
  if (code == 0)
    return true;
  error = describe("write", path, code);
  if (!inPlace)
    std::remove(target.c_str());
  return false;
}

} // namespace convoy
