//===- Interpreter.h - Runs functions on tensors op by op -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain loops over functions as users write them and as pipelines leave them,
// down to the tiled form. Nothing here is shared with what it judges: not the
// passes, not the certifier, not ConvShape, not the Presburger library.
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_INTERPRETER_INTERPRETER_H
#define CONVOY_INTERPRETER_INTERPRETER_H

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Interpreter/Algebra.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <memory>
#include <variant>

namespace mlir::tosa {
class ClampOp;
class MatMulOp;
class PadOp;
class RescaleOp;
class ReshapeOp;
class SliceOp;
class TileOp;
} // namespace mlir::tosa

namespace mlir::convoy {

using Index = SmallVector<int64_t, 6>;

/// Whether numbers of `type` are what they are, not the algebra's.
inline bool isConcrete(Type type) {
  return type.isIndex() || type.isInteger(1);
}

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

/// How often long loops ask whether they are interrupted.
inline constexpr int64_t kIndicesAtOnce = 4096;

/// Calls `visit` with each index of a tensor of `shape`, in row-major order,
/// until it fails. Fails where the work is interrupted.
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

/// Runs a function, its arguments being the algebra's.
class Interpreter {
public:
  explicit Interpreter(Algebra &algebra) : algebra(algebra) {}

  /// Runs `function` on tensors of `shapes`, one for each argument (empty for
  /// numbers). Results that are numbers are tensors of rank 0.
  FailureOr<std::vector<Tensor>> run(func::FuncOp function,
                                     ArrayRef<Index> shapes);
  /// The same with the shapes that the argument types state, which are static.
  FailureOr<std::vector<Tensor>> run(func::FuncOp function);
  const Fault &getFault() const { return fault; }

private:
  using Datum = std::variant<Scalar, Tensor>;
  class Body;
  struct Access;
  struct Convolution;

  LogicalResult illegal(Operation *op, const Twine &message);
  LogicalResult unknown(Operation *op, const Twine &message);

  void set(Value value, Datum datum) { values[value] = std::move(datum); }
  /// Sets a tensor if it has the sizes that its type states.
  LogicalResult setTensor(OpResult result, Tensor tensor);
  Scalar getScalar(Value value) const;
  int64_t getNumber(Value value) const { return getScalar(value).number; }
  int64_t getNumber(OpFoldResult value) const;
  Index getNumbers(ArrayRef<OpFoldResult> numbers) const;
  const Tensor &getTensor(Value value) const;
  /// The sizes of `type`, the dynamic ones being `dynamic`, in order.
  Index getShape(RankedTensorType type, ValueRange dynamic) const;
  /// Zero, which every algebra knows.
  Scalar getZero(Type type);

  // Interpreter.cpp: control flow.
  LogicalResult setArguments(func::FuncOp function, ArrayRef<Index> shapes);
  LogicalResult runBlock(Block &block);
  LogicalResult runOp(Operation *op);
  LogicalResult runCall(func::CallOp op);
  LogicalResult runConstant(Operation *op, Attribute value);
  LogicalResult runFor(scf::ForOp op);
  LogicalResult runForall(scf::ForallOp op);
  LogicalResult runForallBody(scf::ForallOp op, ArrayRef<Tensor> before,
                              std::vector<Tensor> &after,
                              std::vector<std::vector<bool>> &written);
  LogicalResult runIf(scf::IfOp op);

  // InterpretScalars.cpp: numbers, and tensors element by element.
  LogicalResult runScalar(Operation *op);
  LogicalResult runElementwise(Operation *op);
  /// What a scalar op computes of its operands, or of their elements. Floats
  /// narrower than `wide`, if it is given, are taken for floats of its type.
  FailureOr<Algebra::Function> resolve(Operation *op, FloatType wide = {});
  FailureOr<Algebra::Function> resolve(Operation *op, StringRef name, Type type,
                                       ArrayRef<Type> types);
  FailureOr<int64_t> evaluate(AffineExpr expr, ArrayRef<int64_t> dims,
                              ArrayRef<int64_t> symbols, Operation *op);
  /// The least result of `map` for an op with `operands`, or with `sign` -1 the
  /// greatest.
  LogicalResult runAffine(Operation *op, AffineMap map, int sign);

  // InterpretTensors.cpp: tensors as wholes.
  LogicalResult runTensorOp(Operation *op);
  LogicalResult runEmpty(tensor::EmptyOp op);
  LogicalResult runExtract(tensor::ExtractOp op);
  LogicalResult runInsert(tensor::InsertOp op);
  LogicalResult runFromElements(tensor::FromElementsOp op);
  LogicalResult runGenerate(tensor::GenerateOp op);
  /// Sets `element` to what `body` yields for the place `index`.
  LogicalResult runAt(Block &body, ArrayRef<int64_t> index, Scalar &element);
  LogicalResult runReshapeTo(tensor::ReshapeOp op);
  LogicalResult runDim(tensor::DimOp op);
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
  /// The tensors of `parts` one behind the other along `dim`.
  LogicalResult runConcat(Operation *op, ValueRange parts, int64_t dim);

  // InterpretLinalg.cpp.
  LogicalResult runLinalg(linalg::LinalgOp op);
  FailureOr<Index> getLoopSizes(linalg::LinalgOp op);
  FailureOr<Access> getAccess(linalg::LinalgOp op, OpOperand &operand,
                              ArrayRef<int64_t> sizes);
  /// Runs an op whose body is straight and whose maps are linear.
  LogicalResult runLoops(linalg::LinalgOp op, const Body &body,
                         ArrayRef<int64_t> sizes, ArrayRef<Access> accesses,
                         MutableArrayRef<Tensor> results);
  LogicalResult runPoint(linalg::LinalgOp op, ArrayRef<int64_t> loops,
                         MutableArrayRef<Tensor> results);
  FailureOr<Scalar *> getPlace(linalg::LinalgOp op, OpOperand &operand,
                               const Tensor &tensor, ArrayRef<int64_t> loops);
  LogicalResult runSoftmax(linalg::SoftmaxOp op);

  // InterpretConvoy.cpp: our ops.
  LogicalResult runConvolution(ConvolutionOpInterface op);
  LogicalResult runIm2col(Im2colOp op);
  LogicalResult runCol2im(Col2imOp op);
  LogicalResult runPad(PadOp op);
  LogicalResult runPadBackward(PadBackwardOp op);
  using VisitTerm =
      llvm::function_ref<void(ArrayRef<int64_t> from, ArrayRef<int64_t> to)>;
  /// Sets the result of `op`, of `shape`, to sums of elements of its operand:
  /// `forEachTerm` gives the place of each term and that of its sum.
  LogicalResult addTerms(Operation *op, ArrayRef<int64_t> shape,
                         llvm::function_ref<void(VisitTerm)> forEachTerm);
  LogicalResult runGridSample(GridSampleOp op);
  LogicalResult runGridSampleBackwardInput(GridSampleBackwardInputOp op);
  LogicalResult runGridSampleBackwardGrid(GridSampleBackwardGridOp op);
  LogicalResult runScatterAdd(ScatterAddOp op);
  /// Adds all products of `convolution`, whose sums are in `sums`.
  LogicalResult addProducts(const Convolution &convolution, Sums &sums);
  /// Operand `number` in `type`, which is no narrower, in memory of its own.
  FailureOr<Tensor> widen(Operation *op, unsigned number, Type type,
                          bool isUnsigned);
  /// Subtracts their zero points from the elements of operand `number`, which
  /// are in `type`.
  LogicalResult subtractZeroPoints(ConvolutionOpInterface op, unsigned number,
                                   const Tensor &operand, Type type);
  LogicalResult convertAll(Operation *op, StringRef name, const Tensor &tensor,
                           Type from, Type to);
  /// Makes `result`, with `sums` of `sumType` rounded to its type, that of
  /// `op`.
  LogicalResult setSums(Operation *op, Sums &sums, Type sumType, Tensor result);

  // InterpretDeforms.cpp: deformable convolutions and their gradients.
  struct Deformed;
  LogicalResult runDeformed(DeformOpInterface op);
  /// Adds all terms of `op` to `sums`, at the places of `at`, which has the
  /// tensors in f32.
  LogicalResult addDeformedTerms(DeformOpInterface op, Deformed &at,
                                 Sums &sums);

  // InterpretTosa.cpp and InterpretTosaTensors.cpp.
  LogicalResult runTosa(Operation *op);
  LogicalResult runTosaConv(Operation *op);
  /// Operand `number` as it is multiplied: in `sumType`, less its zero point.
  FailureOr<Tensor> readTosaOperand(Operation *op, unsigned number,
                                    Type sumType);
  LogicalResult runTosaElementwise(Operation *op);
  LogicalResult runTosaClamp(tosa::ClampOp op);
  LogicalResult runTosaMatMul(tosa::MatMulOp op);
  LogicalResult runTosaRescale(tosa::RescaleOp op);
  LogicalResult runTosaPool(Operation *op);
  LogicalResult runTosaReduce(Operation *op, StringRef name);
  LogicalResult runTosaPad(tosa::PadOp op);
  LogicalResult runTosaTensorOp(Operation *op);
  LogicalResult runTosaReshape(tosa::ReshapeOp op);
  LogicalResult runTosaSlice(tosa::SliceOp op);
  LogicalResult runTosaTile(tosa::TileOp op);
  FailureOr<Scalar> getZeroPoint(Operation *op, Value zeroPoint, Type type);
  /// The numbers of a tensor that is known, such as a shape's.
  FailureOr<Index> getKnown(Operation *op, Value tensor);
  /// A result of `shape` whose elements are those of `source` at the places
  /// that `place` gives.
  LogicalResult gather(Operation *op, const Tensor &source, Index shape,
                       llvm::function_ref<void(ArrayRef<int64_t> at,
                                               MutableArrayRef<int64_t> place)>
                           place);

  Algebra &algebra;
  llvm::DenseMap<Value, Datum> values;
  llvm::DenseMap<Operation *, Algebra::Function> functions;
  Index linalgLoops; ///< of the op of linalg that runs
  int depth = 0;     ///< of calls
  Fault fault;
};

} // namespace mlir::convoy

#endif // CONVOY_INTERPRETER_INTERPRETER_H
