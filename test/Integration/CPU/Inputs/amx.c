//===- amx.c - A kernel with tiles of AMX ---------------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls such a kernel without having asked the system for anything.
//
//===----------------------------------------------------------------------===//

#include "conv.h"

#include <stdio.h>
#include <stdlib.h>

enum { Pixels = 28 * 28, Channels = 64, Taps = 9, One = 0x3f80 };

static uint16_t *make(size_t elements, uint16_t bits) {
  uint16_t *tensor = aligned_alloc(64, elements * sizeof(uint16_t));
  for (size_t i = 0; i < elements; ++i)
    tensor[i] = bits;
  return tensor;
}

int main(void) {
  uint16_t *input = make(Pixels * Channels, One);
  uint16_t *filter = make(Taps * Channels * Channels, One);
  uint16_t *output = make(Pixels * Channels, 0);
  void *workspace = aligned_alloc(64, (conv_workspace_bytes / 64 + 1) * 64);
  int code = conv(input, filter, output, workspace);
  printf("%d: %x at a corner, %x inside\n", code, output[0],
         output[29 * Channels]);
  return code;
}
