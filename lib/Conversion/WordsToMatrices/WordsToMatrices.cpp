//===- WordsToMatrices.cpp - Rows of tiles as matrices ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Conversion/Passes.h"
#include "convoy/Conversion/Utils/WordChains.h"
#include "convoy/Conversion/Utils/WordVectors.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

#include <array>
#include <vector>

namespace mlir::convoy {
#define GEN_PASS_DEF_PAIRROWSPASS
#include "convoy/Conversion/Passes.h.inc"
} // namespace mlir::convoy

using namespace mlir;
using namespace mlir::convoy;
using ::convoy::CPUDotInstruction;

static constexpr int64_t kColumns = 4; ///< of a vector of sums, at most

namespace {
/// Two rows as an instruction for matrices takes them: the sums of their first
/// two columns, and those of the others, null where there are none.
struct Blocks {
  Value low, high;
};
} // namespace

//===----------------------------------------------------------------------===//
// Finding rows
//===----------------------------------------------------------------------===//

static bool areAlike(ArrayRef<WordStep> steps, ArrayRef<WordStep> others);

/// Whether a row that goes by `step` and one that goes by `other` meet the same
/// columns.
static bool match(const WordStep &step, const WordStep &other) {
  return step.loop == other.loop && step.words.b == other.words.b &&
         step.words.parts == other.words.parts &&
         step.getOp()->getBlock() == other.getOp()->getBlock() &&
         areAlike(step.body, other.body);
}

static bool areAlike(ArrayRef<WordStep> steps, ArrayRef<WordStep> others) {
  return steps.size() == others.size() &&
         llvm::all_of(llvm::zip(steps, others), [](auto both) {
           return match(std::get<0>(both), std::get<1>(both));
         });
}

/// The sum of products that `op` ends, if it is one of words of matrices that
/// fits a vector, the first factor being a row: one word.
static std::optional<WordSum> matchRow(Operation *op) {
  std::optional<WordSum> words = matchWordSum(op);
  if (!words || !words->parts.areOfMatrices())
    return std::nullopt;
  auto type = dyn_cast<VectorType>(words->sum.getType());
  if (!type || type.getRank() != 1 || type.isScalable() ||
      type.getNumElements() < 2 || type.getNumElements() > kColumns)
    return std::nullopt;
  if (!isSplat(words->a)) {
    std::swap(words->a, words->b);
    std::swap(words->parts.aUnsigned, words->parts.bUnsigned);
  }
  auto isCarried = [](Value value) {
    return isa<BlockArgument>(value) &&
           isa<scf::ForOp>(value.getParentBlock()->getParentOp());
  };
  return isSplat(words->a) && !isCarried(words->b) ? words : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Multiplying two rows
//===----------------------------------------------------------------------===//

/// Whether `b` and not `a` comes first in the block of both.
static bool isAfter(Operation *a, Operation *b) {
  return a != b && b->isBeforeInBlock(a);
}

static Operation *getLater(Operation *a, Operation *b) {
  return isAfter(a, b) ? a : b;
}

/// Whether the results of two rows are not used before both are computed.
static bool areUsedAfter(const WordChain &first, const WordChain &second) {
  Operation *last =
      getLater(first.steps.back().getOp(), second.steps.back().getOp());
  auto isUsedAfter = [&](Operation *user) {
    Operation *inBlock = last->getBlock()->findAncestorOpInBlock(*user);
    return inBlock && isAfter(inBlock, last);
  };
  return llvm::all_of(first.end.getUsers(), isUsedAfter) &&
         llvm::all_of(second.end.getUsers(), isUsedAfter);
}

namespace {
/// Multiplies rows by instructions for matrices.
class RowPairs {
public:
  explicit RowPairs(IRRewriter &rewriter) : rewriter(rewriter) {}

  /// Replaces the results of `first` and `second`, which match or are one, by
  /// those of `instruction` for words of `parts`, the rows' being `a`.
  void replace(const CPUDotInstruction &instruction, const WordParts &parts,
               const WordChain &first, const WordChain &second);

private:
  /// What is left of `blocks` after `steps` of their rows.
  Blocks multiply(Blocks blocks, ArrayRef<WordStep> first,
                  ArrayRef<WordStep> second);
  Blocks multiplyIn(scf::ForOp loop, Blocks blocks, const WordStep &first,
                    const WordStep &second);
  Blocks multiply(Blocks blocks, const WordStep &first, const WordStep &second);
  /// The blocks of rows that start with `first` and `second`.
  Blocks createBlocks(Location loc, Value first, Value second);
  /// The first or the second of the rows of `blocks`.
  Value createRow(Location loc, Blocks blocks, int64_t row);
  /// The words of two rows.
  Value createRows(Location loc, Value first, Value second);
  Value shuffle(Location loc, Value a, Value b, ArrayRef<int64_t> mask) {
    return vector::ShuffleOp::create(rewriter, loc, a, b, mask);
  }
  /// `number`, or the last column.
  int64_t getColumn(int64_t number) const {
    return std::min(number, columns - 1);
  }
  /// Where the sum of a row and a column is in the block of that column.
  int64_t getPlace(int64_t row, int64_t column) const {
    return rowsFirst ? 2 * row + column % 2 : 2 * (column % 2) + row;
  }

  /// What `loop` has become where it carries more.
  scf::ForOp getCurrent(scf::ForOp loop) const {
    scf::ForOp newer = loops.lookup(loop);
    return newer ? newer : loop;
  }
  Operation *getCurrentOp(const WordStep &step) const {
    return step.loop ? getCurrent(step.loop).getOperation() : step.sum;
  }
  /// What `step` starts from, and what it results in.
  Value getStart(const WordStep &step) const {
    return step.loop ? getCurrent(step.loop).getInitArgs()[step.number]
                     : getAddend(step.first).get();
  }
  Value getEnd(const WordStep &step) const {
    return getCurrentOp(step)->getResult(step.number);
  }

  IRRewriter &rewriter;
  DenseMap<Operation *, scf::ForOp> loops;
  const CPUDotInstruction *instruction = nullptr;
  bool rowsFirst = true; ///< whether the instruction's first factor is the rows
  int64_t columns = kColumns;
};
} // namespace

Blocks RowPairs::createBlocks(Location loc, Value first, Value second) {
  auto createBlock = [&](int64_t begin) {
    SmallVector<int64_t> mask(4);
    for (int64_t column : {begin, begin + 1})
      for (int64_t row : {0, 1})
        mask[getPlace(row, column)] = row * columns + getColumn(column);
    return shuffle(loc, first, second, mask);
  };
  SplatElementsAttr splat, other;
  if (columns == kColumns && matchPattern(first, m_Constant(&splat)) &&
      matchPattern(second, m_Constant(&other)) && splat == other)
    return {first, second};
  return {createBlock(0), columns > 2 ? createBlock(2) : Value()};
}

Value RowPairs::createRow(Location loc, Blocks blocks, int64_t row) {
  SmallVector<int64_t> mask;
  for (int64_t column = 0; column < columns; ++column)
    mask.push_back(4 * (column / 2) + getPlace(row, column));
  return shuffle(loc, blocks.low, blocks.high ? blocks.high : blocks.low, mask);
}

Value RowPairs::createRows(Location loc, Value first, Value second) {
  auto getWord = [](Value row) {
    auto shuffle = row.getDefiningOp<vector::ShuffleOp>();
    if (!shuffle)
      return std::pair(row, int64_t(0));
    int64_t word = shuffle.getMask()[0];
    int64_t size = shuffle.getV1VectorType().getNumElements();
    return word < size ? std::pair(Value(shuffle.getV1()), word)
                       : std::pair(Value(shuffle.getV2()), word - size);
  };
  auto [a, wordOfA] = getWord(first);
  auto [b, wordOfB] = getWord(second);
  int64_t size = cast<VectorType>(a.getType()).getNumElements();
  return shuffle(loc, a, b, {wordOfA, size + wordOfB});
}

Blocks RowPairs::multiply(Blocks blocks, const WordStep &first,
                          const WordStep &second) {
  Operation *last = getLater(first.sum, second.sum);
  Location loc = last->getLoc();
  rewriter.setInsertionPoint(last);
  auto type = cast<VectorType>(blocks.low.getType());
  Value rows =
      castToParts(rewriter, loc, createRows(loc, first.words.a, second.words.a),
                  first.words.parts);
  auto call = [&](Value sums, int64_t begin) -> Value {
    if (!sums)
      return {};
    Value words = shuffle(loc, first.words.b, first.words.b,
                          {begin, getColumn(begin + 1)});
    SmallVector<Value> operands = {
        sums, rows, castToParts(rewriter, loc, words, first.words.parts)};
    if (!rowsFirst)
      std::swap(operands[1], operands[2]);
    return callDotInstruction(rewriter, loc, *instruction, type, operands);
  };
  Value low = call(blocks.low, 0);
  return {low, call(blocks.high, 2)};
}

Blocks RowPairs::multiplyIn(scf::ForOp loop, Blocks blocks,
                            const WordStep &first, const WordStep &second) {
  SmallVector<Value> inits = {blocks.low};
  if (blocks.high)
    inits.push_back(blocks.high);
  rewriter.setInsertionPoint(loop);
  auto yieldCarried = [](OpBuilder &, Location,
                         ArrayRef<BlockArgument> carried) {
    return SmallVector<Value>(carried.begin(), carried.end());
  };
  auto newLoop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, inits, /*replaceInitOperandUsesInLoop=*/false, yieldCarried));
  loops[first.loop] = newLoop;
  auto carried = newLoop.getRegionIterArgs();
  size_t low = carried.size() - inits.size();
  Blocks inside =
      multiply({carried[low], blocks.high ? carried[low + 1] : Value()},
               first.body, second.body);
  Operation *end = newLoop.getBody()->getTerminator();
  end->setOperand(low, inside.low);
  if (inside.high)
    end->setOperand(low + 1, inside.high);
  // Nothing is added to the rows any more.
  for (unsigned number : {first.number, second.number})
    end->setOperand(number, carried[number]);
  return {newLoop.getResult(low),
          blocks.high ? newLoop.getResult(low + 1) : Value()};
}

Blocks RowPairs::multiply(Blocks blocks, ArrayRef<WordStep> first,
                          ArrayRef<WordStep> second) {
  for (auto [step, other] : llvm::zip_equal(first, second))
    blocks = step.loop ? multiplyIn(getCurrent(step.loop), blocks, step, other)
                       : multiply(blocks, step, other);
  return blocks;
}

void RowPairs::replace(const CPUDotInstruction &newInstruction,
                       const WordParts &parts, const WordChain &first,
                       const WordChain &second) {
  instruction = &newInstruction;
  rowsFirst = instruction->aUnsigned == instruction->bUnsigned ||
              parts.aUnsigned == instruction->aUnsigned;
  const WordStep &start = first.steps.front(), &other = second.steps.front();
  columns = cast<VectorType>(getStart(start).getType()).getNumElements();
  rewriter.setInsertionPoint(
      getLater(getCurrentOp(start), getCurrentOp(other)));
  Location loc = getCurrentOp(start)->getLoc();
  Blocks blocks = multiply(createBlocks(loc, getStart(start), getStart(other)),
                           first.steps, second.steps);
  const WordStep &last = first.steps.back(), &otherLast = second.steps.back();
  rewriter.setInsertionPointAfter(
      getLater(getCurrentOp(last), getCurrentOp(otherLast)));
  getEnd(last).replaceAllUsesWith(createRow(loc, blocks, 0));
  if (&first != &second)
    getEnd(otherLast).replaceAllUsesWith(createRow(loc, blocks, 1));
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// What the words hold that `steps` multiply.
static WordParts getParts(ArrayRef<WordStep> steps) {
  return steps.front().loop ? getParts(steps.front().body)
                            : steps.front().words.parts;
}

namespace {
struct PairRowsPass final : mlir::convoy::impl::PairRowsPassBase<PairRowsPass> {
  using Base::Base;

  void runOnOperation() override {
    TargetAttr target = TargetAttr::lookup(getOperation());
    IRRewriter rewriter(&getContext());
    RowPairs pairs(rewriter);
    for (const auto &[rows, instruction] : pairRows(target))
      pairs.replace(*instruction, getParts(rows.front().steps), rows.front(),
                    rows.back());
    eraseUnused(getOperation());
  }

private:
  /// Two rows that match, or one alone, and what multiplies them.
  struct Pair {
    SmallVector<WordChain, 2> rows;
    const CPUDotInstruction *instruction;
  };

  std::vector<Pair> pairRows(TargetAttr target) {
    std::vector<Pair> pairs;
    for (WordChain &row : WordChainFinder(getOperation(), matchRow).find()) {
      const CPUDotInstruction *instruction =
          findDotInstruction(getParts(row.steps), target, 4 * kColumns);
      if (!instruction)
        continue;
      auto other = llvm::find_if(pairs, [&](const Pair &pair) {
        return pair.rows.size() == 1 &&
               areAlike(row.steps, pair.rows[0].steps) &&
               areUsedAfter(pair.rows[0], row);
      });
      if (other == pairs.end())
        pairs.push_back({{row}, instruction});
      else
        other->rows.push_back(row);
    }
    return pairs;
  }
};
} // namespace
