//===- OpReaders.h - Elements of what ops make ------------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
// One reader for each kind of op: the element `at` of its result, in the cases
// that `context` allows. Ops with several results give the number of one.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_READERS_OPREADERS_H
#define CONVOY_LIB_CERTIFY_READERS_OPREADERS_H

#include "../Evaluator/SymbolicEvaluator.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

namespace mlir::tosa {
class ClampOp;
class ReshapeOp;
class TransposeOp;
} // namespace mlir::tosa

namespace mlir::convoy::certify {

struct TosaConv;

/// Calls the reader of the op that makes `result`: the one place that knows
/// all of them.
FailureOr<Pieces> readResult(SymbolicEvaluator &evaluator, OpResult result,
                             ArrayRef<LinearExpr> at, const System &context);

// TensorReaders.cpp
FailureOr<Pieces> readElement(SymbolicEvaluator &evaluator,
                              bufferization::ToTensorOp op,
                              ArrayRef<LinearExpr> at, const System &context);
FailureOr<Pieces> readElement(SymbolicEvaluator &evaluator,
                              bufferization::AllocTensorOp op,
                              ArrayRef<LinearExpr> at, const System &context);
/// The number of the element `at` of static sizes `shape`, in row-major order.
LinearExpr getNumber(ArrayRef<LinearExpr> at, ArrayRef<int64_t> shape);
/// The element `at` of a tensor or vector of `type` that holds the scalars
/// `elements`.
FailureOr<Pieces> readFromElements(SymbolicEvaluator &evaluator,
                                   ShapedType type, ValueRange elements,
                                   ArrayRef<LinearExpr> at,
                                   const System &context);
FailureOr<Pieces> readElement(SymbolicEvaluator &evaluator, tensor::PadOp op,
                              ArrayRef<LinearExpr> at, const System &context);
FailureOr<Pieces> readElement(SymbolicEvaluator &evaluator,
                              tensor::ExpandShapeOp op, ArrayRef<LinearExpr> at,
                              const System &context);
FailureOr<Pieces> readElement(SymbolicEvaluator &evaluator,
                              tensor::CollapseShapeOp op,
                              ArrayRef<LinearExpr> at, const System &context);

// Slices.cpp
FailureOr<Pieces> readElement(SymbolicEvaluator &evaluator,
                              tensor::ExtractSliceOp op,
                              ArrayRef<LinearExpr> at, const System &context);
FailureOr<Pieces> readElement(SymbolicEvaluator &evaluator,
                              tensor::InsertSliceOp op, ArrayRef<LinearExpr> at,
                              const System &context);
FailureOr<Pieces> readElement(SymbolicEvaluator &evaluator, tensor::InsertOp op,
                              ArrayRef<LinearExpr> at, const System &context);

// LinalgReaders.cpp
FailureOr<Pieces> readElement(SymbolicEvaluator &evaluator, linalg::LinalgOp op,
                              unsigned number, ArrayRef<LinearExpr> at,
                              const System &context);
/// Reads `value`, which an op makes, in the iteration `loops` of the body of
/// linalg around that, if there is one.
LogicalResult readInBody(SymbolicEvaluator &evaluator, Value value,
                         ArrayRef<LinearExpr> loops, const System &context);

// LoopReaders.cpp
/// The element `at` of `carried`, as an iteration of its loop finds it.
FailureOr<Pieces> readState(SymbolicEvaluator &evaluator, BlockArgument carried,
                            ArrayRef<LinearExpr> at, const System &context);
FailureOr<Pieces> readElement(SymbolicEvaluator &evaluator, scf::ForOp op,
                              unsigned number, ArrayRef<LinearExpr> at,
                              const System &context);
FailureOr<Pieces> readElement(SymbolicEvaluator &evaluator, scf::ForallOp op,
                              unsigned number, ArrayRef<LinearExpr> at,
                              const System &context);
FailureOr<Pieces> readElement(SymbolicEvaluator &evaluator, scf::IfOp op,
                              unsigned number, ArrayRef<LinearExpr> at,
                              const System &context);

// SampleReaders.cpp
FailureOr<Pieces> readElement(SymbolicEvaluator &evaluator, GridSampleOp op,
                              ArrayRef<LinearExpr> at, const System &context);

// DeformReaders.cpp
FailureOr<Pieces> readElement(SymbolicEvaluator &evaluator, DeformConvOp op,
                              ArrayRef<LinearExpr> at, const System &context);

// ConvoyReaders.cpp
FailureOr<Pieces> readElement(SymbolicEvaluator &evaluator,
                              ConvolutionOpInterface op,
                              ArrayRef<LinearExpr> at, const System &context);
FailureOr<Pieces> readElement(SymbolicEvaluator &evaluator, Im2colOp op,
                              ArrayRef<LinearExpr> at, const System &context);
FailureOr<Pieces> readElement(SymbolicEvaluator &evaluator, Col2imOp op,
                              ArrayRef<LinearExpr> at, const System &context);
FailureOr<Pieces> readElement(SymbolicEvaluator &evaluator, PadOp op,
                              ArrayRef<LinearExpr> at, const System &context);
FailureOr<Pieces> readElement(SymbolicEvaluator &evaluator, PadBackwardOp op,
                              ArrayRef<LinearExpr> at, const System &context);

// TosaReaders.cpp
FailureOr<Pieces> readElement(SymbolicEvaluator &evaluator,
                              const TosaConv &conv, ArrayRef<LinearExpr> at,
                              const System &context);
FailureOr<Pieces> readElement(SymbolicEvaluator &evaluator, tosa::ClampOp op,
                              ArrayRef<LinearExpr> at, const System &context);
FailureOr<Pieces> readElement(SymbolicEvaluator &evaluator, tosa::ReshapeOp op,
                              ArrayRef<LinearExpr> at, const System &context);
FailureOr<Pieces> readElement(SymbolicEvaluator &evaluator,
                              tosa::TransposeOp op, ArrayRef<LinearExpr> at,
                              const System &context);
/// Of any other op of TOSA, if it applies a scalar op to each element.
FailureOr<Pieces> readTosaElementwise(SymbolicEvaluator &evaluator,
                                      Operation *op, ArrayRef<LinearExpr> at,
                                      const System &context);

// IreeReaders.cpp
/// Of iree_linalg_ext.im2col, whose dialect is not known here.
FailureOr<Pieces> readIreeIm2col(SymbolicEvaluator &evaluator, Operation *op,
                                 ArrayRef<LinearExpr> at,
                                 const System &context);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_READERS_OPREADERS_H
