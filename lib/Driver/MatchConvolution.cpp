//===- MatchConvolution.cpp - Functions that are convolutions ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Driver/CheckedConv.h"
#include "convoy/Transforms/Numerics/PolicyTypes.h"
#include "convoy/Transforms/Numerics/RangeAnalysis.h"
#include "convoy/Transforms/Utils/ConstantElements.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace ::convoy;

namespace {
/// Translates one function, or says why it cannot.
class ConvolutionMatcher {
public:
  ConvolutionMatcher(func::FuncOp function, std::string &reason)
      : function(function), reason(reason) {}

  std::optional<CheckedConv> match();

private:
  bool refuse(const Twine &why) {
    reason = why.str();
    return false;
  }
  bool findConvolution();
  bool matchOperands();
  bool matchNumerics();
  bool matchZeroPoints(Operand first, Operand second);
  bool matchInit(Value init);
  bool matchConstantInit(Attribute value);
  /// An init whose element at output indices is `source`'s at `map` of them.
  bool matchBroadcast(Value source, AffineMap map);
  std::optional<unsigned> findArgument(Value value);

  func::FuncOp function;
  std::string &reason;
  ConvolutionOpInterface op;
  CheckedConv conv;
};
} // namespace

bool ConvolutionMatcher::findConvolution() {
  if (!function.getBody().hasOneBlock())
    return refuse("it has control flow");
  Operation *terminator = function.front().getTerminator();
  if (terminator->getNumOperands() != 1)
    return refuse("it has " + Twine(terminator->getNumOperands()) +
                  " results, not 1");
  Value value = peelReshapes(terminator->getOperand(0));
  op = value.getDefiningOp<ConvolutionOpInterface>();
  if (!op)
    return refuse("its result is not a convolution's");
  if (!op.hasStaticSizes())
    return refuse("the convolution has dynamic sizes");
  conv.direction = op.getDirection();
  conv.shape = op.getConvShape();
  return true;
}

std::optional<unsigned> ConvolutionMatcher::findArgument(Value value) {
  auto argument = dyn_cast<BlockArgument>(peelReshapes(value));
  if (!argument)
    return std::nullopt;
  return argument.getArgNumber();
}

bool ConvolutionMatcher::matchOperands() {
  Operand result = directionRoles(conv.direction).result;
  llvm::SmallDenseSet<unsigned> seen;
  for (Operand operand : {Operand::Input, Operand::Filter, Operand::Output}) {
    size_t place = static_cast<size_t>(operand);
    conv.indices[place] =
        operandIndex(conv.shape, operand, op.getLayout().getLayouts()[operand]);
    if (operand == result) {
      conv.resultLayout = op.getLayout().getLayouts()[operand];
      conv.arguments[place] = function.getNumArguments();
      continue;
    }
    std::optional<unsigned> argument = findArgument(op.getOperandFor(operand));
    std::string_view name = operandName(operand);
    if (!argument)
      return refuse("the convolution's " + Twine(StringRef(name)) +
                    " is not an argument");
    if (!seen.insert(*argument).second)
      return refuse("argument " + Twine(*argument) + " is used twice");
    conv.arguments[place] = *argument;
  }
  return true;
}

bool ConvolutionMatcher::matchZeroPoints(Operand first, Operand second) {
  conv.numerics.zeroPoints = {0, 0, 0};
  if (op.getZeroPoints().empty())
    return true;
  if (op.hasZeroPointsPerChannel())
    return refuse("each channel has a zero point of its own");
  for (auto [operand, value] :
       llvm::zip_equal(std::array{first, second}, op.getZeroPoints())) {
    APInt constant;
    if (!matchPattern(value, m_ConstantInt(&constant)))
      return refuse("a zero point is not constant");
    conv.numerics.zeroPoints[static_cast<size_t>(operand)] =
        constant.getSExtValue();
  }
  return true;
}

bool ConvolutionMatcher::matchNumerics() {
  NumericsAttr numerics = op.getNumerics();
  OperandRoles roles = getOperandRoles(conv.direction);
  auto setType = [&](Operand operand, bool isUnsigned) {
    Type type = op.getTypeFor(operand).getElementType();
    std::optional<ScalarType> scalar = getScalarType(type, isUnsigned);
    conv.numerics.types[static_cast<size_t>(operand)] =
        scalar.value_or(ScalarType::F32);
    return scalar.has_value();
  };
  std::string hazard;
  RangeAnalysis ranges(function);
  std::optional<ScalarType> accumulator =
      getScalarType(getPolicyAccumulator(op, ranges, hazard));
  if (!setType(roles.first, numerics.getInputUnsigned()) ||
      !setType(roles.second, numerics.getFilterUnsigned()) ||
      !setType(roles.result, false) || !accumulator)
    return refuse("the reference lacks the convolution's types");
  conv.numerics.accumulator = *accumulator;
  return matchZeroPoints(roles.first, roles.second);
}

bool ConvolutionMatcher::matchConstantInit(Attribute value) {
  double constant = 0;
  if (auto splat = dyn_cast<SplatElementsAttr>(value))
    value = splat.getSplatValue<Attribute>();
  if (auto number = dyn_cast<FloatAttr>(value))
    constant = number.getValueAsDouble();
  else if (auto number = dyn_cast<IntegerAttr>(value))
    constant = double(number.getInt());
  else
    return refuse("the init has more than one constant");
  if (constant == 0)
    return true;
  CheckedInit init;
  init.constant = constant;
  init.index =
      conv.indices[static_cast<size_t>(directionRoles(conv.direction).result)];
  init.index.strides = {};
  conv.init = init;
  return true;
}

bool ConvolutionMatcher::matchBroadcast(Value source, AffineMap map) {
  Attribute constant;
  if (matchPattern(source, m_Constant(&constant)))
    return matchConstantInit(constant);
  CheckedInit init;
  init.argument = findArgument(source);
  if (!init.argument || !map.isProjectedPermutation())
    return refuse("the convolution's init is not an argument, a constant or a "
                  "bias");
  Operand result = directionRoles(conv.direction).result;
  std::string letters = op.getLayout().getLayouts()[result].letters();
  init.index = conv.indices[static_cast<size_t>(result)];
  init.index.strides = {};
  int64_t stride = 1;
  auto type = cast<RankedTensorType>(source.getType());
  for (unsigned dim = type.getRank(); dim-- > 0;) {
    init.index.strides[logicalDim(letters[map.getDimPosition(dim)])] = stride;
    stride *= type.getDimSize(dim);
  }
  conv.init = init;
  return true;
}

bool ConvolutionMatcher::matchInit(Value init) {
  if (Attribute constant = getConstantElements(init))
    return matchConstantInit(constant);
  if (peelReshapes(init).getDefiningOp<linalg::FillOp>())
    return refuse("the convolution's init is not constant");
  auto linalgOp = init.getDefiningOp<linalg::LinalgOp>();
  if (linalgOp && linalgOp.getNumDpsInputs() == 1 &&
      linalgOp.getNumParallelLoops() == linalgOp.getNumLoops() &&
      linalgOp.getMatchingIndexingMap(linalgOp.getDpsInitOperand(0))
          .isIdentity() &&
      linalgOp.getBlock()->getTerminator()->getOperand(0) ==
          linalgOp.getBlock()->getArgument(0))
    return matchBroadcast(
        linalgOp.getDpsInputOperand(0)->get(),
        linalgOp.getMatchingIndexingMap(linalgOp.getDpsInputOperand(0)));
  return matchBroadcast(
      init,
      AffineMap::getMultiDimIdentityMap(
          cast<RankedTensorType>(init.getType()).getRank(), init.getContext()));
}

std::optional<CheckedConv> ConvolutionMatcher::match() {
  if (!findConvolution() || !matchOperands() || !matchNumerics() ||
      !matchInit(op.getInit()))
    return std::nullopt;
  unsigned expected = 2 + (conv.init && conv.init->argument ? 1 : 0);
  if (function.getNumArguments() != expected) {
    reason = "it has arguments that the convolution does not use";
    return std::nullopt;
  }
  return conv;
}

std::optional<CheckedConv> mlir::convoy::matchConvolution(func::FuncOp function,
                                                          std::string &reason) {
  return ConvolutionMatcher(function, reason).match();
}
