//===- FileIO.h - Whole files -----------------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads and writes files as a whole, so that no half-written file is left.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_FILEIO_H
#define CONVOY_RUNTIME_FILEIO_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace convoy {

/// The longest file that is read where nothing else is said: arrays of .npy may
/// be long.
inline constexpr uint64_t kMaxFileBytes = uint64_t(1) << 36;
/// The longest compiled module that is read.
inline constexpr uint64_t kMaxModuleBytes = uint64_t(1) << 30;
/// The longest text that is read: IR, lists of problems.
inline constexpr uint64_t kMaxTextBytes = uint64_t(1) << 30;

/// The bytes of the file at `path`. On failure, or where there are more than
/// `maxBytes`, returns nothing and puts one sentence into `error`.
std::optional<std::vector<std::byte>>
readFile(const std::string &path, std::string &error,
         uint64_t maxBytes = kMaxFileBytes);

/// Writes `bytes` under a temporary name beside `path` and renames it, so that
/// `path` holds the old content or the new. Of a symbolic link that is done
/// where it leads to, and the link stays. What is not a regular file, such as a
/// device, is written as it is. On failure returns false and puts one sentence
/// into `error`.
bool writeFile(const std::string &path, std::span<const std::byte> bytes,
               std::string &error);

/// A file to write, and what it will hold.
struct FileContent {
  std::string path;
  std::span<const std::byte> bytes;
};

/// The same for several files: where one cannot be written, regular files all
/// keep their old content.
bool writeFiles(std::span<const FileContent> files, std::string &error);

/// Whether `path` can be written so, as far as that shows without doing it;
/// else puts one sentence into `error`.
bool checkCanWrite(const std::string &path, std::string &error);

/// The first of `paths` that means the same file as one before it, by whatever
/// spelling or link; empty where there is none. Devices may stand twice.
std::string findSameFile(std::span<const std::string> paths);

} // namespace convoy

#endif // CONVOY_RUNTIME_FILEIO_H
