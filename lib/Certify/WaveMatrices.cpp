//===- WaveMatrices.cpp - Matrices that lanes hold as vectors ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Buffers/Marks.h"
#include "MatrixOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

static constexpr int64_t kLines = LaneLayout::kLines;

/// The product whose summand `value` is alone; nothing if there is none.
static std::optional<WaveProduct> findProductOfSummand(Value value) {
  std::optional<WaveProduct> product;
  for (Operation *user : value.getUsers()) {
    product = findWaveProduct(user);
    if (!product || product->c != value || product->a == value ||
        product->b == value)
      return std::nullopt;
  }
  return product;
}

bool MatrixOps::isMatrix(BlockArgument argument) {
  return isa<gpu::MMAMatrixType>(argument.getType()) ||
         findProductOfSummand(argument);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

namespace {
/// Makes sums, quotients and remainders of indices.
struct IndexBuilder {
  OpBuilder &builder;
  Location loc;

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  /// `high` times `factor` and `low`.
  Value join(Value high, int64_t factor, Value low) {
    Value scaled = arith::MulIOp::create(builder, loc, high, constant(factor));
    return arith::AddIOp::create(builder, loc, scaled, low);
  }
  /// The quotient and the remainder of `value` and `divisor`.
  std::pair<Value, Value> split(Value value, int64_t divisor) {
    Value number = constant(divisor);
    return {arith::DivUIOp::create(builder, loc, value, number),
            arith::RemUIOp::create(builder, loc, value, number)};
  }
};
} // namespace

/// A tensor of the elements of `vector`, or a number as it is.
static Value makeTensor(OpBuilder &builder, Value vector) {
  auto type = dyn_cast<VectorType>(vector.getType());
  if (!type)
    return vector;
  Location loc = vector.getLoc();
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  SmallVector<Value> start(type.getRank(),
                           arith::ConstantIndexOp::create(builder, loc, 0));
  SmallVector<bool> inBounds(type.getRank(), true);
  return vector::TransferWriteOp::create(builder, loc, vector, empty, start,
                                         ArrayRef<bool>(inBounds))
      .getResult();
}

/// The element `number` of what the work-item of the digits `item` has of
/// `value`, which `held` holds: all that work-items have, or what they have in
/// common.
static Value readHeld(OpBuilder &builder, Value value, Value held,
                      ArrayRef<Value> item, Value number) {
  auto tensor = dyn_cast<RankedTensorType>(held.getType());
  if (!tensor)
    return held;
  bool isVector = isa<VectorType>(value.getType());
  SmallVector<Value> place;
  if (tensor.getRank() > isVector)
    llvm::append_range(place, item);
  if (isVector)
    place.push_back(number);
  return tensor::ExtractOp::create(builder, value.getLoc(), held, place);
}

Value MatrixOps::gather(Value value, const LaneLayout &layout, bool areRows,
                        int64_t shift) {
  Location loc = value.getLoc();
  SmallVector<int64_t> shape = {items.getNumSubgroups(), kLines, layout.volume};
  if (!areRows)
    std::swap(shape[1], shape[2]);
  auto type = RankedTensorType::get(shape, getElementTypeOrSelf(value));
  Value held = items.lookup(value, builder);
  if (Value shared = uniform.lookupOrNull(value))
    held = makeTensor(builder, shared);
  if (!held)
    return {};
  Value empty =
      tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  auto map = builder.getMultiDimIdentityMap(3);
  SmallVector<utils::IteratorType> loops(3, utils::IteratorType::parallel);
  auto gathered = linalg::GenericOp::create(
      builder, loc, type, ValueRange(), empty, map, loops,
      [&](OpBuilder &inBody, Location loc, ValueRange) {
        IndexBuilder indices{inBody, loc};
        Value number[3];
        for (int64_t dim = 0; dim < 3; ++dim)
          number[dim] = linalg::IndexOp::create(inBody, loc, dim);
        Value line = number[areRows ? 1 : 2],
              position = number[areRows ? 2 : 1];
        auto [high, low] = indices.split(position, layout.size);
        if (layout.isLaneLow)
          std::swap(high, low);
        // The lane's digit is `high` now, that of its elements `low`.
        high =
            arith::AddIOp::create(inBody, loc, high, indices.constant(shift));
        linalg::YieldOp::create(
            inBody, loc,
            readHeld(inBody, value, held, {number[0], high, line}, low));
      });
  return gathered.getResult(0);
}

LogicalResult MatrixOps::scatter(Value value, Value tensor,
                                 const LaneLayout &layout) {
  OpBuilder::InsertionGuard guard(builder);
  Location loc = value.getLoc();
  FailureOr<Value> buffer = items.makeBuffer(value.getType(), Agents::Items);
  if (failed(buffer))
    return failure();
  items.keep(value, *buffer, Agents::Items);
  IndexBuilder indices{builder, loc};
  SmallVector<Value> place =
      enterLoop(cast<MemRefType>(buffer->getType()).getShape(), loc, builder);
  Value digit = place[1], element = place.back();
  Value position = layout.isLaneLow ? indices.join(element, layout.size, digit)
                                    : indices.join(digit, layout.size, element);
  Value number = tensor::ExtractOp::create(
      builder, loc, tensor, ValueRange{place[0], position, place[2]});
  memref::StoreOp::create(builder, loc, number, *buffer, place);
  return success();
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

Value MatrixOps::getSummand(Value value, const WaveProduct &product) {
  if (Value tensor = lookup(value))
    return tensor;
  return gather(value, product.sum, /*areRows=*/false);
}

Value MatrixOps::getFactor(Value value, const WaveProduct &product,
                           bool areRows) {
  Value &known = factors[areRows][value];
  if (known && known.getParentBlock() == builder.getInsertionBlock())
    return known;
  known = gather(value, product.factor, areRows);
  if (!known || !product.isReplicated)
    return known;
  Value other = gather(value, product.factor, areRows, /*shift=*/1);
  auto both = UnrealizedConversionCastOp::create(
      builder, value.getLoc(), known.getType(), ValueRange{known, other});
  both->setAttr(kMustBeEqualAttrName, builder.getUnitAttr());
  return known;
}

/// `type` with a sign, where it is one of integers.
static Type withSign(Type type, bool isUnsigned) {
  Type element = getElementTypeOrSelf(type);
  if (!element.isInteger())
    return element;
  return IntegerType::get(type.getContext(), element.getIntOrFloatBitWidth(),
                          isUnsigned ? IntegerType::Unsigned
                                     : IntegerType::Signed);
}

/// Whether work-items need their vectors of `value`, a matrix.
static bool isHeld(Value value) {
  return llvm::any_of(value.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (std::optional<WaveProduct> product = findWaveProduct(user))
      return product->a == use.get() || product->b == use.get();
    // A loop that carries matrices takes them as these.
    auto loop = dyn_cast<scf::ForOp>(
        isa<scf::YieldOp>(user) ? user->getParentOp() : user);
    if (!loop)
      return true;
    BlockArgument carried = isa<scf::YieldOp>(user)
                                ? loop.getRegionIterArg(use.getOperandNumber())
                                : loop.getTiedLoopRegionIterArg(&use);
    return !carried || !MatrixOps::isMatrix(carried);
  });
}

LogicalResult MatrixOps::multiply(const WaveProduct &product, Operation *op,
                                  FirstObstacle &obstacle) {
  if (!items.hasWaves(product.lanes))
    return obstacle.undecided(
        op, "waves of another size, or work-items along more dimensions");
  Value a = getFactor(product.a, product, /*areRows=*/true);
  Value b = getFactor(product.b, product, /*areRows=*/false);
  Value c = getSummand(product.c, product);
  if (!a || !b || !c)
    return obstacle.undecided(op, "an operand that work-items do not hold");
  FactorTypes types{withSign(product.a.getType(), product.isUnsignedA),
                    withSign(product.b.getType(), product.isUnsignedB)};
  Value sum = emitProduct(op->getLoc(), {a, b, c}, types);
  map(product.result, sum);
  return isHeld(product.result) ? scatter(product.result, sum, product.sum)
                                : success();
}

Value MatrixOps::getInit(BlockArgument argument, Value init) {
  std::optional<WaveProduct> product = findProductOfSummand(argument);
  return product ? getSummand(init, *product) : lookup(init);
}

LogicalResult MatrixOps::leave(BlockArgument argument, Value result) {
  std::optional<WaveProduct> product = findProductOfSummand(argument);
  return product && isHeld(result)
             ? scatter(result, lookup(result), product->sum)
             : success();
}
