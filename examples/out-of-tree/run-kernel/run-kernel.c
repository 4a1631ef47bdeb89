/*===- run-kernel.c - Run a kernel with Convoy's runtime ------------------===*\
 *
 * Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * Runs the convolution mb1_ic2iw3oc2ow2kw2 in the shared object that is its
 * argument and prints the result. Neither Convoy's compiler nor LLVM is in it.
 *
\*===----------------------------------------------------------------------===*/

#include "conv.h"

#include "convoy/Runtime/convoy_runtime.h"

#include <stdio.h>
#include <stdlib.h>

/* Ends the program with the runtime's code and sentence where a call failed. */
static void require(int code) {
  if (code == CONVOY_OK)
    return;
  fprintf(stderr, "run-kernel: %s\n", convoy_error_text());
  exit(code);
}

/* A buffer that holds the `size` bytes at `values`; zeros where that is NULL.
 */
static convoy_buffer *make_buffer(convoy_device *device, const void *values,
                                  size_t size) {
  convoy_buffer *buffer;
  require(convoy_buffer_create(device, size, &buffer));
  if (values)
    require(convoy_buffer_write(buffer, 0, values, size));
  return buffer;
}

int main(int argc, char **argv) {
  const float input[1][3][2] = {{{0, 1}, {0, 0}, {0, 0}}};
  const float filter[2][2][2] = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
  float output[1][2][2];
  if (argc != 2) {
    fputs("run-kernel: expected FILE.so\n", stderr);
    return CONVOY_INVALID;
  }

  convoy_device *device;
  convoy_module *module;
  convoy_kernel *kernel;
  require(convoy_device_open("cpu", &device));
  /* The header was written with the module, and says which one it is. */
  require(convoy_module_load_file_of(device, argv[1], CONVOY_CONV_H_SHA256,
                                     &module));
  require(convoy_module_kernel(module, "conv", &kernel));

  convoy_buffer *buffers[3] = {make_buffer(device, input, sizeof input),
                               make_buffer(device, filter, sizeof filter),
                               make_buffer(device, NULL, sizeof output)};
  convoy_buffer *workspace = make_buffer(device, NULL, conv_workspace_bytes);
  convoy_launch launch = {0};
  launch.buffers = buffers;
  launch.buffer_count = 3;
  launch.workspace = workspace;
  require(convoy_kernel_launch(kernel, &launch));
  require(convoy_buffer_check(buffers[2]));
  require(convoy_buffer_read(buffers[2], 0, output, sizeof output));
  for (int w = 0; w < 2; ++w)
    printf("%g %g\n", output[0][w][0], output[0][w][1]);

  convoy_buffer_destroy(workspace);
  for (int operand = 0; operand < 3; ++operand)
    convoy_buffer_destroy(buffers[operand]);
  convoy_module_unload(module);
  convoy_device_close(device);
  return CONVOY_OK;
}
