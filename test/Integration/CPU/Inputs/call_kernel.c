//===- call_kernel.c - Calls a kernel of a shared object ------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: call_kernel LIBRARY KERNEL WORKSPACE SIZE...
// Reads buffers of the sizes, in bytes, one after the other, and writes them
// after the call. Exits with the kernel's code.
//
//===----------------------------------------------------------------------===//

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef int (*three_buffers)(void *, void *, void *, void *);
typedef int (*four_buffers)(void *, void *, void *, void *, void *);

int main(int argc, char **argv) {
  if (argc < 7 || argc > 8)
    return 100;
  void *library = dlopen(argv[1], RTLD_NOW);
  void *kernel = library ? dlsym(library, argv[2]) : NULL;
  if (!kernel) {
    fprintf(stderr, "%s\n", dlerror());
    return 101;
  }
  void *buffers[4] = {0};
  size_t sizes[4];
  int count = argc - 4;
  for (int i = 0; i < count; ++i) {
    sizes[i] = strtoul(argv[4 + i], NULL, 10);
    buffers[i] = malloc(sizes[i] + 1);
    if (!buffers[i] || fread(buffers[i], 1, sizes[i], stdin) != sizes[i])
      return 102;
  }
  size_t bytes = (strtoul(argv[3], NULL, 10) + 127) / 64 * 64;
  void *workspace = aligned_alloc(64, bytes);
  int code = count == 3
                 ? ((three_buffers)kernel)(buffers[0], buffers[1], buffers[2],
                                           workspace)
                 : ((four_buffers)kernel)(buffers[0], buffers[1], buffers[2],
                                          buffers[3], workspace);
  for (int i = 0; i < count; ++i)
    fwrite(buffers[i], 1, sizes[i], stdout);
  return code;
}
