//===- CodeObject.h - What code objects say of themselves -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code objects of AMD's GPUs, as https://llvm.org/docs/AMDGPUUsage.html
// describes them.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_LIB_CODEOBJECT_H
#define CONVOY_RUNTIME_LIB_CODEOBJECT_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace convoy {

/// One kernel of a code object.
struct CodeObjectKernel {
  struct Argument {
    std::string kind; ///< as in `global_buffer`
    uint64_t bytes;
  };

  std::string name;
  /// Without those that a driver adds.
  std::vector<Argument> arguments;
  /// Work-items of a workgroup, at most; and their sizes along x, y and z, 0
  /// where a launch chooses them.
  uint64_t workgroupItems = 0;
  std::array<uint64_t, 3> workgroup = {};
  uint64_t workgroupBytes = 0;
};

/// The head and the metadata of a code object.
struct CodeObject {
  std::string chip; ///< as in `gfx942`
  int version = 0;  ///< of the format
  std::vector<CodeObjectKernel> kernels;

  /// Reads `image`. Where it is none, returns nothing and puts into `error`
  /// what was expected.
  static std::optional<CodeObject> read(std::span<const std::byte> image,
                                        std::string &error);

  /// The kernel `name`, or null.
  const CodeObjectKernel *find(const std::string &name) const;
};

} // namespace convoy

#endif // CONVOY_RUNTIME_LIB_CODEOBJECT_H
