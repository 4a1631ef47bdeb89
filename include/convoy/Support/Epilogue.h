//===- Epilogue.h - What is done to a convolution's result ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The attributes of oneDNN's primitives that say what becomes of each sum
// before it is stored, in the words of benchdnn's knobs_attr.md.
// docs/Problems.md has the formulas.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_SUPPORT_EPILOGUE_H
#define CONVOY_SUPPORT_EPILOGUE_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace convoy {

/// A type of elements in memory, in benchdnn's words.
enum class DataType { F64, F32, F16, BF16, S32, S8, U8 };

/// "f64", "f32", "f16", "bf16", "s32", "s8" or "u8".
std::string_view dataTypeName(DataType type);
std::optional<DataType> parseDataType(std::string_view name);

/// Whether it is S32, S8 or U8.
bool isInteger(DataType type);

/// One step of an epilogue: a function of each element, or one of each element
/// and of an element of an operand.
struct PostOp {
  enum class Kind {
    Abs,
    Clip,
    Elu,
    Exp,
    GeluErf,
    GeluTanh,
    HardSigmoid,
    HardSwish,
    Linear,
    Log,
    Logistic,
    Mish,
    Relu,
    Round,
    SoftRelu,
    Sqrt,
    Square,
    Swish,
    Tanh,
    /// Adds alpha times (what the result held before, less beta).
    Sum,
    // With an operand, from here on.
    Add,
    Div,
    Max,
    Min,
    Mul,
    Sub,
  };

  Kind kind = Kind::Relu;
  double alpha = 0, beta = 0;
  /// Of the operand's elements; nothing where there is none, and of sums that
  /// have the result's.
  std::optional<DataType> type;
  /// Bit i is set where the operand has dimension i of the result, in the order
  /// n, channels, d, h, w; without, one element serves all of the dimension.
  unsigned mask = 0;
  /// All dimensions in the order in which the operand has those of `mask`,
  /// outermost first; empty for the result's order.
  std::string layout;

  /// Whether kernels take an operand for it.
  bool hasOperand() const { return kind >= Kind::Sum; }

  bool operator==(const PostOp &other) const = default;
};

/// "relu", "add", …: the word that benchdnn prints.
std::string_view postOpName(PostOp::Kind kind);

/// The mask of an operand with every dimension, before the problem says how
/// many there are.
inline constexpr unsigned WholeMask = ~0u;

/// Reads a chain such as `relu:0.1+add:f32:per_oc`. Its operands' layouts are
/// tags as they stand there. On failure returns nothing and puts one sentence
/// into `error`.
std::optional<std::vector<PostOp>> parsePostOps(std::string_view text,
                                                std::string &error);

/// The chain of a result with `rank` dimensions, channels counted as one.
std::string toString(const std::vector<PostOp> &postOps, int rank);

/// What numbers are multiplied by: one number, or one for each output channel,
/// which kernels are told.
struct Scale {
  double value = 1;
  bool isPerChannel = false;

  bool isOne() const { return !isPerChannel && value == 1; }
  bool operator==(const Scale &other) const = default;
};

/// What is subtracted from a filter, or added to results: one number, or one
/// for each channel of the result, which kernels are told.
struct ZeroPoint {
  int32_t value = 0;
  bool isPerChannel = false;

  bool isZero() const { return !isPerChannel && value == 0; }
  bool operator==(const ZeroPoint &other) const = default;
};

/// What happens to sums before they are stored:
///
///   result = convert(postOps(inputScale * filterScale * sum + bias) /
///                    resultScale + resultZeroPoint)
///
/// where the result of integers is rounded to nearest, ties to even, and
/// saturates.
struct Epilogue {
  std::vector<PostOp> postOps;
  /// Without, i32 of integers, and of floats the operands' type.
  std::optional<DataType> resultType;
  // Of integer problems alone.
  Scale inputScale, filterScale, resultScale;
  ZeroPoint resultZeroPoint;

  /// Whether sums are stored as they are.
  bool isEmpty() const { return *this == Epilogue(); }

  bool operator==(const Epilogue &other) const = default;
};

/// What `--attr-scales` says: nothing of what it does not name.
struct ScaleFlags {
  std::optional<Scale> input, filter, result;
};

/// Reads scales such as `src:common:0.25+wei:per_oc`. On failure puts one
/// sentence into `error`.
std::optional<ScaleFlags> parseScales(std::string_view text,
                                      std::string &error);

/// The scales of `epilogue` as text that parses back.
std::string scalesToString(const Epilogue &epilogue);

} // namespace convoy

#endif // CONVOY_SUPPORT_EPILOGUE_H
