//===- Completions.h - Names that an editor offers --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's parser knows which ops and typed attributes may stand where somebody
// writes, but not which discardable attributes: it offers nothing where one is
// named. So texts and questions about them are read on their way to the server,
// and its answers on their way back.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_LSP_SERVER_COMPLETIONS_H
#define CONVOY_TOOLS_CONVOY_LSP_SERVER_COMPLETIONS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

#include <map>
#include <mutex>

namespace mlir::convoy {

/// Completes names of the dialect's discardable attributes. Both functions may
/// be called at once.
class Completions {
public:
  /// Takes note of a message to the server.
  void ask(llvm::StringRef message);

  /// Adds names to `answer`, a message of the server, where it offers none in
  /// the place of an attribute's name; whether there are some.
  bool answer(llvm::json::Object &answer);

private:
  void ask(const llvm::json::Object &message);

  std::mutex mutex;
  /// Texts by what an editor calls them.
  llvm::StringMap<std::string> texts;
  /// What is written already of the name of an attribute, by the question.
  std::map<int64_t, std::string> beginnings;
};

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_LSP_SERVER_COMPLETIONS_H
