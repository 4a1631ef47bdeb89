//===- KernelInterface.cpp - What a caller must know ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/KernelInterface.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/KernelSignature.h"
#include "convoy/Transforms/KernelNames.h"
#include "convoy/Transforms/Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::convoy;

SmallVector<KernelSize> KernelInterface::getSizes() const {
  UniqueNames names;
  for (const KernelArgument &argument : arguments)
    names.add(argument.name);
  SmallVector<KernelSize> sizes;
  for (auto [number, argument] : llvm::enumerate(arguments)) {
    auto tensor = dyn_cast<RankedTensorType>(argument.type);
    for (int64_t dim = 0; tensor && dim < tensor.getRank(); ++dim)
      if (tensor.isDynamicDim(dim)) {
        std::string suffix = argument.layout.empty()
                                 ? std::to_string(dim)
                                 : std::string(1, argument.layout[dim]);
        sizes.push_back(
            {names.add(argument.name + "_" + suffix), unsigned(number), dim});
      }
  }
  return sizes;
}

ArrayAttr mlir::convoy::toAttribute(MLIRContext *context,
                                    ArrayRef<KernelArgument> arguments) {
  auto entry = [&](StringRef name, Attribute value) {
    return NamedAttribute(StringAttr::get(context, name), value);
  };
  return ArrayAttr::get(
      context,
      llvm::map_to_vector(
          arguments, [&](const KernelArgument &argument) -> Attribute {
            SmallVector<NamedAttribute> entries = {
                entry("layout", StringAttr::get(context, argument.layout)),
                entry("name", StringAttr::get(context, argument.name)),
                entry("type", TypeAttr::get(argument.type)),
                entry("written", BoolAttr::get(context, argument.isWritten))};
            if (!argument.packer.empty())
              entries.push_back(
                  entry("packer", StringAttr::get(context, argument.packer)));
            return DictionaryAttr::get(context, entries);
          }));
}

SmallVector<KernelArgument>
mlir::convoy::getKernelArguments(ArrayAttr attribute) {
  return llvm::map_to_vector(
      attribute.getAsRange<DictionaryAttr>(), [](DictionaryAttr entry) {
        auto packer = entry.getAs<StringAttr>("packer");
        return KernelArgument{entry.getAs<StringAttr>("name").str(),
                              entry.getAs<TypeAttr>("type").getValue(),
                              entry.getAs<StringAttr>("layout").str(),
                              entry.getAs<BoolAttr>("written").getValue(),
                              packer ? packer.str() : ""};
      });
}

int64_t mlir::convoy::getWorkspaceAlignment(Operation *op) {
  return TargetAttr::lookup(op).isGPU() ? kGPUWorkspaceAlignment
                                        : kWorkspaceAlignment;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

std::array<int64_t, 3> KernelLaunch::getGrid(int64_t batch) const {
  std::array<int64_t, 3> sizes = grid;
  if (groups)
    sizes[2] *= llvm::divideCeilSigned(batch * groups->times, groups->divide);
  return sizes;
}

/// The bytes of a buffer.
static KernelBytes getBytes(MemRefType type) {
  ElementCount count(type);
  int64_t bytes =
      count.number * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  return count.isOfImage ? KernelBytes{0, bytes} : KernelBytes{bytes, 0};
}

/// `value` as a number of bytes: sums and products of constants and the batch.
static std::optional<KernelBytes> getBytes(Value value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return KernelBytes{*constant, 0};
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<memref::DimOp>(op))
    return KernelBytes{0, 1};
  if (!isa_and_nonnull<arith::AddIOp, arith::MulIOp>(op))
    return std::nullopt;
  std::optional<KernelBytes> left = getBytes(op->getOperand(0)),
                             right = getBytes(op->getOperand(1));
  if (!left || !right)
    return std::nullopt;
  if (isa<arith::AddIOp>(op))
    return KernelBytes{left->fixed + right->fixed,
                       left->ofImage + right->ofImage};
  if (left->ofImage != 0)
    std::swap(left, right);
  if (left->ofImage != 0)
    return std::nullopt;
  return KernelBytes{left->fixed * right->fixed, left->fixed * right->ofImage};
}

/// Where `buffer` lies in the arguments of its function, the last of which is
/// the workspace; nothing where that is not known.
static std::optional<KernelBinding> getBinding(Value buffer) {
  KernelBinding binding{
      std::nullopt, {}, getBytes(cast<MemRefType>(buffer.getType()))};
  while (Operation *op = buffer.getDefiningOp()) {
    if (auto view = dyn_cast<memref::ViewOp>(op)) {
      std::optional<KernelBytes> offset = getBytes(view.getByteShift());
      if (!offset)
        return std::nullopt;
      binding.offset = *offset;
      return binding;
    }
    if (!isa<memref::ExpandShapeOp, memref::CollapseShapeOp, memref::CastOp>(
            op))
      return std::nullopt;
    buffer = op->getOperand(0);
  }
  binding.argument = cast<BlockArgument>(buffer).getArgNumber();
  return binding;
}

/// `launch` as data; nothing where that is not known when compiling.
static std::optional<KernelLaunch> getLaunch(LaunchOp launch) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
      launch, launch.getKernelAttr());
  KernelLaunch result;
  if (!kernel || !kernel.getKnownBlockSize())
    return std::nullopt;
  result.kernel = kernel.getName().str();
  llvm::copy(launch.getGrid(), result.grid.begin());
  llvm::copy(*kernel.getKnownBlockSize(), result.workgroup.begin());
  result.takesBatch = takesBatch(kernel.getArgumentTypes());
  if (std::optional<ArrayRef<int64_t>> groups = launch.getGroups())
    result.groups = {groups->front(), groups->back()};
  for (Value operand : launch.getBuffers()) {
    if (!isa<MemRefType>(operand.getType()))
      return std::nullopt;
    std::optional<KernelBinding> binding = getBinding(operand);
    if (!binding)
      return std::nullopt;
    result.bindings.push_back(*binding);
  }
  return result;
}

/// How many images a batch may have for no buffer of `launch` to have more
/// elements than indices of 32 bits are for, and for devices to take its
/// buffers and its grid.
static int64_t getLargestBatch(LaunchOp launch) {
  int64_t largest = kMaxNarrowElements;
  if (std::optional<ArrayRef<int64_t>> groups = launch.getGroups()) {
    int64_t depth = kMostGroups / launch.getGrid()[2];
    largest = std::min(largest, depth * groups->back() / groups->front());
  }
  auto profile = VulkanProfileAttr::lookup(launch);
  for (Type type : launch.getBuffers().getTypes()) {
    ElementCount count(cast<ShapedType>(type));
    if (!count.isOfImage || count.number == 0)
      continue;
    largest = std::min(largest, kMaxNarrowElements / count.number);
    if (auto buffer = dyn_cast<MemRefType>(type); buffer && profile)
      largest = std::min(largest, profile.getLimits().bufferBytes /
                                      getBytes(buffer).ofImage);
  }
  return largest;
}

LogicalResult mlir::convoy::checkLaunches(Operation *function) {
  for (Operation &op : function->getRegion(0).front().without_terminator()) {
    auto launch = dyn_cast<LaunchOp>(op);
    if (launch && !getLaunch(launch))
      return launch.emitOpError("expected buffers at known places");
    if (launch && getLargestBatch(launch) == 0)
      return launch.emitOpError("expected images of fewer elements in a batch "
                                "of dynamic size");
    if (!launch && !isMemoryEffectFree(&op))
      return op.emitOpError("expected nothing but launches of kernels");
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

std::optional<KernelInterface>
mlir::convoy::getKernelInterface(Operation *function) {
  auto arguments = function->getAttrOfType<ArrayAttr>(kArgumentsAttrName);
  if (!arguments)
    return std::nullopt;
  KernelInterface interface;
  interface.name = SymbolTable::getSymbolName(function).str();
  interface.arguments = getKernelArguments(arguments);
  if (auto bytes = function->getAttrOfType<IntegerAttr>(kWorkspaceAttrName))
    interface.workspaceBytes = bytes.getInt();
  if (auto bytes =
          function->getAttrOfType<IntegerAttr>(kImageWorkspaceAttrName))
    interface.workspaceBytesOfImage = bytes.getInt();
  function->walk([&](LaunchOp launch) {
    if (std::optional<KernelLaunch> known = getLaunch(launch))
      interface.launches.push_back(*known);
    if (launch.getBatch())
      interface.largestBatch =
          std::min(interface.largestBatch.value_or(kMaxNarrowElements),
                   getLargestBatch(launch));
  });
  return interface;
}
