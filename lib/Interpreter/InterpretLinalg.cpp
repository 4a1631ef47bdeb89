//===- InterpretLinalg.cpp - Bodies and the loops around them ---*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Interpreter/Interpreter.h"
#include "convoy/Support/Interruption.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::convoy;

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

/// A straight body, read once: its values are slots of an array.
class Interpreter::Body {
public:
  /// Nothing where an op of the body is no scalar op; the fault then counts for
  /// nothing.
  static std::optional<Body> create(Interpreter &interpreter,
                                    linalg::LinalgOp op);

  /// Computes the results for the point `loops` from the arguments in the first
  /// slots.
  void run(ArrayRef<int64_t> loops);
  Scalar &getArgument(unsigned number) { return slots[number]; }
  const Scalar &getResult(unsigned number) const {
    return slots[results[number]];
  }

  /// Whether result `number` is a sum that the body adds one term to, in any
  /// order.
  bool isSum(unsigned number) const { return terms[number] >= 0; }
  const Scalar &getTerm(unsigned number) const { return slots[terms[number]]; }
  /// The type that result `number` is summed in.
  Type getSumType(unsigned number) const { return sumTypes[number]; }

private:
  struct Step {
    Algebra::Function function;
    int loop = -1; ///< whose index the result is, in the place of a function
    SmallVector<unsigned, 3> operands;
    unsigned result = 0;
  };

  unsigned addSlot(Value value) {
    numbers[value] = unsigned(slots.size());
    slots.emplace_back();
    return unsigned(slots.size()) - 1;
  }
  /// Adds a step for `op`.
  LogicalResult add(Interpreter &interpreter, Operation *op, FloatType wide);
  /// The slot of `value`, which may be one of the function's.
  unsigned getSlot(Interpreter &interpreter, Value value);
  void findSums(linalg::LinalgOp op, FloatType wide);

  std::vector<Scalar> slots;
  llvm::DenseMap<Value, unsigned> numbers;
  SmallVector<Step> steps;
  SmallVector<unsigned> results;
  SmallVector<int> terms;
  SmallVector<Type> sumTypes;
  SmallVector<Scalar, 4> operands; ///< of the step that runs
};

unsigned Interpreter::Body::getSlot(Interpreter &interpreter, Value value) {
  if (auto it = numbers.find(value); it != numbers.end())
    return it->second;
  unsigned slot = addSlot(value);
  slots[slot] = interpreter.getScalar(value);
  return slot;
}

LogicalResult Interpreter::Body::add(Interpreter &interpreter, Operation *op,
                                     FloatType wide) {
  Step step;
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    step.loop = int(index.getDim());
  } else if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    if (failed(interpreter.runConstant(op, constant.getValue())))
      return failure();
    getSlot(interpreter, constant.getResult());
    return success();
  } else {
    if (!isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
            op->getDialect()))
      return failure();
    FailureOr<Algebra::Function> function = interpreter.resolve(op, wide);
    if (failed(function))
      return failure();
    step.function = *function;
    for (Value operand : op->getOperands())
      step.operands.push_back(getSlot(interpreter, operand));
  }
  step.result = addSlot(op->getResult(0));
  steps.push_back(std::move(step));
  return success();
}

/// Floats below f32 are summed in f32 where the op is a convolution: no policy
/// but `low` sums them as they are. Sums of single elements, as of pools, are
/// none, nor are those of factors that are rounded first: these stay linalg's.
static FloatType getWideType(linalg::LinalgOp op) {
  Block &body = *op.getBlock();
  bool hasProducts = !body.getOps<arith::MulFOp>().empty();
  bool hasRounding = !body.getOps<arith::TruncFOp>().empty();
  return linalg::isaConvolutionOpInterface(op) && hasProducts && !hasRounding
             ? FloatType(Float32Type::get(op.getContext()))
             : FloatType();
}

void Interpreter::Body::findSums(linalg::LinalgOp op, FloatType wide) {
  Operation *yield = op.getBlock()->getTerminator();
  for (auto [number, value] : llvm::enumerate(yield->getOperands())) {
    results.push_back(numbers.lookup(value));
    terms.push_back(-1);
    sumTypes.push_back({});
    auto sum = value.getDefiningOp<arith::AddFOp>();
    BlockArgument init = op.getRegionOutputArgs()[number];
    if (!sum || !op.getNumReductionLoops() || !init.hasOneUse() ||
        !sum->hasOneUse())
      continue;
    for (unsigned side : {0, 1})
      if (sum->getOperand(side) == init)
        terms.back() = int(numbers.lookup(sum->getOperand(1 - side)));
    auto type = cast<FloatType>(sum.getType());
    sumTypes.back() = wide && type.getWidth() < wide.getWidth() ? wide : type;
  }
}

std::optional<Interpreter::Body>
Interpreter::Body::create(Interpreter &interpreter, linalg::LinalgOp op) {
  Body body;
  for (BlockArgument argument : op.getBlock()->getArguments())
    body.addSlot(argument);
  FloatType wide = getWideType(op);
  for (Operation &inner : op.getBlock()->without_terminator())
    if (failed(body.add(interpreter, &inner, wide)))
      return std::nullopt;
  for (Value value : op.getBlock()->getTerminator()->getOperands())
    body.getSlot(interpreter, value);
  body.findSums(op, wide);
  return body;
}

void Interpreter::Body::run(ArrayRef<int64_t> loops) {
  for (const Step &step : steps) {
    if (step.loop >= 0) {
      slots[step.result] = loops[step.loop];
      continue;
    }
    operands.clear();
    for (unsigned operand : step.operands)
      operands.push_back(slots[operand]);
    slots[step.result] = step.function(operands);
  }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Where an operand's element is in memory at each point of the loops.
struct Interpreter::Access {
  int64_t offset = 0;
  Index strides; ///< by loop
};

/// Whether `expr` is a sum of multiples of dimensions and a constant.
static bool isLinear(AffineExpr expr) {
  return expr.isPureAffine() &&
         !expr.walk([](AffineExpr part) {
                return part.getKind() == AffineExprKind::Add ||
                               part.getKind() == AffineExprKind::Mul ||
                               !isa<AffineBinaryOpExpr>(part)
                           ? WalkResult::advance()
                           : WalkResult::interrupt();
              })
              .wasInterrupted();
}

FailureOr<Interpreter::Access> Interpreter::getAccess(linalg::LinalgOp op,
                                                      OpOperand &operand,
                                                      ArrayRef<int64_t> sizes) {
  Access access;
  access.strides.assign(sizes.size(), 0);
  if (!isa<RankedTensorType>(operand.get().getType()))
    return access;
  const Tensor &tensor = getTensor(operand.get());
  bool isEmpty = llvm::is_contained(sizes, 0);
  int64_t stride = 1;
  auto results = op.getMatchingIndexingMap(&operand).getResults();
  for (auto [expr, size] :
       llvm::reverse(llvm::zip_equal(results, tensor.shape))) {
    // The constant, the factor of each loop, and the range of all values.
    Index zero(sizes.size(), 0);
    FailureOr<int64_t> base = evaluate(expr, zero, {}, op);
    if (failed(base))
      return failure();
    int64_t least = *base, greatest = *base;
    for (size_t loop = 0; loop < sizes.size(); ++loop) {
      Index one = zero;
      one[loop] = 1;
      int64_t factor = *evaluate(expr, one, {}, op) - *base;
      access.strides[loop] += factor * stride;
      int64_t reach = factor * (sizes[loop] - 1);
      (reach < 0 ? least : greatest) += reach;
    }
    if (!isEmpty && (least < 0 || greatest >= size))
      return illegal(op, "an element outside its tensor");
    access.offset += *base * stride;
    stride *= size;
  }
  return access;
}

FailureOr<Index> Interpreter::getLoopSizes(linalg::LinalgOp op) {
  Index sizes(op.getNumLoops(), -1);
  for (OpOperand &operand : op->getOpOperands())
    for (auto [dim, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      if (!isa<RankedTensorType>(operand.get().getType()))
        continue;
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop)
        continue;
      int64_t size = getTensor(operand.get()).shape[dim];
      int64_t &known = sizes[loop.getPosition()];
      if (known >= 0 && known != size)
        return illegal(op, "operands whose sizes do not agree");
      known = size;
    }
  if (llvm::is_contained(sizes, -1))
    return unknown(op, "a loop whose size no operand gives");
  return sizes;
}

FailureOr<Scalar *> Interpreter::getPlace(linalg::LinalgOp op,
                                          OpOperand &operand,
                                          const Tensor &tensor,
                                          ArrayRef<int64_t> loops) {
  Index place;
  for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults()) {
    FailureOr<int64_t> index = evaluate(expr, loops, {}, op);
    if (failed(index))
      return failure();
    place.push_back(*index);
  }
  if (!tensor.contains(place))
    return illegal(op, "an element outside its tensor");
  return &tensor.at(place);
}

LogicalResult Interpreter::runPoint(linalg::LinalgOp op,
                                    ArrayRef<int64_t> loops,
                                    MutableArrayRef<Tensor> results) {
  SmallVector<Scalar *> places;
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (!isa<RankedTensorType>(operand.get().getType())) {
      set(argument, getScalar(operand.get()));
      continue;
    }
    unsigned number = operand.getOperandNumber();
    bool isInit = op.isDpsInit(&operand);
    FailureOr<Scalar *> place =
        getPlace(op, operand,
                 isInit ? results[number - op.getNumDpsInputs()]
                        : getTensor(operand.get()),
                 loops);
    if (failed(place))
      return failure();
    set(argument, Scalar(**place));
    if (isInit)
      places.push_back(*place);
  }
  linalgLoops.assign(loops.begin(), loops.end());
  if (failed(runBlock(*op.getBlock())))
    return failure();
  for (auto [place, value] :
       llvm::zip_equal(places, op.getBlock()->getTerminator()->getOperands()))
    *place = getScalar(value);
  return success();
}

LogicalResult Interpreter::runLoops(linalg::LinalgOp op, const Body &straight,
                                    ArrayRef<int64_t> sizes,
                                    ArrayRef<Access> accesses,
                                    MutableArrayRef<Tensor> results) {
  Body body = straight;
  unsigned inputs = op.getNumDpsInputs();
  SmallVector<Scalar *> memory;
  for (OpOperand &operand : op->getOpOperands()) {
    bool isTensor = isa<RankedTensorType>(operand.get().getType());
    unsigned number = operand.getOperandNumber();
    if (!isTensor)
      body.getArgument(number) = getScalar(operand.get());
    const Tensor *tensor = !isTensor          ? nullptr
                           : number >= inputs ? &results[number - inputs]
                                              : &getTensor(operand.get());
    memory.push_back(tensor ? tensor->elements->data() : nullptr);
  }
  SmallVector<std::unique_ptr<Sums>> sums(results.size());
  for (size_t number = 0; number < results.size(); ++number)
    if (body.isSum(number))
      sums[number] = algebra.startSumsOf(op, body.getSumType(number),
                                         *results[number].elements);
  SmallVector<int64_t> places;
  for (const Access &access : accesses)
    places.push_back(access.offset);
  Index loops(sizes.size(), 0);
  for (int64_t points = llvm::product_of(sizes); points > 0; --points) {
    if (points % kIndicesAtOnce == 0 && ::convoy::isInterrupted())
      return failure();
    for (auto [number, place] : llvm::enumerate(places))
      if (memory[number])
        body.getArgument(number) = memory[number][place];
    body.run(loops);
    for (size_t number = 0; number < results.size(); ++number)
      if (sums[number])
        sums[number]->add(places[inputs + number], body.getTerm(number));
      else
        memory[inputs + number][places[inputs + number]] =
            body.getResult(number);
    for (size_t loop = sizes.size(); loop-- > 0;) {
      bool isLast = ++loops[loop] == sizes[loop];
      for (auto [place, access] : llvm::zip_equal(places, accesses))
        place += access.strides[loop] * (isLast ? 1 - sizes[loop] : 1);
      if (!isLast)
        break;
      loops[loop] = 0;
    }
  }
  for (auto [number, sum] : llvm::enumerate(sums)) {
    if (!sum)
      continue;
    Tensor &result = results[number];
    for (int64_t i = 0; i < result.size(); ++i)
      (*result.elements)[i] = sum->get(i);
    if (failed(convertAll(
            op, "arith.truncf", result, body.getSumType(number),
            getElementTypeOrSelf(op.getDpsInits()[number].getType()))))
      return failure();
  }
  return success();
}

/// Whether all elements of all operands can be found by strides.
static bool isLinear(linalg::LinalgOp op) {
  return llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
    return llvm::all_of(map.getResults(),
                        [](AffineExpr expr) { return isLinear(expr); });
  });
}

LogicalResult Interpreter::runLinalg(linalg::LinalgOp op) {
  if (!op.getBlock() || !op.hasPureTensorSemantics())
    return unknown(op, "an op that is not on tensors");
  FailureOr<Index> sizes = getLoopSizes(op);
  if (failed(sizes))
    return failure();
  SmallVector<Tensor> results;
  for (Value init : op.getDpsInits())
    results.push_back(copy(getTensor(init)));
  std::optional<Body> body = Body::create(*this, op);
  if (body && isLinear(op)) {
    SmallVector<Access> accesses;
    for (OpOperand &operand : op->getOpOperands()) {
      FailureOr<Access> access = getAccess(op, operand, *sizes);
      if (failed(access))
        return failure();
      accesses.push_back(std::move(*access));
    }
    if (failed(runLoops(op, *body, *sizes, accesses, results)))
      return failure();
  } else if (failed(forEachIndex(*sizes, [&](ArrayRef<int64_t> loops) {
               return runPoint(op, loops, results);
             }))) {
    return failure();
  }
  for (auto [result, tensor] : llvm::zip_equal(op->getResults(), results))
    if (failed(setTensor(result, tensor)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

LogicalResult Interpreter::runSoftmax(linalg::SoftmaxOp op) {
  const Tensor &input = getTensor(op.getInput());
  Type type = getElementTypeOrSelf(op.getInput().getType());
  auto dim = size_t(op.getDimension());
  SmallVector<Type, 2> types(2, type);
  auto maximum = resolve(op, "arith.maximumf", type, types);
  auto subtract = resolve(op, "arith.subf", type, types);
  auto divide = resolve(op, "arith.divf", type, types);
  auto exponential = resolve(op, "math.exp", type, type);
  if (failed(maximum) || failed(subtract) || failed(divide) ||
      failed(exponential))
    return failure();
  Index outer = input.shape;
  int64_t size = std::exchange(outer[dim], 1);
  Tensor result = makeTensor(input.shape), greatest = makeTensor(outer);
  auto getRow = [&](ArrayRef<int64_t> at) {
    Index row(at);
    row[dim] = 0;
    return row;
  };
  (void)forEachIndex(outer, [&](ArrayRef<int64_t> row) {
    Index at(row);
    Scalar &most = greatest.at(row);
    for (at[dim] = 0; at[dim] < size; ++at[dim])
      most = at[dim] ? (*maximum)({most, input.at(at)}) : input.at(at);
    return success();
  });
  std::unique_ptr<Sums> sums = algebra.startSums(
      type, std::vector<Scalar>(greatest.size(), getZero(type)));
  auto getNumber = [&](ArrayRef<int64_t> row) {
    return &greatest.at(row) - greatest.elements->data();
  };
  (void)forEachIndex(input.shape, [&](ArrayRef<int64_t> at) {
    Index row = getRow(at);
    result.at(at) =
        (*exponential)((*subtract)({input.at(at), greatest.at(row)}));
    sums->add(getNumber(row), result.at(at));
    return success();
  });
  (void)forEachIndex(input.shape, [&](ArrayRef<int64_t> at) {
    result.at(at) =
        (*divide)({result.at(at), sums->get(getNumber(getRow(at)))});
    return success();
  });
  return setTensor(op->getResult(0), std::move(result));
}
