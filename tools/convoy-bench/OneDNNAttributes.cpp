//===- OneDNNAttributes.cpp - Epilogues in oneDNN's words -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OneDNNAttributes.h"

#include "llvm/Support/ErrorHandling.h"

#include <cstring>

using namespace mlir;
using namespace mlir::convoy;
using namespace ::convoy;
using dnnl::algorithm;
using DnnlMemory = dnnl::memory;

std::optional<DnnlMemory::data_type>
mlir::convoy::getDataType(ScalarType type) {
  using DataType = DnnlMemory::data_type;
  switch (type) {
  case ScalarType::F32:
    return DataType::f32;
  case ScalarType::F16:
    return DataType::f16;
  case ScalarType::BF16:
    return DataType::bf16;
  case ScalarType::I8:
    return DataType::s8;
  case ScalarType::U8:
    return DataType::u8;
  case ScalarType::I32:
    return DataType::s32;
  default:
    return std::nullopt;
  }
}

static algorithm getAlgorithm(PostOp::Kind kind) {
  switch (kind) {
  case PostOp::Kind::Abs:
    return algorithm::eltwise_abs;
  case PostOp::Kind::Clip:
    return algorithm::eltwise_clip;
  case PostOp::Kind::Elu:
    return algorithm::eltwise_elu;
  case PostOp::Kind::Exp:
    return algorithm::eltwise_exp;
  case PostOp::Kind::GeluErf:
    return algorithm::eltwise_gelu_erf;
  case PostOp::Kind::GeluTanh:
    return algorithm::eltwise_gelu_tanh;
  case PostOp::Kind::HardSigmoid:
    return algorithm::eltwise_hardsigmoid;
  case PostOp::Kind::HardSwish:
    return algorithm::eltwise_hardswish;
  case PostOp::Kind::Linear:
    return algorithm::eltwise_linear;
  case PostOp::Kind::Log:
    return algorithm::eltwise_log;
  case PostOp::Kind::Logistic:
    return algorithm::eltwise_logistic;
  case PostOp::Kind::Mish:
    return algorithm::eltwise_mish;
  case PostOp::Kind::Relu:
    return algorithm::eltwise_relu;
  case PostOp::Kind::Round:
    return algorithm::eltwise_round;
  case PostOp::Kind::SoftRelu:
    return algorithm::eltwise_soft_relu;
  case PostOp::Kind::Sqrt:
    return algorithm::eltwise_sqrt;
  case PostOp::Kind::Square:
    return algorithm::eltwise_square;
  case PostOp::Kind::Swish:
    return algorithm::eltwise_swish;
  case PostOp::Kind::Tanh:
    return algorithm::eltwise_tanh;
  case PostOp::Kind::Add:
    return algorithm::binary_add;
  case PostOp::Kind::Div:
    return algorithm::binary_div;
  case PostOp::Kind::Max:
    return algorithm::binary_max;
  case PostOp::Kind::Min:
    return algorithm::binary_min;
  case PostOp::Kind::Mul:
    return algorithm::binary_mul;
  case PostOp::Kind::Sub:
    return algorithm::binary_sub;
  case PostOp::Kind::Sum:
    break;
  }
  llvm_unreachable("a sum has no algorithm");
}

/// A row of numbers for the primitive.
static DnnlMemory makeRow(const HostArray &array, DnnlMemory::data_type type,
                          const dnnl::engine &engine) {
  DnnlMemory memory({{array.elementCount()}, type, DnnlMemory::format_tag::a},
                    engine);
  std::memcpy(memory.get_data_handle(), array.data(), array.bytes.size());
  return memory;
}

static DnnlMemory makeNumber(ScalarType type, double value,
                             const dnnl::engine &engine) {
  HostArray number(type, {1});
  number.set(0, value);
  return makeRow(number, *getDataType(type), engine);
}

const CheckedOperand &OneDNNAttributes::takeOperand() {
  return task.conv.epilogueOperands[nextOperand++];
}

int OneDNNAttributes::getChannelMask() const {
  return task.conv.shape.groups > 1 ? 3 : 1;
}

void OneDNNAttributes::addScale(int argument, const Scale &scale) {
  if (scale.isOne())
    return;
  attributes.set_scales_mask(argument,
                             scale.isPerChannel ? getChannelMask() : 0);
  memories[DNNL_ARG_ATTR_SCALES | argument] =
      scale.isPerChannel ? makeRow(task.arguments[takeOperand().argument],
                                   DnnlMemory::data_type::f32, engine)
                         : makeNumber(ScalarType::F32, scale.value, engine);
}

void OneDNNAttributes::addZeroPoint(int argument, const ZeroPoint &zeroPoint) {
  if (zeroPoint.isZero())
    return;
  bool isResult = argument == DNNL_ARG_DST;
  int channelMask = isResult ? 1 << 1 : getChannelMask();
  attributes.set_zero_points_mask(argument,
                                  zeroPoint.isPerChannel ? channelMask : 0);
  auto getRow = [&] {
    const CheckedOperand &row =
        isResult ? takeOperand() : *task.conv.filterZeroPoints;
    return makeRow(task.arguments[row.argument], DnnlMemory::data_type::s32,
                   engine);
  };
  memories[DNNL_ARG_ATTR_ZERO_POINTS | argument] =
      zeroPoint.isPerChannel
          ? getRow()
          : makeNumber(ScalarType::I32, zeroPoint.value, engine);
}

bool OneDNNAttributes::addBinary(const CheckedOperand &operand,
                                 PostOp::Kind kind, std::string &reason) {
  std::optional<DnnlMemory::data_type> type = getDataType(operand.type);
  if (!type)
    return reason = "has no operand of this type", false;
  // oneDNN's result has one dimension of channels, groups among them.
  const OperandIndex &index = operand.index;
  DnnlMemory::dims sizes, strides;
  auto add = [&](int64_t size, int64_t stride) {
    sizes.push_back(stride == 0 ? 1 : size);
    strides.push_back(stride == 0 ? 1 : stride);
  };
  size_t n = logicalDim('n'), g = logicalDim('g');
  size_t f = logicalDim(Layout::groupedLetter(task.problem.resultOperand()));
  bool isJoined = index.sizes[g] == 1 || index.sizes[f] == 1 ||
                  index.strides[g] == index.sizes[f] * index.strides[f];
  if (!isJoined)
    return reason = "has no operand of this layout", false;
  add(index.sizes[n], index.strides[n]);
  add(index.sizes[g] * index.sizes[f],
      index.sizes[f] == 1 ? index.strides[g] : index.strides[f]);
  for (char letter : spatialLetters(task.conv.shape.spatialRank()))
    add(index.sizes[logicalDim(letter)], index.strides[logicalDim(letter)]);
  DnnlMemory::desc desc(sizes, *type, strides);
  const HostArray &array = task.arguments[operand.argument];
  DnnlMemory memory(desc, engine);
  std::memcpy(memory.get_data_handle(), array.data(), array.bytes.size());
  memories[DNNL_ARG_ATTR_MULTIPLE_POST_OP(postOps.len()) | DNNL_ARG_SRC_1] =
      memory;
  postOps.append_binary(getAlgorithm(kind), desc);
  return true;
}

bool OneDNNAttributes::addPostOp(const PostOp &postOp, std::string &reason) {
  if (postOp.kind == PostOp::Kind::Sum) {
    if (formerResult)
      return reason = "more than one 'sum' is not timed", false;
    formerResult = &task.arguments[takeOperand().argument];
    postOps.append_sum(float(postOp.alpha), int32_t(postOp.beta));
    return true;
  }
  if (postOp.hasOperand())
    return addBinary(takeOperand(), postOp.kind, reason);
  postOps.append_eltwise(getAlgorithm(postOp.kind), float(postOp.alpha),
                         float(postOp.beta));
  return true;
}

bool OneDNNAttributes::prepare(std::string &reason) {
  const Problem &problem = task.problem;
  const Epilogue &epilogue = problem.epilogue;
  bool hasZeroPoints =
      problem.inputZeroPoint != 0 || !problem.filterZeroPoint.isZero();
  if (problem.direction == Direction::BackwardFilter && hasZeroPoints)
    return reason = "has no zero points of gradients", false;
  if (problem.addsBiasToScaledSums())
    bias = &task.arguments[takeOperand().argument];
  else if (problem.bias)
    bias = &task.arguments[*task.conv.init->argument];
  addScale(DNNL_ARG_SRC, epilogue.inputScale);
  addScale(DNNL_ARG_WEIGHTS, epilogue.filterScale);
  addZeroPoint(DNNL_ARG_SRC, {problem.inputZeroPoint});
  addZeroPoint(DNNL_ARG_WEIGHTS, problem.filterZeroPoint);
  // oneDNN divides by one number alone; quotients by others are a post-op.
  const CheckedOperand *divisors = nullptr;
  if (epilogue.resultScale.isPerChannel)
    divisors = &takeOperand();
  else
    addScale(DNNL_ARG_DST, epilogue.resultScale);
  addZeroPoint(DNNL_ARG_DST, epilogue.resultZeroPoint);
  for (const PostOp &postOp : epilogue.postOps)
    if (!addPostOp(postOp, reason))
      return false;
  if (divisors && !addBinary(*divisors, PostOp::Kind::Div, reason))
    return false;
  attributes.set_post_ops(postOps);
  return true;
}
