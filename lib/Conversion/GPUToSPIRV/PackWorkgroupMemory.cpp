//===- PackWorkgroupMemory.cpp - One allocation for each kernel -*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkgroupMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::convoy;

/// The allocations of workgroup memory of one kernel.
using Allocations = SmallVector<memref::AllocOp>;

/// Bits of a number or of a vector of numbers, each of which is a power of two
/// of bytes; 0 for other types.
static int64_t getBits(Type type) {
  Type number = getElementTypeOrSelf(type);
  int64_t bits =
      number.isIntOrFloat() ? int64_t(number.getIntOrFloatBitWidth()) : 0;
  if (bits < 8 || bits > 64 || !llvm::isPowerOf2_64(bits))
    return 0;
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() * bits : bits;
}

static bool isOfMatrices(Operation *op) {
  return isa<gpu::SubgroupMmaLoadMatrixOp, gpu::SubgroupMmaStoreMatrixOp>(op);
}

/// Whether matrices are loaded from `alloc` or stored to it.
static bool holdsMatrices(memref::AllocOp alloc) {
  return llvm::any_of(alloc->getUsers(), isOfMatrices);
}

/// Whether `alloc` is an array that is accessed by whole elements or matrices.
static bool isArray(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  return type.hasStaticShape() && type.getRank() == 1 &&
         type.getLayout().isIdentity() && getBits(type.getElementType()) > 0 &&
         llvm::all_of(alloc->getUsers(), [&](Operation *user) {
           auto store = dyn_cast<memref::StoreOp>(user);
           return isa<memref::LoadOp>(user) || isOfMatrices(user) ||
                  (store && store.getMemRef() == alloc.getResult());
         });
}

static Allocations getAllocations(gpu::GPUFuncOp kernel) {
  Allocations allocations;
  kernel.walk([&](memref::AllocOp alloc) {
    if (gpu::GPUDialect::isWorkgroupMemoryAddressSpace(
            alloc.getType().getMemorySpace()))
      allocations.push_back(alloc);
  });
  return allocations;
}

/// Those of each kernel of `module` that has some.
static SmallVector<Allocations> getAllocations(gpu::GPUModuleOp module) {
  SmallVector<Allocations> kernels;
  for (auto kernel : module.getOps<gpu::GPUFuncOp>())
    if (Allocations found = getAllocations(kernel); !found.empty())
      kernels.push_back(std::move(found));
  return kernels;
}

/// The bytes of what shareWorkgroupVariables makes of `kernels`.
static int64_t getSharedBytes(ArrayRef<Allocations> kernels) {
  /// Of the largest, the second ... of each kernel.
  llvm::MapVector<Type, SmallVector<int64_t>> slots;
  for (const Allocations &allocations : kernels) {
    llvm::MapVector<Type, SmallVector<int64_t>> own;
    for (memref::AllocOp alloc : allocations) {
      Type element = alloc.getType().getElementType();
      own[element].push_back(alloc.getType().getNumElements() *
                             getBits(element) / 8);
    }
    for (auto &[element, sizes] : own) {
      llvm::sort(sizes, std::greater<>());
      SmallVector<int64_t> &largest = slots[element];
      largest.resize(std::max(largest.size(), sizes.size()));
      for (auto [slot, size] : llvm::zip(largest, sizes))
        slot = std::max(slot, size);
    }
  }
  int64_t bytes = 0;
  for (auto &[element, sizes] : slots)
    for (int64_t size : sizes)
      bytes += size;
  return bytes;
}

/// The type of which all elements of `kernels` are whole numbers: theirs, if
/// they have one, or else integers as wide as the narrowest number.
static Type getUnit(ArrayRef<Allocations> kernels) {
  llvm::SetVector<Type> types;
  unsigned bits = 64;
  for (const Allocations &allocations : kernels)
    for (memref::AllocOp alloc : allocations) {
      Type element = alloc.getType().getElementType();
      types.insert(element);
      bits =
          std::min(bits, getElementTypeOrSelf(element).getIntOrFloatBitWidth());
    }
  if (types.size() == 1)
    return types.front();
  return IntegerType::get(types.front().getContext(), bits);
}

/// Whether values of type `a` are bit-cast to `b` as they are.
static bool isLike(Type a, Type b) {
  auto vectorA = dyn_cast<VectorType>(a), vectorB = dyn_cast<VectorType>(b);
  return getBits(a) == getBits(b) && bool(vectorA) == bool(vectorB) &&
         (!vectorA || vectorA.getShape() == vectorB.getShape());
}

/// The most elements of a vector in SPIR-V.
static constexpr int64_t kLongestVector = 4;

/// What a number of `bits` is bit-cast to on its way to units of `unitBits`: a
/// vector of two or four integers.
static VectorType getHalves(OpBuilder &builder, int64_t bits,
                            int64_t unitBits) {
  int64_t count = std::min(bits / unitBits, kLongestVector);
  return VectorType::get({count}, builder.getIntegerType(bits / count));
}

/// Adds the units of type `unit` of which `value` consists to `units`.
static void split(OpBuilder &builder, Location loc, Value value, Type unit,
                  SmallVectorImpl<Value> &units) {
  if (value.getType() == unit)
    return units.push_back(value);
  if (isLike(value.getType(), unit))
    return units.push_back(arith::BitcastOp::create(builder, loc, unit, value));
  if (auto vector = dyn_cast<VectorType>(value.getType())) {
    for (int64_t lane = 0; lane < vector.getNumElements(); ++lane)
      split(builder, loc, vector::ExtractOp::create(builder, loc, value, lane),
            unit, units);
    return;
  }
  auto single = VectorType::get({1}, value.getType());
  value = vector::FromElementsOp::create(builder, loc, single, value);
  value = vector::BitCastOp::create(
      builder, loc, getHalves(builder, getBits(single), getBits(unit)), value);
  split(builder, loc, value, unit, units);
}

/// A value of `type` that consists of `units`.
static Value join(OpBuilder &builder, Location loc, ArrayRef<Value> units,
                  Type type) {
  Type unit = units.front().getType();
  if (type == unit)
    return units.front();
  if (isLike(type, unit))
    return arith::BitcastOp::create(builder, loc, type, units.front());
  auto joinEach = [&](VectorType vector) {
    size_t each = units.size() / vector.getNumElements();
    SmallVector<Value> elements;
    for (int64_t lane = 0; lane < vector.getNumElements(); ++lane)
      elements.push_back(join(builder, loc, units.slice(lane * each, each),
                              vector.getElementType()));
    return vector::FromElementsOp::create(builder, loc, vector, elements);
  };
  if (auto vector = dyn_cast<VectorType>(type))
    return joinEach(vector);
  Value halves = joinEach(getHalves(builder, getBits(type), getBits(unit)));
  Value single = vector::BitCastOp::create(builder, loc,
                                           VectorType::get({1}, type), halves);
  return vector::ExtractOp::create(builder, loc, single, 0);
}

namespace {
/// Puts all accesses to one allocation into a part of another one.
class Packer {
public:
  /// `first` is the number of the unit of `memory` that the part begins with.
  Packer(memref::AllocOp alloc, Value memory, int64_t first)
      : alloc(alloc), memory(memory), first(first),
        unit(cast<MemRefType>(memory.getType()).getElementType()),
        element(alloc.getType().getElementType()),
        unitsOfElement(getBits(element) / getBits(unit)) {}

  int64_t countUnits() {
    return alloc.getType().getNumElements() * unitsOfElement;
  }

  void run() {
    for (Operation *user : llvm::make_early_inc_range(alloc->getUsers())) {
      OpBuilder builder(user);
      if (isOfMatrices(user)) {
        move(builder, user);
        continue;
      }
      if (auto load = dyn_cast<memref::LoadOp>(user))
        load.replaceAllUsesWith(replace(builder, load));
      else
        replace(builder, cast<memref::StoreOp>(user));
      user->erase();
    }
    alloc.erase();
  }

private:
  /// The place of unit `number` of the element at `index`.
  Value getPlace(OpBuilder &builder, Location loc, Value index,
                 int64_t number) {
    auto constant = [&](int64_t value) {
      return arith::ConstantIndexOp::create(builder, loc, value);
    };
    if (unitsOfElement != 1)
      index =
          arith::MulIOp::create(builder, loc, index, constant(unitsOfElement));
    if (first + number == 0)
      return index;
    return arith::AddIOp::create(builder, loc, index, constant(first + number));
  }

  /// Lets `op`, which has the type of the memory, access that.
  void move(OpBuilder &builder, Operation *op) {
    assert(element == unit && "matrices do not change their elements' type");
    auto moveTo = [&](auto access, OpOperand &array) {
      Value place =
          getPlace(builder, op->getLoc(), access.getIndices().front(), 0);
      access.getIndicesMutable().assign(place);
      array.set(memory);
    };
    if (auto load = dyn_cast<gpu::SubgroupMmaLoadMatrixOp>(op))
      return moveTo(load, load.getSrcMemrefMutable());
    auto store = cast<gpu::SubgroupMmaStoreMatrixOp>(op);
    moveTo(store, store.getDstMemrefMutable());
  }

  Value replace(OpBuilder &builder, memref::LoadOp op) {
    Location loc = op.getLoc();
    SmallVector<Value> units;
    for (int64_t number = 0; number < unitsOfElement; ++number)
      units.push_back(memref::LoadOp::create(
          builder, loc, memory,
          getPlace(builder, loc, op.getIndices().front(), number)));
    return join(builder, loc, units, element);
  }

  void replace(OpBuilder &builder, memref::StoreOp op) {
    Location loc = op.getLoc();
    SmallVector<Value> units;
    split(builder, loc, op.getValueToStore(), unit, units);
    for (auto [number, value] : llvm::enumerate(units))
      memref::StoreOp::create(
          builder, loc, value, memory,
          getPlace(builder, loc, op.getIndices().front(), number));
  }

  memref::AllocOp alloc;
  Value memory;
  int64_t first;
  Type unit, element;
  int64_t unitsOfElement;
};
} // namespace

/// Puts `allocations`, of one kernel, into one of elements of type `unit`.
static void pack(const Allocations &allocations, Type unit) {
  if (allocations.empty())
    return;
  int64_t bits = 0;
  for (memref::AllocOp alloc : allocations)
    bits += alloc.getType().getNumElements() *
            getBits(alloc.getType().getElementType());
  memref::AllocOp front = allocations.front();
  OpBuilder builder = OpBuilder::atBlockBegin(
      &front->getParentOfType<gpu::GPUFuncOp>().getBody().front());
  auto type = MemRefType::get({bits / getBits(unit)}, unit, AffineMap(),
                              front.getType().getMemorySpace());
  Value memory = memref::AllocOp::create(builder, front.getLoc(), type);
  int64_t first = 0;
  for (memref::AllocOp alloc : allocations) {
    Packer packer(alloc, memory, first);
    first += packer.countUnits();
    packer.run();
  }
}

/// The type of those in `ofMatrices` that elements of `alloc` can have instead
/// of their own, or their own.
static Type getCommonType(memref::AllocOp alloc, ArrayRef<Type> ofMatrices) {
  Type element = alloc.getType().getElementType();
  if (llvm::is_contained(ofMatrices, element))
    return element;
  const Type *like = llvm::find_if(
      ofMatrices, [&](Type type) { return isLike(type, element); });
  return like == ofMatrices.end() ? element : *like;
}

/// Gives each of `kernels` one allocation for each type of elements, of as few
/// types as there can be without taking elements apart.
static void mergeArrays(ArrayRef<Allocations> kernels) {
  SmallVector<Type> ofMatrices;
  for (const Allocations &allocations : kernels)
    for (memref::AllocOp alloc : allocations)
      if (holdsMatrices(alloc))
        ofMatrices.push_back(alloc.getType().getElementType());
  for (const Allocations &allocations : kernels) {
    llvm::MapVector<Type, Allocations> byType;
    for (memref::AllocOp alloc : allocations)
      byType[getCommonType(alloc, ofMatrices)].push_back(alloc);
    for (auto &[type, own] : byType)
      if (own.size() > 1 || own.front().getType().getElementType() != type)
        pack(own, type);
  }
}

void mlir::convoy::packWorkgroupMemory(gpu::GPUModuleOp module, int64_t limit) {
  SmallVector<Allocations> kernels = getAllocations(module);
  bool areArrays = llvm::all_of(kernels, [](const Allocations &allocations) {
    return llvm::all_of(allocations, isArray);
  });
  if (!areArrays || getSharedBytes(kernels) <= limit)
    return;
  mergeArrays(kernels);
  kernels = getAllocations(module);
  bool haveMatrices = llvm::any_of(kernels, [](const Allocations &allocations) {
    return llvm::any_of(allocations, holdsMatrices);
  });
  if (haveMatrices || getSharedBytes(kernels) <= limit)
    return;
  Type unit = getUnit(kernels);
  for (const Allocations &allocations : kernels)
    pack(allocations, unit);
}
