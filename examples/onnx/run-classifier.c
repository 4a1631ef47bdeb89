//===- run-classifier.c - Layers of a network, from C -------------*- C -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs PP-OCR's classifier up to its last layer, and compares with numbers of
// ONNX Runtime's. All convolutions, pools and what stands between them are one
// function of the object that convoy-import-onnx makes; what is left is a
// matrix of 200 times 2 numbers.
//
// usage: run-classifier INPUT.bin EXPECTED.bin
//
// The files hold floats; examples/python/record-numbers.py writes them.
//
//===----------------------------------------------------------------------===//

#include "classifier.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { RESULTS = classifier_chain0_pool2d_10_tmp_0_elements };

static void fail(const char *what) {
  fprintf(stderr, "run-classifier: %s\n", what);
  exit(1);
}

static void read_floats(const char *path, float *values, size_t count) {
  FILE *file = fopen(path, "rb");
  if (!file || fread(values, sizeof(float), count, file) != count ||
      fgetc(file) != EOF)
    fail("expected files of as many floats as the model's input and result");
  fclose(file);
}

/* The largest difference, in units of the largest number expected. */
static float compare(const float *found, const float *expected) {
  float difference = 0, largest = 0;
  for (int i = 0; i < RESULTS; ++i) {
    difference = fmaxf(difference, fabsf(found[i] - expected[i]));
    largest = fmaxf(largest, fabsf(expected[i]));
  }
  return difference / largest;
}

int main(int argc, char **argv) {
  static float x[classifier_chain0_x_elements];
  static float y[RESULTS], expected[RESULTS];
  if (argc != 3)
    fail("usage: run-classifier INPUT EXPECTED");
  read_floats(argv[1], x, classifier_chain0_x_elements);
  read_floats(argv[2], expected, RESULTS);

  void *workspace = aligned_alloc(64, classifier_chain0_workspace_bytes);
  if (classifier_chain0(x, y, workspace) != CONVOY_KERNEL_OK)
    fail("a kernel refuses its arguments");
  free(workspace);

  float difference = compare(y, expected);
  printf("%d numbers, which differ by at most %.2g of the largest\n", RESULTS,
         difference);
  /* Half of the digits. */
  return difference <= sqrtf(FLT_EPSILON) ? 0 : 1;
}
