//===- IndependentLoops.cpp - Iterations without others' sums ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/IndependentLoops.h"

#include "convoy/Transforms/Utils/LoopValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// What an op reads or writes of a tensor.
struct Part {
  SmallVector<OpFoldResult> offsets, sizes, strides;

  explicit Part(OffsetSizeAndStrideOpInterface op)
      : offsets(op.getMixedOffsets()), sizes(op.getMixedSizes()),
        strides(op.getMixedStrides()) {}
  /// The element at `indices`.
  explicit Part(ValueRange indices)
      : offsets(indices.begin(), indices.end()),
        sizes(offsets.size(), getOne(indices)),
        strides(offsets.size(), getOne(indices)) {}

  bool operator==(const Part &other) const {
    return isEqualConstantIntOrValueArray(offsets, other.offsets) &&
           isEqualConstantIntOrValueArray(sizes, other.sizes) &&
           isEqualConstantIntOrValueArray(strides, other.strides);
  }

private:
  static OpFoldResult getOne(ValueRange indices) {
    return indices.empty() ? OpFoldResult()
                           : Builder(indices[0].getContext()).getIndexAttr(1);
  }
};
} // namespace

/// Whether `index` is the same in all iterations of `loop` that differ in
/// variable `number` alone.
static bool isFixed(Value index, LoopLikeOpInterface loop, unsigned number) {
  SmallVector<Value> variables = *loop.getLoopInductionVars();
  if (index == variables[number])
    return false;
  if (loop.isDefinedOutsideOfLoop(index) ||
      llvm::is_contained(variables, index))
    return true;
  // A loop inside that runs over the same values each time.
  auto inner = dyn_cast<BlockArgument>(index)
                   ? dyn_cast<scf::ForOp>(index.getParentBlock()->getParentOp())
                   : scf::ForOp();
  return inner && inner.getInductionVar() == index &&
         llvm::all_of(ValueRange{inner.getLowerBound(), inner.getUpperBound(),
                                 inner.getStep()},
                      [&](Value bound) {
                        return loop.isDefinedOutsideOfLoop(bound) ||
                               matchPattern(bound, m_Constant());
                      });
}

/// Refuses `part`, which `write` writes, where it is plain that iterations of
/// `loop` with other values of variable `number` write the same elements.
static LogicalResult verifyOwnPart(const Part &part, Operation *write,
                                   LoopLikeOpInterface loop, unsigned number) {
  Value variable = (*loop.getLoopInductionVars())[number];
  std::optional<LoopValues> values = getLoopValues(variable);
  if (values && values->count < 2)
    return success();
  std::optional<int64_t> longest;
  for (auto [offset, size, stride] :
       llvm::zip_equal(part.offsets, part.sizes, part.strides)) {
    auto start = dyn_cast<Value>(offset);
    if (!start || isFixed(start, loop, number))
      continue;
    // What is computed in the loop may go with any variable.
    if (start != variable)
      return success();
    std::optional<int64_t> length = getConstantIntValue(size);
    if (!values || !length || *length <= values->step ||
        !isConstantIntValue(stride, 1))
      return success();
    longest = length;
  }
  InFlightDiagnostic error =
      loop->emitError() << "expected iterations to write slices of their own, ";
  if (longest)
    error << "but those of loop " << number << " are " << values->step
          << " apart and " << *longest << " long";
  else
    error << "but the slices are the same for all of loop " << number;
  error.attachNote(write->getLoc()) << "written here";
  return error;
}

LogicalResult mlir::convoy::verifyIndependent(scf::ForallOp loop) {
  for (Operation &op : loop.getTerminator().getYieldingOps())
    for (unsigned number = 0; number < loop.getRank(); ++number)
      if (failed(verifyOwnPart(Part(cast<tensor::ParallelInsertSliceOp>(op)),
                               &op, loop, number)))
        return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Loops that carry tensors
//===----------------------------------------------------------------------===//

namespace {
/// An op that writes a part of a tensor.
struct Write {
  Operation *op;
  Part part;
  Value tensor; ///< before
};

/// What iterations of one loop do with a tensor that they carry.
class CarriedTensor {
public:
  explicit CarriedTensor(scf::ForOp loop) : loop(loop) {}

  /// Follows the tensor that is carried as number `number`.
  LogicalResult verify(unsigned number);

private:
  /// Collects what is done between `start` and `end`; the op that is no write,
  /// if there is one.
  FailureOr<Operation *> follow(Value end, Value start);
  /// Refuses uses of what an iteration has of the tensor that are beyond the
  /// parts it writes.
  LogicalResult verifyUse(OpOperand &use);

  scf::ForOp loop;
  SmallVector<Write> writes;
  SmallVector<Value> states; ///< of the tensor in an iteration
};
} // namespace

static std::optional<Write> getWrite(Operation *op) {
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return Write{op, Part(insert), insert.getDest()};
  if (auto insert = dyn_cast<tensor::InsertOp>(op))
    return Write{op, Part(insert.getIndices()), insert.getDest()};
  return std::nullopt;
}

static std::optional<Part> getRead(Operation *op) {
  if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op))
    return Part(extract);
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return Part(extract.getIndices());
  return std::nullopt;
}

FailureOr<Operation *> CarriedTensor::follow(Value end, Value start) {
  while (end != start) {
    states.push_back(end);
    Operation *op = end.getDefiningOp();
    if (!op)
      return failure();
    if (std::optional<Write> write = getWrite(op)) {
      end = write->tensor;
      writes.push_back(std::move(*write));
      continue;
    }
    auto inner = dyn_cast<scf::ForOp>(op);
    if (!inner)
      return op;
    unsigned number = cast<OpResult>(end).getResultNumber();
    FailureOr<Operation *> other = follow(inner.getYieldedValues()[number],
                                          inner.getRegionIterArg(number));
    if (failed(other) || *other)
      return other;
    end = inner.getInitArgs()[number];
  }
  states.push_back(start);
  return nullptr;
}

LogicalResult CarriedTensor::verifyUse(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<scf::YieldOp, scf::ForOp, tensor::DimOp>(user) ||
      llvm::any_of(writes, [&](const Write &write) {
        return write.op == user && write.tensor == use.get();
      }))
    return success();
  std::optional<Part> read = getRead(user);
  if (read && llvm::any_of(writes, [&](const Write &write) {
        return write.part == *read;
      }))
    return success();
  InFlightDiagnostic error =
      loop->emitError() << "expected iterations to read no slices but those "
                           "that they write";
  error.attachNote(user->getLoc()) << "read here";
  return error;
}

LogicalResult CarriedTensor::verify(unsigned number) {
  Value start = loop.getRegionIterArg(number);
  FailureOr<Operation *> other = follow(loop.getYieldedValues()[number], start);
  if (failed(other) || *other) {
    InFlightDiagnostic error =
        loop->emitError()
        << "expected iterations to write slices of their own, but they hand "
           "on result "
        << number << " as a whole";
    if (succeeded(other))
      error.attachNote((*other)->getLoc()) << "computed here";
    return error;
  }
  for (const Write &write : writes)
    if (failed(verifyOwnPart(write.part, write.op, loop, 0)))
      return failure();
  for (Value state : states)
    for (OpOperand &use : state.getUses())
      if (failed(verifyUse(use)))
        return failure();
  return success();
}

LogicalResult mlir::convoy::verifyIndependent(scf::ForOp loop) {
  for (unsigned number = 0; number < loop.getNumResults(); ++number)
    if (failed(CarriedTensor(loop).verify(number)))
      return failure();
  return success();
}
