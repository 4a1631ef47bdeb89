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
|* one thread at a time, but for kernels of "cpu": threads may launch these at
|* once, each with buffers of its own.
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
  CONVOY_WRONG = 2,    /**< a kernel wrote outside of its buffers, or has one of
                            the faults that "rocm-sim" and "vulkan-sim" look
                            for */
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

/** Opens the device `name`. CONVOY_NO_DEVICE where this machine has none of
 * that name:
 *
 *  "cpu"          the processor
 *  "vulkan"       the first GPU of Vulkan 1.2 or later, or else the first
 *                 device that Vulkan offers in software
 *  "vulkan:WHICH" the Vulkan device with that number (from 0), or with WHICH in
 *                 its name
 *  "hip"          the first GPU of AMD's that kernels are compiled for
 *  "hip:WHICH"    the device of HIP with that number (from 0), or with WHICH in
 *                 its name or chip
 *  "qemu"         a CPU of ARM, 64 bits, emulated by qemu-aarch64
 *  "qemu:CPU"     the same for kernels that are compiled for CPU
 *  "rocm-sim"     the processor, which executes kernels of AMD's GPUs as on
 *                 gfx942
 *  "rocm-sim:CHIP" the same as on that chip
 *  "vulkan-sim"   the processor, which executes kernels of Vulkan devices as on
 *                 what has the profile nvidia
 *  "vulkan-sim:PROFILE" the same as on what has that profile
 *
 *  The environment says how Vulkan is used:
 *    CONVOY_VULKAN_DEVICE=WHICH  the device that "vulkan" means
 *    CONVOY_VULKAN_VALIDATE=1    with validation layers: what they say makes
 *                                the call fail (CONVOY_INVALID)
 *    CONVOY_VULKAN_ROBUST=1      with robust buffer access: the driver stops
 *                                accesses outside of a buffer; without, they
 *                                reach the guard zone after it
 *    CONVOY_VULKAN_STAGING=1     copies through staging buffers, even where
 *                                the device's memory could be mapped
 *    CONVOY_VULKAN_GROUPS=COUNT  how many workgroups run at a time at most,
 *                                as `most_groups` of a launch says it; also
 *                                on "vulkan-sim"
 *    CONVOY_VULKAN_TIMEOUT=SECONDS
 *                                how long what the device is given may take
 *                                (600); then calls fail (CONVOY_NO_DEVICE)
 *  and where HIP is:
 *    CONVOY_HIP_LIBRARY=FILE     the library, in the place of libamdhip64.so
 *    ROCM_PATH=FOLDER            where ROCm is, in whose lib it is
 *
 *  A device that is lost (CONVOY_NO_DEVICE) is opened anew when its buffers and
 *  modules are released. */
int convoy_device_open(const char *name, convoy_device **device);

/** Releases `device`; NULL is ignored. */
void convoy_device_close(convoy_device *device);

/** What kernels on `device` can promise; on "vulkan" where they declare it (see
 *  convoy_kernel_arithmetic). */
int convoy_device_arithmetic(const convoy_device *device,
                             convoy_arithmetic *arithmetic);

/*===----------------------------------------------------------------------===*\
|* Buffers
\*===----------------------------------------------------------------------===*/

/** Allocates `size` bytes of zeros between guard zones. On "cpu" they are
 *  aligned to 64. CONVOY_INVALID where there is no memory. */
int convoy_buffer_create(convoy_device *device, size_t size,
                         convoy_buffer **buffer);

/** Makes a buffer of the `size` bytes at `data`, which are the caller's, stay
 *  where they are, outlive the buffer and have no guard zones. CONVOY_INVALID
 *  where `device` is not "cpu", which alone works on them in place. */
int convoy_buffer_wrap(convoy_device *device, void *data, size_t size,
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

/** Loads the compiled module in the file `path`: on "cpu" and "qemu" a shared
 *  object, on "vulkan" SPIR-V, on "hip" a code object. CONVOY_NO_DEVICE where
 *  the device lacks a feature that the module needs, or is not the module's
 *  chip. */
int convoy_module_load_file(convoy_device *device, const char *path,
                            convoy_module **module);

/** The same for a file whose SHA-256 is `sha256`, 64 hexadecimal digits, as the
 *  manifest and the header have it that were written with the module (`sha256`,
 *  and `..._SHA256`). CONVOY_INVALID where it is another one: then the file is
 *  not the one that they describe. */
int convoy_module_load_file_of(convoy_device *device, const char *path,
                               const char *sha256, convoy_module **module);

/** Loads the compiled module in the `size` bytes at `image`, which are copied.
 */
int convoy_module_load_image(convoy_device *device, const void *image,
                             size_t size, convoy_module **module);

/** Makes a module of `count` functions, which outlive it; names are copied. On
 *  "rocm-sim" and "vulkan-sim" they are what convoy/Runtime/SimulatedKernel.h
 *  says.
 *  CONVOY_INVALID where the device does not run this process's functions. */
int convoy_module_from_functions(convoy_device *device,
                                 const convoy_function *functions, size_t count,
                                 convoy_module **module);

/** Releases `module` and its kernels; NULL is ignored. */
void convoy_module_unload(convoy_module *module);

/** Finds the kernel `name`, which belongs to the module, and makes it ready to
 *  run. CONVOY_INVALID where there is none, or where its workgroup is too large
 *  for the device. */
int convoy_module_kernel(convoy_module *module, const char *name,
                         convoy_kernel **kernel);

/** What `kernel` promises about its floating-point arithmetic. A kernel in
 *  SPIR-V promises what it declares for every type of floats in its module. */
int convoy_kernel_arithmetic(const convoy_kernel *kernel,
                             convoy_arithmetic *arithmetic);

/*===----------------------------------------------------------------------===*\
|* Launches
\*===----------------------------------------------------------------------===*/

/** Bytes of a buffer. */
typedef struct convoy_range {
  size_t offset; /**< on "vulkan" a multiple of the device's alignment, which is
                      at most 256; on "vulkan-sim" a multiple of 256; on "hip"
                      a multiple of 16 */
  size_t size;
} convoy_range;

/** The arguments of a kernel. A caller sets all members, those that it does not
 *  need to 0. */
typedef struct convoy_launch {
  convoy_buffer *const *buffers; /**< the operands, in the kernel's order */
  size_t buffer_count;           /**< on "cpu" and "qemu" at most 32 */
  const convoy_range *ranges;    /**< of each buffer; NULL: all of each */
  convoy_buffer *workspace;      /**< NULL where the kernel needs none */
  const int64_t *sizes;          /**< dynamic sizes, in the kernel's order */
  size_t size_count;             /**< on "cpu" and "qemu" at most 24 */
  uint32_t grid[3];              /**< workgroups; not used on "cpu" */
  uint32_t block[3];        /**< work-items of one; not used on "cpu"; 0 where
                                 the kernel fixes them, as on "vulkan" */
  uint32_t workgroup_bytes; /**< dynamic memory of one; not used on "cpu", 0 on
                                 "vulkan", "hip", "rocm-sim" and "vulkan-sim"
                               */
  uint32_t most_groups; /**< workgroups that run at a time, so that none of them
                             makes the device seem to hang; 0: all. Not used on
                             "cpu", "qemu" and "hip" */
} convoy_launch;

/** Runs the kernel and waits for its end.
 *
 *  On "cpu" and "qemu" it is called as
 *    int kernel(buffers..., workspace, sizes...)
 *  and has failed (CONVOY_INVALID) where it does not return 0.
 *
 *  On "vulkan" the buffers, and after them the workspace, are the storage
 *  buffers of descriptor set 0 with bindings 0, 1, ... Sizes are the push
 *  constants, in order and without gaps: of 64 bits each where the kernel's
 *  block of push constants has 8 bytes for each, of 32 where it has 4. Where
 *  `most_groups` is less than there are workgroups, pieces of the grid run one
 *  after the other, as submissions of their own.
 *
 *  On "hip" the buffers, and after them the workspace, are the kernel's
 *  arguments, as pointers.
 *
 *  On "rocm-sim" and "vulkan-sim" the buffers, and after them the workspace,
 *  are the kernel's, as large as it declares or larger. CONVOY_WRONG where the
 *  kernel's work-items meet or access memory in a way that is wrong: the error
 *  text says how. */
int convoy_kernel_launch(convoy_kernel *kernel, const convoy_launch *launch);

/** One kernel of a sequence, with its arguments. */
typedef struct convoy_step {
  convoy_kernel *kernel;
  convoy_launch launch;
} convoy_step;

/** Runs `count` kernels of `device` in turn and waits for the last one's end.
 *  Each sees all that those before it wrote. On "vulkan" they are submitted
 *  together, as far as `most_groups` lets them: each takes the part of a
 *  submission that its workgroups are of it. On "hip" they follow each other on
 *  one stream. Where one is refused, those before it have or have not run. */
int convoy_device_run(convoy_device *device, const convoy_step *steps,
                      size_t count);

/** The time that the last launch or sequence that ended on `device` took there.
 *  On "vulkan" the device's own clock tells it where the device has one, on
 *  "hip" two events do. */
int convoy_device_seconds(const convoy_device *device, double *seconds);

#ifdef __cplusplus
}
#endif

#endif /* CONVOY_RUNTIME_CONVOY_RUNTIME_H */
