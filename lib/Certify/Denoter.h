//===- Denoter.h - Finds out what a function computes -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOY_LIB_CERTIFY_DENOTER_H
#define CONVOY_LIB_CERTIFY_DENOTER_H

#include "convoy/Certify/Certify.h"
#include "convoy/Certify/Meaning.h"
#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <map>

namespace mlir::convoy::certify {

using Pieces = SmallVector<Piece, 0>;
using IndexCases = SmallVector<Case<LinearExpr>, 0>;
using IndicesCases = SmallVector<Case<SmallVector<LinearExpr>>, 0>;
using ConditionCases = SmallVector<Case<bool>, 0>;

/// A slice's place in the whole.
struct Box {
  SmallVector<LinearExpr> offsets;
  SmallVector<Size> sizes;
};
using BoxCases = SmallVector<Case<Box>, 0>;

/// What is known of the arguments, which all functions compared share.
struct Arguments {
  /// Sizes by argument and dimension; an index argument is its own dimension
  /// -1.
  std::map<std::pair<unsigned, int64_t>, Var> symbols;
  /// What the first function takes for granted of sizes, and what is assumed of
  /// them in the case at hand.
  System sizes;
  /// Quotients of symbols, which `sizes` defines.
  llvm::DenseSet<Var> quotients;
  /// Where no answer was found that holds for all sizes: cases to ask apart.
  SmallVector<System> splits;
  /// What widens the narrowing of a scalar argument, a zero point that fits the
  /// narrow type, to the argument again.
  std::map<unsigned, StringRef> zeroPoints;
};

/// An op that is not understood, and why.
struct Obstacle {
  Operation *op = nullptr;
  std::string reason;
};

/// What a function does with a buffer that it gets.
struct BufferUse {
  Value start;   ///< the tensor that is copied into it first, or null
  Value written; ///< the tensor that is written to it last, or null
};

/// What stands for the arguments of a body of scalar ops, and the body's place
/// in the iteration space.
struct Body {
  SmallVector<LinearExpr> loops;
  DenseMap<Value, ExprRef> arguments;
};

/// Finds the meaning of tensors from the ops that make them. A meaning is found
/// once; what a loop leaves is in closed form. Failures leave an obstacle.
class Denoter {
public:
  Denoter(Solver &solver, Arguments &arguments)
      : solver(solver), arguments(arguments) {}

  /// Adds to the arguments what `function` takes for granted of them: equal
  /// sizes of one letter or loop, windows that reach no further than the
  /// padding, zero points that their operand's type holds.
  LogicalResult assumeContracts(FunctionOpInterface function);
  /// Adds to the arguments that `buffer` is as large as `result`, a tensor of
  /// the function that `other` reads.
  LogicalResult assumeBufferSizes(BlockArgument buffer, Value result,
                                  Denoter &other);

  FailureOr<const Meaning *> getMeaning(Value tensor);
  /// The element of `tensor` at `indices`, in the cases that `context` allows.
  FailureOr<Pieces> readAt(Value tensor, ArrayRef<LinearExpr> indices,
                           const System &context);
  FailureOr<Size> getSize(Value tensor, int64_t dim);
  /// The same where it has one value.
  FailureOr<LinearExpr> getSingleSize(Value tensor, int64_t dim);
  /// Whether `size` depends on no argument.
  bool isKnown(const Size &size) const;
  FailureOr<IndexCases> getIndex(Value value, const Body *body = nullptr);
  FailureOr<IndicesCases> getIndices(ArrayRef<OpFoldResult> values,
                                     const Body *body = nullptr);
  /// The cases of a condition, with its value in each.
  FailureOr<ConditionCases> getCondition(Value condition,
                                         const Body *body = nullptr);
  /// What a function does with its argument `buffer`; fails for anything but a
  /// copy into it, tensors read from it after that, and one write.
  FailureOr<BufferUse> getBufferUse(BlockArgument buffer);
  /// What the loops around `op` say about their iterations and, where one
  /// system can say it, the conditions of its branches.
  System getScope(Operation *op);
  /// All that is known where `op` runs, as cases.
  SmallVector<System> getScopes(Operation *op);
  /// Whether that is all that there is to know.
  bool isScopeKnown(Operation *op);
  /// Finds the sizes that `op` has to do with, for what follows to know what
  /// their quotients are.
  void findSizes(Operation *op);
  /// The bounds of the elements of `tensor` at `indices`.
  FailureOr<System> getBounds(Value tensor, ArrayRef<LinearExpr> indices);
  /// The iteration space of `op`: one size for each loop.
  FailureOr<SmallVector<Size>> getLoopSizes(linalg::LinalgOp op);
  /// Where a slice lies.
  FailureOr<BoxCases> getBoxes(OffsetSizeAndStrideOpInterface op);

  /// Finds out what the iterations of `loop` are; does nothing for other ops.
  LogicalResult enterLoop(Operation *loop);
  /// Adds to `range` that `index` is at least, or `areUpper` below, each value
  /// of `map`, with these operands.
  LogicalResult addLimits(AffineMap map, ValueRange operands, bool areUpper,
                          const LinearExpr &index, System &range,
                          Operation *op);
  /// `expr` with these dimensions and symbols. Quotients are new unknowns,
  /// added to `locals`, with what they satisfy, added to `domain`.
  FailureOr<LinearExpr> addAffine(AffineExpr expr, ArrayRef<LinearExpr> dims,
                                  ArrayRef<LinearExpr> symbols,
                                  SmallVectorImpl<Var> &locals, System &domain,
                                  Operation *op);

  /// The element `at` of a tensor that `op` makes, which holds `elements`.
  FailureOr<Pieces> readConstant(Operation *op, ElementsAttr elements,
                                 ArrayRef<LinearExpr> at);
  /// What `apply` makes of a value of each operand, in all combinations of the
  /// cases that `read` finds for them.
  FailureOr<Pieces> combine(ValueRange operands,
                            function_ref<FailureOr<Pieces>(Value)> read,
                            function_ref<ExprRef(ArrayRef<ExprRef>)> apply);

  Solver &getSolver() { return solver; }
  const Obstacle &getObstacle() const { return obstacle; }
  /// Fails; the first reason is kept.
  LogicalResult undecided(Operation *op, const Twine &reason);

private:
  /// The meaning of `tensor`, whose inputs are known, or null.
  std::unique_ptr<Meaning> makeMeaning(Value tensor);

  // One for each kind of op: the pieces of element `at` of the result.
  FailureOr<Pieces> read(OpResult result, ArrayRef<LinearExpr> at,
                         const System &context);
  /// The unknown for size `dim` of an argument, or for itself if that is -1.
  LinearExpr getSymbol(BlockArgument argument, int64_t dim);
  FailureOr<Size> getBufferSize(BlockArgument buffer, int64_t dim);
  FailureOr<Pieces> readBuffer(bufferization::ToTensorOp op,
                               ArrayRef<LinearExpr> at, const System &context);
  FailureOr<Pieces> readSlice(tensor::ExtractSliceOp op,
                              ArrayRef<LinearExpr> at, const System &context);
  FailureOr<Pieces> readInserted(OffsetSizeAndStrideOpInterface op,
                                 Value source, Value destination,
                                 const llvm::SmallBitVector &droppedDims,
                                 ArrayRef<LinearExpr> at,
                                 const System &context);
  FailureOr<Pieces> readPad(tensor::PadOp op, ArrayRef<LinearExpr> at,
                            const System &context);
  FailureOr<Pieces> readReshaped(Value source,
                                 ArrayRef<ReassociationIndices> groups,
                                 bool isCollapse, Value result,
                                 ArrayRef<LinearExpr> at,
                                 const System &context);
  FailureOr<Pieces> readLinalg(linalg::LinalgOp op, OpOperand *init,
                               ArrayRef<LinearExpr> at, const System &context);
  /// Of an op that computes each element from one of each operand.
  FailureOr<Pieces> readElementwise(Operation *op, ArrayRef<LinearExpr> at,
                                    const System &context);
  FailureOr<Pieces> readSum(linalg::LinalgOp op, OpOperand *init, Pieces bodies,
                            ArrayRef<Var> reduced, const System &domain,
                            ArrayRef<LinearExpr> at, const System &context);
  FailureOr<Pieces> readConvolution(ConvolutionOpInterface op,
                                    ArrayRef<LinearExpr> at,
                                    const System &context);
  FailureOr<Pieces> addProducts(ConvolutionOpInterface op,
                                std::array<SmallVector<LinearExpr>, 2> places,
                                const Family &all, ArrayRef<LinearExpr> at,
                                const System &context);
  FailureOr<Pieces> getPad(Im2colOp op, const System &context);
  FailureOr<Pieces> readForeignIm2col(Operation *op, ArrayRef<LinearExpr> at,
                                      const System &context);
  FailureOr<Pieces> readIm2col(Im2colOp op, ArrayRef<LinearExpr> at,
                               const System &context);
  FailureOr<Pieces> readFor(scf::ForOp op, unsigned number,
                            ArrayRef<LinearExpr> at, const System &context);
  FailureOr<Pieces> readForall(scf::ForallOp op, unsigned number,
                               ArrayRef<LinearExpr> at, const System &context);
  FailureOr<Pieces> readIf(scf::IfOp op, unsigned number,
                           ArrayRef<LinearExpr> at, const System &context);

  // Scalars.
  FailureOr<Pieces> getScalar(Value value, const Body &body,
                              const System &context);
  FailureOr<Pieces> getBody(linalg::LinalgOp op, OpOperand *init,
                            ArrayRef<LinearExpr> loops, const System &context);
  FailureOr<Pieces> readOperand(linalg::LinalgOp op, OpOperand &operand,
                                ArrayRef<LinearExpr> loops,
                                const System &context);
  FailureOr<Pieces> replaceInit(linalg::LinalgOp op, OpOperand *init,
                                Pieces bodies, ArrayRef<LinearExpr> at,
                                const System &context);
  FailureOr<Pieces> getExtracted(tensor::ExtractOp op, const Body &body,
                                 const System &context);
  FailureOr<Pieces> getSelectedScalar(arith::SelectOp op, const Body &body,
                                      const System &context);

  // Contracts.
  LogicalResult assumeEqualSizes(linalg::LinalgOp op);
  LogicalResult assumeLetters(Im2colOp op);
  LogicalResult assumeWindows(ConvolutionOpInterface op);
  void assumeZeroPoints(Block &block);
  void assumeZeroPoints(ConvolutionOpInterface op);

  // Conditions.
  FailureOr<ConditionCases> combineConditions(Operation *op, const Body *body);
  /// The cases in which the branch of `op` runs that holds `inside`.
  FailureOr<ConditionCases> getBranchCases(scf::IfOp op, Operation *inside);

  // Indices.
  FailureOr<IndexCases> getSelected(arith::SelectOp op, const Body *body);
  FailureOr<IndexCases> getComputedIndex(OpResult result, const Body *body);

  // Loops.
  /// `context` in any iteration of `loop`.
  FailureOr<System> getIterations(Operation *loop, const System &context);
  /// How one iteration changes an element: `piece` is its new value where the
  /// element is touched.
  struct Change {
    Piece piece;
    bool readsOld;
    /// Whether all it does with the old value is to add to it.
    bool adds;
  };
  FailureOr<SmallVector<Change, 0>>
  getChanges(Operation *loop, BlockArgument carried, const Pieces &next,
             ArrayRef<LinearExpr> at, const System &context);
  /// Whether no element is changed in two iterations.
  bool areDisjoint(ArrayRef<Change> changes, ArrayRef<Var> iterations,
                   const System &range, const System &context);
  FailureOr<Pieces> sumChanges(ArrayRef<Change> changes, BlockArgument carried,
                               Value init, ArrayRef<Var> iterations,
                               const System &range, ArrayRef<LinearExpr> at,
                               const System &context);
  FailureOr<Pieces> applyChanges(Operation *loop, ArrayRef<Change> changes,
                                 BlockArgument carried, Value init,
                                 ArrayRef<Var> iterations, const System &range,
                                 ArrayRef<LinearExpr> at,
                                 const System &context);
  /// What `loop` leaves of a tensor that each iteration makes anew: `next` is
  /// what an iteration yields as a function of `carried`.
  FailureOr<Pieces> readLoop(Operation *loop, BlockArgument carried, Value init,
                             const Pieces &next, ArrayRef<LinearExpr> at,
                             const System &context);
  /// A size that `op` has as an operand.
  FailureOr<Size> getSize(OpFoldResult value, Operation *op);
  /// An upper bound, which is the least of the values, negative or not.
  FailureOr<Size> getUpperBound(OpFoldResult value, Operation *op);
  FailureOr<Size> findLeast(Value value, Operation *op,
                            std::optional<int64_t> floor, bool isSingle);
  FailureOr<Size> findSize(Value tensor, int64_t dim);
  /// Whether sizes of arguments alone settle which case it is and its value.
  bool isOfArguments(const Case<LinearExpr> &one) const;
  /// An index that has one value.
  FailureOr<LinearExpr> getSingle(OpFoldResult value, Operation *op);

  /// `pieces` without those that `context` rules out.
  Pieces prune(Pieces pieces, const System &context);
  /// `pieces` outside `where`.
  FailureOr<Pieces> dropWhere(Pieces pieces, const Part &where,
                              const System &context, Operation *op);
  /// The pieces that `read(value, inCase)` finds in each of `cases` that
  /// `context` allows, where the case holds.
  template <typename T, typename Read>
  FailureOr<Pieces> readCases(const SmallVector<Case<T>, 0> &cases,
                              const System &context, Read read) {
    Pieces pieces;
    for (const Case<T> &one : cases) {
      System inCase = context & one.domain;
      // A case that is alone holds everywhere.
      if (cases.size() > 1 && solver.isEmpty(inCase))
        continue;
      FailureOr<Pieces> found = read(one.value, inCase);
      if (failed(found))
        return failure();
      llvm::append_range(pieces, restrict(std::move(*found), one));
    }
    return pieces;
  }
  /// `pieces` where the conditions of `where` hold as well.
  template <typename Where>
  Pieces restrict(Pieces pieces, const Where &where) {
    for (Piece &piece : pieces) {
      piece.locals.append(where.locals.begin(), where.locals.end());
      piece.domain.append(where.domain);
    }
    return pieces;
  }

  Solver &solver;
  Arguments &arguments;
  /// Null where an obstacle was met.
  DenseMap<Value, std::unique_ptr<Meaning>> meanings;
  /// Values of induction variables and, for each loop, what its iterations
  /// satisfy.
  DenseMap<Value, LinearExpr> inductionVars;
  DenseMap<Operation *, std::pair<SmallVector<Var>, System>> loops;
  /// Indices that have one value, which sizes of arguments settle.
  DenseMap<Value, LinearExpr> singleValues;
  /// Sizes that are not constants.
  DenseMap<Value, Size> sizes;
  DenseMap<std::pair<Value, int64_t>, Size> sizesOfTensors;
  uint64_t written = 0; ///< sizes of all expressions in `meanings`
  Obstacle obstacle;
};

/// `expr` with zero points that fit their narrow types widened back.
ExprRef applyContracts(const ExprRef &expr, const Arguments &arguments);

/// The pieces of element `at` of the result of an op of TOSA.
FailureOr<Pieces> readTosa(Denoter &denoter, OpResult result,
                           ArrayRef<LinearExpr> at, const System &context);

/// Whether `op` computes one element of its only result from one element of
/// each operand.
bool isElementwise(Operation *op);

/// Whether `function` accesses elements that exist, in every iteration.
Certificate checkBounds(FunctionOpInterface function, Denoter &denoter);

} // namespace mlir::convoy::certify

#endif // CONVOY_LIB_CERTIFY_DENOTER_H
