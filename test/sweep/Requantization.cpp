//===- Requantization.cpp - What sums of bytes become in sweeps -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Requantization.h"

using namespace convoy;

/// Gives operands with every dimension as many as `problem` has.
static void settleMasks(Problem &problem) {
  for (PostOp &postOp : problem.epilogue.postOps)
    if (postOp.mask == WholeMask)
      postOp.mask = (1u << (2 + problem.shape.spatialRank())) - 1;
}

void convoy::setPostOps(Problem &problem, const std::string &text) {
  std::string error;
  problem.epilogue.postOps = parsePostOps(text, error).value();
  settleMasks(problem);
}

void Requantization::apply(Problem &problem) const {
  problem.type = ElementType::I8;
  problem.inputSigned = inputSigned;
  problem.filterSigned = filterSigned;
  problem.inputZeroPoint = inputZeroPoint;
  problem.filterZeroPoint = filterZeroPoint;
  if (problem.direction == Direction::BackwardFilter) {
    problem.filterZeroPoint.isPerChannel = false;
    return;
  }
  problem.bias = hasBias && problem.direction == Direction::Forward;
  problem.epilogue = epilogue;
  settleMasks(problem);
}

/// The epilogue with results of `type`, scales and post-ops in benchdnn's
/// words, which are right, and a zero point of the result.
static Epilogue makeEpilogue(DataType type, const std::string &scales,
                             const std::string &postOps,
                             ZeroPoint zeroPoint = {}) {
  std::string error;
  Epilogue epilogue;
  epilogue.postOps = parsePostOps(postOps, error).value();
  if (type != DataType::S32)
    epilogue.resultType = type;
  ScaleFlags flags = parseScales(scales, error).value();
  epilogue.inputScale = flags.input.value_or(Scale());
  epilogue.filterScale = flags.filter.value_or(Scale());
  epilogue.resultScale = flags.result.value_or(Scale());
  epilogue.resultZeroPoint = zeroPoint;
  return epilogue;
}

std::vector<Requantization> convoy::getRequantizations(bool areFiltersPacked) {
  ZeroPoint ofChannels;
  ofChannels.isPerChannel = !areFiltersPacked;
  // Of u8 x s8, s8 x s8 and s8 x u8. Scales that are powers of two leave ties.
  return {
      {false, true, false, 3, {}, {}},
      {true, true, true, 0, {}, {}},
      {true, true, false, -5, {7}, {}},
      {false,
       true,
       true,
       0,
       {},
       makeEpilogue(DataType::U8,
                    "src:common:0.0625+wei:per_oc+dst:common:0.25", "relu",
                    {4})},
      {true,
       true,
       false,
       0,
       {},
       makeEpilogue(DataType::S8, "wei:per_oc+dst:per_oc", "clip:-50:60",
                    {0, true})},
      {true,
       false,
       true,
       9,
       {},
       makeEpilogue(DataType::U8, "src:common:0.03125", "sum:0.5:3")},
      {false,
       true,
       false,
       128,
       {},
       makeEpilogue(DataType::F32, "src:common:0.25+wei:per_oc",
                    "add:f32:per_tensor+relu:0.5")},
      {true, true, false, 2, ofChannels,
       makeEpilogue(DataType::BF16, "wei:common:0.0078125",
                    "mul:f32:per_oc+abs")},
      {false, true, true, 0, ofChannels,
       makeEpilogue(DataType::S8, "wei:per_oc", "max:s8:per_oc", {1})},
      {true,
       true,
       true,
       -128,
       {},
       makeEpilogue(DataType::F16, "src:common:0.00390625+wei:common:0.5", "")},
      {true,
       true,
       false,
       0,
       {},
       makeEpilogue(DataType::S32, "wei:per_oc", "add:u8:per_tensor", {-77})},
  };
}
