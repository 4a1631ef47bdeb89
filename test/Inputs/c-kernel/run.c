/*===- run.c - A program that calls kernels through their header ----------===*\
 *
 * Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * Runs every kernel of problems.txt, linked with this program or, with
 * FROM_SHARED_OBJECT, loaded from the file that is its argument. Values are
 * small integers: all types hold them, and all sums, exactly.
 *
\*===----------------------------------------------------------------------===*/

#include "kernels.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#ifdef FROM_SHARED_OBJECT
#include <dlfcn.h>
#endif

enum { N = 2, C = 3, H = 9, W = 5, F = 6, KH = 3, KW = 2, OH = 5, OW = 4 };
enum { STRIDE_H = 2, PAD_H = 1 };

typedef double f64;
typedef float f32;
typedef uint16_t f16, bf16;
typedef int8_t i8;
typedef int32_t i32;

typedef enum { INPUT, FILTER, OUTPUT } operand;
typedef enum {
  TYPE_f64,
  TYPE_f32,
  TYPE_f16,
  TYPE_bf16,
  TYPE_i8,
  TYPE_i32
} type;

enum { MAX_COUNT = N * H * W * C };
static const int counts[] = {N * H * W * C, KH * KW * C *F, N * OH * OW *F};
static const size_t sizes[] = {sizeof(f64),  sizeof(f32), sizeof(f16),
                               sizeof(bf16), sizeof(i8),  sizeof(i32)};

/* Name and number of a kernel, the types of its operands and of its result, and
 * which operand of the forward convolution is the result, the first and the
 * second argument. */
#define EACH_DIRECTION(X, N0, N1, N2, T, R)                                    \
  X(N0, T, R, OUTPUT, INPUT, FILTER)                                           \
  X(N1, T, R, INPUT, OUTPUT, FILTER)                                           \
  X(N2, T, R, FILTER, INPUT, OUTPUT)
#define EACH_KERNEL(X)                                                         \
  EACH_DIRECTION(X, 0, 1, 2, f64, f64)                                         \
  EACH_DIRECTION(X, 3, 4, 5, f32, f32)                                         \
  EACH_DIRECTION(X, 6, 7, 8, f16, f16)                                         \
  EACH_DIRECTION(X, 9, 10, 11, bf16, bf16)                                     \
  EACH_DIRECTION(X, 12, 13, 14, i8, i32)

#ifdef FROM_SHARED_OBJECT
#define KERNEL(NUMBER) NULL
#else
#define KERNEL(NUMBER) kernel##NUMBER
#endif

/* A pointer of the type that the header should declare, and a call of it. */
#define DEFINE(NUMBER, T, R, RESULT, FIRST, SECOND)                            \
  static int (*pointer##NUMBER)(const T *, const T *, R *, void *) =           \
      KERNEL(NUMBER);                                                          \
  static int call##NUMBER(const void *first, const void *second, void *result, \
                          void *workspace) {                                   \
    return pointer##NUMBER(first, second, result, workspace);                  \
  }
EACH_KERNEL(DEFINE)

typedef struct {
  const char *name;
  void *pointer;
  int (*call)(const void *, const void *, void *, void *);
  type type, result_type;
  operand result, first, second;
  size_t workspace_bytes;
} test_case;

#define LIST(NUMBER, T, R, RESULT, FIRST, SECOND)                              \
  {"kernel" #NUMBER,                                                           \
   &pointer##NUMBER,                                                           \
   call##NUMBER,                                                               \
   TYPE_##T,                                                                   \
   TYPE_##R,                                                                   \
   RESULT,                                                                     \
   FIRST,                                                                      \
   SECOND,                                                                     \
   kernel##NUMBER##_workspace_bytes},
static const test_case cases[] = {EACH_KERNEL(LIST)};

/* The bits of a small integer as f16. */
static uint16_t encode_f16(int value) {
  int magnitude = value < 0 ? -value : value, exponent = 0;
  if (value == 0)
    return 0;
  while (magnitude >> (exponent + 1))
    ++exponent;
  return (uint16_t)((value < 0 ? 0x8000 : 0) | (exponent + 15) << 10 |
                    (magnitude << (10 - exponent) & 0x3ff));
}

static void store(type type, void *data, int index, int value) {
  float single = (float)value;
  uint32_t bits;
  memcpy(&bits, &single, sizeof(bits));
  switch (type) {
  case TYPE_f64:
    ((f64 *)data)[index] = value;
    break;
  case TYPE_f32:
    ((f32 *)data)[index] = single;
    break;
  case TYPE_f16:
    ((f16 *)data)[index] = encode_f16(value);
    break;
  case TYPE_bf16:
    ((bf16 *)data)[index] = (bf16)(bits >> 16);
    break;
  case TYPE_i8:
    ((i8 *)data)[index] = (i8)value;
    break;
  case TYPE_i32:
    ((i32 *)data)[index] = value;
    break;
  }
}

/* A small integer that depends on the index and on the operand. */
static int value_of(operand operand, int index) {
  return operand == FILTER || operand == OUTPUT ? index * 5 % 7 - 3
                                                : index * 7 % 5 - 2;
}

/* Sums the products of the convolution into the operand that is the result. */
static void compute(const test_case *test, int *sums) {
  memset(sums, 0, MAX_COUNT * sizeof(*sums));
  for (int n = 0; n < N; ++n)
    for (int oh = 0; oh < OH; ++oh)
      for (int ow = 0; ow < OW; ++ow)
        for (int f = 0; f < F; ++f)
          for (int kh = 0; kh < KH; ++kh)
            for (int kw = 0; kw < KW; ++kw)
              for (int c = 0; c < C; ++c) {
                int h = oh * STRIDE_H + kh - PAD_H, w = ow + kw;
                int indices[] = {((n * H + h) * W + w) * C + c,
                                 ((kh * KW + kw) * C + c) * F + f,
                                 ((n * OH + oh) * OW + ow) * F + f};
                if (h < 0 || h >= H)
                  continue;
                sums[indices[test->result]] +=
                    value_of(test->first, indices[test->first]) *
                    value_of(test->second, indices[test->second]);
              }
}

enum { WORKSPACE_BYTES = 1 << 16 };
typedef struct {
  _Alignas(64) unsigned char first[MAX_COUNT * sizeof(f64) + 1];
  _Alignas(64) unsigned char second[MAX_COUNT * sizeof(f64) + 1];
  _Alignas(64) unsigned char result[MAX_COUNT * sizeof(f64) + 1];
  _Alignas(64) unsigned char expected[MAX_COUNT * sizeof(f64)];
  _Alignas(64) unsigned char workspace[WORKSPACE_BYTES];
} buffers;
static buffers b;

static int failures = 0;

static void expect(const test_case *test, const char *what, int actual,
                   int expected) {
  if (actual == expected)
    return;
  fprintf(stderr, "%s: %s: expected %d, but got %d\n", test->name, what,
          expected, actual);
  ++failures;
}

static void check_numbers(const test_case *test) {
  static int sums[MAX_COUNT];
  for (int i = 0; i < counts[test->first]; ++i)
    store(test->type, b.first, i, value_of(test->first, i));
  for (int i = 0; i < counts[test->second]; ++i)
    store(test->type, b.second, i, value_of(test->second, i));
  compute(test, sums);
  for (int i = 0; i < counts[test->result]; ++i)
    store(test->result_type, b.expected, i, sums[i]);
  memset(b.result, 0xff, sizeof(b.result));
  memset(b.workspace, 0xff, sizeof(b.workspace));
  expect(test, "bytes of workspace",
         test->workspace_bytes <= sizeof(b.workspace), 1);
  expect(test, "code", test->call(b.first, b.second, b.result, b.workspace),
         CONVOY_KERNEL_OK);
  size_t size = sizes[test->result_type];
  for (int i = 0; i < counts[test->result]; ++i)
    if (memcmp(b.result + size * i, b.expected + size * i, size) != 0) {
      fprintf(stderr, "%s: element %d is wrong\n", test->name, i);
      ++failures;
      return;
    }
}

static void check_pointers(const test_case *test) {
  for (int place = 0; place < 4; ++place) {
    size_t size = place == 3   ? test->workspace_bytes
                  : place == 2 ? sizes[test->result_type]
                               : sizes[test->type];
    unsigned char *pointers[] = {b.first, b.second, b.result, b.workspace};
    unsigned char *pointer = pointers[place];
    pointers[place] = NULL;
    expect(test, "null pointer",
           test->call(pointers[0], pointers[1], pointers[2], pointers[3]),
           size == 0 ? CONVOY_KERNEL_OK : CONVOY_KERNEL_NULL_POINTER);
    /* Half of the alignment: that of elements is their size. */
    pointers[place] = pointer + (place == 3 ? 32 : size / 2);
    expect(test, "misaligned pointer",
           test->call(pointers[0], pointers[1], pointers[2], pointers[3]),
           size < 2 ? CONVOY_KERNEL_OK : CONVOY_KERNEL_MISALIGNED_POINTER);
  }
}

int main(int argc, char **argv) {
  size_t count = sizeof(cases) / sizeof(cases[0]);
#ifdef FROM_SHARED_OBJECT
  void *library = dlopen(argc > 1 ? argv[1] : "", RTLD_NOW);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  for (size_t i = 0; i < count; ++i) {
    void *symbol = dlsym(library, cases[i].name);
    if (!symbol) {
      fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
    memcpy(cases[i].pointer, &symbol, sizeof(symbol));
  }
#else
  (void)argc;
  (void)argv;
#endif
  for (size_t i = 0; i < count; ++i) {
    check_numbers(&cases[i]);
    check_pointers(&cases[i]);
  }
  return failures == 0 ? 0 : 1;
}
