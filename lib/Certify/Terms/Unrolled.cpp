//===- Unrolled.cpp - Steps of unrolled loops as one case -------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop over c that was unrolled by n leaves one case for each remainder i,
// with a local x for c = n*x + i. Where all that such cases say of x and i they
// say of c, they are one case, in which c takes the place of x.
//
//===----------------------------------------------------------------------===//

#include "Interpolation.h"
#include "RangedPiece.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

/// Pieces beyond which no steps are looked for.
static constexpr size_t kMostPieces = 256;

namespace {
/// Steps over the local `number` of `first`, which is that of remainder 0.
class UnrolledSteps {
public:
  UnrolledSteps(RangedPiece &first, unsigned number)
      : first(first), placeholder(getPlaceholder(number)),
        local(first.piece.locals[number]) {}

  /// Takes `second` for the step of remainder 1; returns false if it is none.
  bool start(const RangedPiece &second);
  /// How many steps there are, by what the first two are.
  const DynamicAPInt &getCount() const { return count; }
  bool isStep(const RangedPiece &piece, int64_t remainder) const {
    return isDomain(piece, remainder) && isValue(piece, remainder);
  }
  /// Lets the first piece hold in all steps.
  void join();

private:
  DynamicAPInt getFactor(const FormTerms &terms) const {
    return LinearExpr::form(terms).getFactor(placeholder);
  }
  /// Whether `terms` are the local alone.
  bool isOwn(const FormTerms &terms) const {
    return terms.size() == 1 && terms.front().first == placeholder;
  }
  std::optional<DynamicAPInt> findCount(const RangedPiece &second) const;
  bool isDomain(const RangedPiece &piece, int64_t remainder) const;
  bool isValue(const RangedPiece &piece, int64_t remainder) const;

  RangedPiece &first;
  Var placeholder, local;
  DynamicAPInt count;
  ExprRef value; ///< of the local and the remainder
};
} // namespace

/// The unknown that stands for the remainder.
static const Var kRemainder = getPlaceholder(1u << 30);

std::optional<DynamicAPInt>
UnrolledSteps::findCount(const RangedPiece &second) const {
  for (const auto &[terms, range] : first.ranges) {
    DynamicAPInt factor = getFactor(terms);
    auto other = second.ranges.find(terms);
    if (factor == 0 || isOwn(terms) || other == second.ranges.end())
      continue;
    std::optional<DynamicAPInt> shift = getBoundShift(range, other->second);
    if (!shift || *shift == 0 || factor % *shift != 0)
      return std::nullopt;
    return -(factor / *shift);
  }
  return std::nullopt;
}

bool UnrolledSteps::isDomain(const RangedPiece &piece,
                             int64_t remainder) const {
  if (piece.ranges.size() != first.ranges.size())
    return false;
  bool isBounded = false;
  for (const auto &[own, theirs] :
       llvm::zip_equal(first.ranges, piece.ranges)) {
    const auto &[terms, range] = own;
    if (terms != theirs.first)
      return false;
    DynamicAPInt factor = getFactor(terms), shift(0);
    if (isOwn(terms))
      isBounded = range.lower && range.upper && factor == 1;
    else if (factor % count != 0)
      return false;
    else
      shift = factor / count * -remainder;
    if (getBoundShift(range, theirs.second) != shift)
      return false;
  }
  return isBounded;
}

bool UnrolledSteps::isValue(const RangedPiece &piece, int64_t remainder) const {
  DenseMap<Var, LinearExpr> values;
  values[kRemainder] = LinearExpr(remainder);
  return Interpolation(nullptr).find(substitute(value, values),
                                     getValueIn(first, piece)) != nullptr;
}

bool UnrolledSteps::start(const RangedPiece &second) {
  std::optional<DynamicAPInt> found = findCount(second);
  if (!found || *found < 2 || *found > DynamicAPInt(int64_t(kMostPieces)))
    return false;
  count = *found;
  if (!isDomain(second, 1))
    return false;
  LinearExpr remainder = LinearExpr::var(kRemainder);
  value = Interpolation(&remainder)
              .find(first.piece.value, getValueIn(first, second));
  if (!value)
    return false;
  // The same of any two with one sum.
  DenseMap<Var, LinearExpr> next;
  next[local] = LinearExpr::var(local) + 1;
  next[kRemainder] = remainder - LinearExpr(count);
  return Interpolation(nullptr).find(value, substitute(value, next)) != nullptr;
}

void UnrolledSteps::join() {
  FormRanges ranges;
  for (auto [terms, range] : first.ranges) {
    if (isOwn(terms)) {
      range = {*range.lower * count, *range.upper * count + count - 1};
      ranges[terms] = range;
      continue;
    }
    FormTerms divided = terms;
    for (auto &[var, factor] : divided)
      if (var == placeholder)
        factor /= count;
    ranges[divided] = range;
  }
  DenseMap<Var, LinearExpr> values;
  values[local] = LinearExpr(0);
  values[kRemainder] = LinearExpr::var(local);
  first.piece.value = substitute(value, values);
  first.ranges = std::move(ranges);
  first.piece.domain =
      getDomain(first.ranges).substitute(getLocals(first.piece));
}

/// The pieces that are the other steps over the local `number` of `first`, of
/// which `second` is the next.
static bool joinSteps(RangedPiece &first, RangedPiece &second, unsigned number,
                      ArrayRef<RangedPiece *> pieces) {
  UnrolledSteps steps(first, number);
  if (!steps.start(second))
    return false;
  SmallVector<RangedPiece *> others = {&second};
  for (int64_t remainder = 2; remainder < int64_t(steps.getCount());
       ++remainder) {
    auto step = llvm::find_if(pieces, [&](RangedPiece *piece) {
      return !piece->isJoined && piece != &first &&
             steps.isStep(*piece, remainder);
    });
    if (step == pieces.end())
      return false;
    others.push_back(*step);
  }
  steps.join();
  for (RangedPiece *other : others)
    other->isJoined = true;
  return true;
}

void certify::joinUnrolled(ArrayRef<RangedPiece *> pieces) {
  if (pieces.size() > kMostPieces)
    return;
  for (RangedPiece *first : pieces)
    for (RangedPiece *second : pieces) {
      if (first == second || first->isJoined || second->isJoined)
        continue;
      for (unsigned number = 0; number < first->piece.locals.size(); ++number)
        if (joinSteps(*first, *second, number, pieces))
          break;
    }
}
