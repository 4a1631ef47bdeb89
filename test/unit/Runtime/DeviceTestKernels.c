//===- DeviceTestKernels.c - Kernels for the device tests -----------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions of the kernel ABI, linked into the test and loaded as a shared
// object alike.
//
//===----------------------------------------------------------------------===//

#include <stdint.h>

/* output[i] = input[i] + filter[0], through the workspace; 3 elements. */
int add_filter(const float *input, const float *filter, float *output,
               void *workspace) {
  float *copy = workspace;
  for (int i = 0; i < 3; ++i)
    copy[i] = input[i] + filter[0];
  for (int i = 0; i < 3; ++i)
    output[i] = copy[i];
  return 0;
}

/* Writes one byte before its operand and two after it. */
int stray(char *output, void *workspace, int64_t size) {
  output[-1] ^= 1;
  output[size] ^= 1;
  output[size + 1] ^= 1;
  return workspace != 0;
}

int refuse(const float *input, void *workspace) {
  return input != 0 && workspace == 0 ? 7 : 0;
}

/* Sums its sizes, each with a weight of its own, into the workspace. */
int no_buffers(int64_t *workspace, int64_t a, int64_t b, int64_t c, int64_t d,
               int64_t e, int64_t f, int64_t g, int64_t h, int64_t i, int64_t j,
               int64_t k, int64_t l, int64_t m, int64_t n, int64_t o, int64_t p,
               int64_t q, int64_t r, int64_t s, int64_t t, int64_t u, int64_t v,
               int64_t w, int64_t x) {
  *workspace = a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h +
               9 * i + 10 * j + 11 * k + 12 * l + 13 * m + 14 * n + 15 * o +
               16 * p + 17 * q + 18 * r + 19 * s + 20 * t + 21 * u + 22 * v +
               23 * w + 24 * x;
  return 0;
}

/* Every operand gets its place, the workspace's included, times a size. */
int all_buffers(int *a, int *b, int *c, int *d, int *e, int *f, int *g, int *h,
                int *workspace, int64_t one, int64_t ten) {
  int *pointers[] = {a, b, c, d, e, f, g, h, workspace};
  for (int i = 0; i < 9; ++i)
    *pointers[i] = (int)(i * ten + one);
  return 0;
}

/* Ends the process. */
int crash(int *operand, void *workspace) {
  volatile int *nowhere = 0;
  *nowhere = operand[0];
  return workspace != 0;
}
