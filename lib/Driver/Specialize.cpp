//===- Specialize.cpp - Functions with their sizes filled in ----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Driver/Specialize.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::convoy;

void mlir::convoy::keepFunction(ModuleOp module, StringRef name) {
  for (auto other : llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    if (other.getSymName() == name || other.isPrivate())
      continue;
    if (SymbolTable::symbolKnownUseEmpty(other, module))
      other.erase();
    else
      other.setPrivate();
  }
}

bool mlir::convoy::fitShapes(func::FuncOp function,
                             const ArgumentShapes &shapes) {
  return shapes.size() == function.getNumArguments() &&
         llvm::all_of(llvm::zip(function.getArgumentTypes(), shapes),
                      [](auto pair) {
                        auto [type, shape] = pair;
                        auto tensor = dyn_cast<RankedTensorType>(type);
                        return !tensor || succeeded(verifyCompatibleShape(
                                              tensor.getShape(), shape));
                      });
}

size_t mlir::convoy::fillShapes(func::FuncOp function, ArrayRef<int64_t> sizes,
                                ArgumentShapes &shapes) {
  size_t expected = 0;
  for (Type type : function.getArgumentTypes()) {
    std::vector<int64_t> &shape = shapes.emplace_back();
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      continue;
    shape = tensor.getShape().vec();
    for (int64_t &size : shape)
      if (ShapedType::isDynamic(size) && expected++ < sizes.size())
        size = sizes[expected - 1];
  }
  return expected;
}

/// `value` before casts that forget sizes.
static Value skipCasts(Value value) {
  while (auto cast = value.getDefiningOp<tensor::CastOp>())
    value = cast.getSource();
  return value;
}

/// Lets the users of `result`, whose type has changed, keep the old one.
static void castForUsers(PatternRewriter &rewriter, Value result,
                         RankedTensorType old) {
  rewriter.setInsertionPointAfterValue(result);
  auto cast = tensor::CastOp::create(rewriter, result.getLoc(), old, result);
  rewriter.replaceAllUsesExcept(result, cast, cast);
}

/// Lets `op` read `input`, its own without casts, and have a result of `shape`.
template <typename OpTy>
static LogicalResult refine(PatternRewriter &rewriter, OpTy op, Value input,
                            ArrayRef<int64_t> shape) {
  RankedTensorType type = op.getType();
  if (type.getShape() == shape)
    return rewriter.notifyMatchFailure(op, "no sizes are to be learnt");
  rewriter.modifyOpInPlace(op, [&] {
    op.getInputMutable().assign(input);
    op.getResult().setType(type.clone(shape));
  });
  castForUsers(rewriter, op.getResult(), type);
  return success();
}

namespace {
/// Lets ops that go element by element, and traces, have the sizes that an
/// operand had before it was cast to a type without.
struct RefineElementwise final : RewritePattern {
  explicit RefineElementwise(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    bool isElementwise =
        OpTrait::hasElementwiseMappableTraits(op) || isa<TraceOp>(op);
    if (!isElementwise || op->getNumResults() != 1)
      return rewriter.notifyMatchFailure(op, "is not element by element");
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    std::optional<ArrayRef<int64_t>> shape = findShape(op);
    if (!type || !shape || type.hasStaticShape())
      return rewriter.notifyMatchFailure(op, "no sizes are to be learnt");
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      auto tensor = dyn_cast<RankedTensorType>(operand.getType());
      operands.push_back(tensor ? tensor::CastOp::create(rewriter, op->getLoc(),
                                                         tensor.clone(*shape),
                                                         operand)
                                : operand);
    }
    Operation *refined =
        rewriter.create(op->getLoc(), op->getName().getIdentifier(), operands,
                        type.clone(*shape), op->getAttrs());
    rewriter.replaceOpWithNewOp<tensor::CastOp>(op, type,
                                                refined->getResult(0));
    return success();
  }

private:
  /// The sizes of an operand before a cast, if all are known.
  static std::optional<ArrayRef<int64_t>> findShape(Operation *op) {
    for (Value operand : op->getOperands())
      if (auto cast = operand.getDefiningOp<tensor::CastOp>())
        if (auto type = dyn_cast<RankedTensorType>(cast.getSource().getType());
            type && type.hasStaticShape())
          return type.getShape();
    return std::nullopt;
  }
};

/// Lets samples have the sizes that their operands say. (The canonicalizer
/// knows it of ops with inits.)
struct RefineSample final : OpRewritePattern<GridSampleOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GridSampleOp op,
                                PatternRewriter &rewriter) const override {
    Value input = skipCasts(op.getInput()), grid = skipCasts(op.getGrid());
    SampleLayoutAttr layout = op.getLayout();
    auto findSize = [&](char letter) {
      bool isOfInput = letter == 'n' || letter == 'c';
      auto type = cast<RankedTensorType>((isOfInput ? input : grid).getType());
      StringRef letters = isOfInput ? layout.getInput() : layout.getGrid();
      return type.getDimSize(letters.find(letter));
    };
    SmallVector<int64_t> shape;
    for (char letter : layout.getOutput())
      shape.push_back(findSize(letter));
    RankedTensorType type = op.getType();
    if (type.getShape() == ArrayRef(shape))
      return rewriter.notifyMatchFailure(op, "no sizes are to be learnt");
    rewriter.modifyOpInPlace(op, [&] {
      op.getInputMutable().assign(input);
      op.getGridMutable().assign(grid);
      op.getResult().setType(type.clone(shape));
    });
    castForUsers(rewriter, op.getResult(), type);
    return success();
  }
};

/// Lets the gradient of an image have the sizes that its operands say.
struct RefineImageGradient final : OpRewritePattern<GridSampleBackwardInputOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GridSampleBackwardInputOp op,
                                PatternRewriter &rewriter) const override {
    Value samples = skipCasts(op.getOutputGradient()),
          grid = skipCasts(op.getGrid());
    auto samplesType = cast<RankedTensorType>(samples.getType());
    SampleLayoutAttr layout = op.getLayout();
    RankedTensorType type = op.getType();
    SmallVector<int64_t> shape(type.getShape());
    for (auto [size, letter] : llvm::zip_equal(shape, layout.getInput()))
      if (ShapedType::isDynamic(size))
        size = samplesType.getDimSize(layout.getOutput().find(letter));
    if (type.getShape() == ArrayRef(shape))
      return rewriter.notifyMatchFailure(op, "no sizes are to be learnt");
    rewriter.modifyOpInPlace(op, [&] {
      op.getOutputGradientMutable().assign(samples);
      op.getGridMutable().assign(grid);
      op.getResult().setType(type.clone(shape));
    });
    castForUsers(rewriter, op.getResult(), type);
    return success();
  }
};

/// Lets the gradient of a grid have the sizes of the grid.
struct RefineGridGradient final : OpRewritePattern<GridSampleBackwardGridOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GridSampleBackwardGridOp op,
                                PatternRewriter &rewriter) const override {
    Value grid = skipCasts(op.getGrid());
    RankedTensorType type = op.getType();
    if (grid.getType() == type)
      return rewriter.notifyMatchFailure(op, "no sizes are to be learnt");
    rewriter.modifyOpInPlace(op, [&] {
      op.getOutputGradientMutable().assign(skipCasts(op.getOutputGradient()));
      op.getInputMutable().assign(skipCasts(op.getInput()));
      op.getGridMutable().assign(grid);
      op.getResult().setType(cast<RankedTensorType>(grid.getType()));
    });
    castForUsers(rewriter, op.getResult(), type);
    return success();
  }
};

/// Lets sums of windows have the sizes that their rows say.
struct RefineCol2im final : OpRewritePattern<Col2imOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(Col2imOp op,
                                PatternRewriter &rewriter) const override {
    Value input = skipCasts(op.getInput());
    SmallVector<int64_t> shape(op.getType().getShape());
    for (auto [size, letter] :
         llvm::zip_equal(shape, op.getLayout().getInput()))
      if (ShapedType::isDynamic(size))
        size = cast<RankedTensorType>(input.getType())
                   .getDimSize(op.getLayout().getSharedDim(letter));
    return refine(rewriter, op, input, shape);
  }
};

/// Lets rows have sizes that are constants.
struct RefineIm2col final : OpRewritePattern<Im2colOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(Im2colOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getType();
    SmallVector<OpFoldResult> sizes =
        getMixedValues(type.getShape(), op.getSizes(), rewriter);
    if (failed(foldDynamicIndexList(sizes, /*onlyNonNegative=*/true)))
      return rewriter.notifyMatchFailure(op, "no sizes are to be learnt");
    auto [shape, unknown] = decomposeMixedValues(sizes);
    rewriter.modifyOpInPlace(op, [&] {
      op.getSizesMutable().assign(unknown);
      op.getResult().setType(type.clone(shape));
    });
    castForUsers(rewriter, op.getResult(), type);
    return success();
  }
};

/// Lets padding, and its adjoint, have the sizes that the operand says.
template <typename OpTy>
struct RefinePadding final : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    Value input = skipCasts(op.getInput());
    SmallVector<int64_t> shape(op.getType().getShape());
    for (auto [dim, size] : llvm::enumerate(shape))
      if (ShapedType::isDynamic(size))
        size = cast<RankedTensorType>(input.getType()).getDimSize(dim);
    return refine(rewriter, op, input, shape);
  }
};
} // namespace

/// Lets all that is known of sizes follow through `module`.
static LogicalResult propagateSizes(ModuleOp module) {
  MLIRContext *context = module.getContext();
  RewritePatternSet patterns(context);
  for (Dialect *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    op.getCanonicalizationPatterns(patterns, context);
  patterns.add<RefineElementwise, RefineSample, RefineImageGradient,
               RefineGridGradient, RefineCol2im, RefineIm2col,
               RefinePadding<PadOp>, RefinePadding<PadBackwardOp>>(context);
  // Else as the canonicalizer: blocks stay as they are.
  GreedyRewriteConfig config;
  config.setUseTopDownTraversal(true).setRegionSimplificationLevel(
      GreedySimplifyRegionLevel::Normal);
  if (failed(applyPatternsGreedily(module, std::move(patterns), config)))
    return failure();
  // Sizes that do not fit together are told now.
  return verify(module);
}

FailureOr<SpecializedFunction>
SpecializedFunction::create(func::FuncOp function,
                            const ArgumentShapes &shapes) {
  SpecializedFunction result;
  result.module = function->getParentOfType<ModuleOp>().clone();
  result.function = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      *result.module, function.getSymNameAttr());
  OpBuilder builder = OpBuilder::atBlockBegin(&result.function.front());
  for (auto [argument, shape] :
       llvm::zip_equal(result.function.getArguments(), shapes)) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || type.hasStaticShape())
      continue;
    argument.setType(type.clone(shape));
    auto cast =
        tensor::CastOp::create(builder, function.getLoc(), type, argument);
    argument.replaceAllUsesExcept(cast, cast);
  }
  result.function.setType(
      builder.getFunctionType(result.function.front().getArgumentTypes(),
                              function.getFunctionType().getResults()));
  if (failed(propagateSizes(*result.module)))
    return failure();
  return result;
}

std::optional<std::vector<int64_t>>
SpecializedFunction::getResultShape(unsigned number) {
  if (!function.getBody().hasOneBlock())
    return std::nullopt;
  Value value = skipCasts(function.front().getTerminator()->getOperand(number));
  auto type = cast<RankedTensorType>(value.getType());
  if (!type.hasStaticShape())
    return std::nullopt;
  return type.getShape().vec();
}
