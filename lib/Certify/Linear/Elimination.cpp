//===- Elimination.cpp - Unknowns expressed in others -----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Unknowns.h"

using namespace mlir;
using namespace mlir::convoy::certify;

namespace {
/// Takes unknowns out of a system one by one.
class Eliminator : Unknowns {
public:
  using Unknowns::Unknowns;

  /// Looks for points if nothing else is left to do and it `mayAsk`.
  Elimination run(bool mayAsk) {
    while (useUnitEquation() || useEquation() || divideEquation() ||
           useBounds() || divideBounds() || useMultiples() || useRemainder() ||
           useShift() || useTwoValues() || useDeferred() ||
           (mayAsk && useOnlyValue()) || useSum())
      ;
    return finish();
  }

private:
  /// x + rest = 0.
  bool useUnitEquation() {
    for (const Constraint &constraint : constraints)
      if (constraint.isEquality)
        for (const auto &[var, factor] : constraint.expr.getTerms())
          if (llvm::abs(factor) == 1 && isUnsolved(var)) {
            solve(var, LinearExpr::var(var) - constraint.expr * factor);
            return true;
          }
    return false;
  }

  /// a*x + rest = 0, no other unknown in the rest: x is the rest's quotient;
  /// the equation stays, and says that a divides it.
  bool useEquation() {
    for (const Constraint &constraint : constraints)
      if (constraint.isEquality && countUnsolved(constraint.expr) == 1)
        for (const auto &[var, factor] : constraint.expr.getTerms())
          if (isUnsolved(var)) {
            LinearExpr rest = constraint.expr - LinearExpr::var(var) * factor;
            DynamicAPInt sign(factor > 0 ? -1 : 1);
            solveByQuotient(var, rest * sign, llvm::abs(factor));
            return true;
          }
    return false;
  }

  /// g*(a*x + b*y) + rest = 0: a*x + b*y is the rest's quotient with the other
  /// sign; another equation says that g divides the rest.
  bool divideEquation() {
    for (Constraint &constraint : constraints) {
      std::optional<Sum> sum =
          constraint.isEquality ? getSum(constraint) : std::nullopt;
      if (!sum || sum->divisor == 1)
        continue;
      LinearExpr dividend = sum->rest * DynamicAPInt(-1);
      LinearExpr quotient = makeQuotient(dividend, sum->divisor);
      LinearExpr left = dividend - quotient * sum->divisor;
      constraint.expr = sum->unknowns - quotient;
      constraints.push_back({left, /*isEquality=*/true});
      return true;
    }
    return false;
  }

  /// a*x <= e + u and a*x >= e + u - r, where u, the other unknowns' part, lies
  /// from l to m: x = floor((e + m) / a) if r + m - l < a.
  bool useBound(const Constraint &upper) {
    for (const auto &[var, factor] : upper.expr.getTerms()) {
      if (!isUnsolved(var) || factor >= 0)
        continue;
      std::optional<Range> others = getRangeOfOthers(upper.expr, var);
      std::optional<DynamicAPInt> width =
          others ? getWidth(upper) : std::nullopt;
      DynamicAPInt divisor = -factor;
      if (!width || *width + others->most - others->least >= divisor)
        continue;
      LinearExpr dividend = dropUnsolved(upper.expr) + LinearExpr(others->most);
      solveByQuotient(var, dividend, divisor);
      return true;
    }
    return false;
  }

  bool useBounds() {
    for (const Constraint &constraint : constraints) {
      if (useBound(constraint))
        return true;
      // An equation is a bound from below, too.
      if (constraint.isEquality &&
          useBound({constraint.expr * DynamicAPInt(-1), true}))
        return true;
    }
    return false;
  }

  /// divisor * unknowns + rest lies from 0 to less than the divisor, where no
  /// number divides all factors of the unknowns, two or more.
  struct Sum {
    LinearExpr unknowns, rest;
    DynamicAPInt divisor;
  };

  std::optional<Sum> getSum(const Constraint &constraint) const {
    if (countUnsolved(constraint.expr) < 2)
      return std::nullopt;
    LinearExpr rest = dropUnsolved(constraint.expr);
    LinearExpr multiple = constraint.expr - rest;
    LinearExpr unknowns = multiple.divideByFactors().first;
    DynamicAPInt divisor =
        multiple.getTerms().front().second / unknowns.getTerms().front().second;
    std::optional<DynamicAPInt> width = getWidth(constraint);
    if (!width || *width >= divisor)
      return std::nullopt;
    return Sum{unknowns, rest, divisor};
  }

  /// What is 0 where `sum` lies between its bounds.
  LinearExpr getZero(const Sum &sum) {
    return sum.unknowns +
           (sum.divisor == 1 ? sum.rest : makeQuotient(sum.rest, sum.divisor));
  }

  /// g*(x + b*y) <= e and g*(x + b*y) >= e - r, where r < g: the sum is e's
  /// quotient by g, and says what x is.
  bool divideBounds() {
    for (const Constraint &upper : constraints) {
      std::optional<Sum> sum = upper.isEquality ? std::nullopt : getSum(upper);
      if (!sum)
        continue;
      const auto *x =
          llvm::find_if(sum->unknowns.getTerms(), [](const auto &term) {
            return llvm::abs(term.second) == 1;
          });
      if (x == sum->unknowns.getTerms().end())
        continue;
      solve(x->first, LinearExpr::var(x->first) - getZero(*sum) * x->second);
      return true;
    }
    return false;
  }

  /// a*x + b*y + rest = 0: what is left stands in the place of multiples of a*x
  /// where y may be known by it. The equation says the rest of x.
  bool useMultiples() {
    for (const Constraint &equation : constraints) {
      if (!equation.isEquality || countUnsolved(equation.expr) < 2)
        continue;
      for (const auto &[var, factor] : equation.expr.getTerms()) {
        if (!isUnsolved(var) || llvm::is_contained(replaced, var))
          continue;
        bool isUsed = false;
        for (Constraint &other : constraints) {
          DynamicAPInt multiple = other.expr.getFactor(var);
          if (&other == &equation || multiple == 0 || multiple % factor != 0 ||
              other.expr.getTerms().size() < 2)
            continue;
          other.expr = other.expr - equation.expr * (multiple / factor);
          isUsed = true;
        }
        if (!isUsed)
          continue;
        replaced.push_back(var);
        return true;
      }
    }
    return false;
  }

  /// l <= x <= l + w.
  struct Shift {
    Var var;
    LinearExpr lower; ///< x - l
    DynamicAPInt width;
  };

  std::optional<Shift> findShift() const {
    for (const Constraint &lower : constraints) {
      if (lower.isEquality || lower.expr.getTerms().size() < 2 ||
          countUnsolved(lower.expr) != 1)
        continue;
      for (const auto &[var, factor] : lower.expr.getTerms())
        for (const Constraint &upper : constraints) {
          LinearExpr width = lower.expr + upper.expr;
          if (factor == 1 && isUnsolved(var) && !upper.isEquality &&
              width.isConstant() && !llvm::is_contained(shifted, var))
            return Shift{var, lower.expr, width.getConstant()};
        }
    }
    return std::nullopt;
  }

  /// x is what a new unknown from 0 to w is beside l, which stands with it
  /// elsewhere.
  bool useShift() {
    std::optional<Shift> shift = findShift();
    if (!shift)
      return false;
    // Not again beside another bound, which would bring back the first.
    shifted.push_back(solver.makeVar());
    result.unsolved.push_back(shifted.back());
    LinearExpr rest = LinearExpr::var(shifted.back());
    constraints.push_back({rest, false});
    constraints.push_back({LinearExpr(shift->width) - rest, false});
    solve(shift->var, LinearExpr::var(shift->var) - shift->lower + rest);
    return true;
  }

  /// The only integer x with lower <= factor * x <= upper.
  static std::optional<DynamicAPInt>
  findOnly(const DynamicAPInt &factor, DynamicAPInt lower, DynamicAPInt upper) {
    if (factor < 0)
      std::swap(lower, upper);
    DynamicAPInt only = llvm::ceilDiv(lower, factor);
    if (only != llvm::floorDiv(upper, factor))
      return std::nullopt;
    return only;
  }

  /// What x is if y is one of two numbers and a*x + b*y, by `upper` and the
  /// bound from below, leaves x one value for each: a line through both.
  std::optional<LinearExpr> findLine(const Constraint &upper, Var x,
                                     Var y) const {
    std::optional<Range> range = getRange(y, /*hasOthers=*/false);
    if (!range || range->most - range->least != 1)
      return std::nullopt;
    std::optional<DynamicAPInt> width = getWidth(upper);
    if (!width)
      return std::nullopt;
    auto findValue = [&](const DynamicAPInt &value) {
      DynamicAPInt least =
          -upper.expr.getConstant() - upper.expr.getFactor(y) * value;
      return findOnly(upper.expr.getFactor(x), least, least + *width);
    };
    std::optional<DynamicAPInt> first = findValue(range->least),
                                second = findValue(range->most);
    if (!first || !second)
      return std::nullopt;
    return LinearExpr(*first) +
           (LinearExpr::var(y) - LinearExpr(range->least)) * (*second - *first);
  }

  bool useTwoValues() {
    for (const Constraint &upper : constraints) {
      ArrayRef<std::pair<Var, DynamicAPInt>> terms = upper.expr.getTerms();
      if (terms.size() != 2 || countUnsolved(upper.expr) != 2)
        continue;
      for (auto [x, y] : {std::pair(terms[0].first, terms[1].first),
                          std::pair(terms[1].first, terms[0].first)})
        if (std::optional<LinearExpr> line = findLine(upper, x, y)) {
          solve(x, *line);
          return true;
        }
    }
    return false;
  }

  /// `quotient`, of unknowns, is that of `factor` times `dividend` and `shift`
  /// by `divisor`: the remainder is at most `most`.
  struct Division {
    Var dividend;
    LinearExpr quotient;
    DynamicAPInt factor, divisor, shift, most;
  };

  /// What `lower`, of unknowns, says of a multiple of `dividend`, one of them,
  /// and its quotient, if there is such a bound from above.
  std::optional<Division> getDivision(const Constraint &lower,
                                      Var dividend) const {
    DynamicAPInt factor = lower.expr.getFactor(dividend);
    LinearExpr others = LinearExpr(lower.expr.getConstant()) +
                        LinearExpr::var(dividend) * factor - lower.expr;
    LinearExpr quotient = others.divideByFactors().first;
    DynamicAPInt divisor(0);
    for (const auto &term : others.getTerms())
      divisor = llvm::gcd(divisor, llvm::abs(term.second));
    if (factor <= 0 || divisor == 1 || isDivided(dividend, quotient))
      return std::nullopt;
    // What is less than the divisor is a remainder already.
    std::optional<Range> own = getRange(dividend, /*hasOthers=*/false);
    if (own && (own->most - own->least) * factor < divisor)
      return std::nullopt;
    for (const Constraint &upper : constraints) {
      LinearExpr width = lower.expr + upper.expr;
      if (!upper.isEquality && width.isConstant() &&
          width.getConstant() < divisor)
        return Division{dividend,
                        quotient,
                        factor,
                        divisor,
                        lower.expr.getConstant(),
                        width.getConstant()};
    }
    return std::nullopt;
  }

  bool isDivided(Var dividend, const LinearExpr &quotient) const {
    return llvm::any_of(divided, [&](const auto &known) {
      return known.first == dividend && known.second == quotient;
    });
  }

  std::optional<Division> findDivision() const {
    for (const Constraint &lower : constraints) {
      ArrayRef<std::pair<Var, DynamicAPInt>> terms = lower.expr.getTerms();
      if (lower.isEquality || terms.size() < 2 ||
          countUnsolved(lower.expr) != terms.size())
        continue;
      for (const auto &term : terms)
        if (auto division = getDivision(lower, term.first))
          return division;
    }
    return std::nullopt;
  }

  /// f*x = a*q + r in the place of multiples of f*x where q is the quotient by
  /// a: where x stands in a number's digits, q and the remainder r are digits
  /// of their own. Of x, if that is no digit, the equation says the rest later.
  bool useRemainder() {
    std::optional<Division> division = findDivision();
    if (!division)
      return false;
    auto [dividend, quotient, factor, divisor, shift, most] = *division;
    divided.push_back({dividend, quotient});
    Var remainder = solver.makeVar();
    result.unsolved.push_back(remainder);
    LinearExpr r = LinearExpr::var(remainder);
    LinearExpr value = r + quotient * divisor - LinearExpr(shift);
    constraints.push_back({r, false});
    constraints.push_back({LinearExpr(most) - r, false});
    if (std::optional<Range> range = getRange(dividend)) {
      LinearExpr least(
          llvm::ceilDiv(range->least * factor + shift - most, divisor));
      LinearExpr greatest(
          llvm::floorDiv(range->most * factor + shift, divisor));
      constraints.push_back({quotient - least, false});
      constraints.push_back({greatest - quotient, false});
    }
    if (factor == 1) {
      solve(dividend, value);
      return true;
    }
    LinearExpr x = LinearExpr::var(dividend);
    for (Constraint &constraint : constraints) {
      DynamicAPInt multiple = constraint.expr.getFactor(dividend);
      if (constraint.expr.getTerms().size() > 2 && multiple % factor == 0)
        constraint.expr = constraint.expr - x * multiple +
                          value * llvm::floorDiv(multiple, factor);
    }
    deferred.push_back({x * factor - value, /*isEquality=*/true});
    return true;
  }

  /// Equations that were put off.
  bool useDeferred() {
    llvm::append_range(constraints, deferred);
    return !std::exchange(deferred, {}).empty();
  }

  /// Factors of unknowns by their size.
  static bool isSmaller(const std::pair<Var, DynamicAPInt> &a,
                        const std::pair<Var, DynamicAPInt> &b) {
    return llvm::abs(a.second) < llvm::abs(b.second);
  }

  /// The sum of unknowns whose greatest factor is the least.
  std::optional<Sum> findSum() const {
    auto getGreatest = [](const Sum &sum) {
      return llvm::abs(
          llvm::max_element(sum.unknowns.getTerms(), isSmaller)->second);
    };
    std::optional<Sum> least;
    for (const Constraint &constraint : constraints) {
      std::optional<Sum> sum = getSum(constraint);
      if (sum && (!least || getGreatest(*sum) < getGreatest(*least)))
        least = std::move(sum);
    }
    return least;
  }

  /// a*x + b*y + rest = 0, where no number divides a and b: Euclid's algorithm
  /// puts x + n*y in the place of x, with the n that leaves least of b, until a
  /// factor is 1. Each such change has an inverse in integers.
  bool useSum() {
    std::optional<Sum> sum = sumsLeft == 0 ? std::nullopt : findSum();
    if (!sum)
      return false;
    --sumsLeft;
    LinearExpr zero = getZero(*sum);
    while (true) {
      LinearExpr unknowns = zero - dropUnsolved(zero);
      auto [x, a] = *llvm::min_element(unknowns.getTerms(), isSmaller);
      if (llvm::abs(a) == 1) {
        solve(x, LinearExpr::var(x) - zero * a);
        return true;
      }
      auto [y, b] = *llvm::max_element(unknowns.getTerms(), isSmaller);
      Var change = solver.makeVar();
      result.unsolved.push_back(change);
      LinearExpr value = LinearExpr::var(change) -
                         LinearExpr::var(y) * llvm::floorDiv(b * 2 + a, a * 2);
      solve(x, value);
      zero = zero + (value - LinearExpr::var(x)) * zero.getFactor(x);
    }
  }

  /// A constant bound that no point lies within: of an unknown's other bounds,
  /// those that meet it may have been left out.
  bool useOnlyValue() {
    System system = result.definitions;
    for (const Constraint &constraint : constraints)
      system.add(constraint);
    for (const Constraint &bound : constraints) {
      ArrayRef<std::pair<Var, DynamicAPInt>> terms = bound.expr.getTerms();
      if (bound.isEquality || terms.size() != 1 ||
          llvm::abs(terms[0].second) != 1 || !isUnsolved(terms[0].first) ||
          !solver.excludes(system, {bound.expr - LinearExpr(1), false}))
        continue;
      solve(terms[0].first,
            LinearExpr(-terms[0].second * bound.expr.getConstant()));
      return true;
    }
    return false;
  }

  /// Dividends and quotients.
  SmallVector<std::pair<Var, LinearExpr>> divided;
  SmallVector<Var> replaced, shifted;
  /// What is left of an unknown may be divided anew, and so on.
  size_t sumsLeft = result.unsolved.size();
};
} // namespace

Elimination Solver::eliminate(ArrayRef<Var> vars, const System &system) {
  return Eliminator(*this, vars, system).run(/*mayAsk=*/true);
}

Elimination Solver::eliminateByForm(ArrayRef<Var> vars, const System &system) {
  return Eliminator(*this, vars, system).run(/*mayAsk=*/false);
}
