//===- InterpretTensors.cpp - Slices, padding and reshapes ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::test;

//===----------------------------------------------------------------------===//
// Tensor
//===----------------------------------------------------------------------===//

static int64_t countElements(ArrayRef<int64_t> shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1),
                         std::multiplies<>());
}

bool Tensor::contains(ArrayRef<int64_t> index) const {
  return llvm::all_of(llvm::zip_equal(index, shape), [](const auto &dim) {
    return std::get<0>(dim) >= 0 && std::get<0>(dim) < std::get<1>(dim);
  });
}

Scalar &Tensor::at(ArrayRef<int64_t> index) const {
  int64_t position = 0;
  for (auto [i, size] : llvm::zip_equal(index, shape))
    position = position * size + i;
  return (*elements)[position];
}

Tensor test::makeTensor(ArrayRef<int64_t> shape, Scalar value) {
  return {Index(shape),
          std::make_shared<std::vector<Scalar>>(countElements(shape), value)};
}

Tensor test::copy(const Tensor &tensor) {
  return {tensor.shape,
          std::make_shared<std::vector<Scalar>>(*tensor.elements)};
}

LogicalResult
test::forEachIndex(ArrayRef<int64_t> shape,
                   llvm::function_ref<LogicalResult(ArrayRef<int64_t>)> visit) {
  Index index(shape.size(), 0);
  for (int64_t left = countElements(shape); left > 0; --left) {
    if (failed(visit(index)))
      return failure();
    for (size_t dim = shape.size(); dim-- > 0;) {
      if (++index[dim] < shape[dim])
        break;
      index[dim] = 0;
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult Interpreter::runTensorOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](tensor::EmptyOp op) {
        Index shape = getNumbers(op.getMixedSizes());
        if (llvm::any_of(shape, [](int64_t size) { return size < 0; }))
          return illegal(op, "a negative size");
        Scalar undefined = algebra.getUndefined(op.getType().getElementType());
        return setTensor(op->getResult(0), makeTensor(shape, undefined));
      })
      .Case([&](tensor::SplatOp op) {
        auto type = op.getType();
        if (!type.hasStaticShape())
          return unknown(op, "a dynamic size");
        set(op, makeTensor(type.getShape(), getNumber(op.getInput())));
        return success();
      })
      .Case([&](tensor::CastOp op) {
        return setTensor(op->getResult(0), getTensor(op.getSource()));
      })
      .Case([&](tensor::DimOp op) {
        const Tensor &tensor = getTensor(op.getSource());
        int64_t dim = getNumber(op.getIndex());
        if (dim < 0 || dim >= int64_t(tensor.shape.size()))
          return illegal(op, "a dimension that is not there");
        set(op, tensor.shape[dim]);
        return success();
      })
      .Case([&](tensor::ExtractOp op) { return runExtract(op); })
      .Case([&](tensor::ExtractSliceOp op) { return runExtractSlice(op); })
      .Case([&](tensor::InsertSliceOp op) {
        Tensor result = copy(getTensor(op.getDest()));
        if (failed(insertSlice(op, op.getDroppedDims(),
                               getTensor(op.getSource()), result, nullptr)))
          return failure();
        return setTensor(op->getResult(0), std::move(result));
      })
      .Case([&](tensor::PadOp op) { return runPad(op); })
      .Case([&](tensor::ExpandShapeOp op) {
        return runReshape(op, op.getReassociationIndices(),
                          getNumbers(op.getMixedOutputShape()));
      })
      .Case([&](tensor::CollapseShapeOp op) {
        Index shape;
        for (const ReassociationIndices &group : op.getReassociationIndices()) {
          shape.push_back(1);
          for (int64_t dim : group)
            shape.back() *= getTensor(op.getSrc()).shape[dim];
        }
        return runReshape(op, op.getReassociationIndices(), shape);
      })
      .Default([&](Operation *op) {
        return unknown(op, "an op that is not known");
      });
}

LogicalResult Interpreter::runExtract(tensor::ExtractOp op) {
  const Tensor &tensor = getTensor(op.getTensor());
  Index index;
  for (Value number : op.getIndices())
    index.push_back(getNumber(number));
  if (!tensor.contains(index))
    return illegal(op, "an element outside its tensor");
  set(op, tensor.at(index));
  return success();
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

namespace {
/// Which elements of a tensor a slice has.
struct Box {
  Index offsets, sizes, strides;

  Index getPlace(ArrayRef<int64_t> inSlice) const {
    Index place;
    for (size_t dim = 0; dim < offsets.size(); ++dim)
      place.push_back(offsets[dim] + inSlice[dim] * strides[dim]);
    return place;
  }
  bool isLegal() const {
    return llvm::all_of(sizes, [](int64_t size) { return size >= 0; });
  }
  Index dropDims(const llvm::SmallBitVector &dropped) const {
    Index shape;
    for (auto [dim, size] : llvm::enumerate(sizes))
      if (!dropped[dim])
        shape.push_back(size);
    return shape;
  }
};
} // namespace

LogicalResult Interpreter::runExtractSlice(tensor::ExtractSliceOp op) {
  Box box = {getNumbers(op.getMixedOffsets()), getNumbers(op.getMixedSizes()),
             getNumbers(op.getMixedStrides())};
  if (!box.isLegal())
    return illegal(op, "a slice with a negative size");
  const Tensor &source = getTensor(op.getSource());
  // Dimensions that are dropped have one element.
  Tensor whole = makeTensor(box.sizes);
  LogicalResult done = forEachIndex(box.sizes, [&](ArrayRef<int64_t> inSlice) {
    Index place = box.getPlace(inSlice);
    if (!source.contains(place))
      return illegal(op, "a slice that leaves its tensor");
    whole.at(inSlice) = source.at(place);
    return success();
  });
  if (failed(done))
    return failure();
  whole.shape = box.dropDims(op.getDroppedDims());
  return setTensor(op->getResult(0), std::move(whole));
}

LogicalResult Interpreter::insertSlice(OffsetSizeAndStrideOpInterface op,
                                       const llvm::SmallBitVector &droppedDims,
                                       const Tensor &source, Tensor &target,
                                       std::vector<bool> *written) {
  Box box = {getNumbers(op.getMixedOffsets()), getNumbers(op.getMixedSizes()),
             getNumbers(op.getMixedStrides())};
  if (!box.isLegal() || box.dropDims(droppedDims) != source.shape)
    return illegal(op, "a slice of other sizes than what is inserted");
  Tensor whole = {box.sizes, source.elements};
  return forEachIndex(box.sizes, [&](ArrayRef<int64_t> inSlice) {
    Index place = box.getPlace(inSlice);
    if (!target.contains(place))
      return illegal(op, "a slice that leaves its tensor");
    Scalar &element = target.at(place);
    if (written) {
      std::vector<bool>::reference mark =
          (*written)[&element - target.elements->data()];
      if (mark)
        return illegal(op, "an element that two iterations write");
      mark = true;
    }
    element = whole.at(inSlice);
    return success();
  });
}

//===----------------------------------------------------------------------===//
// Padding and reshapes
//===----------------------------------------------------------------------===//

LogicalResult Interpreter::runPad(tensor::PadOp op) {
  const Tensor source = getTensor(op.getSource());
  Index low = getNumbers(op.getMixedLowPad());
  Index high = getNumbers(op.getMixedHighPad());
  Index shape;
  for (auto [size, before, after] : llvm::zip_equal(source.shape, low, high)) {
    shape.push_back(before + size + after);
    if (shape.back() < 0)
      return illegal(op, "a negative size");
  }
  Tensor result = makeTensor(shape);
  Block &body = op.getRegion().front();
  LogicalResult done = forEachIndex(shape, [&](ArrayRef<int64_t> index) {
    Index inSource;
    for (auto [i, before] : llvm::zip_equal(index, low))
      inSource.push_back(i - before);
    if (source.contains(inSource)) {
      result.at(index) = source.at(inSource);
      return success();
    }
    for (auto [argument, i] : llvm::zip_equal(body.getArguments(), index))
      set(argument, i);
    if (failed(runBlock(body)))
      return failure();
    result.at(index) = getNumber(body.getTerminator()->getOperand(0));
    return success();
  });
  if (failed(done))
    return failure();
  return setTensor(op->getResult(0), std::move(result));
}

LogicalResult Interpreter::runReshape(Operation *op,
                                      ArrayRef<ReassociationIndices> groups,
                                      ArrayRef<int64_t> shape) {
  // Row-major order stays; each group must have as many elements.
  const Tensor &source = getTensor(op->getOperand(0));
  bool isExpanding = shape.size() > source.shape.size();
  for (auto [number, group] : llvm::enumerate(groups)) {
    int64_t parts = 1;
    for (int64_t dim : group)
      parts *= isExpanding ? shape[dim] : source.shape[dim];
    if (parts != (isExpanding ? source.shape : Index(shape))[number])
      return illegal(op, "a reshape to another number of elements");
  }
  return setTensor(op->getResult(0), {Index(shape), source.elements});
}
