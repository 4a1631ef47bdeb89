//===- Sha256.h - What tells one file from another --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The digest of FIPS 180-4, as `sha256sum` prints it.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_SUPPORT_SHA256_H
#define CONVOY_SUPPORT_SHA256_H

#include <cstddef>
#include <span>
#include <string>

namespace convoy {

/// The SHA-256 of `bytes` as 64 hexadecimal digits.
std::string sha256(std::span<const std::byte> bytes);

} // namespace convoy

#endif // CONVOY_SUPPORT_SHA256_H
