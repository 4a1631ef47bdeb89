//===- Problem.h - A convolution as one line of text ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A problem is text that people already have in their logs: oneDNN's benchdnn
// form or a MIOpenDriver command line. See docs/Problems.md.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_SUPPORT_PROBLEM_H
#define CONVOY_SUPPORT_PROBLEM_H

#include "convoy/Support/ConvShape.h"
#include "convoy/Support/ElementType.h"
#include "convoy/Support/Epilogue.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace convoy {

/// What `--dir=` calls `direction`: "FWD_D", "BWD_D" or "BWD_W", and "FWD_B"
/// forward with a bias.
std::string_view directionName(Direction direction, bool bias = false);

/// What kernels take besides the operands of a convolution and a bias that sums
/// start from.
struct KernelOperand {
  std::string name; ///< as in the kernel's prototype
  DataType type;    ///< of its elements
  /// Its dimensions in the letters of the result, outermost first; channels
  /// count through all groups where it has no `g`. One number has none.
  Layout layout;
};

/// One convolution, ready to be compiled and checked.
struct Problem {
  Direction direction = Direction::Forward;
  /// Forward only: the init is a bias per output channel (FWD_B).
  bool bias = false;
  ElementType type = ElementType::F32;
  /// I8 only: how the bytes are read, and what is subtracted from them. In the
  /// backward directions the output gradient takes the place of the operand
  /// that is computed: of the input for BackwardData, of the filter for
  /// BackwardFilter, whose channels share one zero point.
  bool inputSigned = true, filterSigned = true;
  int32_t inputZeroPoint = 0;
  ZeroPoint filterZeroPoint;
  /// The forward convolution, also in the backward directions. Text has no
  /// words for input dilation and reversal, and gives the least high padding.
  ConvShape shape;
  ConvLayouts layouts;
  /// What is done to the sums of anything but BackwardFilter.
  Epilogue epilogue;
  /// The letters of dimensions whose sizes a kernel is told as it runs, in the
  /// order of "ngcfdhw"; `shape` has those that it runs on. d, h and w are the
  /// input's and the output's: filters keep their taps.
  std::string dynamic;
  /// benchdnn's `n"name"`; empty where the text gives none.
  std::string name;

  /// Whether dimensions of any operand are, or hold, groups.
  bool usesGroups() const;
  /// The operand that is computed.
  Operand resultOperand() const;
  /// Of its elements in memory.
  DataType resultType() const;
  /// Whether the bias is added to the scaled sums of integers, as f32, and not
  /// what sums start from.
  bool addsBiasToScaledSums() const;
  /// The zero points of channels, which the kernel takes behind the filter.
  std::optional<KernelOperand> filterZeroPoints() const;
  /// What the epilogue takes, in the order of the kernel's arguments: the bias
  /// that is added to scaled sums, the scales, and the operands of post-ops.
  std::vector<KernelOperand> epilogueOperands() const;
  /// Whether kernels are told the size of dimension `letter` of `operand`.
  bool isDynamic(Operand operand, char letter) const;

  bool operator==(const Problem &other) const = default;
};

/// The problem that a kernel of `problem` solves where its dynamic dimensions
/// have `sizes`, in their order; those of d, h and w are the input's, and the
/// output's follow. Where it cannot run on them, nothing, and one sentence in
/// `error`.
std::optional<Problem> withSizes(Problem problem,
                                 const std::vector<int64_t> &sizes,
                                 std::string &error);

/// What flags say about problems: on a line for that line, on the command line
/// as the defaults of every line.
struct ProblemDefaults {
  std::optional<std::vector<Direction>> directions; ///< --dir
  bool bias = false;                                ///< --dir=FWD_B
  std::optional<ElementType> type;                  ///< --type, --dt, --cfg
  std::string inputLayout, filterLayout, outputLayout;
  std::optional<bool> inputSigned, filterSigned; ///< --signs
  /// --zero-points, --attr-zero-points
  std::optional<int32_t> inputZeroPoint;
  std::optional<ZeroPoint> filterZeroPoint;
  /// --mb: in place of what lines say; 0 leaves them alone.
  std::optional<int64_t> batch;
  std::optional<std::string> dynamic;         ///< --dynamic
  std::optional<std::vector<PostOp>> postOps; ///< --attr-post-ops
  std::optional<ScaleFlags> scales;           ///< --attr-scales
  std::optional<ZeroPoint> resultZeroPoint;   ///< --attr-zero-points
  /// Of integers: --dt, --cfg. Goes with the type.
  std::optional<DataType> resultType;
  /// --dir=BWD_OFFSET, BWD_MASK and all: of deformable convolutions.
  bool offsetGradient = false, maskGradient = false, allDirections = false;
};

/// What `parseProblemFlag` made of a word.
enum class FlagStatus { NotAFlag, Accepted, Rejected };

/// Reads one flag of problems, such as `--dir=BWD_D`, into `flags`: for tools,
/// whose command lines take these flags as well. A flag that is rejected puts
/// one sentence into `error`.
FlagStatus parseProblemFlag(std::string_view word, ProblemDefaults &flags,
                            std::string &error);

/// Parses one line: benchdnn's form, or a MIOpenDriver command line, whole log
/// lines included. One line may stand for several problems (`--dir=all`, `-F
/// 0`). On failure returns nothing and puts one sentence into `error`, which
/// names the faulty word, says what was found and what was expected.
std::optional<std::vector<Problem>>
parseProblems(std::string_view line, const ProblemDefaults &defaults,
              std::string &error);

/// Reads a file's text: one problem a line, `#` starts a comment, empty lines
/// are skipped. Errors begin with the line number: `line 3: …`.
std::optional<std::vector<Problem>>
parseProblemFile(std::string_view text, const ProblemDefaults &defaults,
                 std::string &error);

/// The problem as one benchdnn line with our layout and type flags, which
/// parses back to an equal problem whatever defaults hold but those of --mb,
/// --dynamic and the attributes, provided that text has words for its shape.
std::string toString(const Problem &problem);

} // namespace convoy

#endif // CONVOY_SUPPORT_PROBLEM_H
