//===- Emission.cpp - What files of kernels are, by target ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/Emission.h"

#include "convoy/Driver/ToolOptions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// Targets as a set of bits.
enum Targets : unsigned { None = 0, CPU = 1, Rocm = 2, Vulkan = 4 };

struct EmissionRow {
  Emission emission;
  StringLiteral word;   ///< that --emit takes
  StringLiteral suffix; ///< of a file's name
  unsigned targets;     ///< that it can be made for
  unsigned usualFor; ///< targets whose files are so where nothing else is said
};
} // namespace

static constexpr EmissionRow kEmissions[] = {
    {Emission::MLIR, "mlir", ".mlir", CPU | Rocm | Vulkan, None},
    {Emission::LLVM, "llvm", ".ll", CPU | Rocm, None},
    {Emission::Assembly, "asm", ".s", CPU | Rocm | Vulkan, None},
    {Emission::Assembly, "asm", ".spvasm", Vulkan, None},
    {Emission::Object, "obj", ".o", CPU, CPU},
    {Emission::Archive, "archive", ".a", CPU, None},
    {Emission::SharedObject, "so", ".so", CPU, None},
    {Emission::Hsaco, "hsaco", ".hsaco", Rocm, Rocm},
    {Emission::SPIRV, "spv", ".spv", Vulkan, Vulkan},
};

static unsigned getBit(Target target) {
  switch (target) {
  case Target::CPU:
    return CPU;
  case Target::Rocm:
    return Rocm;
  case Target::Vulkan:
    return Vulkan;
  }
  llvm_unreachable("all are named");
}

/// What `column` has in those rows that `isWanted`, each once.
template <typename Predicate>
static SmallVector<StringRef> collect(StringLiteral EmissionRow::*column,
                                      Predicate isWanted) {
  SmallVector<StringRef> words;
  for (const EmissionRow &row : kEmissions)
    if (isWanted(row) && !llvm::is_contained(words, row.*column))
      words.push_back(row.*column);
  return words;
}

/// `a, b or c`.
static std::string joinAlternatives(ArrayRef<StringRef> words) {
  if (words.size() == 1)
    return words.front().str();
  return llvm::join(words.drop_back(), ", ") + " or " + words.back().str();
}

StringRef mlir::convoy::getEmissionWords() {
  static const std::string words = llvm::join(
      collect(&EmissionRow::word, [](const EmissionRow &) { return true; }),
      "|");
  return words;
}

/// Reads `word`, that of --emit, and checks that `suffix` is not that of
/// something else.
static bool readWord(unsigned target, StringRef word, StringRef suffix,
                     StringRef output, Emission &emission, std::string &error) {
  auto isForTarget = [&](const EmissionRow &row) {
    return (row.targets & target) != 0;
  };
  auto isNamed = [&](const EmissionRow &row) {
    return isForTarget(row) && row.word == word;
  };
  const EmissionRow *named = llvm::find_if(kEmissions, isNamed);
  if (named == std::end(kEmissions))
    return fail(error,
                "expected " +
                    joinAlternatives(collect(&EmissionRow::word, isForTarget)) +
                    " for '--emit', but got '" + word + "'");
  emission = named->emission;
  bool isOther = llvm::any_of(kEmissions, [&](const EmissionRow &row) {
    return row.suffix == suffix && !isNamed(row);
  });
  return !isOther ||
         fail(error,
              "expected a name that ends in " +
                  joinAlternatives(collect(&EmissionRow::suffix, isNamed)) +
                  " for '-o' with --emit=" + word + ", but got '" + output +
                  "'");
}

bool mlir::convoy::chooseEmission(Target target, StringRef targetName,
                                  std::optional<StringRef> word,
                                  StringRef output, Emission &emission,
                                  std::string &error) {
  unsigned bit = getBit(target);
  StringRef suffix = llvm::sys::path::extension(output);
  if (word)
    return readWord(bit, *word, suffix, output, emission, error);
  const EmissionRow *found =
      llvm::find_if(kEmissions, [&](const EmissionRow &row) {
        return suffix.empty() ? (row.usualFor & bit) != 0
                              : (row.targets & bit) && row.suffix == suffix;
      });
  if (found == std::end(kEmissions))
    return fail(error,
                "expected a name that ends in " +
                    joinAlternatives(collect(&EmissionRow::suffix,
                                             [&](const EmissionRow &row) {
                                               return (row.targets & bit) != 0;
                                             })) +
                    " for '-o' with --target=" + targetName +
                    ", or '--emit', but got '" + output + "'");
  emission = found->emission;
  return true;
}
