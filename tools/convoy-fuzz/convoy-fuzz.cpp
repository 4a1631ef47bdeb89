//===- convoy-fuzz.cpp - Finds convolutions that are wrong ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FuzzMain.h"

int main(int argc, char **argv) {
  return mlir::convoy::runFuzzMain(argc, argv);
}
