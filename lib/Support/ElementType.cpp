//===- ElementType.cpp - What elements of a problem are -------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/ElementType.h"

#include <array>
#include <cstddef>
#include <utility>

using namespace convoy;

static constexpr std::array<std::pair<ElementType, std::string_view>, 5>
    ElementTypeNames = {{{ElementType::F64, "f64"},
                         {ElementType::F32, "f32"},
                         {ElementType::F16, "f16"},
                         {ElementType::BF16, "bf16"},
                         {ElementType::I8, "i8"}}};

std::string_view convoy::elementTypeName(ElementType type) {
  return ElementTypeNames[static_cast<size_t>(type)].second;
}

std::optional<ElementType> convoy::parseElementType(std::string_view name) {
  for (const auto &[type, spelling] : ElementTypeNames)
    if (spelling == name)
      return type;
  return std::nullopt;
}
