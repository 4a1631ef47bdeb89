//===- Messages.h - What editors and servers send ---------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_LSP_SERVER_MESSAGES_H
#define CONVOY_TOOLS_CONVOY_LSP_SERVER_MESSAGES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlir::convoy {

/// Copies what is read from `from` to `to`, files of the system. Each message
/// that has its length before it is replaced by what `edit` makes of it; text
/// between `// -----`, as tests have it, is shown to `edit` and stays as it is.
/// Ends with `from`, or when `to` takes no more.
void copyMessages(int from, int to,
                  llvm::function_ref<std::string(std::string)> edit);

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_LSP_SERVER_MESSAGES_H
