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
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace convoy {

/// The bytes of the file at `path`. On failure returns nothing and puts one
/// sentence into `error`.
std::optional<std::vector<std::byte>> readFile(const std::string &path,
                                               std::string &error);

/// Writes `bytes` under a temporary name beside `path` and renames it, so that
/// `path` holds the old content or the new. What is not a regular file, such as
/// a device or a link, is written as it is. On failure returns false and puts
/// one sentence into `error`.
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

} // namespace convoy

#endif // CONVOY_RUNTIME_FILEIO_H
