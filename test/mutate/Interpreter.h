//===- Interpreter.h - Runs functions on tensors op by op -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain loops over the ops that pipelines use down to the tiled form. Nothing
// here is shared with what it judges: not the certifier, not ConvShape, not the
// Presburger library.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_TEST_MUTATE_INTERPRETER_H
#define CONVOY_TEST_MUTATE_INTERPRETER_H

#include "Algebra.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <memory>
#include <variant>

namespace mlir::convoy::test {

using Index = SmallVector<int64_t, 6>;

/// A tensor in row-major order.
struct Tensor {
  Index shape;
  std::shared_ptr<std::vector<Scalar>> elements;

  int64_t size() const { return int64_t(elements->size()); }
  bool contains(ArrayRef<int64_t> index) const;
  /// The element at `index`, which the tensor contains.
  Scalar &at(ArrayRef<int64_t> index) const;
};

/// A tensor of `shape`, all elements `value`.
Tensor makeTensor(ArrayRef<int64_t> shape, Scalar value = 0);
/// `tensor` in memory of its own.
Tensor copy(const Tensor &tensor);

/// Calls `visit` with each index of a tensor of `shape`, in row-major order,
/// until it fails.
LogicalResult
forEachIndex(ArrayRef<int64_t> shape,
             llvm::function_ref<LogicalResult(ArrayRef<int64_t>)> visit);

/// Why a function has no results.
struct Fault {
  enum class Kind {
    None,
    Illegal, ///< reads or writes outside a tensor, or is undefined otherwise
    Unknown, ///< an op that the interpreter does not know
  };

  Kind kind = Kind::None;
  std::string message;
  Operation *op = nullptr;
};

/// Runs a function with static sizes, its arguments being the algebra's.
class Interpreter {
public:
  explicit Interpreter(Algebra &algebra) : algebra(algebra) {}

  FailureOr<std::vector<Tensor>> run(func::FuncOp function);
  const Fault &getFault() const { return fault; }

private:
  /// A tensor, or a number: an index or a condition as it is, else data.
  using Datum = std::variant<int64_t, Tensor>;

  LogicalResult illegal(Operation *op, const Twine &message);
  LogicalResult unknown(Operation *op, const Twine &message);

  void set(Value value, Datum datum) { values[value] = std::move(datum); }
  /// Sets a tensor if it has the sizes that its type states.
  LogicalResult setTensor(OpResult result, Tensor tensor);
  int64_t getNumber(Value value) const;
  int64_t getNumber(OpFoldResult value) const;
  Index getNumbers(ArrayRef<OpFoldResult> numbers) const;
  const Tensor &getTensor(Value value) const;

  // Interpreter.cpp: control flow and scalars.
  LogicalResult runBlock(Block &block);
  LogicalResult runOp(Operation *op);
  LogicalResult runConstant(arith::ConstantOp op);
  LogicalResult runFor(scf::ForOp op);
  LogicalResult runForall(scf::ForallOp op);
  LogicalResult runForallBody(scf::ForallOp op, ArrayRef<Tensor> before,
                              std::vector<Tensor> &after,
                              std::vector<std::vector<bool>> &written);
  LogicalResult runIf(scf::IfOp op);
  LogicalResult runScalar(Operation *op);
  LogicalResult runIndexOp(Operation *op);
  FailureOr<int64_t> evaluate(AffineExpr expr, ArrayRef<int64_t> dims,
                              ArrayRef<int64_t> symbols, Operation *op);
  /// The least result of `map` for an op with `operands`, or with `sign` -1 the
  /// greatest.
  LogicalResult runAffine(Operation *op, AffineMap map, int sign);

  // InterpretTensors.cpp: tensors as wholes.
  LogicalResult runTensorOp(Operation *op);
  LogicalResult runExtract(tensor::ExtractOp op);
  LogicalResult runExtractSlice(tensor::ExtractSliceOp op);
  /// Writes `source` over a slice of `target`; `written`, if any, marks the
  /// elements, and none may be marked before.
  LogicalResult insertSlice(OffsetSizeAndStrideOpInterface op,
                            const llvm::SmallBitVector &droppedDims,
                            const Tensor &source, Tensor &target,
                            std::vector<bool> *written);
  LogicalResult runPad(tensor::PadOp op);
  LogicalResult runReshape(Operation *op, ArrayRef<ReassociationIndices> groups,
                           ArrayRef<int64_t> shape);

  // InterpretSums.cpp: linalg's ops and ours.
  LogicalResult runLinalg(linalg::LinalgOp op);
  FailureOr<Index> getLoopSizes(linalg::LinalgOp op);
  LogicalResult runPoint(linalg::LinalgOp op, ArrayRef<int64_t> loops,
                         MutableArrayRef<Tensor> results);
  FailureOr<Scalar *> getPlace(linalg::LinalgOp op, OpOperand &operand,
                               const Tensor &tensor, ArrayRef<int64_t> loops);
  LogicalResult runConvolution(ConvolutionOpInterface op);
  /// Adds the product of two elements to the third, the result's.
  LogicalResult addTerm(ConvolutionOpInterface op,
                        std::array<Scalar *, 3> elements, Type accumulator);
  LogicalResult convertAll(Operation *op, StringRef name, const Tensor &tensor,
                           Type from, Type to);
  FailureOr<Scalar> takeOperand(ConvolutionOpInterface op, unsigned number,
                                Scalar element, Type accumulator);
  LogicalResult runIm2col(Im2colOp op);
  FailureOr<Scalar> apply(Operation *op, StringRef name, Type type,
                          ArrayRef<Scalar> operands, ArrayRef<Type> types);

  Algebra &algebra;
  llvm::DenseMap<Value, Datum> values;
  Index linalgLoops; ///< of the op of linalg that runs
  Fault fault;
};

} // namespace mlir::convoy::test

#endif // CONVOY_TEST_MUTATE_INTERPRETER_H
