//===- InterpretTensors.cpp - Slices, padding and reshapes ------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Interpreter/Interpreter.h"
#include "convoy/Support/Interruption.h"

#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;
using namespace mlir::convoy;

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

Tensor mlir::convoy::makeTensor(ArrayRef<int64_t> shape, Scalar value) {
  return {Index(shape),
          std::make_shared<std::vector<Scalar>>(countElements(shape), value)};
}

Tensor mlir::convoy::copy(const Tensor &tensor) {
  return {tensor.shape,
          std::make_shared<std::vector<Scalar>>(*tensor.elements)};
}

LogicalResult mlir::convoy::forEachIndex(
    ArrayRef<int64_t> shape,
    llvm::function_ref<LogicalResult(ArrayRef<int64_t>)> visit) {
  Index index(shape.size(), 0);
  int64_t left = countElements(shape);
  for (int64_t number = 0; left > 0; --left, ++number) {
    if (number % kIndicesAtOnce == 0 && ::convoy::isInterrupted())
      return failure();
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

Index Interpreter::getShape(RankedTensorType type, ValueRange dynamic) const {
  Index shape(type.getShape());
  for (int64_t &size : shape) {
    if (!ShapedType::isDynamic(size))
      continue;
    size = getNumber(dynamic.front());
    dynamic = dynamic.drop_front();
  }
  return shape;
}

LogicalResult Interpreter::runTensorOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](tensor::EmptyOp op) { return runEmpty(op); })
      .Case([&](tensor::SplatOp op) {
        Index shape = getShape(op.getType(), op.getDynamicSizes());
        return setTensor(op->getResult(0),
                         makeTensor(shape, getScalar(op.getInput())));
      })
      .Case([&](tensor::CastOp op) {
        return setTensor(op->getResult(0), getTensor(op.getSource()));
      })
      .Case([&](tensor::DimOp op) { return runDim(op); })
      .Case([&](tensor::RankOp op) {
        set(op, Scalar(getTensor(op.getTensor()).shape.size()));
        return success();
      })
      .Case([&](tensor::ExtractOp op) { return runExtract(op); })
      .Case([&](tensor::InsertOp op) { return runInsert(op); })
      .Case([&](tensor::FromElementsOp op) { return runFromElements(op); })
      .Case([&](tensor::GenerateOp op) { return runGenerate(op); })
      .Case([&](tensor::ExtractSliceOp op) { return runExtractSlice(op); })
      .Case([&](tensor::InsertSliceOp op) {
        Tensor result = copy(getTensor(op.getDest()));
        if (failed(insertSlice(op, op.getDroppedDims(),
                               getTensor(op.getSource()), result, nullptr)))
          return failure();
        return setTensor(op->getResult(0), std::move(result));
      })
      .Case([&](tensor::ConcatOp op) {
        return runConcat(op, op.getInputs(), int64_t(op.getDim()));
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
      .Case([&](tensor::ReshapeOp op) { return runReshapeTo(op); })
      .Default([&](Operation *op) {
        return unknown(op, "an op that is not known");
      });
}

LogicalResult Interpreter::runEmpty(tensor::EmptyOp op) {
  Index shape = getNumbers(op.getMixedSizes());
  if (llvm::any_of(shape, [](int64_t size) { return size < 0; }))
    return illegal(op, "a negative size");
  Scalar undefined = algebra.getUndefined(op.getType().getElementType());
  return setTensor(op->getResult(0), makeTensor(shape, undefined));
}

LogicalResult Interpreter::runDim(tensor::DimOp op) {
  const Tensor &tensor = getTensor(op.getSource());
  int64_t dim = getNumber(op.getIndex());
  if (dim < 0 || dim >= int64_t(tensor.shape.size()))
    return illegal(op, "a dimension that is not there");
  set(op, Scalar(tensor.shape[dim]));
  return success();
}

LogicalResult Interpreter::runExtract(tensor::ExtractOp op) {
  const Tensor &tensor = getTensor(op.getTensor());
  Index index;
  for (Value value : op.getIndices()) {
    Scalar number = getScalar(value);
    if (number.error > 0)
      return unknown(op, "an index that rounding decides");
    index.push_back(number.number);
  }
  if (!tensor.contains(index))
    return illegal(op, "an element outside its tensor");
  set(op, tensor.at(index));
  return success();
}

LogicalResult Interpreter::runInsert(tensor::InsertOp op) {
  Tensor result = copy(getTensor(op.getDest()));
  Index index;
  for (Value number : op.getIndices())
    index.push_back(getNumber(number));
  if (!result.contains(index))
    return illegal(op, "an element outside its tensor");
  result.at(index) = getScalar(op.getScalar());
  return setTensor(op->getResult(0), std::move(result));
}

LogicalResult Interpreter::runFromElements(tensor::FromElementsOp op) {
  Tensor result = makeTensor(op.getType().getShape());
  for (auto [element, value] :
       llvm::zip_equal(*result.elements, op.getElements()))
    element = getScalar(value);
  return setTensor(op->getResult(0), std::move(result));
}

LogicalResult Interpreter::runAt(Block &body, ArrayRef<int64_t> index,
                                 Scalar &element) {
  for (auto [argument, i] : llvm::zip_equal(body.getArguments(), index))
    set(argument, Scalar(i));
  if (failed(runBlock(body)))
    return failure();
  element = getScalar(body.getTerminator()->getOperand(0));
  return success();
}

LogicalResult Interpreter::runGenerate(tensor::GenerateOp op) {
  Index shape =
      getShape(cast<RankedTensorType>(op.getType()), op.getDynamicExtents());
  if (llvm::any_of(shape, [](int64_t size) { return size < 0; }))
    return illegal(op, "a negative size");
  Tensor result = makeTensor(shape);
  Block &body = op.getBody().front();
  LogicalResult done = forEachIndex(shape, [&](ArrayRef<int64_t> index) {
    return runAt(body, index, result.at(index));
  });
  if (failed(done))
    return failure();
  return setTensor(op->getResult(0), std::move(result));
}

LogicalResult Interpreter::runReshapeTo(tensor::ReshapeOp op) {
  Index shape;
  for (const Scalar &size : *getTensor(op.getShape()).elements)
    shape.push_back(size.number);
  const Tensor &source = getTensor(op.getSource());
  if (llvm::any_of(shape, [](int64_t size) { return size < 0; }) ||
      countElements(shape) != source.size())
    return illegal(op, "a reshape to another number of elements");
  return setTensor(op->getResult(0), {shape, source.elements});
}

LogicalResult Interpreter::runConcat(Operation *op, ValueRange parts,
                                     int64_t dim) {
  Index shape = getTensor(parts.front()).shape;
  shape[dim] = 0;
  for (Value part : parts)
    shape[dim] += getTensor(part).shape[dim];
  Tensor result = makeTensor(shape);
  int64_t offset = 0;
  for (Value value : parts) {
    const Tensor &part = getTensor(value);
    LogicalResult done = forEachIndex(part.shape, [&](ArrayRef<int64_t> at) {
      Index place(at);
      place[dim] += offset;
      if (!result.contains(place))
        return illegal(op, "operands whose sizes do not agree");
      result.at(place) = part.at(at);
      return success();
    });
    if (failed(done))
      return failure();
    offset += part.shape[dim];
  }
  return setTensor(op->getResult(0), std::move(result));
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
    return runAt(body, index, result.at(index));
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
