//===- dynamic_batch.c - One kernel on several batches and images ---------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares a kernel of dynamic sizes with plain loops.
//
//===----------------------------------------------------------------------===//

#include "dynamic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { C = 3, F = 5, KH = 3, KW = 2, PAD = 1 };

/* Small integers: every order of summation gives the same. */
static float value(int64_t index, int seed) {
  return (float)((index * 7 + seed * 5) % 9 - 4);
}

static float *filled(int64_t count, int seed) {
  float *data = malloc(count * sizeof(float) + 1);
  for (int64_t i = 0; i < count; ++i)
    data[i] = value(i, seed);
  return data;
}

static float expected(const float *x, const float *w, const float *init,
                      int64_t ih, int64_t iw, int64_t oh, int64_t ow, int64_t n,
                      int64_t y, int64_t z, int64_t f) {
  float sum = init[((n * oh + y) * ow + z) * F + f];
  for (int64_t ky = 0; ky < KH; ++ky)
    for (int64_t kx = 0; kx < KW; ++kx)
      for (int64_t c = 0; c < C; ++c) {
        int64_t iy = y + ky - PAD, ix = z + kx;
        if (iy >= 0 && iy < ih && ix < iw)
          sum += x[((n * ih + iy) * iw + ix) * C + c] *
                 w[((ky * KW + kx) * C + c) * F + f];
      }
  return sum;
}

static int check(int64_t batch, int64_t ih, int64_t iw) {
  int64_t oh = ih, ow = iw - KW + 1;
  float *x = filled(batch * ih * iw * C, 1);
  float *w = filled(KH * KW * C * F, 2);
  float *init = filled(batch * oh * ow * F, 3);
  float *y = filled(batch * oh * ow * F, 4);
  int64_t bytes =
      image_workspace_size(batch, ih, iw, batch, oh, ow, batch, oh, ow);
  if (bytes < 0)
    return printf("no workspace for %d x %d x %d\n", (int)batch, (int)ih,
                  (int)iw);
  void *workspace = aligned_alloc(64, bytes + 64);
  memset(workspace, 0xff, bytes);
  int code = image(x, w, init, y, workspace, batch, ih, iw, batch, oh, ow,
                   batch, oh, ow);
  int wrong = code != CONVOY_KERNEL_OK;
  for (int64_t n = 0; n < batch; ++n)
    for (int64_t row = 0; row < oh; ++row)
      for (int64_t col = 0; col < ow; ++col)
        for (int64_t f = 0; f < F; ++f)
          wrong += y[((n * oh + row) * ow + col) * F + f] !=
                   expected(x, w, init, ih, iw, oh, ow, n, row, col, f);
  printf("%d x %d x %d: code %d, %d wrong\n", (int)batch, (int)ih, (int)iw,
         code, wrong);
  free(x), free(w), free(init), free(y), free(workspace);
  return wrong;
}

/* Sizes that the kernel must refuse before it touches anything. */
static int check_refusals(void) {
  static float x[2 * 4 * 4 * C], w[KH * KW * C * F], init[2 * 4 * 3 * F],
      y[2 * 4 * 3 * F];
  _Alignas(64) static char workspace[4096];
  int wrong = 0;
  /* The batch of the result, a window past the input, a negative size. */
  wrong += image(x, w, init, y, workspace, 2, 4, 4, 2, 4, 3, 1, 4, 3) !=
           CONVOY_KERNEL_WRONG_SIZES;
  wrong += image(x, w, init, y, workspace, 2, 4, 4, 2, 4, 4, 2, 4, 4) !=
           CONVOY_KERNEL_WRONG_SIZES;
  wrong += image(x, w, init, y, workspace, -2, 4, 4, -2, 4, 3, -2, 4, 3) !=
           CONVOY_KERNEL_WRONG_SIZES;
  wrong += image_workspace_size(2, 4, 4, 2, 4, 3, 1, 4, 3) != -1;
  wrong += image_workspace_size(2, 4, 4, 2, 4, 3, 2, 4, 3) < 0;
  wrong += image(0, w, init, y, workspace, 2, 4, 4, 2, 4, 3, 2, 4, 3) !=
           CONVOY_KERNEL_NULL_POINTER;
  wrong += image((float *)((char *)x + 1), w, init, y, workspace, 2, 4, 4, 2, 4,
                 3, 2, 4, 3) != CONVOY_KERNEL_MISALIGNED_POINTER;
  wrong += image(x, w, init, y, workspace + 4, 2, 4, 4, 2, 4, 3, 2, 4, 3) !=
           CONVOY_KERNEL_MISALIGNED_POINTER;
  printf("refusals: %d wrong\n", wrong);
  return wrong;
}

int main(void) {
  int wrong = 0;
  for (int64_t batch = 1; batch <= 4; ++batch)
    wrong += check(batch, 5, 6);
  wrong += check(1, 1, 2);
  wrong += check(2, 33, 17);
  wrong += check(3, 8, 70);
  wrong += check_refusals();
  return wrong != 0;
}
