//===- Npy.h - NumPy's array files ------------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The .npy format, versions 1.0 to 3.0, for little-endian arrays in row-major
// order (NEP 1, "A Simple File Format for NumPy Arrays"). Types: <f8, <f4, <f2,
// |i1, |u1, <i2, <i4, <i8, and bf16 as <V2, which is how ml_dtypes stores it.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_RUNTIME_NPY_H
#define CONVOY_RUNTIME_NPY_H

#include "convoy/Runtime/HostArray.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace convoy {

/// The array in the bytes of a .npy file. Refuses, with one sentence in
/// `error`: another magic or version, a header that is not the dictionary of
/// the format, other types, big-endian and Fortran order, and data of another
/// size than the shape asks for.
std::optional<HostArray> parseNpy(std::span<const std::byte> bytes,
                                  std::string &error);

/// The bytes of the .npy file (version 1.0) of `array`.
std::vector<std::byte> serializeNpy(const HostArray &array);

/// parseNpy of the file at `path`; errors name the file.
std::optional<HostArray> readNpy(const std::string &path, std::string &error);

/// Writes the file as writeFile does.
bool writeNpy(const std::string &path, const HostArray &array,
              std::string &error);

} // namespace convoy

#endif // CONVOY_RUNTIME_NPY_H
