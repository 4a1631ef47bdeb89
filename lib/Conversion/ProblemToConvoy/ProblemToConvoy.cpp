//===- ProblemToConvoy.cpp - A problem as a function ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Conversion/ProblemToConvoy.h"

#include "EpilogueToLinalg.h"
#include "FactorType.h"
#include "PostOpToArith.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/KernelABI/KernelInterface.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::ConvLayouts;
using ::convoy::ConvShape;
using ::convoy::Direction;
using ::convoy::ElementType;
using ::convoy::Layout;
using ::convoy::Operand;
using ::convoy::Problem;

namespace {
class ProblemBuilder {
public:
  ProblemBuilder(OpBuilder &builder, Location loc, const Problem &problem)
      : builder(builder), loc(loc), problem(problem),
        roles(getProblemRoles(problem.direction)) {}

  func::FuncOp build(StringRef name);
  /// The epilogue alone, as a function of the sums.
  func::FuncOp buildEpilogueOnly(StringRef name);

private:
  Type getFactorType() {
    return mlir::convoy::getFactorType(builder, problem.type);
  }
  Type getResultType() { return getElementType(builder, problem.resultType()); }
  Type getSumType() { return mlir::convoy::getSumType(builder, problem); }
  /// The type of `operand` in the user's layout.
  RankedTensorType getFlatType(Operand operand, Type element) {
    return getType(operand, problem.layouts[operand], element);
  }
  RankedTensorType getType(Operand operand, const Layout &layout, Type element);
  /// The layout of `operand` in the op.
  Layout getLayout(Operand operand) {
    const Layout &layout = problem.layouts[operand];
    return problem.usesGroups() ? layout.withGroups(operand) : layout;
  }
  /// The size of dimension `letter` of the result, which follows from those of
  /// the arguments.
  OpFoldResult getResultSize(char letter);
  Value splitGroups(Value tensor, Operand operand);
  /// The result in the user's layout.
  Value joinGroups(Value tensor);
  /// A tensor for results, or for sums, in the op's layout.
  Value buildEmpty(Type element);
  Value buildInit(Value bias);
  /// What becomes of `sums`; `operands` are the epilogue's.
  Value finish(Value sums, ValueRange operands);
  /// Whether sums start from the bias.
  bool startsFromBias() {
    return problem.bias && !problem.addsBiasToScaledSums();
  }
  /// Those of the convolution's operands; `ofChannels` are the filter's, if it
  /// has one for each channel.
  SmallVector<Value> buildZeroPoints(Value ofChannels);
  NumericsAttr getNumerics();
  /// Adds an argument to the function to be.
  void addArgument(StringRef name, StringRef layout, Type type);
  void addArgument(const ::convoy::KernelOperand &operand);
  void addEpilogueArguments();
  /// The function with its arguments and result described, without a body.
  void createFunction(StringRef name);
  Value createConvolution(Value first, Value second, Value init,
                          SmallVector<Value> zeroPoints);

  OpBuilder &builder;
  Location loc;
  const Problem &problem;
  ProblemRoles roles;
  SmallVector<Type> argumentTypes;
  SmallVector<DictionaryAttr> argumentAttrs;
  func::FuncOp function;
};
} // namespace

ProblemRoles mlir::convoy::getProblemRoles(Direction direction) {
  switch (direction) {
  case Direction::Forward:
    return {Operand::Input, Operand::Filter, Operand::Output,
            "input",        "filter",        "output"};
  case Direction::BackwardData:
    return {Operand::Output,   Operand::Filter, Operand::Input,
            "output_gradient", "filter",        "input_gradient"};
  case Direction::BackwardFilter:
    return {Operand::Input, Operand::Output,   Operand::Filter,
            "input",        "output_gradient", "filter_gradient"};
  }
  llvm_unreachable("unknown direction");
}

RankedTensorType ProblemBuilder::getType(Operand operand, const Layout &layout,
                                         Type element) {
  std::vector<int64_t> sizes = problem.shape.shape(operand, layout);
  for (auto [size, letter] : llvm::zip_equal(sizes, layout.letters()))
    if (problem.isDynamic(operand, letter))
      size = ShapedType::kDynamic;
  return RankedTensorType::get(sizes, element);
}

/// The output's size for an input of `input` elements, or for the gradient of
/// the input the other way round, as ConvShape has it where a window fits.
static AffineExpr getWindowSize(AffineExpr size,
                                const ::convoy::SpatialDim &dim,
                                Direction direction) {
  const ::convoy::WindowDim &window = dim.window;
  int64_t room = window.padLow + window.padHigh -
                 ::convoy::dilatedSize(dim.filter, window.dilation);
  if (direction == Direction::BackwardData)
    return (size - 1) * window.stride - room;
  return (size + room).floorDiv(window.stride) + 1;
}

OpFoldResult ProblemBuilder::getResultSize(char letter) {
  auto getSize = [&](unsigned argument, Operand operand) {
    return tensor::getMixedSize(builder, loc, function.getArgument(argument),
                                problem.layouts[operand].position(letter));
  };
  size_t dim =
      ::convoy::spatialLetters(problem.shape.spatialRank()).find(letter);
  if (dim != std::string_view::npos)
    return affine::makeComposedFoldedAffineApply(
        builder, loc,
        getWindowSize(builder.getAffineSymbolExpr(0),
                      problem.shape.spatial[dim], problem.direction),
        {getSize(0, roles.first)});
  bool isOfFirst =
      llvm::is_contained(problem.layouts[roles.first].letters(), letter);
  return isOfFirst ? getSize(0, roles.first) : getSize(1, roles.second);
}

Value ProblemBuilder::splitGroups(Value tensor, Operand operand) {
  Layout layout = problem.layouts[operand];
  return mlir::convoy::splitGroups(builder, loc, problem, tensor, operand,
                                   layout);
}

Value ProblemBuilder::joinGroups(Value tensor) {
  Operand result = roles.result;
  const Layout &flat = problem.layouts[result];
  if (getLayout(result) == flat)
    return tensor;
  return tensor::CollapseShapeOp::create(
      builder, loc, getFlatType(result, getElementTypeOrSelf(tensor.getType())),
      tensor, getGroupDims(flat, getLayout(result)));
}

Value ProblemBuilder::buildEmpty(Type element) {
  Operand result = roles.result;
  RankedTensorType type = getFlatType(result, element);
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(builder.getContext(), type.getShape());
  for (auto [size, letter] :
       llvm::zip_equal(sizes, problem.layouts[result].letters()))
    if (problem.isDynamic(result, letter))
      size = getResultSize(letter);
  return splitGroups(tensor::EmptyOp::create(builder, loc, sizes, element),
                     result);
}

/// Zero, or the bias in every output position.
Value ProblemBuilder::buildInit(Value bias) {
  Type element = getSumType();
  Value empty = buildEmpty(element);
  if (!bias) {
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
    return linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
  }
  const ConvShape &shape = problem.shape;
  Layout layout = getLayout(roles.result);
  // The bias has the channels of a group inside the groups; the output's
  // dimensions may have them the other way round.
  SmallVector<AffineExpr> channels;
  if (layout.hasGroups()) {
    bias = tensor::ExpandShapeOp::create(
        builder, loc,
        RankedTensorType::get({shape.groups, shape.outputChannels},
                              getElementTypeOrSelf(bias.getType())),
        bias, ArrayRef<ReassociationIndices>{{0, 1}});
    channels.push_back(builder.getAffineDimExpr(layout.position('g')));
  }
  channels.push_back(builder.getAffineDimExpr(layout.position('f')));
  SmallVector<AffineMap> maps = {
      AffineMap::get(layout.rank(), 0, channels, builder.getContext()),
      builder.getMultiDimIdentityMap(layout.rank())};
  SmallVector<utils::IteratorType> iterators(layout.rank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, empty.getType(), bias, empty, maps, iterators,
             [&](OpBuilder &b, Location loc, ValueRange args) {
               Value start = args[0];
               if (start.getType() != element)
                 start = arith::ExtFOp::create(b, loc, element, start);
               linalg::YieldOp::create(b, loc, start);
             })
      .getResult(0);
}

NumericsAttr ProblemBuilder::getNumerics() {
  bool isNarrow =
      problem.type == ElementType::F16 || problem.type == ElementType::BF16;
  return NumericsAttr::get(
      builder.getContext(), !problem.inputSigned, !problem.filterSigned,
      isNarrow && !getSumType().isF32() ? builder.getF32Type() : Type(),
      Policy::Normal, {}, {});
}

SmallVector<Value> ProblemBuilder::buildZeroPoints(Value ofChannels) {
  if (problem.inputZeroPoint == 0 && problem.filterZeroPoint.isZero())
    return {};
  auto constant = [&](int32_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, 32);
  };
  return {constant(problem.inputZeroPoint),
          ofChannels ? ofChannels : constant(problem.filterZeroPoint.value)};
}

void ProblemBuilder::addArgument(StringRef name, StringRef layout, Type type) {
  argumentTypes.push_back(type);
  auto entry = [&](StringRef key, StringRef value) {
    return builder.getNamedAttr(key, builder.getStringAttr(value));
  };
  SmallVector<NamedAttribute> entries = {entry(kNameAttrName, name)};
  // A number has no dimensions.
  if (!layout.empty())
    entries.push_back(entry(kLayoutAttrName, layout));
  argumentAttrs.push_back(builder.getDictionaryAttr(entries));
}

void ProblemBuilder::addArgument(const ::convoy::KernelOperand &operand) {
  addArgument(operand.name, operand.layout.letters(),
              getOperandType(builder, problem, operand));
}

void ProblemBuilder::addEpilogueArguments() {
  for (const ::convoy::KernelOperand &operand : problem.epilogueOperands())
    addArgument(operand);
}

void ProblemBuilder::createFunction(StringRef name) {
  const std::string &layout = problem.layouts[roles.result].letters();
  Type result = getFlatType(roles.result, getResultType());
  function = func::FuncOp::create(
      builder, loc, name, builder.getFunctionType(argumentTypes, result));
  for (auto [number, attrs] : llvm::enumerate(argumentAttrs))
    function.setArgAttrs(number, attrs);
  function.setResultAttr(0, kNameAttrName,
                         builder.getStringAttr(roles.resultName));
  function.setResultAttr(0, kLayoutAttrName, builder.getStringAttr(layout));
}

Value ProblemBuilder::createConvolution(Value first, Value second, Value init,
                                        SmallVector<Value> zeroPoints) {
  MLIRContext *context = builder.getContext();
  auto layout =
      ConvLayoutAttr::get(context, ConvLayouts{getLayout(Operand::Input),
                                               getLayout(Operand::Filter),
                                               getLayout(Operand::Output)});
  SmallVector<::convoy::WindowDim> dims = llvm::map_to_vector(
      problem.shape.spatial,
      [](const ::convoy::SpatialDim &dim) { return dim.window; });
  auto window = WindowAttr::get(context, dims);
  auto create = [&]<typename OpTy>() -> Value {
    return OpTy::create(builder, loc, first, second, init, zeroPoints, layout,
                        window, getNumerics());
  };
  switch (problem.direction) {
  case Direction::Forward:
    return create.operator()<ConvOp>();
  case Direction::BackwardData:
    return create.operator()<ConvBackwardDataOp>();
  case Direction::BackwardFilter:
    return create.operator()<ConvBackwardFilterOp>();
  }
  llvm_unreachable("unknown direction");
}

Value ProblemBuilder::finish(Value sums, ValueRange operands) {
  if (problem.epilogue.isEmpty())
    return joinGroups(sums);
  return joinGroups(buildEpilogue(builder, loc, problem, sums,
                                  getLayout(roles.result), operands,
                                  buildEmpty(getResultType())));
}

func::FuncOp ProblemBuilder::build(StringRef name) {
  for (auto [argumentName, operand] :
       {std::pair(roles.firstName, roles.first),
        std::pair(roles.secondName, roles.second)})
    addArgument(argumentName, problem.layouts[operand].letters(),
                getFlatType(operand, getFactorType()));
  std::optional<::convoy::KernelOperand> zeroPoints =
      problem.filterZeroPoints();
  if (zeroPoints)
    addArgument(*zeroPoints);
  size_t biasNumber = argumentTypes.size();
  if (startsFromBias()) {
    bool isDynamic = problem.isDynamic(Operand::Output, 'f');
    int64_t channels = problem.shape.groups * problem.shape.outputChannels;
    addArgument(
        "bias", "f",
        RankedTensorType::get({isDynamic ? ShapedType::kDynamic : channels},
                              getResultType()));
  }
  size_t numConvArguments = argumentTypes.size();
  addEpilogueArguments();
  createFunction(name);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(function.addEntryBlock());
  Value first = splitGroups(function.getArgument(0), roles.first);
  Value second = splitGroups(function.getArgument(1), roles.second);
  Value init =
      buildInit(startsFromBias() ? function.getArgument(biasNumber) : Value());
  Value sums = createConvolution(
      first, second, init,
      buildZeroPoints(zeroPoints ? function.getArgument(2) : Value()));
  func::ReturnOp::create(
      builder, loc,
      finish(sums, function.getArguments().drop_front(numConvArguments)));
  return function;
}

func::FuncOp ProblemBuilder::buildEpilogueOnly(StringRef name) {
  addArgument("sums", problem.layouts[roles.result].letters(),
              getFlatType(roles.result, getSumType()));
  addEpilogueArguments();
  createFunction(name);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(function.addEntryBlock());
  Value sums = splitGroups(function.getArgument(0), roles.result);
  func::ReturnOp::create(builder, loc,
                         finish(sums, function.getArguments().drop_front()));
  return function;
}

func::FuncOp mlir::convoy::buildProblem(OpBuilder &builder, Location loc,
                                        const Problem &problem,
                                        StringRef name) {
  return ProblemBuilder(builder, loc, problem).build(name);
}

func::FuncOp mlir::convoy::buildEpilogueFunction(OpBuilder &builder,
                                                 Location loc,
                                                 const Problem &problem,
                                                 StringRef name) {
  return ProblemBuilder(builder, loc, problem).buildEpilogueOnly(name);
}
