/*===- SimulatedKernel.h - Kernels of a GPU as the host runs them -*- C -*-===*\
|*
|* Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* What kernels of the devices "rocm-sim" and "vulkan-sim" are, and what they
|* call: see the pass `convoy-convert-gpu-to-host`. A kernel NAME is two
|* functions,
|*
|*   void NAME(int64_t item, int64_t group_x, int64_t group_y, int64_t group_z,
|*             int64_t x, int64_t y, int64_t z, int64_t sizes...,
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
  CONVOY_SIMULATED_SIZES,             /**< how many it takes: none or one */
  CONVOY_SIMULATED_BUFFERS,           /**< how many it takes */
  CONVOY_SIMULATED_WORKGROUP_BUFFERS, /**< and of its workgroup */
  CONVOY_SIMULATED_FIRST_BUFFER /**< from here on for each of them, in order,
                                     its elements, or -1 where a launch says
                                     how many, and the bytes of one; then
                                     how many matrix operations it has, and for
                                     each of them convoy_simulated_operation */
};

/** The numbers that describe D = A * B + C, in order. */
enum convoy_simulated_operation {
  CONVOY_SIMULATED_FAMILY,           /**< convoy_simulated_family */
  CONVOY_SIMULATED_M,                /**< rows of A, C and D */
  CONVOY_SIMULATED_N,                /**< columns of B, C and D */
  CONVOY_SIMULATED_K,                /**< columns of A, rows of B */
  CONVOY_SIMULATED_ELEMENT,          /**< convoy_simulated_element of A and B */
  CONVOY_SIMULATED_FACTOR_REGISTERS, /**< registers of 32 bits that a work-item
                                          has of A, and of B */
  CONVOY_SIMULATED_SUM_REGISTERS,    /**< and of C, and of D */
  CONVOY_SIMULATED_UNSIGNED_A,       /**< whether integers are unsigned */
  CONVOY_SIMULATED_UNSIGNED_B,
  CONVOY_SIMULATED_PAIRWISE, /**< whether products are added pair by pair, and
                                  not one after the other */
  CONVOY_SIMULATED_OPERATION_NUMBERS /**< how many these are */
};

/** Cooperative matrices are those of Vulkan. Each work-item has a part of A, B
 *  and C, as many successive elements as any other, counted row by row, of B
 *  column by column: the part whose number is that of its lane with the bits
 *  turned by one, 0 and 1 in 32 having parts 0 and 16. */
enum convoy_simulated_family {
  CONVOY_SIMULATED_MFMA,
  CONVOY_SIMULATED_WMMA,
  CONVOY_SIMULATED_COOPERATIVE
};

/** Elements of A and B. Those of C and D are f32, with i8 i32. */
enum convoy_simulated_element {
  CONVOY_SIMULATED_F32,
  CONVOY_SIMULATED_F16,
  CONVOY_SIMULATED_BF16,
  CONVOY_SIMULATED_I8
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

/** Computes the matrix operation with the number `operation` of the kernel's
 *  when all work-items of `item`'s wave have come to `place` in it. A work-item
 *  gives its registers of A, then those of B, then those of C, in whose place
 *  those of D are put. */
void convoy_simulated_multiply(int64_t item, int64_t place, int64_t operation,
                               uint32_t *registers);

#ifdef __cplusplus
}
#endif

#endif /* CONVOY_RUNTIME_SIMULATEDKERNEL_H */
