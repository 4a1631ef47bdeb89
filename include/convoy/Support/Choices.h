//===- Choices.h - What passes say of their choices -------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Remarks of passes are put together from these words, and convoy-fuzz lists
// them as what the compiler branches on: whatever a pass says of a choice that
// it made stands here. utils/check-choices.py finds what does not.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_SUPPORT_CHOICES_H
#define CONVOY_SUPPORT_CHOICES_H

#include <string_view>

/// CHOICE(name, words) for each.
#define CONVOY_CHOICES(CHOICE)                                                 \
  /* What is done instead of tiles, workgroups, threads and packed filters */  \
  CHOICE(NoConvolution, "no convolution is rewritten")                         \
  CHOICE(TargetIsGPU, "the target is a GPU")                                   \
  CHOICE(ConvStays, "the convolution stays as it is")                          \
  CHOICE(NoTile, "no tile is chosen")                                          \
  CHOICE(NoWorkgroupTiles, "workgroups get no tiles")                          \
  CHOICE(NothingToShare, "have nothing to share")                              \
  CHOICE(NoFilterPacked, "no filter is packed")                                \
  CHOICE(PacksNothing, "packs nothing")                                        \
  /* Why convolutions stay as they are */                                      \
  CHOICE(SizesUnknown, "it has sizes that are not known")                      \
  CHOICE(InputCopiedAnyway, "its input is copied anyway")                      \
  CHOICE(PaddingIsCheaper, "its padding costs no more than borders would")     \
  CHOICE(TooManyParts, "its borders would be too many parts")                  \
  CHOICE(NoKnownGroups, "it has no groups of known sizes")                     \
  CHOICE(ZeroPointOfEachChannel,                                               \
         "each channel of the filter has a zero point of its own")             \
  CHOICE(PanelsTakeLonger, "panels of groups would take longer")               \
  CHOICE(NoPhases, "it is not dilated, its sizes are not known, or what "      \
                   "fills its init fills more")                                \
  CHOICE(PhasesApart, "its phases do not lie between each other")              \
  CHOICE(PhasesNotPlaced, "its windows overlap, leave gaps or are cut off, "   \
                          "it sums in another type, or its channels fill no "  \
                          "vectors")                                           \
  CHOICE(ZeroPointsOrGroups, "it has zero points or groups")                   \
  CHOICE(PhasesAlone, "its phases take no longer one by one")                  \
  CHOICE(NoWiderSums,                                                          \
         "it sums in no wider type of floats than its operands have")          \
  CHOICE(MultipliedAsTheyAre,                                                  \
         "an instruction of the CPU multiplies them as they are")              \
  CHOICE(TilesWiden,                                                           \
         "each tile is estimated to widen what it reads in less time")         \
  CHOICE(NotBF16, "its operands are not of bf16")                              \
  CHOICE(NoBF16Instruction,                                                    \
         "no instruction of the CPU sums products of bf16 in pairs")           \
  CHOICE(NoWordInstruction,                                                    \
         "no instruction of the CPU sums products of neighbours")              \
  CHOICE(ZeroPointsVary, "its zero points are not constant")                   \
  CHOICE(FactorsTooWide, "its factors less their zero points have more bits "  \
                         "than the CPU's instructions multiply")               \
  CHOICE(SumsOfOtherType, "it sums in neither i32 nor f32")                    \
  CHOICE(NoNeighbours, "no sum is known to have two terms side by side")       \
  CHOICE(ProductsAreFaster, "single products are estimated to take less time") \
  CHOICE(DilatedOrEmpty, "its input is dilated, or it has no elements")        \
  /* Tiles of CPUs */                                                          \
  CHOICE(ReadInPlace, "read in place")                                         \
  CHOICE(Im2colPacked, "im2col packed")                                        \
  CHOICE(FilterPackedBeforehand, "filter packed beforehand")                   \
  CHOICE(FilterByPanels, "filter read by panels")                              \
  CHOICE(FilterPacked, "filter packed")                                        \
  CHOICE(LanesSummed, ", summed,")                                             \
  CHOICE(LastMasked, ", the last masked")                                      \
  CHOICE(TermsTiled, ", terms: ")                                              \
  CHOICE(TilesOfAMX, " in tiles of AMX")                                       \
  CHOICE(LanesGoOn, ", lanes going on")                                        \
  CHOICE(InBlocks, ", in blocks: ")                                            \
  CHOICE(OneBlockForAll, ", one for all lanes")                                \
  CHOICE(AllLanesAtOnce, "; for all lanes at a time: ")                        \
  /* Ops around tiles */                                                       \
  CHOICE(AfterTiles, "is computed after all tiles, not in them")               \
  CHOICE(SeveralBlocks,                                                        \
         "the reduction is cut into blocks along several loops")               \
  CHOICE(SumsReadElsewhere, "other ops read the sums, too")                    \
  CHOICE(DependsOnPlace, "it depends on where an element is")                  \
  CHOICE(SeveralResults, "it has several results")                             \
  CHOICE(OtherRegion, "it is in another region")                               \
  CHOICE(ReadsOtherwise, "it does not read the sums element by element")       \
  CHOICE(SumsInParts, "the sums are computed in parts")                        \
  CHOICE(TakesNoVectors, "it has ops that take no vectors")                    \
  /* Padding */                                                                \
  CHOICE(PaddingSteps, "steps that read padding alone")                        \
  CHOICE(PaddingLeftOut, "left out by loops")                                  \
  CHOICE(PaddingSkipped, "skipped by branches")                                \
  CHOICE(PaddingComputed, "computed all the same")                             \
  /* Policies */                                                               \
  CHOICE(PolicyLow, " with policy low")                                        \
  CHOICE(SumsStay, " products stay below ")                                    \
  CHOICE(SumsInBlocks, " blocks of up to ")                                    \
  CHOICE(DynamicSizes, "sizes are dynamic")                                    \
  CHOICE(SumsTooLong, " terms are too long")                                   \
  CHOICE(SumsTooLarge, " products may reach ")                                 \
  CHOICE(ProductsTooSmall, "products may be as small as ")                     \
  CHOICE(RangeUnknown, "no range is known of the ")                            \
  CHOICE(SamplesInF32, "samples always do")                                    \
  CHOICE(NoIm2col, "is not turned into im2col")                                \
  CHOICE(AsTheResult, ", the type of the result")                              \
  /* Winograd's algorithm */                                                   \
  CHOICE(Winograd, "Winograd's algorithm computes tiles of ")                  \
  CHOICE(WinogradSlower, "Winograd's algorithm is estimated to take longer")   \
  CHOICE(WinogradStores, "Winograd's algorithm stores its sums before "        \
                         "'linalg.generic' reads them")                        \
  CHOICE(SumsProducts, "sums its products")                                    \
  CHOICE(PolicyHigh, "policy high forbids it")                                 \
  CHOICE(BeyondTargetError, "for the target error, tiles of ")                 \
  CHOICE(HasNoElements, "it has no elements")                                  \
  CHOICE(SamplesDiffer, "each of its results samples the input elsewhere")     \
  CHOICE(FilterGradient, "it is a gradient of the filter")                     \
  CHOICE(HasGroups, "it has groups")                                           \
  CHOICE(HasStride, "its stride")                                              \
  CHOICE(HasDilation, "its dilation")                                          \
  CHOICE(HasInputDilation, "the dilation of its input")                        \
  CHOICE(TapsDynamic, "its number of taps is dynamic")                         \
  CHOICE(NotF32, "it has numbers of ")                                         \
  CHOICE(SizeDynamic, "its size along '")                                      \
  CHOICE(OtherTaps, "its filter has ")                                         \
  /* Tiles of GPUs */                                                          \
  CHOICE(WorkgroupTiles, "workgroups of ")                                     \
  CHOICE(SharedMemory, " terms at a time in shared memory")                    \
  CHOICE(FactorsInPlace, "factors that they read in place")                    \
  CHOICE(OneElementEach, "each work-item computes one element")                \
  CHOICE(MatrixInstructions, " wave by ")                                      \
  CHOICE(MatrixSlower, " is estimated to be as fast")                          \
  CHOICE(MoreThanProducts, "more is done than to add products of the factors") \
  CHOICE(FactorsDiffer,                                                        \
         "they take factors of one type, and not integers of these signs")     \
  CHOICE(NoMatrix, "the target has none for factors of ")                      \
  CHOICE(ReductionWhole, "no reduction is split")                              \
  CHOICE(ReductionSplit, " parts, to have more workgroups or shorter loops")   \
  CHOICE(ReductionInOnePart, "sums are formed in one part")                    \
  CHOICE(SingleElements, "accesses single elements")

namespace convoy {

enum class Choice {
#define CONVOY_CHOICE(name, words) name,
  CONVOY_CHOICES(CONVOY_CHOICE)
#undef CONVOY_CHOICE
};

/// What remarks say of all choices, in the order of Choice.
inline constexpr std::string_view kChoices[] = {
#define CONVOY_CHOICE(name, words) words,
    CONVOY_CHOICES(CONVOY_CHOICE)
#undef CONVOY_CHOICE
};

} // namespace convoy

#endif // CONVOY_SUPPORT_CHOICES_H
