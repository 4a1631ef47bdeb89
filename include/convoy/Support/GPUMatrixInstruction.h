//===- GPUMatrixInstruction.h - Matrix instructions of GPUs -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_SUPPORT_GPUMATRIXINSTRUCTION_H
#define CONVOY_SUPPORT_GPUMATRIXINSTRUCTION_H

#include "convoy/Support/ElementType.h"
#include "convoy/Support/VulkanProfile.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace convoy {

/// One coordinate of the elements of a fragment, a matrix that the lanes of a
/// wave hold together: of element `number` of lane `lane`.
struct LaneMap {
  int64_t low = 0;  ///< from a lane to the next of the same 16
  int64_t high = 0; ///< from 16 lanes to the next 16
  int64_t step = 0; ///< from an element of a lane to its next
  /// Where elements of a lane come in runs, how long these are, and from where
  /// one starts to where the next does.
  int64_t run = INT64_MAX, runStep = 0;

  constexpr int64_t at(int64_t lane, int64_t number) const {
    return lane % kLanes * low + lane / kLanes * high + number % run * step +
           number / run * runStep;
  }
  static constexpr int64_t kLanes = 16;
};

/// An instruction that a wave executes as one: D = A * B + C, of 16 x 16
/// elements in C and D, which are f32, or i32 for products of i8. Rows of A and
/// columns of B lie in lanes alike; which lanes hold what of cooperative
/// matrices, those of Vulkan, nobody but the driver knows.
struct GPUMatrixInstruction {
  enum class Op { Mfma, Wmma, Cooperative };

  /// The suffix of clang's builtin function for it; of cooperative matrices
  /// their shape, types and wave.
  std::string_view name;
  Op op;
  int64_t wave; ///< lanes
  ElementType operand;
  int64_t terms; ///< columns of A, rows of B
  /// Elements of A, or of B, in a lane, their rows of A or columns of B, and
  /// their terms.
  int64_t operandElements;
  LaneMap operandLine, operandTerm;
  /// The same for C and D.
  int64_t resultElements;
  LaneMap resultRow, resultColumn;
  /// Multiply-adds in the time of one by an instruction for vectors, on the
  /// slowest of its chips.
  int64_t speed;

  static constexpr int64_t kLines = 16; ///< rows of A, columns of B
};

/// The instruction `name`, or null for one that is not known.
const GPUMatrixInstruction *getMatrixInstruction(std::string_view name);

/// The names of the cooperative matrices that `limits` offer, at most one for a
/// type, the one with the most terms.
std::vector<std::string_view>
getCooperativeMatrices(const VulkanLimits &limits);

/// How a step's terms of a factor lie in the memory of a workgroup for a matrix
/// instruction: one line after the other, a row or a column, and in it its
/// terms, so that a lane reads those it needs as vectors.
struct MatrixStage {
  int64_t terms;        ///< rounded up to whole instructions; zeros fill them
  int64_t lineElements; ///< from a line to the next
  /// Successive terms that a lane reads at once, for one instruction or for
  /// several (which terms meet in an instruction is free, as long as both
  /// operands agree), and those of one vector.
  int64_t readTerms, vectorTerms;
  /// Terms of the shortest vector that is worth a store: 4 bytes.
  int64_t leastTerms;
  /// The first term that a lane reads, counted from where the fragment begins.
  /// Its line is that of the instruction.
  LaneMap firstTerm;

  /// Instructions that a read is for.
  int64_t getInstructions(const GPUMatrixInstruction &instruction) const {
    return readTerms / instruction.operandElements;
  }
};

/// The stage for steps of `terms` terms. Vectors have up to 16 bytes, or for
/// cooperative matrices 4 elements, as SPIR-V's. Lines are an odd number
/// of 16 bytes apart: of 16 lanes that read from one line each, those that take
/// turns at the banks never meet in one. (Vulkan asks for lines of cooperative
/// matrices at multiples of 16 bytes.)
MatrixStage getMatrixStage(const GPUMatrixInstruction &instruction,
                           int64_t terms);

/// From a row to the next of sums that lie in the memory of a workgroup: 16
/// elements, and 4 so that the rows that take turns at the banks never meet.
inline constexpr int64_t kScratchLine = GPUMatrixInstruction::kLines + 4;

/// Bytes of workgroup memory through which a wave hands its sums to its
/// work-items; 0 where these have known elements of them.
int64_t getScratchBytes(const GPUMatrixInstruction &instruction);

/// Bytes of an element of an operand.
int64_t getOperandBytes(const GPUMatrixInstruction &instruction);

/// All of them.
std::span<const GPUMatrixInstruction> getMatrixInstructions();

} // namespace convoy

#endif // CONVOY_SUPPORT_GPUMATRIXINSTRUCTION_H
