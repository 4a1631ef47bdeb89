//===- convoy-opt.cpp - MLIR's optimizer with our passes --------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OptMain.h"

int main(int argc, char **argv) { return mlir::convoy::runOptMain(argc, argv); }
