//===- Manifest.h - What a manifest says of kernels -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_EXAMPLES_COMMON_MANIFEST_H
#define CONVOY_EXAMPLES_COMMON_MANIFEST_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// A tensor that a kernel reads or writes.
struct Argument {
  std::string name, type;
  std::string layout; ///< a letter for each dimension, the outermost first
  std::vector<size_t> shape;
  bool isWritten = false;
};

/// Bytes of an argument, or of the workspace.
struct Binding {
  std::optional<size_t> argument; ///< its number; nothing for the workspace
  size_t offset = 0, bytes = 0;
};

/// One kernel of the module over a grid of workgroups.
struct Launch {
  std::string symbol;
  std::array<uint32_t, 3> grid = {}, workgroup = {};
  std::vector<Binding> bindings;
  bool takesBatch = false; ///< as a number after its buffers
  uint32_t mostGroups = 0; ///< of the grid that run at a time; 0: all
};

/// A kernel as its user sees it: launches, one after the other. Kernels that read
/// constants, which stand in the manifest, are refused: the examples know what
/// convolutions compute, and no more.
struct Entry {
  std::string name;
  std::vector<Argument> arguments;
  size_t workspaceBytes = 0;
  std::vector<Launch> launches;
};

/// The `abi` of the manifests that this program understands.
inline constexpr int KernelABI = 1;

/// What there is in the file that the manifest was written with.
struct Manifest {
  std::string sha256; ///< of the file, in hexadecimal digits
  std::vector<Entry> entries;
};

/// The positive number that `text` is. Throws std::runtime_error where it is
/// none.
size_t readBatch(const std::string &text);

/// Reads the manifest `path`, as `convoy-compile --manifest` writes it. Where
/// it leaves sizes open, which are that of the batch, it is `batch` that they
/// are. Throws std::runtime_error where it is none, not for `target`, of
/// another ABI, for smaller batches, or where its numbers contradict each other.
Manifest readManifest(const std::string &path, const std::string &target,
                      size_t batch);

#endif // CONVOY_EXAMPLES_COMMON_MANIFEST_H
