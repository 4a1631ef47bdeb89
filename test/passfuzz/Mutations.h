//===- Mutations.h - Changes to the text of IR ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_PASSFUZZ_MUTATIONS_H
#define CONVOY_TEST_PASSFUZZ_MUTATIONS_H

#include "Corpus.h"

#include "llvm/ADT/StringExtras.h"

namespace mlir::convoy::test {

/// Numbers that a seed determines, the same on every machine (SplitMix64).
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// A number below `bound`, which is not 0.
  size_t below(size_t bound) { return next() % bound; }
  template <typename Range>
  const auto &pick(const Range &range) {
    return range[below(std::size(range))];
  }

private:
  uint64_t state;
};

/// Whether `c` may stand in a name of an op or an attribute.
inline bool isWord(char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; }

/// A change of `text`; false where it found nothing to change.
using Mutation = bool (*)(std::string &text, Random &random,
                          const Corpus &corpus);

/// Changes of numbers, types, lines, operands and ops.
ArrayRef<Mutation> getTextMutations();

/// Changes of attributes.
ArrayRef<Mutation> getAttributeMutations();

/// Those of numbers, sizes and types alone.
ArrayRef<Mutation> getNumberMutations();

/// Those of attributes that change what stands inside one.
ArrayRef<Mutation> getValueMutations();

/// Some attribute's value, as text.
std::string makeValue(Random &random, const Corpus &corpus);

/// Adds `attr` to an op, a function, an argument or the module.
bool addAttribute(std::string &text, Random &random, const std::string &attr);

/// The dialect of the last op in its generic form that begins before
/// `position`.
StringRef findDialect(StringRef text, size_t position);

/// Adds `attr` to an op in its generic form, or to one of `dialect`, if that is
/// not empty.
bool addToOp(std::string &text, Random &random, const std::string &attr,
             StringRef dialect = "");

/// Applies one to three changes to `text`.
void mutate(std::string &text, Random &random, const Corpus &corpus);

/// Returns a piece of a test in which `attr` was changed, or to which it was
/// added.
const Seed &mutateOwn(const OwnAttr &attr, std::string &text, Random &random,
                      const Corpus &corpus);

} // namespace mlir::convoy::test

#endif // CONVOY_TEST_PASSFUZZ_MUTATIONS_H
