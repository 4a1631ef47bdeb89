//===- OutlinePacking.cpp - Functions that pack filters ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/KernelABI/KernelInterface.h"
#include "convoy/Transforms/KernelABI/PrepackedArguments.h"
#include "convoy/Transforms/Packing/Passes.h"
#include "convoy/Transforms/Utils/Choices.h"
#include "convoy/Transforms/Utils/Copies.h"
#include "convoy/Transforms/Utils/LoopStrides.h"
#include "convoy/Transforms/Utils/TensorSlice.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_OUTLINEPACKINGPASS
#include "convoy/Transforms/Packing/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// A tensor in the flat one.
struct PackedSlot {
  Value value;
  int64_t offset; ///< in elements
};

/// Takes what depends on one argument alone out of its function.
class PackingOutliner {
public:
  PackingOutliner(ModuleOp module, func::FuncOp function,
                  BlockArgument argument)
      : builder(module.getContext()), loc(function.getLoc()), module(module),
        function(function), argument(argument),
        original(cast<RankedTensorType>(argument.getType())),
        element(original.getElementType()),
        arguments(getKernelArguments(
            function->getAttrOfType<ArrayAttr>(kArgumentsAttrName))) {}

  LogicalResult outline();

private:
  /// Finds what other ops read of all that depends on the argument alone.
  void findSlots();
  /// The same, in the order in which it is computed, of what has elements that
  /// `fits` accepts.
  SmallVector<Value> findRead(function_ref<bool(Type)> fits);
  RankedTensorType getFlatType() const {
    return RankedTensorType::get({size}, element);
  }
  /// The part of `flat` that holds a slot, in its shape.
  Value extractSlot(Value flat, const PackedSlot &slot);
  /// Makes the function that computes all slots.
  void createPacker(StringRef name);
  /// Computes `slot` of `flat` from copies of ops; returns the whole tensor.
  Value computeSlot(const PackedSlot &slot, Value flat, IRMapping &copies);
  /// The copy of `value` in the packer.
  Value copyValue(Value value, IRMapping &copies);
  /// Lets the function read the slots from its argument.
  void readSlots(StringRef packer);

  OpBuilder builder;
  Location loc;
  ModuleOp module;
  func::FuncOp function;
  BlockArgument argument;
  RankedTensorType original; ///< of the argument
  Type element;              ///< of the flat tensor
  SmallVector<KernelArgument> arguments;
  SmallVector<PackedSlot> slots;
  int64_t size = 0; ///< of the flat tensor
};
} // namespace

SmallVector<Value> PackingOutliner::findRead(function_ref<bool(Type)> fits) {
  // Values that the packer can compute.
  SetVector<Value> packable;
  packable.insert(argument);
  for (Operation &op : function.front())
    for (Value result : op.getResults()) {
      auto type = dyn_cast<RankedTensorType>(result.getType());
      if (type && type.hasStaticShape() && fits(type.getElementType()) &&
          getPrepackedArgument(result) == argument)
        packable.insert(result);
    }
  SmallVector<Value> read;
  for (Value value : packable)
    if (llvm::any_of(value.getUsers(), [&](Operation *user) {
          return llvm::none_of(user->getResults(), [&](Value result) {
            return packable.contains(result);
          });
        }))
      read.push_back(value);
  return read;
}

void PackingOutliner::findSlots() {
  // All elements may be widened or put together in words: what the tensor holds
  // has one type.
  SmallVector<Value> read =
      findRead([](Type type) { return type.isIntOrFloat(); });
  if (!read.empty() && llvm::all_equal(llvm::map_range(read, [](Value value) {
        return getElementTypeOrSelf(value);
      })))
    element = getElementTypeOrSelf(read.front());
  else
    read = findRead([&](Type type) { return type == element; });
  int64_t alignment = std::max<int64_t>(1, kWorkspaceAlignment * 8 /
                                               element.getIntOrFloatBitWidth());
  for (Value value : read) {
    slots.push_back({value, size});
    size += llvm::alignTo(
        cast<RankedTensorType>(value.getType()).getNumElements(), alignment);
  }
}

/// All dimensions of a tensor of `rank` as one.
static SmallVector<ReassociationIndices> getFlattening(int64_t rank) {
  if (rank == 0)
    return {};
  return {llvm::to_vector<2>(llvm::seq<int64_t>(rank))};
}

Value PackingOutliner::extractSlot(Value flat, const PackedSlot &slot) {
  auto type = cast<RankedTensorType>(slot.value.getType());
  TensorSlice slice(builder, loc, flat);
  slice.narrow(0, slot.offset, type.getNumElements());
  return builder.createOrFold<tensor::ExpandShapeOp>(
      loc, type, slice.extract(), getFlattening(type.getRank()));
}

Value PackingOutliner::copyValue(Value value, IRMapping &copies) {
  if (Value copy = copies.lookupOrNull(value))
    return copy;
  Operation *op = value.getDefiningOp();
  SetVector<Value> operands(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), operands);
  for (Value operand : operands)
    copyValue(operand, copies);
  builder.clone(*op, copies);
  return copies.lookup(value);
}

Value PackingOutliner::computeSlot(const PackedSlot &slot, Value flat,
                                   IRMapping &copies) {
  auto type = cast<RankedTensorType>(slot.value.getType());
  // What starts as an empty tensor is computed in place.
  auto op = slot.value.getDefiningOp<linalg::LinalgOp>();
  if (op && op.getNumDpsInits() == 1 &&
      op.getDpsInits()[0].getDefiningOp<tensor::EmptyOp>())
    copies.map(op.getDpsInits()[0], extractSlot(flat, slot));
  Value copy = copyValue(slot.value, copies);
  Value line = builder.createOrFold<tensor::CollapseShapeOp>(
      loc, copy, getFlattening(type.getRank()));
  TensorSlice slice(builder, loc, flat);
  slice.narrow(0, slot.offset, type.getNumElements());
  return slice.insert(line);
}

void PackingOutliner::createPacker(StringRef name) {
  MLIRContext *context = builder.getContext();
  builder.setInsertionPointToEnd(module.getBody());
  auto bufferType = MemRefType::get({size}, element);
  auto packer = func::FuncOp::create(
      builder, loc, name, builder.getFunctionType({original, bufferType}, {}));
  if (DictionaryAttr attributes =
          function.getArgAttrDict(argument.getArgNumber()))
    packer.setArgAttrs(0, attributes);
  packer.removeArgAttr(0, kPrepackedAttrName);
  KernelArgument packed{arguments[argument.getArgNumber()].name + "_packed",
                        getFlatType(),
                        /*layout=*/"",
                        /*isWritten=*/true,
                        /*isTraced=*/false,
                        /*packer=*/""};
  packer->setAttr(
      kArgumentsAttrName,
      toAttribute(context, {arguments[argument.getArgNumber()], packed}));
  Block *body = packer.addEntryBlock();
  builder.setInsertionPointToStart(body);
  IRMapping copies;
  copies.map(argument, body->getArgument(0));
  Value flat = bufferization::ToTensorOp::create(
      builder, loc, getFlatType(), body->getArgument(1), /*restrict=*/true,
      /*writable=*/true);
  for (const PackedSlot &slot : slots)
    flat = computeSlot(slot, flat, copies);
  auto write = bufferization::MaterializeInDestinationOp::create(
      builder, loc, TypeRange(), flat, body->getArgument(1));
  write.setWritable(true);
  func::ReturnOp::create(builder, loc);
}

void PackingOutliner::readSlots(StringRef packer) {
  Block &body = function.front();
  unsigned number = argument.getArgNumber();
  BlockArgument flat = body.insertArgument(number + 1, getFlatType(), loc);
  builder.setInsertionPointToStart(&body);
  for (PackedSlot &slot : slots)
    slot.value.replaceAllUsesWith(extractSlot(flat, slot));
  // What computed slots has no use left.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      op.erase();
  body.eraseArgument(number);
  function.setType(builder.getFunctionType(body.getArgumentTypes(),
                                           function.getResultTypes()));
  function.removeArgAttr(number, kPrepackedAttrName);
  function.removeArgAttr(number, kLayoutAttrName);
  arguments[number].type = getFlatType();
  arguments[number].layout.clear();
  arguments[number].packer = packer.str();
  function->setAttr(kArgumentsAttrName,
                    toAttribute(builder.getContext(), arguments));
}

LogicalResult PackingOutliner::outline() {
  std::string name =
      (function.getName() + "_pack_" + arguments[argument.getArgNumber()].name)
          .str();
  if (module.lookupSymbol(name))
    return function.emitOpError() << "needs the name '" << name
                                  << "' for the function that packs its filter";
  findSlots();
  if (llvm::all_of(slots, [&](const PackedSlot &slot) {
        return slot.value == argument;
      }))
    emitRemark(loc) << "'" << name << "' " << getWords(Choice::PacksNothing)
                    << ": no order is better "
                    << "than that of '"
                    << arguments[argument.getArgNumber()].name << "'";
  createPacker(name);
  readSlots(name);
  return success();
}

/// Whether `argument`, which callers hand over packed, is one that is known.
static LogicalResult check(func::FuncOp function, BlockArgument argument) {
  auto tensor = dyn_cast<RankedTensorType>(argument.getType());
  if (!tensor || !tensor.hasStaticShape() ||
      !tensor.getElementType().isIntOrFloat())
    return function.emitOpError()
           << "expected " << kPrepackedAttrName
           << " of an argument of numbers and static sizes, but got "
           << argument.getType();
  auto known = function->getAttrOfType<ArrayAttr>(kArgumentsAttrName);
  if (argument.getArgNumber() >= known.size())
    return function.emitOpError() << "expected " << kArgumentsAttrName << " of "
                                  << argument.getArgNumber() + 1
                                  << " arguments, but got " << known.size();
  return success();
}

namespace {
struct OutlinePackingPass final
    : mlir::convoy::impl::OutlinePackingPassBase<OutlinePackingPass> {
  using Base::Base;

  void runOnOperation() override {
    for (auto function :
         llvm::to_vector(getOperation().getOps<func::FuncOp>())) {
      if (!function->hasAttr(kArgumentsAttrName))
        continue;
      for (BlockArgument argument : getPrepackedArguments(function))
        if (failed(check(function, argument)) ||
            failed(
                PackingOutliner(getOperation(), function, argument).outline()))
          return signalPassFailure();
    }
  }
};
} // namespace
