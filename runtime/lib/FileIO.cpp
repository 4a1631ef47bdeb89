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

/// Whether `path` is something that a new file cannot take the place of.
static bool isInPlace(const std::string &path) {
  std::error_code ignored;
  std::filesystem::file_status status =
      std::filesystem::symlink_status(path, ignored);
  return std::filesystem::exists(status) &&
         !std::filesystem::is_regular_file(status);
}

bool writeFile(const std::string &path, std::span<const std::byte> bytes,
               std::string &error) {
  const FileContent file = {path, bytes};
  return writeFiles({&file, 1}, error);
}

bool writeFiles(std::span<const FileContent> files, std::string &error) {
  /// Temporary names that become names of `files`; empty once they have.
  std::vector<std::string> names(files.size());
  auto fail = [&](const FileContent &file, int code) {
    error = describe("write", file.path, code);
    for (const std::string &name : names)
      if (!name.empty())
        std::remove(name.c_str());
    return false;
  };
  for (size_t i = 0; i < files.size(); ++i)
    if (!isInPlace(files[i].path))
      if (int code =
              writeWhole(createBeside(files[i].path, names[i]), files[i].bytes))
        return fail(files[i], code);
  for (const FileContent &file : files)
    if (isInPlace(file.path))
      if (int code =
              writeWhole(File(std::fopen(file.path.c_str(), "wb")), file.bytes))
        return fail(file, code);
  for (size_t i = 0; i < files.size(); ++i) {
    if (names[i].empty())
      continue;
    if (std::rename(names[i].c_str(), files[i].path.c_str()) != 0)
      return fail(files[i], errno);
    names[i].clear();
  }
  return true;
}

} // namespace convoy
