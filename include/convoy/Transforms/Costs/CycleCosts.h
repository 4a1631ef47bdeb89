//===- CycleCosts.h - Cycles that the cost models of CPUs count -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All are cycles of one core, fitted to times of whole layers:
// docs/CostModel.md says how models use them. `scripts/fit-costs` measures what
// it can of them.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TRANSFORMS_COSTS_CYCLECOSTS_H
#define CONVOY_TRANSFORMS_COSTS_CYCLECOSTS_H

namespace mlir::convoy {

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// What nothing hides of a step: of the loop around it, and for each load of a
/// vector.
inline constexpr double kStepOverhead = 1, kLoadOverhead = 0.05;
/// The product of two tiles of AMX takes a cycle for each row, and no fewer
/// than this, in which the next one is read.
inline constexpr double kLeastMatrixCycles = 14;
/// The sum of a vector's lanes.
inline constexpr double kSumCycles = 8;

//===----------------------------------------------------------------------===//
// Vectors and lines that are read in place
//===----------------------------------------------------------------------===//

/// A vector from the L2 cache, if so few rows are read in turn that they are
/// prefetched, and if not.
inline constexpr double kNearVectorCycles = 1.2, kSlowVectorCycles = 2.6;
/// How much longer a step takes that reads vectors from more pages than the
/// TLB's first level has entries for; where they lie pages apart, no hardware
/// prefetches them either. On ResNet's layers 10 to 100 %.
inline constexpr double kSlowInPlace = 1.3;
/// A line from beyond the L2 cache where lines follow each other, so that they
/// are prefetched from the last level.
inline constexpr double kPrefetchedLineCycles = 3;
/// The same from memory, which is slower than its prefetching.
inline constexpr double kMemoryLineCycles = 16;
/// A line from beyond the L2 cache that follows no other: a step waits for it.
inline constexpr double kAwaitedLineCycles = 20;
/// How long before a step reads such a line it is asked for: about what it
/// takes to come from memory.
inline constexpr double kRequestAheadCycles = 200;

//===----------------------------------------------------------------------===//
// Results and partial sums
//===----------------------------------------------------------------------===//

/// Adding a vector of sums to the result, and the same between blocks of what
/// is read in place, which are short and many.
inline constexpr double kUpdateCycles = 2, kNearUpdateCycles = 12;
/// The same through the memory that tiles of AMX are written to.
inline constexpr double kMatrixUpdateCycles = 4;
/// Reading and writing a line of partial sums, which nothing else hides: in the
/// L2 cache, beyond it, and where rows lie pages apart.
inline constexpr double kLineUpdateCycles = 8, kFarUpdateCycles = 20,
                        kPagesUpdateCycles = 40;
/// An element of the result that is taken out of its vector, added to and
/// stored by itself, where several share a line.
inline constexpr double kScatteredCycles = 5;

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Packing a vector whose lanes lie side by side, up to kMostApart elements
/// apart, and apart while another dimension lies side by side; and each element
/// of one that lies in no such order.
inline constexpr double kPackCycles = 2, kPackApartCycles = 4,
                        kPackTransposedCycles = 6, kPackElementCycles = 1.5;
/// A line from beyond the L2 cache that is packed: many are asked for at a
/// time, but nothing is computed meanwhile.
inline constexpr double kPackLineCycles = 8;
/// Widening a vector of elements that are copied; writing a line of the copy
/// beyond the L2 cache and reading it again; and where tiles widen what they
/// read, an element for all vectors of a tile, and what a multiply-add takes
/// longer of which both factors have lanes.
inline constexpr double kWidenCycles = 2, kWidenLineCycles = 12;
inline constexpr double kWidenedElementCycles = 1, kWidenedVectorCycles = 0.1;
/// Putting a vector of words together from several channels; a multiply-add of
/// bytes as such, and of words where another instruction adds the products.
inline constexpr double kWordCycles = 5;
inline constexpr double kByteStepCycles = 1.1, kPairStepCycles = 0.75;
/// Instructions for each part of a vector of words that no instruction for
/// vectors multiplies, as of bytes with signs: parts are taken out first.
inline constexpr double kPartProducts = 4;
/// Instructions for a vector of words of 64 bits where their halves are
/// multiplied: two products of what four take from the factors.
inline constexpr double kHalvedWords = 6;
/// Padding a vector, which has an element of each of its groups.
inline constexpr double kPadCycles = 3.5;
/// Reading or writing a vector of groups that are transposed.
inline constexpr double kTransposedVectorCycles = 5;
/// Moving an element of the result from one order to the other.
inline constexpr double kTransposedElementCycles = 0.6;
/// A vector of elements that lie apart.
inline constexpr double kGatherCycles = 4;
/// Putting a vector of a row together from those of its phases.
inline constexpr double kInterleaveCycles = 4;
/// An element of merged phases that is put where it belongs.
inline constexpr double kPhaseCopyCycles = 3;
/// How much of their vectors the lanes of phases that are dimensions of their
/// own fill at least.
inline constexpr double kLeastPlacedLanes = 0.75;
/// An element of an image that a sample of one channel reads by itself, and one
/// that is moved so that the channels of a sample lie side by side.
inline constexpr double kGatheredSampleCycles = 1.6,
                        kTransposedSampleCycles = 1.2;

//===----------------------------------------------------------------------===//
// Multiply-adds of vectors in groups: what a step of a whole tile takes in the
// mean for each of them
//===----------------------------------------------------------------------===//

/// With all that is read in the L1 cache; of vectors that lie across the ends
/// of lines, or of which one comes from the L2 cache; and where more than one
/// does.
inline constexpr double kNearStepCycles = 0.7, kSlowStepCycles = 1.4,
                        kFarStepCycles = 3;
/// Of summed lanes that lie apart, for each element of their distance.
inline constexpr double kApartStepCycles = 1.05;
/// Of borders whose elements lie apart along the lanes.
inline constexpr double kApartBorderCycles = 4.5;
/// Beginning with the convolution of a border.
inline constexpr double kPartCycles = 10;

} // namespace mlir::convoy

#endif // CONVOY_TRANSFORMS_COSTS_CYCLECOSTS_H
