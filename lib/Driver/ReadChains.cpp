//===- ReadChains.cpp - Functions of calls as data --------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"
#include "convoy/Driver/Chains.h"
#include "convoy/Transforms/KernelABI/KernelNames.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::convoy;

static bool callsOthers(func::FuncOp function) {
  return !function.getOps<func::CallOp>().empty();
}

/// Whether the elements of `constant` are here.
static bool hasElements(ElementsAttr constant) {
  if (auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(constant))
    return resource.getRawHandle().getBlob();
  return isa_and_nonnull<DenseIntOrFPElementsAttr>(constant);
}

/// `type` as that of what calls read or write; an error at `op` where it is
/// another.
static FailureOr<RankedTensorType> checkType(Operation *op, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (tensor && tensor.hasStaticShape())
    return tensor;
  return op->emitOpError()
         << "expected tensors of static sizes around calls, but got " << type;
}

namespace {
/// Reads one function.
class ChainReader {
public:
  ChainReader(func::FuncOp function, ChainModule &module)
      : function(function), module(module) {}

  FailureOr<Chain> read();

private:
  using Kind = ChainOperand::Kind;

  LogicalResult readArguments();
  LogicalResult readOp(Operation &op);
  LogicalResult readCall(func::CallOp call);
  LogicalResult readReturn(func::ReturnOp op);
  /// Adds an argument of `type`, which has `attributes`.
  LogicalResult addArgument(Type type, DictionaryAttr attributes,
                            const Twine &name, bool isWritten);
  unsigned addConstant(ElementsAttr constant);
  /// Lets steps write into the chain's arguments what it returns, and counts
  /// the other values anew.
  void moveResults();

  func::FuncOp function;
  ChainModule &module;
  Chain chain;
  UniqueNames names;
  DenseMap<Value, ChainOperand> operands;
  /// By value: the argument that it is returned in.
  DenseMap<unsigned, unsigned> returned;
};
} // namespace

LogicalResult ChainReader::addArgument(Type type, DictionaryAttr attributes,
                                       const Twine &name, bool isWritten) {
  FailureOr<RankedTensorType> tensor = checkType(function, type);
  if (failed(tensor))
    return failure();
  auto getText = [&](StringRef attribute, const Twine &otherwise) {
    auto text =
        attributes ? attributes.getAs<StringAttr>(attribute) : StringAttr();
    return text ? text.str() : otherwise.str();
  };
  KernelArgument argument;
  argument.name = names.add(getText(kNameAttrName, name));
  argument.type = *tensor;
  argument.layout = getText(kLayoutAttrName, "");
  argument.isWritten = isWritten;
  chain.arguments.push_back(std::move(argument));
  return success();
}

LogicalResult ChainReader::readArguments() {
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    operands.try_emplace(argument, ChainOperand{Kind::Argument, number});
    if (failed(addArgument(argument.getType(), function.getArgAttrDict(number),
                           "arg" + Twine(number), /*isWritten=*/false)))
      return failure();
  }
  for (auto [number, type] : llvm::enumerate(function.getResultTypes()))
    if (failed(addArgument(type, function.getResultAttrDict(number),
                           "result" + Twine(number), /*isWritten=*/true)))
      return failure();
  return success();
}

unsigned ChainReader::addConstant(ElementsAttr constant) {
  auto *known = llvm::find(module.constants, constant);
  unsigned number = known - module.constants.begin();
  if (known == module.constants.end())
    module.constants.push_back(constant);
  return number;
}

LogicalResult ChainReader::readOp(Operation &op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return readCall(call);
  if (auto last = dyn_cast<func::ReturnOp>(op))
    return readReturn(last);
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op)) {
    // Dense and row-major, it lies as it did.
    ChainOperand operand = operands.at(op.getOperand(0));
    operands.try_emplace(op.getResult(0), operand);
    return success();
  }
  auto constant = dyn_cast<arith::ConstantOp>(op);
  auto elements =
      constant ? dyn_cast<ElementsAttr>(constant.getValue()) : ElementsAttr();
  if (!hasElements(elements))
    return op.emitOpError("expected constants with elements, reshapes and "
                          "calls alone in a function that calls others");
  operands.try_emplace(op.getResult(0),
                       ChainOperand{Kind::Constant, addConstant(elements)});
  return success();
}

/// Names of the importer's, which may be none.
static constexpr StringLiteral kNodesAttrName = "onnx.nodes",
                               kValueAttrName = "onnx.value";

static LogicalResult verifyNames(func::CallOp call) {
  Attribute nodes = call->getAttr(kNodesAttrName),
            value = call->getAttr(kValueAttrName);
  auto list = dyn_cast_or_null<ArrayAttr>(nodes);
  if (nodes && !(list && llvm::all_of(list, llvm::IsaPred<StringAttr>)))
    return call.emitOpError() << "expected " << kNodesAttrName
                              << " to be a list of texts, but got " << nodes;
  if (value && !isa<StringAttr>(value))
    return call.emitOpError() << "expected " << kValueAttrName
                              << " to be a text, but got " << value;
  return success();
}

LogicalResult ChainReader::readCall(func::CallOp call) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  if (!callee || callee.isDeclaration() || callee.isPrivate() ||
      callsOthers(callee))
    return call.emitOpError()
           << "expected a call of a public function without calls, but '"
           << call.getCallee() << "' is none";
  if (failed(verifyNames(call)))
    return failure();
  unsigned number = chain.steps.size();
  ChainStep &step = chain.steps.emplace_back();
  step.kernel = call.getCallee().str();
  if (auto nodes = call->getAttrOfType<ArrayAttr>(kNodesAttrName))
    for (auto node : nodes.getAsRange<StringAttr>())
      step.nodes.push_back(node.str());
  for (Value value : call.getOperands()) {
    ChainOperand operand = operands.at(value);
    step.operands.push_back(operand);
    if (operand.kind == Kind::Value)
      chain.values[operand.number].last = number;
  }
  auto name = call->getAttrOfType<StringAttr>(kValueAttrName);
  for (Value result : call.getResults()) {
    FailureOr<RankedTensorType> type = checkType(call, result.getType());
    if (failed(type))
      return failure();
    ChainOperand operand = {Kind::Value, unsigned(chain.values.size())};
    chain.values.push_back({name ? name.str() : "", *type, number, number});
    step.operands.push_back(operand);
    operands.try_emplace(result, operand);
  }
  return success();
}

LogicalResult ChainReader::readReturn(func::ReturnOp op) {
  for (auto [number, value] : llvm::enumerate(op.getOperands())) {
    ChainOperand operand = operands.at(value);
    unsigned argument = function.getNumArguments() + number;
    if (operand.kind != Kind::Value ||
        !returned.try_emplace(operand.number, argument).second)
      return op.emitOpError() << "expected result " << number
                              << " to be a call's, and no other result's";
  }
  return success();
}

void ChainReader::moveResults() {
  SmallVector<ChainOperand> moved;
  SmallVector<ChainValue, 0> kept;
  for (auto [number, value] : llvm::enumerate(chain.values)) {
    if (auto found = returned.find(number); found != returned.end()) {
      moved.push_back({Kind::Argument, found->second});
      continue;
    }
    moved.push_back({Kind::Value, unsigned(kept.size())});
    kept.push_back(value);
  }
  chain.values = std::move(kept);
  for (ChainStep &step : chain.steps)
    for (ChainOperand &operand : step.operands)
      if (operand.kind == Kind::Value)
        operand = moved[operand.number];
}

FailureOr<Chain> ChainReader::read() {
  chain.name = function.getSymName().str();
  if (failed(readArguments()))
    return failure();
  for (Operation &op : function.front())
    if (failed(readOp(op)))
      return failure();
  moveResults();
  return std::move(chain);
}

FailureOr<ChainModule> mlir::convoy::takeChains(ModuleOp module) {
  ChainModule chains;
  SmallVector<func::FuncOp> taken;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!callsOthers(function))
      continue;
    FailureOr<Chain> chain = ChainReader(function, chains).read();
    if (failed(chain))
      return failure();
    chains.chains.push_back(std::move(*chain));
    taken.push_back(function);
  }
  for (func::FuncOp function : taken)
    function.erase();
  return chains;
}
