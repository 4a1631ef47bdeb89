//===- HoverDocs.cpp - Answers about ops that say what they mean *- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HoverDocs.h"

#include "OpDocs.h"

using namespace mlir::convoy;
namespace json = llvm::json;

/// The text that `answer` shows of what is under the cursor, if it is about
/// that.
static json::Value *findHoverText(json::Object &answer) {
  json::Object *result = answer.getObject("result");
  json::Object *contents = result ? result->getObject("contents") : nullptr;
  return contents ? contents->get("value") : nullptr;
}

bool mlir::convoy::addOpDoc(json::Object &answer) {
  json::Value *text = findHoverText(answer);
  llvm::StringRef value;
  if (text)
    value = text->getAsString().value_or("");
  // An op's begins with its name in quotes.
  auto [name, rest] = value.drop_front(!value.empty()).split('"');
  llvm::StringRef doc = value.starts_with("\"") ? getOpDoc(name) : "";
  if (doc.empty())
    return false;
  *text = ("\"" + name + "\"\n\n" + doc + rest).str();
  return true;
}
