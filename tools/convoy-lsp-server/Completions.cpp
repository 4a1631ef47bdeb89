//===- Completions.cpp - Names that an editor offers ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Completions.h"

#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

using namespace mlir::convoy;
namespace json = llvm::json;

/// LSP's number for the kind of thing that has a name and a value.
static constexpr int kPropertyKind = 10;

static constexpr llvm::StringLiteral kPrefix = "convoy.";

/// The text before a place, of which an editor says the line and the number of
/// UTF-16 units before it in this.
static llvm::StringRef getTextBefore(llvm::StringRef text, int64_t line,
                                     int64_t character) {
  size_t end = 0;
  for (; line > 0 && end != llvm::StringRef::npos; --line) {
    end = text.find('\n', end);
    end = end == llvm::StringRef::npos ? end : end + 1;
  }
  while (character > 0 && end < text.size() && text[end] != '\n') {
    unsigned bytes = llvm::getNumBytesForUTF8(text[end]);
    character -= bytes > 3 ? 2 : 1;
    end += bytes;
  }
  return text.take_front(end);
}

/// What `text` ends with of the name of an attribute in a dictionary, if there
/// its name may stand.
static std::optional<std::string> findBeginning(llvm::StringRef text) {
  llvm::StringRef rest = text.rtrim(
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$.");
  llvm::StringRef beginning = text.drop_front(rest.size());
  char before = rest.rtrim().empty() ? ' ' : rest.rtrim().back();
  if (before != '{' && before != ',')
    return std::nullopt;
  return beginning.str();
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

void Completions::ask(llvm::StringRef message) {
  llvm::Expected<json::Value> value = json::parse(message);
  if (!value) {
    llvm::consumeError(value.takeError());
    return;
  }
  if (const json::Object *object = value->getAsObject())
    ask(*object);
}

void Completions::ask(const json::Object &message) {
  llvm::StringRef method = message.getString("method").value_or("");
  const json::Object *params = message.getObject("params");
  const json::Object *document =
      params ? params->getObject("textDocument") : nullptr;
  std::optional<llvm::StringRef> uri =
      document ? document->getString("uri") : std::nullopt;
  if (!uri)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  if (method == "textDocument/didOpen") {
    texts[*uri] = document->getString("text").value_or("").str();
  } else if (method == "textDocument/didChange") {
    // The server asks for whole texts.
    const json::Array *changes = params->getArray("contentChanges");
    const json::Object *change =
        changes && !changes->empty() ? changes->back().getAsObject() : nullptr;
    if (change)
      texts[*uri] = change->getString("text").value_or("").str();
  } else if (method == "textDocument/didClose") {
    texts.erase(*uri);
  } else if (method == "textDocument/completion") {
    const json::Object *position = params->getObject("position");
    std::optional<int64_t> id = message.getInteger("id");
    if (!position || !id)
      return;
    std::optional<std::string> beginning = findBeginning(getTextBefore(
        texts.lookup(*uri), position->getInteger("line").value_or(0),
        position->getInteger("character").value_or(0)));
    if (beginning)
      beginnings[*id] = *beginning;
  }
}

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

/// The attributes that go on from `beginning`, without what an editor takes
/// for a word of its own.
static json::Array getItems(llvm::StringRef beginning) {
  bool hasPrefix = beginning.starts_with(kPrefix);
  json::Array items;
  // Where one stands in two places, one line has both.
  llvm::MapVector<llvm::StringRef, std::pair<std::string, llvm::StringRef>> all;
  for (const DiscardableAttr &attribute : getDiscardableAttrs()) {
    auto &[place, value] = all[attribute.name];
    place += (place.empty() ? "on " : " or ") + attribute.place.str();
    value = attribute.value;
  }
  for (const auto &[name, entry] : all)
    if (name.starts_with(beginning))
      items.push_back(json::Object{
          {"label", hasPrefix ? name.drop_front(kPrefix.size()) : name},
          {"kind", kPropertyKind},
          {"detail", entry.first},
          {"documentation", entry.second}});
  return items;
}

bool Completions::answer(json::Object &answer) {
  std::optional<int64_t> id = answer.getInteger("id");
  if (!id)
    return false;
  std::string beginning;
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto place = beginnings.find(*id);
    if (place == beginnings.end())
      return false;
    beginning = std::move(place->second);
    beginnings.erase(place);
  }
  json::Object *result = answer.getObject("result");
  json::Array *items = result ? result->getArray("items") : nullptr;
  if (!items || !items->empty())
    return false;
  *items = getItems(beginning);
  return !items->empty();
}
