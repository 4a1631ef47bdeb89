//===- Merging.cpp - Fewer cases that say the same ---------------- -*- C++
//-*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Merging.h"
#include "Interpolation.h"
#include "Simplify.h"

#include "llvm/ADT/SmallVectorExtras.h"

#include <map>

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

//===----------------------------------------------------------------------===//
// Domains
//===----------------------------------------------------------------------===//

namespace {
/// What a form lies between, if anything.
struct FormRange {
  std::optional<DynamicAPInt> lower, upper;

  bool operator==(const FormRange &other) const = default;
  bool isPoint() const { return lower && upper && *lower == *upper; }
};
} // namespace

/// A linear form without its constant.
using FormTerms = std::vector<std::pair<Var, DynamicAPInt>>;
/// What all forms of a domain lie between.
using FormRanges = std::map<FormTerms, FormRange>;

/// Nothing if a constraint without unknowns does not hold.
static std::optional<FormRanges> getRanges(const System &domain) {
  FormRanges ranges;
  for (const Constraint &constraint : domain.getConstraints()) {
    LinearExpr form = constraint.expr;
    if (form.isConstant()) {
      if (form.getConstant() < 0 ||
          (constraint.isEquality && form.getConstant() != 0))
        return std::nullopt;
      continue;
    }
    bool isNegated = form.getTerms().front().second < 0;
    if (isNegated)
      form *= DynamicAPInt(-1);
    FormRange &range =
        ranges[FormTerms(form.getTerms().begin(), form.getTerms().end())];
    DynamicAPInt bound = -form.getConstant();
    bool isLower = constraint.isEquality || !isNegated;
    bool isUpper = constraint.isEquality || isNegated;
    if (isLower && (!range.lower || *range.lower < bound))
      range.lower = bound;
    if (isUpper && (!range.upper || bound < *range.upper))
      range.upper = bound;
  }
  return ranges;
}

/// Adds that `form` lies within `range`.
static void addRange(System &domain, const LinearExpr &form,
                     const FormRange &range) {
  if (range.isPoint()) {
    domain.addEqual(form, LinearExpr(*range.lower));
    return;
  }
  if (range.lower)
    domain.addAtMost(LinearExpr(*range.lower), form);
  if (range.upper)
    domain.addAtMost(form, LinearExpr(*range.upper));
}

static System getDomain(const FormRanges &ranges) {
  System domain;
  for (const auto &[terms, range] : ranges)
    addRange(domain, LinearExpr::form(terms), range);
  return domain;
}

/// An unknown of `form` and what it is where `form` is `value`, if its factor
/// is one.
static DenseMap<Var, LinearExpr> solveForm(const LinearExpr &form,
                                           const DynamicAPInt &value) {
  DenseMap<Var, LinearExpr> values;
  for (const auto &[var, factor] : form.getTerms())
    if (llvm::abs(factor) == 1) {
      LinearExpr rest = form - LinearExpr::var(var) * factor;
      values[var] = (LinearExpr(value) - rest) * factor;
      break;
    }
  return values;
}

/// What the other forms of `ranges` lie between where `terms` are `value`.
static std::optional<FormRanges> getOthersAt(FormRanges ranges,
                                             const FormTerms &terms,
                                             const DynamicAPInt &value) {
  ranges.erase(terms);
  DenseMap<Var, LinearExpr> values = solveForm(LinearExpr::form(terms), value);
  return getRanges(getDomain(ranges).substitute(values));
}

/// By how much both bounds of `second` are greater than those of `first`.
static std::optional<DynamicAPInt> getShift(const FormRange &first,
                                            const FormRange &second) {
  if (first.lower.has_value() != second.lower.has_value() ||
      first.upper.has_value() != second.upper.has_value())
    return std::nullopt;
  DynamicAPInt shift =
      first.lower ? *second.lower - *first.lower : *second.upper - *first.upper;
  bool isSame =
      !first.lower || !first.upper || *second.upper - *first.upper == shift;
  return isSame ? std::optional(shift) : std::nullopt;
}

/// Of two domains in which `terms` are points that follow each other, and other
/// forms lie between bounds that all are shifted: the domain that each of them
/// is where `terms` are its point.
static std::optional<FormRanges> joinPoints(const FormRanges &first,
                                            const FormRanges &second,
                                            const FormTerms &terms) {
  if (first.size() != second.size())
    return std::nullopt;
  LinearExpr step =
      LinearExpr::form(terms) - LinearExpr(*first.at(terms).lower);
  System domain;
  for (auto [a, b] : llvm::zip_equal(first, second)) {
    if (a.first != b.first)
      return std::nullopt;
    if (a.first == terms) {
      addRange(domain, step, {DynamicAPInt(0), DynamicAPInt(1)});
      continue;
    }
    std::optional<DynamicAPInt> shift = getShift(a.second, b.second);
    if (!shift)
      return std::nullopt;
    addRange(domain, LinearExpr::form(a.first) - step * *shift, a.second);
  }
  return getRanges(domain);
}

/// Whether both domains are the same but for what `terms` lie between.
static bool haveSameOthers(const FormRanges &first, const FormRanges &second,
                           const FormTerms &terms) {
  return first.size() == second.size() &&
         llvm::all_of(llvm::zip_equal(first, second), [&](const auto &both) {
           const auto &[a, b] = both;
           return a.first == b.first &&
                  (a.second == b.second || a.first == terms);
         });
}

/// The union of two domains, where all that `terms` are in the second follows
/// what they are in the first; nothing if it is not known to be one domain.
static std::optional<FormRanges> joinDomains(const FormRanges &first,
                                             const FormRanges &second,
                                             const FormTerms &terms) {
  const FormRange &low = first.at(terms), &high = second.at(terms);
  FormRanges all = first;
  if (haveSameOthers(first, second, terms)) {
    all[terms].upper = high.upper;
    if (!low.lower && !high.upper)
      all.erase(terms);
    return all;
  }
  if (low.isPoint() && high.isPoint())
    return joinPoints(first, second, terms);
  if (!low.isPoint() && !high.isPoint())
    return std::nullopt;
  const DynamicAPInt &point = high.isPoint() ? *high.lower : *low.lower;
  std::optional<FormRanges> others = getOthersAt(first, terms, point);
  if (!others || others != getOthersAt(second, terms, point))
    return std::nullopt;
  if (low.isPoint())
    all = second;
  all[terms] = {low.lower, high.upper};
  return all;
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

namespace {
/// A piece and what says where it holds, with an unknown in the place of each
/// local that all pieces share.
struct RangedPiece {
  Piece piece;
  Operation *origin;
  FormRanges ranges;
  bool isJoined = false; ///< to another, which holds here now
};
} // namespace

/// The unknown in the place of a local: no solver gives out as many.
static Var getPlaceholder(unsigned number) { return (Var(1) << 31) + number; }

static DenseMap<Var, LinearExpr> getLocals(const Piece &piece) {
  DenseMap<Var, LinearExpr> values;
  for (auto [number, local] : llvm::enumerate(piece.locals))
    values[getPlaceholder(number)] = LinearExpr::var(local);
  return values;
}

static DenseMap<Var, LinearExpr> getPlaceholders(const Piece &piece) {
  DenseMap<Var, LinearExpr> values;
  for (auto [number, local] : llvm::enumerate(piece.locals))
    values[local] = LinearExpr::var(getPlaceholder(number));
  return values;
}

/// The value of both pieces as one expression of the locals of the first, or
/// null, where what `terms` are in the second follows what they are in the
/// first.
static ExprRef findCommonValue(const RangedPiece &first,
                               const RangedPiece &second,
                               const FormTerms &terms) {
  LinearExpr form = LinearExpr::form(terms).substitute(getLocals(first.piece));
  DenseMap<Var, LinearExpr> renamed;
  for (auto [theirs, ours] :
       llvm::zip_equal(second.piece.locals, first.piece.locals))
    renamed[theirs] = LinearExpr::var(ours);
  ExprRef ofFirst = first.piece.value;
  ExprRef ofSecond = substitute(second.piece.value, renamed);
  if (ExprRef same = Interpolation(nullptr).find(ofFirst, ofSecond))
    return same;
  const FormRange &low = first.ranges.at(terms),
                  &high = second.ranges.at(terms);
  auto at = [&](const ExprRef &value, const FormRange &range) {
    return substitute(value, solveForm(form, *range.lower));
  };
  auto areSameAt = [&](const FormRange &range) {
    return range.isPoint() &&
           Interpolation(nullptr).find(at(ofFirst, range), at(ofSecond, range));
  };
  if (areSameAt(high))
    return ofFirst;
  if (areSameAt(low))
    return ofSecond;
  if (!low.isPoint() || !high.isPoint())
    return nullptr;
  LinearExpr number = form - LinearExpr(*low.lower);
  return Interpolation(&number).find(at(ofFirst, low), at(ofSecond, high));
}

namespace {
/// Pieces of one kind, by what their forms are at least.
class Neighbours {
public:
  void add(RangedPiece &piece) {
    for (const auto &[terms, range] : piece.ranges)
      if (range.lower)
        byLower[{terms, *range.lower}].push_back(&piece);
    all.push_back(&piece);
  }

  void join() {
    bool isDone = false;
    while (!isDone) {
      isDone = true;
      for (RangedPiece *piece : all)
        while (!piece->isJoined && joinNext(*piece))
          isDone = false;
    }
  }

private:
  /// Lets `first` hold where one that follows it does, too, if both are one
  /// expression; returns whether there is one.
  bool joinNext(RangedPiece &first) {
    for (const auto &[terms, range] : first.ranges) {
      if (!range.upper || (range.lower && *range.upper < *range.lower))
        continue;
      auto next = byLower.find({terms, *range.upper + 1});
      if (next == byLower.end())
        continue;
      for (RangedPiece *second : next->second)
        if (second != &first && !second->isJoined &&
            join(first, *second, terms))
          return true;
    }
    return false;
  }

  /// `terms` are a copy: the first's forms change.
  bool join(RangedPiece &first, RangedPiece &second, FormTerms terms) {
    auto next = second.ranges.find(terms);
    bool isNext = next != second.ranges.end() && next->second.lower &&
                  *next->second.lower == *first.ranges.at(terms).upper + 1;
    if (!isNext)
      return false;
    std::optional<FormRanges> ranges =
        joinDomains(first.ranges, second.ranges, terms);
    ExprRef value = ranges ? findCommonValue(first, second, terms) : nullptr;
    if (!value)
      return false;
    first.ranges = std::move(*ranges);
    first.piece.value = value;
    first.piece.domain =
        getDomain(first.ranges).substitute(getLocals(first.piece));
    second.isJoined = true;
    for (const auto &[form, range] : first.ranges)
      if (range.lower)
        byLower[{form, *range.lower}].push_back(&first);
    return true;
  }

  SmallVector<RangedPiece *> all;
  std::map<std::pair<FormTerms, DynamicAPInt>, SmallVector<RangedPiece *, 1>>
      byLower;
};
} // namespace

/// What pieces have in common that may be one.
static std::string getKind(const Piece &piece) {
  std::string shape = getShape(piece.value).value_or("");
  return (Twine(piece.locals.size()) + " " +
          Twine(unsigned(piece.value->kind)) + " " +
          Twine(piece.value->families.size()) + " " + shape)
      .str();
}

/// Joins neighbours of `pieces`; leaves what holds nowhere as it is.
static void joinNeighbours(SmallVectorImpl<RangedPiece> &pieces) {
  std::map<std::string, Neighbours> kinds;
  for (RangedPiece &one : pieces) {
    std::optional<FormRanges> ranges =
        getRanges(one.piece.domain.substitute(getPlaceholders(one.piece)));
    if (!ranges)
      continue;
    one.ranges = std::move(*ranges);
    kinds[getKind(one.piece)].add(one);
  }
  for (auto &[kind, neighbours] : kinds)
    neighbours.join();
  llvm::erase_if(pieces, [](const RangedPiece &one) { return one.isJoined; });
}

void certify::mergeNeighbours(Pieces &pieces) {
  if (pieces.size() < 2)
    return;
  SmallVector<RangedPiece, 0> ranged;
  for (Piece &piece : pieces)
    ranged.push_back({std::move(piece), nullptr, {}});
  joinNeighbours(ranged);
  pieces = llvm::map_to_vector<0>(
      ranged, [](RangedPiece &one) { return std::move(one.piece); });
}

bool certify::compact(Piece &piece, const System &context) {
  DenseMap<Var, LinearExpr> values;
  if (!piece.domain.compact(piece.locals, values, context))
    return false;
  piece.value = substitute(piece.value, values);
  llvm::SmallDenseSet<Var> used = getUnknowns(piece.value);
  piece.domain.dropQuotients(piece.locals,
                             [&](Var var) { return used.contains(var); });
  return true;
}

/// Joins those of `families` that may be one; `compact` takes out of each what
/// nothing needs, and returns false if it has no terms.
static void joinFamilies(Families &families,
                         llvm::function_ref<bool(Piece &)> compact) {
  SmallVector<RangedPiece, 0> ranged;
  for (const Family &family : families) {
    Piece piece{family.instance, family.domain, family.term};
    if (compact(piece))
      ranged.push_back({std::move(piece), family.origin, {}});
  }
  joinNeighbours(ranged);
  families = llvm::map_to_vector<0>(ranged, [](const RangedPiece &one) {
    return Family{one.piece.locals, one.piece.domain, one.piece.value,
                  one.origin};
  });
}

void certify::mergeNeighbours(Families &families) {
  if (families.size() > 1)
    joinFamilies(families, [](Piece &piece) { return compact(piece); });
}

void certify::dropIfImplied(
    System &domain, const System &around,
    llvm::function_ref<bool(const Constraint &)> mayDrop,
    llvm::function_ref<bool(const System &, const Constraint &)> implies) {
  SmallVector<Constraint> kept(domain.getConstraints());
  for (size_t number = 0; number < kept.size();) {
    bool isCandidate = !kept[number].isEquality && mayDrop(kept[number]);
    System others = around;
    for (auto [other, known] : llvm::enumerate(kept))
      if (isCandidate && other != number)
        others.add(known);
    if (isCandidate && implies(others, kept[number]))
      kept.erase(kept.begin() + number);
    else
      ++number;
  }
  if (kept.size() == domain.getConstraints().size())
    return;
  domain = System();
  for (Constraint &constraint : kept)
    domain.add(std::move(constraint));
}

void certify::dropImplied(Solver &solver, System &domain, ArrayRef<Var> locals,
                          const System &around) {
  constexpr size_t FewTerms = 4;
  System context;
  for (const Constraint &constraint : around.getConstraints())
    if (llvm::none_of(constraint.expr.getTerms(), [&](const auto &term) {
          return llvm::is_contained(locals, term.first);
        }))
      context.add(constraint);
  dropIfImplied(
      domain, context,
      [](const Constraint &constraint) {
        return constraint.expr.getTerms().size() > FewTerms;
      },
      [&](const System &others, const Constraint &constraint) {
        return solver.impliesPlainly(others, constraint);
      });
}

ExprRef certify::compactTerms(Solver &solver, const ExprRef &expr,
                              const System &context) {
  using Kind = Expr::Kind;
  if (expr->kind == Kind::Apply) {
    SmallVector<ExprRef> operands =
        llvm::map_to_vector(expr->operands, [&](const ExprRef &operand) {
          return compactTerms(solver, operand, context);
        });
    return operands == expr->operands ? expr : remake(expr, operands);
  }
  bool hasTerms = expr->kind == Kind::Sum || expr->kind == Kind::Extremum;
  if (!hasTerms || llvm::all_of(expr->families, isEverywhere))
    return expr;
  Families families = expr->families;
  joinFamilies(families, [&](Piece &piece) {
    if (!compact(piece, context))
      return false;
    dropImplied(solver, piece.domain, piece.locals, context);
    return compact(piece, context);
  });
  return remake(*expr, families);
}
