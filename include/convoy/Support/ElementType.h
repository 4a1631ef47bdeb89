//===- ElementType.h - What elements of a problem are -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_SUPPORT_ELEMENTTYPE_H
#define CONVOY_SUPPORT_ELEMENTTYPE_H

#include <optional>
#include <string_view>

namespace convoy {

/// Type of the elements in memory. I8 sums into 32-bit integers.
enum class ElementType { F64, F32, F16, BF16, I8 };

/// "f64", "f32", "f16", "bf16" or "i8".
std::string_view elementTypeName(ElementType type);
std::optional<ElementType> parseElementType(std::string_view name);

} // namespace convoy

#endif // CONVOY_SUPPORT_ELEMENTTYPE_H
