//===- Npz.h - NumPy's archives of arrays -----------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The .npz format: a ZIP archive (PKWARE's APPNOTE.TXT) of .npy files that are
// stored as they are, which is what `numpy.savez` writes.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_NPZ_H
#define CONVOY_RUNTIME_NPZ_H

#include "convoy/Runtime/HostArray.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace convoy {

/// Arrays by name, in the order of the archive.
using NamedArrays = std::vector<std::pair<std::string, HostArray>>;

/// Whether `path` is the name of an archive.
bool isNpzPath(const std::string &path);

/// The arrays in the bytes of a .npz file. Refuses, with one sentence in
/// `error`: what is no archive of less than 4 GiB, members that are compressed,
/// damaged, or no arrays, and names that stand twice.
std::optional<NamedArrays> parseNpz(std::span<const std::byte> bytes,
                                    std::string &error);

/// The bytes of the .npz file of `arrays`; nothing, and one sentence in
/// `error`, where they need 4 GiB or more, or a name stands twice.
std::optional<std::vector<std::byte>> serializeNpz(const NamedArrays &arrays,
                                                   std::string &error);

/// parseNpz of the file at `path`; errors name the file.
std::optional<NamedArrays> readNpz(const std::string &path, std::string &error);

/// Writes the file as writeFile does.
bool writeNpz(const std::string &path, const NamedArrays &arrays,
              std::string &error);

} // namespace convoy

#endif // CONVOY_RUNTIME_NPZ_H
