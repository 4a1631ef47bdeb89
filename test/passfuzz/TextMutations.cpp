//===- TextMutations.cpp - Changes to the text of IR ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::convoy::test;

namespace {
/// Offsets of a piece of text.
struct Span {
  size_t begin, end;
};
} // namespace

static const char *const kNumbers[] = {"0",
                                       "-1",
                                       "1",
                                       "2",
                                       "3",
                                       "7",
                                       "64",
                                       "127",
                                       "128",
                                       "255",
                                       "256",
                                       "1024",
                                       "32768",
                                       "65535",
                                       "65536",
                                       "1000000",
                                       "-128",
                                       "2147483647",
                                       "2147483648",
                                       "4294967296",
                                       "-2147483648",
                                       "4294967297",
                                       "9223372036854775807",
                                       "-9223372036854775808"};
static const char *const kSizes[] = {
    "0",     "1",          "2",    "3",          "5",
    "8",     "16",         "17",   "?",          "256",
    "65536", "4294967296", "1024", "2147483648", "9223372036854775807"};
static const char *const kElementTypes[] = {
    "f32", "f16",          "bf16",          "f64",      "i8",    "i1",
    "i4",  "i16",          "i32",           "i64",      "index", "i128",
    "si8", "ui8",          "tf32",          "f8E4M3FN", "f128",  "i7",
    "f80", "complex<f32>", "vector<4xf32>", "!llvm.ptr"};

static void replace(std::string &text, Span range, StringRef by) {
  text.replace(range.begin, range.end - range.begin, by.str());
}

/// Replaces the text at `range`, or, every second time, all that are like it
/// and have the same character on their left.
static void replaceOneOrAll(std::string &text, Span range, StringRef by,
                            Random &random) {
  if (range.begin == 0 || random.below(2) == 0)
    return replace(text, range, by);
  std::string old = text.substr(range.begin - 1, range.end - range.begin + 1);
  std::string renewed = old.substr(0, 1) + by.str();
  for (size_t i = text.find(old); i != std::string::npos;
       i = text.find(old, i + renewed.size()))
    text.replace(i, old.size(), renewed);
}

//===----------------------------------------------------------------------===//
// Numbers and types
//===----------------------------------------------------------------------===//

static bool changeNumber(std::string &text, Random &random, const Corpus &) {
  std::vector<Span> numbers;
  for (size_t i = 1; i < text.size(); ++i) {
    if (!llvm::isDigit(text[i]) || isWord(text[i - 1]) ||
        StringRef("%#@!^\"").contains(text[i - 1]))
      continue;
    size_t end = i;
    while (end < text.size() && llvm::isDigit(text[end]))
      ++end;
    numbers.push_back({text[i - 1] == '-' ? i - 1 : i, end});
    i = end;
  }
  if (numbers.empty())
    return false;
  replace(text, random.pick(numbers), random.pick(kNumbers));
  return true;
}

/// The sizes of shaped types: `4x?x`, what stands behind `<`.
static std::vector<Span> findShapes(StringRef text) {
  std::vector<Span> shapes;
  for (size_t i = text.find('<'); i != StringRef::npos;
       i = text.find('<', i + 1)) {
    size_t end = i + 1;
    while (end < text.size() &&
           (llvm::isDigit(text[end]) || text[end] == '?')) {
      size_t next = text.find_first_not_of("0123456789?", end);
      if (next == StringRef::npos || text[next] != 'x')
        break;
      end = next + 1;
    }
    StringRef head = text.substr(0, i);
    if (end > i + 1 || head.ends_with("tensor") || head.ends_with("memref"))
      shapes.push_back({i + 1, end});
  }
  return shapes;
}

static bool changeShape(std::string &text, Random &random, const Corpus &) {
  std::vector<Span> shapes = findShapes(text);
  if (shapes.empty())
    return false;
  Span range = random.pick(shapes);
  StringRef shape = StringRef(text).slice(range.begin, range.end);
  SmallVector<StringRef> sizes;
  shape.split(sizes, 'x', -1, /*KeepEmpty=*/false);
  size_t at = sizes.empty() ? 0 : random.below(sizes.size());
  switch (sizes.empty() ? 0 : random.below(6)) {
  case 0:
    sizes.insert(sizes.begin() + at, random.pick(kSizes));
    break;
  case 1:
    sizes.erase(sizes.begin() + at);
    break;
  default:
    sizes[at] = random.pick(kSizes);
  }
  std::string changed = llvm::join(sizes, "x");
  replaceOneOrAll(text, range, changed.empty() ? changed : changed + "x",
                  random);
  return true;
}

static bool changeElementType(std::string &text, Random &random,
                              const Corpus &) {
  std::vector<Span> types;
  for (size_t i = 1; i < text.size(); ++i) {
    char before = text[i - 1];
    if (!StringRef("fibi").contains(text[i]) ||
        (isWord(before) && before != 'x') ||
        StringRef("%#@!^\"").contains(before))
      continue;
    size_t end = i;
    while (end < text.size() && llvm::isAlnum(text[end]))
      ++end;
    StringRef word = StringRef(text).slice(i, end);
    if (llvm::is_contained(kElementTypes, word))
      types.push_back({i, end});
  }
  if (types.empty())
    return false;
  replaceOneOrAll(text, random.pick(types), random.pick(kElementTypes), random);
  return true;
}

static bool changeContainer(std::string &text, Random &random, const Corpus &) {
  static const char *const kContainers[] = {"tensor<", "memref<", "vector<"};
  StringRef from = random.pick(kContainers);
  std::string to = random.pick(kContainers);
  std::vector<size_t> places;
  for (size_t i = text.find(from); i != std::string::npos;
       i = text.find(from, i + 1))
    places.push_back(i);
  if (places.empty() || from == to)
    return false;
  size_t at = random.pick(places);
  size_t end = text.find('>', at);
  if (end == std::string::npos)
    return false;
  std::string type = text.substr(at, end - at);
  std::string changed = to + type.substr(from.size());
  replaceOneOrAll(text, {at, end}, changed, random);
  return true;
}

//===----------------------------------------------------------------------===//
// Lines, operands and ops
//===----------------------------------------------------------------------===//

static bool changeLines(std::string &text, Random &random,
                        const Corpus &corpus) {
  SmallVector<StringRef> lines;
  StringRef(text).split(lines, '\n');
  if (lines.size() < 3)
    return false;
  size_t at = random.below(lines.size()), other = random.below(lines.size());
  SmallVector<StringRef> foreign;
  switch (random.below(6)) {
  case 0:
  case 1:
    lines.erase(lines.begin() + at);
    break;
  case 2:
    lines.insert(lines.begin() + at, lines[at]);
    break;
  case 3:
    std::swap(lines[at], lines[other]);
    break;
  case 4:
    lines.insert(lines.begin() + other, lines[at]);
    break;
  default:
    StringRef(random.pick(corpus.seeds).text).split(foreign, '\n');
    lines.insert(lines.begin() + at, random.pick(foreign));
  }
  text = llvm::join(lines, "\n");
  return true;
}

static std::vector<Span> findOperands(StringRef text) {
  std::vector<Span> operands;
  for (size_t i = text.find('%'); i != StringRef::npos;
       i = text.find('%', i + 1)) {
    size_t end = i + 1;
    while (end < text.size() && (isWord(text[end]) || text[end] == '#'))
      ++end;
    operands.push_back({i, end});
  }
  return operands;
}

static bool changeOperand(std::string &text, Random &random, const Corpus &) {
  std::vector<Span> operands = findOperands(text);
  if (operands.size() < 2)
    return false;
  size_t at = random.below(operands.size());
  // What is near is the likelier to have the same type.
  size_t reach = random.below(3) ? 8 : operands.size();
  size_t low = at > reach ? at - reach : 0;
  size_t high = std::min(at + reach, operands.size() - 1);
  Span other = operands[low + random.below(high - low + 1)];
  replace(text, operands[at],
          StringRef(text).slice(other.begin, other.end).str());
  return true;
}

static bool changeOp(std::string &text, Random &random, const Corpus &corpus) {
  std::vector<Span> names;
  for (size_t i = text.find("\"("); i != std::string::npos;
       i = text.find("\"(", i + 1)) {
    size_t begin = text.rfind('"', i - 1);
    if (i > 0 && begin != std::string::npos)
      names.push_back({begin + 1, i});
  }
  if (names.empty())
    return false;
  replace(text, random.pick(names),
          random.below(3) ? StringRef(random.pick(corpus.opNames)) : "a.b");
  return true;
}

static bool insertOp(std::string &text, Random &random, const Corpus &) {
  static const char *const kOps[] = {
      "\"a.b\"() : () -> ()",
      "%unused = \"a.b\"() : () -> tensor<2xf32>",
      "%unused = \"a.b\"() : () -> memref<2xf32>",
      R"("a.b"() ({
^bb0(%unused: f32):
  "a.c"() : () -> ()
}) : () -> ())",
      "%unused = arith.constant dense<1> : tensor<2xi8>",
      "func.func private @nosuch(memref<?xf32>, i64) -> i32",
      "%unused = llvm.mlir.zero : !llvm.ptr",
      "return"};
  std::vector<size_t> ends;
  for (size_t i = text.find('\n'); i != std::string::npos;
       i = text.find('\n', i + 1))
    ends.push_back(i);
  if (ends.empty())
    return false;
  text.insert(random.pick(ends), std::string("\n") + random.pick(kOps));
  return true;
}

ArrayRef<Mutation> mlir::convoy::test::getTextMutations() {
  static const Mutation kMutations[] = {
      changeNumber,      changeNumber,  changeShape,       changeShape,
      changeElementType, changeLines,   changeLines,       changeOp,
      insertOp,          changeOperand, changeElementType, changeContainer};
  return kMutations;
}

ArrayRef<Mutation> mlir::convoy::test::getNumberMutations() {
  static const Mutation kMutations[] = {
      changeNumber, changeNumber, changeNumber, changeShape, changeElementType};
  return kMutations;
}

void mlir::convoy::test::mutate(std::string &text, Random &random,
                                const Corpus &corpus) {
  size_t count = random.below(2) ? 1 : 1 + random.below(3);
  for (size_t made = 0, tried = 0; made < count && tried < 20; ++tried)
    made += random.pick(random.below(3)
                            ? getTextMutations()
                            : getAttributeMutations())(text, random, corpus);
}
