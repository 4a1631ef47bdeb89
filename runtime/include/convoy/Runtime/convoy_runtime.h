/*===- convoy_runtime.h - Running kernels on devices --------------*- C -*-===*\
|*
|* Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* Devices, buffers, modules and launches, the same for every kind of device.
|* Plain C; convoy/Runtime/Device.h wraps it for C++.
|*
|* Every function that returns an int returns a status of convoy_status. After
|* one that is not CONVOY_OK, convoy_error_text() says in one sentence what was
|* wrong, and pointers to results are left as they were. A device outlives its
|* buffers and modules, a module its kernels. Objects of one device are used by
|* one thread at a time.
|*
\*===----------------------------------------------------------------------===*/

#ifndef CONVOY_RUNTIME_CONVOY_RUNTIME_H
#define CONVOY_RUNTIME_CONVOY_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The meaning of a returned status; also the exit code of a tool that stops
 *  because of it. */
typedef enum convoy_status {
  CONVOY_OK = 0,
  CONVOY_INVALID = 1,  /**< a wrong argument, file or module */
  CONVOY_WRONG = 2,    /**< a kernel wrote outside of its buffers */
  CONVOY_NO_DEVICE = 3 /**< the device or its driver is missing */
} convoy_status;

typedef struct convoy_device convoy_device;
typedef struct convoy_buffer convoy_buffer;
typedef struct convoy_module convoy_module;
typedef struct convoy_kernel convoy_kernel;

/** What went wrong in this thread's last call that failed: lower case, without
 *  full stop. Valid until the thread's next call that fails. */
const char *convoy_error_text(void);

/*===----------------------------------------------------------------------===*\
|* Devices
\*===----------------------------------------------------------------------===*/

/** What a device promises about its floating-point arithmetic. */
typedef struct convoy_arithmetic {
  int rounds_to_nearest;
  int flushes_subnormals;
} convoy_arithmetic;

/** Opens the device `name`: "cpu". CONVOY_NO_DEVICE where this build or this
 *  machine has none of that name. */
int convoy_device_open(const char *name, convoy_device **device);

/** Releases `device`; NULL is ignored. */
void convoy_device_close(convoy_device *device);

int convoy_device_arithmetic(const convoy_device *device,
                             convoy_arithmetic *arithmetic);

/*===----------------------------------------------------------------------===*\
|* Buffers
\*===----------------------------------------------------------------------===*/

/** Allocates `size` bytes of zeros, aligned to 64, between guard zones. */
int convoy_buffer_create(convoy_device *device, size_t size,
                         convoy_buffer **buffer);

/** Releases `buffer`; NULL is ignored. */
void convoy_buffer_destroy(convoy_buffer *buffer);

/** Copies `size` bytes from `source` into the buffer from byte `offset` on. */
int convoy_buffer_write(convoy_buffer *buffer, size_t offset,
                        const void *source, size_t size);

/** Copies `size` bytes from byte `offset` of the buffer on to `target`. */
int convoy_buffer_read(const convoy_buffer *buffer, size_t offset, void *target,
                       size_t size);

/** Repeats the `size` bytes at `pattern` over the whole buffer; the last copy
 *  may be cut. */
int convoy_buffer_fill(convoy_buffer *buffer, const void *pattern, size_t size);

/** CONVOY_WRONG where a guard zone was written to; the error text says on which
 *  side and how near. */
int convoy_buffer_check(const convoy_buffer *buffer);

/*===----------------------------------------------------------------------===*\
|* Modules and kernels
\*===----------------------------------------------------------------------===*/

/** A function of this process that follows the kernel ABI of CPUs. */
typedef struct convoy_function {
  const char *name;
  void *address;
} convoy_function;

/** Loads the compiled module in the file `path`: on "cpu" a shared object. */
int convoy_module_load_file(convoy_device *device, const char *path,
                            convoy_module **module);

/** Loads the compiled module in the `size` bytes at `image`, which are copied.
 */
int convoy_module_load_image(convoy_device *device, const void *image,
                             size_t size, convoy_module **module);

/** Makes a module of `count` functions, which outlive it; names are copied.
 *  CONVOY_INVALID where the device does not run this process's functions. */
int convoy_module_from_functions(convoy_device *device,
                                 const convoy_function *functions, size_t count,
                                 convoy_module **module);

/** Releases `module` and its kernels; NULL is ignored. */
void convoy_module_unload(convoy_module *module);

/** Finds the kernel `name`, which belongs to the module. */
int convoy_module_kernel(convoy_module *module, const char *name,
                         convoy_kernel **kernel);

/** The arguments of a kernel. A caller sets all members, those that it does not
 *  need to 0. */
typedef struct convoy_launch {
  convoy_buffer *const *buffers; /**< the operands, in the kernel's order */
  size_t buffer_count;           /**< at most 8 */
  convoy_buffer *workspace;      /**< NULL where the kernel needs none */
  const int64_t *sizes;          /**< dynamic sizes, in the kernel's order */
  size_t size_count;             /**< at most 24 */
  uint32_t grid[3];              /**< workgroups; not used on "cpu" */
  uint32_t block[3];             /**< work-items of one; not used on "cpu" */
  uint32_t workgroup_bytes; /**< dynamic memory of one; not used on "cpu" */
} convoy_launch;

/** Runs the kernel and waits for its end.
 *
 *  On "cpu" it is called as
 *    int kernel(buffers..., workspace, sizes...)
 *  and has failed (CONVOY_INVALID) where it does not return 0. */
int convoy_kernel_launch(convoy_kernel *kernel, const convoy_launch *launch);

#ifdef __cplusplus
}
#endif

#endif /* CONVOY_RUNTIME_CONVOY_RUNTIME_H */
