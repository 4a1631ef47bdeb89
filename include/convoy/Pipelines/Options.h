//===- Options.h - What pipelines are told ----------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain data, which command lines fill and pipelines hand to their passes. The
// flags of pipelines are made from it in lib/Pipelines/Registration.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_PIPELINES_OPTIONS_H
#define CONVOY_PIPELINES_OPTIONS_H

#include "convoy/Target/CPUChoice.h"
#include "convoy/Transforms/Targets/Passes.h"

#include <string>

namespace mlir::convoy {

/// How convolutions are lowered for any target.
struct LoweringOptions {
  /// Say in remarks how contractions are tiled.
  bool explain = false;
  /// Policy of convolutions that have no other than normal, or empty.
  std::string precision;
  /// How far off results may be, relative to the largest that they may be: the
  /// cheapest sums for it are chosen. 0 asks for none.
  double targetError = 0;
  /// Whether f16 and integers that are not proved to be wide enough are errors.
  bool strictRanges = false;
  /// How convolutions are computed, as `convoy-choose-algorithms` reads it.
  std::string algorithm = "direct";
  /// Say in remarks, too, which convolutions passes do not rewrite, and why.
  bool explainRewrites = false;
};

/// How they are lowered for CPUs.
struct CPUOptions : LoweringOptions {
  /// Where it is empty, what the module's `#convoy.target` says stays, and no
  /// instruction is needed that only some CPUs have.
  CPUChoice cpu;
  /// What tiles are made for, where that is not what is known of the CPU: rows
  /// and vectors of tiles, sizes of caches and registers. 0 and empty lists say
  /// nothing.
  AttachTargetPassOptions machine;
  /// How many tiles with better estimates are passed over.
  uint64_t candidate = 0;
  /// Threads that a kernel runs in.
  int threads = 1;
  /// Whether kernels take their filters as functions of their own pack them.
  bool packedFilters = false;
  /// Whether kernels take numbers as buffers of rank 0, as those for GPUs do:
  /// tools that call any kernel cannot pass them by value.
  bool scalarsInMemory = false;
};

/// How they are lowered for Vulkan.
struct VulkanOptions : LoweringOptions {
  /// What devices are to run kernels; empty takes the module's
  /// `#convoy.vulkan_profile`.
  std::string profile;
};

/// How they are lowered for AMD's GPUs.
struct RocmOptions : LoweringOptions {
  /// The chip that is to run kernels; empty takes the module's
  /// `convoy.rocm_chip`.
  std::string chip;
};

/// How kernels for GPUs are lowered to functions that simulate them.
struct SimulatorOptions {
  /// Where it is empty, no instruction is needed that only some CPUs have.
  CPUChoice cpu;
  /// Whether the runtime is asked before each access to memory.
  bool checks = true;
  /// Whether matrix instructions add products pair by pair, and not one after
  /// the other.
  bool pairwiseSums = false;
};

} // namespace mlir::convoy

#endif // CONVOY_PIPELINES_OPTIONS_H
