//===- InterpretTosaTensors.cpp - TOSA, tensors as wholes -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Interpreter/Interpreter.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::convoy;

LogicalResult Interpreter::gather(
    Operation *op, const Tensor &source, Index shape,
    llvm::function_ref<void(ArrayRef<int64_t>, MutableArrayRef<int64_t>)>
        place) {
  Tensor result = makeTensor(shape);
  Index from(source.shape.size());
  LogicalResult done = forEachIndex(shape, [&](ArrayRef<int64_t> at) {
    place(at, from);
    if (!source.contains(from))
      return illegal(op, "an element outside its tensor");
    result.at(at) = source.at(from);
    return success();
  });
  if (failed(done))
    return failure();
  return setTensor(op->getResult(0), std::move(result));
}

LogicalResult Interpreter::runTosaPad(tosa::PadOp op) {
  const Tensor &source = getTensor(op.getInput1());
  FailureOr<Index> padding = getKnown(op, op.getPadding());
  if (failed(padding))
    return failure();
  Index shape;
  for (auto [dim, size] : llvm::enumerate(source.shape))
    shape.push_back(size + (*padding)[2 * dim] + (*padding)[2 * dim + 1]);
  Tensor result = makeTensor(shape, getScalar(op.getPadConst()));
  (void)forEachIndex(source.shape, [&](ArrayRef<int64_t> at) {
    Index place(at);
    for (auto [dim, i] : llvm::enumerate(place))
      i += (*padding)[2 * dim];
    result.at(place) = source.at(at);
    return success();
  });
  return setTensor(op->getResult(0), std::move(result));
}

LogicalResult Interpreter::runTosaReduce(Operation *op, StringRef name) {
  const Tensor &source = getTensor(op->getOperand(0));
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  auto axis = size_t(op->getAttrOfType<IntegerAttr>("axis").getInt());
  SmallVector<Type, 2> types(2, type);
  auto combine = resolve(op, name, type, types);
  if (failed(combine))
    return failure();
  Index shape = source.shape;
  shape[axis] = 1;
  Tensor result = makeTensor(shape);
  bool isSum = name == "arith.addf";
  std::unique_ptr<Sums> sums = algebra.startSums(
      type, std::vector<Scalar>(result.size(), getZero(type)));
  (void)forEachIndex(source.shape, [&](ArrayRef<int64_t> at) {
    Index place(at);
    place[axis] = 0;
    Scalar &element = result.at(place);
    if (isSum)
      sums->add(&element - result.elements->data(), source.at(at));
    else
      element = at[axis] ? (*combine)({element, source.at(at)}) : source.at(at);
    return success();
  });
  if (isSum)
    for (int64_t i = 0; i < result.size(); ++i)
      (*result.elements)[i] = sums->get(i);
  return setTensor(op->getResult(0), std::move(result));
}

LogicalResult Interpreter::runTosaPool(Operation *op) {
  const Tensor &source = getTensor(op->getOperand(0));
  auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
  Type type = resultType.getElementType();
  bool isMax = isa<tosa::MaxPool2dOp>(op), isFloat = isa<FloatType>(type);
  if (!resultType.hasStaticShape() || (!isMax && !isFloat))
    return unknown(op, "an average of integers, or a dynamic size");
  auto get = [&](StringRef name) {
    return op->getAttrOfType<DenseI64ArrayAttr>(name).asArrayRef();
  };
  ArrayRef<int64_t> kernel = get("kernel"), stride = get("stride"),
                    pad = get("pad");
  SmallVector<Type, 2> types(2, type);
  auto maximum =
      resolve(op, isFloat ? "arith.maximumf" : "arith.maxsi", type, types);
  if (failed(maximum))
    return failure();
  FailureOr<Algebra::Function> divide = Algebra::Function();
  if (!isMax)
    divide = resolve(op, "arith.divf", type, types);
  if (failed(divide))
    return failure();
  Tensor result = makeTensor(resultType.getShape());
  std::unique_ptr<Sums> sums = algebra.startSums(
      type, std::vector<Scalar>(result.size(), getZero(type)));
  LogicalResult done = forEachIndex(result.shape, [&](ArrayRef<int64_t> at) {
    Scalar &element = result.at(at);
    int64_t place = &element - result.elements->data(), count = 0;
    for (int64_t y = 0; y < kernel[0]; ++y)
      for (int64_t x = 0; x < kernel[1]; ++x) {
        Index from = {at[0], at[1] * stride[0] + y - pad[0],
                      at[2] * stride[1] + x - pad[2], at[3]};
        if (!source.contains(from))
          continue;
        if (!isMax)
          sums->add(place, source.at(from));
        else
          element =
              count ? (*maximum)({element, source.at(from)}) : source.at(from);
        ++count;
      }
    if (count == 0)
      return illegal(op, "a window without elements");
    if (isMax)
      return success();
    auto number = algebra.getConstant(FloatAttr::get(type, double(count)));
    if (failed(number))
      return unknown(op, "a number that is not known");
    element = (*divide)({sums->get(place), *number});
    return success();
  });
  if (failed(done))
    return failure();
  return setTensor(op->getResult(0), std::move(result));
}

LogicalResult Interpreter::runTosaReshape(tosa::ReshapeOp op) {
  const Tensor &source = getTensor(op.getInput1());
  FailureOr<Index> shape = getKnown(op, op.getShape());
  if (failed(shape))
    return failure();
  // A size of -1 is what is left.
  int64_t known = 1;
  for (int64_t size : *shape)
    known *= size < 0 ? 1 : size;
  for (int64_t &size : *shape)
    size = size < 0 ? source.size() / std::max<int64_t>(known, 1) : size;
  if (makeTensor(*shape).size() != source.size())
    return illegal(op, "a reshape to another number of elements");
  return setTensor(op->getResult(0), {*shape, source.elements});
}

LogicalResult Interpreter::runTosaSlice(tosa::SliceOp op) {
  auto start = getKnown(op, op.getStart());
  auto size = getKnown(op, op.getSize());
  if (failed(start) || failed(size))
    return failure();
  return gather(op, getTensor(op.getInput1()), *size,
                [&](ArrayRef<int64_t> at, MutableArrayRef<int64_t> place) {
                  for (auto [dim, i] : llvm::enumerate(at))
                    place[dim] = i + (*start)[dim];
                });
}

LogicalResult Interpreter::runTosaTile(tosa::TileOp op) {
  const Tensor &source = getTensor(op.getInput1());
  auto multiples = getKnown(op, op.getMultiples());
  if (failed(multiples))
    return failure();
  Index shape = source.shape;
  for (auto [size, count] : llvm::zip_equal(shape, *multiples))
    size *= count;
  return gather(op, source, shape,
                [&](ArrayRef<int64_t> at, MutableArrayRef<int64_t> place) {
                  for (auto [dim, i] : llvm::enumerate(at))
                    place[dim] = i % source.shape[dim];
                });
}

static bool isOnFloats(Operation *op) {
  return isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType()));
}

LogicalResult Interpreter::runTosaTensorOp(Operation *op) {
  auto source = [&]() -> const Tensor & {
    return getTensor(op->getOperand(0));
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](tosa::IdentityOp op) {
        return setTensor(op->getResult(0), source());
      })
      .Case([&](tosa::ReshapeOp op) { return runTosaReshape(op); })
      .Case([&](tosa::TransposeOp op) {
        Index shape;
        for (int32_t dim : op.getPerms())
          shape.push_back(source().shape[dim]);
        return gather(op, source(), shape, [&](auto at, auto place) {
          for (auto [i, dim] : llvm::zip_equal(at, op.getPerms()))
            place[dim] = i;
        });
      })
      .Case([&](tosa::SliceOp op) { return runTosaSlice(op); })
      .Case([&](tosa::TileOp op) { return runTosaTile(op); })
      .Case([&](tosa::ReverseOp op) {
        return gather(op, source(), source().shape, [&](auto at, auto place) {
          llvm::copy(at, place.begin());
          int64_t &i = place[op.getAxis()];
          i = source().shape[op.getAxis()] - 1 - i;
        });
      })
      .Case([&](tosa::ConcatOp op) {
        return runConcat(op, op.getInput1(), op.getAxis());
      })
      .Case([&](tosa::PadOp op) { return runTosaPad(op); })
      .Case<tosa::MaxPool2dOp, tosa::AvgPool2dOp>(
          [&](auto pool) { return runTosaPool(pool); })
      .Case([&](tosa::ReduceSumOp op) {
        return runTosaReduce(op, isOnFloats(op) ? "arith.addf" : "arith.addi");
      })
      .Case([&](tosa::ReduceMaxOp op) {
        return runTosaReduce(op,
                             isOnFloats(op) ? "arith.maximumf" : "arith.maxsi");
      })
      .Case([&](tosa::ReduceMinOp op) {
        return runTosaReduce(op,
                             isOnFloats(op) ? "arith.minimumf" : "arith.minsi");
      })
      .Case([&](tosa::ReduceProductOp op) {
        return runTosaReduce(op, isOnFloats(op) ? "arith.mulf" : "arith.muli");
      })
      .Default([&](Operation *op) { return runTosaElementwise(op); });
}
