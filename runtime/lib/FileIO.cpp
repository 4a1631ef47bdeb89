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
#include <map>
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

/// `2 GiB` of that many bytes; less than a MiB is in bytes.
static std::string formatBytes(uint64_t bytes) {
  constexpr uint64_t MiB = uint64_t(1) << 20, GiB = uint64_t(1) << 30;
  if (bytes >= GiB && bytes % GiB == 0)
    return std::to_string(bytes / GiB) + " GiB";
  if (bytes >= MiB && bytes % MiB == 0)
    return std::to_string(bytes / MiB) + " MiB";
  return std::to_string(bytes) + " bytes";
}

std::optional<std::vector<std::byte>>
readFile(const std::string &path, std::string &error, uint64_t maxBytes) {
  auto failTooLong = [&] {
    error = "cannot read '" + path + "': it is longer than " +
            formatBytes(maxBytes);
    return std::nullopt;
  };
  // Directories open, but do not read.
  File file(std::fopen(path.c_str(), "rb"));
  if (!file) {
    error = describe("read", path, errno);
    return std::nullopt;
  }
  // What has no size, such as a pipe, is counted as it comes.
  std::error_code ignored;
  uint64_t size = std::filesystem::file_size(path, ignored);
  if (!ignored && size > maxBytes)
    return failTooLong();
  static constexpr size_t ChunkSize = size_t(1) << 16;
  std::vector<std::byte> bytes;
  size_t count = 0;
  do {
    bytes.resize(count + ChunkSize);
    errno = 0;
    count += std::fread(bytes.data() + count, 1, ChunkSize, file.get());
    if (count > maxBytes)
      return failTooLong();
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

/// The file that `path` means: what a chain of symbolic links ends at, whether
/// that is there or not. Sets `code` where the chain has no end.
static std::string resolve(const std::string &path, int &code) {
  // As many as Linux follows.
  constexpr int MaxLinks = 40;
  std::filesystem::path resolved = path;
  for (int count = 0; count < MaxLinks; ++count) {
    std::error_code ignored;
    if (!std::filesystem::is_symlink(resolved, ignored))
      return resolved.string();
    std::filesystem::path target =
        std::filesystem::read_symlink(resolved, ignored);
    // Of an absolute target this is the target.
    resolved = resolved.parent_path() / target;
  }
  code = ELOOP;
  return path;
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

namespace {
/// A file that is being written.
struct Writing {
  const FileContent &file;
  std::string path;      ///< where it comes to lie, links resolved
  std::string temporary; ///< that becomes `path`; empty once it has
};
} // namespace

/// Writes `writing` under its temporary name. Returns the system's error code.
static int prepare(Writing &writing) {
  int code = 0;
  writing.path = resolve(writing.file.path, code);
  if (code || isInPlace(writing.path))
    return code;
  return writeWhole(createBeside(writing.path, writing.temporary),
                    writing.file.bytes);
}

bool writeFiles(std::span<const FileContent> files, std::string &error) {
  std::vector<Writing> writings;
  for (const FileContent &file : files)
    writings.push_back({file, "", ""});
  auto fail = [&](const FileContent &file, int code) {
    error = describe("write", file.path, code);
    for (const Writing &writing : writings)
      if (!writing.temporary.empty())
        std::remove(writing.temporary.c_str());
    return false;
  };
  for (Writing &writing : writings)
    if (int code = prepare(writing))
      return fail(writing.file, code);
  for (const Writing &writing : writings)
    if (writing.temporary.empty())
      if (int code = writeWhole(File(std::fopen(writing.path.c_str(), "wb")),
                                writing.file.bytes))
        return fail(writing.file, code);
  for (Writing &writing : writings) {
    if (writing.temporary.empty())
      continue;
    if (std::rename(writing.temporary.c_str(), writing.path.c_str()) != 0)
      return fail(writing.file, errno);
    writing.temporary.clear();
  }
  return true;
}

bool checkCanWrite(const std::string &path, std::string &error) {
  int code = 0;
  std::string resolved = resolve(path, code), temporary;
  std::error_code ignored;
  if (!code && std::filesystem::is_directory(resolved, ignored))
    code = EISDIR;
  else if (!code && !isInPlace(resolved) && !createBeside(resolved, temporary))
    code = errno;
  else
    std::remove(temporary.c_str());
  if (code)
    error = describe("write", path, code);
  return code == 0;
}

std::string findSameFile(std::span<const std::string> paths) {
  /// What each path means, without names such as `.` and links among folders.
  std::map<std::string, std::string> seen;
  for (const std::string &path : paths) {
    int ignoredCode = 0;
    std::error_code ignored;
    std::string resolved = resolve(path, ignoredCode);
    std::filesystem::path whole = std::filesystem::weakly_canonical(
        std::filesystem::absolute(resolved, ignored), ignored);
    if (ignored)
      whole = std::filesystem::path(resolved).lexically_normal();
    // Links of the other kind are other names of one file, too, but what is
    // renamed takes the place of one name.
    auto [place, isNew] = seen.insert({whole.string(), path});
    if (!isNew && !isInPlace(resolved))
      return path;
  }
  return "";
}

} // namespace convoy
