//===- HoverDocs.cpp - Answers about ops that say what they mean *- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HoverDocs.h"

#include "OpDocs.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <cstdlib>

using namespace mlir::convoy;
namespace json = llvm::json;

/// The text that `answer` shows of what is under the cursor, if it is about
/// that.
static json::Value *findHoverText(json::Value &answer) {
  json::Object *message = answer.getAsObject();
  json::Object *result = message ? message->getObject("result") : nullptr;
  json::Object *contents = result ? result->getObject("contents") : nullptr;
  return contents ? contents->get("value") : nullptr;
}

std::string mlir::convoy::addOpDoc(std::string message) {
  llvm::Expected<json::Value> answer = json::parse(message);
  if (!answer) {
    llvm::consumeError(answer.takeError());
    return message;
  }
  json::Value *text = findHoverText(*answer);
  llvm::StringRef value;
  if (text)
    value = text->getAsString().value_or("");
  // An op's begins with its name in quotes.
  auto [name, rest] = value.drop_front(!value.empty()).split('"');
  llvm::StringRef doc = value.starts_with("\"") ? getOpDoc(name) : "";
  if (doc.empty())
    return message;
  *text = ("\"" + name + "\"\n\n" + doc + rest).str();
  bool isPretty = message.find('\n') != std::string::npos;
  return isPretty ? llvm::formatv("{0:2}", *answer).str()
                  : llvm::formatv("{0}", *answer).str();
}

/// Reads a line of `from`, with its end; false where there is none.
static bool readLine(std::FILE *from, std::string &line) {
  char *buffer = nullptr;
  size_t capacity = 0;
  llvm::scope_exit release([&] { std::free(buffer); });
  ssize_t length = ::getline(&buffer, &capacity, from);
  if (length < 0)
    return false;
  line.assign(buffer, size_t(length));
  return true;
}

static bool write(std::FILE *to, llvm::StringRef text) {
  return std::fwrite(text.data(), 1, text.size(), to) == text.size();
}

void mlir::convoy::copyMessages(std::FILE *from, std::FILE *to) {
  bool isOpen = true;
  for (std::string line; isOpen && readLine(from, line);) {
    llvm::StringRef length = line;
    size_t size;
    if (!length.consume_front("Content-Length: ") ||
        length.trim().getAsInteger(10, size)) {
      isOpen = write(to, line) && std::fflush(to) == 0;
      continue;
    }
    // What else the head says of the message is not about its length.
    std::string head;
    while (readLine(from, line) && line != "\r\n")
      head += line;
    std::string message(size, '\0');
    message.resize(std::fread(message.data(), 1, size, from));
    message = addOpDoc(std::move(message));
    isOpen = write(to, "Content-Length: " + std::to_string(message.size()) +
                           "\r\n" + head + "\r\n" + message) &&
             std::fflush(to) == 0;
  }
}
