//===- Divisibility.cpp - Indices that are multiples ------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Transforms/Utils/Divisibility.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::convoy;

namespace {
/// Goes from a value to those that it is computed from. What is carried around
/// a loop is a multiple if it is one at first and if each iteration that begins
/// with one leaves one, so that a value may rest on itself.
class Search {
public:
  bool isMultiple(Value value, int64_t divisor) {
    if (divisor == 1)
      return true;
    if (++numSteps > kMaxSteps)
      return false;
    if (llvm::is_contained(path, std::pair(value, divisor)))
      return true;
    path.push_back({value, divisor});
    bool result = isMultipleBySource(value, divisor);
    path.pop_back();
    return result;
  }

private:
  bool isMultipleBySource(Value value, int64_t divisor) {
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return constant.countr_zero() >= unsigned(llvm::Log2_64(divisor));
    if (auto argument = dyn_cast<BlockArgument>(value))
      return isMultipleArgument(argument, divisor);
    return isMultipleResult(cast<OpResult>(value), divisor);
  }

  bool areMultiples(ValueRange values, int64_t divisor) {
    return llvm::all_of(
        values, [&](Value value) { return isMultiple(value, divisor); });
  }

  bool isMultipleArgument(BlockArgument argument, int64_t divisor) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop)
      return false;
    if (argument == loop.getInductionVar())
      return areMultiples({loop.getLowerBound(), loop.getStep()}, divisor);
    unsigned number = argument.getArgNumber() - loop.getNumInductionVars();
    return isCarriedMultiple(loop, number, divisor);
  }

  bool isCarriedMultiple(scf::ForOp loop, unsigned number, int64_t divisor) {
    return areMultiples(
        {loop.getInitArgs()[number], loop.getYieldedValues()[number]}, divisor);
  }

  bool isMultipleResult(OpResult result, int64_t divisor) {
    Operation *op = result.getOwner();
    unsigned number = result.getResultNumber();
    return TypeSwitch<Operation *, bool>(op)
        .Case<arith::AddIOp, arith::SubIOp, arith::MinUIOp, arith::MaxUIOp,
              arith::MinSIOp, arith::MaxSIOp, arith::RemUIOp, arith::RemSIOp>(
            [&](auto) { return areMultiples(op->getOperands(), divisor); })
        .Case<arith::IndexCastOp, arith::IndexCastUIOp>(
            [&](auto) { return isMultiple(op->getOperand(0), divisor); })
        .Case([&](arith::MulIOp product) {
          return isMultipleProduct(product, divisor);
        })
        .Case([&](arith::ShLIOp shift) {
          APInt bits;
          if (!matchPattern(shift.getRhs(), m_ConstantInt(&bits)))
            return isMultiple(shift.getLhs(), divisor);
          int64_t factor = int64_t(1) << bits.getLimitedValue(62);
          return isMultiple(shift.getLhs(),
                            std::max<int64_t>(divisor / factor, 1));
        })
        .Case([&](arith::AndIOp both) {
          return isMultiple(both.getLhs(), divisor) ||
                 isMultiple(both.getRhs(), divisor);
        })
        .Case([&](arith::SelectOp select) {
          return areMultiples({select.getTrueValue(), select.getFalseValue()},
                              divisor);
        })
        .Case([&](scf::ForOp loop) {
          return isCarriedMultiple(loop, number, divisor);
        })
        .Case([&](scf::IfOp branch) {
          return areMultiples({branch.thenYield().getOperand(number),
                               branch.elseYield().getOperand(number)},
                              divisor);
        })
        .Default(false);
  }

  bool isMultipleProduct(arith::MulIOp product, int64_t divisor) {
    APInt factor;
    if (!matchPattern(product.getRhs(), m_ConstantInt(&factor)))
      return isMultiple(product.getLhs(), divisor) ||
             isMultiple(product.getRhs(), divisor);
    int64_t common = int64_t(1) << std::min(factor.countr_zero(),
                                            unsigned(llvm::Log2_64(divisor)));
    return isMultiple(product.getLhs(), divisor / common);
  }

  /// Enough for any index that people or passes write.
  static constexpr unsigned kMaxSteps = 1000;
  unsigned numSteps = 0;
  SmallVector<std::pair<Value, int64_t>> path;
};
} // namespace

bool mlir::convoy::isMultipleOf(Value value, int64_t divisor) {
  return Search().isMultiple(value, divisor);
}

SmallVector<int64_t> mlir::convoy::getDivisors(int64_t number) {
  if (number > int64_t(1) << 40)
    return {number, 1};
  SmallVector<int64_t> large, small;
  for (int64_t divisor = 1; divisor * divisor <= number; ++divisor)
    if (number % divisor == 0) {
      large.push_back(number / divisor);
      if (divisor * divisor != number)
        small.push_back(divisor);
    }
  llvm::append_range(large, llvm::reverse(small));
  return large;
}

int64_t mlir::convoy::divideEvenly(int64_t size, int64_t most) {
  return llvm::divideCeil(size, llvm::divideCeil(size, most));
}
