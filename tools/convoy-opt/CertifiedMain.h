//===- CertifiedMain.h - MLIR's main with a proof of each pass --*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TOOLS_CONVOY_OPT_CERTIFIEDMAIN_H
#define CONVOY_TOOLS_CONVOY_OPT_CERTIFIEDMAIN_H

#include "mlir/IR/DialectRegistry.h"

namespace mlir::convoy {

/// MlirOptMain with `--convoy-certify-each`; returns the program's exit code.
int runOptMain(int argc, char **argv, DialectRegistry &registry);

} // namespace mlir::convoy

#endif // CONVOY_TOOLS_CONVOY_OPT_CERTIFIEDMAIN_H
