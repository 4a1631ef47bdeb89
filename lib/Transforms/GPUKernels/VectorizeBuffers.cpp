//===- VectorizeBuffers.cpp - Buffers of vectors of 4 -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Dialect/Convoy/IR/ElementBits.h"
#include "convoy/Transforms/GPUKernels/Passes.h"
#include "convoy/Transforms/Utils/Choices.h"
#include "convoy/Transforms/Utils/Divisibility.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::convoy {
#define GEN_PASS_DEF_VECTORIZEBUFFERSPASS
#include "convoy/Transforms/GPUKernels/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;

/// Elements of a vector in memory: what one access of every GPU takes.
static constexpr int64_t kAccessLanes = 4;

/// Whether a `vector.load` or `vector.store` is known to be at a multiple of 4
/// elements.
template <typename AccessOp>
static bool isAligned(AccessOp op) {
  unsigned bytes =
      kAccessLanes * getElementBits(op.getVectorType().getElementType()) / 8;
  return op.getAlignment().value_or(0) >= bytes ||
         isMultipleOf(op.getIndices().back(), kAccessLanes);
}

/// The type that `buffer` has with vectors for elements, or null where it
/// cannot have them.
static MemRefType getVectorBuffer(BlockArgument buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type || type.getRank() != 1 || !type.getLayout().isIdentity() ||
      !type.getElementType().isIntOrFloat())
    return nullptr;
  int64_t size = type.getDimSize(0);
  if (type.hasStaticShape() && size % kAccessLanes != 0)
    return nullptr;
  if (type.hasStaticShape())
    size /= kAccessLanes;
  auto vector = VectorType::get({kAccessLanes}, type.getElementType());
  return MemRefType::get({size}, vector, MemRefLayoutAttrInterface(),
                         type.getMemorySpace());
}

/// Whether every use of `buffer` is an access to one `vector`, or to a matrix
/// whose lines are whole ones.
static bool isAccessedBy(VectorType vector, BlockArgument buffer) {
  return llvm::all_of(buffer.getUses(), [&](OpOperand &use) {
    if (auto load = dyn_cast<vector::LoadOp>(use.getOwner()))
      return load.getVectorType() == vector;
    if (auto load = dyn_cast<gpu::SubgroupMmaLoadMatrixOp>(use.getOwner()))
      return load.getLeadDimension().urem(kAccessLanes) == 0;
    if (auto store = dyn_cast<gpu::SubgroupMmaStoreMatrixOp>(use.getOwner()))
      return store.getLeadDimension().urem(kAccessLanes) == 0;
    auto store = dyn_cast<vector::StoreOp>(use.getOwner());
    return store && store.getVectorType() == vector &&
           use.get() == store.getBase();
  });
}

/// The first access to `buffer` that may not lie at a multiple of 4.
static Operation *findMisaligned(BlockArgument buffer) {
  auto isUserAligned = [](Operation *user) {
    return llvm::TypeSwitch<Operation *, bool>(user)
        .Case<vector::LoadOp, vector::StoreOp>(
            [](auto access) { return isAligned(access); })
        .Case<gpu::SubgroupMmaLoadMatrixOp, gpu::SubgroupMmaStoreMatrixOp>(
            [](auto access) {
              return isMultipleOf(access.getIndices().back(), kAccessLanes);
            })
        .Default(false);
  };
  for (Operation *user : buffer.getUsers())
    if (!isUserAligned(user))
      return user;
  return nullptr;
}

/// Which vector the element `index` is the first of.
static Value divideByLanes(OpBuilder &builder, Location loc, Value index) {
  Value lanes = arith::ConstantIndexOp::create(builder, loc, kAccessLanes);
  return arith::DivUIOp::create(builder, loc, index, lanes);
}

/// Lets a load or store of a matrix count vectors.
template <typename AccessOp>
static void countVectors(AccessOp access) {
  OpBuilder builder(access);
  access.getIndicesMutable().assign(
      divideByLanes(builder, access.getLoc(), access.getIndices().back()));
  access.setLeadDimension(access.getLeadDimension().udiv(kAccessLanes));
}

static void changeElements(BlockArgument buffer, MemRefType type) {
  buffer.setType(type);
  for (Operation *user : llvm::make_early_inc_range(buffer.getUsers())) {
    if (auto load = dyn_cast<gpu::SubgroupMmaLoadMatrixOp>(user)) {
      countVectors(load);
      continue;
    }
    if (auto store = dyn_cast<gpu::SubgroupMmaStoreMatrixOp>(user)) {
      countVectors(store);
      continue;
    }
    OpBuilder builder(user);
    Location loc = user->getLoc();
    if (auto load = dyn_cast<vector::LoadOp>(user)) {
      Value index = divideByLanes(builder, loc, load.getIndices().back());
      load.replaceAllUsesWith(
          memref::LoadOp::create(builder, loc, buffer, index).getResult());
    } else {
      auto store = cast<vector::StoreOp>(user);
      Value index = divideByLanes(builder, loc, store.getIndices().back());
      memref::StoreOp::create(builder, loc, store.getValueToStore(), buffer,
                              index);
    }
    user->erase();
  }
}

namespace {
struct VectorizeBuffersPass final
    : mlir::convoy::impl::VectorizeBuffersPassBase<VectorizeBuffersPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([&](gpu::GPUFuncOp function) { vectorize(function); });
  }

private:
  void vectorize(gpu::GPUFuncOp function) {
    Block &body = function.getBody().front();
    // Attributions are arguments of the body as well.
    for (BlockArgument buffer : body.getArguments())
      vectorizeIfPossible(buffer);
    function.setType(
        FunctionType::get(function.getContext(),
                          TypeRange(body.getArgumentTypes())
                              .take_front(function.getNumArguments()),
                          function.getFunctionType().getResults()));
  }

  void vectorizeIfPossible(BlockArgument buffer) {
    MemRefType type = getVectorBuffer(buffer);
    if (!type || buffer.use_empty() ||
        !isAccessedBy(cast<VectorType>(type.getElementType()), buffer))
      return;
    if (Operation *access = findMisaligned(buffer)) {
      if (explain)
        access->emitRemark() << getWords(Choice::SingleElements)
                             << ": its index is not "
                                "known to be a multiple of "
                             << kAccessLanes;
      return;
    }
    changeElements(buffer, type);
  }
};
} // namespace
