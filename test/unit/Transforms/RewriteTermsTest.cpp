//===- RewriteTermsTest.cpp - Rewrites of convolutions keep their terms ---===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rewrite is right if each element of the result is the sum of the same
// terms and of the same element of the init as before. The ops that a rewrite
// leaves are interpreted on tensors whose elements are such sums; nothing here
// knows the formulas of the rewrites.
//
//===----------------------------------------------------------------------===//

#include "Terms.h"

#include "convoy/Dialect/Convoy/IR/Convoy.h"
#include "convoy/Transforms/Convolution/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace convoy;
using namespace convoy::test;
using namespace mlir;
using mlir::convoy::ConvolutionOpInterface;

namespace {

/// An element of an argument of the function.
struct Origin {
  int64_t argument, position;
  auto operator<=>(const Origin &other) const = default;
};
std::ostream &operator<<(std::ostream &os, const Origin &origin) {
  return os << "arg" << origin.argument << "[" << origin.position << "]";
}

/// The products of elements of the first and the second operand, and the
/// elements that stand alone, in a sum.
struct Sum {
  std::vector<Origin> alone;
  std::vector<std::pair<Origin, Origin>> products;
  bool operator==(const Sum &other) const = default;

  void add(const Sum &other) {
    llvm::append_range(alone, other.alone);
    llvm::append_range(products, other.products);
  }
  void sort() {
    std::sort(alone.begin(), alone.end());
    std::sort(products.begin(), products.end());
  }
};
std::ostream &operator<<(std::ostream &os, const Sum &sum) {
  for (const Origin &origin : sum.alone)
    os << " + " << origin;
  for (const auto &[first, second] : sum.products)
    os << " + " << first << "*" << second;
  return os;
}
using Sums = std::vector<Sum>;

/// Computes tensors of sums through the ops of a function.
class Interpreter {
public:
  Sums run(func::FuncOp func) {
    for (BlockArgument argument : func.getArguments()) {
      Sums &sums = values[argument];
      for (int64_t i = 0; i < sizeOf(argument); ++i)
        sums.push_back({{{argument.getArgNumber(), i}}, {}});
    }
    for (Operation &op : func.getBody().front().without_terminator())
      visit(op);
    Operation *terminator = func.getBody().front().getTerminator();
    Sums result = values[terminator->getOperand(0)];
    for (Sum &sum : result)
      sum.sort();
    return result;
  }

private:
  static ArrayRef<int64_t> shapeOf(Value value) {
    return cast<RankedTensorType>(value.getType()).getShape();
  }
  static int64_t sizeOf(Value value) {
    return ShapedType::getNumElements(shapeOf(value));
  }

  void visit(Operation &op) {
    if (isa<arith::ConstantOp>(op))
      return;
    if (auto empty = dyn_cast<tensor::EmptyOp>(op))
      return visitEmpty(empty);
    if (auto fill = dyn_cast<linalg::FillOp>(op))
      return visitFill(fill);
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      return visitExtract(slice);
    if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
      return visitInsert(slice);
    if (auto generic = dyn_cast<linalg::GenericOp>(op))
      return visitGeneric(generic);
    if (auto conv = dyn_cast<ConvolutionOpInterface>(op))
      return visitConvolution(conv);
    ADD_FAILURE() << "unexpected op " << op.getName().getStringRef().str();
  }

  /// Elements that no sum may contain.
  void visitEmpty(tensor::EmptyOp empty) {
    values[empty].assign(sizeOf(empty), {{{-1, -1}}, {}});
  }

  /// Zeros: empty sums.
  void visitFill(linalg::FillOp fill) {
    EXPECT_TRUE(matchPattern(fill.getInputs()[0], m_AnyZeroFloat()));
    values[fill.getResult(0)].resize(sizeOf(fill.getResult(0)));
  }

  /// Calls `visit` with the positions in the small and the large tensor of
  /// each element of a slice.
  template <typename SliceOp>
  static void forEachElement(SliceOp slice, ArrayRef<int64_t> small,
                             ArrayRef<int64_t> large,
                             function_ref<void(int64_t, int64_t)> visit) {
    forEachIndex(small, [&](ArrayRef<int64_t> index) {
      SmallVector<int64_t> place;
      for (auto [i, offset, stride] : llvm::zip_equal(
               index, slice.getStaticOffsets(), slice.getStaticStrides()))
        place.push_back(offset + stride * i);
      visit(linearize(index, small), linearize(place, large));
    });
  }

  void visitExtract(tensor::ExtractSliceOp slice) {
    const Sums &source = values[slice.getSource()];
    Sums result(sizeOf(slice.getResult()));
    forEachElement(slice, shapeOf(slice.getResult()),
                   shapeOf(slice.getSource()),
                   [&](int64_t small, int64_t large) {
                     result[small] = source.at(large);
                   });
    values[slice.getResult()] = result;
  }

  void visitInsert(tensor::InsertSliceOp slice) {
    const Sums &source = values[slice.getSource()];
    Sums result = values[slice.getDest()];
    forEachElement(slice, shapeOf(slice.getSource()), shapeOf(slice.getDest()),
                   [&](int64_t small, int64_t large) {
                     result.at(large) = source[small];
                   });
    values[slice.getResult()] = result;
  }

  /// The sum of the init and of an operand.
  void visitGeneric(linalg::GenericOp generic) {
    ASSERT_EQ(generic->getNumOperands(), 2u);
    Block &body = *generic.getBody();
    EXPECT_EQ(llvm::range_size(body.without_terminator()), 1);
    EXPECT_TRUE(isa<arith::AddFOp>(body.front()));
    auto maps = generic.getIndexingMapsArray();
    EXPECT_TRUE(maps[1].isIdentity());
    Value operand = generic.getInputs()[0];
    auto rows = flattenMap(maps[0]);
    Sums result = values[generic.getOutputs()[0]];
    forEachIndex(shapeOf(generic.getResult(0)), [&](ArrayRef<int64_t> index) {
      SmallVector<int64_t> from = llvm::map_to_vector(
          rows, [&](const auto &row) { return evaluateRow(row, index); });
      result[linearize(index, shapeOf(generic.getResult(0)))].add(
          values[operand].at(linearize(from, shapeOf(operand))));
    });
    values[generic.getResult(0)] = result;
  }

  /// Adds the op's terms to its init. The factors are elements of arguments.
  void visitConvolution(ConvolutionOpInterface conv) {
    auto factorOf = [&](Value operand, int64_t position) {
      const Sum &sum = values[operand].at(position);
      EXPECT_EQ(sum.alone.size(), 1u);
      EXPECT_TRUE(sum.products.empty());
      return sum.alone.front();
    };
    Sums result = values[conv.getInit()];
    for (const Term &term : enumerateTerms(conv)) {
      auto [first, second, sum] = inOperandOrder(conv.getDirection(), term);
      result.at(sum).products.push_back(
          {factorOf(conv->getOperand(0), first),
           factorOf(conv->getOperand(1), second)});
    }
    values[conv->getResult(0)] = result;
  }

  static std::array<int64_t, 3> inOperandOrder(Direction direction,
                                               const Term &term) {
    switch (direction) {
    case Direction::Forward:
      return {term.input, term.filter, term.output};
    case Direction::BackwardData:
      return {term.output, term.filter, term.input};
    case Direction::BackwardFilter:
      return {term.input, term.output, term.filter};
    }
    llvm_unreachable("unknown direction");
  }

  llvm::DenseMap<Value, Sums> values;
};

class RewriteTermsTest : public testing::Test {
protected:
  RewriteTermsTest() {
    context.loadDialect<mlir::convoy::ConvoyDialect, func::FuncDialect,
                        arith::ArithDialect, linalg::LinalgDialect,
                        tensor::TensorDialect>();
  }

  /// Checks the function of `conv` after decomposition, and again after
  /// splitting into phases.
  void check(const ConvCase &conv) {
    SCOPED_TRACE(testing::Message() << conv);
    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
    func::FuncOp func = buildFunction(*module, conv);
    ASSERT_TRUE(succeeded(verify(*module)));
    Sums expected = Interpreter().run(func);

    rewrite(*module, mlir::convoy::populateDecomposeBackwardPatterns);
    func.walk([](ConvolutionOpInterface op) {
      EXPECT_EQ(op.getDirection(), Direction::Forward);
    });
    ASSERT_EQ(Interpreter().run(func), expected);

    rewrite(*module, mlir::convoy::populateSplitPhasesPatterns);
    func.walk([](ConvolutionOpInterface op) {
      EXPECT_FALSE(op.getWindow().hasInputDilation());
    });
    ASSERT_EQ(Interpreter().run(func), expected);
  }

  void checkAllDirections(const ConvShape &shape, const ConvLayouts &layouts) {
    for (Direction direction : {Direction::Forward, Direction::BackwardData,
                                Direction::BackwardFilter})
      if (!HasFailure())
        check({direction, shape, layouts});
  }

private:
  void rewrite(ModuleOp module, function_ref<void(RewritePatternSet &)> fill) {
    RewritePatternSet patterns(&context);
    fill(patterns);
    walkAndApplyPatterns(module, std::move(patterns));
    ASSERT_TRUE(succeeded(verify(module)));
  }

  MLIRContext context;
};

TEST_F(RewriteTermsTest, EverySmallWindow) {
  ConvLayouts layouts{Layout::fromLetters("nwc"), Layout::fromLetters("wcf"),
                      Layout::fromLetters("nwf")};
  for (int64_t input = 0; input <= 4; ++input)
    for (int64_t filter = 0; filter <= 3; ++filter)
      for (int64_t stride : {1, 2, 3})
        for (int64_t dilation : {1, 2})
          for (int64_t inputDilation : {1, 2, 3})
            for (int64_t padLow : {-1, 0, 2})
              for (int64_t padHigh : {-1, 0, 2})
                for (bool reverse : {false, true}) {
                  WindowDim window{stride,  dilation,      padLow,
                                   padHigh, inputDilation, reverse};
                  ConvShape shape{1, 1, 1, 1, {{input, filter, 0, window}}};
                  setOutputSizes(shape);
                  checkAllDirections(shape, layouts);
                  if (HasFailure())
                    return;
                }
}

TEST_F(RewriteTermsTest, EveryLayoutOfOneDimension) {
  WindowDim window{2, 1, 1, 0, 1, true};
  ConvShape shape{2, 1, 3, 2, {{5, 3, 0, window}}};
  setOutputSizes(shape);
  for (const std::string &input : permutations("nwc"))
    for (const std::string &filter : permutations("wcf"))
      for (const std::string &output : permutations("nwf")) {
        checkAllDirections(shape, {Layout::fromLetters(input),
                                   Layout::fromLetters(filter),
                                   Layout::fromLetters(output)});
        if (HasFailure())
          return;
      }
}

TEST_F(RewriteTermsTest, EmptyDimensions) {
  WindowDim window{1, 1, 2, 2, 2, false};
  ConvShape full{2, 2, 3, 2, {{3, 3, 0, window}, {4, 2, 0, window}}};
  setOutputSizes(full);
  std::mt19937 random(4);
  for (int64_t ConvShape::*size :
       {&ConvShape::batch, &ConvShape::groups, &ConvShape::inputChannels,
        &ConvShape::outputChannels}) {
    ConvShape shape = full;
    shape.*size = 0;
    checkAllDirections(shape, randomLayouts(2, random));
  }
}

TEST_F(RewriteTermsTest, RandomShapesInRandomLayoutsWithGroups) {
  std::mt19937 random(3);
  for (int repeat = 0; repeat < 300; ++repeat) {
    int rank = repeat % 3 + 1;
    ConvShape shape = randomShape(rank, random);
    checkAllDirections(shape, randomLayouts(rank, random));
    if (HasFailure())
      return;
  }
}

} // namespace
