//===- Messages.cpp - What editors and servers send -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Messages.h"

#include <cerrno>
#include <unistd.h>

using namespace mlir::convoy;

namespace {
/// Reads a file as it comes: stdio's functions would hold a lock on it for as
/// long as they wait, and the program could not end.
class Reader {
public:
  explicit Reader(int file) : file(file) {}

  /// A line with its end; false where there is none.
  bool readLine(std::string &line) {
    size_t end;
    while ((end = text.find('\n')) == std::string::npos)
      if (!readMore()) {
        line = std::exchange(text, "");
        return !line.empty();
      }
    line = take(end + 1);
    return true;
  }

  /// So many bytes, or those that there are.
  std::string readBytes(size_t size) {
    while (text.size() < size && readMore()) {
    }
    return take(std::min(size, text.size()));
  }

private:
  bool readMore() {
    char buffer[1 << 16];
    ssize_t size;
    do
      size = ::read(file, buffer, sizeof(buffer));
    while (size < 0 && errno == EINTR);
    if (size <= 0)
      return false;
    text.append(buffer, size_t(size));
    return true;
  }

  std::string take(size_t size) {
    std::string taken = text.substr(0, size);
    text.erase(0, size);
    return taken;
  }

  int file;
  std::string text;
};
} // namespace

static bool write(int to, llvm::StringRef text) {
  while (!text.empty()) {
    ssize_t size = ::write(to, text.data(), text.size());
    if (size < 0 && errno == EINTR)
      continue;
    if (size <= 0)
      return false;
    text = text.drop_front(size_t(size));
  }
  return true;
}

void mlir::convoy::copyMessages(
    int from, int to, llvm::function_ref<std::string(std::string)> edit) {
  Reader reader(from);
  bool isOpen = true;
  // Text without a length, up to what divides messages in tests.
  std::string text;
  for (std::string line; isOpen && reader.readLine(line);) {
    llvm::StringRef length = line;
    size_t size;
    if (!length.consume_front("Content-Length: ") ||
        length.trim().getAsInteger(10, size)) {
      if (length.starts_with("// -----"))
        edit(std::exchange(text, ""));
      else if (!length.starts_with("//"))
        text += line;
      isOpen = write(to, line);
      continue;
    }
    // What else the head says of the message is not about its length.
    std::string head;
    while (reader.readLine(line) && line != "\r\n")
      head += line;
    std::string message = edit(reader.readBytes(size));
    isOpen = write(to, "Content-Length: " + std::to_string(message.size()) +
                           "\r\n" + head + "\r\n" + message);
  }
}
