//===- header.cpp - A C++ program that includes a kernels' header ---------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernels.h"
#include "kernels.h" // NOLINT: the guard holds.

int main() {
  return kernel0(nullptr, nullptr, nullptr, nullptr) ==
                 CONVOY_KERNEL_NULL_POINTER
             ? 0
             : 1;
}
