//===- AddDestinations.cpp - Results into buffers of the caller -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/KernelABI/KernelInterface.h"
#include "convoy/Transforms/KernelABI/KernelNames.h"
#include "convoy/Transforms/KernelABI/Passes.h"
#include "convoy/Transforms/Utils/KernelElements.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_ADDDESTINATIONSPASS
#include "convoy/Transforms/KernelABI/Passes.h.inc"
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
  auto describe = [&](ConvolutionOpInterface conv, Value tensor,
                      StringRef initName) {
    for (Operand operand : {Operand::Input, Operand::Filter, Operand::Output}) {
      if (conv.getOperandFor(operand) != tensor)
        continue;
      if (argument.name.empty())
        argument.name = tensor == conv.getInit() && !initName.empty()
                            ? initName.str()
                            : getRoleName(conv.getDirection(), operand).str();
      if (argument.layout.empty())
        argument.layout = conv.getLayout().getLayouts()[operand].letters();
    }
  };
  if (auto conv = value.getDefiningOp<ConvolutionOpInterface>())
    describe(conv, conv.getInit(), "");
  for (Operation *user : value.getUsers())
    if (auto conv = dyn_cast<ConvolutionOpInterface>(user))
      describe(conv, value, "init");
}

/// Checks what the user says of an argument or result, which `place` names.
static LogicalResult checkDescription(func::FuncOp function, const Twine &place,
                                      const KernelArgument &argument) {
  if (!isKernelElement(getElementTypeOrSelf(argument.type)))
    return function.emitOpError()
           << "expected " << place
           << " to be of f64, f32, f16, bf16, i8, i16, i32 or i64, but got "
           << argument.type;
  if (!argument.name.empty() && !isKernelName(argument.name))
    return function.emitOpError()
           << "expected " << kNameAttrName << " of " << place
           << " to be a name for C and C++, but got '" << argument.name << "'";
  StringRef layout = argument.layout;
  auto tensor = dyn_cast<RankedTensorType>(argument.type);
  llvm::SmallDenseSet<char> letters(layout.begin(), layout.end());
  bool fits = tensor && int64_t(letters.size()) == tensor.getRank() &&
              letters.size() == layout.size() &&
              llvm::all_of(layout, llvm::isAlpha);
  if (!layout.empty() && !fits)
    return function.emitOpError()
           << "expected " << kLayoutAttrName << " of " << place
           << " to have a letter of its own for each dimension of "
           << argument.type << ", but got '" << layout << "'";
  return success();
}

/// What is known of an argument or result: what the user says, else how it is
/// used. Fails where the user is wrong.
static FailureOr<KernelArgument> describe(func::FuncOp function,
                                          const Twine &place, Value value,
                                          DictionaryAttr attributes) {
  KernelArgument argument;
  argument.type = value.getType();
  if (attributes) {
    if (auto name = attributes.getAs<StringAttr>(kNameAttrName))
      argument.name = name.str();
    if (auto layout = attributes.getAs<StringAttr>(kLayoutAttrName))
      argument.layout = layout.str();
    argument.isTraced = attributes.contains(kTracedAttrName);
    argument.sums = attributes.getAs<DictionaryAttr>(kSumsAttrName);
  }
  if (failed(checkDescription(function, place, argument)))
    return failure();
  describeByUse(value, argument);
  return argument;
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
    SmallVector<KernelArgument> arguments;
    if (failed(checkFunction(function)) ||
        failed(describeArguments(function, arguments)) ||
        failed(describeResults(function, arguments)))
      return signalPassFailure();
    addDestinations(function);
    nameArguments(arguments);
    function->setAttr(kArgumentsAttrName,
                      toAttribute(&getContext(), arguments));
  }

private:
  static LogicalResult checkFunction(func::FuncOp function);
  static LogicalResult
  describeArguments(func::FuncOp function,
                    SmallVectorImpl<KernelArgument> &arguments);
  static LogicalResult
  describeResults(func::FuncOp function,
                  SmallVectorImpl<KernelArgument> &arguments);
  static void addDestinations(func::FuncOp function);
  /// Gives each argument a name of its own; those without one get a number.
  static void nameArguments(MutableArrayRef<KernelArgument> arguments);
};
} // namespace

LogicalResult AddDestinationsPass::checkFunction(func::FuncOp function) {
  if (isUsedName(function.getSymName()))
    return function.emitOpError()
           << "expected a kernel's name that programs in C do not use "
              "themselves, but got '"
           << function.getSymName() << "'";
  if (!isKernelName(function.getSymName()))
    return function.emitOpError()
           << "expected a kernel's name to be a name for C and C++, but got '"
           << function.getSymName() << "'";
  if (!function.getBody().hasOneBlock())
    return function.emitOpError("expected a kernel of one block");
  return success();
}

LogicalResult AddDestinationsPass::describeArguments(
    func::FuncOp function, SmallVectorImpl<KernelArgument> &arguments) {
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    std::string place = ("argument " + Twine(number)).str();
    bool isTensor = isa<RankedTensorType>(argument.getType());
    if (!isTensor && !argument.getType().isIntOrFloat())
      return function.emitOpError()
             << "expected " << place
             << " to be a ranked tensor or a number, but got "
             << argument.getType();
    FailureOr<KernelArgument> described =
        describe(function, place, argument, function.getArgAttrDict(number));
    if (failed(described))
      return failure();
    arguments.push_back(*described);
    if (isTensor)
      function.setArgAttr(
          number, bufferization::BufferizationDialect::kWritableAttrName,
          BoolAttr::get(function.getContext(), false));
  }
  return success();
}

LogicalResult AddDestinationsPass::describeResults(
    func::FuncOp function, SmallVectorImpl<KernelArgument> &arguments) {
  Operation *terminator = function.front().getTerminator();
  for (auto [number, result] : llvm::enumerate(terminator->getOperands())) {
    std::string place = ("result " + Twine(number)).str();
    if (!isa<RankedTensorType>(result.getType()))
      return function.emitOpError()
             << "expected " << place << " to be a ranked tensor, but got "
             << result.getType();
    FailureOr<KernelArgument> described =
        describe(function, place, result, function.getResultAttrDict(number));
    if (failed(described))
      return failure();
    described->isWritten = true;
    arguments.push_back(*described);
  }
  return success();
}

namespace {
/// The use of a tensor as the first destination in a chain of ops.
struct FirstDestination {
  OpOperand *use = nullptr;
  /// Whether the elimination of empty tensors would not put the whole chain
  /// there: it does not look through reshapes, and gives parts that are
  /// inserted the place in an empty tensor that the whole has before it.
  /// Reductions become such parts. Others are left to it, since what they
  /// begin with may be replaced until then.
  bool isHidden = false;
  /// The reshapes of the chain, the last one first.
  SmallVector<Operation *> reshapes;
};
} // namespace

/// Whether `op` reduces what is no convolution.
static bool isReduction(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic && generic.getNumReductionLoops() > 0;
}

/// What the op that makes `result` writes it into, or reshapes; null for other
/// ops.
static OpOperand *findDestination(Value result) {
  Operation *op = result.getDefiningOp();
  if (auto writing = dyn_cast_or_null<DestinationStyleOpInterface>(op))
    return writing.getTiedOpOperand(cast<OpResult>(result));
  if (isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
    return &op->getOpOperand(0);
  return nullptr;
}

/// The first destination in the chain that ends in `result`.
static FirstDestination findFirstDestination(Value result) {
  FirstDestination first;
  while (OpOperand *use = findDestination(result)) {
    first.use = use;
    Operation *op = use->getOwner();
    if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
      first.reshapes.push_back(op);
    first.isHidden |= !first.reshapes.empty() || isReduction(op) ||
                      isa<tensor::InsertSliceOp>(op);
    result = use->get();
  }
  return first;
}

/// Whether the chain of destinations that ends in the result with this number
/// has tensors in common with that of another result. Such chains may not run
/// in the buffers that they end in: bufferization does not see that the last
/// write to a buffer changes the tensors of the other chain that lie there.
static bool sharesDestination(OperandRange results, unsigned number) {
  auto getChain = [](Value result) {
    llvm::SmallDenseSet<Value> chain;
    while (result && chain.insert(result).second) {
      Operation *op = result.getDefiningOp();
      if (OpOperand *use = findDestination(result))
        result = use->get();
      else if (isa_and_nonnull<tensor::CastOp, tensor::ExtractSliceOp>(op))
        result = op->getOperand(0); // a part of it lies there, too
      else
        break;
    }
    return chain;
  };
  llvm::SmallDenseSet<Value> chain = getChain(results[number]);
  for (auto [other, result] : llvm::enumerate(results)) {
    // Of equal results, the first is in its buffer, and the others are copies.
    bool isSame = result == results[number];
    if (isSame ? other < number
               : llvm::any_of(
                     getChain(result),
                     [&](Value tensor) { return chain.contains(tensor); }))
      return true;
  }
  return false;
}

/// Writes `result` to `buffer`.
static bufferization::MaterializeInDestinationOp
createWrite(OpBuilder &builder, Location loc, Value result,
            BlockArgument buffer) {
  auto write = bufferization::MaterializeInDestinationOp::create(
      builder, loc, TypeRange(), result, buffer);
  write.setWritable(true);
  return write;
}

/// Whether `reshapes`, the last one first, that begin and end with one `type`
/// end with the sizes that they begin with, too, so that elements, which stay
/// in their order, are where they were: sizes are known, or what was expanded
/// is collapsed again.
static bool undoEachOther(ArrayRef<Operation *> reshapes, Type type) {
  SmallVector<tensor::CollapseShapeOp> open;
  for (Operation *op : reshapes) {
    auto expand = dyn_cast<tensor::ExpandShapeOp>(op);
    if (!expand)
      open.push_back(cast<tensor::CollapseShapeOp>(op));
    else if (!open.empty() &&
             open.back().getReassociation() == expand.getReassociation())
      open.pop_back();
    else
      return cast<RankedTensorType>(type).hasStaticShape();
  }
  return open.empty() || cast<RankedTensorType>(type).hasStaticShape();
}

/// Whether the sizes before and after `reshapes` are known, so that they can be
/// undone.
static bool areStatic(ArrayRef<Operation *> reshapes) {
  return llvm::all_of(reshapes, [](Operation *op) {
    return cast<RankedTensorType>(op->getOperand(0).getType()).hasStaticShape();
  });
}

/// `tensor`, which stands for what `reshapes` make, as it is before them.
static Value undo(OpBuilder &builder, Location loc,
                  ArrayRef<Operation *> reshapes, Value tensor) {
  for (Operation *op : reshapes) {
    auto before = cast<RankedTensorType>(op->getOperand(0).getType());
    if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
      tensor = tensor::ExpandShapeOp::create(
          builder, loc, before, tensor, collapse.getReassociationIndices());
    else
      tensor = tensor::CollapseShapeOp::create(
          builder, loc, before, tensor,
          cast<tensor::ExpandShapeOp>(op).getReassociationIndices());
  }
  return tensor;
}

/// Writes `result` to `buffer`, and lets the ops that compute it do so. Where
/// it is an argument that ops have added to, the buffer starts as a copy of
/// that argument.
static void writeResult(OpBuilder &builder, Location loc, Value result,
                        BlockArgument buffer) {
  auto write = createWrite(builder, loc, result, buffer);
  FirstDestination first = findFirstDestination(result);
  Value start = first.use ? first.use->get() : Value();
  bool isSameType = start && start.getType() == result.getType() &&
                    undoEachOther(first.reshapes, result.getType());
  if (isSameType)
    first.reshapes.clear();
  bool isArgument = isSameType && isa<BlockArgument>(start);
  bool isEmpty = first.isHidden && areStatic(first.reshapes) &&
                 start.getDefiningOp<tensor::EmptyOp>();
  if (!isArgument && !isEmpty) {
    write.setRestrict(true);
    return;
  }
  OpBuilder atStart = OpBuilder::atBlockBegin(buffer.getOwner());
  if (isArgument) {
    Value source = bufferization::ToBufferOp::create(
        atStart, loc, buffer.getType(), start, /*read_only=*/true);
    memref::CopyOp::create(atStart, loc, source, buffer);
  }
  Value written = bufferization::ToTensorOp::create(
      atStart, loc, result.getType(), buffer, /*restrict=*/true,
      /*writable=*/true);
  first.use->set(undo(atStart, loc, first.reshapes, written));
}

void AddDestinationsPass::addDestinations(func::FuncOp function) {
  auto terminator = cast<func::ReturnOp>(function.front().getTerminator());
  OpBuilder builder(terminator);
  for (auto [number, result] : llvm::enumerate(terminator.getOperands())) {
    auto type = cast<RankedTensorType>(result.getType());
    BlockArgument destination = function.front().addArgument(
        MemRefType::get(type.getShape(), type.getElementType()),
        function.getLoc());
    if (sharesDestination(terminator.getOperands(), number))
      createWrite(builder, function.getLoc(), result, destination);
    else
      writeResult(builder, function.getLoc(), result, destination);
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

void AddDestinationsPass::nameArguments(
    MutableArrayRef<KernelArgument> arguments) {
  UniqueNames names;
  unsigned numRead = llvm::count_if(
      arguments, [](const KernelArgument &a) { return !a.isWritten; });
  for (auto [number, argument] : llvm::enumerate(arguments)) {
    if (argument.name.empty())
      argument.name = number < numRead
                          ? "arg" + std::to_string(number)
                          : "result" + std::to_string(number - numRead);
    argument.name = names.add(argument.name);
  }
}
