//===- KernelNames.cpp - Names in the C interface of kernels ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/KernelABI/KernelNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::convoy;

/// Keywords of C up to C23 and of C++ up to C++23, with the alternative
/// spellings of operators.
static constexpr StringLiteral kKeywords =
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch "
    "char char16_t char32_t char8_t class co_await co_return co_yield compl "
    "concept const const_cast consteval constexpr constinit continue "
    "decltype default delete do double dynamic_cast else enum explicit "
    "export extern false float for friend goto if inline int long mutable "
    "namespace new noexcept not not_eq nullptr operator or or_eq private "
    "protected public register reinterpret_cast requires restrict return "
    "short signed sizeof static static_assert static_cast struct switch "
    "template this thread_local throw true try typedef typeid typename "
    "typeof typeof_unqual union unsigned using virtual void volatile "
    "wchar_t while xor xor_eq";

/// Types and functions that the header and the kernels use.
static constexpr StringLiteral kUsedNames =
    "int8_t int16_t int32_t int64_t uint8_t uint16_t main memcmp memcpy "
    "memmove memset";

static bool holdsWord(StringRef words, StringRef word) {
  return llvm::is_contained(llvm::split(words, ' '), word);
}

bool mlir::convoy::isKernelName(StringRef name) {
  bool isIdentifier =
      !name.empty() && !llvm::isDigit(name.front()) &&
      llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  return isIdentifier && !holdsWord(kKeywords, name) &&
         !holdsWord(kUsedNames, name) && !name.starts_with("CONVOY_");
}

std::string UniqueNames::add(StringRef name) {
  std::string unique = name.str();
  for (int number = 1; !taken.insert(unique).second; ++number)
    unique = name.str() + std::to_string(number);
  return unique;
}
