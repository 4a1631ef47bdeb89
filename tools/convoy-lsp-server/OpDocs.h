//===- OpDocs.h - What ops of the dialect mean ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_LSP_SERVER_OPDOCS_H
#define CONVOY_TOOLS_CONVOY_LSP_SERVER_OPDOCS_H

#include "llvm/ADT/StringRef.h"

namespace mlir::convoy {

/// Summary and description of the op `name`, as in `convoy.conv`, in Markdown;
/// empty for ops of other dialects.
llvm::StringRef getOpDoc(llvm::StringRef name);

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_LSP_SERVER_OPDOCS_H
