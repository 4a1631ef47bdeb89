//===- Counterexample.cpp - Says where two functions differ -----*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Terms/Evaluation.h"
#include "Comparison.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using Kind = Expr::Kind;

std::string certify::toString(ArrayRef<LinearExpr> indices,
                              const DenseMap<Var, int64_t> &point) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleaveComma(indices, os, [&](const LinearExpr &index) {
    os << index.evaluate(point);
  });
  os << ']';
  return text;
}

/// What users call an argument.
static std::string getName(BlockArgument argument) {
  auto function =
      dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  if (!function)
    return "the loop's tensor";
  if (auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                        "convoy.name"))
    return name.str();
  return "argument" + std::to_string(argument.getArgNumber());
}

/// Prints what `expr` reads an element of.
static void printTensor(llvm::raw_ostream &os, const Expr &expr) {
  if (expr.constant)
    os << "constant";
  else if (expr.common)
    os << "the result of '" << expr.common->origin->getName() << '\'';
  else
    os << getName(expr.argument);
}

/// Prints an element that is read; of a constant, what it is.
static void printRead(llvm::raw_ostream &os, const ExprRef &read,
                      const DenseMap<Var, int64_t> &point) {
  std::optional<Number> number;
  if (read->constant)
    number = evaluate(read, point, {Assignment::Kind::Constant});
  if (number) {
    os << certify::toString(*number);
    return;
  }
  printTensor(os, *read);
  if (!read->indices.empty())
    os << toString(read->indices, point);
}

/// Prints `constant` if it is one number.
static void printNumber(llvm::raw_ostream &os, Attribute constant) {
  if (auto value = dyn_cast<FloatAttr>(constant)) {
    SmallString<16> text;
    value.getValue().toString(text);
    os << text;
  } else if (auto value = dyn_cast<IntegerAttr>(constant)) {
    os << value.getValue();
  }
}

/// Prints what the scalar op `apply` is told besides its operands, as in
/// `cmpf ogt`.
static void printAttributes(llvm::raw_ostream &os, const Expr &apply) {
  for (NamedAttribute attribute : apply.attributes) {
    auto number = dyn_cast<IntegerAttr>(attribute.getValue());
    if (attribute.getName() == "predicate" && apply.name == "arith.cmpi")
      os << ' '
         << arith::stringifyCmpIPredicate(
                arith::CmpIPredicate(number.getInt()));
    else if (attribute.getName() == "predicate" && apply.name == "arith.cmpf")
      os << ' '
         << arith::stringifyCmpFPredicate(
                arith::CmpFPredicate(number.getInt()));
    else if (number)
      os << ' ' << attribute.getName().getValue() << '=' << number.getValue();
    else if (attribute.getName() != kInOrder)
      os << ' ' << attribute.getValue();
  }
}

/// Prints `expr`, which stands `depth` ops deep in what is printed: what stands
/// deeper than is read is left out.
static void print(llvm::raw_ostream &os, const ExprRef &expr,
                  const DenseMap<Var, int64_t> &point, unsigned depth = 0) {
  constexpr unsigned MostDepth = 8;
  switch (expr->kind) {
  case Kind::Undefined:
    os << "an element never written";
    return;
  case Kind::Constant:
    return printNumber(os, expr->constant);
  case Kind::Read:
    return printRead(os, expr, point);
  case Kind::Number:
    os << expr->indices.front().evaluate(point);
    return;
  case Kind::Gather:
    printTensor(os, *expr);
    os << '[';
    llvm::interleaveComma(expr->operands, os, [&](const ExprRef &place) {
      if (place->isOfCut)
        os << "computed";
      else
        print(os, place, point, depth + 1);
    });
    os << ']';
    return;
  case Kind::Sum:
    os << "a sum";
    return;
  case Kind::Extremum:
    os << expr->name.drop_front(StringRef("arith.").size()) << " of terms";
    return;
  case Kind::Apply:
    break;
  }
  if (depth > MostDepth) {
    os << "...";
    return;
  }
  StringRef name = expr->name;
  name.consume_front("arith.");
  StringRef infix = name.starts_with("mul")   ? " * "
                    : name.starts_with("sub") ? " - "
                                              : "";
  if (infix.empty()) {
    os << name;
    printAttributes(os, *expr);
  }
  os << (infix == " * " ? "" : "(");
  llvm::interleave(
      expr->operands, os,
      [&](const ExprRef &operand) { print(os, operand, point, depth + 1); },
      infix.empty() ? ", " : infix);
  os << (infix == " * " ? "" : ")");
}

std::string certify::toString(const ExprRef &expr,
                              const DenseMap<Var, int64_t> &point) {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, expr, point);
  return text;
}

/// The innermost place in a file that `location` holds, or null.
static FileLineColLoc findFile(Location location) {
  FileLineColLoc file;
  location->walk([&](Location part) {
    if (!file)
      file = dyn_cast<FileLineColLoc>(part);
    return WalkResult::advance();
  });
  return file;
}

Operation *certify::findPlaced(Operation *op) {
  for (Operation *around = op; around && !isa<FunctionOpInterface>(around);
       around = around->getParentOp())
    if (findFile(around->getLoc()))
      return around;
  return op;
}

std::string certify::describeOrigin(Operation *op) {
  op = findPlaced(op);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << op->getName();
  if (FileLineColLoc file = findFile(op->getLoc()))
    os << " at " << file.getFilename().getValue() << ':' << file.getLine()
       << ':' << file.getColumn();
  return text;
}

bool Comparison::leaveUndecided(StringRef reason, const Family *before,
                                const Family *after, const System &domain) {
  std::string message = reason.str();
  auto describe = [&](StringRef function, const Family *family) {
    message += function;
    if (!family) {
      message += "none";
      return;
    }
    auto point = solver.findPoint(domain & family->domain);
    message += certify::toString(family->term,
                                 point.value_or(DenseMap<Var, int64_t>()));
    if (family->origin)
      message += " (" + describeOrigin(family->origin) + ")";
  };
  describe(": the first function has ", before);
  describe(", the second ", after);
  isOfBothPlaces = before && after && before->origin && after->origin;
  return fail(Certificate::Verdict::Undecided, message,
              (after ? after : before)->origin);
}

std::optional<DenseMap<Var, int64_t>>
Comparison::findPoint(const System &points) {
  if (sizes.empty())
    return solver.findPoint(points);
  constexpr int64_t SmallSize = 7;
  System natural = points, small = points;
  for (Var size : sizes) {
    natural.addAtMost(0, LinearExpr::var(size));
    small.addRange(-SmallSize, LinearExpr::var(size),
                   LinearExpr(SmallSize + 1));
  }
  std::optional<DenseMap<Var, int64_t>> point = solver.findPoint(natural);
  bool isSmall = point && llvm::all_of(sizes, [&](Var size) {
                   return point->lookup(size) <= SmallSize;
                 });
  if (isSmall)
    return point;
  point = solver.findPoint(small);
  return point ? point : solver.findPoint(points);
}

bool Comparison::failAt(const System &points, const ExprRef &term,
                        StringRef what, StringRef otherwise, Operation *op) {
  std::optional<DenseMap<Var, int64_t>> point = findPoint(points);
  if (!point)
    return fail(Certificate::Verdict::Undecided,
                "a difference for which no example was found: " + what + " " +
                    certify::toString(term, DenseMap<Var, int64_t>()),
                op);
  place = *point;
  std::string message = "element " + certify::toString(element, *point) + ": ";
  message += what;
  message += ' ' + certify::toString(term, *point);
  if (!otherwise.empty())
    message += ", and has " + otherwise.str() + " instead";
  return fail(Certificate::Verdict::Different, message, op);
}

std::optional<bool>
Comparison::findOtherValues(const ExprRef &before, const ExprRef &after,
                            const DenseMap<Var, int64_t> &point, bool reports) {
  using Values = Assignment::Kind;
  // Which of nine elements is the largest is told by most of so many.
  constexpr int64_t NumMixed = 24, NumBits = 6;
  SmallVector<Assignment> assignments = {{Values::Constant, 0, arguments},
                                         {Values::Negative, 0, arguments},
                                         {Values::Place, 0, arguments}};
  for (int64_t draw = 0; draw < NumMixed + NumBits; ++draw)
    assignments.push_back(
        {draw < NumMixed ? Values::Mixed : Values::Bits, draw, arguments});
  // Numbers may be too large, or too near to each other, where others are not.
  std::optional<bool> isFound;
  for (const Assignment &assignment : assignments) {
    std::optional<Number> first = evaluate(before, point, assignment);
    std::optional<Number> second =
        first ? evaluate(after, point, assignment) : std::nullopt;
    if (!second)
      continue;
    isFound = false;
    if (!areApart(*first, *second))
      continue;
    if (reports) {
      std::string message;
      llvm::raw_string_ostream(message)
          << "element " << certify::toString(element, point)
          << ": the first function computes " << certify::toString(*first)
          << ", the second " << certify::toString(*second) << ", "
          << assignment.describe();
      fail(Certificate::Verdict::Different, message, certificate.op);
    }
    return true;
  }
  return isFound;
}

void Comparison::tryValues(const ExprRef &before, const ExprRef &after,
                           const System &domain) {
  using Verdict = Certificate::Verdict;
  bool isDifferent = certificate.verdict == Verdict::Different;
  if (isDifferent && isOfPrecision)
    return;
  std::optional<bool> isFound;
  if (isDifferent)
    isFound = findOtherValues(before, after, place, /*reports=*/false);
  // Where no values can be tried, the form of plain products tells enough.
  if (isDifferent && !isFound.value_or(!isOfForm))
    fail(Verdict::Undecided,
         "terms that differ as they are written, but perhaps not in value: " +
             certificate.message,
         certificate.op);
  if (isDifferent)
    return;
  // At the first element, and at one that is not at the border.
  System inside = domain;
  for (const LinearExpr &index : element)
    inside.addAtMost(1, index);
  for (const System &points : {domain, inside})
    if (auto point = findPoint(points))
      if (findOtherValues(before, after, *point, /*reports=*/true)
              .value_or(false))
        return;
}

/// The term of `others` for the same element of the result that shares a factor
/// with `term` at `point`; sets `op` to what adds it.
std::string Comparison::describeInstead(const DenseMap<Var, int64_t> &point,
                                        const Family &term,
                                        const Families &others,
                                        const System &domain, Operation *&op) {
  SmallVector<const Expr *> reads;
  walkReads(term.term, [&](const Expr &read) { reads.push_back(&read); });
  for (unsigned shared = reads.size(); shared-- > 0;)
    for (const Family &other : others) {
      System system = domain & other.domain;
      for (const LinearExpr &index : element)
        system.addEqual(index, index.evaluate(point));
      unsigned number = 0;
      walkReads(other.term, [&](const Expr &read) {
        if (number++ != shared)
          return;
        for (auto [theirs, ours] :
             llvm::zip_equal(read.indices, reads[shared]->indices))
          system.addEqual(theirs, ours.evaluate(point));
      });
      if (auto found = solver.findPoint(system)) {
        op = other.origin;
        return certify::toString(other.term, *found);
      }
    }
  return "";
}
