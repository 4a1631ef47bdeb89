//===- ProblemFlags.cpp - The flags of problems ---------------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/ProblemFlags.h"

#include "ProblemParsing.h"

#include <algorithm>
#include <array>
#include <utility>

using namespace convoy;
using namespace convoy::detail;

//===----------------------------------------------------------------------===//
// Values of flags
//===----------------------------------------------------------------------===//

static bool parseDirections(std::string_view value, ProblemDefaults &flags,
                            std::string &error) {
  std::vector<Direction> directions;
  bool bias = false, offset = false, mask = false, all = false;
  for (std::string_view name : split(value, ',')) {
    std::vector<Direction> named;
    bool isRepeated = false;
    if (name == "FWD_D" || name == "FWD_I" || name == "FWD_B")
      named = {Direction::Forward};
    else if (name == "BWD_D")
      named = {Direction::BackwardData};
    else if (name == "BWD_W")
      named = {Direction::BackwardFilter};
    else if (name == "all")
      named = {Direction::Forward, Direction::BackwardData,
               Direction::BackwardFilter};
    else if (name == "BWD_OFFSET")
      isRepeated = std::exchange(offset, true);
    else if (name == "BWD_MASK")
      isRepeated = std::exchange(mask, true);
    else if (name == "BWD_WB")
      return fail(error,
                  "'--dir=BWD_WB' also asks for the gradient of a bias, "
                  "but expected BWD_W, the gradient of the filter alone");
    else
      return fail(error, expectation("FWD_D, FWD_I, FWD_B, BWD_D, BWD_W or all",
                                     "'--dir'", name));
    bias |= name == "FWD_B";
    all |= name == "all";
    for (Direction direction : named) {
      isRepeated |= std::find(directions.begin(), directions.end(),
                              direction) != directions.end();
      directions.push_back(direction);
    }
    if (isRepeated)
      return fail(error, expectation("each direction once", "'--dir'", value));
  }
  flags.directions = directions;
  flags.bias = bias;
  flags.offsetGradient = offset;
  flags.maskGradient = mask;
  flags.allDirections = all;
  return true;
}

static std::optional<bool> parseSign(std::string_view name) {
  if (name == "s8")
    return true;
  if (name == "u8")
    return false;
  return std::nullopt;
}

static bool parseSigns(std::string_view value, ProblemDefaults &flags,
                       std::string &error) {
  std::vector<std::string_view> parts = split(value, ':');
  std::optional<bool> input = parseSign(parts.front());
  std::optional<bool> filter = parseSign(parts.back());
  if (parts.size() != 2 || !input || !filter)
    return fail(
        error, expectation("s8:s8, u8:s8, s8:u8 or u8:u8", "'--signs'", value));
  flags.inputSigned = input;
  flags.filterSigned = filter;
  return true;
}

static bool parseZeroPoints(std::string_view value, ProblemDefaults &flags,
                            std::string &error) {
  std::vector<std::string_view> parts = split(value, ':');
  if (parts.size() != 2)
    return fail(error, expectation("two numbers, input and filter as in 128:0,",
                                   "'--zero-points'", value));
  auto input =
      parseNumber(parts[0], "the input's zero point", -128, 255, error);
  if (!input)
    return false;
  auto filter =
      parseNumber(parts[1], "the filter's zero point", -128, 255, error);
  if (!filter)
    return false;
  flags.inputZeroPoint = static_cast<int32_t>(*input);
  flags.filterZeroPoint = {static_cast<int32_t>(*filter), false};
  return true;
}

static bool parseType(std::string_view value, ProblemDefaults &flags,
                      std::string &error) {
  flags.type = parseElementType(value);
  flags.resultType.reset();
  if (!flags.type)
    return fail(error,
                expectation("f64, f32, f16, bf16 or i8", "'--type'", value));
  return true;
}

/// The type of floats below f64 that `name` is, or nothing.
static std::optional<DataType> parseMixedType(std::string_view name) {
  std::optional<DataType> type = parseDataType(name);
  bool isMixed = type && *type != DataType::F64 && !isInteger(*type);
  return isMixed ? type : std::nullopt;
}

/// benchdnn's `--dt`: one type for all three tensors, or one for each. The last
/// is that of the result, in all directions.
static bool parseDataTypes(std::string_view value, ProblemDefaults &flags,
                           std::string &error) {
  std::vector<std::string_view> parts = split(value, ':');
  flags.resultType.reset();
  if (parts.size() == 1 || parts.size() == 3) {
    std::string_view input = parts.front(), filter = parts[parts.size() / 2],
                     output = parts.back();
    std::optional<ElementType> type = parseElementType(input);
    if (type && type != ElementType::I8 && filter == input && output == input) {
      flags.type = type;
      return true;
    }
    if (filter == input && parseMixedType(input) && parseMixedType(output)) {
      flags.type = type;
      flags.resultType = parseMixedType(output);
      return true;
    }
    std::optional<DataType> result = parseDataType(output);
    if (parseSign(input) && parseSign(filter) && result &&
        *result != DataType::F64) {
      flags.type = ElementType::I8;
      flags.resultType = result;
      flags.inputSigned = parseSign(input);
      flags.filterSigned = parseSign(filter);
      return true;
    }
  }
  return fail(error,
              expectation("f64, f32, f16, bf16, or types of two operands and "
                          "of their result, as f16:f16:f32 and u8:s8:s32,",
                          "'--dt'", value));
}

/// benchdnn's older `--cfg`: the types of all three tensors in one word.
static bool parseConfiguration(std::string_view value, ProblemDefaults &flags,
                               std::string &error) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4>
      DataTypes = {{{"f64", "f64"},
                    {"f32", "f32"},
                    {"f16", "f16"},
                    {"bf16bf16bf16", "bf16"}}};
  for (const auto &[name, types] : DataTypes)
    if (name == value)
      return parseDataTypes(types, flags, error);
  for (std::string_view type : {"f32", "f16", "bf16"})
    if (std::string both = std::string(type) + std::string(type);
        value.starts_with(both) && parseMixedType(value.substr(both.size())))
      return parseDataTypes(std::string(type) + ":" + std::string(type) + ":" +
                                std::string(value.substr(both.size())),
                            flags, error);
  bool isOfBytes = value.starts_with("u8s8") || value.starts_with("s8s8");
  std::string_view result = value.substr(isOfBytes ? 4 : value.size());
  if (parseDataType(result).value_or(DataType::F64) != DataType::F64)
    return parseDataTypes(std::string(value.substr(0, 2)) +
                              ":s8:" + std::string(result),
                          flags, error);
  return fail(
      error,
      expectation("f64, f32, f16, bf16bf16bf16, or types of two operands and "
                  "of their result, as bf16bf16f32 and u8s8s32,",
                  "'--cfg'", value));
}

static bool parsePostOpsFlag(std::string_view value, ProblemDefaults &flags,
                             std::string &error) {
  flags.postOps = parsePostOps(value, error);
  return flags.postOps.has_value();
}

static bool parseScalesFlag(std::string_view value, ProblemDefaults &flags,
                            std::string &error) {
  flags.scales = parseScales(value, error);
  return flags.scales.has_value();
}

/// Reads what `words` say of `src`, `wei` or `dst`, of which the last two may
/// have a zero point for each channel; `value` is the flag's.
static bool readZeroPoint(const std::vector<std::string_view> &words,
                          std::string_view value, ZeroPoint &zeroPoint,
                          std::string &error) {
  std::string_view name = "'--attr-zero-points'";
  std::string_view operand = words[0];
  std::string_view policy = words.size() > 1 ? words[1] : "";
  bool isKnown = operand == "src" || operand == "wei" || operand == "dst";
  zeroPoint = {0,
               (operand == "wei" || operand == "dst") &&
                   (policy == "per_oc" ||
                    policy == (operand == "wei" ? "per_dim_0" : "per_dim_1"))};
  // A type may follow.
  size_t most = zeroPoint.isPerChannel ? 3 : 4;
  bool hasPolicy = zeroPoint.isPerChannel || policy == "common";
  if (!isKnown || !hasPolicy || words.size() < most - 1 ||
      words.size() > most || (words.size() == most && words.back() != "s32"))
    return fail(error, expectation("src, wei or dst with one number each, as "
                                   "in src:common:128+dst:common:-3, or "
                                   "wei:per_oc+dst:per_oc,",
                                   name, value));
  if (zeroPoint.isPerChannel)
    return true;
  constexpr int64_t Most = std::numeric_limits<int32_t>::max();
  std::optional<int64_t> number =
      parseNumber(words[2], name, -Most - 1, Most, error);
  zeroPoint.value = static_cast<int32_t>(number.value_or(0));
  return number.has_value();
}

/// benchdnn's `--attr-zero-points`: `src:common:128+wei:per_oc+dst:common:3`.
static bool parseAttributeZeroPoints(std::string_view value,
                                     ProblemDefaults &flags,
                                     std::string &error) {
  if (value.empty())
    return true;
  for (std::string_view part : split(value, '+')) {
    std::vector<std::string_view> words = split(part, ':');
    ZeroPoint zeroPoint;
    if (!readZeroPoint(words, value, zeroPoint, error))
      return false;
    if (words[0] == "src")
      flags.inputZeroPoint = zeroPoint.value;
    else if (words[0] == "wei")
      flags.filterZeroPoint = zeroPoint;
    else
      flags.resultZeroPoint = zeroPoint;
  }
  return true;
}

static bool parseBatch(std::string_view value, ProblemDefaults &flags,
                       std::string &error) {
  flags.batch = parseNumber(value, "'--mb'", 0, MaxNumber, error);
  return flags.batch.has_value();
}

static bool parseDynamic(std::string_view value, ProblemDefaults &flags,
                         std::string &error) {
  std::string letters;
  for (char letter : DynamicLetters)
    if (value.find(letter) != value.npos)
      letters += letter;
  // Others, or one twice.
  if (letters.size() != value.size())
    return fail(error, expectation("letters of " + std::string(DynamicLetters) +
                                       ", each once,",
                                   "'--dynamic'", value));
  flags.dynamic = letters;
  return true;
}

template <Operand operand>
static bool parseLayout(std::string_view value, ProblemDefaults &flags,
                        std::string &error) {
  if (!Layout::parse(value, operand, error))
    return false;
  std::string &letters = operand == Operand::Input    ? flags.inputLayout
                         : operand == Operand::Filter ? flags.filterLayout
                                                      : flags.outputLayout;
  letters = value;
  return true;
}

namespace {
/// A flag, as it is read and as --help lists it.
struct Flag {
  std::string_view name, values, description;
  bool (*parse)(std::string_view, ProblemDefaults &, std::string &);
};
} // namespace

static constexpr Flag Flags[] = {
    {"--dir", "FWD_D|FWD_I|FWD_B|BWD_D|BWD_W|all[,...]",
     "What is computed: forward, with a bias, or the gradient of the input or "
     "the filter (default: FWD_D, or what MIOpenDriver's -F says); of "
     "deformable convolutions also BWD_OFFSET and BWD_MASK",
     parseDirections},
    {"--type", "f64|f32|f16|bf16|i8", "Type in memory (default: f32)",
     parseType},
    {"--dt", "f64|f32|f16|bf16|f16:f16:f32|u8:s8:s32|s8:s8:u8|...",
     "The same in benchdnn's words, with the type of results", parseDataTypes},
    {"--cfg", "f64|f32|f16|bf16bf16bf16|bf16bf16f32|u8s8s32|s8s8u8|...",
     "The same in older words of benchdnn's", parseConfiguration},
    {"--mb", "N", "Batch in the place of the problem's", parseBatch},
    {"--dynamic", "n|nhw|...",
     "Letters of dimensions whose sizes kernels are told as they run: n, g, c, "
     "f, d, h, w (default: none)",
     parseDynamic},
    {"--signs", "s8:s8|u8:s8|s8:u8|u8:u8",
     "Of i8, how bytes of input and filter are read (default: s8:s8)",
     parseSigns},
    {"--zero-points", "N:N",
     "Of i8, what is subtracted from input and filter (default: 0:0)",
     parseZeroPoints},
    {"--attr-post-ops", "relu|clip:0:6|swish:1+add:f32:per_tensor|sum|...",
     "What becomes of each sum, step by step (default: nothing)",
     parsePostOpsFlag},
    {"--attr-scales", "src:common:0.5+wei:per_oc|dst:common:2|...",
     "Of i8, what sums are multiplied by, and what results are divided by "
     "(default: nothing)",
     parseScalesFlag},
    {"--attr-zero-points", "src:common:128+wei:per_oc+dst:common:3|...",
     "--zero-points in benchdnn's words, and what is added to results",
     parseAttributeZeroPoints},
    {"--input-layout", "nhwc|nchw|...",
     "Order of the input's dimensions (default: nhwc)",
     parseLayout<Operand::Input>},
    {"--filter-layout", "hwcf|fchw|fhwc|...",
     "Order of the filter's dimensions (default: hwcf)",
     parseLayout<Operand::Filter>},
    {"--output-layout", "nhwf|nfhw|...",
     "Order of the output's dimensions (default: nhwf)",
     parseLayout<Operand::Output>},
};

FlagStatus convoy::parseProblemFlag(std::string_view word,
                                    ProblemDefaults &flags,
                                    std::string &error) {
  size_t equals = word.find('=');
  if (equals == std::string_view::npos)
    return FlagStatus::NotAFlag;
  for (const Flag &flag : Flags)
    if (word.substr(0, equals) == flag.name)
      return flag.parse(word.substr(equals + 1), flags, error)
                 ? FlagStatus::Accepted
                 : FlagStatus::Rejected;
  return FlagStatus::NotAFlag;
}

std::string convoy::describeProblemFlags() {
  auto spell = [](const Flag &flag) {
    return "  " + std::string(flag.name) + "=<" + std::string(flag.values) +
           ">";
  };
  size_t width = 0;
  for (const Flag &flag : Flags)
    width = std::max(width, spell(flag).size());
  std::string text;
  for (const Flag &flag : Flags) {
    std::string words = spell(flag);
    words.resize(width, ' ');
    text.append(words).append(" - ").append(flag.description).append("\n");
  }
  return text;
}
