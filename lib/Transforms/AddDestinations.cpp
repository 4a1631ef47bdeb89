//===- AddDestinations.cpp - Results into buffers of the caller -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/KernelInterface.h"
#include "convoy/Transforms/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_ADDDESTINATIONSPASS
#include "convoy/Transforms/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::Direction;
using ::convoy::Operand;

/// The usual name of the tensor that plays `operand` in a convolution of this
/// direction.
static StringRef getRoleName(Direction direction, Operand operand) {
  bool isResult =
      (direction == Direction::Forward && operand == Operand::Output) ||
      (direction == Direction::BackwardData && operand == Operand::Input) ||
      (direction == Direction::BackwardFilter && operand == Operand::Filter);
  switch (operand) {
  case Operand::Input:
    return isResult ? "input_gradient" : "input";
  case Operand::Filter:
    return isResult ? "filter_gradient" : "filter";
  case Operand::Output:
    return direction == Direction::Forward ? "output" : "output_gradient";
  }
  llvm_unreachable("unknown operand");
}

/// Fills in name and layout of `argument` from a convolution that has `value`
/// as an operand or as its result.
static void describeByUse(Value value, KernelArgument &argument) {
  auto describe = [&](ConvolutionOpInterface conv, Value tensor) {
    for (Operand operand : {Operand::Input, Operand::Filter, Operand::Output}) {
      if (conv.getOperandFor(operand) != tensor)
        continue;
      if (argument.name.empty())
        argument.name = getRoleName(conv.getDirection(), operand).str();
      if (argument.layout.empty())
        argument.layout = conv.getLayout().getLayouts()[operand].letters();
    }
  };
  if (auto conv = value.getDefiningOp<ConvolutionOpInterface>())
    describe(conv, conv.getInit());
  for (Operation *user : value.getUsers())
    if (auto conv = dyn_cast<ConvolutionOpInterface>(user))
      if (conv.getInit() != value)
        describe(conv, value);
}

/// What is known of an argument or result: what the user says, else how it is
/// used, else a numbered name.
static KernelArgument describe(Value value, DictionaryAttr attributes,
                               StringRef standardName) {
  KernelArgument argument;
  argument.type = value.getType();
  if (attributes) {
    if (auto name = attributes.getAs<StringAttr>(kNameAttrName))
      argument.name = name.str();
    if (auto layout = attributes.getAs<StringAttr>(kLayoutAttrName))
      argument.layout = layout.str();
  }
  describeByUse(value, argument);
  if (argument.name.empty())
    argument.name = standardName.str();
  return argument;
}

/// Numbers names that stand more than once.
static void makeNamesUnique(MutableArrayRef<KernelArgument> arguments) {
  llvm::StringMap<int> seen;
  for (KernelArgument &argument : arguments)
    if (int count = seen[argument.name]++)
      argument.name += std::to_string(count);
}

namespace {
struct AddDestinationsPass final
    : mlir::convoy::impl::AddDestinationsPassBase<AddDestinationsPass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isDeclaration() || function.isPrivate() ||
        function->hasAttr(kArgumentsAttrName))
      return;
    if (!function.getBody().hasOneBlock()) {
      function.emitOpError("expected a kernel of one block");
      return signalPassFailure();
    }
    SmallVector<KernelArgument> arguments;
    if (failed(describeArguments(function, arguments)))
      return signalPassFailure();
    addDestinations(function, arguments);
    makeNamesUnique(arguments);
    function->setAttr(kArgumentsAttrName,
                      toAttribute(&getContext(), arguments));
  }

private:
  static LogicalResult
  describeArguments(func::FuncOp function,
                    SmallVectorImpl<KernelArgument> &arguments);
  static void addDestinations(func::FuncOp function,
                              SmallVectorImpl<KernelArgument> &arguments);
};
} // namespace

LogicalResult AddDestinationsPass::describeArguments(
    func::FuncOp function, SmallVectorImpl<KernelArgument> &arguments) {
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    if (!isa<RankedTensorType>(argument.getType()) &&
        !argument.getType().isIntOrFloat())
      return function.emitOpError()
             << "expected argument " << number
             << " to be a ranked tensor or a number, but got "
             << argument.getType();
    arguments.push_back(describe(argument, function.getArgAttrDict(number),
                                 "arg" + std::to_string(number)));
    if (isa<RankedTensorType>(argument.getType()))
      function.setArgAttr(
          number, bufferization::BufferizationDialect::kWritableAttrName,
          BoolAttr::get(function.getContext(), false));
  }
  for (auto [number, type] : llvm::enumerate(function.getResultTypes()))
    if (!isa<RankedTensorType>(type))
      return function.emitOpError()
             << "expected result " << number
             << " to be a ranked tensor, but got " << type;
  return success();
}

void AddDestinationsPass::addDestinations(
    func::FuncOp function, SmallVectorImpl<KernelArgument> &arguments) {
  auto terminator = cast<func::ReturnOp>(function.front().getTerminator());
  OpBuilder builder(terminator);
  for (auto [number, result] : llvm::enumerate(terminator.getOperands())) {
    KernelArgument argument =
        describe(result, function.getResultAttrDict(number),
                 "result" + std::to_string(number));
    argument.isWritten = true;
    arguments.push_back(argument);
    auto type = cast<RankedTensorType>(result.getType());
    BlockArgument destination = function.front().addArgument(
        MemRefType::get(type.getShape(), type.getElementType()),
        function.getLoc());
    auto write = bufferization::MaterializeInDestinationOp::create(
        builder, function.getLoc(), TypeRange(), result, destination);
    write.setRestrict(true);
    write.setWritable(true);
  }
  terminator.getOperandsMutable().clear();
  function.setResAttrsAttr({});
  SmallVector<Attribute> attributes;
  if (ArrayAttr known = function.getAllArgAttrs())
    attributes.append(known.begin(), known.end());
  function.setType(
      builder.getFunctionType(function.front().getArgumentTypes(), {}));
  attributes.resize(function.getNumArguments(), builder.getDictionaryAttr({}));
  function.setAllArgAttrs(attributes);
}
