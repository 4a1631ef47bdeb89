//===- HoverDocs.h - Answers about ops that say what they mean --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's server answers what is under the cursor with an op's generic form, and
// has no place for more. So its messages are read once more on their way out.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_LSP_SERVER_HOVERDOCS_H
#define CONVOY_TOOLS_CONVOY_LSP_SERVER_HOVERDOCS_H

#include <cstdio>
#include <string>

namespace mlir::convoy {

/// `message`, a server's JSON, with what an op of the dialect means where it
/// answers what is under the cursor.
std::string addOpDoc(std::string message);

/// Copies the messages of a server from `from` to `to`, each through addOpDoc,
/// and text that is no message as it is. Ends with `from`, or when `to` takes
/// no more.
void copyMessages(std::FILE *from, std::FILE *to);

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_LSP_SERVER_HOVERDOCS_H
