//===- Solver.cpp - Decides whether systems have points ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convoy/Certify/LinearSystem.h"

#include "mlir/Analysis/Presburger/IntegerRelation.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::convoy::certify;
using mlir::presburger::IntegerPolyhedron;
using mlir::presburger::PresburgerSpace;

//===----------------------------------------------------------------------===//
// Presburger's form
//===----------------------------------------------------------------------===//

/// The unknowns of `constraints` in the order of their first appearance.
static SmallVector<Var> getVars(ArrayRef<Constraint> constraints) {
  SmallVector<Var> vars;
  llvm::SmallDenseSet<Var> seen;
  for (const Constraint &constraint : constraints)
    for (const auto &term : constraint.expr.getTerms())
      if (seen.insert(term.first).second)
        vars.push_back(term.first);
  return vars;
}

static IntegerPolyhedron toPolyhedron(ArrayRef<Constraint> constraints,
                                      ArrayRef<Var> vars) {
  DenseMap<Var, unsigned> columns;
  for (auto [column, var] : llvm::enumerate(vars))
    columns[var] = column;
  IntegerPolyhedron polyhedron(PresburgerSpace::getSetSpace(vars.size()));
  for (const Constraint &constraint : constraints) {
    SmallVector<DynamicAPInt> row(vars.size() + 1, DynamicAPInt(0));
    for (const auto &[var, factor] : constraint.expr.getTerms())
      row[columns[var]] = factor;
    row.back() = constraint.expr.getConstant();
    if (constraint.isEquality)
      polyhedron.addEquality(row);
    else
      polyhedron.addInequality(row);
  }
  return polyhedron;
}

/// `constraints` as text that does not depend on the unknowns' numbers.
static std::string getKey(ArrayRef<Constraint> constraints,
                          ArrayRef<Var> vars) {
  DenseMap<Var, unsigned> columns;
  for (auto [column, var] : llvm::enumerate(vars))
    columns[var] = column;
  std::string key;
  llvm::raw_string_ostream os(key);
  for (const Constraint &constraint : constraints) {
    for (const auto &[var, factor] : constraint.expr.getTerms())
      os << factor << 'x' << columns[var] << ' ';
    os << constraint.expr.getConstant() << (constraint.isEquality ? '=' : '>');
  }
  return key;
}

//===----------------------------------------------------------------------===//
// Components
//===----------------------------------------------------------------------===//

/// Groups constraints that share unknowns. Constraints without unknowns are
/// groups of their own.
static std::vector<Constraints>
getComponents(ArrayRef<Constraint> constraints) {
  llvm::EquivalenceClasses<Var> classes;
  for (const Constraint &constraint : constraints)
    for (const auto &term : constraint.expr.getTerms())
      classes.unionSets(constraint.expr.getTerms().front().first, term.first);
  std::vector<Constraints> components;
  DenseMap<Var, unsigned> numbers;
  for (const Constraint &constraint : constraints) {
    if (constraint.expr.isConstant()) {
      components.push_back({constraint});
      continue;
    }
    Var leader =
        classes.getLeaderValue(constraint.expr.getTerms().front().first);
    auto [it, isNew] = numbers.try_emplace(leader, components.size());
    if (isNew)
      components.emplace_back();
    components[it->second].push_back(constraint);
  }
  return components;
}

/// The constraints of `system` that are connected with `seed`, and `seed`.
static Constraints getComponentOf(const System &system,
                                  const Constraint &seed) {
  ArrayRef<Constraint> constraints = system.getConstraints();
  Constraints component = {seed};
  llvm::SmallDenseSet<Var> vars;
  for (const auto &term : seed.expr.getTerms())
    vars.insert(term.first);
  SmallVector<bool> taken(constraints.size(), false);
  for (bool isGrowing = true; isGrowing;) {
    isGrowing = false;
    for (auto [number, constraint] : llvm::enumerate(constraints)) {
      auto isKnown = [&](const auto &term) {
        return vars.contains(term.first);
      };
      if (taken[number] || llvm::none_of(constraint.expr.getTerms(), isKnown))
        continue;
      taken[number] = isGrowing = true;
      component.push_back(constraint);
      for (const auto &term : constraint.expr.getTerms())
        vars.insert(term.first);
    }
  }
  return component;
}

//===----------------------------------------------------------------------===//
// Emptiness
//===----------------------------------------------------------------------===//

/// Divides by common factors; returns false if a constraint cannot hold.
static bool normalize(Constraints &constraints) {
  Constraints result;
  for (Constraint &constraint : constraints) {
    auto [expr, lost] = constraint.expr.divideByFactors();
    if (constraint.isEquality && lost != 0)
      return false;
    if (!expr.isConstant()) {
      result.push_back({expr, constraint.isEquality});
      continue;
    }
    if (constraint.isEquality ? expr.getConstant() != 0
                              : expr.getConstant() < 0)
      return false;
  }
  constraints = std::move(result);
  return true;
}

/// Uses an equation with a factor of 1 or -1 to remove an unknown; returns
/// whether there was one.
static bool substituteOnce(Constraints &constraints) {
  for (auto *it = constraints.begin(); it != constraints.end(); ++it) {
    if (!it->isEquality)
      continue;
    for (const auto &[var, factor] : it->expr.getTerms()) {
      if (llvm::abs(factor) != 1)
        continue;
      DenseMap<Var, LinearExpr> value;
      value[var] = LinearExpr::var(var) - it->expr * factor;
      constraints.erase(it);
      for (Constraint &other : constraints)
        other.expr = other.expr.substitute(value);
      return true;
    }
  }
  return false;
}

/// Whether bounds on one unknown leave no value.
static bool isIntervalEmpty(ArrayRef<Constraint> constraints) {
  std::optional<DynamicAPInt> lower, upper;
  for (const Constraint &constraint : constraints) {
    const DynamicAPInt &factor = constraint.expr.getTerms().front().second;
    const DynamicAPInt &constant = constraint.expr.getConstant();
    // Normalized factors are 1 or -1: x + c >= 0 or -x + c >= 0.
    DynamicAPInt bound = factor > 0 ? -constant : constant;
    if (constraint.isEquality || factor > 0)
      lower = lower ? std::max(*lower, bound) : bound;
    if (constraint.isEquality || factor < 0)
      upper = upper ? std::min(*upper, bound) : bound;
  }
  return lower && upper && *lower > *upper;
}

bool Solver::askPresburger(ArrayRef<Constraint> constraints) {
  SmallVector<Var> vars = getVars(constraints);
  auto [it, isNew] = known.try_emplace(getKey(constraints, vars), false);
  if (isNew)
    it->second = toPolyhedron(constraints, vars).isIntegerEmpty();
  return it->second;
}

Solver::Solver(double seconds)
    : deadline(std::chrono::steady_clock::now() +
               std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                   std::chrono::duration<double>(seconds))) {}

bool Solver::hasExpired() {
  isExpired = isExpired || std::chrono::steady_clock::now() > deadline;
  return isExpired;
}

bool Solver::isComponentEmpty(Constraints constraints) {
  if (hasExpired())
    return true;
  do {
    if (!normalize(constraints))
      return true;
  } while (substituteOnce(constraints));
  for (const Constraints &component : getComponents(constraints)) {
    bool hasOneVar = getVars(component).size() == 1;
    if (hasOneVar ? isIntervalEmpty(component) : askPresburger(component))
      return true;
  }
  return false;
}

bool Solver::isEmpty(const System &system) {
  return llvm::any_of(getComponents(system.getConstraints()),
                      [&](Constraints &component) {
                        return isComponentEmpty(std::move(component));
                      });
}

bool Solver::excludes(const System &system, const Constraint &extra) {
  return isComponentEmpty(getComponentOf(system, extra));
}

bool Solver::implies(const System &system, const Constraint &constraint) {
  return llvm::all_of(negate(constraint), [&](const Constraint &outside) {
    return excludes(system, outside);
  });
}

std::optional<DenseMap<Var, int64_t>> Solver::findPoint(const System &system) {
  DenseMap<Var, int64_t> point;
  for (const Constraints &component : getComponents(system.getConstraints())) {
    SmallVector<Var> vars = getVars(component);
    IntegerPolyhedron polyhedron = toPolyhedron(component, vars);
    // The smallest indices read best.
    std::optional<SmallVector<DynamicAPInt, 8>> sample =
        polyhedron.findIntegerSample();
    if (!sample)
      return std::nullopt;
    for (auto [var, value] : llvm::zip_equal(vars, *sample))
      point[var] = int64_t(value);
  }
  return point;
}
