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

#include "llvm/Support/JSON.h"

namespace mlir::convoy {

/// Adds what an op of the dialect means to `answer`, a message of a server,
/// where it says what is under the cursor; whether it does.
bool addOpDoc(llvm::json::Object &answer);

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_LSP_SERVER_HOVERDOCS_H
