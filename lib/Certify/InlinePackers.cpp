//===- InlinePackers.cpp - Kernels with what packs their filters *- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Certify/InlinePackers.h"
#include "Buffers/BufferRoots.h"
#include "Buffers/Workspace.h"

#include "convoy/Certify/InlineCalls.h"
#include "convoy/Certify/MemoryStates.h"
#include "convoy/Transforms/KernelABI/KernelInterface.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::convoy;

/// The numbers of arguments that other functions pack, and the names of these.
static SmallVector<std::pair<unsigned, std::string>>
getPackers(FunctionOpInterface function) {
  SmallVector<std::pair<unsigned, std::string>> packers;
  if (auto arguments = function->getAttrOfType<ArrayAttr>(kArgumentsAttrName))
    for (auto [number, argument] :
         llvm::enumerate(getKernelArguments(arguments)))
      if (!argument.packer.empty())
        packers.emplace_back(number, argument.packer);
  return packers;
}

bool mlir::convoy::takesPackedArgument(FunctionOpInterface function) {
  return !getPackers(function).empty();
}

bool mlir::convoy::haveSamePackers(FunctionOpInterface a,
                                   FunctionOpInterface b) {
  return getPackers(a) == getPackers(b);
}

/// Whether an op of the function that takes `packed` writes it, for the next
/// call to read.
static bool isOverwritten(BlockArgument packed) {
  return llvm::any_of(*packed.getOwner(), [&](Operation &op) {
    return llvm::is_contained(certify::BufferRoots::findWritten(&op), packed);
  });
}

/// A copy of the function that packs `packed`, from its first argument into its
/// other, without a workspace; null where it is not known or does something
/// else.
static OwningOpRef<func::FuncOp>
copyPacker(BlockArgument packed, StringRef name, Operation *symbols) {
  auto packer = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      symbols, StringAttr::get(symbols->getContext(), name));
  bool isKnown = packer && !packer.isExternal() &&
                 packer.getBody().hasOneBlock() &&
                 packer != packed.getOwner()->getParentOp();
  auto arguments = isKnown
                       ? packer->getAttrOfType<ArrayAttr>(kArgumentsAttrName)
                       : ArrayAttr();
  if (!arguments || arguments.size() != 2 || isOverwritten(packed))
    return nullptr;
  OwningOpRef<func::FuncOp> copy = packer.clone();
  certify::FirstObstacle obstacle;
  if (failed(certify::separateWorkspace(cast<FunctionOpInterface>(**copy),
                                        obstacle)) ||
      copy->getNumArguments() != 2 || copy->getNumResults() != 0)
    return nullptr;
  auto made = dyn_cast<MemRefType>(copy->getArgument(1).getType());
  auto taken = dyn_cast<ShapedType>(packed.getType());
  bool isSame = made && taken && made.hasStaticShape() && taken.hasRank() &&
                made.getShape() == taken.getShape() &&
                made.getElementType() == taken.getElementType() &&
                (taken == made || isa<RankedTensorType>(taken));
  return isSame ? std::move(copy) : nullptr;
}

/// The op by which `packer` leaves its result, if that is a tensor and nothing
/// else writes there; null if not.
static bufferization::MaterializeInDestinationOp getLeft(func::FuncOp packer) {
  bufferization::MaterializeInDestinationOp left;
  for (Operation *user : packer.getArgument(1).getUsers()) {
    if (isa<bufferization::ToTensorOp>(user))
      continue;
    auto write = dyn_cast<bufferization::MaterializeInDestinationOp>(user);
    if (!write || left || write->getBlock() != &packer.front())
      return nullptr;
    left = write;
  }
  return left;
}

/// Puts what `packer` makes of a new argument in the place of `packed`.
static void inlinePacker(BlockArgument packed, func::FuncOp packer) {
  Block *body = packed.getOwner();
  if (Attribute mark = packer->getAttr(certify::kLeftoversAttrName))
    body->getParentOp()->setAttr(certify::kLeftoversAttrName, mark);
  unsigned number = packed.getArgNumber();
  Location loc = packed.getLoc();
  auto builder = OpBuilder::atBlockBegin(body);
  Value buffer = memref::AllocOp::create(
      builder, loc, cast<MemRefType>(packer.getArgument(1).getType()));
  IRMapping mapping;
  mapping.map(
      packer.getArgument(0),
      body->insertArgument(number, packer.getArgument(0).getType(), loc));
  mapping.map(packer.getArgument(1), buffer);
  bool isTensor = isa<RankedTensorType>(packed.getType());
  auto left =
      isTensor ? getLeft(packer) : bufferization::MaterializeInDestinationOp();
  for (Operation &op : packer.front().without_terminator())
    if (&op != left)
      builder.clone(op, mapping);
  if (left)
    buffer = mapping.lookupOrDefault(left.getSource());
  else if (isTensor)
    buffer = bufferization::ToTensorOp::create(builder, loc, packed.getType(),
                                               buffer, /*restrict=*/true);
  packed.replaceAllUsesWith(buffer);
  body->eraseArgument(number + 1);
}

void mlir::convoy::inlinePackers(FunctionOpInterface function,
                                 Operation *symbols) {
  if (!takesPackedArgument(function) || function.isExternal() ||
      !isa<FunctionType>(function.getFunctionType()) ||
      !function.getFunctionBody().hasOneBlock())
    return;
  loadMemoryDialects(*function.getContext());
  // What it calls may write what is packed, too.
  inlineCalls(function, symbols);
  auto arguments = function->getAttrOfType<ArrayAttr>(kArgumentsAttrName);
  SmallVector<Attribute> entries(arguments.getValue());
  for (auto [number, argument] :
       llvm::enumerate(getKernelArguments(arguments))) {
    if (argument.packer.empty() || number >= function.getNumArguments())
      continue;
    OwningOpRef<func::FuncOp> packer =
        copyPacker(function.getArgument(number), argument.packer, symbols);
    if (!packer)
      continue;
    inlinePacker(function.getArgument(number), *packer);
    entries[number] =
        (*packer)->getAttrOfType<ArrayAttr>(kArgumentsAttrName)[0];
  }
  function->setAttr(kArgumentsAttrName,
                    ArrayAttr::get(function.getContext(), entries));
  function.setType(FunctionType::get(
      function.getContext(), function.getFunctionBody().getArgumentTypes(),
      function.getResultTypes()));
}
