//===- MemoryStates.h - Memory as values in time ----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_CERTIFY_MEMORYSTATES_H
#define CONVOY_CERTIFY_MEMORYSTATES_H

#include "convoy/Certify/Comparison/Certificate.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::convoy {

/// Loads the dialects of the ops that `rewriteMemory` makes: passes that run in
/// threads cannot.
void loadMemoryDialects(MLIRContext &context);

/// Makes ops on tensors of what `function` does in memory: a buffer is the
/// tensor that it holds at the time, and each write makes another. An argument
/// that is never written becomes a tensor; one that is written is read at the
/// start, and written at the end alone. A workspace is none: its parts are
/// buffers. Undecided, with the op, where that cannot be told, and the function
/// still has memory then; else certified.
///
/// If `function` has buffers in the place of the tensors of `type`, as
/// bufferization leaves it, it gets that type: buffers are taken for memory of
/// their own then, which the certificate says where one of them is written, and
/// what arguments hold in the end is forgotten but for what is returned.
Certificate rewriteMemory(FunctionOpInterface function, FunctionType type = {});

} // namespace mlir::convoy

#endif // CONVOY_CERTIFY_MEMORYSTATES_H
