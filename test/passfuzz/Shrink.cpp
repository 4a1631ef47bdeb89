//===- Shrink.cpp - Findings made short -------------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PassFuzzer.h"

#include "llvm/ADT/StringExtras.h"

#include <ctime>

using namespace mlir;
using namespace mlir::convoy::test;

namespace {
/// Tries what is shorter for as long as there is time.
class Shrinker {
public:
  Shrinker(const Crash &crash, const DialectRegistry &registry,
           const Limits &limits, Slot &slot)
      : key(crash.key()), registry(registry), limits(limits), slot(slot),
        end(std::time(nullptr) + (crash.kind == "hang" ? 120 : 30)) {}

  bool crashes(StringRef text, const PassList &passes) {
    if (std::time(nullptr) > end)
      return false;
    std::optional<Crash> crash =
        attemptForked(text, passes, registry, limits, slot);
    return crash && crash->key() == key;
  }

  void shrinkPasses(Mutant &mutant) {
    for (size_t i = mutant.passes.size();
         i-- > 0 && mutant.passes.size() > 1;) {
      PassList fewer = mutant.passes;
      fewer.erase(fewer.begin() + i);
      if (crashes(mutant.text, fewer))
        mutant.passes = std::move(fewer);
    }
  }

  void shrinkLines(Mutant &mutant) {
    SmallVector<StringRef> lines;
    std::string text = mutant.text;
    StringRef(text).split(lines, '\n');
    for (size_t size = lines.size() / 2; size > 0; size /= 2)
      for (size_t i = 0; i < lines.size();) {
        SmallVector<StringRef> fewer(lines);
        fewer.erase(fewer.begin() + i,
                    fewer.begin() + std::min(i + size, fewer.size()));
        if (crashes(llvm::join(fewer, "\n"), mutant.passes))
          lines = std::move(fewer);
        else
          i += size;
      }
    mutant.text = llvm::join(lines, "\n");
  }

  void shrinkAttributes(Mutant &mutant) {
    for (size_t i = findAttributes(mutant.text).size(); i-- > 0;) {
      AttrRange attr = findAttributes(mutant.text)[i];
      std::string fewer = mutant.text;
      size_t length = attr.end - attr.name;
      length += StringRef(fewer).drop_front(attr.end).starts_with(", ") ? 2 : 0;
      fewer.erase(attr.name, length);
      if (crashes(fewer, mutant.passes))
        mutant.text = std::move(fewer);
    }
  }

private:
  std::string key;
  const DialectRegistry &registry;
  const Limits &limits;
  Slot &slot;
  std::time_t end;
};
} // namespace

void mlir::convoy::test::shrink(Mutant &mutant, const Crash &crash,
                                const DialectRegistry &registry,
                                const Limits &limits, Slot &slot) {
  Shrinker shrinker(crash, registry, limits, slot);
  shrinker.shrinkPasses(mutant);
  shrinker.shrinkLines(mutant);
  shrinker.shrinkAttributes(mutant);
}
