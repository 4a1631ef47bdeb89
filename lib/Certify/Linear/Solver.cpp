//===- Solver.cpp - Decides whether systems have points ---------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Forms.h"
#include "Search.h"
#include "Shadows.h"

#include "convoy/Support/Interruption.h"

#include "mlir/Analysis/Presburger/IntegerRelation.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"

#include <ctime>

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

/// `constraints` as bytes that do not depend on the unknowns' numbers.
static std::string getKey(ArrayRef<Constraint> constraints) {
  llvm::SmallDenseMap<Var, unsigned, 16> columns;
  std::string key;
  llvm::raw_string_ostream os(key);
  auto write = [&](const DynamicAPInt &number) {
    constexpr int64_t Most = std::numeric_limits<int64_t>::max() / 2;
    if (-Most < number && number < Most)
      llvm::encodeSLEB128(int64_t(number), os);
    else // behind a 0 of two bytes, which no other number has
      os << '\x80' << '\0' << number << ' ';
  };
  for (const Constraint &constraint : constraints) {
    for (const auto &[var, factor] : constraint.expr.getTerms()) {
      write(factor);
      unsigned column = columns.try_emplace(var, columns.size()).first->second;
      llvm::encodeULEB128(column, os);
    }
    // No factor is 0.
    os << '\0' << (constraint.isEquality ? '=' : '>');
    write(constraint.expr.getConstant());
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

/// Whether `constraints`, which are connected and simplified, have no point.
static bool haveNoPoint(ArrayRef<Constraint> constraints) {
  if (std::optional<bool> found = searchPoint(constraints, Effort::Full))
    return !*found;
  return toPolyhedron(constraints, getVars(constraints)).isIntegerEmpty();
}

static bool findWhetherEmpty(Constraints constraints) {
  if (std::optional<bool> found = searchPoint(constraints, Effort::Short))
    return !*found;
  do {
    if (!Forms::simplify(constraints))
      return true;
  } while (takeOutUnknown(constraints) || takeOutMultiples(constraints));
  // Bounds of one unknown are in order: their forms say so.
  return llvm::any_of(getComponents(constraints), [&](const Constraints &part) {
    return getVars(part).size() > 1 && haveNoPoint(part);
  });
}

/// Seconds for which this thread has computed: how busy the machine is does not
/// count.
static double getThreadSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

Solver::Solver(double seconds) : deadline(getThreadSeconds() + seconds) {}

bool Solver::hasExpired() {
  isExpired =
      isExpired || getThreadSeconds() > deadline || ::convoy::isInterrupted();
  return isExpired;
}

bool Solver::isComponentEmpty(const Constraints &constraints) {
  if (isExpired)
    return true;
  auto [it, isNew] = known.try_emplace(getKey(constraints), true);
  // To ask for the time takes as long as to find what is known.
  if (isNew && !hasExpired())
    it->second = findWhetherEmpty(constraints);
  return it->second;
}

bool Solver::isEmpty(const System &system) {
  return llvm::any_of(getComponents(system.getConstraints()),
                      [&](const Constraints &component) {
                        return isComponentEmpty(component);
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

bool Solver::impliesPlainly(const System &system,
                            const Constraint &constraint) {
  return llvm::all_of(negate(constraint), [&](const Constraint &outside) {
    Constraints component = getComponentOf(system, outside);
    if (isExpired)
      return true;
    auto [it, isNew] = plain.try_emplace(getKey(component), false);
    if (isNew && !hasExpired())
      it->second = searchPoint(component, Effort::Short) == false;
    return it->second;
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
