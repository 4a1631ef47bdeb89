/*===- scalars.c - A program that passes scalars to a kernel --------------===*\
 *
 * Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
\*===----------------------------------------------------------------------===*/

#include "scalars.h"

#include <stdio.h>

int main(void) {
  float x[3] = {1, 2, 3}, y[3] = {0};
  static _Alignas(64) unsigned char workspace[4096];
  const uint16_t half = 0x4c00, bfloat = 0x4200; /* 16 and 32 */
  if (add_scalars_workspace_bytes > sizeof(workspace) ||
      add_scalars(x, 4, 8, half, bfloat, -64, y, workspace) != CONVOY_KERNEL_OK)
    return 1;
  for (int i = 0; i < 3; ++i)
    if (y[i] != x[i] - 4) {
      fprintf(stderr, "expected %g, but got %g\n", x[i] - 4, y[i]);
      return 1;
    }
  return 0;
}
