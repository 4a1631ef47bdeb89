//===- EpilogueOperands.cpp - What an epilogue takes ----------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which operands the kernel of a problem with an epilogue takes, and whether
// the problem can have that epilogue at all.
//
//===----------------------------------------------------------------------===//

#include "ProblemParsing.h"

#include <algorithm>

using namespace convoy;
using namespace convoy::detail;

//===----------------------------------------------------------------------===//
// Types and operands
//===----------------------------------------------------------------------===//

Operand Problem::resultOperand() const {
  return direction == Direction::Forward        ? Operand::Output
         : direction == Direction::BackwardData ? Operand::Input
                                                : Operand::Filter;
}

static DataType usualResultType(ElementType type) {
  switch (type) {
  case ElementType::F64:
    return DataType::F64;
  case ElementType::F32:
    return DataType::F32;
  case ElementType::F16:
    return DataType::F16;
  case ElementType::BF16:
    return DataType::BF16;
  case ElementType::I8:
    break;
  }
  return DataType::S32;
}

DataType Problem::resultType() const {
  return epilogue.resultType.value_or(usualResultType(type));
}

bool Problem::addsBiasToScaledSums() const {
  return bias && type == ElementType::I8 && !epilogue.isEmpty();
}

/// The dimensions of `order`, a layout of the result, that `mask` has. Channels
/// alone are a row of all groups' channels, as those of a bias.
static Layout maskedLayout(unsigned mask, const std::string &order,
                           char channel, std::string_view spatial) {
  constexpr unsigned Channels = 2;
  if (mask == Channels)
    return Layout::fromLetters(std::string(1, channel));
  std::string letters;
  for (char letter : order) {
    size_t place = spatial.find(letter);
    unsigned dim = letter == 'n'                     ? 0
                   : place == std::string_view::npos ? 1
                                                     : 2 + unsigned(place);
    if (mask >> dim & 1)
      letters += letter;
  }
  return Layout::fromLetters(letters);
}

std::optional<KernelOperand> Problem::filterZeroPoints() const {
  if (!filterZeroPoint.isPerChannel)
    return std::nullopt;
  char channel = Layout::groupedLetter(resultOperand());
  return KernelOperand{"filter_zero_points", DataType::S32,
                       Layout::fromLetters(std::string(1, channel))};
}

std::vector<KernelOperand> Problem::epilogueOperands() const {
  std::vector<KernelOperand> operands;
  Operand result = resultOperand();
  char channel = Layout::groupedLetter(result);
  auto add = [&](const std::string &name, DataType elements, Layout layout) {
    std::string unique = name;
    auto isTaken = [&](const KernelOperand &other) {
      return other.name == unique;
    };
    for (int number = 1; std::any_of(operands.begin(), operands.end(), isTaken);
         ++number)
      unique = name + std::to_string(number);
    operands.push_back({unique, elements, std::move(layout)});
  };
  Layout channels = Layout::fromLetters(std::string(1, channel));
  if (addsBiasToScaledSums())
    add("bias", DataType::F32, channels);
  if (epilogue.filterScale.isPerChannel)
    add("filter_scales", DataType::F32, channels);
  if (epilogue.resultScale.isPerChannel)
    add("result_scales", DataType::F32, channels);
  if (epilogue.resultZeroPoint.isPerChannel)
    add("result_zero_points", DataType::S32, channels);
  for (const PostOp &postOp : epilogue.postOps) {
    if (postOp.kind == PostOp::Kind::Sum) {
      add("former_result", resultType(), layouts[result]);
      continue;
    }
    if (!postOp.hasOperand())
      continue;
    const std::string &order =
        postOp.layout.empty() ? layouts[result].letters() : postOp.layout;
    add(std::string(postOpName(postOp.kind)) + "_operand", *postOp.type,
        maskedLayout(postOp.mask, order, channel,
                     spatialLetters(shape.spatialRank())));
  }
  return operands;
}

//===----------------------------------------------------------------------===//
// From flags
//===----------------------------------------------------------------------===//

/// Reads the tag of an operand into letters of the result's.
static bool settleLayout(PostOp &postOp, const Problem &problem,
                         std::string &error) {
  if (postOp.layout.empty())
    return true;
  Operand result = problem.resultOperand();
  int rank = problem.shape.spatialRank();
  std::string what = "the tag of " + quoted(postOpName(postOp.kind));
  std::string reason;
  std::optional<Layout> layout =
      parseTag(postOp.layout, result, /*hasGroups=*/false, rank, reason);
  if (!layout || layout->hasGroups() || layout->spatialRank() != rank)
    return fail(error, expectation("a plain tag of all dimensions, such as axb "
                                   "or any,",
                                   what, postOp.layout));
  postOp.layout = *layout == problem.layouts[result] ? "" : layout->letters();
  return true;
}

static bool settlePostOp(PostOp &postOp, const Problem &problem,
                         std::string &error) {
  std::string name = quoted(postOpName(postOp.kind));
  if (postOp.kind == PostOp::Kind::Sum) {
    if (postOp.type && *postOp.type != problem.resultType())
      return fail(error,
                  expectation("the result's type " + std::string(dataTypeName(
                                                         problem.resultType())),
                              "the type of 'sum'", dataTypeName(*postOp.type)));
    postOp.type.reset();
    if (postOp.beta != 0 && !isInteger(problem.resultType()))
      return fail(error, "expected no zero point behind 'sum', since the "
                         "result is no integer");
    return true;
  }
  if (!postOp.hasOperand())
    return true;
  unsigned whole = (1u << (2 + problem.shape.spatialRank())) - 1;
  if (postOp.mask == WholeMask)
    postOp.mask = whole;
  if (postOp.mask > whole)
    return fail(error, "expected a mask of at most " + std::to_string(whole) +
                           " behind " + name + ", but got " +
                           std::to_string(postOp.mask));
  return settleLayout(postOp, problem, error);
}

/// Checks that channels which kernels are told the number of are no part of a
/// dimension of what they take besides the convolution's operands.
static bool checkDynamicOperands(const Problem &problem, std::string &error) {
  char channel = Layout::groupedLetter(problem.resultOperand());
  if (!problem.usesGroups() ||
      problem.dynamic.find_first_of({'g', channel}) == std::string::npos)
    return true;
  std::vector<KernelOperand> operands = problem.epilogueOperands();
  if (std::optional<KernelOperand> zeroPoints = problem.filterZeroPoints())
    operands.push_back(*zeroPoints);
  for (const KernelOperand &operand : operands)
    if (operand.layout.contains(channel) && !operand.layout.hasGroups())
      return fail(error, "expected no dynamic channels or groups for '" +
                             operand.name +
                             "' of a convolution in groups, but got "
                             "'--dynamic=" +
                             problem.dynamic + "'");
  return true;
}

static bool settleIntegers(Problem &problem, const ProblemDefaults &flags,
                           std::string &error) {
  Epilogue &epilogue = problem.epilogue;
  if (flags.resultType != DataType::S32)
    epilogue.resultType = flags.resultType;
  if (flags.scales) {
    epilogue.inputScale = flags.scales->input.value_or(Scale());
    epilogue.filterScale = flags.scales->filter.value_or(Scale());
    epilogue.resultScale = flags.scales->result.value_or(Scale());
  }
  epilogue.resultZeroPoint = flags.resultZeroPoint.value_or(ZeroPoint());
  if (epilogue.resultZeroPoint.isZero())
    return true;
  DataType type = problem.resultType();
  std::string what = "the zero point of the result, which is " +
                     std::string(dataTypeName(type));
  bool isPerChannel = epilogue.resultZeroPoint.isPerChannel;
  int32_t value = epilogue.resultZeroPoint.value;
  std::string got = isPerChannel ? "per_oc" : std::to_string(value);
  if (!isInteger(type))
    return fail(error, expectation("0", what, got));
  int64_t least = type == DataType::U8 ? 0 : -128;
  if (type != DataType::S32 && !isPerChannel &&
      (value < least || value > least + 255))
    return fail(error, expectation("a number from " + std::to_string(least) +
                                       " to " + std::to_string(least + 255),
                                   what, got));
  return true;
}

bool detail::settleEpilogue(Problem &problem, const ProblemDefaults &flags,
                            std::string &error) {
  problem.epilogue = {};
  if (problem.type == ElementType::I8 && !settleIntegers(problem, flags, error))
    return false;
  // Lines of MIOpenDriver have types of their own.
  if (problem.type != ElementType::I8 && flags.type == problem.type &&
      flags.resultType != usualResultType(problem.type))
    problem.epilogue.resultType = flags.resultType;
  if (flags.postOps)
    problem.epilogue.postOps = *flags.postOps;
  if (problem.epilogue.isEmpty())
    return checkDynamicOperands(problem, error);
  if (problem.direction == Direction::BackwardFilter)
    return fail(error, "expected the gradient of a filter without "
                       "'--attr-post-ops', '--attr-scales', zero points and "
                       "types of results, but got some");
  for (PostOp &postOp : problem.epilogue.postOps)
    if (!settlePostOp(postOp, problem, error))
      return false;
  return checkDynamicOperands(problem, error);
}
