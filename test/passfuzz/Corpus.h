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

/// Where an attribute stands: in which of the seeds, and its text's offsets.
struct AttrPlace {
  unsigned seed;
  size_t begin, end;
};

/// One of the dialect's own attributes, with all of its places. Its name is as
/// in `convoy.tile_lanes` where it stands on ops of others, as in
/// `#convoy.window` where it has a type, and as in `convoy.conv.layout` where
/// it is an op's.
struct OwnAttr {
  std::string name;
  std::vector<AttrPlace> places;
};

/// What mutants are made of.
struct Corpus {
  std::vector<Seed> seeds;
  std::vector<std::string> opNames;
  /// Attributes with a dialect's name: what passes leave for each other.
  std::vector<SeedAttr> discardable;
  std::vector<std::string> values;
  /// Names of all that the dialect has for ops of others, and of one that it
  /// does not have.
  std::vector<std::string> ownNames;
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

/// The dialect's own attributes in the seeds, and those for ops of others that
/// stand in none.
std::vector<OwnAttr> findOwnAttributes(const Corpus &corpus);

/// Where the value that begins at `begin` ends: at a comma or a bracket that it
/// does not open.
size_t findValueEnd(StringRef text, size_t begin);

/// The flags of all of Convoy's passes and pipelines that are registered.
std::vector<std::string> listPasses();

} // namespace mlir::convoy::test

#endif // CONVOY_TEST_PASSFUZZ_CORPUS_H
