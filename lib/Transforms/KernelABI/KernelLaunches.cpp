//===- KernelLaunches.cpp - What a host launches, as data -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GroupTime.h"
#include "WrittenSlices.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Dialect/Convoy/IR/DiscardableAttrs.h"
#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "convoy/Dialect/Convoy/IR/KernelSignature.h"
#include "convoy/Transforms/KernelABI/KernelInterface.h"
#include "convoy/Transforms/Utils/LoopValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/SymbolTable.h"

#include <algorithm>
#include <limits>

using namespace mlir;
using namespace mlir::convoy;

std::array<int64_t, 3> KernelLaunch::getGrid(int64_t batch) const {
  std::array<int64_t, 3> sizes = grid;
  if (groups)
    sizes[2] *= llvm::divideCeilSigned(batch * groups->times, groups->divide);
  return sizes;
}

uint32_t KernelLaunch::getMostGroups(int64_t batch) const {
  if (!groupTime)
    return 0;
  // Systems reset devices after two seconds or later.
  constexpr double LaunchSeconds = 1;
  constexpr double Most = std::numeric_limits<uint32_t>::max();
  double seconds = groupTime->fixed + groupTime->ofImage * double(batch);
  return uint32_t(std::clamp(LaunchSeconds / seconds, 1.0, Most));
}

//===----------------------------------------------------------------------===//
// Numbers of bytes
//===----------------------------------------------------------------------===//

/// The bytes of a buffer.
static KernelBytes getBytes(MemRefType type) {
  ElementCount count(type);
  int64_t bytes = count.number * getElementBytes(type.getElementType());
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

std::optional<std::vector<char>>
mlir::convoy::getConstantBytes(ElementsAttr constant) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(constant)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return std::nullopt;
    return std::vector<char>(blob->getData().begin(), blob->getData().end());
  }
  auto dense = dyn_cast<DenseIntOrFPElementsAttr>(constant);
  if (!dense)
    return std::nullopt;
  std::vector<char> bytes;
  if (dense.getElementType().isInteger(1)) {
    llvm::append_range(bytes, dense.getValues<bool>());
    return bytes;
  }
  ArrayRef<char> raw = dense.getRawData();
  int64_t copies = dense.isSplat() ? dense.getNumElements() : 1;
  for (int64_t copy = 0; copy < copies; ++copy)
    llvm::append_range(bytes, raw);
  return bytes;
}

//===----------------------------------------------------------------------===//
// Launches as data
//===----------------------------------------------------------------------===//

/// The buffer that `buffer` is a reshape of.
static Value peelReshapes(Value buffer) {
  while (Operation *op = buffer.getDefiningOp()) {
    if (!isa<memref::ExpandShapeOp, memref::CollapseShapeOp, memref::CastOp>(
            op))
      break;
    buffer = op->getOperand(0);
  }
  return buffer;
}

/// The tensor that `op` makes a buffer of; null where it has none.
static ElementsAttr getConstant(memref::GetGlobalOp op) {
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      op, op.getNameAttr());
  ElementsAttr constant =
      global ? dyn_cast_or_null<ElementsAttr>(global.getInitialValueAttr())
             : ElementsAttr();
  return constant && getConstantBytes(constant) ? constant : ElementsAttr();
}

/// Where `buffer` lies in the arguments of its function, the last of which is
/// the workspace, or in `constants`, which it may become one of; nothing where
/// that is not known.
static std::optional<KernelBinding>
getBinding(Value buffer, SmallVectorImpl<ElementsAttr> &constants) {
  using Kind = KernelBinding::Kind;
  KernelBytes bytes = getBytes(cast<MemRefType>(buffer.getType()));
  Value root = peelReshapes(buffer);
  if (auto argument = dyn_cast<BlockArgument>(root))
    return KernelBinding{Kind::Argument, argument.getArgNumber(), {}, bytes};
  if (auto view = root.getDefiningOp<memref::ViewOp>()) {
    std::optional<KernelBytes> offset = getBytes(view.getByteShift());
    if (!offset)
      return std::nullopt;
    return KernelBinding{Kind::Workspace, 0, *offset, bytes};
  }
  auto global = root.getDefiningOp<memref::GetGlobalOp>();
  ElementsAttr constant = global ? getConstant(global) : ElementsAttr();
  if (!constant)
    return std::nullopt;
  auto *known = llvm::find(constants, constant);
  unsigned number = known - constants.begin();
  if (known == constants.end())
    constants.push_back(constant);
  return KernelBinding{Kind::Constant, number, {}, bytes};
}

/// `launch` as data, with what it reads in `constants`; nothing where that is
/// not known when compiling.
static std::optional<KernelLaunch>
getLaunch(LaunchOp launch, SmallVectorImpl<ElementsAttr> &constants) {
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
  if (auto profile = VulkanProfileAttr::lookup(launch))
    result.groupTime = estimateGroupTime(kernel, profile.getLimits());
  for (Value operand : launch.getBuffers()) {
    if (!isa<MemRefType>(operand.getType()))
      return std::nullopt;
    std::optional<KernelBinding> binding = getBinding(operand, constants);
    if (!binding)
      return std::nullopt;
    result.bindings.push_back(*binding);
  }
  return result;
}

/// How many images, `most` or fewer, a batch may have for loops of the kernel
/// of `launch`, of which those of unknown length go over images, to have at
/// most `limit` iterations.
static int64_t getMostImages(LaunchOp launch, int64_t limit, int64_t most) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
      launch, launch.getKernelAttr());
  if (!kernel)
    return most;
  auto images = llvm::seq<int64_t>(1, most + 1);
  auto tooMany = llvm::partition_point(images, [&](int64_t count) {
    return countIterations(kernel.getBody(), uint64_t(count)) <=
           uint64_t(limit);
  });
  return *tooMany - 1;
}

/// How many images a batch may have for no buffer of `launch` to have more
/// elements than indices of 32 bits are for, and for devices to take its
/// buffers and its grid, and to run its loops to their ends.
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
  // Most devices have no limit.
  int64_t iterations = profile ? profile.getLimits().loopIterations
                               : ::convoy::VulkanLimits().loopIterations;
  if (iterations < ::convoy::VulkanLimits().loopIterations)
    largest = getMostImages(launch, iterations, largest);
  return largest;
}

void mlir::convoy::appendLaunches(FunctionOpInterface function,
                                  KernelInterface &interface) {
  function->walk([&](LaunchOp launch) {
    if (std::optional<KernelLaunch> known =
            getLaunch(launch, interface.constants))
      interface.launches.push_back(*known);
    if (launch.getBatch())
      interface.largestBatch =
          std::min(interface.largestBatch.value_or(kMaxNarrowElements),
                   getLargestBatch(launch));
  });
}

//===----------------------------------------------------------------------===//
// Nothing is lost
//===----------------------------------------------------------------------===//

/// Whether `op` says where buffers lie, and does nothing.
static bool placesBuffers(Operation *op) {
  return isa<memref::ViewOp, memref::ExpandShapeOp, memref::CollapseShapeOp,
             memref::CastOp, memref::DimOp, memref::GetGlobalOp,
             arith::ConstantOp, arith::AddIOp, arith::MulIOp>(op);
}

/// Checks that the launches of `function` write all of `result`, an argument.
static LogicalResult checkIsWritten(FunctionOpInterface function,
                                    BlockArgument result, StringRef name) {
  auto type = cast<ShapedType>(result.getType());
  if (llvm::is_contained(type.getShape(), 0))
    return success();
  WrittenSlices slices;
  function->walk([&](LaunchOp launch) {
    for (Value init : launch.getInits())
      if (peelReshapes(init) == result)
        slices.add(cast<ShapedType>(init.getType()), launch.getWritesAttr());
  });
  if (slices.coverAll())
    return success();
  return function->emitOpError() << "expected launches that write each element "
                                    "of '"
                                 << name << "', but some have none";
}

LogicalResult mlir::convoy::checkLaunches(FunctionOpInterface function) {
  SmallVector<ElementsAttr> constants;
  for (Operation &op :
       function.getFunctionBody().front().without_terminator()) {
    auto launch = dyn_cast<LaunchOp>(op);
    if (launch && !getLaunch(launch, constants))
      return launch.emitOpError("expected buffers at known places");
    if (launch && launch.getBatch() && getLargestBatch(launch) == 0)
      return launch.emitOpError("expected images of fewer elements in a batch "
                                "of dynamic size");
    if (!launch && !placesBuffers(&op))
      return op.emitOpError("expected nothing but launches of kernels");
  }
  auto arguments = function->getAttrOfType<ArrayAttr>(kArgumentsAttrName);
  if (!arguments)
    return success();
  for (auto [number, argument] : llvm::enumerate(getKernelArguments(arguments)))
    if (argument.isWritten &&
        failed(checkIsWritten(function, function.getArgument(number),
                              argument.name)))
      return failure();
  return success();
}
