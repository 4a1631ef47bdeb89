//===- AttributeMutations.cpp - Changes to attributes -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::convoy::test;

static const char *const kValues[] = {
    "0",
    "-1 : i64",
    "true",
    "\"x\"",
    "\"\"",
    "@nosuch",
    "[0]",
    "[]",
    "{}",
    "unit",
    "[{}]",
    "[[1]]",
    "i32",
    "1.5 : f32",
    "[@nosuch]",
    "65536 : i64",
    "9223372036854775807 : i64",
    "array<i64: 1, 2>",
    "array<i64>",
    "array<i64: -1, 0, 0, 9223372036854775807>",
    "array<i32: 4, 0>",
    "dense<0> : tensor<2xi32>",
    "dense<1> : tensor<2xi64>",
    "dense<[]> : tensor<0xi64>",
    "affine_map<(d0) -> (d0)>",
    "affine_map<(d0, d1)[s0] -> (d0 + s0, d1 floordiv 0)>",
    "affine_map<() -> ()>",
    "[affine_map<(d0) -> (d0)>]",
    "f32",
    "memref<2xf32>",
    "@a::@b",
    "{name = 0, size = \"x\"}",
    "[\"x\", 1]",
    "[[0, 1], [2]]",
    "[{convoy.name = 1}]",
    "128 : i8",
    "loc(unknown)"};

std::string mlir::convoy::test::makeValue(Random &random,
                                          const Corpus &corpus) {
  return random.below(3) ? std::string(random.pick(kValues))
                         : random.pick(corpus.values);
}

/// An attribute with a dialect's name and some value, as text.
static std::string makeAttribute(Random &random, const Corpus &corpus) {
  bool known = random.below(2) && !corpus.discardable.empty();
  if (known && random.below(3) == 0) {
    const SeedAttr &attr = random.pick(corpus.discardable);
    return attr.name + " = " + attr.value;
  }
  std::string name = known ? random.pick(corpus.discardable).name
                           : random.pick(corpus.ownNames);
  return name + " = " + makeValue(random, corpus);
}

static bool changeValue(std::string &text, Random &random,
                        const Corpus &corpus) {
  std::vector<AttrRange> attrs = findAttributes(text);
  if (attrs.empty())
    return false;
  AttrRange attr = random.pick(attrs);
  size_t size = attr.end - attr.value;
  switch (random.below(5)) {
  case 0:
    text.replace(attr.value, size, random.pick(corpus.values));
    break;
  case 1: {
    AttrRange other = random.pick(attrs);
    text.replace(attr.value, size,
                 text.substr(other.value, other.end - other.value));
    break;
  }
  default:
    text.replace(attr.value, size, random.pick(kValues));
  }
  return true;
}

/// Makes a list longer or shorter.
static bool changeLength(std::string &text, Random &random, const Corpus &) {
  std::vector<size_t> commas;
  for (size_t i = text.find(", "); i != std::string::npos;
       i = text.find(", ", i + 1))
    commas.push_back(i);
  if (commas.empty())
    return false;
  size_t at = random.pick(commas);
  size_t end = text.find_first_of(",]>)}\n", at + 2);
  if (end == std::string::npos)
    return false;
  std::string entry = text.substr(at, end - at);
  if (random.below(2))
    text.erase(at, entry.size());
  else
    text.insert(at, entry);
  return true;
}

static bool removeAttribute(std::string &text, Random &random, const Corpus &) {
  std::vector<AttrRange> attrs = findAttributes(text);
  if (attrs.empty())
    return false;
  AttrRange attr = random.pick(attrs);
  StringRef rest = StringRef(text).drop_front(attr.end);
  if (rest.starts_with(", "))
    attr.end += 2;
  else if (StringRef(text).take_front(attr.name).ends_with(", "))
    attr.name -= 2;
  text.erase(attr.name, attr.end - attr.name);
  return true;
}

StringRef mlir::convoy::test::findDialect(StringRef text, size_t position) {
  size_t end = text.take_front(position).rfind("\"(");
  size_t begin = text.take_front(end == StringRef::npos ? 0 : end).rfind('"');
  return begin == StringRef::npos
             ? StringRef()
             : text.slice(begin + 1, end).take_until([](char c) {
                 return c == '.';
               });
}

bool mlir::convoy::test::addToOp(std::string &text, Random &random,
                                 const std::string &attr, StringRef dialect) {
  std::vector<size_t> places;
  for (size_t i = text.find(" : ("); i != std::string::npos;
       i = text.find(" : (", i + 1))
    if (dialect.empty() || findDialect(text, i) == dialect)
      places.push_back(i);
  if (places.empty())
    return false;
  size_t at = random.pick(places);
  if (text[at - 1] == '}')
    text.insert(at - 1, ", " + attr);
  else
    text.insert(at, " {" + attr + "}");
  return true;
}

/// Adds an attribute to a function, or to one of its arguments.
static bool addToFunction(std::string &text, Random &random,
                          const std::string &attr) {
  std::vector<size_t> functions;
  for (size_t i = text.find("func @"); i != std::string::npos;
       i = text.find("func @", i + 1))
    functions.push_back(i);
  if (functions.empty())
    return false;
  size_t begin = random.pick(functions);
  size_t end = text.find('\n', begin);
  if (end == std::string::npos)
    return false;
  if (random.below(2)) {
    size_t dict = StringRef(text).slice(begin, end).find("attributes {");
    if (dict != StringRef::npos)
      text.insert(begin + dict + 12, attr + ", ");
    else if (text[end - 1] == '{')
      text.insert(end - 1, "attributes {" + attr + "} ");
    return true;
  }
  size_t arg = text.find(": ", begin);
  size_t close = arg < end ? text.find_first_of(",)", arg) : std::string::npos;
  if (close == std::string::npos || close > end)
    return false;
  text.insert(close, " {" + attr + "}");
  return true;
}

static bool addToModule(std::string &text, const std::string &attr) {
  if (text.find("module") != std::string::npos)
    return false;
  text = "module attributes {" + attr + "} {\n" + text + "}\n";
  return true;
}

bool mlir::convoy::test::addAttribute(std::string &text, Random &random,
                                      const std::string &attr) {
  switch (random.below(3)) {
  case 0:
    return addToOp(text, random, attr);
  case 1:
    return addToFunction(text, random, attr);
  default:
    return addToModule(text, attr);
  }
}

static bool addSomeAttribute(std::string &text, Random &random,
                             const Corpus &corpus) {
  return addAttribute(text, random, makeAttribute(random, corpus));
}

ArrayRef<Mutation> mlir::convoy::test::getAttributeMutations() {
  static const Mutation kMutations[] = {
      changeValue,      changeValue,      changeValue,      changeLength,
      addSomeAttribute, addSomeAttribute, addSomeAttribute, removeAttribute};
  return kMutations;
}

ArrayRef<Mutation> mlir::convoy::test::getValueMutations() {
  static const Mutation kMutations[] = {changeValue, changeLength,
                                        changeLength};
  return kMutations;
}
