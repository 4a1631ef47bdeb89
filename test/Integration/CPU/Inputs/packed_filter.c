//===- packed_filter.c - One packed filter on several inputs --------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Packs a filter once. Packed and plain kernels sum the same integers.
//
//===----------------------------------------------------------------------===//

#include "packed.h"
#include "plain.h"

#include <stdio.h>

enum {
  kInputs = 2 * 9 * 8 * 5,
  kFilters = 3 * 2 * 5 * 37,
  kOutputs = 2 * 9 * 9 * 37
};

static float input[kInputs], filter[kFilters];
static float expected[kOutputs], output[kOutputs];
static _Alignas(64) float panels[packed_filter_elements];
static _Alignas(64) char workspace[packed_workspace_bytes + 1];
static _Alignas(
    64) char packer_workspace[packed_pack_filter_workspace_bytes + 1];
static _Alignas(64) char plain_workspace[plain_workspace_bytes + 1];

int main(void) {
  for (int i = 0; i < kFilters; ++i)
    filter[i] = (float)(i * 7 % 11 - 5);
  int code = packed_pack_filter(filter, panels, packer_workspace);
  for (int run = 0; run < 3; ++run) {
    for (int i = 0; i < kInputs; ++i)
      input[i] = (float)((i + run) * 5 % 13 - 6);
    code += packed(input, panels, output, workspace);
    code += plain(input, filter, expected, plain_workspace);
    int wrong = 0;
    for (int i = 0; i < kOutputs; ++i)
      wrong += output[i] != expected[i];
    printf("code %d, %d wrong\n", code, wrong);
  }
  return 0;
}
