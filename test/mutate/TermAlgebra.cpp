//===- TermAlgebra.cpp - Scalars as multisets of terms ----------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OracleAlgebras.h"

#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <limits>

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::test;

static bool isAddition(StringRef name) {
  return name == "arith.addf" || name == "arith.addi";
}
static bool isProduct(StringRef name) {
  return name == "arith.mulf" || name == "arith.muli";
}
static bool isWidening(StringRef name) {
  return name == "arith.extf" || name == "arith.extsi" || name == "arith.extui";
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

Scalar TermAlgebra::add(Node node) {
  std::vector<int64_t> key = {
      int64_t(node.kind),
      reinterpret_cast<int64_t>(node.type.getAsOpaquePointer()),
      reinterpret_cast<int64_t>(node.constant.getAsOpaquePointer()),
      node.argument,
      node.position,
      names.try_emplace(node.name, names.size()).first->second,
      reinterpret_cast<int64_t>(node.attributes.getAsOpaquePointer()),
      node.isNormal};
  llvm::append_range(key, node.operands);
  llvm::append_range(key, node.counts);
  auto [it, isNew] = numbers.try_emplace(std::move(key), nodes.size());
  node.isPoison = node.kind == Kind::Undefined ||
                  llvm::any_of(node.operands, [&](Scalar operand) {
                    return nodes[operand].isPoison;
                  });
  if (isNew)
    nodes.push_back(std::move(node));
  return it->second;
}

Scalar TermAlgebra::getUndefined(Type type) {
  return add({Kind::Undefined, type});
}

FailureOr<Scalar> TermAlgebra::getConstant(TypedAttr value) {
  // Zero has no sign here: it may or may not have been added.
  if (auto number = dyn_cast<FloatAttr>(value))
    if (number.getValue().isZero())
      return getZero(number.getType());
  return add({Kind::Constant, value.getType(), value});
}

Scalar TermAlgebra::getElement(unsigned argument, int64_t position, Type type) {
  return add({Kind::Element, type, {}, argument, position});
}

Scalar TermAlgebra::getZero(Type type) {
  auto zero = isa<FloatType>(type) ? TypedAttr(FloatAttr::get(type, 0.0))
                                   : TypedAttr(IntegerAttr::get(type, 0));
  return add({Kind::Constant, type, zero});
}

bool TermAlgebra::isZero(Scalar scalar) const {
  const Node &node = nodes[scalar];
  if (node.kind != Kind::Constant)
    return false;
  if (auto number = dyn_cast<FloatAttr>(node.constant))
    return number.getValue().isZero();
  return cast<IntegerAttr>(node.constant).getValue().isZero();
}

bool TermAlgebra::isOne(Scalar scalar) const {
  const Node &node = nodes[scalar];
  if (node.kind != Kind::Constant)
    return false;
  if (auto number = dyn_cast<FloatAttr>(node.constant))
    return number.getValue().isExactlyValue(1);
  return cast<IntegerAttr>(node.constant).getValue().isOne();
}

//===----------------------------------------------------------------------===//
// The normal form
//===----------------------------------------------------------------------===//

Scalar TermAlgebra::normalize(Scalar scalar) {
  if (nodes[scalar].isNormal)
    return scalar;
  if (auto it = normalForms.find(scalar); it != normalForms.end())
    return it->second;
  // Operands are older than their sum, so that each sum is met after all that
  // it is a term of, and only once: some double at each step of a loop.
  std::map<Scalar, uint64_t> terms, rest = {{scalar, 1}};
  auto add = [](uint64_t &sum, uint64_t count) {
    sum = llvm::SaturatingAdd(sum, count);
  };
  while (!rest.empty()) {
    auto [next, count] = *rest.rbegin();
    rest.erase(next);
    const Node &node = nodes[next];
    if (node.kind == Kind::Sum) {
      for (auto [number, operand] : llvm::enumerate(node.operands))
        add(rest[operand],
            node.isNormal ? llvm::SaturatingMultiply(count, node.counts[number])
                          : count);
    } else if (!isZero(next)) {
      add(terms[next], count);
    }
  }
  Type type = nodes[scalar].type;
  Scalar normal;
  if (terms.empty()) {
    normal = getZero(type);
  } else if (terms.size() == 1 && terms.begin()->second == 1) {
    normal = terms.begin()->first;
  } else {
    Node sum = {Kind::Sum, type};
    for (auto [term, count] : terms) {
      sum.operands.push_back(term);
      sum.counts.push_back(count);
    }
    normal = this->add(std::move(sum));
  }
  return normalForms[scalar] = normal;
}

std::optional<Scalar> TermAlgebra::widen(StringRef name, Type type,
                                         Scalar operand) {
  const Node &node = nodes[operand];
  // What fits the narrow type is itself again.
  if (node.kind == Kind::Apply && node.name == "arith.trunci") {
    const Node &wide = nodes[node.operands[0]];
    auto it = zeroPoints.find(wide.argument);
    if (wide.kind == Kind::Element && wide.type == type &&
        it != zeroPoints.end() && it->second == name)
      return node.operands[0];
  }
  if (node.kind != Kind::Constant)
    return std::nullopt;
  if (auto number = dyn_cast<FloatAttr>(node.constant)) {
    APFloat wide = number.getValue();
    bool losesInfo = false;
    wide.convert(cast<FloatType>(type).getFloatSemantics(),
                 APFloat::rmNearestTiesToEven, &losesInfo);
    return *getConstant(FloatAttr::get(type, wide));
  }
  const APInt &number = cast<IntegerAttr>(node.constant).getValue();
  unsigned width = type.getIntOrFloatBitWidth();
  return *getConstant(IntegerAttr::get(
      type, name == "arith.extsi" ? number.sext(width) : number.zext(width)));
}

std::optional<Scalar> TermAlgebra::simplify(StringRef name, Type type,
                                            ArrayRef<Scalar> operands) {
  if (isWidening(name))
    return widen(name, type, operands[0]);
  const Node &first = nodes[operands[0]];
  if (name == "arith.truncf" || name == "arith.trunci") {
    if (isZero(operands[0]))
      return getZero(type);
    if (auto number = dyn_cast_if_present<IntegerAttr>(first.constant))
      return *getConstant(IntegerAttr::get(
          type, number.getValue().trunc(type.getIntOrFloatBitWidth())));
    bool isWidened = first.kind == Kind::Apply && isWidening(first.name) &&
                     nodes[first.operands[0]].type == type;
    return isWidened ? std::optional(first.operands[0]) : std::nullopt;
  }
  if (isProduct(name) && (isZero(operands[0]) || isZero(operands[1])) &&
      !first.isPoison && !nodes[operands[1]].isPoison)
    return getZero(type);
  if (isProduct(name))
    for (unsigned number : {0, 1})
      if (isOne(operands[number]))
        return operands[1 - number];
  if (name == "arith.select")
    return choose(type, operands);
  if ((name == "arith.subi" || name == "arith.subf") && isZero(operands[1]))
    return operands[0];
  if (name == "arith.subi" && operands[0] == operands[1] && !first.isPoison)
    return getZero(type);
  return std::nullopt;
}

/// Whether a comparison, whose operands are no NaN, says that the first is
/// larger (1), smaller (-1), or something else (0).
static int getOrder(const Attribute &predicate, bool isFloat) {
  int64_t number = cast<IntegerAttr>(predicate).getInt();
  if (!isFloat)
    switch (static_cast<arith::CmpIPredicate>(number)) {
    case arith::CmpIPredicate::sgt:
    case arith::CmpIPredicate::sge:
      return 1;
    case arith::CmpIPredicate::slt:
    case arith::CmpIPredicate::sle:
      return -1;
    default:
      return 0;
    }
  switch (static_cast<arith::CmpFPredicate>(number)) {
  case arith::CmpFPredicate::OGT:
  case arith::CmpFPredicate::OGE:
  case arith::CmpFPredicate::UGT:
  case arith::CmpFPredicate::UGE:
    return 1;
  case arith::CmpFPredicate::OLT:
  case arith::CmpFPredicate::OLE:
  case arith::CmpFPredicate::ULT:
  case arith::CmpFPredicate::ULE:
    return -1;
  default:
    return 0;
  }
}

std::optional<Scalar> TermAlgebra::choose(Type type,
                                          ArrayRef<Scalar> operands) {
  const Node condition = nodes[operands[0]];
  if (condition.kind != Kind::Apply || condition.isPoison ||
      !StringRef(condition.name).starts_with("arith.cmp"))
    return std::nullopt;
  bool isFloat = isa<FloatType>(type);
  int order = getOrder(condition.attributes.get("predicate"), isFloat);
  ArrayRef<Scalar> compared = condition.operands;
  if (operands[1] == compared[1] && operands[2] == compared[0])
    order = -order;
  else if (operands[1] != compared[0] || operands[2] != compared[1])
    return std::nullopt;
  if (order == 0)
    return std::nullopt;
  StringRef name = order > 0 ? (isFloat ? "arith.maximumf" : "arith.maxsi")
                             : (isFloat ? "arith.minimumf" : "arith.minsi");
  return apply(name, DictionaryAttr::get(type.getContext()), type, compared);
}

/// Attributes without flags, which change no exact value.
static DictionaryAttr dropFlags(DictionaryAttr attributes) {
  NamedAttrList list(attributes);
  list.erase("fastmath");
  list.erase("overflowFlags");
  return list.getDictionary(attributes.getContext());
}

FailureOr<Algebra::Function> TermAlgebra::resolve(StringRef name,
                                                  DictionaryAttr attributes,
                                                  Type type,
                                                  ArrayRef<Type> types) {
  // Indices are no terms, and conditions only where elements decide them: their
  // error says so to who chooses by them.
  bool isComparison = name == "arith.cmpf" || name == "arith.cmpi";
  if (isConcrete(type) && !isComparison)
    return failure();
  if (llvm::any_of(types.drop_front(name == "arith.select"), isConcrete))
    return failure();
  if (isComparison)
    return Function([this, name = name.str(), attributes,
                     type](ArrayRef<Scalar> operands) -> Scalar {
      return {apply(name, attributes, type, operands).number,
              std::numeric_limits<double>::infinity()};
    });
  return Function(
      [this, name = name.str(), attributes, type](ArrayRef<Scalar> operands) {
        return apply(name, attributes, type, operands);
      });
}

Scalar TermAlgebra::apply(StringRef name, DictionaryAttr attributes, Type type,
                          ArrayRef<Scalar> operands) {
  if (isAddition(name)) {
    Node sum = {Kind::Sum, type};
    sum.operands = operands;
    sum.isNormal = false;
    return add(std::move(sum));
  }
  std::vector<Scalar> normal;
  for (Scalar operand : operands)
    normal.push_back(normalize(operand));
  if (isProduct(name) || StringRef(name).starts_with("arith.max") ||
      StringRef(name).starts_with("arith.min"))
    std::sort(normal.begin(), normal.end());
  if (std::optional<Scalar> simple = simplify(name, type, normal))
    return *simple;
  Node node = {Kind::Apply, type};
  node.name = name.str();
  node.attributes = dropFlags(attributes);
  node.operands = std::move(normal);
  return add(std::move(node));
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string TermAlgebra::toString(Scalar scalar) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const Node node = nodes[normalize(scalar)];
  switch (node.kind) {
  case Kind::Undefined:
    os << "undefined";
    break;
  case Kind::Constant:
    node.constant.print(os, /*elideType=*/true);
    break;
  case Kind::Element:
    os << "%arg" << node.argument << '[' << node.position << ']';
    break;
  case Kind::Apply:
    os << StringRef(node.name).drop_front(StringRef("arith.").size()) << '(';
    llvm::interleaveComma(node.operands, os,
                          [&](Scalar operand) { os << toString(operand); });
    os << ')';
    break;
  case Kind::Sum:
    llvm::interleave(
        llvm::zip_equal(node.operands, node.counts), os,
        [&](auto term) {
          auto [operand, count] = term;
          if (count != 1)
            os << count << " * ";
          os << toString(operand);
        },
        " + ");
    break;
  }
  return text;
}
