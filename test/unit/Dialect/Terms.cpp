//===- Terms.cpp - Convolutions as sets of products -----------------------===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Terms.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"

#include <algorithm>

using namespace mlir;
using mlir::convoy::ConvolutionOpInterface;
using mlir::convoy::IndexRelation;

namespace convoy::test {

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

std::ostream &operator<<(std::ostream &os, const ConvCase &conv) {
  os << conv.layouts.input.letters() << " x " << conv.layouts.filter.letters()
     << " -> " << conv.layouts.output.letters() << ", n " << conv.shape.batch
     << " g " << conv.shape.groups << " c " << conv.shape.inputChannels << " f "
     << conv.shape.outputChannels;
  for (const SpatialDim &dim : conv.shape.spatial)
    os << ", input " << dim.input << " filter " << dim.filter << " output "
       << dim.output << " stride " << dim.window.stride << " dilation "
       << dim.window.dilation << " pad " << dim.window.padLow << " "
       << dim.window.padHigh << " input dilation " << dim.window.inputDilation
       << " reverse " << dim.window.reverse;
  return os;
}

void setOutputSizes(ConvShape &shape) {
  for (SpatialDim &dim : shape.spatial)
    dim.output = outputSize(dim.input, dim.filter, dim.window);
}

ConvLayouts randomLayouts(int spatialRank, std::mt19937 &random) {
  auto shuffle = [&](std::string letters) {
    letters += spatialLetters(spatialRank);
    std::shuffle(letters.begin(), letters.end(), random);
    return Layout::fromLetters(letters);
  };
  Layout input = shuffle("ngc"), filter = shuffle("gfc"),
         output = shuffle("ngf");
  return {input, filter, output};
}

ConvShape randomShape(int spatialRank, std::mt19937 &random) {
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  ConvShape shape;
  shape.batch = pick(1, 2);
  shape.groups = pick(1, 2);
  shape.inputChannels = pick(1, 3);
  shape.outputChannels = pick(1, 3);
  for (int i = 0; i < spatialRank; ++i) {
    SpatialDim dim;
    dim.input = pick(1, 5);
    dim.filter = pick(1, 3);
    dim.window.stride = pick(1, 3);
    dim.window.dilation = pick(1, 2);
    dim.window.padLow = pick(-1, 2);
    dim.window.padHigh = pick(-1, 2);
    dim.window.inputDilation = pick(1, 3);
    dim.window.reverse = pick(0, 1) == 1;
    shape.spatial.push_back(dim);
  }
  setOutputSizes(shape);
  return shape;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// The operands of the op, the init last.
static std::array<Operand, 3> operandRoles(Direction direction) {
  switch (direction) {
  case Direction::Forward:
    return {Operand::Input, Operand::Filter, Operand::Output};
  case Direction::BackwardData:
    return {Operand::Output, Operand::Filter, Operand::Input};
  case Direction::BackwardFilter:
    return {Operand::Input, Operand::Output, Operand::Filter};
  }
  llvm_unreachable("unknown direction");
}

func::FuncOp buildFunction(ModuleOp module, const ConvCase &conv) {
  MLIRContext *context = module.getContext();
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = builder.getUnknownLoc();
  SmallVector<Type> types;
  for (Operand role : operandRoles(conv.direction))
    types.push_back(RankedTensorType::get(
        conv.shape.shape(role, conv.layouts[role]), builder.getF32Type()));
  auto func = func::FuncOp::create(
      builder, loc, "f", builder.getFunctionType(types, types.back()));
  Block *block = func.addEntryBlock();
  builder.setInsertionPointToStart(block);

  auto windows = llvm::map_to_vector(
      conv.shape.spatial, [](const SpatialDim &dim) { return dim.window; });
  auto create = [&]<typename OpTy>() -> Value {
    return OpTy::create(
        builder, loc, block->getArgument(0), block->getArgument(1),
        block->getArgument(2), ValueRange(),
        mlir::convoy::ConvLayoutAttr::get(context, conv.layouts),
        mlir::convoy::WindowAttr::get(context, windows),
        mlir::convoy::NumericsAttr::getDefault(context));
  };
  Value result;
  switch (conv.direction) {
  case Direction::Forward:
    result = create.operator()<mlir::convoy::ConvOp>();
    break;
  case Direction::BackwardData:
    result = create.operator()<mlir::convoy::ConvBackwardDataOp>();
    break;
  case Direction::BackwardFilter:
    result = create.operator()<mlir::convoy::ConvBackwardFilterOp>();
    break;
  }
  func::ReturnOp::create(builder, loc, result);
  return func;
}

ConvolutionOpInterface getConvolution(func::FuncOp func) {
  return cast<ConvolutionOpInterface>(func.getBody().front().front());
}

//===----------------------------------------------------------------------===//
// Affine maps and sets
//===----------------------------------------------------------------------===//

using Rows = std::vector<std::vector<int64_t>>;

/// Replaces the symbols' columns of flattened expressions by their part of the
/// constant.
static Rows bindSymbols(ArrayRef<SmallVector<int64_t, 8>> exprs,
                        unsigned numDims, ArrayRef<int64_t> symbols) {
  Rows rows;
  for (const SmallVector<int64_t, 8> &expr : exprs) {
    assert(expr.size() == numDims + symbols.size() + 1 && "not pure affine");
    std::vector<int64_t> row(expr.begin(), expr.begin() + numDims);
    int64_t constant = expr.back();
    for (auto [index, symbol] : llvm::enumerate(symbols))
      constant += expr[numDims + index] * symbol;
    row.push_back(constant);
    rows.push_back(std::move(row));
  }
  return rows;
}

Rows flattenMap(AffineMap map, ArrayRef<int64_t> symbols) {
  std::vector<SmallVector<int64_t, 8>> exprs;
  LogicalResult flattened = getFlattenedAffineExprs(map, &exprs);
  assert(succeeded(flattened) && "not pure affine");
  (void)flattened;
  return bindSymbols(exprs, map.getNumDims(), symbols);
}

static Rows flattenSet(IntegerSet set, ArrayRef<int64_t> symbols) {
  std::vector<SmallVector<int64_t, 8>> exprs;
  LogicalResult flattened = getFlattenedAffineExprs(set, &exprs);
  assert(succeeded(flattened) && "not pure affine");
  (void)flattened;
  return bindSymbols(exprs, set.getNumDims(), symbols);
}

int64_t evaluateRow(ArrayRef<int64_t> row, ArrayRef<int64_t> dims) {
  int64_t value = row.back();
  for (auto [factor, dim] : llvm::zip(row, dims))
    value += factor * dim;
  return value;
}

int64_t linearize(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  int64_t position = 0;
  for (auto [i, size] : llvm::zip_equal(index, shape))
    position = position * size + i;
  return position;
}

void forEachIndex(ArrayRef<int64_t> shape,
                  function_ref<void(ArrayRef<int64_t>)> visit) {
  if (llvm::is_contained(shape, 0))
    return;
  SmallVector<int64_t> index(shape.size(), 0);
  while (true) {
    visit(index);
    int64_t dim = static_cast<int64_t>(shape.size()) - 1;
    while (dim >= 0 && ++index[dim] == shape[dim])
      index[dim--] = 0;
    if (dim < 0)
      return;
  }
}

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

namespace {
/// Tries every point of an index relation's space, one dimension after the
/// other, and leaves a branch as soon as a constraint on it fails.
class TermEnumerator {
public:
  explicit TermEnumerator(ConvolutionOpInterface op) : op(op) {
    IndexRelation relation = op.getIndexRelation();
    for (const std::string &name : relation.space)
      sizes.push_back(sizeOf(name));
    input = flattenMap(relation.input, sizes);
    filter = flattenMap(relation.filter, sizes);
    output = flattenMap(relation.output, sizes);
    checks.resize(sizes.size());
    for (auto [index, row] :
         llvm::enumerate(flattenSet(relation.terms, sizes))) {
      size_t last = 0;
      for (size_t dim = 0; dim < sizes.size(); ++dim)
        if (row[dim] != 0)
          last = dim;
      checks[last].push_back({row, relation.terms.isEq(index)});
    }
    point.assign(sizes.size(), 0);
  }

  std::vector<Term> run() {
    visit(0);
    std::sort(terms.begin(), terms.end());
    return terms;
  }

private:
  struct Check {
    std::vector<int64_t> row;
    bool isEquality;
  };

  int64_t sizeOf(StringRef name) {
    if (name.size() == 2)
      return op.getSize(name[0] == 'i'   ? Operand::Input
                        : name[0] == 'k' ? Operand::Filter
                                         : Operand::Output,
                        name[1]);
    return op.getSize(name == "f" ? Operand::Filter : Operand::Input, name[0]);
  }

  int64_t locate(Operand operand, const Rows &rows) {
    SmallVector<int64_t> index;
    for (const std::vector<int64_t> &row : rows)
      index.push_back(evaluateRow(row, point));
    return linearize(index, op.getTypeFor(operand).getShape());
  }

  void visit(size_t dim) {
    if (dim == sizes.size()) {
      terms.push_back({locate(Operand::Input, input),
                       locate(Operand::Filter, filter),
                       locate(Operand::Output, output)});
      return;
    }
    for (point[dim] = 0; point[dim] < sizes[dim]; ++point[dim])
      if (llvm::all_of(checks[dim], [&](const Check &check) {
            int64_t value = evaluateRow(check.row, point);
            return check.isEquality ? value == 0 : value >= 0;
          }))
        visit(dim + 1);
    point[dim] = 0;
  }

  ConvolutionOpInterface op;
  std::vector<int64_t> sizes, point;
  std::vector<std::vector<Check>> checks;
  Rows input, filter, output;
  std::vector<Term> terms;
};
} // namespace

std::vector<Term> enumerateTerms(ConvolutionOpInterface op) {
  return TermEnumerator(op).run();
}

} // namespace convoy::test
