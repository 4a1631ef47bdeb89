//===- Folding.cpp - What ops make of constants -----------------*- C++ -*-===//
//
// Part of Convoy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simplify.h"
#include "ZeroSigns.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::convoy;
using namespace mlir::convoy::certify;

using Kind = Expr::Kind;

/// `expr` where it is a constant, as a sum without terms is; else null.
static TypedAttr getConstant(const ExprRef &expr) {
  if (expr->kind == Kind::Constant)
    return expr->constant;
  return isZero(expr) ? Builder(expr->type.getContext()).getZeroAttr(expr->type)
                      : TypedAttr();
}

/// Whether `expr` is a zero whose sign is not known.
static bool isUncertainZero(const ExprRef &expr) {
  return isa<FloatType>(expr->type) && isZero(expr) &&
         (expr->kind != Kind::Constant ||
          expr->leftOut.zero != LeftOut::Zero::None);
}

namespace {
/// A constant, or the number of an operand.
struct Folded {
  TypedAttr constant;
  unsigned operand = 0;
};
} // namespace

/// What `op`, whose operands are the arguments of a block, folds to where those
/// that are not null have the values `constants`; nothing if it does not fold.
static std::optional<Folded> foldOp(Operation *op,
                                    ArrayRef<Attribute> constants) {
  auto getNumber = [](Value operand) {
    return cast<BlockArgument>(operand).getArgNumber();
  };
  // A fold may but exchange operands: the next one goes on from there.
  for (size_t round = 0; round <= constants.size(); ++round) {
    SmallVector<Attribute> inOrder =
        llvm::map_to_vector(op->getOperands(), [&](Value operand) {
          return constants[getNumber(operand)];
        });
    SmallVector<OpFoldResult> results;
    if (failed(op->fold(inOrder, results)))
      return std::nullopt;
    if (results.empty())
      continue;
    if (auto value = dyn_cast<Value>(results.front()))
      return Folded{{}, getNumber(value)};
    auto constant = dyn_cast<TypedAttr>(cast<Attribute>(results.front()));
    if (!isa_and_nonnull<IntegerAttr, FloatAttr>(constant) ||
        constant.getType() != op->getResult(0).getType())
      return std::nullopt;
    return Folded{constant};
  }
  return std::nullopt;
}

/// The same of the op `name`, where MLIR has one.
static std::optional<Folded> foldOp(StringRef name, DictionaryAttr attributes,
                                    Type type, ArrayRef<ExprRef> operands,
                                    ArrayRef<Attribute> constants) {
  MLIRContext *context = type.getContext();
  if (!RegisteredOperationName::lookup(name, context))
    return std::nullopt;
  Location location = UnknownLoc::get(context);
  Block block;
  OperationState state(location, name);
  for (const ExprRef &operand : operands)
    state.addOperands(block.addArgument(operand->type, location));
  state.addTypes(type);
  state.addAttributes(attributes.getValue());
  Operation *op = Operation::create(state);
  llvm::scope_exit destroy([&] { op->destroy(); });
  return foldOp(op, constants);
}

ExprRef certify::fold(StringRef name, DictionaryAttr attributes, Type type,
                      ArrayRef<ExprRef> operands) {
  // Flags may make what overflows undefined, which a constant would hide.
  if (llvm::any_of(attributes, [](NamedAttribute attribute) {
        return attribute.getName() != "predicate";
      }))
    return nullptr;
  // Of an op that tells 0 from -0, a zero of unknown sign is no constant.
  SmallVector<ExprRef> shown = showZeros(name, operands);
  SmallVector<Attribute> constants =
      llvm::map_to_vector(shown, [](const ExprRef &operand) -> Attribute {
        return getConstant(operand);
      });
  if (llvm::none_of(constants, [](Attribute one) { return bool(one); }))
    return nullptr;
  std::optional<Folded> folded =
      foldOp(name, attributes, type, shown, constants);
  if (!folded)
    return nullptr;
  LeftOut zeros;
  bool areNumbers = true;
  for (auto [number, operand] : llvm::enumerate(shown)) {
    bool isResult = !folded->constant && folded->operand == number;
    if (isResult)
      continue;
    zeros.isOfComputed |= operand->leftOut.isOfComputed;
    if (isUncertainZero(operand))
      zeros.zero = LeftOut::Zero::Unknown;
    areNumbers = areNumbers && (constants[number] || isFinite(operand));
  }
  // Of two values one is not looked at; what is no number is not zero times.
  if (!areNumbers && (folded->constant || name != "arith.select"))
    return nullptr;
  if (!folded->constant)
    return addZeros(operands[folded->operand], zeros);
  ExprRef constant = makeConstant(folded->constant);
  bool isUncertain = zeros.zero != LeftOut::Zero::None && isZero(constant);
  if (isUncertain)
    return addZeros(makeSum(type, {}), zeros);
  return addZeros(constant, {LeftOut::Zero::None, zeros.isOfComputed});
}
