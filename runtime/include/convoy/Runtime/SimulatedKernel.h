/*===- SimulatedKernel.h - Kernels of a GPU as the host runs them -*- C -*-===*\
|*
|* Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* What kernels of the device "rocm-sim" are, and what they call: see the pass
|* `convoy-convert-gpu-to-host`. A kernel NAME is two functions,
|*
|*   void NAME(int64_t item, int64_t group_x, int64_t group_y, int64_t group_z,
|*             int64_t x, int64_t y, int64_t z,
|*             void *buffers..., void *workgroup_buffers...)
|*   int64_t NAME.layout(int64_t number)
|*
|* the first of which is called for each work-item, each time on a stack of its
|* own.
|*
\*===----------------------------------------------------------------------===*/

#ifndef CONVOY_RUNTIME_SIMULATEDKERNEL_H
#define CONVOY_RUNTIME_SIMULATEDKERNEL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The numbers that a kernel's layout tells, in order. */
enum convoy_simulated_layout {
  CONVOY_SIMULATED_CHECKED, /**< whether it asks before each access */
  CONVOY_SIMULATED_SIZE_X,  /**< work-items of a group */
  CONVOY_SIMULATED_SIZE_Y,
  CONVOY_SIMULATED_SIZE_Z,
  CONVOY_SIMULATED_BUFFERS,           /**< how many it takes */
  CONVOY_SIMULATED_WORKGROUP_BUFFERS, /**< and of its workgroup */
  CONVOY_SIMULATED_FIRST_BUFFER /**< from here on for each of them, in order,
                                     its elements and the bytes of one */
};

/** Returns when all work-items of `item`'s group have come to the barrier with
 *  the number `barrier`, or cannot come there any more. */
void convoy_simulated_barrier(int64_t item, int64_t barrier);

/** Notes that `item` reads, or writes, `count` elements of its kernel's buffer
 *  with the number `buffer`, those of the workgroup counted on, from `element`
 *  on. Returns 0 where it must not, since there are no such elements. */
int64_t convoy_simulated_read(int64_t item, int64_t buffer, int64_t element,
                              int64_t count);
int64_t convoy_simulated_write(int64_t item, int64_t buffer, int64_t element,
                               int64_t count);

#ifdef __cplusplus
}
#endif

#endif /* CONVOY_RUNTIME_SIMULATEDKERNEL_H */
