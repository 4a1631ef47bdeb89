//===- Problem.cpp - A convolution as one line of text --------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/Problem.h"

#include <array>
#include <utility>

namespace convoy {

static constexpr std::array<std::pair<ElementType, std::string_view>, 5>
    ElementTypeNames = {{{ElementType::F64, "f64"},
                         {ElementType::F32, "f32"},
                         {ElementType::F16, "f16"},
                         {ElementType::BF16, "bf16"},
                         {ElementType::I8, "i8"}}};

std::string_view elementTypeName(ElementType type) {
  return ElementTypeNames[static_cast<size_t>(type)].second;
}

std::optional<ElementType> parseElementType(std::string_view name) {
  for (const auto &[type, spelling] : ElementTypeNames)
    if (spelling == name)
      return type;
  return std::nullopt;
}

} // namespace convoy
