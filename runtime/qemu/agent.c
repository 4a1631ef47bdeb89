/*===- agent.c - Calls kernels inside of an emulator
--------------------------*\
|*
|* Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* A program for the emulated machine. It loads one shared object and calls its
|* kernels, on requests from standard input. lib/QemuDevice.cpp has the other
|* end of the pipe, and says what is sent. Both machines have the same order of
|* bytes.
|*
\*===----------------------------------------------------------------------===*/

#define _GNU_SOURCE

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { Found = 1, Launched = 2, MostArguments = 57, LineBytes = 64 };

static void readAll(void *data, size_t size) {
  for (char *next = data; size > 0;) {
    ssize_t count = read(STDIN_FILENO, next, size);
    if (count <= 0)
      exit(0); /* the other end is gone */
    next += count;
    size -= (size_t)count;
  }
}

static void writeAll(const void *data, size_t size) {
  for (const char *next = data; size > 0;) {
    ssize_t count = write(STDOUT_FILENO, next, size);
    if (count <= 0)
      exit(0);
    next += count;
    size -= (size_t)count;
  }
}

static uint64_t readNumber(void) {
  uint64_t number;
  readAll(&number, sizeof(number));
  return number;
}

static void writeNumber(uint64_t number) { writeAll(&number, sizeof(number)); }

/* `size` bytes that are sent, aligned as those of kernels have to be. */
static char *readBytes(size_t size) {
  char *data = aligned_alloc(LineBytes, (size / LineBytes + 1) * LineBytes);
  if (!data)
    exit(1);
  readAll(data, size);
  data[size] = 0;
  return data;
}

/* Loads the shared object that is sent; the answer is what was wrong. */
static void *loadLibrary(void) {
  uint64_t size = readNumber();
  char *image = readBytes(size);
  int file = memfd_create("kernels", 0);
  FILE *stream = fdopen(file, "w");
  if (!stream || fwrite(image, 1, size, stream) != size || fflush(stream))
    exit(1);
  char path[64];
  snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  const char *error = library ? "" : dlerror();
  writeNumber(strlen(error));
  writeAll(error, strlen(error));
  free(image);
  return library;
}

typedef int64_t Argument;

/* Each argument takes a register or 8 bytes of the stack, so that more than a
 * kernel has do no harm. */
static int call(void *kernel, const Argument *a) {
  typedef int Kernel(Argument, Argument, Argument, Argument, Argument, Argument,
                     Argument, Argument, Argument, Argument, Argument, Argument,
                     Argument, Argument, Argument, Argument, Argument, Argument,
                     Argument, Argument, Argument, Argument, Argument, Argument,
                     Argument, Argument, Argument, Argument, Argument, Argument,
                     Argument, Argument, Argument, Argument, Argument, Argument,
                     Argument, Argument, Argument, Argument, Argument, Argument,
                     Argument, Argument, Argument, Argument, Argument, Argument,
                     Argument, Argument, Argument, Argument, Argument, Argument,
                     Argument, Argument, Argument);
  return ((Kernel *)kernel)(
      a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11],
      a[12], a[13], a[14], a[15], a[16], a[17], a[18], a[19], a[20], a[21],
      a[22], a[23], a[24], a[25], a[26], a[27], a[28], a[29], a[30], a[31],
      a[32], a[33], a[34], a[35], a[36], a[37], a[38], a[39], a[40], a[41],
      a[42], a[43], a[44], a[45], a[46], a[47], a[48], a[49], a[50], a[51],
      a[52], a[53], a[54], a[55], a[56]);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Calls a kernel with the memory and the numbers that are sent. The answer is
 * its code, the seconds that it took, and the memory afterwards. */
static void launch(void *kernel) {
  uint64_t count = readNumber();
  char **regions = calloc(count + 1, sizeof(char *));
  uint64_t *sizes = calloc(count + 1, sizeof(uint64_t));
  if (!regions || !sizes)
    exit(1);
  for (uint64_t i = 0; i < count; ++i) {
    sizes[i] = readNumber();
    regions[i] = readBytes(sizes[i]);
  }
  Argument arguments[MostArguments] = {0};
  uint64_t argumentCount = readNumber();
  for (uint64_t i = 0; i < argumentCount; ++i) {
    uint64_t region = readNumber(); /* or `count` for a plain number */
    arguments[i] = (Argument)readNumber();
    if (region < count)
      arguments[i] += (Argument)regions[region];
  }
  double start = now();
  int code = call(kernel, arguments);
  double seconds = now() - start;
  writeNumber((uint64_t)code);
  writeAll(&seconds, sizeof(seconds));
  for (uint64_t i = 0; i < count; ++i) {
    writeAll(regions[i], sizes[i]);
    free(regions[i]);
  }
  free(regions);
  free(sizes);
}

int main(void) {
  void *library = loadLibrary();
  while (1) {
    uint64_t request = readNumber();
    uint64_t length = readNumber();
    char *name = readBytes(length);
    void *kernel = library ? dlsym(library, name) : NULL;
    free(name);
    if (request == Found)
      writeNumber(kernel != NULL);
    else if (request == Launched && kernel)
      launch(kernel);
    else
      exit(1);
  }
}
