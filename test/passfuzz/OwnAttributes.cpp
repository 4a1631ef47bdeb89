//===- OwnAttributes.cpp - The dialect's attributes, changed ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"

#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace mlir;
using namespace mlir::convoy::test;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

using PlacesByName = std::map<std::string, std::vector<AttrPlace>>;

/// Adds where `name` stands on ops of others.
static void findOnOps(const std::string &name, StringRef text, unsigned seed,
                      PlacesByName &places) {
  for (size_t i = text.find(name); i != StringRef::npos;
       i = text.find(name, i + 1)) {
    size_t end = i + name.size();
    bool isWhole = i > 0 && StringRef("{ ").contains(text[i - 1]) &&
                   end < text.size() && !isWord(text[end]);
    if (!isWhole)
      continue;
    if (text.substr(end).starts_with(" = "))
      end = findValueEnd(text, end + 3);
    places[name].push_back({seed, i, end});
  }
}

/// Adds where attributes with types of the dialect stand.
static void findTyped(StringRef text, unsigned seed, PlacesByName &places) {
  for (size_t i = text.find("#convoy."); i != StringRef::npos;
       i = text.find("#convoy.", i + 1)) {
    size_t open = i + 1;
    while (open < text.size() && isWord(text[open]))
      ++open;
    if (open < text.size() && text[open] == '<')
      places[text.slice(i, open).str()].push_back(
          {seed, i, findValueEnd(text, i)});
  }
}

/// Adds where attributes of the dialect's ops stand in their generic form.
static void findInOps(StringRef text, unsigned seed, PlacesByName &places) {
  for (size_t i = text.find("\"convoy."); i != StringRef::npos;
       i = text.find("\"convoy.", i + 1)) {
    StringRef line = text.slice(i, text.find('\n', i));
    StringRef op = line.drop_front().split('"').first;
    size_t properties = line.find("<{");
    if (!line.substr(op.size() + 2).starts_with("(") ||
        properties == StringRef::npos)
      continue;
    for (size_t begin = properties + 2, end; begin < line.size();
         begin = end + 2) {
      StringRef name = line.substr(begin).take_while(isWord);
      end = begin + name.size();
      if (line.substr(end).starts_with(" = "))
        end = findValueEnd(line, end + 3);
      if (!name.empty())
        places[(op + "." + name).str()].push_back({seed, i + begin, i + end});
      if (end >= line.size() || line[end] != ',')
        break;
    }
  }
}

std::vector<OwnAttr>
mlir::convoy::test::findOwnAttributes(const Corpus &corpus) {
  PlacesByName places;
  for (const std::string &name : corpus.ownNames)
    places[name];
  for (auto [number, seed] : llvm::enumerate(corpus.seeds)) {
    for (const std::string &name : corpus.ownNames)
      findOnOps(name, seed.text, number, places);
    findTyped(seed.text, number, places);
    findInOps(seed.text, number, places);
  }
  std::vector<OwnAttr> attrs;
  for (auto &[name, found] : places)
    attrs.push_back({name, std::move(found)});
  return attrs;
}

//===----------------------------------------------------------------------===//
// Mutations
//===----------------------------------------------------------------------===//

/// Changes, doubles or drops one letter of a word, as of a layout.
static bool changeLetter(std::string &text, Random &random, const Corpus &) {
  std::vector<size_t> letters;
  for (size_t i = text.find_first_of("<\""); i < text.size(); ++i)
    if (llvm::isAlpha(text[i]))
      letters.push_back(i);
  if (letters.empty())
    return false;
  size_t at = random.pick(letters);
  switch (random.below(4)) {
  case 0:
    text.erase(at, 1);
    break;
  case 1:
    text.insert(at, 1, text[at]);
    break;
  case 2:
    std::swap(text[at], text[random.pick(letters)]);
    break;
  default:
    text[at] = random.pick("ngcfdhwxz");
  }
  return true;
}

/// The text of another value for what stands in `text`, with its name or
/// without.
static bool replaceValue(std::string &text, Random &random,
                         const Corpus &corpus) {
  size_t equals = text.find(" = ");
  bool isNamed = !StringRef(text).starts_with("#");
  std::string name = isNamed ? text.substr(0, equals) + " = " : "";
  text = name + makeValue(random, corpus);
  return true;
}

/// Changes what stands in `text`, one attribute, once to three times.
static void changePiece(std::string &text, Random &random,
                        const Corpus &corpus) {
  static const Mutation kOwn[] = {changeLetter, replaceValue};
  // What has other numbers is the likeliest to be read, and to reach a pass.
  ArrayRef<Mutation> mutations[] = {kOwn,
                                    getValueMutations(),
                                    getNumberMutations(),
                                    getNumberMutations(),
                                    getNumberMutations(),
                                    getNumberMutations()};
  size_t count = random.below(2) ? 1 : 1 + random.below(3);
  for (size_t made = 0, tried = 0; made < count && tried < 20; ++tried)
    made += random.pick(random.pick(mutations))(text, random, corpus);
}

/// Adds an attribute `attr`, with a value that it has elsewhere or with any
/// other, to a piece of a test.
static const Seed &addOwn(const OwnAttr &attr, std::string &text,
                          Random &random, const Corpus &corpus) {
  // An op's own has a name without the op's.
  StringRef key = attr.name;
  if (key.count('.') > 1)
    key = key.rsplit('.').second;
  std::string added = key.str() + " = " + makeValue(random, corpus);
  // Ops of the dialect of one that has it are the likeliest to be allowed it.
  StringRef dialect;
  if (!attr.places.empty() && random.below(4)) {
    const AttrPlace &place = random.pick(attr.places);
    const std::string &other = corpus.seeds[place.seed].text;
    added = other.substr(place.begin, place.end - place.begin);
    dialect = findDialect(other, place.begin);
  }
  for (;;) {
    const Seed &seed = random.pick(corpus.seeds);
    text = seed.text;
    if (dialect.empty() ? addAttribute(text, random, added)
                        : addToOp(text, random, added, dialect))
      return seed;
  }
}

const Seed &mlir::convoy::test::mutateOwn(const OwnAttr &attr,
                                          std::string &text, Random &random,
                                          const Corpus &corpus) {
  bool isNamed = !StringRef(attr.name).starts_with("#");
  if (attr.places.empty() || (isNamed && random.below(4) == 0))
    return addOwn(attr, text, random, corpus);
  const AttrPlace &place = random.pick(attr.places);
  const Seed &seed = corpus.seeds[place.seed];
  text = seed.text;
  std::string piece = text.substr(place.begin, place.end - place.begin);
  // Where the attribute stays as it is, the IR around it no longer fits.
  if (random.below(4) == 0) {
    mutate(text, random, corpus);
    return seed;
  }
  changePiece(piece, random, corpus);
  text.replace(place.begin, place.end - place.begin, piece);
  return seed;
}
