//===- Epilogue.cpp - What is done to a convolution's result --------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Support/Epilogue.h"

#include "Text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <tuple>

using namespace convoy;
using namespace convoy::detail;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static constexpr std::array<std::string_view, 7> DataTypeNames = {
    "f64", "f32", "f16", "bf16", "s32", "s8", "u8"};

std::string_view convoy::dataTypeName(DataType type) {
  return DataTypeNames[static_cast<size_t>(type)];
}

std::optional<DataType> convoy::parseDataType(std::string_view name) {
  auto found = std::find(DataTypeNames.begin(), DataTypeNames.end(), name);
  if (found == DataTypeNames.end())
    return std::nullopt;
  return static_cast<DataType>(found - DataTypeNames.begin());
}

bool convoy::isInteger(DataType type) { return type >= DataType::S32; }

namespace {
/// How a post-op without an operand is written.
struct Form {
  std::string_view name;
  int parameters = 0; ///< ALPHA, or ALPHA and BETA
  /// What stands for all of them where none is written: otherwise one must be.
  std::optional<std::pair<double, double>> usual;
  std::string_view example;
};
} // namespace

using Kind = PostOp::Kind;

/// By kind. benchdnn takes 0 for parameters that are missing, which would leave
/// little of most of these; `hardswish` had none before oneDNN 3.0.
static const std::array<Form, static_cast<size_t>(Kind::Sub) + 1> Forms = {{
    {"abs", 0, {}, ""},
    {"clip", 2, {}, "clip:0:6"},
    {"elu", 1, {}, "elu:1"},
    {"exp", 0, {}, ""},
    {"gelu_erf", 0, {}, ""},
    {"gelu_tanh", 0, {}, ""},
    {"hardsigmoid", 2, {}, "hardsigmoid:0.2:0.5"},
    {"hardswish", 2, {{1.0 / 6, 0.5}}, "hardswish:0.2:0.5"},
    {"linear", 2, {}, "linear:2:1"},
    {"log", 0, {}, ""},
    {"logistic", 0, {}, ""},
    {"mish", 0, {}, ""},
    {"relu", 1, {{0, 0}}, "relu:0.1"},
    {"round", 0, {}, ""},
    {"soft_relu", 1, {}, "soft_relu:1"},
    {"sqrt", 0, {}, ""},
    {"square", 0, {}, ""},
    {"swish", 1, {}, "swish:1"},
    {"tanh", 0, {}, ""},
    {"sum", 0, {}, ""},
    {"add", 0, {}, ""},
    {"div", 0, {}, ""},
    {"max", 0, {}, ""},
    {"min", 0, {}, ""},
    {"mul", 0, {}, ""},
    {"sub", 0, {}, ""},
}};

static const Form &getForm(Kind kind) {
  return Forms[static_cast<size_t>(kind)];
}

std::string_view convoy::postOpName(Kind kind) { return getForm(kind).name; }

static std::string lowered(std::string_view word) {
  std::string text(word);
  for (char &c : text)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  return text;
}

/// The kind that `word` names, with or without what oneDNN's own names begin
/// with.
static std::optional<Kind> parseKind(std::string_view word) {
  std::string text = lowered(word);
  std::string_view name = text;
  bool isUnary = name.starts_with("eltwise_");
  bool isBinary = name.starts_with("binary_");
  if (isUnary || isBinary)
    name.remove_prefix(name.find('_') + 1);
  // They differ in their gradients alone.
  if (name == "clip_v2")
    name = "clip";
  if (name == "srelu")
    name = "soft_relu";
  for (size_t number = 0; number < Forms.size(); ++number) {
    auto kind = static_cast<Kind>(number);
    if (Forms[number].name != name || (isUnary && kind >= Kind::Sum) ||
        (isBinary && kind <= Kind::Sum))
      continue;
    return kind;
  }
  return std::nullopt;
}

static bool failUnknown(std::string_view word, std::string &error) {
  std::string names;
  for (const Form &form : Forms)
    names.append(names.empty() ? "" : ", ").append(form.name);
  return fail(error, "expected one of " + names +
                         " as a step of '--attr-post-ops', but got " +
                         quoted(word));
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// Kernels compute in f32 or wider, which has to have the number.
static bool parseReal(std::string_view digits, std::string_view what,
                      double &value, std::string &error) {
  constexpr double Largest = 3.4028234663852886e38;
  const char *end = digits.data() + digits.size();
  auto [stop, code] = std::from_chars(digits.data(), end, value);
  // What f32 rounds to zero is no factor, and no divisor.
  bool vanishes = value != 0 && static_cast<float>(value) == 0;
  return (code == std::errc() && stop == end && !vanishes &&
          std::abs(value) <= Largest) ||
         fail(error, expectation("a number of f32", what, digits));
}

/// The shortest text that is read as `value`.
static std::string realToString(double value) {
  std::array<char, 32> text;
  auto [end, code] = std::to_chars(text.begin(), text.end(), value);
  return std::string(text.begin(), end);
}

/// `text` at each `+` that is no exponent's, as in `linear:1e+3:0+relu`.
static std::vector<std::string_view> splitChain(std::string_view text) {
  std::vector<std::string_view> parts;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    bool isExponent = i > 0 && (text[i - 1] == 'e' || text[i - 1] == 'E') &&
                      i + 1 < text.size() && text[i + 1] >= '0' &&
                      text[i + 1] <= '9';
    if (text[i] != '+' || isExponent)
      continue;
    parts.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

//===----------------------------------------------------------------------===//
// Post-ops
//===----------------------------------------------------------------------===//

using Parts = std::vector<std::string_view>;

static bool readParameters(const Parts &parts, PostOp &postOp,
                           std::string &error) {
  const Form &form = getForm(postOp.kind);
  int given = static_cast<int>(parts.size()) - 1;
  if (given == 0 && form.usual) {
    std::tie(postOp.alpha, postOp.beta) = *form.usual;
    return true;
  }
  if (given != form.parameters) {
    std::string name(form.name);
    std::string expected =
        form.parameters == 0
            ? "expected no number behind '" + name + "'"
            : "expected " +
                  std::string(form.parameters == 1 ? "one number"
                                                   : "two numbers") +
                  " behind '" + name + "', as in " + std::string(form.example);
    return fail(error, expected + ", but got " + std::to_string(given));
  }
  std::string what = quoted(form.name);
  if ((given >= 1 &&
       !parseReal(parts[1], "ALPHA of " + what, postOp.alpha, error)) ||
      (given >= 2 &&
       !parseReal(parts[2], "BETA of " + what, postOp.beta, error)))
    return false;
  if (postOp.kind == Kind::Clip && postOp.alpha > postOp.beta)
    return fail(
        error,
        expectation("a lower bound of at most the upper one", what,
                    std::string(parts[1]) + ":" + std::string(parts[2])));
  if (postOp.kind == Kind::SoftRelu && postOp.alpha == 0)
    return fail(error, expectation("another number than 0", "ALPHA of " + what,
                                   parts[1]));
  return true;
}

static bool readSum(const Parts &parts, PostOp &postOp, std::string &error) {
  postOp.alpha = 1;
  if (parts.size() > 4)
    return fail(error, "expected at most a scale, a zero point and a type "
                       "behind 'sum', but got " +
                           std::to_string(parts.size() - 1) + " words");
  if (parts.size() > 1 &&
      !parseReal(parts[1], "the scale of 'sum'", postOp.alpha, error))
    return false;
  if (parts.size() > 2) {
    std::optional<int64_t> zeroPoint =
        parseNumber(parts[2], "the zero point of 'sum'", -128, 255, error);
    if (!zeroPoint)
      return false;
    postOp.beta = static_cast<double>(*zeroPoint);
  }
  if (parts.size() > 3 && !(postOp.type = parseDataType(parts[3])))
    return fail(error, expectation("f64, f32, f16, bf16, s32, s8 or u8",
                                   "the type of 'sum'", parts[3]));
  return true;
}

static constexpr std::array<std::pair<std::string_view, unsigned>, 8> Policies =
    {{{"common", 0},
      {"per_oc", 2},
      {"per_tensor", WholeMask},
      {"per_dim_0", 1},
      {"per_dim_1", 2},
      {"per_dim_01", 3},
      {"per_dim_2", 4},
      {"per_dim_3", 8}}};

static std::optional<unsigned> parsePolicy(std::string_view word) {
  std::string name = lowered(word);
  for (const auto &[policy, mask] : Policies)
    if (policy == name)
      return mask;
  return std::nullopt;
}

static bool readMask(std::string_view word, std::string_view name,
                     unsigned &mask, std::string &error) {
  if (std::optional<unsigned> policy = parsePolicy(word)) {
    mask = *policy;
    return true;
  }
  constexpr unsigned MostDims = 5;
  unsigned value = 0;
  const char *end = word.data() + word.size();
  auto [stop, code] = std::from_chars(word.data(), end, value);
  if (code != std::errc() || stop != end || value >= 1u << MostDims)
    return fail(error, expectation("common, per_oc, per_tensor or the sum of 1 "
                                   "for n, 2 for channels, 4, 8, … for spatial "
                                   "dimensions",
                                   "the mask of " + quoted(name), word));
  mask = value;
  return true;
}

static bool readOperand(const Parts &parts, PostOp &postOp,
                        std::string &error) {
  std::string_view name = postOpName(postOp.kind);
  if (parts.size() < 2 || parts.size() > 4)
    return fail(error, "expected a type, a mask and a tag behind " +
                           quoted(name) + ", as in " + std::string(name) +
                           ":f32:per_oc, but got " +
                           std::to_string(parts.size() - 1) + " words");
  postOp.type = parseDataType(parts[1]);
  if (!postOp.type)
    return fail(error, expectation("f64, f32, f16, bf16, s32, s8 or u8",
                                   "the type of " + quoted(name), parts[1]));
  if (parts.size() > 2 && !readMask(parts[2], name, postOp.mask, error))
    return false;
  if (parts.size() > 3 && parts[3] != "any")
    postOp.layout = parts[3];
  return true;
}

static std::optional<PostOp> parsePostOp(std::string_view text,
                                         std::string &error) {
  Parts parts = split(text, ':');
  std::optional<Kind> kind = parseKind(parts.front());
  if (!kind) {
    failUnknown(parts.front(), error);
    return std::nullopt;
  }
  PostOp postOp;
  postOp.kind = *kind;
  bool isRight = *kind == Kind::Sum  ? readSum(parts, postOp, error)
                 : *kind > Kind::Sum ? readOperand(parts, postOp, error)
                                     : readParameters(parts, postOp, error);
  if (!isRight)
    return std::nullopt;
  return postOp;
}

std::optional<std::vector<PostOp>> convoy::parsePostOps(std::string_view text,
                                                        std::string &error) {
  std::vector<PostOp> postOps;
  if (text.empty())
    return postOps;
  for (std::string_view part : splitChain(text)) {
    std::optional<PostOp> postOp = parsePostOp(part, error);
    if (!postOp)
      return std::nullopt;
    postOps.push_back(std::move(*postOp));
  }
  return postOps;
}

/// What stands behind the name of a post-op with an operand.
static std::string operandToString(const PostOp &postOp, int rank) {
  std::string text = ":" + std::string(dataTypeName(*postOp.type));
  bool hasLayout = !postOp.layout.empty();
  if (postOp.mask == 0 && !hasLayout)
    return text;
  if (postOp.mask == (1u << rank) - 1)
    text += ":per_tensor";
  else if (postOp.mask == 2)
    text += ":per_oc";
  else
    text += ":" + std::to_string(postOp.mask);
  return hasLayout ? text + ":" + postOp.layout : text;
}

static std::string toString(const PostOp &postOp, int rank) {
  std::string text(postOpName(postOp.kind));
  if (postOp.kind > Kind::Sum)
    return text + operandToString(postOp, rank);
  if (postOp.kind == Kind::Sum) {
    if (postOp.alpha != 1 || postOp.beta != 0)
      text += ":" + realToString(postOp.alpha);
    return postOp.beta != 0 ? text + ":" + realToString(postOp.beta) : text;
  }
  const Form &form = getForm(postOp.kind);
  if (form.usual && *form.usual == std::pair(postOp.alpha, postOp.beta))
    return text;
  if (form.parameters >= 1)
    text += ":" + realToString(postOp.alpha);
  if (form.parameters >= 2)
    text += ":" + realToString(postOp.beta);
  return text;
}

std::string convoy::toString(const std::vector<PostOp> &postOps, int rank) {
  std::string text;
  for (const PostOp &postOp : postOps)
    text += (text.empty() ? "" : "+") + ::toString(postOp, rank);
  return text;
}

//===----------------------------------------------------------------------===//
// Scales
//===----------------------------------------------------------------------===//

/// Reads what stands behind `src`, `wei` or `dst`.
static bool readScale(const Parts &parts, bool mayBePerChannel, Scale &scale,
                      std::string &error) {
  std::string what = "the scale of " + quoted(parts[0]);
  std::string policy = parts.size() > 1 ? lowered(parts[1]) : "";
  std::string perDim = parts[0] == "wei" ? "per_dim_0" : "per_dim_1";
  scale.isPerChannel = policy == "per_oc" || policy == perDim;
  if (policy != "common" && (!scale.isPerChannel || !mayBePerChannel))
    return fail(error,
                expectation(mayBePerChannel ? "common or per_oc" : "common",
                            what, policy));
  size_t next = 2;
  if (!scale.isPerChannel) {
    std::string_view digits = parts.size() > next ? parts[next] : "";
    ++next;
    if (!parseReal(digits, what, scale.value, error))
      return false;
    if (scale.value <= 0)
      return fail(error, expectation("a number above 0", what, digits));
  }
  if (parts.size() > next && parts[next] != "f32")
    return fail(error, expectation("f32", "the type of " + what, parts[next]));
  return parts.size() <= next + 1 ||
         fail(error, expectation("no groups", what, parts[next + 1]));
}

std::optional<ScaleFlags> convoy::parseScales(std::string_view text,
                                              std::string &error) {
  ScaleFlags scales;
  if (text.empty())
    return scales;
  for (std::string_view part : splitChain(text)) {
    Parts words = split(part, ':');
    if (words[0] == "src0")
      words[0] = "src";
    std::optional<Scale> *scale = words[0] == "src"   ? &scales.input
                                  : words[0] == "wei" ? &scales.filter
                                  : words[0] == "dst" ? &scales.result
                                                      : nullptr;
    if (!scale) {
      error = expectation("src, wei or dst", "'--attr-scales'", words[0]);
      return std::nullopt;
    }
    if (*scale) {
      error =
          expectation("each of src, wei and dst once", "'--attr-scales'", text);
      return std::nullopt;
    }
    if (!readScale(words, scale != &scales.input, scale->emplace(), error))
      return std::nullopt;
  }
  return scales;
}

std::string convoy::scalesToString(const Epilogue &epilogue) {
  std::string text;
  auto add = [&](std::string_view name, const Scale &scale) {
    if (scale.isOne())
      return;
    text.append(text.empty() ? "" : "+").append(name);
    text +=
        scale.isPerChannel ? ":per_oc" : ":common:" + realToString(scale.value);
  };
  add("src", epilogue.inputScale);
  add("wei", epilogue.filterScale);
  add("dst", epilogue.resultScale);
  return text;
}
