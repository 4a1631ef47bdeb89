//===- Corpus.h - The IR of the tests, to be mutated ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_PASSFUZZ_CORPUS_H
#define CONVOY_TEST_PASSFUZZ_CORPUS_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/LLVM.h"

#include <string>
#include <vector>

namespace mlir::convoy::test {

/// Passes with their options as in a pipeline's text: `convoy-x{tile-rows=4}`.
using PassList = std::vector<std::string>;

/// A piece of a test: what stands between two `// -----`.
struct Seed {
  std::string file;
  std::string text;
  /// What the test's RUN lines do with it.
  std::vector<PassList> runs;
};

/// An attribute as it stands in some test.
struct SeedAttr {
  std::string name;
  std::string value;
};

/// What mutants are made of.
struct Corpus {
  std::vector<Seed> seeds;
  std::vector<std::string> opNames;
  /// Attributes with a dialect's name: what passes leave for each other.
  std::vector<SeedAttr> discardable;
  std::vector<std::string> values;
};

/// Returns `text`'s attributes `name = value` as offsets of name, value and
/// end.
struct AttrRange {
  size_t name, value, end;
};
std::vector<AttrRange> findAttributes(StringRef text);

/// Reads every .mlir file below `folder`, and adds to each piece that parses
/// its generic form.
FailureOr<Corpus> readCorpus(StringRef folder, const DialectRegistry &registry);

/// The flags of all of Convoy's passes and pipelines that are registered.
std::vector<std::string> listPasses();

} // namespace mlir::convoy::test

#endif // CONVOY_TEST_PASSFUZZ_CORPUS_H
