//===- SameValues.cpp - Functions of the same values ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values get the same number where the same op makes them of the same numbers.
// What a region takes has numbers by how deep it is nested, so that the same
// loops have the same numbers in them.
//
//===----------------------------------------------------------------------===//

#include "SameValues.h"
#include "Buffers/Marks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <map>
#include <set>

using namespace mlir;
using namespace mlir::convoy::certify;

namespace {
using Number = uint64_t;
using Key = std::vector<uint64_t>;

/// A sum of multiples of numbers and a constant, in 64 bits that wrap around.
struct SumOfNumbers {
  std::map<Number, uint64_t> terms;
  uint64_t constant = 0;

  void add(const SumOfNumbers &other, uint64_t factor) {
    constant += other.constant * factor;
    for (auto [number, multiple] : other.terms)
      if ((terms[number] += multiple * factor) == 0)
        terms.erase(number);
  }
};

/// The ops of a region that cannot be computed elsewhere, by their numbers.
using Fixed = std::set<Number>;

/// The same of all regions that look alike: what some of them run, and what
/// each of them does.
struct FixedInAlike {
  Fixed some, each;
};

/// Numbers of all values in one function; the same keys have the same numbers
/// in another that is given the same `numbers`.
class ValueNumbers {
public:
  using Numbers = std::map<Key, Number>;
  explicit ValueNumbers(Numbers &numbers) : numbers(numbers) {}

  /// Fails where regions have several blocks.
  LogicalResult read(FunctionOpInterface function);
  /// Whether this function computes what `before` does.
  bool agreesWith(const ValueNumbers &before) const;

private:
  Number get(Key key) {
    return numbers.try_emplace(std::move(key), numbers.size()).first->second;
  }
  Number get(Value value);
  /// What `op` leaves, and where it is.
  Number getOp(Operation *op, ArrayRef<uint64_t> regions);
  /// Numbers the ops of `block`, whose arguments are of a region `depth`
  /// regions deep; returns what it leaves.
  FailureOr<Number> readBlock(Block &block, unsigned depth, Fixed &fixed);
  FailureOr<Number> readOp(Operation *op, unsigned depth, Fixed &fixed);
  /// Does so for the regions of `op`, and appends to `regions` what they leave.
  LogicalResult readRegions(Operation *op, unsigned depth,
                            SmallVectorImpl<uint64_t> &regions,
                            SmallVectorImpl<Fixed> &fixed);
  /// Whether `op` is a sum of indices, which gets its number here.
  bool readIndex(Operation *op);
  SumOfNumbers getSum(Value value);

  enum Tag : uint64_t { OfOp, OfResult, OfArgument, OfSum, OfEmpty, OfState };

  Numbers &numbers;
  DenseMap<Value, Number> values;
  DenseMap<Value, SumOfNumbers> sums;
  /// What was run that has an effect, up to here.
  Number state = 0;
  uint64_t numEmpty = 0;
  std::map<Key, FixedInAlike> fixedInRegions; ///< by an op and its region
  Fixed fixedInFunction;
  Number left = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

SumOfNumbers ValueNumbers::getSum(Value value) {
  if (auto it = sums.find(value); it != sums.end())
    return it->second;
  SumOfNumbers sum;
  sum.terms[get(value)] = 1;
  return sum;
}

bool ValueNumbers::readIndex(Operation *op) {
  if (op->getNumResults() != 1 || !op->getResult(0).getType().isIndex())
    return false;
  SumOfNumbers sum;
  IntegerAttr constant;
  if (matchPattern(op, m_Constant(&constant))) {
    sum.constant = uint64_t(constant.getInt());
    sums[op->getResult(0)] = sum;
    return true;
  }
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  if (!flags || flags.hasNoSignedWrap() || flags.hasNoUnsignedWrap() ||
      !isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return false;
  sum = getSum(op->getOperand(0));
  SumOfNumbers other = getSum(op->getOperand(1));
  if (isa<arith::AddIOp>(op)) {
    sum.add(other, 1);
  } else if (isa<arith::SubIOp>(op)) {
    sum.add(other, ~uint64_t(0));
  } else {
    if (sum.terms.empty())
      std::swap(sum, other);
    if (!other.terms.empty())
      return false;
    SumOfNumbers product;
    product.add(sum, other.constant);
    sum = product;
  }
  sums[op->getResult(0)] = sum;
  return true;
}

Number ValueNumbers::get(Value value) {
  auto it = sums.find(value);
  if (it == sums.end())
    return values.lookup(value);
  const SumOfNumbers &sum = it->second;
  if (sum.constant == 0 && sum.terms.size() == 1 &&
      sum.terms.begin()->second == 1)
    return sum.terms.begin()->first;
  Key key = {OfSum, sum.constant};
  for (auto [number, factor] : sum.terms)
    key.insert(key.end(), {number, factor});
  return get(std::move(key));
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

std::pair<Attribute, Attribute> certify::getAllAttributes(Operation *op) {
  return {op->getDiscardableAttrDictionary(), op->getPropertiesAsAttribute()};
}

static uint64_t getAddress(const void *pointer) {
  return reinterpret_cast<uintptr_t>(pointer);
}

/// Whether it does not matter where `op` is computed: on scalars and vectors at
/// known places alone.
static bool isAnywhere(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (!llvm::is_contained({"arith", "math", "vector"}, dialect))
    return false;
  auto isPlain = [&](Type type) {
    return isa<VectorType>(type) || type.isIntOrFloat() ||
           (type.isIndex() && dialect != "vector");
  };
  return isPure(op) && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperandTypes(), isPlain) &&
         llvm::all_of(op->getResultTypes(), isPlain);
}

Number ValueNumbers::getOp(Operation *op, ArrayRef<uint64_t> regions) {
  auto [attributes, properties] = getAllAttributes(op);
  Key key = {OfOp,
             getAddress(op->getName().getAsOpaquePointer()),
             getAddress(attributes.getAsOpaquePointer()),
             getAddress(properties.getAsOpaquePointer()),
             op->getNumOperands(),
             op->getNumResults()};
  for (Value operand : op->getOperands())
    key.push_back(get(operand));
  for (Type type : op->getResultTypes())
    key.push_back(getAddress(type.getAsOpaquePointer()));
  llvm::append_range(key, regions);
  // What nobody has written is another thing each time.
  if (isa<tensor::EmptyOp>(op) || op->getName().getStringRef() == "ub.poison")
    key.insert(key.end(), {OfEmpty, numEmpty++});
  if (!isMemoryEffectFree(op))
    key.insert(key.end(), {OfState, state});
  return get(std::move(key));
}

LogicalResult ValueNumbers::readRegions(Operation *op, unsigned depth,
                                        SmallVectorImpl<uint64_t> &regions,
                                        SmallVectorImpl<Fixed> &fixed) {
  for (Region &region : op->getRegions()) {
    fixed.emplace_back();
    if (region.empty()) {
      regions.push_back(~uint64_t(0));
      continue;
    }
    if (!region.hasOneBlock())
      return failure();
    Number before = state;
    FailureOr<Number> leaves =
        readBlock(region.front(), depth + 1, fixed.back());
    if (failed(leaves))
      return failure();
    regions.append({*leaves, state});
    state = before;
  }
  return success();
}

FailureOr<Number> ValueNumbers::readOp(Operation *op, unsigned depth,
                                       Fixed &fixed) {
  bool isUnused = isa<tensor::EmptyOp>(op) && op->use_empty() &&
                  !op->hasAttr(kMayBeNegativeAttrName);
  if (isUnused || readIndex(op))
    return Number(0);
  SmallVector<uint64_t> regions;
  SmallVector<Fixed> fixedInOp;
  if (failed(readRegions(op, depth, regions, fixedInOp)))
    return failure();
  Number number = getOp(op, regions);
  if (!isMemoryEffectFree(op))
    state = number;
  if (!isAnywhere(op))
    fixed.insert(number);
  for (auto [region, inRegion] : llvm::enumerate(fixedInOp)) {
    auto [it, isNew] = fixedInRegions.try_emplace(
        {number, region}, FixedInAlike{inRegion, inRegion});
    it->second.some.insert(inRegion.begin(), inRegion.end());
    std::erase_if(it->second.each, [&, &inRegion = inRegion](Number one) {
      return !inRegion.contains(one);
    });
  }
  for (OpResult result : op->getResults())
    values[result] = get(Key{OfResult, number, result.getResultNumber()});
  return number;
}

FailureOr<Number> ValueNumbers::readBlock(Block &block, unsigned depth,
                                          Fixed &fixed) {
  for (BlockArgument argument : block.getArguments())
    values[argument] =
        get(Key{OfArgument, depth, argument.getArgNumber(),
                getAddress(argument.getType().getAsOpaquePointer())});
  bool isTerminated = block.mightHaveTerminator();
  Key leaves = {OfState};
  for (Operation &op : block) {
    FailureOr<Number> number = readOp(&op, depth, fixed);
    if (failed(number))
      return failure();
    // Without one that ends the block, each op may be what counts.
    if (!isTerminated || &op == &block.back())
      leaves.push_back(*number);
  }
  return get(std::move(leaves));
}

LogicalResult ValueNumbers::read(FunctionOpInterface function) {
  state = get(Key{OfState});
  FailureOr<Number> number =
      readBlock(function.getFunctionBody().front(), 0, fixedInFunction);
  if (failed(number))
    return failure();
  left = get(Key{OfState, *number, state});
  return success();
}

bool ValueNumbers::agreesWith(const ValueNumbers &before) const {
  auto isWithin = [](const Fixed &part, const Fixed &all) {
    return llvm::all_of(part, [&](Number op) { return all.contains(op); });
  };
  return left == before.left &&
         isWithin(fixedInFunction, before.fixedInFunction) &&
         llvm::all_of(fixedInRegions, [&](const auto &region) {
           auto it = before.fixedInRegions.find(region.first);
           return it != before.fixedInRegions.end() &&
                  isWithin(region.second.some, it->second.each);
         });
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Whether both compute the same values, wherever they do.
static bool haveSameValues(FunctionOpInterface before,
                           FunctionOpInterface after) {
  if (!before.getFunctionBody().hasOneBlock() ||
      !after.getFunctionBody().hasOneBlock())
    return false;
  ValueNumbers::Numbers numbers;
  ValueNumbers first(numbers), second(numbers);
  return succeeded(first.read(before)) && succeeded(second.read(after)) &&
         second.agreesWith(first);
}

/// Whether an op in `region` names something outside of it, be it in properties
/// of an op that is not known.
static bool namesSymbols(Region &region) {
  auto isSymbol = [](SymbolRefAttr) { return WalkResult::interrupt(); };
  auto names = [&](Attribute attribute) {
    return attribute && attribute.walk(isSymbol).wasInterrupted();
  };
  return region
      .walk([&](Operation *op) {
        auto [attributes, properties] = getAllAttributes(op);
        return names(attributes) || names(properties) ? WalkResult::interrupt()
                                                      : WalkResult::advance();
      })
      .wasInterrupted();
}

bool certify::haveSameOps(FunctionOpInterface before,
                          FunctionOpInterface after) {
  if (before.isExternal() || after.isExternal() ||
      before->hasAttr(kLeftoversAttrName) ||
      after->hasAttr(kLeftoversAttrName) ||
      before.getFunctionType() != after.getFunctionType())
    return false;
  return !namesSymbols(before.getFunctionBody()) &&
         (OperationEquivalence::isRegionEquivalentTo(
              &before.getFunctionBody(), &after.getFunctionBody(),
              OperationEquivalence::IgnoreLocations) ||
          haveSameValues(before, after));
}
