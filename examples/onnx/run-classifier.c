//===- run-classifier.c - Layers of a network, from C -------------*- C -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the first layers of PP-OCR's classifier, Conv_0 to Conv_13, and compares
// with numbers of ONNX Runtime's. The convolutions, with what follows them, are
// three functions of the object that convoy-import-onnx makes; what lies
// between these is computed here.
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

enum {
  CHANNELS = classifier_chain1_pool2d_0_tmp_0_elements,
  PLANE = classifier_chain0_relu_1_tmp_0_elements / CHANNELS,
  RESULTS = classifier_chain2_hardswish_2_tmp_0_elements
};

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

static void check(int code) {
  if (code != CONVOY_KERNEL_OK)
    fail("a kernel refuses its arguments");
}

/* GlobalAveragePool: the mean of each channel. */
static void pool(const float *values, float *means) {
  for (int channel = 0; channel < CHANNELS; ++channel) {
    float sum = 0;
    for (int i = 0; i < PLANE; ++i)
      sum += values[channel * PLANE + i];
    means[channel] = sum / PLANE;
  }
}

/* Mul: each channel by a factor of its own. */
static void scale(float *values, const float *factors) {
  for (int channel = 0; channel < CHANNELS; ++channel)
    for (int i = 0; i < PLANE; ++i)
      values[channel * PLANE + i] *= factors[channel];
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
  static float layer[CHANNELS * PLANE], means[CHANNELS], factors[CHANNELS];
  static float y[RESULTS], expected[RESULTS];
  if (argc != 3)
    fail("usage: run-classifier INPUT EXPECTED");
  read_floats(argv[1], x, classifier_chain0_x_elements);
  read_floats(argv[2], expected, RESULTS);

  size_t bytes = classifier_chain0_workspace_bytes;
  if (bytes < classifier_chain1_workspace_bytes)
    bytes = classifier_chain1_workspace_bytes;
  if (bytes < classifier_chain2_workspace_bytes)
    bytes = classifier_chain2_workspace_bytes;
  void *workspace = aligned_alloc(64, bytes);
  check(classifier_chain0(x, layer, workspace));
  pool(layer, means);
  check(classifier_chain1(means, factors, workspace));
  scale(layer, factors);
  check(classifier_chain2(layer, y, workspace));
  free(workspace);

  float difference = compare(y, expected);
  printf("%d numbers, which differ by at most %.2g of the largest\n", RESULTS,
         difference);
  /* Half of the digits. */
  return difference <= sqrtf(FLT_EPSILON) ? 0 : 1;
}
